/** A map from terms to numbers that is used again and again: two integer columns, and forgetting all takes one step. */
import type { TermId } from './store.ts';

export class TermColumn<T extends number> {
  private column = new Int32Array(256);
  private rounds = new Int32Array(256); // the round that an entry was made in
  private round = 1;

  clear(): void {
    this.round++;
  }

  has(t: TermId): boolean {
    return t < this.rounds.length && this.rounds[t] === this.round;
  }

  /** The number of a term that is in the map. */
  get(t: TermId): T {
    return this.column[t] as T;
  }

  set(t: TermId, value: T): void {
    if (t >= this.rounds.length) this.grow(t + 1);
    this.column[t] = value;
    this.rounds[t] = this.round;
  }

  private grow(size: number): void {
    const length = Math.max(size, 2 * this.rounds.length);
    const [column, rounds] = [new Int32Array(length), new Int32Array(length)];
    column.set(this.column);
    rounds.set(this.rounds);
    this.column = column;
    this.rounds = rounds;
  }
}
