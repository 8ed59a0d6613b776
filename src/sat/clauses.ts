/**
 * Adding clauses: those of the client between calls, those of the theory in the middle of the search, and those
 * learnt from conflicts. A clause may come at any decision level, so it must find its place in the current
 * assignment: its watches are chosen to keep the invariant of state.ts, and where it is false or implies a literal
 * that it should have implied on a lower level, the search goes back to where it can be put right.
 */
import { GLUE_SHIFT, HEADER, REDUNDANT, USED_SHIFT } from './arena.ts';
import { DERIVED, INPUT, type StepKind } from './proof.ts';
import { BINARY_CONFLICT, binaryReason, DECISION, type State } from './state.ts';
import { assign, backtrack } from './trail.ts';

/** Stores a clause of at least three literals and watches its first two. */
export function attachClause(s: State, literals: Int32Array, size: number, flags: number): number {
  const cref = s.arena.allocate(size, flags);
  const clauses = s.arena.data;
  for (let i = 0; i < size; i++) clauses[cref + HEADER + i] = literals[i];
  s.watches.pushPair(literals[0], literals[1], cref);
  s.watches.pushPair(literals[1], literals[0], cref);
  if ((flags & REDUNDANT) !== 0) s.learnts.push(cref);
  else s.irredundant.push(cref);
  return cref;
}

export function attachBinary(s: State, a: number, b: number): void {
  s.binaries.push(a, b);
  s.binaries.push(b, a);
}

/** Adds the clause that `analyze` left, after the backjump, and asserts its first literal. */
export function learn(s: State): void {
  const { learnt } = s;
  const literals = learnt.data;
  if (s.proof !== undefined) s.proof.step(DERIVED, literals, 0, learnt.size);
  if (learnt.size === 1) {
    assign(s, literals[0], DECISION);
    if (s.proof !== undefined) s.proofFixed = s.trailSize;
  } else if (learnt.size === 2) {
    attachBinary(s, literals[0], literals[1]);
    assign(s, literals[0], binaryReason(literals[1]));
  } else {
    const used = s.glue <= s.options.tier2 ? 2 : 1;
    const flags = REDUNDANT | (used << USED_SHIFT) | (s.glue << GLUE_SHIFT);
    const cref = attachClause(s, literals, learnt.size, flags);
    s.arena.activity[cref + 2] = s.activityStep[0];
    assign(s, literals[0], cref);
  }
}

/**
 * Adds the clause `source[from .. to)` at whatever level the search is. Root literals and duplicates are removed;
 * a tautology or a clause satisfied at the root vanishes. Returns a conflict (coded as in state.ts) if the clause
 * is false and needs analysis, which happens only when two of its literals share the highest level; the search is
 * then at that level. `s.isOk` becomes false if the clause is false at the root.
 */
export function addClause(
  s: State,
  source: ArrayLike<number>,
  from: number,
  to: number,
  kind: StepKind,
  flags: number,
): number {
  const { scratch, values, level, literalMark } = s;
  if (s.proof !== undefined) s.proof.step(kind, source, from, to);
  if (!s.isOk) return 0;
  const epoch = ++s.markEpoch;
  scratch.clear();
  let isShortened = false;
  for (let i = from; i < to; i++) {
    const lit = source[i];
    const isFixed = values[lit] !== 0 && level[lit >> 1] === 0;
    if (literalMark[lit ^ 1] === epoch || (isFixed && values[lit] > 0)) return 0;
    if (isFixed) isShortened = true;
    if (isFixed || literalMark[lit] === epoch) continue;
    literalMark[lit] = epoch;
    scratch.push(lit);
  }
  if (isShortened && s.proof !== undefined) s.proof.step(DERIVED, scratch.data, 0, scratch.size);
  return placeClause(s, flags);
}

/** Puts the clause in `scratch`, free of root literals, where it belongs in the current assignment. */
function placeClause(s: State, flags: number): number {
  const { scratch, values, level } = s;
  const literals = scratch.data;
  const size = scratch.size;
  if (size === 0) {
    s.isOk = false;
    return 0;
  }
  if (size === 1) {
    backtrack(s, 0);
    assign(s, literals[0], DECISION);
    return 0;
  }
  if (s.decisionLevel > 0) {
    selectWatch(s, literals, 0, size);
    selectWatch(s, literals, 1, size);
  }
  const first = literals[0];
  const second = literals[1];
  let ref = binaryReason(second);
  if (size === 2) attachBinary(s, first, second);
  else ref = attachClause(s, literals, size, flags);
  if (values[second] >= 0) return 0;
  const secondLevel = level[second >> 1];
  if (values[first] > 0 && level[first >> 1] <= secondLevel) return 0;
  if (values[first] < 0 && level[first >> 1] === secondLevel) {
    backtrack(s, secondLevel);
    if (size > 2) return ref;
    s.pair[0] = first;
    s.pair[1] = second;
    return BINARY_CONFLICT;
  }
  // All others are false on lower levels than the first one: there it is implied.
  backtrack(s, secondLevel);
  assign(s, first, ref);
  return 0;
}

/**
 * Swaps the best literal to watch among `literals[at .. size)` to position `at`: a true one of the lowest level,
 * else an unassigned one, else a false one of the highest level.
 */
function selectWatch(s: State, literals: Int32Array, at: number, size: number): void {
  const { values, level } = s;
  let best = at;
  let bestRank = Number.NEGATIVE_INFINITY;
  for (let i = at; i < size; i++) {
    const lit = literals[i];
    const value = values[lit];
    const rank = value === 0 ? 0 : value > 0 ? TRUE_RANK - level[lit >> 1] : level[lit >> 1] - TRUE_RANK;
    if (rank > bestRank) {
      best = i;
      bestRank = rank;
    }
  }
  const lit = literals[best];
  literals[best] = literals[at];
  literals[at] = lit;
}

const TRUE_RANK = 2 ** 31;

/** Adds a clause of the client, between calls. */
export function addInputClause(s: State, literals: ArrayLike<number>): void {
  const conflict = addClause(s, literals, 0, literals.length, INPUT, 0);
  // No search is running that could analyse it; one level lower the clause is no longer false.
  if (conflict !== 0) backtrack(s, s.decisionLevel - 1);
}
