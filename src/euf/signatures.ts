/**
 * The signature table of congruence closure: applications by their function symbol and the roots of their
 * arguments. It is chained, each application being in at most one chain; the hash is kept with it, so that
 * it can leave after the roots have changed.
 *
 * cg[p] is the application that holds p's signature; holders have cg[p] = p, and only they are in the table
 * (but for reflexive equalities, which are true anyway and stay out of it). When a merge changes the roots,
 * the holders among the applications concerned leave (`withdraw`) and come back under their new signature
 * (`settle`), or find it held. Both are logged, and undone in reverse order without hashing or comparing.
 *
 * An application that was added above the root level is outside the log: after backtracking its signature
 * may be out of date, and `refresh` enters it again.
 */

import { grownInts, IntStack } from '../sat/int-stack.ts';
import type { EGraph } from './egraph.ts';
import { NodeKind } from './egraph.ts';

const LOG_STRIDE = 3;

export class SignatureTable {
  private readonly graph: EGraph;
  cg = new Int32Array(64); // by application: the holder of its signature
  private buckets = new Int32Array(128).fill(-1); // first application of each chain
  private chain = new Int32Array(64); // by application: the next one in its chain
  private hashes = new Int32Array(64); // by application: hash with which it entered the table
  private listed = new Uint8Array(64); // by application: 1 if it is in the table
  private moved = new Int32Array(64); // by application: the last round in which it was withdrawn
  private round = 0;
  private count = 0; // applications in the table
  private readonly log = new IntStack(); // (application, old hash, whether it was listed)
  /** Holders that have left the table and must be settled. */
  readonly moving = new IntStack();

  constructor(graph: EGraph) {
    this.graph = graph;
  }

  grow(size: number): void {
    this.cg = grownInts(this.cg, size);
    this.chain = grownInts(this.chain, size);
    this.hashes = grownInts(this.hashes, size);
    this.moved = grownInts(this.moved, size);
    const listed = new Uint8Array(size);
    listed.set(this.listed);
    this.listed = listed;
  }

  /** Enters a new application, or notes who holds its signature already. */
  enter(p: number): number {
    if (this.isReflexive(p)) {
      this.cg[p] = p;
      this.listed[p] = 0;
      return p;
    }
    const hash = this.hash(p);
    for (let q = this.buckets[hash & (this.buckets.length - 1)]; q >= 0; q = this.chain[q]) {
      if (this.hashes[q] === hash && this.isCongruent(p, q)) {
        this.cg[p] = q;
        this.listed[p] = 0;
        return q;
      }
    }
    this.cg[p] = p;
    this.link(p, hash);
    return p;
  }

  /** Enters an application again whose place in the table may be out of date. */
  refresh(p: number): number {
    if (this.listed[p] !== 0) this.unlink(p);
    return this.enter(p);
  }

  // ---- merging ----

  beginMerge(): void {
    this.round++;
    this.moving.clear();
  }

  /** Takes p out if it holds its signature, before the roots change. */
  withdraw(p: number): void {
    if (this.cg[p] !== p || this.moved[p] === this.round) return;
    this.moved[p] = this.round;
    this.moving.push(p);
    const { log } = this;
    log.push(p);
    log.push(this.hashes[p]);
    log.push(this.listed[p]);
    if (this.listed[p] !== 0) this.unlink(p);
  }

  /** Where to undo to, to take back all that comes from here on. */
  get mark(): number {
    return this.log.size;
  }

  undo(mark: number): void {
    const { log, cg, listed, hashes } = this;
    while (log.size > mark) {
      log.size -= LOG_STRIDE;
      const p = log.data[log.size];
      if (listed[p] !== 0) this.unlink(p);
      cg[p] = p;
      hashes[p] = log.data[log.size + 1];
      if (log.data[log.size + 2] !== 0) this.link(p, hashes[p]);
    }
  }

  // ---- chains ----

  private link(p: number, hash: number): void {
    const bucket = hash & (this.buckets.length - 1);
    this.hashes[p] = hash;
    this.chain[p] = this.buckets[bucket];
    this.buckets[bucket] = p;
    this.listed[p] = 1;
    if (++this.count > this.buckets.length) this.rehash();
  }

  private unlink(p: number): void {
    const { buckets, chain } = this;
    const bucket = this.hashes[p] & (buckets.length - 1);
    let q = buckets[bucket];
    if (q === p) {
      buckets[bucket] = chain[p];
    } else {
      while (chain[q] !== p) q = chain[q];
      chain[q] = chain[p];
    }
    this.listed[p] = 0;
    this.count--;
  }

  private rehash(): void {
    const buckets = new Int32Array(2 * this.buckets.length).fill(-1);
    const mask = buckets.length - 1;
    for (let p of this.buckets) {
      while (p >= 0) {
        const after = this.chain[p];
        const bucket = this.hashes[p] & mask;
        this.chain[p] = buckets[bucket];
        buckets[bucket] = p;
        p = after;
      }
    }
    this.buckets = buckets;
  }

  // ---- signatures ----

  private isReflexive(p: number): boolean {
    const { kind, root, args, firstArg } = this.graph;
    const at = firstArg[p];
    return (kind[p] & NodeKind.EQUALITY) !== 0 && root[args[at]] === root[args[at + 1]];
  }

  private isCongruent(p: number, q: number): boolean {
    const { symbol, firstArg, args, root, kind } = this.graph;
    if (symbol[p] !== symbol[q]) return false;
    const i = firstArg[p];
    const j = firstArg[q];
    if ((kind[p] & NodeKind.EQUALITY) !== 0) {
      const a = root[args[i]];
      const b = root[args[i + 1]];
      const c = root[args[j]];
      const d = root[args[j + 1]];
      return (a === c && b === d) || (a === d && b === c);
    }
    const arity = firstArg[p + 1] - i;
    if (firstArg[q + 1] - j !== arity) return false;
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
}
