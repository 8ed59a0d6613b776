/**
 * Conflict analysis: the first unique implication point (Marques-Silva and Sakallah, "GRASP", 1999), recursive
 * minimisation of the learnt clause in an iterative form (Sörensson and Biere, "Minimizing Learned Clauses",
 * SAT 2009), and the glue of clauses (Audemard and Simon, "Predicting Learnt Clauses Quality in Modern SAT
 * Solvers", IJCAI 2009); and the final analysis, which finds the assumptions to blame.
 *
 * Marks, in `flags` by variable, for those in `analyzed` only, cleared at the end:
 *   SEEN        occurs in the clause, or was resolved on
 *   REMOVABLE   is implied by the other literals of the clause
 *   POISON      is not
 */
import { GLUE_SHIFT, HEADER, REDUNDANT, USED_MASK, USED_SHIFT } from './arena.ts';
import type { IntStack } from './int-stack.ts';
import { BINARY_CONFLICT, DECISION, LAZY, type State } from './state.ts';

const SEEN = 1;
const REMOVABLE = 2;
const POISON = 4;
const ACTIVITY_LIMIT = 1e20;
const FLAGS_ONLY = ((1 << GLUE_SHIFT) - 1) & ~USED_MASK;

/**
 * Derives the clause to learn from a conflict at the current level, which must be above 0 and hold at least one
 * literal of the conflict. Leaves it in `s.learnt` (asserting literal first, one of the backjump level second),
 * with `s.glue` and `s.backjumpLevel`.
 */
export function analyze(s: State, conflict: number): void {
  const { learnt, level, flags, trail, reason, analyzed, levelMark, pair } = s;
  const currentLevel = s.decisionLevel;
  const epoch = ++s.levelEpoch;
  learnt.reserve(s.varCount);
  analyzed.reserve(s.varCount);
  const learntLits = learnt.data;
  const seen = analyzed.data;
  let learntSize = 1; // the first place is for the asserting literal
  let seenCount = 0;
  let levels = 0;
  let open = 0; // literals of the current level still to be resolved
  let index = s.trailSize;
  let pivot = -1;
  let ref = conflict;
  for (;;) {
    let literals = pair;
    let from = 0;
    let to = 0;
    if (ref > 0) {
      literals = s.arena.data;
      if ((literals[ref + 1] & REDUNDANT) !== 0) useClause(s, ref);
      from = ref + HEADER;
      to = from + literals[ref];
    } else if (pivot < 0) {
      to = 2;
    } else {
      pair[0] = -2 - ref;
      to = 1;
    }
    for (let i = from; i < to; i++) {
      const lit = literals[i];
      if (lit === pivot) continue;
      const v = lit >> 1;
      if (flags[v] !== 0) continue;
      const litLevel = level[v];
      if (litLevel === 0) continue;
      flags[v] = SEEN;
      seen[seenCount++] = v;
      if (litLevel === currentLevel) {
        open++;
      } else {
        learntLits[learntSize++] = lit;
        if (levelMark[litLevel] !== epoch) {
          levelMark[litLevel] = epoch;
          levels++;
        }
      }
    }
    do pivot = trail[--index];
    while (flags[pivot >> 1] === 0);
    if (--open === 0) break;
    ref = reason[pivot >> 1];
    if (ref === LAZY) ref = s.port!.explain(pivot);
  }
  learntLits[0] = pivot ^ 1;
  learnt.size = learntSize;
  analyzed.size = seenCount;
  s.glue = levels;
  minimize(s);
  s.stats.minimizedLiterals += learntSize - learnt.size;
  s.stats.learntLiterals += learnt.size;
  findBackjumpLevel(s);
}

/** Clears the marks. The bumping of variables comes in between and wants to see `analyzed`. */
export function clearAnalysis(s: State): void {
  const { flags, analyzed } = s;
  const vars = analyzed.data;
  for (let i = 0; i < analyzed.size; i++) flags[vars[i]] = 0;
  analyzed.clear();
}

/** A learnt clause took part in a conflict: it is useful, and perhaps its glue has become smaller. */
function useClause(s: State, cref: number): void {
  const clauses = s.arena.data;
  const flags = clauses[cref + 1];
  const { tier1, tier2 } = s.options;
  let glue = flags >> GLUE_SHIFT;
  if (glue > tier1) glue = countLevels(s, clauses, cref + HEADER, cref + HEADER + clauses[cref], glue);
  const used = glue <= tier2 ? 2 : 1;
  clauses[cref + 1] = (flags & FLAGS_ONLY) | (used << USED_SHIFT) | (glue << GLUE_SHIFT);
  const activity = (s.arena.activity[cref + 2] += s.activityStep[0]);
  if (activity > ACTIVITY_LIMIT) rescaleActivity(s);
}

function rescaleActivity(s: State): void {
  const { activity } = s.arena;
  const { learnts } = s;
  for (let i = 0; i < learnts.size; i++) activity[learnts.data[i] + 2] /= ACTIVITY_LIMIT;
  s.activityStep[0] /= ACTIVITY_LIMIT;
}

/** Number of different levels among `literals[from .. to)`, counted no further than `limit`. */
export function countLevels(s: State, literals: Int32Array, from: number, to: number, limit: number): number {
  const { level, glueMark } = s;
  const epoch = ++s.glueEpoch;
  let count = 0;
  for (let i = from; i < to && count < limit; i++) {
    const litLevel = level[literals[i] >> 1];
    if (glueMark[litLevel] === epoch) continue;
    glueMark[litLevel] = epoch;
    count++;
  }
  return count;
}

