/**
 * Which variable next, and with which value. Focused mode takes the variable bumped last (queue.ts), stable mode
 * the one of the highest score (heap.ts); see Biere and Fröhlich (SAT 2015) for the two and Oh, "Between SAT and
 * UNSAT" (SAT 2015) for why both. The value is the last one, or that of the target trail while it is followed.
 */
import { DECISION, type State } from './state.ts';
import { assign, openLevel } from './trail.ts';

/** Decides a variable; false if every decision variable is assigned. */
export function decide(s: State): boolean {
  const v = s.isStatic ? nextCandidate(s) : s.isStable ? nextByScore(s) : nextByQueue(s);
  if (v < 0) return false;
  const target = s.followsTarget ? s.target[v] : 0;
  const phase = target !== 0 ? target : s.saved[v];
  decideLiteral(s, (v << 1) | (phase > 0 ? 0 : 1));
  return true;
}

export function decideLiteral(s: State, lit: number): void {
  s.stats.decisions++;
  openLevel(s, lit);
  assign(s, lit, DECISION);
}

function nextByQueue(s: State): number {
  const { values, queue, needed, question } = s;
  const { previous } = queue;
  let v = queue.search;
  if (needed === undefined) while (v >= 0 && values[v << 1] !== 0) v = previous[v];
  else while (v >= 0 && (values[v << 1] !== 0 || needed[v] < question)) v = previous[v];
  if (v >= 0) queue.search = v;
  return v;
}

/** So many conflicts in one call, and the fixed order of the candidates is no longer good enough. */
const STATIC_CONFLICTS = 30;

/**
 * The next unassigned candidate in their fixed order. A call with restricted decisions starts so, for most of
 * them need a handful of decisions and no conflict, and then keeping scores would cost more than it gains.
 */
function nextCandidate(s: State): number {
  const { values, candidates, candidateCount, levelCandidate } = s;
  if (s.stats.conflicts >= s.staticUntil) {
    s.isStatic = false;
    reconsiderPassedOver(s);
    return s.isStable ? nextByScore(s) : nextByQueue(s);
  }
  let i = levelCandidate[s.decisionLevel];
  while (i < candidateCount && values[candidates[i] << 1] !== 0) i++;
  levelCandidate[s.decisionLevel] = i;
  return i < candidateCount ? candidates[i] : -1;
}

/** Before a call with restricted decisions. */
export function startCandidates(s: State): void {
  s.isStatic = true;
  s.staticUntil = s.stats.conflicts + STATIC_CONFLICTS;
  s.levelCandidate.fill(0, 0, s.decisionLevel + 1);
}

/** After a call with restricted decisions: the next one may decide everything. */
export function endCandidates(s: State): void {
  s.isStatic = false;
  s.needed = undefined;
  reconsiderPassedOver(s);
}

/** What was passed over as not needed may be needed now, so both orders start afresh. */
function reconsiderPassedOver(s: State): void {
  const { queue, heap, passedOver } = s;
  queue.search = queue.last;
  for (let i = 0; i < passedOver.size; i++) {
    const v = passedOver.data[i];
    if (!heap.contains(v)) heap.insert(v);
  }
  passedOver.clear();
}

function nextByScore(s: State): number {
  const { values, heap, isDecision, needed, question, passedOver } = s;
  while (!heap.isEmpty()) {
    const v = heap.pop();
    if (values[v << 1] !== 0 || isDecision[v] === 0) continue;
    if (needed === undefined || !(needed[v] < question)) return v;
    passedOver.push(v);
  }
  return -1;
}

/** Moves the variables of the last conflict forward in the order of the current mode. */
export function bumpAnalyzed(s: State): void {
  const { analyzed, isDecision, values } = s;
  const count = analyzed.size;
  if (s.isStable) {
    const { heap } = s;
    for (let i = 0; i < count; i++) heap.bump(analyzed.data[i]);
    heap.decay(s.options.scoreDecay);
    return;
  }
  // In the order of their stamps, so that they keep their order among themselves.
  const { queue } = s;
  const { stamp } = queue;
  if (count > s.sortKeys.length) s.sortKeys = new Float64Array(count * 2);
  const keys = s.sortKeys;
  for (let i = 0; i < count; i++) {
    const v = analyzed.data[i];
    keys[i] = stamp[v] * VAR_RANGE + v;
  }
  sortPrefix(keys, count);
  for (let i = 0; i < count; i++) {
    const v = keys[i] % VAR_RANGE;
    if (isDecision[v] !== 0) queue.bump(v, values[v << 1] === 0);
  }
}

const VAR_RANGE = 2 ** 22; // with stamps below 2^30 the keys stay exact

/** Sorts the first `count` keys. Small counts are the rule, and a call into the library is not free. */
export function sortPrefix(keys: Float64Array, count: number): void {
  if (count > 48) {
    keys.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const key = keys[i];
    let j = i - 1;
    while (j >= 0 && keys[j] > key) {
      keys[j + 1] = keys[j];
      j--;
    }
    keys[j + 1] = key;
  }
}
