/**
 * A map from terms to small integers that is emptied in constant time, so that one column of memory serves
 * walk after walk: an entry counts only if its stamp is that of the present round.
 */
import type { TermId } from '../../term/store.ts';

export class ScratchMap<V extends number> {
  private values = new Int32Array(256);
  private stamps = new Int32Array(256);
  private round = 1;

  has(t: TermId): boolean {
    return t < this.stamps.length && this.stamps[t] === this.round;
  }

  /** The value of a term that is in the map. */
  get(t: TermId): V {
    return this.values[t] as V;
  }

  set(t: TermId, value: V): void {
    if (t >= this.stamps.length) this.grow(t + 1);
    this.stamps[t] = this.round;
    this.values[t] = value;
  }

  clear(): void {
    this.round++;
  }

  private grow(least: number): void {
    const size = Math.max(least, 2 * this.stamps.length);
    const [values, stamps] = [new Int32Array(size), new Int32Array(size)];
    values.set(this.values);
    stamps.set(this.stamps);
    this.values = values;
    this.stamps = stamps;
  }
}
