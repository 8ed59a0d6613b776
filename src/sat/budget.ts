/**
 * How much a call of `solve` may spend, and why it stopped. Conflicts and propagations are deterministic
 * limits; the deadline and the signal are looked at every so often only, since asking the clock costs more than
 * a conflict. A search that stops keeps all it learnt and can be continued by another call.
 */
export interface Budget {
  conflicts?: number; // at most this many conflicts in this call
  propagations?: number; // about this many propagated literals in this call
  deadline?: number; // stop at this time, in milliseconds on the clock of `Date.now()`
  signal?: { readonly aborted: boolean }; // an AbortSignal, or anything of its shape
}

export type InterruptReason = 'conflicts' | 'propagations' | 'deadline' | 'aborted';

// The clock is looked at when propagation has done so much, or has been asked for so often, since the last look:
// the one for large problems, the other for theories that take their time. Both are some milliseconds.
const TICKS_BETWEEN_LOOKS = 100_000;
const QUESTIONS_BETWEEN_LOOKS = 256;

export class Meter {
  private conflictLimit = Number.POSITIVE_INFINITY;
  private propagationLimit = Number.POSITIVE_INFINITY;
  private deadline = Number.POSITIVE_INFINITY;
  private signal: { readonly aborted: boolean } | undefined;
  private nextLook = 0; // in ticks
  private questions = 0; // until the next look
  private isLimited = false;

  start(budget: Budget | undefined, conflicts: number, propagations: number, ticks: number): void {
    this.isLimited = budget !== undefined;
    if (budget === undefined) return;
    this.conflictLimit = conflicts + (budget.conflicts ?? Number.POSITIVE_INFINITY);
    this.propagationLimit = propagations + (budget.propagations ?? Number.POSITIVE_INFINITY);
    this.deadline = budget.deadline ?? Number.POSITIVE_INFINITY;
    this.signal = budget.signal;
    this.nextLook = ticks;
    this.questions = QUESTIONS_BETWEEN_LOOKS;
  }

  /** The limit that is exceeded, if any. Cheap enough to be asked before each decision. */
  exceeded(conflicts: number, propagations: number, ticks: number): InterruptReason | undefined {
    if (!this.isLimited) return undefined;
    if (conflicts >= this.conflictLimit) return 'conflicts';
    if (propagations >= this.propagationLimit) return 'propagations';
    if (ticks < this.nextLook && --this.questions > 0) return undefined;
    this.nextLook = ticks + TICKS_BETWEEN_LOOKS;
    this.questions = QUESTIONS_BETWEEN_LOOKS;
    if (this.signal?.aborted) return 'aborted';
    if (this.deadline < Number.POSITIVE_INFINITY && Date.now() >= this.deadline) return 'deadline';
    return undefined;
  }
}
