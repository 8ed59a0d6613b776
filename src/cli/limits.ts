/**
 * The limits of a run as the solvers look at them: a deadline, and a signal that is up when memory runs short or the user
 * has had enough.
 */
import { getHeapStatistics } from 'node:v8';
import type { Budget } from '../sat/budget.ts';
import { MemoryWatch } from '../sat/memory-watch.ts';
import { isFinal, type UnknownReason } from '../sat/unknown.ts';
import { HeapWatch } from './garbage.ts';
import { Interruption } from './interruption.ts';

/** Where others are checked in the same process, before or at the same time, their memory does not count. */
export type CountedMemory = 'process' | 'thread';

/** What to tell node. */
const MORE_MEMORY = 'NODE_OPTIONS=--max-old-space-size=8192';

export interface LimitOptions {
  readonly interruption?: Interruption;
  readonly counted?: CountedMemory;
  /** On the clock of `Date.now()`; so many seconds from now otherwise. */
  readonly deadline?: number | undefined;
}

export class Limits {
  readonly budget: Budget;
  /** Why the signal is up. */
  private cause: string | undefined;
  private readonly memory: MemoryWatch | undefined;
  private readonly heap = new HeapWatch();
  private readonly interruption: Interruption;
  private elsewhere = 0; // bytes that another process has on behalf of this one

  constructor(timeout: number | undefined, megabytes: number | undefined, options: LimitOptions = {}) {
    const inUse = options.counted === 'thread' ? ofThread : ofProcess;
    this.memory =
      megabytes === undefined ? undefined : new MemoryWatch(megabytes, () => inUse() + this.elsewhere);
    this.interruption = options.interruption ?? new Interruption();
    const isUp = () => this.isUp();
    const signal = {
      get aborted() {
        return isUp();
      },
    };
    const deadline = options.deadline ?? (timeout === undefined ? undefined : Date.now() + 1000 * timeout);
    this.budget = deadline === undefined ? { signal } : { signal, deadline };
  }

  /** The user has had enough: stops all solvers at their next look. */
  interrupt(): void {
    this.interruption.raise();
  }

  get isInterrupted(): boolean {
    return this.interruption.isRaised;
  }

  /** Memory that another process has on behalf of this one, in bytes. */
  countAlso(bytes: number): void {
    this.elsewhere = bytes;
  }

  /** A limit as a person would name it; of any other reason what is said of it. */
  spelt(reason: UnknownReason, text: string = reason): string {
    if (reason === 'deadline') return 'the time limit was reached';
    return isFinal(reason) ? (this.cause ?? text) : text;
  }

  private isUp(): boolean {
    if (this.isInterrupted) this.cause ??= 'interrupted';
    if (this.memory?.isExceeded === true) this.cause ??= 'the memory limit was reached';
    if (this.heap.isExceeded) this.cause ??= `memory ran out (${MORE_MEMORY} allows for more)`;
    return this.cause !== undefined;
  }
}

function ofProcess(): number {
  return process.memoryUsage.rss();
}

function ofThread(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}
