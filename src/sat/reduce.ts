/**
 * Keeping the clause database small: throwing away learnt clauses that did not prove useful, removing clauses
 * satisfied at the root, and collecting the garbage both leave in the arena.
 *
 * Tiers by glue (Oh 2015, CaDiCaL): tier 1 is kept for good, tier 2 survives two reductions after its last use,
 * the rest one; of what remains the worst by glue, then size, goes. A clause that is the reason of a literal on the
 * trail stays.
 */
import { GARBAGE, GLUE_SHIFT, HEADER, USED_MASK, USED_SHIFT } from './arena.ts';
import { sortPrefix } from './decide.ts';
import type { IntStack } from './int-stack.ts';
import { DELETED, DERIVED } from './proof.ts';
import { DECISION, type State } from './state.ts';

const MIN_GARBAGE = 1 << 16; // slots of the arena
const CREF_RANGE = 2 ** 31;

/** Are there more learnt clauses than are good for propagation? */
export function shouldReduce(s: State): boolean {
  return s.learnts.size >= s.reduceAt + s.trailSize;
}

/** Throws away the less useful part of the learnt clauses. May be called at any level. */
export function reduce(s: State): void {
  const { stats, options, learnts } = s;
  stats.reductions++;
  removeSatisfied(s);
  const clauses = s.arena.data;
  const rank = new Int32Array(s.arena.activity.buffer);
  if (stats.reductions === 1)
    s.maxLearnts = Math.max(options.learntsFirst, Math.floor(s.irredundant.size * options.learntsFactor));
  while (stats.conflicts >= s.nextLearntsGrowth) {
    s.nextLearntsGrowth = Math.ceil(s.nextLearntsGrowth * 1.5);
    s.maxLearnts = Math.ceil(s.maxLearnts * options.learntsGrowth);
  }
  const reasons = reasonClauses(s);
  if (learnts.size > s.sortKeys.length) s.sortKeys = new Float64Array(learnts.size * 2);
  const keys = s.sortKeys;
  let candidates = 0;
  for (let i = 0; i < learnts.size; i++) {
    const cref = learnts.data[i];
    const flags = clauses[cref + 1];
    if ((flags & GARBAGE) !== 0) continue;
    const glue = flags >> GLUE_SHIFT;
    if (glue <= options.tier1) continue;
    const used = (flags & USED_MASK) >> USED_SHIFT;
    if (used > 0) {
      clauses[cref + 1] = (flags & ~USED_MASK) | ((used - 1) << USED_SHIFT);
      if (glue <= options.tier2) continue;
    }
    if (reasons.has(cref)) continue;
    keys[candidates++] = (~rank[cref + 2] >>> 10) * CREF_RANGE + cref;
  }
  sortPrefix(keys, candidates);
  const keep = candidates - Math.floor(candidates * options.reduceFraction);
  for (let i = keep; i < candidates; i++) discardClause(s, keys[i] % CREF_RANGE);
  collect(s);
  s.reduceAt = Math.max(s.maxLearnts, learnts.size + (s.maxLearnts >> 1));
}

/** The clauses that are reasons of literals on the trail; root literals need none. */
function reasonClauses(s: State): Set<number> {
  const reasons = new Set<number>();
  for (let i = fixedCount(s); i < s.trailSize; i++) {
    const ref = s.reason[s.trail[i] >> 1];
    if (ref > 0) reasons.add(ref);
  }
  return reasons;
}

export function discardClause(s: State, cref: number): void {
  const clauses = s.arena.data;
  if (s.proof !== undefined) s.proof.step(DELETED, clauses, cref + HEADER, cref + HEADER + clauses[cref]);
  s.arena.discard(cref);
}

/** Number of literals that are assigned for good. */
export function fixedCount(s: State): number {
  return s.decisionLevel === 0 ? s.trailSize : s.levelStart[1];
}

/** Tells the proof about new root literals, so that the reasons they came from may be deleted. */
export function logFixed(s: State): void {
  if (s.proof === undefined) return;
  const fixed = fixedCount(s);
  while (s.proofFixed < fixed) s.proof.step(DERIVED, s.trail, s.proofFixed, ++s.proofFixed);
}

/** Is it worth while to look for satisfied clauses? */
export function shouldSimplify(s: State): boolean {
  return (
    fixedCount(s) >= s.fixedWhenSimplified + s.options.simplifyInterval && s.ticks >= s.nextSimplifyTicks
  );
}

/** Removes the satisfied clauses and gives the memory back, outside of reductions. */
export function simplify(s: State): void {
  removeSatisfied(s);
  collect(s);
  // Not again before propagation has cost as much as this sweep over the whole database.
  s.nextSimplifyTicks = s.ticks + ((s.arena.top + s.watches.pool.length) >> 3);
}