/** Removes the literals of the learnt clause that the others imply. */
function minimize(s: State): void {
  const { learnt, reason } = s;
  s.minimizeStack.reserve(2 * s.varCount + 2);
  let kept = 1;
  for (let i = 1; i < learnt.size; i++) {
    const lit = learnt.data[i];
    const ref = reason[lit >> 1];
    // The theory is not asked for reasons here: a literal less would not pay for an explanation.
    if (ref === DECISION || ref === LAZY || !isRedundant(s, lit)) learnt.data[kept++] = lit;
  }
  learnt.size = kept;
}

/**
 * Is `lit`, a false literal with a reason, implied by the other literals of the learnt clause? Depth-first search
 * through the reasons; `minimizeStack` holds (literal, next position in its reason) of the path.
 */
function isRedundant(s: State, lit: number): boolean {
  const { flags, level, reason, levelMark, levelEpoch, analyzed } = s;
  const clauses = s.arena.data;
  const seen = analyzed.data; // `analyze` has made room for every variable
  const stack = s.minimizeStack.data; // and here as well
  let seenCount = analyzed.size;
  let depth = 0;
  let current = lit;
  let ref = reason[lit >> 1];
  let i = ref > 0 ? ref + HEADER : 0;
  let isImplied = true;
  for (;;) {
    const end = ref > 0 ? ref + HEADER + clauses[ref] : 1;
    if (i < end) {
      const next = ref > 0 ? clauses[i] : -2 - ref;
      i++;
      const v = next >> 1;
      const marks = flags[v];
      if (v === current >> 1 || (marks & (SEEN | REMOVABLE)) !== 0 || level[v] === 0) continue;
      const nextRef = reason[v];
      if (
        (marks & POISON) !== 0 ||
        nextRef === DECISION ||
        nextRef === LAZY ||
        levelMark[level[v]] !== levelEpoch
      ) {
        isImplied = false;
        break;
      }
      stack[depth++] = current;
      stack[depth++] = i;
      current = next;
      ref = nextRef;
      i = ref > 0 ? ref + HEADER : 0;
      continue;
    }
    const v = current >> 1;
    if (flags[v] === 0) seen[seenCount++] = v;
    flags[v] |= REMOVABLE;
    if (depth === 0) break;
    i = stack[--depth];
    current = stack[--depth];
    ref = reason[current >> 1];
  }
  if (!isImplied) {
    // Nothing on the path is implied.
    stack[depth] = current;
    for (let k = 0; k <= depth; k += 2) {
      const v = stack[k] >> 1;
      if (flags[v] === 0) seen[seenCount++] = v;
      flags[v] |= POISON;
    }
  }
  analyzed.size = seenCount;
  return isImplied;
}

function mark(flags: Uint8Array, analyzed: IntStack, v: number, bit: number): void {
  if (flags[v] === 0) analyzed.push(v);
  flags[v] |= bit;
}

/** Puts a literal of the highest level but the current one second, and notes that level. */
function findBackjumpLevel(s: State): void {
  const { learnt, level } = s;
  const literals = learnt.data;
  if (learnt.size === 1) {
    s.backjumpLevel = 0;
    return;
  }
  let best = 1;
  for (let i = 2; i < learnt.size; i++) if (level[literals[i] >> 1] > level[literals[best] >> 1]) best = i;
  const lit = literals[best];
  literals[best] = literals[1];
  literals[1] = lit;
  s.backjumpLevel = level[lit >> 1];
}

/**
 * Finds the assumptions that lead to a conflict when nothing but assumptions has been decided. Either `conflict`
 * is a conflict of propagation, or `failed` is an assumption that is false. Leaves them in `s.core`.
 */
export function analyzeFinal(s: State, conflict: number, failed: number): void {
  const { flags, analyzed, trail, reason, core, level, pair } = s;
  core.clear();
  if (failed >= 0) {
    core.push(failed);
    if (level[failed >> 1] > 0) mark(flags, analyzed, failed >> 1, SEEN);
  } else if (conflict === BINARY_CONFLICT) {
    for (const lit of pair) if (level[lit >> 1] > 0) mark(flags, analyzed, lit >> 1, SEEN);
  } else {
    markClause(s, conflict, -1);
  }
  const start = s.decisionLevel === 0 ? s.trailSize : s.levelStart[1];
  for (let i = s.trailSize - 1; i >= start; i--) {
    const lit = trail[i];
    const v = lit >> 1;
    if (flags[v] === 0) continue;
    const ref = reason[v];
    // Each reason is needed once here, so a lazy one is not worth a place in the arena.
    if (ref === LAZY) {
      const why = s.port!.reasonOf(lit);
      markLiterals(s, why.data, 0, why.size, lit);
    } else if (ref === DECISION) core.push(lit);
    else if (ref > 0) markClause(s, ref, lit);
    else if (level[(-2 - ref) >> 1] > 0) mark(flags, analyzed, (-2 - ref) >> 1, SEEN);
  }
  clearAnalysis(s);
}

function markClause(s: State, cref: number, except: number): void {
  const from = cref + HEADER;
  markLiterals(s, s.arena.data, from, from + s.arena.data[cref], except);
}

function markLiterals(s: State, literals: Int32Array, from: number, to: number, except: number): void {
  const { flags, analyzed, level } = s;
  for (let i = from; i < to; i++) {
    const lit = literals[i];
    if (lit !== except && level[lit >> 1] > 0) mark(flags, analyzed, lit >> 1, SEEN);
  }
}
