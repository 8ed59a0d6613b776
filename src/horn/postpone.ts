/**
 * Conditions that every edge into a relation makes sure of are said by the edges that leave it instead: what no edge can
 * go on from cannot be part of a derivation of a query. Circuits whose inputs were made arguments look so, if something
 * is assumed of the inputs:
 *
 *   R(x, y) ∧ c(x, y) ∧ c(f(x, y), y') ⇒ R(f(x, y), y')      becomes      R(x, y) ∧ c(x, y) ⇒ R(f(x, y), y')
 *
 * Now y' says nothing but what the next y is, so that it can be left to chance (`slice.ts`). Where nothing of that sort is
 * gained, conditions stay where they are.
 */
import { conjunctsOf } from '../bv/preprocess/conjuncts.ts';
import type { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId } from '../term/store.ts';
import { substituteAll } from '../term/substitute.ts';
import { EdgeTable } from './edge-table.ts';
import { type Edge, type HornGraph, headRelation, isOver, type Pass, placesTo, unchanged } from './graph.ts';
import type { Relation } from './problem.ts';
import { chosenPlaces } from './slice.ts';

export function postponeConditions(graph: HornGraph, rewriter: Rewriter): Pass {
  const { terms } = graph;
  const guards = new Map(graph.edges.map(e => [e, conjunctsOf(rewriter, [rewriter.rewrite(e.guard)])]));
  const table = new EdgeTable(graph.edges);
  const postponed = new Map(graph.relations.map(r => [r, conditionsOn(r, table, guards, rewriter)]));
  if ([...postponed.values()].every(conditions => conditions.length === 0)) return unchanged(graph);
  const origins = new Map<Edge, Edge>();
  for (const edge of graph.edges) {
    const later = new Set(established(edge, postponed.get(headRelation(edge) as Relation) ?? [], rewriter));
    const assumed = postponed.get(edge.body as Relation) ?? [];
    const guard = [...(guards.get(edge) as TermId[]).filter(c => !later.has(c)), ...assumed];
    origins.set({ ...edge, guard: terms.and([...new Set(guard)]) }, edge);
  }
  const moved = { ...graph, edges: [...origins.keys()] };
  if (chosenPlaces(moved).size === chosenPlaces(graph).size) return unchanged(graph);
  return {
    graph: moved,
    model: model =>
      new Map([...model].map(([r, formula]) => [r, terms.and([formula, ...(postponed.get(r) ?? [])])])),
    derivation: derivation =>
      derivation.map(({ edge, values }) => ({ edge: origins.get(edge) as Edge, values })),
  };
}

/** What some edge from a relation asks about its places, and all edges into it see to. */
function conditionsOn(
  relation: Relation,
  table: EdgeTable,
  guards: ReadonlyMap<Edge, readonly TermId[]>,
  rewriter: Rewriter,
): TermId[] {
  const { terms } = rewriter;
  const places = new Set(relation.places);
  const asked = table.outOf(relation).flatMap(e => guards.get(e) as readonly TermId[]);
  let conditions = [...new Set(asked)].filter(c => isOver(terms, c, places));
  for (const edge of table.into(relation)) {
    const said = new Set(guards.get(edge));
    const images = established(edge, conditions, rewriter);
    conditions = conditions.filter((_, i) => said.has(images[i]) || images[i] === terms.true);
  }
  return conditions;
}

/** Conditions on the places of an edge's head, as they are about what the edge derives. */
function established(edge: Edge, conditions: readonly TermId[], rewriter: Rewriter): TermId[] {
  const head = headRelation(edge);
  if (head === undefined || conditions.length === 0) return [];
  const images = substituteAll(rewriter.terms, conditions, placesTo(head, edge.values));
  return images.map(f => rewriter.rewrite(f));
}
