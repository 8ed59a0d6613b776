/**
 * Limits for work that is no search: reading a file, preparing clauses. Such work cannot be continued later, so it does not
 * answer with a reason as `solve` does but is broken off by a `LimitReached`, which whoever set the limits catches.
 *
 * Whoever works says how much it has done, in units of about a token read; the clock is looked at once in a thousand of
 * them, which is several times in a millisecond.
 */
import type { Budget, InterruptReason } from './budget.ts';

/** The work is broken off: time or memory is over, or the user has had enough. */
export class LimitReached extends Error {
  readonly reason: InterruptReason;

  constructor(reason: InterruptReason) {
    super(reason);
    this.name = 'LimitReached';
    this.reason = reason;
  }
}

const WORK_BETWEEN_LOOKS = 1000;

export class Checkpoint {
  private readonly budget: Budget;
  private left = 0; // work until the next look

  /** Only the deadline and the signal of the budget count; without them nothing is ever broken off. */
  constructor(budget: Budget = {}) {
    this.budget = budget;
  }

  /** So much work is done; throws a LimitReached if a limit is exceeded. */
  pass(work = 1): void {
    this.left -= work;
    if (this.left < 0) this.look();
  }

  private look(): void {
    const { deadline, signal } = this.budget;
    this.left = WORK_BETWEEN_LOOKS;
    if (signal?.aborted === true) throw new LimitReached('aborted');
    if (deadline !== undefined && Date.now() >= deadline) throw new LimitReached('deadline');
  }
}
