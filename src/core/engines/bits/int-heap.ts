/** A heap of integers, the least one first, in which each occurs at most once. */
import { grownInts } from '../../../sat/int-stack.ts';

export class IntHeap {
  size = 0;
  private data = new Int32Array(64);
  private readonly isIn: Uint8Array; // by integer

  constructor(limit: number) {
    this.isIn = new Uint8Array(limit);
  }

  insert(x: number): void {
    if (this.isIn[x] !== 0) return;
    this.isIn[x] = 1;
    if (this.size === this.data.length) this.data = grownInts(this.data, 2 * this.size);
    const { data } = this;
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (data[parent] <= x) break;
      data[i] = data[parent];
      i = parent;
    }
    data[i] = x;
  }

  /** Removes the least one. */
  pop(): number {
    const { data } = this;
    const least = data[0];
    this.isIn[least] = 0;
    const x = data[--this.size];
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && data[child + 1] < data[child]) child++;
      if (data[child] >= x) break;
      data[i] = data[child];
      i = child;
    }
    data[i] = x;
    return least;
  }

  clear(): void {
    for (let i = 0; i < this.size; i++) this.isIn[this.data[i]] = 0;
    this.size = 0;
  }
}
