/**
 * How much a call of `solve` may spend, and why it stopped. Conflicts and propagations are deterministic
 * limits; the deadline and the signal are looked at every so often only, since asking the clock costs more than
 * a conflict. A search that stops keeps all it learnt and can be continued by another call.
 */
import type { UnknownReason } from './unknown.ts';

export interface Budget {
  conflicts?: number; // at most this many conflicts in this call
  propagations?: number; // about this many propagated literals in this call
  deadline?: number; // stop at this time, in milliseconds on the clock of `Date.now()`
  signal?: Signal;
}

// The clock is looked at when propagation has done so much, or has been asked for so often, since the last look:
// the one for large problems, the other for theories that take their time. Both are some milliseconds.
const TICKS_BETWEEN_LOOKS = 100_000;
const QUESTIONS_BETWEEN_LOOKS = 256;

/** An AbortSignal, or anything of its shape; the reason says if it is memory that has run short. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** Which of the limits on the whole work is exceeded, if any: looks at the clock. */
export function exceededLimit({ deadline, signal }: Budget): 'deadline' | 'memory' | 'aborted' | undefined {
  if (signal?.aborted === true) return signal.reason === 'memory' ? 'memory' : 'aborted';
  return deadline !== undefined && Date.now() >= deadline ? 'deadline' : undefined;
}

export class Meter {
  private conflictLimit = Number.POSITIVE_INFINITY;
  private propagationLimit = Number.POSITIVE_INFINITY;
  private budget: Budget = {};
  private nextLook = 0; // in ticks
  private questions = 0; // until the next look
  private isLimited = false;

  start(budget: Budget | undefined, conflicts: number, propagations: number, ticks: number): void {
    this.isLimited = budget !== undefined;
    if (budget === undefined) return;
    this.conflictLimit = conflicts + (budget.conflicts ?? Number.POSITIVE_INFINITY);
    this.propagationLimit = propagations + (budget.propagations ?? Number.POSITIVE_INFINITY);
    this.budget = budget;
    this.nextLook = ticks;
    this.questions = QUESTIONS_BETWEEN_LOOKS;
  }

  /** The limit that is exceeded, if any. Cheap enough to be asked before each decision. */
  exceeded(conflicts: number, propagations: number, ticks: number): UnknownReason | undefined {
    if (!this.isLimited) return undefined;
    if (conflicts >= this.conflictLimit) return 'conflicts';
    if (propagations >= this.propagationLimit) return 'propagations';
    if (ticks < this.nextLook && --this.questions > 0) return undefined;
    this.nextLook = ticks + TICKS_BETWEEN_LOOKS;
    this.questions = QUESTIONS_BETWEEN_LOOKS;
    return exceededLimit(this.budget);
  }
}
