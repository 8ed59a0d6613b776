/**
 * The limits of a run as the solvers look at them: a deadline, and a signal that is up when memory runs short or the user
 * has had enough. Solvers ask often, so memory is looked at only now and then.
 */
import type { Budget } from '../sat/budget.ts';
import { isFinal, type UnknownReason } from '../sat/unknown.ts';

const MEMORY_INTERVAL = 10; // ms

export class Limits {
  readonly budget: Budget;
  isInterrupted = false;
  /** Why the signal is up. */
  private cause: string | undefined;
  private readonly memory: number; // bytes
  private elsewhere = 0; // bytes that another process has on behalf of this one
  private nextLook = 0; // at the memory, on the clock of `Date.now()`

  constructor(timeout: number | undefined, megabytes: number | undefined) {
    this.memory = megabytes === undefined ? Number.POSITIVE_INFINITY : megabytes * 2 ** 20;
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
    if (this.cause === undefined && this.memory < Number.POSITIVE_INFINITY && Date.now() >= this.nextLook) {
      this.nextLook = Date.now() + MEMORY_INTERVAL;
      if (process.memoryUsage.rss() + this.elsewhere > this.memory)
        this.cause = 'the memory limit was reached';
    }
    return this.cause !== undefined;
  }
}
