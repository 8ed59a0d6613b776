/**
 * Counted effort: how much may be spent until the next pause. Whoever works takes from it and pauses when it is used up;
 * `Portions` turns such work into the `run` of an engine.
 */
import { type Budget, exceededLimit } from '../../sat/budget.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { Work } from '../../sat/work.ts';
import { type Outcome, WORKING } from './engine.ts';

/** Looks at the clock are this many calls apart. */
const CALLS_BETWEEN_LOOKS = 64;

export class Effort {
  left = 0; // until the next pause
  spent = 0;
  /** Something is found: what is left to do is nobody's expense. */
  isFinishing = false;
  private readonly budget: Budget;
  private calls = 0;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  spend(amount: number): void {
    if (this.isFinishing) return;
    this.left -= amount;
    this.spent += amount;
  }

  /** What one question to a SAT solver may spend. */
  get allowance(): Budget & { readonly propagations: number } {
    return { ...this.budget, propagations: Math.max(1, this.left) };
  }

  /** To be called now and then where no solver looks at the clock. Throws an Unknown. */
  checkpoint(): void {
    if (this.calls++ % CALLS_BETWEEN_LOOKS !== 0) return;
    const reason = exceededLimit(this.budget);
    if (reason !== undefined) throw new Unknown(reason);
  }
}

/** Work that may throw an Unknown, and pauses when its effort is used up, portion by portion. */
export class Portions {
  private readonly effort: Effort;
  private readonly work: Work<Outcome>;
  private result: Outcome | undefined;

  constructor(effort: Effort, work: Work<Outcome>) {
    this.effort = effort;
    this.work = work;
  }

  run(effort: number): Outcome {
    if (this.result !== undefined) return this.result;
    this.effort.left = effort;
    try {
      for (;;) {
        const { done, value } = this.work.next();
        if (done === true) return (this.result = value);
        if (value === 'load') return { kind: 'waiting' };
        if (this.effort.isFinishing) return { kind: 'finishing' };
        if (this.effort.left <= 0) return WORKING;
      }
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return (this.result = { kind: 'unknown', reason: error.reason, text: error.message });
    }
  }
}
