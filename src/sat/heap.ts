/**
 * A binary max-heap of variables ordered by score: the decision order of stable mode, VSIDS in its
 * exponential form (MiniSat; Liang et al., "Understanding VSIDS", 2015). Instead of decaying all scores the
 * increment grows, and everything is scaled down before it overflows. Ties go to the smaller variable, so the
 * order does not depend on history.
 */
import { grownInts } from './int-stack.ts';

const SCORE_LIMIT = 1e150;

export class ScoreHeap {
  score = new Float64Array(0); // by variable
  private heap = new Int32Array(0); // the variables, a heap
  private index = new Int32Array(0); // place of a variable in the heap, -1 = absent
  private size = 0;
  private readonly increment = new Float64Array([1]); // one number; a field would change the hidden class

  ensureVars(count: number): void {
    const old = this.index.length;
    if (count <= old) return;
    this.score = grownFloats(this.score, count);
    this.heap = grownInts(this.heap, count);
    this.index = grownInts(this.index, count);
    this.index.fill(-1, old);
  }

  contains(v: number): boolean {
    return this.index[v] >= 0;
  }

  isEmpty(): boolean {
    return this.size === 0;
  }

  top(): number {
    return this.heap[0];
  }

  insert(v: number): void {
    if (this.index[v] >= 0) return;
    this.heap[this.size] = v;
    this.up(this.size++);
  }

  pop(): number {
    const { heap, index } = this;
    const v = heap[0];
    index[v] = -1;
    const last = heap[--this.size];
    if (this.size > 0) {
      heap[0] = last;
      this.down(0);
    }
    return v;
  }

  /** Raises the score of a variable by the current increment. */
  bump(v: number): void {
    const score = (this.score[v] += this.increment[0]);
    if (score > SCORE_LIMIT) this.rescale();
    const at = this.index[v];
    if (at >= 0) this.up(at);
  }

  /** Lets all scores decay relative to those bumped from now on. */
  decay(factor: number): void {
    this.increment[0] /= factor;
    if (this.increment[0] > SCORE_LIMIT) this.rescale();
  }

  private rescale(): void {
    const { score } = this;
    for (let v = 0; v < score.length; v++) score[v] *= 1 / SCORE_LIMIT;
    this.increment[0] *= 1 / SCORE_LIMIT;
  }

  private up(from: number): void {
    const { heap, index, score } = this;
    let at = from;
    const v = heap[at];
    const s = score[v];
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      const ps = score[parent];
      if (ps > s || (ps === s && parent < v)) break;
      heap[at] = parent;
      index[parent] = at;
      at = parentAt;
    }
    heap[at] = v;
    index[v] = at;
  }

  private down(from: number): void {
    const { heap, index, score, size } = this;
    let at = from;
    const v = heap[at];
    const s = score[v];
    for (;;) {
      let childAt = 2 * at + 1;
      if (childAt >= size) break;
      let child = heap[childAt];
      let cs = score[child];
      if (childAt + 1 < size) {
        const right = heap[childAt + 1];
        const rs = score[right];
        if (rs > cs || (rs === cs && right < child)) {
          childAt++;
          child = right;
          cs = rs;
        }
      }
      if (s > cs || (s === cs && v < child)) break;
      heap[at] = child;
      index[child] = at;
      at = childAt;
    }
    heap[at] = v;
    index[v] = at;
  }
}

function grownFloats(old: Float64Array, count: number): Float64Array<ArrayBuffer> {
  const bigger = new Float64Array(count);
  bigger.set(old);
  return bigger;
}
