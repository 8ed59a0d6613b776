/**
 * Removes relations that do not matter: those that no derivation reaches are empty, and those from which no query can
 * be derived may hold of everything.
 */
import type { TermId } from '../term/store.ts';
import { type Edge, type HornGraph, headRelation, type Pass } from './graph.ts';
import type { Relation } from './problem.ts';

export function removeIrrelevant(graph: HornGraph): Pass {
  const { terms, edges, relations } = graph;
  const reachable = closure(
    edges,
    e => (e.body === undefined ? headRelation(e) : undefined),
    e => [e.body, headRelation(e)],
  );
  const useful = closure(
    edges,
    e => (headRelation(e) === undefined ? e.body : undefined),
    e => [headRelation(e), e.body],
  );
  const isKept = (r: Relation | undefined) => r === undefined || (reachable.has(r) && useful.has(r));
  return {
    graph: {
      terms,
      relations: relations.filter(isKept),
      edges: edges.filter(e => isKept(e.body) && isKept(headRelation(e))),
    },
    model: model => {
      const all = new Map<Relation, TermId>(model);
      for (const r of relations) if (!isKept(r)) all.set(r, terms.bool(reachable.has(r)));
      return all;
    },
    derivation: derivation => derivation,
  };
}

/** The relations that can be reached from where some edges start, going along others. */
function closure(
  edges: readonly Edge[],
  start: (edge: Edge) => Relation | undefined,
  ends: (edge: Edge) => readonly [from: Relation | undefined, to: Relation | undefined],
): Set<Relation> {
  const successors = new Map<Relation, Relation[]>();
  const stack: Relation[] = [];
  for (const edge of edges) {
    const [from, to] = ends(edge);
    const first = start(edge);
    if (first !== undefined) stack.push(first);
    if (from === undefined || to === undefined) continue;
    const known = successors.get(from);
    if (known === undefined) successors.set(from, [to]);
    else known.push(to);
  }
  const reached = new Set<Relation>();
  for (let r = stack.pop(); r !== undefined; r = stack.pop()) {
    if (reached.has(r)) continue;
    reached.add(r);
    for (const next of successors.get(r) ?? []) stack.push(next); // too many for arguments of a call
  }
  return reached;
}
