/**
 * The signature table of congruence closure: applications by their function symbol and the roots of their
 * arguments. It is chained, each application being in at most one chain, so that leaving and returning cost
 * no probing; the hash is kept with the node, so that it can leave after the roots have changed.
 *
 * cg[p] is the application that holds p's signature: p itself when p is in the table. When classes change,
 * the holders among the applications concerned must leave (`eraseHolder`) and come back (`reinsert` after
 * a merge, `restore` after its undoing).
 */
import type { EGraph } from './egraph.ts';
import { NodeKind } from './egraph.ts';
import { grown } from './int-stack.ts';

export class SignatureTable {
  private readonly graph: EGraph;
  cg = new Int32Array(64); // by application: the holder of its signature
  private buckets = new Int32Array(128).fill(-1); // first application of each chain
  private chain = new Int32Array(64); // by application: the next one in its chain
  private hashes = new Int32Array(64); // by application: hash with which it entered the table
  private count = 0; // applications in the table

  constructor(graph: EGraph) {
    this.graph = graph;
  }

  grow(size: number): void {
    this.cg = grown(this.cg, size);
    this.chain = grown(this.chain, size);
    this.hashes = grown(this.hashes, size);
  }

  /** Enters an application, or notes who holds its signature already; entering twice is entering once. */
  insert(p: number): number {
    const hash = this.hash(p);
    const bucket = hash & (this.buckets.length - 1);
    for (let q = this.buckets[bucket]; q >= 0; q = this.chain[q]) {
      if (this.hashes[q] === hash && this.isCongruent(p, q)) {
        this.cg[p] = q;
        return q;
      }
    }
    this.hashes[p] = hash;
    this.chain[p] = this.buckets[bucket];
    this.buckets[bucket] = p;
    this.cg[p] = p;
    if (++this.count > this.buckets.length) this.rehash();
    return p;
  }

  /** Takes p out if it holds its signature. */
  eraseHolder(p: number): void {
    if (this.cg[p] !== p) return;
    const bucket = this.hashes[p] & (this.buckets.length - 1);
    let q = this.buckets[bucket];
    if (q === p) {
      this.buckets[bucket] = this.chain[p];
      this.count--;
      return;
    }
    // A node with two arguments in one class is met twice: the second time it is gone already.
    while (q >= 0 && this.chain[q] !== p) q = this.chain[q];
    if (q < 0) return;
    this.chain[q] = this.chain[p];
    this.count--;
  }

  /** After a merge: a holder comes back under its new signature, unless another one holds that. */
  reinsert(p: number): number {
    return this.cg[p] === p ? this.insert(p) : this.cg[p];
  }

  /**
   * After undoing a merge: who held its signature before holds it again. A congruent holder is kept even if
   * it has lost the table to a third application meanwhile: that will be undone before p hears of it.
   */
  restore(p: number): number {
    const holder = this.cg[p];
    return holder === p || !this.isCongruent(p, holder) ? this.insert(p) : holder;
  }

  private isCongruent(p: number, q: number): boolean {
    const { symbol, firstArg, args, root, kind } = this.graph;
    if (symbol[p] !== symbol[q]) return false;
    const i = firstArg[p];
    const j = firstArg[q];
    const arity = firstArg[p + 1] - i;
    if (firstArg[q + 1] - j !== arity) return false;
    if ((kind[p] & NodeKind.EQUALITY) !== 0) {
      const a = root[args[i]];
      const b = root[args[i + 1]];
      const c = root[args[j]];
      const d = root[args[j + 1]];
      return (a === c && b === d) || (a === d && b === c);
    }
    for (let k = 0; k < arity; k++) if (root[args[i + k]] !== root[args[j + k]]) return false;
    return true;
  }

  private hash(p: number): number {
    const { symbol, firstArg, args, root, kind } = this.graph;
    const end = firstArg[p + 1];
    let i = firstArg[p];
    let h = Math.imul(symbol[p] + 0x1656_67b1, 0x9e37_79b1);
    if ((kind[p] & NodeKind.EQUALITY) !== 0) {
      const a = root[args[i]];
      const b = root[args[i + 1]];
      h = Math.imul(h ^ Math.min(a, b), 0x85eb_ca6b);
      h = Math.imul(h ^ (h >>> 13) ^ Math.max(a, b), 0xc2b2_ae35);
      return h ^ (h >>> 16);
    }
    for (; i < end; i++) h = Math.imul(h ^ (h >>> 15) ^ root[args[i]], 0x85eb_ca6b);
    return h ^ (h >>> 13);
  }

  private rehash(): void {
    const buckets = new Int32Array(2 * this.buckets.length).fill(-1);
    const mask = buckets.length - 1;
    for (let start of this.buckets) {
      while (start >= 0) {
        const after = this.chain[start];
        const bucket = this.hashes[start] & mask;
        this.chain[start] = buckets[bucket];
        buckets[bucket] = start;
        start = after;
      }
    }
    this.buckets = buckets;
  }
}
