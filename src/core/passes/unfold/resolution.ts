/**
 * Unfolding of locations: each edge that uses one is replaced by its resolvents with the edges that derive it,
 *
 *   f(x, y) ⇐ y = x + 1      h(z) ⇐ p(x), f(x, z)      becomes      h(z) ⇐ p(x), z = x + 1
 *
 * where all uses in an edge are replaced, one after the other. The log of all resolvents is kept: it is the way back for derivations,
 * and says how a new edge was put together.
 */
import { Unknown } from '../../../sat/unknown.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import { type Derivation, evaluatorOf, headValues, type Step } from '../../problem/derivation.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import {
  type Edge,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  type Source,
} from '../../problem/problem.ts';
import { sizeOf } from '../interpretation.ts';

/** What a new edge was made of: one use of a location in `second` is replaced by what `first` derives it from. */
export interface Resolvent {
  readonly location: Location;
  readonly first: Edge;
  readonly second: Edge;
  /** The number of the source of the second. */
  readonly at: number;
  /** What the variables of each are called in the new edge; those that are not here keep their names. */
  readonly firstNames: ReadonlyMap<TermId, TermId>;
  readonly secondNames: ReadonlyMap<TermId, TermId>;
}

/** What takes the place of a location's edges. */
export interface Unfolding {
  readonly location: Location;
  readonly into: readonly Edge[];
  readonly edges: readonly Edge[];
  /** These, and the ones in between, where an edge uses the location several times. */
  readonly made: ReadonlyMap<Edge, Resolvent>;
}

/** An edge of the given problem in a new one, with those that have taken the place of its sources. */
export interface Expansion {
  readonly edge: Edge;
  /** What its variables are in the new edge. */
  readonly names: ReadonlyMap<TermId, TermId>;
  /** By source: none for those that are sources of the new edge. */
  readonly calls: readonly (Expansion | undefined)[];
}

export class Resolution {
  readonly edges: EdgeTable;
  readonly origins = new Map<Edge, Resolvent>();
  private readonly terms: TermStore;

  constructor({ terms, edges }: Problem) {
    this.terms = terms;
    this.edges = new EdgeTable(edges);
  }

  isBesideOthers(location: Location): boolean {
    return this.edges.outOf(location).some(e => e.sources.length > 1);
  }

  /** Does no edge derive it from itself, and would there be no more edges without it, or so many? */
  mayUnfold(location: Location, moreEdges = 0): boolean {
    const into = this.edges.into(location);
    const out = this.edges.outOf(location);
    if (location.constraints.length > 0 || out.some(e => e.head === location)) return false;
    const uses = (e: Edge) => e.sources.filter(s => s.location === location).length;
    const count = out.reduce((sum, e) => sum + into.length ** uses(e), 0);
    return count <= into.length + out.length + moreEdges;
  }

  /** What unfolding the location gives; undefined where there would be so many terms more. */
  unfolding(location: Location, maxGrowth: number): Unfolding | undefined {
    const { edges, terms } = this;
    const into = edges.into(location);
    const out = edges.outOf(location);
    const made = new Map<Edge, Resolvent>();
    const resolvents = out.flatMap(e => this.resolvents(location, into, e, made));
    if (sizeOf(terms, resolvents) > sizeOf(terms, [...into, ...out]) + maxGrowth) return undefined;
    return { location, into, edges: resolvents, made };
  }

  apply({ location, edges, made }: Unfolding): void {
    this.edges.remove(location);
    for (const e of edges) this.edges.add(e);
    for (const [e, resolvent] of made) this.origins.set(e, resolvent);
  }

  /** All ways to replace the uses of a location in an edge; `made` also has the edges in between. */
  private resolvents(
    location: Location,
    into: readonly Edge[],
    edge: Edge,
    made: Map<Edge, Resolvent>,
  ): Edge[] {
    const at = edge.sources.findIndex(s => s.location === location);
    if (at < 0) return [edge];
    return into.flatMap(first => {
      const [joined, resolvent] = this.resolvent(location, first, edge, at);
      made.set(joined, resolvent);
      return this.resolvents(location, into, joined, made);
    });
  }

