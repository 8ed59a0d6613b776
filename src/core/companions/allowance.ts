/**
 * What a companion may spend, by what the main search has done: nothing at first, then so much for each unit of its
 * work. It is spent in portions that are worth a turn.
 */
export class Allowance {
  private readonly rate: number; // what may be spent for each unit of main work
  private readonly portion: number;
  private paidAt: number; // the main work up to which the companion has been paid
  private credit = 0; // paid and not spent; below zero if a turn took more than it should

  constructor({ start, rate, portion }: { start: number; rate: number; portion: number }) {
    this.paidAt = start;
    this.rate = rate;
    this.portion = portion;
  }

  /** What may be spent now that the main search has done so much work; nothing if that is too little for a turn. */
  due(work: number): number | undefined {
    if (work > this.paidAt) {
      this.credit += this.rate * (work - this.paidAt);
      this.paidAt = work;
    }
    return this.credit < this.portion ? undefined : this.credit;
  }

  spend(effort: number): void {
    this.credit -= effort;
  }

  /** There are no more turns. */
  end(): void {
    this.credit = Number.NEGATIVE_INFINITY;
  }

  get hasEnded(): boolean {
    return this.credit === Number.NEGATIVE_INFINITY;
  }
}
