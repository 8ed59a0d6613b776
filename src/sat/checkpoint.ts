/**
 * Limits for work that is no search: reading a file, preparing clauses. Such work cannot be continued later, so it does not
 * answer with a reason as `solve` does but is broken off by a `Unknown`, which whoever set the limits catches.
 *
 * Whoever works says how much it has done, in units of about a token read; the clock is looked at once in a thousand of
 * them, which is several times in a millisecond.
 */
import { type Budget, exceededLimit } from './budget.ts';
import { Unknown } from './unknown.ts';

const WORK_BETWEEN_LOOKS = 1000;

export class Checkpoint {
  private readonly budget: Budget;
  private left = 0; // work until the next look

  /** Only the deadline and the signal of the budget count; without them nothing is ever broken off. */
  constructor(budget: Budget = {}) {
    this.budget = budget;
  }

  /** So much work is done; throws a Unknown if a limit is exceeded. */
  pass(work = 1): void {
    this.left -= work;
    if (this.left < 0) this.look();
  }

  private look(): void {
    this.left = WORK_BETWEEN_LOOKS;
    const reason = exceededLimit(this.budget);
    if (reason !== undefined) throw new Unknown(reason);
  }
}
