/**
 * The limits of a run as the solvers look at them: a deadline, and a signal that is up when memory runs short or the user
 * has had enough.
 */
import type { Budget } from '../sat/budget.ts';
import { MemoryWatch } from '../sat/memory-watch.ts';
import { isFinal, type UnknownReason } from '../sat/unknown.ts';

export class Limits {
  readonly budget: Budget;
  isInterrupted = false;
  /** Why the signal is up. */
  private cause: string | undefined;
  private readonly memory: MemoryWatch | undefined;
  private elsewhere = 0; // bytes that another process has on behalf of this one

  constructor(timeout: number | undefined, megabytes: number | undefined) {
    const inUse = () => process.memoryUsage.rss() + this.elsewhere;
    this.memory = megabytes === undefined ? undefined : new MemoryWatch(megabytes, inUse);
    const isUp = () => this.isUp();
    const signal = {
      get aborted() {
        return isUp();
      },
    };
    this.budget = timeout === undefined ? { signal } : { signal, deadline: Date.now() + 1000 * timeout };
  }

  /** The user has had enough: stops all solvers at their next look. */
  interrupt(): void {
    this.isInterrupted = true;
    this.cause ??= 'interrupted';
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
    if (this.memory?.isExceeded === true) this.cause ??= 'the memory limit was reached';
    return this.cause !== undefined;
  }
}
