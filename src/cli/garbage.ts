/** Memory of this thread's heap: what is in use, without what nobody needs any more. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of the heap, that may be in use; the rest is for what is allocated between two looks. */
const MOST_IN_USE = 0.8;

/** Between looks, and between collections, which take their time. In ms. */
const LOOK_INTERVAL = 20;
const COLLECTION_INTERVAL = 3000;

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** The engine ends the whole process where its heap is too small, so whoever works has to stop before. */
export class HeapWatch {
  private nextLook = 0; // on the clock of `Date.now()`
  private nextCollection = 0;
  private hasExceeded = false;

  get isExceeded(): boolean {
    const now = Date.now();
    if (this.hasExceeded || now < this.nextLook) return this.hasExceeded;
    this.nextLook = now + LOOK_INTERVAL;
    if (!isNearlyFull() || now < this.nextCollection) return false;
    collectGarbage();
    this.nextCollection = Date.now() + COLLECTION_INTERVAL;
    this.hasExceeded = isNearlyFull();
    return this.hasExceeded;
  }
}

function isNearlyFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > MOST_IN_USE * limit;
}
