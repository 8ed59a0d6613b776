/**
 * The and-inverter graph: Boolean functions as two-input conjunctions with complemented edges, hash-consed, so
 * that equal structure is built once and constants vanish before any clause exists. Conjunctions are simplified
 * by looking two levels deep (Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization without
 * Blowup", MEMICS 2006); no rule adds more than one node.
 *
 * An edge is 2 · node, plus 1 if it is complemented; node 0 is the constant false. The arguments of a node have
 * smaller numbers than the node. An input has no arguments, which is written as left[n] = INPUT.
 *
 * Most graphs are built before the just-in-time compiler has seen this code, so it avoids what is slow uncompiled,
 * destructuring of arrays above all.
 */
import { grownInts } from '../sat/int-stack.ts';
import type { Brand } from '../term/brand.ts';

export type Edge = Brand<number, 'Edge'>;

export const FALSE = 0 as Edge;
export const TRUE = 1 as Edge;
const INPUT = -1;
const INITIAL = 1 << 12;

export function complement(e: Edge): Edge {
  return (e ^ 1) as Edge;
}

export function nodeOf(e: Edge): number {
  return e >> 1;
}

export function isComplemented(e: Edge): boolean {
  return (e & 1) !== 0;
}

export class Aig {
  count = 1; // number of nodes
  left = new Int32Array(INITIAL); // first argument of each node, as an edge, or INPUT
  right = new Int32Array(INITIAL); // second argument, greater than the first
  parents = new Int32Array(INITIAL); // how many nodes have this one as an argument
  private buckets = new Int32Array(2 * INITIAL); // hash table of conjunctions, 0 where free

  private readonly onGrowth: () => void;

  /**
   * `onGrowth` hears of it now and then when nodes are made. It may throw to end the work, since one operator on wide
   * vectors may stand for millions of nodes; the graph is as it was before the node.
   */
  constructor(onGrowth: () => void = () => {}) {
    this.onGrowth = onGrowth;
    this.left[0] = INPUT;
  }

  input(): Edge {
    const n = this.newNode();
    this.left[n] = INPUT;
    return (n << 1) as Edge;
  }

  isInput(node: number): boolean {
    return this.left[node] === INPUT;
  }

  and(a: Edge, b: Edge): Edge {
    let x: number = a;
    let y: number = b;
    for (;;) {
      if (x > y) {
        const z = x;
        x = y;
        y = z;
      }
      if (x === FALSE || x === (y ^ 1)) return FALSE;
      if (x === TRUE || x === y) return y as Edge;
      const step = this.twoLevel(x, y);
      if (step === KEEP) return this.conjunction(x, y);
      if (step !== PAIR) return step as Edge;
      x = this.pairLeft;
      y = this.pairRight;
    }
  }

  or(a: Edge, b: Edge): Edge {
    return complement(this.and(complement(a), complement(b)));
  }

  xor(a: Edge, b: Edge): Edge {
    if (a <= TRUE) return (b ^ a) as Edge;
    if (b <= TRUE) return (a ^ b) as Edge;
    // Complements are moved to the outside, so that the four variants share their nodes.
    const sign = (a ^ b) & 1;
    const p = (a & ~1) as Edge;
    const q = (b & ~1) as Edge;
    const both = this.and(p, q);
    const neither = this.and(complement(p), complement(q));
    return (this.and(complement(both), complement(neither)) ^ sign) as Edge;
  }

  iff(a: Edge, b: Edge): Edge {
    return complement(this.xor(a, b));
  }

  ite(c: Edge, a: Edge, b: Edge): Edge {
    if (c <= TRUE) return c === TRUE ? a : b;
    if (a === b) return a;
    if (a === complement(b)) return this.iff(c, a);
    if (a <= TRUE || a === c || a === complement(c)) {
      return a === TRUE || a === c ? this.or(c, b) : this.and(complement(c), b);
    }
    if (b <= TRUE || b === c || b === complement(c)) {
      return b === FALSE || b === c ? this.and(c, a) : this.or(complement(c), a);
    }
    const yes = this.and(c, complement(a));
    const no = this.and(complement(c), complement(b));
    return this.and(complement(yes), complement(no));
  }

  /** The conjunction of all edges. */
  all(edges: readonly Edge[]): Edge {
    let result = TRUE;
    for (const e of edges) result = this.and(result, e);
    return result;
  }

  any(edges: readonly Edge[]): Edge {
    let result = FALSE;
    for (const e of edges) result = this.or(result, e);
    return result;
  }

  private pairLeft = 0; // what `twoLevel` leaves of a conjunction that it made smaller
  private pairRight = 0;

