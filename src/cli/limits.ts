/**
 * The limits of a run as the solvers look at them: a deadline, and a signal that is up when memory runs short or the user
 * has had enough. Solvers ask often, so memory is looked at only now and then.
 */
import { getHeapStatistics } from 'node:v8';
import type { Budget } from '../sat/budget.ts';
import { isFinal, type UnknownReason } from '../sat/unknown.ts';
import { Interruption } from './interruption.ts';

const MEMORY_INTERVAL = 10; // ms

/** Where others are checked in the same process, before or at the same time, their memory does not count. */
export type CountedMemory = 'process' | 'thread';

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
  private readonly memory: number; // bytes
  private readonly counted: CountedMemory;
  private readonly interruption: Interruption;
  private elsewhere = 0; // bytes that another process has on behalf of this one
  private nextLook = 0; // at the memory, on the clock of `Date.now()`

  constructor(timeout: number | undefined, megabytes: number | undefined, options: LimitOptions = {}) {
    this.memory = megabytes === undefined ? Number.POSITIVE_INFINITY : megabytes * 2 ** 20;
    this.counted = options.counted ?? 'process';
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
    if (this.cause === undefined && this.memory < Number.POSITIVE_INFINITY && Date.now() >= this.nextLook) {
      this.nextLook = Date.now() + MEMORY_INTERVAL;
      if (this.used() + this.elsewhere > this.memory) this.cause = 'the memory limit was reached';
    }
    return this.cause !== undefined;
  }

  private used(): number {
    if (this.counted === 'process') return process.memoryUsage.rss();
    const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
    return heap + buffers;
  }
}
