/**
 * Makes one query of all, with a number that may be given: where properties are asked about together, it does not matter to a search which of them is
 * violated, and edges that differ in nothing else can be merged. The way back knows which one it was.
 */
import { type Edge, isQuery, type Problem, type Query } from '../problem/problem.ts';
import type { Witnessed } from '../problem/proof.ts';
import { edgeByEdge, type Pass, unchanged } from './pass.ts';

export function joinQueries(problem: Problem, property?: number): Pass {
  const queries = problem.edges.map(e => e.head).filter(isQuery);
  const head: Query = { property: property ?? queries[0]?.property };
  if (queries.every(q => q.property === head.property)) return unchanged(problem);
  const origins = new Map<Edge, Edge>(
    problem.edges.map(edge => [isQuery(edge.head) ? { ...edge, head } : edge, edge]),
  );
  const back = edgeByEdge(problem.terms, origins);
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: {
      ...back,
      proof: proof => ({
        ...back.proof(proof),
        ...(proof.exists && { exists: witnessedBack(proof.exists, origins) }),
      }),
    },
  };
}

/** What is assumed and shown of some values, of the edges as they were. */
function witnessedBack(
  { bound, assumed, witnesses }: Witnessed,
  origins: ReadonlyMap<Edge, Edge>,
): Witnessed {
  const ofOld = <T>(own: ReadonlyMap<Edge, T>) =>
    new Map([...own].map(([edge, values]) => [origins.get(edge) as Edge, values]));
  return { bound, assumed: ofOld(assumed), witnesses: ofOld(witnesses) };
}
