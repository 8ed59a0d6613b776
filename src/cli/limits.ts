/**
 * The limits of a run as the solvers look at them: a deadline, and a signal that is up when memory runs short or the user
 * has had enough. Solvers ask often, so memory is looked at only now and then.
 */
import type { Budget } from '../sat/budget.ts';

const ASKED_BETWEEN_LOOKS = 256;

export class Limits {
  readonly budget: Budget;
  /** Why the signal is up. */
  reason: string | undefined;
  private readonly memory: number; // bytes
  private asked = 0;

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

  /** Stops all solvers at their next look. */
  abort(reason: string): void {
    this.reason ??= reason;
  }

  private isUp(): boolean {
    if (
      this.reason === undefined &&
      this.memory < Number.POSITIVE_INFINITY &&
      this.asked++ % ASKED_BETWEEN_LOOKS === 0
    ) {
      if (process.memoryUsage.rss() > this.memory) this.reason = 'the memory limit was reached';
    }
    return this.reason !== undefined;
  }
}
