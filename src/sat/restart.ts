/**
 * The rhythm of the search: restarts, the change between focused and stable mode, and rephasing.
 *
 * Focused mode restarts when recent clauses have worse glue than usual (Audemard and Simon, "Refining Restarts
 * Strategies", CP 2012, in the form of exponential averages); stable mode restarts by reluctant doubling. The
 * first phase lasts a number of conflicts; the ticks it took set the length of all later phases, which grows
 * quadratically (CaDiCaL, but here the first phase is a stable one). Ticks count memory accesses, so that two runs switch at the same place.
 */
import { initialPhase } from './options.ts';
import type { State } from './state.ts';
import { backtrack } from './trail.ts';

/** Notes a conflict for the restart decision. */
export function countConflict(s: State): void {
  if (s.isStable) {
    s.stats.stableConflicts++;
    if (s.reluctant.tick()) s.isRestartDue = true;
  } else {
    s.fastGlue.update(s.glue);
    s.slowGlue.update(s.glue);
  }
}

export function shouldRestart(s: State): boolean {
  if (s.decisionLevel <= s.assumptionCount) return false;
  if (s.isStable) return s.isRestartDue;
  return s.stats.conflicts >= s.nextRestart && s.fastGlue.value > s.options.restartMargin * s.slowGlue.value;
}

export function restart(s: State): void {
  s.stats.restarts++;
  s.isRestartDue = false;
  if (s.followsTarget) updateTarget(s, s.trailSize);
  backtrack(s, reusableLevel(s));
  s.nextRestart = s.stats.conflicts + s.options.restartInterval;
}

/**
 * Decisions better than the next one would be taken again, so they may stay (van der Tak, Ramos, Heule, "Reusing
 * the Assignment Trail in CDCL Solvers", JSAT 2011). Assumptions always stay.
 */
function reusableLevel(s: State): number {
  const { levelLit, decisionLevel } = s;
  let level = s.assumptionCount;
  if (s.isStable) {
    const { heap, values } = s;
    while (!heap.isEmpty() && values[heap.top() << 1] !== 0) heap.pop();
    if (heap.isEmpty()) return level;
    const score = heap.score[heap.top()];
    while (level < decisionLevel && heap.score[levelLit[level + 1] >> 1] > score) level++;
  } else {
    const { queue, values } = s;
    let next = queue.search;
    while (next >= 0 && values[next << 1] !== 0) next = queue.previous[next];
    if (next < 0) return level;
    const stamp = queue.stamp[next];
    while (level < decisionLevel && queue.stamp[levelLit[level + 1] >> 1] > stamp) level++;
  }
  return level;
}

/**
 * Changes the mode when its time is over. The phases go round: stable, focused, stable with target phases, focused;
 * a focused one gets a fraction of the time of a stable one.
 */
export function switchMode(s: State): void {
  const { stats, options } = s;
  if (stats.modeSwitches === 0) {
    if (stats.conflicts < options.firstPhase) return;
    s.phaseTicks = Math.max(1, s.ticks);
  } else if (s.ticks < s.nextModeTicks) {
    return;
  }
  stats.modeSwitches++;
  const round = (stats.modeSwitches + 1) >> 1;
  s.isStable = stats.modeSwitches % 2 === 0;
  s.followsTarget = options.target && stats.modeSwitches % 4 === 2;
  const share = s.isStable ? 1 : options.focusedShare;
  s.nextModeTicks = s.ticks + Math.ceil(s.phaseTicks * round * round * share);
  s.isRestartDue = false;
  backtrack(s, s.assumptionCount);
}

/** Remembers the trail as target if it is the longest one without a conflict. */
export function updateTarget(s: State, size: number): void {
  const { trail, target, best } = s;
  if (size > s.targetSize) {
    s.targetSize = size;
    for (let i = 0; i < size; i++) target[trail[i] >> 1] = 1 - ((trail[i] & 1) << 1);
  }
  if (size > s.bestSize) {
    s.bestSize = size;
    for (let i = 0; i < size; i++) best[trail[i] >> 1] = 1 - ((trail[i] & 1) << 1);
  }
}

/**
 * Resets the saved phases now and then to the initial ones, their inverse, or the best trail (Biere and Fleury,
 * "Chasing Target Phases", POS 2020).
 */
export function rephase(s: State): void {
  const { stats, options, saved, best, varCount } = s;
  const round = stats.rephased++;
  const sign = round % 4 === 0 ? 1 : -1;
  backtrack(s, s.assumptionCount);
  if (round % 2 === 1) {
    for (let v = 0; v < varCount; v++) if (best[v] !== 0) saved[v] = best[v];
    s.bestSize = 0;
  } else {
    for (let v = 0; v < varCount; v++) saved[v] = sign * initialPhase(options, v);
  }
  s.target.fill(0, 0, varCount);
  s.targetSize = 0;
  s.nextRephase = stats.conflicts + options.rephaseInterval * (round + 2);
}
