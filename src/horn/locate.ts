/**
 * Makes the control flow of a program explicit that is hidden in arguments. A program written as one relation has a
 * program counter among its arguments: a bit-vector or some Booleans that every clause tests and sets to constants. Each
 * combination of values that derivations can reach becomes a relation of its own, a location, and an edge leads from
 * one to another for each clause that can be used there. Later passes then see loops and straight lines: locations that
 * are passed through are eliminated, and each keeps only the arguments that matter there.
 *
 * What counts as control: every edge into a relation sets the place to a constant or copies a place that is control as
 * well, and most edges that leave the relation insist on a value. Places that are rarely asked about, such as flags,
 * are data, since they would multiply the locations and not explain them.
 */
import { conjunctsOf } from '../bv/preprocess/conjuncts.ts';
import type { Evaluator } from '../term/evaluator.ts';
import { Op } from '../term/operators.ts';
import type { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { substitute, substituteAll } from '../term/substitute.ts';
import type { Value } from '../term/value.ts';
import { type Edge, evaluatorOf, type HornGraph, headRelation, type Pass, placesTo } from './graph.ts';
import type { Atom, Relation } from './problem.ts';

/** More locations than this are no longer control flow that somebody wrote. */
const MAX_LOCATIONS = 400;

/** Edges may become so many times as many, for those that several locations use. */
const MAX_COPIES = 3;

/** A relation at one combination of values of its control places. */
interface Location {
  readonly origin: Relation;
  readonly relation: Relation;
  /** By control place, a constant, and what it stands for. */
  readonly control: ReadonlyMap<TermId, TermId>;
  readonly values: ReadonlyMap<TermId, Value>;
  /** From the origin's other places to the relation's. */
  readonly places: ReadonlyMap<TermId, TermId>;
}

export interface LocatePass extends Pass {
  /** What an application of a relation may be an application of, afterwards, if some variables have known values. */
  readonly applications: (atom: Atom, known: ReadonlyMap<TermId, TermId>) => readonly Atom[];
}

/** Undefined if no relation has control places, or too many combinations of values. */
export function locate(graph: HornGraph, rewriter: Rewriter): LocatePass | undefined {
  const control = controlPlaces(graph, rewriter);
  return control.size === 0 ? undefined : new Locator(graph, rewriter, control).pass();
}

class Locator {
  private readonly terms: TermStore;
  private readonly graph: HornGraph;
  private readonly rewriter: Rewriter;
  private readonly control: ReadonlySet<TermId>;
  private readonly numbers: ReadonlyMap<Relation, number>;
  private readonly constants: Evaluator;
  private readonly locations = new Map<string, Location>(); // by the number of the relation, and values
  private readonly origins = new Map<Edge, { readonly edge: Edge; readonly from: Location | undefined }>();

  constructor(graph: HornGraph, rewriter: Rewriter, control: ReadonlySet<TermId>) {
    this.terms = graph.terms;
    this.graph = graph;
    this.rewriter = rewriter;
    this.control = control;
    this.constants = evaluatorOf(graph.terms, new Map());
    this.numbers = new Map(graph.relations.map((r, i) => [r, i]));
  }

  pass(): LocatePass | undefined {
    if (!this.explore()) return undefined;
    const { terms, graph, origins } = this;
    const locations = [...this.locations.values()];
    const of = new Map<Relation, Location[]>(graph.relations.map(r => [r, []]));
    for (const l of locations) of.get(l.origin)?.push(l);
    return {
      graph: { terms, relations: locations.map(l => l.relation), edges: [...origins.keys()] },
      model: model =>
        new Map(
          [...of].map(([origin, all]) => [
            origin,
            terms.or(
              all.map(l => {
                const back = new Map([...l.places].map(([p, q]) => [q, p]));
                const equations = [...l.control].map(([p, value]) => terms.eq(p, value));
                return terms.and([...equations, substitute(terms, model.get(l.relation) as TermId, back)]);
              }),
            ),
          ]),
        ),
      derivation: derivation =>
        derivation.map(step => {
          const { edge, from } = origins.get(step.edge) as { edge: Edge; from: Location | undefined };
          return { edge, values: from === undefined ? step.values : this.before(from, step.values) };
        }),
      applications: (atom, known) => {
        const args = placesTo(atom.relation, atom.args);
        const mayBe = (place: TermId, value: TermId) => {
          const arg = args.get(place) as TermId;
          const image = known.get(arg) ?? arg;
          return image === value || !terms.isConstant(image);
        };
        return locations
          .filter(l => l.origin.name === atom.relation.name && [...l.control].every(([p, v]) => mayBe(p, v)))
          .map(({ relation, places }) => ({
            relation,
            args: [...places.keys()].map(p => args.get(p) as TermId),
          }));
      },
    };
  }

  /** The values of a step as the relation of the location had them. */
  private before(
    { values: control, places }: Location,
    values: ReadonlyMap<TermId, Value>,
  ): ReadonlyMap<TermId, Value> {
    const all = new Map([...values, ...control]);
    for (const [p, q] of places) {
      const value = values.get(q);
      if (value !== undefined) all.set(p, value);
    }
    return all;
  }

  /** Follows the edges from the facts on; false if there is too much to follow. */
  private explore(): boolean {
    const { graph, locations, origins } = this;
    const out = new Map<Relation | undefined, Edge[]>([undefined, ...graph.relations].map(r => [r, []]));
    for (const edge of graph.edges) out.get(edge.body)?.push(edge);
    const most = MAX_COPIES * graph.edges.length + MAX_LOCATIONS;
    for (const edge of out.get(undefined) as Edge[]) this.follow(edge, undefined);
    for (const location of locations.values()) {
      for (const edge of out.get(location.origin) as Edge[]) this.follow(edge, location);
      if (locations.size > MAX_LOCATIONS || origins.size > most) return false;
    }
    return true;
  }

  private follow(edge: Edge, from: Location | undefined): void {
    const { terms, rewriter, control, origins } = this;
    const images =
      from === undefined ? new Map<TermId, TermId>() : new Map([...from.control, ...from.places]);
    const [guard, ...values] = substituteAll(terms, [edge.guard, ...edge.values], images).map(t =>
      rewriter.rewrite(t),
    );
    if (guard === terms.false) return;
    const body = from?.relation;
    const head = headRelation(edge);
    if (head === undefined) {
      origins.set({ body, guard, head: edge.head, values }, { edge, from });
      return;
    }
    const to = this.location(head, values);
    const kept = values.filter((_, i) => !control.has(head.places[i]));
    origins.set({ body, guard, head: to.relation, values: kept }, { edge, from });
  }

  private location(origin: Relation, values: readonly TermId[]): Location {
    const { terms, control, locations } = this;
    const fixed = new Map(origin.places.flatMap((p, i) => (control.has(p) ? [[p, values[i]] as const] : [])));
    const key = [this.numbers.get(origin), ...fixed.values()].join(' ');
    const known = locations.get(key);
    if (known !== undefined) return known;
    const places = new Map(
      origin.places
        .filter(p => !control.has(p))
        .map(p => [p, terms.variable(terms.symbol(terms.functionOf(p)).name, terms.sort(p))]),
    );
    const name = `${origin.name}@${locations.size}`;
    const relation = { name, places: [...places.values()] };
    const constants = new Map([...fixed].map(([p, c]) => [p, this.constants.value(c)]));
    const location = { origin, relation, control: fixed, values: constants, places };
    locations.set(key, location);
    return location;
  }
}

function controlPlaces(graph: HornGraph, rewriter: Rewriter): Set<TermId> {
  const { terms, relations, edges } = graph;
  const insistences = new Map<TermId, number>(); // by place, edges that insist on a value
  const departures = new Map<Relation, number>();
  for (const edge of edges) {
    if (edge.body === undefined) continue;
    departures.set(edge.body, (departures.get(edge.body) ?? 0) + 1);
    for (const p of valuesIn(rewriter, edge.guard).keys()) {
      insistences.set(p, (insistences.get(p) ?? 0) + 1);
    }
  }
  const control = new Set(
    relations.flatMap(r =>
      r.places.filter(p => 2 * (insistences.get(p) ?? 0) >= (departures.get(r) ?? Number.POSITIVE_INFINITY)),
    ),
  );
  // What an edge sets to something else is none, nor what copies such a place.
  for (let before = -1; before !== control.size; ) {
    before = control.size;
    for (const edge of edges) {
      headRelation(edge)?.places.forEach((p, i) => {
        const value = edge.values[i];
        if (!terms.isConstant(value) && !control.has(value)) control.delete(p);
      });
    }
  }
  return control;
}

/** The constants that a formula says that variables are. */
export function valuesIn(rewriter: Rewriter, formula: TermId): Map<TermId, TermId> {
  const { terms } = rewriter;
  const values = new Map<TermId, TermId>();
  for (const c of conjunctsOf(rewriter, [rewriter.rewrite(formula)])) {
    const isNegated = terms.op(c) === Op.NOT;
    const atom = isNegated ? terms.arg(c, 0) : c;
    if (terms.isVariable(atom)) values.set(atom, terms.bool(!isNegated));
    if (terms.op(c) !== Op.EQ) continue;
    const [value, variable] = terms.args(c); // constants come first in normal forms
    if (terms.isConstant(value) && terms.isVariable(variable)) values.set(variable, value);
  }
  return values;
}
