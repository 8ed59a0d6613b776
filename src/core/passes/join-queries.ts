/**
 * Makes one query of all, with a number that may be given: where properties are asked about together, it does not matter to a search which of them is
 * violated, and edges that differ in nothing else can be merged. The way back knows which one it was.
 */
import { type Edge, isQuery, type Problem, type Query } from '../problem/problem.ts';
import { edgeByEdge, type Pass, unchanged } from './pass.ts';

export function joinQueries(problem: Problem, property?: number): Pass {
  const queries = problem.edges.map(e => e.head).filter(isQuery);
  const head: Query = { property: property ?? queries[0]?.property };
  if (queries.every(q => q.property === head.property)) return unchanged(problem);
  const origins = new Map<Edge, Edge>(
    problem.edges.map(edge => [isQuery(edge.head) ? { ...edge, head } : edge, edge]),
  );
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: edgeByEdge(problem.terms, origins),
  };
}
