/**
 * A problem without arrays: of each array only the elements at foretold indices are left (the idea is the cell abstraction of Monniaux
 * and Gonnord: Cell morphing, SAS 2016). With a place p for an index that keeps its value, an array A becomes a place a for
 * A[p]; and
 *
 *   L(A, i, p) ⇒ L(store(A, i, 0), i + 1, p)     becomes     L(a, i, p) ⇒ L(ite(i = p, 0, a), i + 1, p)
 *
 * Where the program computes indices, as an address base + 4 · i is, the element is the one at base + 4 · p (shapes.ts).
 *
 * A read at another index may have any value, so there are more runs than before, and only proofs find their way back: a
 * model that speaks of a is one that speaks of A[p]. What edges say of reads is given back as lemmas, which are instances of
 * the axioms of arrays, so that checking needs no more of them.
 */
import { Op } from '../../../term/operators.ts';
import { printTerm } from '../../../term/printer.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  type Location,
  type Problem,
  placesTo,
  type Source,
} from '../../problem/problem.ts';
import type { Proof } from '../../problem/proof.ts';
import { lemmasBack, type Pass } from '../pass.ts';
import { Reads } from './reads.ts';
import { Shapes } from './shapes.ts';

/** An element of one of a location's arrays, at an index over its prophecies, and the place that stands for it. */
interface Cell {
  readonly array: number;
  readonly index: TermId;
  readonly place: TermId;
}

/** Of one array. */
const MAX_CELLS = 4;

interface Celled {
  readonly to: Location;
  readonly scalars: readonly number[]; // the places that stay
  readonly cells: readonly Cell[];
}

/** `prophecies` are those of the places that keep their values. */
export function arraysToCells(problem: Problem, prophecies: ReadonlySet<TermId>): Pass {
  return new Cells(problem, prophecies).pass();
}

class Cells {
  private readonly given: Problem;
  private readonly terms: TermStore;
  private readonly locations: ReadonlyMap<Location, Celled>;
  private readonly shapes: Shapes;
  private readonly origins = new Map<Edge, Edge>();
  private readonly meanings = new Map<Edge, ReadonlyMap<TermId, TermId>>(); // of each new edge's variables
  private readonly axioms = new Map<Edge, readonly TermId[]>(); // of each old edge

  constructor(given: Problem, prophecies: ReadonlySet<TermId>) {
    this.given = given;
    this.terms = given.terms;
    this.shapes = new Shapes(given);
    this.locations = new Map(given.locations.map(l => [l, this.celled(l, prophecies)]));
  }

  pass(): Pass {
    const { given } = this;
    const edges = given.edges.map(e => this.edge(e));
    return {
      problem: { ...given, locations: given.locations.map(l => this.of(l).to), edges },
      back: {
        proof: proof => this.proof(proof),
        derivation: () => {
          throw new RangeError('runs of cells are none of arrays');
        },
        keepsSteps: true,
        joinsStates: true,
      },
    };
  }

  private of(location: Location): Celled {
    return this.locations.get(location) as Celled;
  }

  private celled(location: Location, prophecies: ReadonlySet<TermId>): Celled {
    const { terms } = this;
    const { sorts } = terms;
    const { places } = location;
    const isArray = (p: TermId) => sorts.isArray(terms.sort(p));
    const scalars = [...places.keys()].filter(i => !isArray(places[i]));
    const cells = [...places.keys()].flatMap(array => {
      if (!isArray(places[array])) return [];
      const sort = terms.sort(places[array]);
      const element = sorts.elementSort(sort);
      if (sorts.isArray(element)) return [];
      const known = scalars.map(i => places[i]).filter(p => prophecies.has(p));
      const indices = this.shapes.indicesAt(location, array, known).slice(0, MAX_CELLS);
      return indices.map(index => {
        const name = `${printTerm(terms, places[array])}[${printTerm(terms, index)}]`;
        return { array, index, place: terms.variable(name, element) };
      });
    });
    const to = {
      name: location.name,
      places: [...scalars.map(i => places[i]), ...cells.map(c => c.place)],
      constraints: [],
    };
    return { to, scalars, cells };
  }

  private edge(edge: Edge): Edge {
    const { terms, given } = this;
    const head = headOf(edge);
    const reads = new Reads(terms);
    const sources = edge.sources.map(s => this.source(s, edge.sources.length === 1, reads));
    const conditions = reads.translated(conditionsOf(edge));
    const meanings = reads.meanings;
    const values: TermId[] = [];
    if (head !== undefined) {
      const { scalars, cells } = this.of(head);
      values.push(...reads.translated(scalars.map(i => edge.values[i])));
      const now = placesTo(head, edge.values);
      const next = new Map(head.places.map(p => [p, given.next.of(p)]));
      for (const { array, index, place } of cells) {
        values.push(reads.at(edge.values[array], substitute(terms, index, now)));
        const after = [given.next.of(head.places[array]), substitute(terms, index, next)];
        meanings.set(given.next.of(place), terms.app(Op.SELECT, after));
      }
    }
    const to: Edge = {
      sources,
      guard: terms.and([...conditions, ...reads.conditions()]),
      head: head === undefined ? edge.head : this.of(head).to,
      values,
    };
    this.origins.set(to, edge);
    this.meanings.set(to, meanings);
    this.axioms.set(edge, reads.axioms());
    return to;
  }

  /** A source with cells in the place of arrays; what these are is told to who reads. */
  private source({ location, places }: Source, isOnly: boolean, reads: Reads): Source {
    const { terms } = this;
    const { to, scalars, cells } = this.of(location);
    const own = cells.map(({ array, index, place }) => {
      const variable = isOnly ? place : terms.another(place);
      reads.know(places[array], substitute(terms, index, placesTo(location, places)), variable);
      return variable;
    });
    return { location: to, places: [...scalars.map(i => places[i]), ...own] };
  }

  private proof(proof: Proof): Proof {
    const { terms, given, locations, origins, meanings, axioms } = this;
    const model = [...locations].map(([l, { to, cells }]): [Location, TermId] => {
      const images = new Map(cells.map(c => [c.place, terms.app(Op.SELECT, [l.places[c.array], c.index])]));
      return [l, substituteAll(terms, [proof.model.get(to) as TermId], images)[0]];
    });
    const lemmas = new Map(
      lemmasBack(terms, proof.lemmas, e => [
        { edge: origins.get(e) as Edge, names: meanings.get(e) as ReadonlyMap<TermId, TermId> },
      ]),
    );
    for (const e of given.edges) {
      const own = axioms.get(e) ?? [];
      if (own.length > 0) lemmas.set(e, [...new Set([...own, ...(lemmas.get(e) ?? [])])]);
    }
    return { ...proof, model: new Map(model), lemmas };
  }
}
