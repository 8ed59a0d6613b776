/**
 * Linear Horn clauses in normal form: a graph whose nodes are relations and whose edges are clauses
 *
 *   body(places) ∧ guard ⇒ head(values)
 *
 * with guard and values over the places of the body and over inputs: all other variables, each of which may have any
 * value in each use of the edge. An edge without a body starts a derivation; one whose head is a query ends it.
 *
 * Each transformation of a graph is a `Pass`: the new graph, and how to carry both kinds of evidence back (the idea is
 * Golem's). Passes keep what is derivable: a query is derivable in the new graph exactly if it is in the old one.
 */
import { Evaluator } from '../term/evaluator.ts';
import { type SortId, SortKind, type SortStore } from '../term/sort.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { ArrayValue, domain, type Value } from '../term/value.ts';
import { isQuery, type Model, type Query, type Relation } from './problem.ts';

export interface Edge {
  readonly body: Relation | undefined;
  readonly guard: TermId;
  readonly head: Relation | Query;
  /** One for each place of the head. */
  readonly values: readonly TermId[];
}

export interface HornGraph {
  readonly terms: TermStore;
  readonly relations: readonly Relation[];
  readonly edges: readonly Edge[];
}

/** One use of an edge, with the values of its body's places and of its inputs. */
export interface Step {
  readonly edge: Edge;
  readonly values: ReadonlyMap<TermId, Value>;
}

export type Derivation = readonly Step[];

/** Of looking at a step or a relation, against that of reading a token (sat/checkpoint.ts). */
export const WORK_OF_A_STEP = 50;
export const WORK_OF_A_RELATION = 50;

export interface Pass {
  readonly graph: HornGraph;
  /** A model of the new graph, without the edges to other queries, as one of the old graph. */
  readonly model: (model: Model, query: number) => Model;
  /** A derivation in the new graph as one in the old graph. */
  readonly derivation: (derivation: Derivation) => Derivation;
}

/** The pass that changes nothing. */
export function unchanged(graph: HornGraph): Pass {
  return { graph, model: model => model, derivation: derivation => derivation };
}

/** The variables of an edge that are no places of its body. */
export function inputsOf(terms: TermStore, edge: Edge): TermId[] {
  const places = new Set(edge.body?.places);
  return terms.postorder([edge.guard, ...edge.values]).filter(t => terms.isVariable(t) && !places.has(t));
}

/** Does a term speak of no other variables? */
export function isOver(terms: TermStore, t: TermId, variables: ReadonlySet<TermId>): boolean {
  return terms.postorder([t]).every(s => !terms.isVariable(s) || variables.has(s));
}

export function headRelation(edge: Edge): Relation | undefined {
  return isQuery(edge.head) ? undefined : edge.head;
}

/** Pairs each place of a relation with a term, such as the argument that stands there. */
export function placesTo(relation: Relation, args: readonly TermId[]): Map<TermId, TermId> {
  return new Map(relation.places.map((place, i) => [place, args[i]]));
}

/**
 * Evaluates terms under the values of variables; a variable without one has the default value of its sort. Values may
 * be added as long as no term that needs them has been evaluated.
 */
export function evaluatorOf(terms: TermStore, values: ReadonlyMap<TermId, Value>): Evaluator {
  return new Evaluator(
    terms,
    f => values.get(terms.apply(f, [])) ?? defaultValue(terms.sorts, terms.symbol(f).result),
  );
}

/** False, zero, or an array of these. */
export function defaultValue(sorts: SortStore, sort: SortId): Value {
  if (sort === sorts.bool) return false;
  if (sorts.kind(sort) === SortKind.BITVEC) return sorts.width(sort) > 32 ? 0n : 0;
  return ArrayValue.constant(
    defaultValue(sorts, sorts.elementSort(sort)),
    domain(sorts, sorts.indexSort(sort)),
  );
}

/** The values that an edge gives to the places of its head, by place. */
export function headValues(
  terms: TermStore,
  edge: Edge,
  values: ReadonlyMap<TermId, Value>,
): Map<TermId, Value> {
  const evaluator = evaluatorOf(terms, values);
  const places = headRelation(edge)?.places ?? [];
  return new Map(places.map((place, i) => [place, evaluator.value(edge.values[i])]));
}
