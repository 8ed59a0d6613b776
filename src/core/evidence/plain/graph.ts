/**
 * The terms of a problem with definitions put in: a variable with a definition `v = t` is t, and what was a claim is none
 * any more. That changes nothing about satisfiability as long as definitions do not go round in a circle, because v can
 * always be given the value of t. Where they do go round, one of the circle is a claim again.
 *
 * Nodes are numbered from 0, arguments before what they are arguments of. Two nodes are different only if operator, sort
 * or arguments are; the arguments of commutative operators are in ascending order, so a * b and b * a are one node.
 * A node stands for the term it was made from, from which its operator, its indices and its sort are known.
 *
 * `isNeeded` says what the claims rest on. The rest belongs to definitions of variables that nobody mentions: it has no
 * say in whether there is a model, only in what the model is.
 */
import { grownInts, IntStack } from '../../../sat/int-stack.ts';
import type { Work } from '../../../sat/work.ts';
import { OPERATORS, type Op } from '../../../term/operators.ts';
import type { SortId } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { type Claim, type Conjuncts, conjunctsOf, type Definition } from './conjuncts.ts';
import { sortInts } from './gates.ts';
import { type Pace, VISIT } from './pace.ts';

const UNSEEN = 0;
const OPEN = -1; // being visited; a positive image is a node + 1

export class Graph {
  readonly terms: TermStore;
  /** Claims as 2n if node n is said to hold, 2n + 1 if it is said not to. */
  readonly claims = new IntStack();
  /** Variables with definitions, each after those that its definition mentions. */
  readonly defined: TermId[] = [];
  isNeeded = new Uint8Array(0); // by node
  count = 0; // nodes
  private made = new Int32Array(256); // by node: the term it was made from
  private first = new Int32Array(257); // by node: where its arguments start
  private args = new Int32Array(512);
  private buckets = new Int32Array(1024); // node + 1, or 0; at most half full
  private readonly images: Int32Array; // by term: see above
  private readonly definitions: Map<TermId, Definition>;
  private readonly path = new IntStack(); // terms being visited, and the argument of each that is next
  private readonly next = new IntStack();
  private readonly scratch = new IntStack();

  private constructor(terms: TermStore, formulas: readonly TermId[], definitions: Map<TermId, Definition>) {
    this.terms = terms;
    this.definitions = definitions;
    const last = formulas.reduce<number>((a, b) => Math.max(a, b), terms.false);
    this.images = new Int32Array(last + 1); // what a formula is made of comes before it
  }

  static *build(terms: TermStore, formulas: readonly TermId[], pace: Pace): Work<Graph> {
    const conjuncts = yield* conjunctsOf(terms, formulas, pace);
    const graph = new Graph(terms, formulas, conjuncts.definitions);
    yield* graph.visitAll(conjuncts, pace);
    yield* graph.markNeeded(pace);
    return graph;
  }

  // ---- reading ----

  term(n: number): TermId {
    return this.made[n] as TermId;
  }

  op(n: number): Op {
    return this.terms.op(this.made[n] as TermId);
  }

  sort(n: number): SortId {
    return this.terms.sort(this.made[n] as TermId);
  }

  arity(n: number): number {
    return this.first[n + 1] - this.first[n];
  }

  arg(n: number, i: number): number {
    return this.args[this.first[n] + i];
  }

  /** The node of a term of the problem. */
  node(t: TermId): number {
    return this.images[t] - 1;
  }

  /** What a variable is defined as. */
  body(v: TermId): TermId {
    return (this.definitions.get(v) as Definition).body;
  }

  // ---- making ----

  private *visitAll({ claims }: Conjuncts, pace: Pace): Work<void> {
    const open: Claim[] = [...claims].reverse();
    const rest = [...this.definitions.keys()];
    let nextDefinition = 0;
    for (;;) {
      const claim = open.pop();
      if (claim !== undefined) {
        yield* this.visit((claim >> 1) as TermId, open, pace);
        this.claims.push(2 * this.node((claim >> 1) as TermId) + (claim & 1));
      } else if (nextDefinition < rest.length) {
        // Nobody mentions it, but it may be part of a circle.
        yield* this.visit(rest[nextDefinition++], open, pace);
      } else {
        return;
      }
    }
  }

