/**
 * The search loop: conflict-driven clause learning as a chain of named decisions (CaDiCaL's `cdcl_loop`).
 *
 * Assumptions are the decisions of the first levels, one level each. While nothing else has been decided,
 * everything on the trail follows from the assumptions, so a conflict there ends the call at once, and its final
 * analysis gives the core.
 */
import { analyze, analyzeFinal, clearAnalysis } from './analyze.ts';
import { learn } from './clauses.ts';
import { bumpAnalyzed, decide, decideLiteral } from './decide.ts';
import { DERIVED } from './proof.ts';
import { propagate } from './propagate.ts';
import {
  collect,
  logFixed,
  reduce,
  shouldCollect,
  shouldReduce,
  shouldSimplify,
  simplify,
} from './reduce.ts';
import { countConflict, rephase, restart, shouldRestart, switchMode, updateTarget } from './restart.ts';
import { DECISION, type State } from './state.ts';
import { assign, backtrack, openLevel } from './trail.ts';
import type { UnknownReason } from './unknown.ts';

export type Answer = 'sat' | 'unsat' | UnknownReason;

/** Looks for a model of the clauses and of the assumptions in `s.assumptions`. */
export function search(s: State): Answer {
  s.core.clear();
  keepCommonPrefix(s);
  for (;;) {
    const conflict = propagateAll(s);
    if (!s.isOk || (conflict !== 0 && s.decisionLevel === 0)) return refuted(s);
    if (conflict !== 0) {
      if (s.decisionLevel <= s.assumptionCount) {
        analyzeFinal(s, conflict, -1);
        backtrack(s, s.decisionLevel - 1);
        return 'unsat';
      }
      learnFrom(s, conflict);
    } else if (s.decisionLevel === 0 && s.proof !== undefined) {
      logFixed(s);
    }
    const exceeded = s.meter.exceeded(s.stats.conflicts, s.stats.propagations, s.ticks);
    if (exceeded !== undefined) return exceeded;
    if (conflict !== 0) continue;
    if (s.decisionLevel < s.assumptionCount) {
      if (assume(s)) continue;
      return 'unsat';
    }
    if (shouldRestart(s)) restart(s);
    else if (shouldReduce(s)) reduce(s);
    else if (shouldCollect(s)) collect(s);
    else if (s.stats.conflicts >= s.nextRephase) rephase(s);
    else if (s.stats.conflicts >= s.options.firstPhase) switchMode(s);
    if (s.decisionLevel < s.assumptionCount || s.propagated < s.trailSize) continue;
    if (decideNext(s)) continue;
    if (s.port === undefined || s.port.checkModel()) return 'sat';
  }
}

/** Levels that the last call ended with and that this one would begin with anyway stay. */
function keepCommonPrefix(s: State): void {
  if (shouldCollect(s)) collect(s);
  if (shouldSimplify(s)) {
    backtrack(s, 0);
    if (propagateAll(s) === 0 && s.isOk) simplify(s);
    else refuted(s);
  }
  const { levelLit, assumptions, assumptionCount } = s;
  let level = 0;
  while (level < s.decisionLevel && level < assumptionCount && levelLit[level + 1] === assumptions[level])
    level++;
  if (level < assumptionCount) backtrack(s, level);
  s.stats.reused += s.decisionLevel;
}

/** Propagation by the clauses and by the theory, until neither has anything to add. */
function propagateAll(s: State): number {
  for (;;) {
    const conflict = propagate(s);
    if (conflict !== 0 || s.port === undefined) return conflict;
    const theoryConflict = s.port.propagate();
    if (theoryConflict !== 0 || !s.isOk) return theoryConflict;
    if (s.propagated === s.trailSize && s.port.isQuiet()) return 0;
  }
}

function refuted(s: State): 'unsat' {
  if (s.proof !== undefined && s.isOk) {
    logFixed(s);
    s.proof.step(DERIVED, [], 0, 0);
  }
  s.isOk = false;
  return 'unsat';
}

/** Learns a clause from a conflict above the assumptions. */
function learnFrom(s: State, conflict: number): void {
  s.stats.conflicts++;
  if (s.followsTarget) updateTarget(s, s.levelStart[s.decisionLevel]);
  analyze(s, conflict);
  bumpAnalyzed(s);
  clearAnalysis(s);
  countConflict(s);
  backtrack(s, s.backjumpLevel);
  learn(s);
  s.activityStep[0] /= s.options.clauseDecay;
}

/** Opens the level of the next assumption; false if it is false, and the core is known. */
function assume(s: State): boolean {
  const lit = s.assumptions[s.decisionLevel];
  const value = s.values[lit];
  if (value < 0) {
    analyzeFinal(s, 0, lit);
    return false;
  }
  openLevel(s, lit);
  if (value === 0) assign(s, lit, DECISION);
  return true;
}

function decideNext(s: State): boolean {
  if (s.port !== undefined) {
    const lit = s.port.decide();
    if (lit >= 0 && s.values[lit] === 0) {
      decideLiteral(s, lit);
      return true;
    }
  }
  return decide(s);
}
