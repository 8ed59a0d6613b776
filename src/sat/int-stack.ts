/** Growing lists of integers that keep their memory, for trails and work lists in hot paths. */
export class IntStack {
  data = new Int32Array(64);
  size = 0;

  push(x: number): void {
    if (this.size === this.data.length) this.data = grownInts(this.data, 2 * this.size);
    this.data[this.size++] = x;
  }

  clear(): void {
    this.size = 0;
  }

  /** Forgets all, memory included. */
  release(): void {
    this.size = 0;
    this.data = new Int32Array(64);
  }

  /** Makes room for `count` integers in all, so that a loop may write to `data` without asking. */
  reserve(count: number): void {
    if (count > this.data.length) this.data = grownInts(this.data, 2 * count);
  }
}

export function grownInts(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}