  /** The rules that look at the arguments of x and y: a result, KEEP, or PAIR with the edges to conjoin instead. */
  private twoLevel(x: number, y: number): number {
    const { left, right } = this;
    const xl = left[x >> 1];
    const xr = right[x >> 1];
    const yl = left[y >> 1];
    const yr = right[y >> 1];
    if (xl !== INPUT) {
      const step = (x & 1) === 0 ? this.insideAnd(x, xl, xr, y) : this.insideNand(xl, xr, y);
      if (step !== KEEP) return step;
    }
    if (yl !== INPUT) {
      const step = (y & 1) === 0 ? this.insideAnd(y, yl, yr, x) : this.insideNand(yl, yr, x);
      if (step !== KEEP) return step;
    }
    if (xl === INPUT || yl === INPUT) return KEEP;
    if ((x & 1) === 0) {
      return (y & 1) === 0 ? this.twoAnds(x, xl, xr, yl, yr) : this.andNand(x, xl, xr, yl, yr);
    }
    return (y & 1) === 0 ? this.andNand(y, yl, yr, xl, xr) : this.twoNands(xl, xr, yl, yr);
  }

  /** (l ∧ r) ∧ other: contradiction, idempotence. */
  private insideAnd(whole: number, l: number, r: number, other: number): number {
    if (other === (l ^ 1) || other === (r ^ 1)) return FALSE;
    return other === l || other === r ? whole : KEEP;
  }

  /** ¬(l ∧ r) ∧ other: subsumption, substitution. */
  private insideNand(l: number, r: number, other: number): number {
    if (other === (l ^ 1) || other === (r ^ 1)) return other;
    if (other === l) return this.pair(other, r ^ 1);
    return other === r ? this.pair(other, l ^ 1) : KEEP;
  }

  /** (xl ∧ xr) ∧ (yl ∧ yr): contradiction, idempotence. */
  private twoAnds(x: number, xl: number, xr: number, yl: number, yr: number): number {
    if (xl === (yl ^ 1) || xl === (yr ^ 1) || xr === (yl ^ 1) || xr === (yr ^ 1)) return FALSE;
    if (xl === yl || xr === yl) return this.pair(x, yr);
    return xl === yr || xr === yr ? this.pair(x, yl) : KEEP;
  }

  /** (l ∧ r) ∧ ¬(nl ∧ nr): subsumption, substitution. */
  private andNand(whole: number, l: number, r: number, nl: number, nr: number): number {
    if (l === (nl ^ 1) || l === (nr ^ 1) || r === (nl ^ 1) || r === (nr ^ 1)) return whole;
    if (l === nl || r === nl) return this.pair(whole, nr ^ 1);
    return l === nr || r === nr ? this.pair(whole, nl ^ 1) : KEEP;
  }

  /** ¬(xl ∧ xr) ∧ ¬(yl ∧ yr): resolution. */
  private twoNands(xl: number, xr: number, yl: number, yr: number): number {
    if ((xl === yl && xr === (yr ^ 1)) || (xl === yr && xr === (yl ^ 1))) return xl ^ 1;
    return (xr === yl && xl === (yr ^ 1)) || (xr === yr && xl === (yl ^ 1)) ? xr ^ 1 : KEEP;
  }

  private pair(x: number, y: number): number {
    this.pairLeft = x;
    this.pairRight = y;
    return PAIR;
  }

  /** The hash-consed node x ∧ y, for x < y. */
  private conjunction(x: number, y: number): Edge {
    const mask = this.buckets.length - 1;
    let slot = hash(x, y) & mask;
    for (let n = this.buckets[slot]; n !== 0; n = this.buckets[slot]) {
      if (this.left[n] === x && this.right[n] === y) return (n << 1) as Edge;
      slot = (slot + 1) & mask;
    }
    const n = this.newNode();
    this.left[n] = x;
    this.right[n] = y;
    this.parents[x >> 1]++;
    this.parents[y >> 1]++;
    this.buckets[slot] = n;
    if (2 * this.count > this.buckets.length) this.rehash();
    return (n << 1) as Edge;
  }

  private newNode(): number {
    if (this.count % GROWTH === 0) this.onGrowth();
    if (this.count === this.left.length) {
      const size = 2 * this.count;
      this.left = grownInts(this.left, size);
      this.right = grownInts(this.right, size);
      this.parents = grownInts(this.parents, size);
    }
    return this.count++;
  }

  private rehash(): void {
    const buckets = new Int32Array(2 * this.buckets.length);
    const mask = buckets.length - 1;
    for (let n = 1; n < this.count; n++) {
      if (this.left[n] === INPUT) continue;
      let slot = hash(this.left[n], this.right[n]) & mask;
      while (buckets[slot] !== 0) slot = (slot + 1) & mask;
      buckets[slot] = n;
    }
    this.buckets = buckets;
  }
}

const GROWTH = 1 << 14; // nodes
const KEEP = -1; // no rule applies
const PAIR = -2; // conjoin pairLeft and pairRight instead

function hash(x: number, y: number): number {
  const h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  return (h ^ (h >>> 15)) >>> 0;
}
