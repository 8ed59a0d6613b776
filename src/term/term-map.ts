/** A map from terms to terms as one integer column; far smaller and faster than a Map when terms are dense. */
import type { TermId } from './store.ts';

export class TermMap {
  private column = new Int32Array(256); // image + 1, or 0 for none

  has(t: TermId): boolean {
    return t < this.column.length && this.column[t] !== 0;
  }

  /** The image of a term that is in the map. */
  get(t: TermId): TermId {
    return (this.column[t] - 1) as TermId;
  }

  set(t: TermId, image: TermId): void {
    if (t >= this.column.length) {
      const larger = new Int32Array(Math.max(t + 1, 2 * this.column.length));
      larger.set(this.column);
      this.column = larger;
    }
    this.column[t] = image + 1;
  }
}
