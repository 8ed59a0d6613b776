/**
 * The term graph that everything stands on: one hash-consed, append-only store of well-sorted terms.
 *
 * Invariants: two terms are structurally equal exactly when their ids are; the arguments of a term have
 * smaller ids than the term, so ascending order is a topological order; a term never changes. The store
 * is columns of integers, not objects, since there may be millions of terms:
 *
 *   ops[t]     operator code            sorts_[t]   sort id          payloads[t]   see `payload`
 *   first[t]   start of t's arguments in `pool`, which end where those of t + 1 start
 *   buckets    open-addressing hash table of term ids + 1 (0 = free), at most half full
 *
 * Nothing here is recursive: terms may be a million levels deep.
 */
import { SMALL_WIDTH } from './bitvector.ts';
import type { Brand } from './brand.ts';
import { OPERATORS, Op } from './operators.ts';
import { plural } from './plural.ts';
import { type SortId, SortStore } from './sort.ts';

export type TermId = Brand<number, 'TermId'>;
export type FunctionId = Brand<number, 'FunctionId'>;

/** A declared function symbol; a variable is one without parameters. */
export interface FunctionSymbol {
  readonly name: string;
  readonly parameters: readonly SortId[];
  readonly result: SortId;
}

/** An application that breaks the operator's sort rule. Readers turn it into an error with a position. */
export class SortError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SortError';
  }
}

/** Anything that can say whether a term is in it: a Set, a Map, a TermMap. */
export interface TermSet {
  has(t: TermId): boolean;
}

const NOTHING: TermSet = { has: () => false };
const NO_ARGS: readonly TermId[] = [];
const INITIAL = 1 << 10;

export class TermStore {
  readonly sorts = new SortStore();
  readonly true: TermId;
  readonly false: TermId;

  private count = 0; // number of terms
  private ops = new Uint8Array(INITIAL); // operator of each term
  private sorts_ = new Int32Array(INITIAL); // sort of each term
  private payloads = new Int32Array(INITIAL); // payload of each term
  private first = new Int32Array(INITIAL + 1); // where each term's arguments start in pool
  private pool = new Int32Array(4 * INITIAL); // the arguments of all terms, one after the other
  private buckets = new Int32Array(2 * INITIAL); // hash table: term id + 1, or 0
  private readonly functions: FunctionSymbol[] = [];
  private readonly bigConstants: bigint[] = []; // constants too wide for a payload
  private readonly bigConstantIndex = new Map<bigint, number>();
  private stamps = new Int32Array(0); // scratch of `postorder`: the round a term was last seen in
  private round = 0;

  constructor() {
    this.true = this.intern(Op.TRUE, NO_ARGS, 0, this.sorts.bool);
    this.false = this.intern(Op.FALSE, NO_ARGS, 0, this.sorts.bool);
  }

  // ---- making terms ----

  /** The application of an operator of the table; throws a SortError if the arguments do not fit. */
  app(op: Op, args: readonly TermId[], indices: readonly number[] = []): TermId {
    const operator = OPERATORS[op];
    const { arity, reading } = operator;
    if (reading === 'nary' ? args.length < arity : args.length !== arity) {
      const wanted = `${reading === 'nary' ? 'at least ' : ''}${plural(arity, 'argument')}`;
      throw new SortError(`'${operator.name}' takes ${wanted}, not ${args.length}`);
    }
    const sort = operator.sortRule(
      this.sorts,
      args.map(a => this.sort(a)),
      indices,
    );
    if (typeof sort === 'string') {
      const given = args.map(a => this.sorts.name(this.sort(a))).join(' ');
      const name = indices.length > 0 ? `(_ ${operator.name} ${indices.join(' ')})` : operator.name;
      throw new SortError(`'${name}' expects ${sort}, not ${given}`);
    }
    return this.intern(op, args, indices.length > 0 ? indices[indices.length - 1] : 0, sort);
  }

  /** A new function symbol, different from all others whatever its name. */
  declare(name: string, parameters: readonly SortId[], result: SortId): FunctionId {
    return (this.functions.push({ name, parameters, result }) - 1) as FunctionId;
  }

  apply(f: FunctionId, args: readonly TermId[]): TermId {
    const { name, parameters, result } = this.functions[f];
    if (args.length !== parameters.length) {
      throw new SortError(`'${name}' takes ${plural(parameters.length, 'argument')}, not ${args.length}`);
    }
    for (let i = 0; i < args.length; i++) {
      if (this.sort(args[i]) !== parameters[i]) {
        const [want, got] = [parameters[i], this.sort(args[i])].map(s => this.sorts.name(s));
        throw new SortError(`argument ${i + 1} of '${name}' must be ${want}, not ${got}`);
      }
    }
    return this.intern(Op.APPLY, args, f, result);
  }

