/**
 * Unit propagation with two watched literals (Moskewicz et al., "Chaff", DAC 2001) and blocking literals. For
 * each true literal first its binary clauses, which are literals in a row, then the longer ones.
 *
 * This is where the solver spends its time. Every typed array is held in a local, and the loops contain no call
 * whatsoever: a call would make the compiler check and load each array again in each round. Therefore a watch list
 * that is full ends the run; the list gets more room outside, and the literal is visited again.
 *
 * The two watched literals are the first two of a clause in either order; their exclusive or with the false one
 * gives the other (CaDiCaL). `ticks` estimates cache lines touched: one per clause dereferenced, one per sixteen
 * list entries.
 */
import { HEADER } from './arena.ts';
import { BINARY_CONFLICT, type State } from './state.ts';

const FULL_LIST = -2; // not a conflict: the list of `pair[0]` needs room

/** Propagates what is on the trail. Returns the conflict, coded as in state.ts; 0 means there is none. */
export function propagate(s: State): number {
  for (;;) {
    const conflict = run(s);
    if (conflict !== FULL_LIST) return conflict;
    s.watches.relocate(s.pair[0]);
  }
}

/** Propagates until the end of the trail, a conflict, or a full list. */
function run(s: State): number {
  const { values, level, reason, trail, decisionLevel: currentLevel } = s;
  const clauses = s.arena.data;
  const head = s.watches.head;
  const pool = s.watches.pool;
  const binaryHead = s.binaries.head;
  const binaryPool = s.binaries.pool;
  const first = s.propagated;
  let propagated = first;
  let trailSize = s.trailSize;
  let ticks = 0;
  let conflict = 0;
  let pairFirst = 0;
  let pairSecond = 0;

  while (propagated < trailSize) {
    const falseLit = trail[propagated++] ^ 1;
    const at = falseLit << 2;

    const binaryStart = binaryHead[at];
    const binaryEnd = binaryStart + binaryHead[at + 1];
    for (let i = binaryStart; i < binaryEnd; i++) {
      const other = binaryPool[i];
      const value = values[other];
      if (value > 0) continue;
      if (value < 0) {
        pairFirst = other;
        pairSecond = falseLit;
        conflict = BINARY_CONFLICT;
        break;
      }
      const v = other >> 1;
      values[other] = 1;
      values[other ^ 1] = -1;
      level[v] = currentLevel;
      reason[v] = -2 - falseLit;
      trail[trailSize++] = other;
    }
    if (conflict !== 0) break;

    const start = head[at];
    const end = start + head[at + 1];
    ticks += 1 + ((end - start) >> 4) + ((binaryEnd - binaryStart) >> 4);
    let from = start;
    let to = start;
    while (from < end) {
      const blocker = pool[from];
      const cref = pool[from + 1];
      from += 2;
      if (values[blocker] > 0) {
        pool[to] = blocker;
        pool[to + 1] = cref;
        to += 2;
        continue;
      }
      ticks++;
      const firstLit = cref + HEADER;
      const other = clauses[firstLit] ^ clauses[firstLit + 1] ^ falseLit;
      const otherValue = values[other];
      if (otherValue > 0) {
        pool[to] = other;
        pool[to + 1] = cref;
        to += 2;
        continue;
      }
      const lastLit = firstLit + clauses[cref];
      let k = firstLit + 2;
      let replacement = 0;
      let value = -1;
      for (; k < lastLit; k++) {
        replacement = clauses[k];
        value = values[replacement];
        if (value >= 0) break;
      }
      if (value > 0) {
        // Satisfied: keep the watch, but ask this literal first next time.
        pool[to] = replacement;
        pool[to + 1] = cref;
        to += 2;
      } else if (value === 0) {
        const target = replacement << 2;
        const size = head[target + 1];
        if (size + 2 > head[target + 2]) {
          pool[to] = other;
          pool[to + 1] = cref;
          to += 2;
          pairFirst = replacement;
          conflict = FULL_LIST;
          break;
        }
        clauses[firstLit] = other;
        clauses[firstLit + 1] = replacement;
        clauses[k] = falseLit;
        const slot = head[target] + size;
        pool[slot] = other;
        pool[slot + 1] = cref;
        head[target + 1] = size + 2;
      } else {
        pool[to] = other;
        pool[to + 1] = cref;
        to += 2;
        if (otherValue < 0) {
          conflict = cref;
          break;
        }
        const v = other >> 1;
        values[other] = 1;
        values[other ^ 1] = -1;
        level[v] = currentLevel;
        reason[v] = cref;
        trail[trailSize++] = other;
      }
    }
    if (from !== to) {
      while (from < end) pool[to++] = pool[from++];
      head[at + 1] = to - start;
    }
    if (conflict !== 0) break;
  }

  if (conflict === FULL_LIST) propagated--;
  s.pair[0] = pairFirst;
  s.pair[1] = pairSecond;
  s.propagated = propagated;
  s.trailSize = trailSize;
  s.stats.propagations += propagated - first;
  s.ticks += ticks;
  return conflict;
}
