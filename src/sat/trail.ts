/**
 * The trail: assigning literals, opening decision levels, and going back. Phases are saved when a variable
 * loses its value (Pipatsrisawat and Darwiche, "A Lightweight Component Caching Scheme for Satisfiability
 * Solvers", SAT 2007). Levels never decrease along the trail: there is no chronological backtracking, so going
 * back is cutting off the end.
 */
import { DECISION, type State } from './state.ts';

/** Makes an unassigned literal true at the current level. */
export function assign(s: State, lit: number, reason: number): void {
  const v = lit >> 1;
  s.values[lit] = 1;
  s.values[lit ^ 1] = -1;
  s.level[v] = s.decisionLevel;
  s.reason[v] = s.decisionLevel === 0 ? DECISION : reason;
  s.trail[s.trailSize++] = lit;
}

/** Opens a decision level for `lit`, which need not be unassigned: an assumption may be true already. */
export function openLevel(s: State, lit: number): void {
  const level = ++s.decisionLevel;
  if (level === s.levelStart.length) s.growLevels();
  s.levelStart[level] = s.trailSize;
  s.levelLit[level] = lit;
  s.levelCandidate[level] = s.levelCandidate[level - 1];
  if (s.port !== undefined) s.port.newLevel();
}

/** Undoes all levels above `target`. */
export function backtrack(s: State, target: number): void {
  if (s.decisionLevel <= target) return;
  const { values, trail, saved, heap, queue, isDecision } = s;
  const start = s.levelStart[target + 1];
  const stamp = queue.stamp;
  let search = queue.search;
  let searchStamp = search < 0 ? 0 : stamp[search];
  for (let i = s.trailSize - 1; i >= start; i--) {
    const lit = trail[i];
    const v = lit >> 1;
    values[lit] = 0;
    values[lit ^ 1] = 0;
    saved[v] = 1 - ((lit & 1) << 1);
    if (isDecision[v] === 0) continue;
    if (stamp[v] > searchStamp) {
      search = v;
      searchStamp = stamp[v];
    }
    if (!heap.contains(v)) heap.insert(v);
  }
  queue.search = search;
  s.trailSize = start;
  s.decisionLevel = target;
  if (s.propagated > start) s.propagated = start;
  if (s.port !== undefined) s.port.backtrack(target);
}