  /** A new variable. */
  variable(name: string, sort: SortId): TermId {
    return this.apply(this.declare(name, [], sort), NO_ARGS);
  }

  /** A new variable of the name and sort of this one. */
  another(variable: TermId): TermId {
    return this.variable(this.nameOf(variable), this.sort(variable));
  }

  bool(value: boolean): TermId {
    return value ? this.true : this.false;
  }

  /** The bit-vector constant `value` modulo 2^width. */
  bv(width: number, value: number | bigint): TermId {
    const sort = this.sorts.bitVec(width);
    if (width <= SMALL_WIDTH) {
      const bits =
        typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** width
          ? value
          : Number(BigInt.asUintN(width, BigInt(value)));
      return this.intern(Op.BV_CONST, NO_ARGS, bits | 0, sort);
    }
    const bits = BigInt.asUintN(width, BigInt(value));
    let slot = this.bigConstantIndex.get(bits);
    if (slot === undefined) {
      slot = this.bigConstants.push(bits) - 1;
      this.bigConstantIndex.set(bits, slot);
    }
    return this.intern(Op.BV_CONST, NO_ARGS, slot, sort);
  }

  /** The array of the given sort that holds `element` at every index. */
  constArray(arraySort: SortId, element: TermId): TermId {
    const { sorts } = this;
    if (!sorts.isArray(arraySort) || sorts.elementSort(arraySort) !== this.sort(element)) {
      const [array, got] = [sorts.name(arraySort), sorts.name(this.sort(element))];
      throw new SortError(`a constant array of sort ${array} cannot hold ${got}`);
    }
    return this.intern(Op.CONST_ARRAY, [element], 0, arraySort);
  }

  not(a: TermId): TermId {
    return this.app(Op.NOT, [a]);
  }

  /** The conjunction; of nothing, it is true, and of one term, that term. */
  and(args: readonly TermId[]): TermId {
    if (args.length === 0) return this.true;
    return args.length === 1 ? args[0] : this.app(Op.AND, args);
  }

  or(args: readonly TermId[]): TermId {
    if (args.length === 0) return this.false;
    return args.length === 1 ? args[0] : this.app(Op.OR, args);
  }

  eq(a: TermId, b: TermId): TermId {
    return this.app(Op.EQ, [a, b]);
  }

  ite(condition: TermId, a: TermId, b: TermId): TermId {
    return this.app(Op.ITE, [condition, a, b]);
  }

  /** The same operator as `term`, applied to other arguments of the same sorts. */
  withArgs(term: TermId, args: readonly TermId[]): TermId {
    return this.intern(this.op(term), args, this.payloads[term], this.sort(term));
  }

  // ---- reading terms ----

  /** The number of terms; ids run from 0 up to it. */
  get size(): number {
    return this.count;
  }

  op(t: TermId): Op {
    return this.ops[t] as Op;
  }

  sort(t: TermId): SortId {
    return this.sorts_[t] as SortId;
  }

  /** The width of a bit-vector term; 0 for terms of other sorts. */
  width(t: TermId): number {
    return this.sorts.width(this.sort(t));
  }

  /**
   * What the operator alone does not say: the function of an application, the last index of an indexed
   * operator (for `extract` the low one; the high one follows from the sort), or how a constant is kept.
   */
  payload(t: TermId): number {
    return this.payloads[t];
  }

  arity(t: TermId): number {
    return this.first[t + 1] - this.first[t];
  }

  arg(t: TermId, i: number): TermId {
    return this.pool[this.first[t] + i] as TermId;
  }

  args(t: TermId): TermId[] {
    const args: TermId[] = [];
    for (let i = this.first[t]; i < this.first[t + 1]; i++) args.push(this.pool[i] as TermId);
    return args;
  }

  /** The indices with which the term's operator is written. */
  indices(t: TermId): number[] {
    const { indexCount } = OPERATORS[this.op(t)];
    if (indexCount === 0) return [];
    const last = this.payload(t);
    return indexCount === 2 ? [last + this.width(t) - 1, last] : [last];
  }

  functionOf(t: TermId): FunctionId {
    return this.payloads[t] as FunctionId;
  }

  symbol(f: FunctionId): FunctionSymbol {
    return this.functions[f];
  }

  /** What a variable, or the function of an application, is called. */
  nameOf(t: TermId): string {
    return this.symbol(this.functionOf(t)).name;
  }

  isVariable(t: TermId): boolean {
    return this.op(t) === Op.APPLY && this.arity(t) === 0;
  }

