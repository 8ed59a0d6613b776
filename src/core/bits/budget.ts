/** Work in portions: how much of it may be done before it pauses, and what ends it for good. */
import type { Budget } from '../../sat/budget.ts';
import { OutOfBudget } from '../env/out-of-budget.ts';

/** A piece of work that may pause at any question. */
export type Work<T> = Generator<undefined, T>;

/** Steps between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 64;

export class Effort {
  left = 0; // propagations until the next pause
  private readonly budget: Budget;
  private steps = 0;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** What one question to a SAT solver may spend. */
  get allowance(): Budget {
    return { ...this.budget, propagations: Math.max(1, this.left) };
  }

  /** To be called now and then where no SAT solver looks at the clock. */
  checkpoint(): void {
    if (this.steps++ % STEPS_BETWEEN_LOOKS !== 0) return;
    const { deadline, signal } = this.budget;
    if (signal?.aborted === true) throw new OutOfBudget('aborted');
    if (deadline !== undefined && Date.now() >= deadline) throw new OutOfBudget('deadline');
  }
}