  private resolvent(location: Location, first: Edge, second: Edge, at: number): readonly [Edge, Resolvent] {
    const { terms } = this;
    const others = second.sources.filter((_, i) => i !== at);
    const sources = [...others, ...first.sources];
    // An edge with one source speaks of that location's own places, and nothing else may have their names.
    const only = sources.length === 1 ? sources[0] : undefined;
    const own = new Set(only?.location.places);
    const placeOf = new Map(only?.places.map((p, i) => [p, only.location.places[i]] as const));
    const isOfFirst = only !== undefined && only === first.sources[0];
    const firstNames = new Map(
      [...placesOf(first), ...inputsOf(terms, first)].map(v => {
        const place = isOfFirst ? placeOf.get(v) : undefined;
        return [v, place ?? terms.another(v)] as const;
      }),
    );
    const clashing = inputsOf(terms, second).filter(v => own.has(v));
    const secondNames = new Map([
      ...clashing.map(v => [v, terms.another(v)] as const),
      ...(isOfFirst ? [] : placeOf),
    ]);
    const resolvent: Resolvent = { location, first, second, at, firstNames, secondNames };
    const images = this.imagesOfSecond(resolvent);
    const [firstGuard] = substituteAll(terms, [first.guard], firstNames);
    const [guard, ...values] = substituteAll(terms, [second.guard, ...second.values], images);
    const named = (sources: readonly Source[], names: ReadonlyMap<TermId, TermId>) =>
      sources.map(s => ({ ...s, places: s.places.map(p => names.get(p) ?? p) }));
    const edge: Edge = {
      sources: [
        ...named(second.sources.slice(0, at), secondNames),
        ...named(first.sources, firstNames),
        ...named(second.sources.slice(at + 1), secondNames),
      ],
      guard: terms.and([firstGuard, guard]),
      head: second.head,
      values,
    };
    return [edge, resolvent];
  }

  /** What variables of the second are in the new edge: what it calls them, or what the first derives. */
  private imagesOfSecond({ first, second, at, firstNames, secondNames }: Resolvent): Map<TermId, TermId> {
    const derived = substituteAll(this.terms, first.values, firstNames);
    const replaced = second.sources[at].places.map((p, i) => [p, derived[i]] as const);
    return new Map([...secondNames, ...replaced]);
  }

  // ---- the way back ----

  /** How an edge was put together of given ones. */
  expansion(edge: Edge): Expansion {
    const { terms, origins } = this;
    const resolvent = origins.get(edge);
    if (resolvent === undefined) {
      const variables = [...placesOf(edge), ...inputsOf(terms, edge)];
      return { edge, names: new Map(variables.map(v => [v, v])), calls: edge.sources.map(() => undefined) };
    }
    const { firstNames, at } = resolvent;
    const first = renamed(terms, this.expansion(resolvent.first), firstNames);
    const second = renamed(terms, this.expansion(resolvent.second), this.imagesOfSecond(resolvent));
    return withCall(second, at, first);
  }

  derivation(derivation: Derivation): Derivation {
    const { origins, terms } = this;
    const { functionValue } = derivation;
    const steps: Step[] = [];
    const add = ({ edge, values, premises, ...rest }: Step): number => {
      const r = origins.get(edge);
      if (r === undefined) return steps.push({ edge, values, premises, ...rest }) - 1;
      const { first, second, at, firstNames, secondNames } = r;
      const evaluator = evaluatorOf(terms, values, functionValue);
      const valuesOf = (e: Edge, names: ReadonlyMap<TermId, TermId>) =>
        new Map<TermId, Value>(
          [...placesOf(e), ...inputsOf(terms, e)].map(v => [v, evaluator.value(names.get(v) ?? v)]),
        );
      const firstValues = valuesOf(first, firstNames);
      const secondValues = valuesOf(second, secondNames);
      const derived = headValues(terms, first, firstValues, functionValue);
      second.sources[at].places.forEach((p, i) => {
        secondValues.set(p, derived.get(r.location.places[i]) as Value);
      });
      const end = at + first.sources.length;
      const call = add({ edge: first, values: firstValues, premises: premises.slice(at, end) });
      const all = [...premises.slice(0, at), call, ...premises.slice(end)];
      return add({ edge: second, values: secondValues, premises: all });
    };
    const numbers: number[] = []; // by old number of a step, where it is now
    for (const step of derivation.steps) {
      if (step.skipped !== undefined && origins.has(step.edge))
        throw new Unknown(
          'size',
          'there is a violation, but its run is too long to list (its rounds have calls)',
        );
      numbers.push(add({ ...step, premises: step.premises.map(p => numbers[p]) }));
    }
    return { ...derivation, steps };
  }
}

/** The same in an edge in which variables are something else. */
function renamed(terms: TermStore, expansion: Expansion, images: ReadonlyMap<TermId, TermId>): Expansion {
  const { edge, names, calls } = expansion;
  return {
    edge,
    names: new Map([...names].map(([v, t]) => [v, substitute(terms, t, images)])),
    calls: calls.map(c => c && renamed(terms, c, images)),
  };
}

/** With something in the place of a source of the whole, which is given by its number. */
function withCall(expansion: Expansion, at: number, call: Expansion): Expansion {
  let left = at;
  const visit = (e: Expansion): Expansion => ({
    ...e,
    calls: e.calls.map(c => (c !== undefined ? visit(c) : left-- === 0 ? call : undefined)),
  });
  return visit(expansion);
}