  /** Is it an application of a declared function with parameters? */
  isApplication(t: TermId): boolean {
    return this.op(t) === Op.APPLY && this.arity(t) > 0;
  }

  /** Is it a Boolean or bit-vector constant? Two different ones never have the same value. */
  isConstant(t: TermId): boolean {
    return this.ops[t] <= Op.BV_CONST;
  }

  /** The value of a bit-vector constant: a number up to width 32, a BigInt above. */
  bvValue(t: TermId): number | bigint {
    const payload = this.payloads[t];
    return this.width(t) <= SMALL_WIDTH ? payload >>> 0 : this.bigConstants[payload];
  }

  /**
   * All subterms of the roots, each once, arguments before what they are arguments of. Terms that `done`
   * has, and what lies below them only, are left out.
   */
  postorder(roots: readonly TermId[], done: TermSet = NOTHING): TermId[] {
    if (this.stamps.length < this.count) this.stamps = new Int32Array(this.ops.length);
    const { stamps } = this;
    const round = ++this.round;
    const order: TermId[] = [];
    const path: TermId[] = []; // the terms being visited, and for each the next argument to visit
    const next: number[] = [];
    for (const root of roots) {
      if (stamps[root] === round || done.has(root)) continue;
      if (this.ops[root] === undefined) throw new RangeError('this is no term');
      stamps[root] = round;
      path.push(root);
      next.push(0);
      while (path.length > 0) {
        const t = path[path.length - 1];
        const i = next[next.length - 1]++;
        if (i === this.arity(t)) {
          order.push(t);
          path.pop();
          next.pop();
          continue;
        }
        const a = this.arg(t, i);
        if (stamps[a] === round || done.has(a)) continue;
        stamps[a] = round;
        path.push(a);
        next.push(0);
      }
    }
    return order;
  }

  // ---- hash-consing ----

  private intern(op: Op, args: readonly TermId[], payload: number, sort: SortId): TermId {
    const mask = this.buckets.length - 1;
    let slot = hash(op, args, payload, sort) & mask;
    for (let entry = this.buckets[slot]; entry !== 0; entry = this.buckets[slot]) {
      if (this.matches(entry - 1, op, args, payload, sort)) return (entry - 1) as TermId;
      slot = (slot + 1) & mask;
    }
    const t = this.count;
    const start = this.first[t];
    this.makeRoom(start + args.length);
    this.ops[t] = op;
    this.sorts_[t] = sort;
    this.payloads[t] = payload;
    for (let i = 0; i < args.length; i++) this.pool[start + i] = args[i];
    this.first[t + 1] = start + args.length;
    this.count++;
    this.buckets[slot] = this.count;
    if (2 * this.count > this.buckets.length) this.rehash();
    return t as TermId;
  }

  private matches(t: number, op: Op, args: readonly TermId[], payload: number, sort: SortId): boolean {
    if (this.ops[t] !== op || this.payloads[t] !== payload || this.sorts_[t] !== sort) return false;
    const start = this.first[t];
    if (this.first[t + 1] - start !== args.length) return false;
    for (let i = 0; i < args.length; i++) if (this.pool[start + i] !== args[i]) return false;
    return true;
  }

  private makeRoom(poolSize: number): void {
    if (this.count === this.ops.length) {
      const size = 2 * this.count;
      this.ops = resized(this.ops, new Uint8Array(size));
      this.sorts_ = resized(this.sorts_, new Int32Array(size));
      this.payloads = resized(this.payloads, new Int32Array(size));
      this.first = resized(this.first, new Int32Array(size + 1));
    }
    if (poolSize > this.pool.length) {
      this.pool = resized(this.pool, new Int32Array(2 * poolSize));
    }
  }

  private rehash(): void {
    const buckets = new Int32Array(2 * this.buckets.length);
    const mask = buckets.length - 1;
    for (let t = 0; t < this.count; t++) {
      const id = t as TermId;
      let slot = hash(this.op(id), this.args(id), this.payloads[t], this.sort(id)) & mask;
      while (buckets[slot] !== 0) slot = (slot + 1) & mask;
      buckets[slot] = t + 1;
    }
    this.buckets = buckets;
  }
}

function hash(op: number, args: readonly number[], payload: number, sort: number): number {
  let h = Math.imul(op + 1, 0x9e3779b1) ^ Math.imul(payload + 0x7f4a7c15, 0x85ebca6b);
  h = Math.imul(h ^ sort, 0xc2b2ae35);
  for (let i = 0; i < args.length; i++) {
    h = Math.imul(h ^ (h >>> 15) ^ args[i], 0x2c1b3c6d);
  }
  return h ^ (h >>> 16);
}

function resized<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
