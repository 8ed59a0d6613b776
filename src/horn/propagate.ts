/**
 * Constants and copies: a place that has the same constant in all that can be derived, or always the same value as
 * another place of its relation, is replaced by that constant or place. Found optimistically, as conditional constant
 * propagation does (Wegman and Zadeck, "Constant propagation with conditional branches", TOPLAS 13(2), 1991): all
 * places of a relation are equal until an edge shows that they are not.
 */
import type { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId } from '../term/store.ts';
import { substituteAll } from '../term/substitute.ts';
import type { Value } from '../term/value.ts';
import { type Edge, evaluatorOf, type HornGraph, headRelation, type Pass, unchanged } from './graph.ts';
import type { Relation } from './problem.ts';

/** What is known of each place of a relation: a constant, the first of the places that it equals, or itself. */
type Known = readonly TermId[];

/** Walks over all edges; what is not stable after so many is given up. */
const MAX_ROUNDS = 50;

export function propagateEqualities(graph: HornGraph, rewriter: Rewriter): Pass {
  const { terms, relations, edges } = graph;
  const known = new Map<Relation, Known>();
  const replaced = (edge: Edge, roots: readonly TermId[]): TermId[] => {
    const facts = edge.body === undefined ? undefined : known.get(edge.body);
    if (facts === undefined) return [...roots];
    const images = new Map(edge.body?.places.map((p, i) => [p, facts[i]] as const));
    return substituteAll(terms, roots, images).map(t => rewriter.rewrite(t));
  };
  let isStable = false;
  for (let round = 0; !isStable; round++) {
    if (round === MAX_ROUNDS) return unchanged(graph);
    isStable = true;
    for (const edge of edges) {
      const head = headRelation(edge);
      if (head === undefined || (edge.body !== undefined && !known.has(edge.body))) continue;
      const values = replaced(edge, edge.values).map(v => rewriter.rewrite(v));
      const before = known.get(head);
      const after = meet(head, before, values, t => terms.isConstant(t));
      if (before !== undefined && after.every((t, i) => t === before[i])) continue;
      known.set(head, after);
      isStable = false;
    }
  }
  const factsOf = (r: Relation) => known.get(r) ?? r.places;
  const kept = (r: Relation) => r.places.map((p, i) => factsOf(r)[i] === p);
  const smaller = new Map(
    relations.map(r => [r, { name: r.name, places: r.places.filter((_, i) => kept(r)[i]) }] as const),
  );
  const origins = new Map<Edge, Edge>();
  for (const edge of edges) {
    const head = headRelation(edge);
    const [guard, ...values] = replaced(edge, [edge.guard, ...edge.values]);
    const changed: Edge = {
      body: edge.body === undefined ? undefined : smaller.get(edge.body),
      guard,
      head: head === undefined ? edge.head : (smaller.get(head) as Relation),
      values: head === undefined ? [] : values.filter((_, i) => kept(head)[i]),
    };
    origins.set(changed, edge);
  }
  const equations = (r: Relation) =>
    r.places.flatMap((p, i) => (factsOf(r)[i] === p ? [] : [terms.eq(p, factsOf(r)[i])]));
  return {
    graph: { terms, relations: [...smaller.values()], edges: [...origins.keys()] },
    model: model =>
      new Map(
        relations.map(r => [
          r,
          terms.and([model.get(smaller.get(r) as Relation) as TermId, ...equations(r)]),
        ]),
      ),
    derivation: derivation =>
      derivation.map(({ edge, values }) => {
        const origin = origins.get(edge) as Edge;
        const all = new Map<TermId, Value>(values);
        const evaluator = evaluatorOf(terms, values);
        origin.body?.places.forEach((p, i) => {
          all.set(p, evaluator.value(factsOf(origin.body as Relation)[i]));
        });
        return { edge: origin, values: all };
      }),
  };
}

/** What holds both before and of the values of one more edge: places stay together if both agree. */
function meet(
  relation: Relation,
  before: Known | undefined,
  values: readonly TermId[],
  isConstant: (t: TermId) => boolean,
): Known {
  const representatives = new Map<string, TermId>();
  return relation.places.map((place, i) => {
    const [old, value] = [before?.[i] ?? values[i], values[i]];
    if (old === value && isConstant(value)) return value;
    const key = before === undefined ? `${value}` : `${old} ${value}`;
    const first = representatives.get(key);
    if (first === undefined) representatives.set(key, place);
    return first ?? place;
  });
}
