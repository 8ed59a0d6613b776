/**
 * When to pause. Whoever adds clauses, visits terms or compares values says how much it has done, in units of about a
 * literal of a clause; when that is enough for some milliseconds, it pauses, and at each pause the limits are looked at.
 * The places of the pauses depend on counts alone.
 */
import { type Budget, exceededLimit } from '../../../sat/budget.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';

/** What it takes to look at a term, a node or a value. */
export const VISIT = 8;

const WORK_BETWEEN_PAUSES = 40_000;

export class Pace {
  readonly budget: Budget;
  private left = WORK_BETWEEN_PAUSES;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** So much work is done; true if it is time for a pause. */
  spend(work: number): boolean {
    this.left -= work;
    return this.left < 0;
  }

  get isDue(): boolean {
    return this.left < 0;
  }

  /** Throws an Unknown if a limit is exceeded. */
  *pause(): Work<void> {
    this.left = WORK_BETWEEN_PAUSES;
    this.look();
    yield 'turn';
    this.look();
  }

  look(): void {
    const reason = exceededLimit(this.budget);
    if (reason !== undefined) throw new Unknown(reason);
  }
}
