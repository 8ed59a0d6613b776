/**
 * Brings a problem into the form that has a flat view (`problem/transition-system.ts`): one location, and one start that is
 * a condition on its places. Locations are merged only where that is needed: a problem with one location whose starts can
 * be said without their inputs is a transition system as it is.
 */
import { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import { isLinear, type Problem } from '../problem/problem.ts';
import { gatherStarts } from './gather-starts.ts';
import { mergeLocations } from './merge-locations.ts';
import { composed, type Pass } from './pass.ts';

/** Throws an Unknown where there is no flat view. */
export function flatten(problem: Problem, rewriter: Rewriter, checkpoint = new Checkpoint()): Pass {
  const { terms, locations } = problem;
  if (!isLinear(problem))
    throw new Unknown('unsupported', 'edges with several sources (non-linear clauses) have no flat view');
  const solver = new EquationSolver(rewriter, checkpoint);
  const plain = gatherStarts(problem, solver);
  if (plain !== undefined) return plain;
  const places = locations.flatMap(l => l.places);
  const nameless = places.find(p => hasUninterpreted(terms.sorts, terms.sort(p)));
  if (nameless !== undefined) {
    const sort = terms.sorts.name(terms.sort(nameless));
    throw new Unknown('unsupported', `several locations with places of sort ${sort} have no flat view`);
  }
  const merged = mergeLocations(problem);
  return composed(problem, [merged, gatherStarts(merged.problem, solver) as Pass], checkpoint);
}

function hasUninterpreted(sorts: SortStore, sort: SortId): boolean {
  if (sorts.kind(sort) !== SortKind.ARRAY) return sorts.kind(sort) === SortKind.UNINTERPRETED;
  return hasUninterpreted(sorts, sorts.indexSort(sort)) || hasUninterpreted(sorts, sorts.elementSort(sort));
}
