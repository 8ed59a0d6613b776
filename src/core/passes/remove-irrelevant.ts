/**
 * Removes locations that do not matter: those that no derivation reaches are empty, and those from which no query can
 * be derived may hold of everything.
 */
import type { TermId } from '../../term/store.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import { headOf, isQuery, type Location, type Problem } from '../problem/problem.ts';
import type { Pass } from './pass.ts';

export function removeIrrelevant(problem: Problem): Pass {
  const { terms, edges, locations } = problem;
  const table = new EdgeTable(edges);
  const reachable = reachableLocations(problem, table);
  const useful = usefulLocations(problem, table);
  const isKept = (l: Location | undefined) => l === undefined || (reachable.has(l) && useful.has(l));
  const kept = locations.filter(isKept);
  return {
    problem: {
      ...problem,
      locations: kept,
      edges: edges.filter(e => e.sources.every(s => isKept(s.location)) && isKept(headOf(e))),
    },
    back: {
      proof: proof => {
        const model = new Map<Location, TermId>(proof.model);
        for (const l of locations) if (!isKept(l)) model.set(l, terms.bool(reachable.has(l)));
        return { ...proof, model };
      },
      derivation: derivation => derivation,
      keepsSteps: true,
    },
  };
}

/** The heads of edges all of whose sources are reachable. */
function reachableLocations({ edges }: Problem, table: EdgeTable): Set<Location> {
  const missing = new Map(edges.map(e => [e, new Set(e.sources.map(s => s.location)).size]));
  const reached = new Set<Location>();
  const stack = edges.filter(e => e.sources.length === 0);
  for (let edge = stack.pop(); edge !== undefined; edge = stack.pop()) {
    const head = headOf(edge);
    if (head === undefined || reached.has(head)) continue;
    reached.add(head);
    for (const next of table.outOf(head)) {
      const left = (missing.get(next) as number) - 1;
      missing.set(next, left);
      if (left === 0) stack.push(next);
    }
  }
  return reached;
}

function usefulLocations({ edges }: Problem, table: EdgeTable): Set<Location> {
  const useful = new Set<Location>();
  const stack = edges.filter(e => isQuery(e.head));
  for (let edge = stack.pop(); edge !== undefined; edge = stack.pop()) {
    for (const { location } of edge.sources) {
      if (useful.has(location)) continue;
      useful.add(location);
      for (const into of table.into(location)) stack.push(into);
    }
  }
  return useful;
}
