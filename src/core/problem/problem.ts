/**
 * A problem, whatever it was written in: a graph whose nodes are locations (relations of Horn clauses, program points, or
 * the one node of a transition system) and whose edges say how facts about them are derived,
 *
 *   source1(places) ∧ … ∧ sourcen(places) ∧ guard ⇒ head(values)
 *
 * with guard and values over the places of the sources and over inputs: all other variables, each of which may have any
 * value in each use of the edge. An edge without a source is a start, one with a single source a step; several sources
 * are a call and its return. An edge whose head is a query ends a derivation: it violates a property.
 *
 * A location may have constraints, over its places and inputs. They belong to the guard of every edge that leaves the
 * location, so that a state which does not satisfy them, whatever the inputs, is part of no derivation of a query.
 *
 * An edge with one source speaks of that location's own places. Of several sources each has variables of its own, since
 * one location may be there twice. Declared functions and uninterpreted sorts mean the same throughout a derivation.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import type { NextVariables } from './next-variables.ts';

export interface Location {
  readonly name: string;
  /** The variables that stand for its arguments. */
  readonly places: readonly TermId[];
  readonly constraints: readonly TermId[];
}

export interface Source {
  readonly location: Location;
  /** What stands for its places in this edge. */
  readonly places: readonly TermId[];
}

/** The end of a derivation: the property with this number is violated. */
export interface Query {
  readonly property: number;
}

export interface Edge {
  readonly sources: readonly Source[];
  readonly guard: TermId;
  readonly head: Location | Query;
  /** One for each place of the head; none for a query. */
  readonly values: readonly TermId[];
}

export interface Problem {
  readonly terms: TermStore;
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
  /** What the places are called after a step. */
  readonly next: NextVariables;
}

/** The one source of a step. */
export function step(location: Location): readonly Source[] {
  return [{ location, places: location.places }];
}

export function isQuery(head: Location | Query): head is Query {
  return 'property' in head;
}

/** The location that an edge leads to; none if it is a query. */
export function headOf({ head }: Edge): Location | undefined {
  return isQuery(head) ? undefined : head;
}

/** Where an edge with at most one source comes from. */
export function sourceOf({ sources }: Edge): Location | undefined {
  return sources[0]?.location;
}

/** Has no edge more than one source? Then derivations are runs. */
export function isLinear({ edges }: Problem): boolean {
  return edges.every(e => e.sources.length <= 1);
}

/** The queries of a property: those with its number, or with one of several. */
export type QueriesOf = number | ReadonlySet<number>;

export function isQueryOf(head: Location | Query, queries: QueriesOf): boolean {
  if (!isQuery(head)) return false;
  return typeof queries === 'number' ? head.property === queries : queries.has(head.property);
}

/** The problem with the queries of one property only. */
export function restrictedTo(problem: Problem, queries: QueriesOf): Problem {
  return {
    ...problem,
    edges: problem.edges.filter(({ head }) => !isQuery(head) || isQueryOf(head, queries)),
  };
}

/** All that an edge asks for: its guard and the constraints of its sources. */
export function conditionsOf({ sources, guard }: Edge): TermId[] {
  return [...sources.flatMap(s => s.location.constraints), guard];
}

/** The variables that stand for the places of an edge's sources. */
export function placesOf({ sources }: Edge): Set<TermId> {
  return new Set(sources.flatMap(s => s.places));
}

/** The variables of an edge, those of its sources' constraints included, that are no places of its sources. */
export function inputsOf(terms: TermStore, edge: Edge): TermId[] {
  const places = placesOf(edge);
  return terms
    .postorder([...conditionsOf(edge), ...edge.values])
    .filter(t => terms.isVariable(t) && !places.has(t));
}

/** Variables of a location's constraints that are no places of it: to all edges that leave it they are given. */
export function constraintInputs(terms: TermStore, { constraints, places }: Location): Set<TermId> {
  const own = new Set(places);
  return new Set(terms.postorder(constraints).filter(t => terms.isVariable(t) && !own.has(t)));
}

/** Does a term speak of no other variables? */
export function isOver(terms: TermStore, t: TermId, variables: ReadonlySet<TermId>): boolean {
  return terms.postorder([t]).every(s => !terms.isVariable(s) || variables.has(s));
}

/** Pairs each place of a location with a term, such as the value that stands there. */
export function placesTo({ places }: Location, args: readonly TermId[]): Map<TermId, TermId> {
  return new Map(places.map((place, i) => [place, args[i]]));
}