/**
 * Marks the clauses that are satisfied at the root as garbage and cuts false root literals out of the others. A
 * clause that is not satisfied at the root has no false root literal among its watched ones (see the invariants in
 * state.ts), so its watches stay valid.
 */
function removeSatisfied(s: State): void {
  const fixed = fixedCount(s);
  if (fixed === s.fixedWhenSimplified) return;
  logFixed(s);
  s.stats.simplifications++;
  s.fixedWhenSimplified = fixed;
  const reasons = reasonClauses(s);
  sweepClauses(s, s.irredundant, reasons);
  sweepClauses(s, s.learnts, reasons);
  sweepBinaries(s);
}

function sweepClauses(s: State, list: IntStack, reasons: Set<number>): void {
  const { values, level } = s;
  const clauses = s.arena.data;
  for (let n = 0; n < list.size; n++) {
    const cref = list.data[n];
    if ((clauses[cref + 1] & GARBAGE) !== 0) continue;
    const start = cref + HEADER;
    const end = start + clauses[cref];
    let isSatisfied = false;
    let falseCount = 0;
    for (let i = start; i < end; i++) {
      const lit = clauses[i];
      const value = values[lit];
      if (value === 0 || level[lit >> 1] !== 0) continue;
      if (value > 0) {
        isSatisfied = true;
        break;
      }
      falseCount++;
    }
    if (isSatisfied) {
      discardClause(s, cref);
      continue;
    }
    const size = clauses[cref] - falseCount;
    if (falseCount === 0 || reasons.has(cref)) continue;
    if (size === 2) {
      if (s.proof !== undefined) s.proof.step(DERIVED, clauses, start, start + 2);
      s.binaries.push(clauses[start], clauses[start + 1]);
      s.binaries.push(clauses[start + 1], clauses[start]);
      discardClause(s, cref);
      continue;
    }
    const old = s.proof === undefined ? undefined : clauses.slice(start, end);
    let to = start;
    for (let i = start; i < end; i++) {
      const lit = clauses[i];
      if (values[lit] >= 0 || level[lit >> 1] !== 0) clauses[to++] = lit;
    }
    s.arena.shrink(cref, size);
    if (s.proof !== undefined && old !== undefined) {
      s.proof.step(DERIVED, clauses, start, to);
      s.proof.step(DELETED, old, 0, old.length);
    }
  }
}

/** Removes binary clauses that contain a root literal: such a clause is satisfied. */
function sweepBinaries(s: State): void {
  const { values, level, binaries } = s;
  const { head, pool } = binaries;
  for (let lit = 0; lit < s.varCount * 2; lit++) {
    const at = lit << 2;
    const start = head[at];
    const end = start + head[at + 1];
    const isFixed = values[lit] !== 0 && level[lit >> 1] === 0;
    let to = start;
    for (let i = start; i < end; i++) {
      const other = pool[i];
      if (!isFixed && (values[other] === 0 || level[other >> 1] !== 0)) pool[to++] = other;
      else if (s.proof !== undefined && lit < other) s.proof.step(DELETED, [lit, other], 0, 2);
    }
    head[at + 1] = to - start;
  }
}

/** Is most of the arena garbage? Explained theory reasons pile up even when nothing is learnt. */
export function shouldCollect(s: State): boolean {
  return s.arena.wasted > MIN_GARBAGE && s.arena.wasted * 2 > s.arena.top;
}

/**
 * Collects the garbage of the arena: live clauses move to new memory, and the crefs in the clause lists, the
 * reasons and the watches follow. An explained theory reason is in no list; it lives as long as its literal.
 */
export function collect(s: State): void {
  const { arena, irredundant, learnts, reason, trail } = s;
  if (arena.wasted === 0) return;
  s.stats.collections++;
  const from = arena.startCollection();
  moveList(s, from, irredundant);
  moveList(s, from, learnts);
  const fixed = fixedCount(s);
  for (let i = 0; i < s.trailSize; i++) {
    const v = trail[i] >> 1;
    if (i < fixed) reason[v] = DECISION;
    else if (reason[v] > 0) reason[v] = arena.move(from, reason[v]);
  }
  const { head, pool } = s.watches;
  for (let at = 0; at < s.varCount << 3; at += 4) {
    const start = head[at];
    const end = start + head[at + 1];
    let to = start;
    for (let i = start; i < end; i += 2) {
      const moved = from[pool[i + 1]];
      if (moved >= 0) continue;
      pool[to] = pool[i];
      pool[to + 1] = -moved;
      to += 2;
    }
    head[at + 1] = to - start;
  }
  s.watches.compact();
  s.binaries.compact();
}

function moveList(s: State, from: Int32Array, list: IntStack): void {
  let kept = 0;
  for (let i = 0; i < list.size; i++) {
    const cref = list.data[i];
    if ((from[cref + 1] & GARBAGE) === 0) list.data[kept++] = s.arena.move(from, cref);
  }
  list.size = kept;
}