  /** Makes the node of a term and of all below it. Claims that turn out to be no definitions are added to `open`. */
  private *visit(root: TermId, open: Claim[], pace: Pace): Work<void> {
    const { terms, images, path, next, definitions } = this;
    this.enter(root);
    while (path.size > 0) {
      if (pace.spend(VISIT)) yield* pace.pause();
      const t = path.data[path.size - 1] as TermId;
      const i = next.data[next.size - 1]++;
      const definition = definitions.size > 0 ? definitions.get(t) : undefined;
      if (i < (definition === undefined ? terms.arity(t) : 1)) {
        const a = definition === undefined ? terms.arg(t, i) : definition.body;
        if (images[a] === UNSEEN) this.enter(a);
        else if (images[a] === OPEN) open.push(this.breakCircle());
        continue;
      }
      if (definition === undefined) {
        images[t] = this.intern(t) + 1;
      } else {
        images[t] = images[definition.body];
        this.defined.push(t);
      }
      path.size--;
      next.size--;
    }
  }

  private enter(t: TermId): void {
    if (this.images[t] !== UNSEEN) return;
    this.images[t] = OPEN;
    this.path.push(t);
    this.next.push(0);
  }

  /** The definition that was followed last is none: its variable is a leaf, and what was above it is visited later. */
  private breakCircle(): Claim {
    const { path, next, images, definitions } = this;
    for (;;) {
      const t = path.data[path.size - 1] as TermId;
      const definition = definitions.get(t);
      if (definition !== undefined) {
        definitions.delete(t);
        next.data[next.size - 1] = 0;
        return definition.claim;
      }
      images[t] = UNSEEN;
      path.size--;
      next.size--;
    }
  }

  private intern(t: TermId): number {
    const { terms, images, scratch } = this;
    const arity = terms.arity(t);
    scratch.clear();
    for (let i = 0; i < arity; i++) scratch.push(images[terms.arg(t, i)] - 1);
    if (OPERATORS[terms.op(t)].commutative) sortInts(scratch.data, arity);
    const mask = this.buckets.length - 1;
    let slot = this.hash(t, scratch.data, 0, arity) & mask;
    for (let entry = this.buckets[slot]; entry !== 0; entry = this.buckets[slot]) {
      if (this.isSame(entry - 1, t, scratch.data, arity)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const n = this.count++;
    const start = this.first[n];
    if (this.count === this.made.length) {
      this.made = grownInts(this.made, 2 * this.count);
      this.first = grownInts(this.first, 2 * this.count + 1);
    }
    if (start + arity > this.args.length) this.args = grownInts(this.args, 2 * (start + arity));
    this.made[n] = t;
    for (let i = 0; i < arity; i++) this.args[start + i] = scratch.data[i];
    this.first[n + 1] = start + arity;
    this.buckets[slot] = n + 1;
    if (2 * this.count > this.buckets.length) this.rehash();
    return n;
  }

  private isSame(n: number, t: TermId, args: Int32Array, arity: number): boolean {
    const { terms } = this;
    const other = this.made[n] as TermId;
    if (terms.op(other) !== terms.op(t) || terms.payload(other) !== terms.payload(t)) return false;
    if (terms.sort(other) !== terms.sort(t) || this.arity(n) !== arity) return false;
    const start = this.first[n];
    for (let i = 0; i < arity; i++) if (this.args[start + i] !== args[i]) return false;
    return true;
  }

  private hash(t: TermId, args: Int32Array, from: number, to: number): number {
    const { terms } = this;
    let h = Math.imul(terms.op(t) + 1, 0x9e3779b1) ^ Math.imul(terms.payload(t), 0x85ebca6b) ^ terms.sort(t);
    for (let i = from; i < to; i++) h = Math.imul(h ^ (h >>> 15) ^ args[i], 0x2c1b3c6d);
    return h ^ (h >>> 13);
  }

  private rehash(): void {
    const buckets = new Int32Array(2 * this.buckets.length);
    const mask = buckets.length - 1;
    for (let n = 0; n < this.count; n++) {
      let slot = this.hash(this.made[n] as TermId, this.args, this.first[n], this.first[n + 1]) & mask;
      while (buckets[slot] !== 0) slot = (slot + 1) & mask;
      buckets[slot] = n + 1;
    }
    this.buckets = buckets;
  }

  private *markNeeded(pace: Pace): Work<void> {
    this.isNeeded = new Uint8Array(this.count);
    for (let i = 0; i < this.claims.size; i++) this.isNeeded[this.claims.data[i] >> 1] = 1;
    for (let n = this.count - 1; n >= 0; n--) {
      if (pace.spend(VISIT)) yield* pace.pause();
      if (this.isNeeded[n] === 0) continue;
      for (let i = this.first[n]; i < this.first[n + 1]; i++) this.isNeeded[this.args[i]] = 1;
    }
  }
}
