/** A growing list of integers that keeps its memory, for work lists and trails. */
export class IntStack {
  data = new Int32Array(64);
  size = 0;

  push(x: number): void {
    if (this.size === this.data.length) this.data = grown(this.data, 2 * this.size);
    this.data[this.size++] = x;
  }

  clear(): void {
    this.size = 0;
  }
}

export function grown(from: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}
