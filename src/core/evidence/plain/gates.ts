/**
 * Gates, straight to clauses (Tseitin, "On the complexity of derivation in propositional calculus", 1968). A gate is made
 * once: inputs are brought into a normal order and looked up in a table first. The only simplifications are those that
 * need no more than the inputs of one gate: constants, equal and opposite inputs.
 *
 * Literals are those of `src/sat`. Variable 0 is the constant: literal TRUE is 0, literal FALSE is 1.
 *
 * The table of small gates has four integers a slot: kind and first input, second, third, output + 1 (0 = free slot).
 * Conjunctions of any length have a table of their own, whose inputs lie in one pool.
 */
import { grownInts, IntStack } from '../../../sat/int-stack.ts';

export const TRUE = 0;
export const FALSE = 1;

/** Where clauses go. */
export interface ClauseSink {
  newVar(): number;
  /** The literals are `source[0 .. size)` and are copied. */
  addClause(source: Int32Array, size: number): void;
}

const AND = 0;
const XOR = 1;
const MUX = 2;
const MAJORITY = 3;
const PARITY = 4;
const KINDS = 8; // more than there are, a power of two

const SLOT = 4; // integers a slot
const NONE = 0; // for an input that a gate does not have

export class Gates {
  private readonly sink: ClauseSink;
  private table = new Int32Array(SLOT << 8);
  private count = 0; // gates in the table
  private listTable = new Int32Array(1 << 6); // number of a list + 1, or 0
  private readonly listStart = new IntStack(); // by list: where its literals start in the pool, and one past the last
  private readonly listOutput = new IntStack();
  private readonly listPool = new IntStack();
  private readonly clause = new Int32Array(4); // scratch
  private long = new Int32Array(64); // scratch for clauses of any length
  private readonly inputs = new IntStack(); // scratch of `conjunction` and `equal`

  constructor(sink: ClauseSink) {
    this.sink = sink;
    sink.newVar();
    this.assert(TRUE);
  }

  // ---- clauses ----

  fresh(): number {
    return this.sink.newVar() << 1;
  }

  assert(literal: number): void {
    this.clause[0] = literal;
    this.add(1);
  }

  /** Says that one of the literals holds. */
  assertOneOf(literals: IntStack): void {
    const { size } = literals;
    if (size > this.long.length) this.long = new Int32Array(2 * size);
    this.long.set(literals.data.subarray(0, size));
    this.addLong(size);
  }

  private add(size: number): void {
    this.sink.addClause(this.clause, size);
  }

  private addLong(size: number): void {
    this.sink.addClause(this.long, size);
  }

  private two(a: number, b: number): void {
    const { clause } = this;
    clause[0] = a;
    clause[1] = b;
    this.add(2);
  }

  private three(a: number, b: number, c: number): void {
    const { clause } = this;
    clause[0] = a;
    clause[1] = b;
    clause[2] = c;
    this.add(3);
  }

  private four(a: number, b: number, c: number, d: number): void {
    const { clause } = this;
    clause[0] = a;
    clause[1] = b;
    clause[2] = c;
    clause[3] = d;
    this.add(4);
  }

  // ---- small gates ----

  and(a: number, b: number): number {
    if (a > b) return this.and(b, a);
    if (a === TRUE) return b;
    if (a === FALSE || a === (b ^ 1)) return FALSE;
    if (a === b) return a;
    const slot = this.find(AND, a, b, NONE);
    if (this.table[slot + 3] !== 0) return this.table[slot + 3] - 1;
    const out = this.insert(slot, AND, a, b, NONE);
    this.two(out ^ 1, a);
    this.two(out ^ 1, b);
    this.three(out, a ^ 1, b ^ 1);
    return out;
  }

  or(a: number, b: number): number {
    return this.and(a ^ 1, b ^ 1) ^ 1;
  }

  xor(a: number, b: number): number {
    const sign = (a ^ b) & 1;
    const x = Math.min(a, b) & ~1;
    const y = Math.max(a, b) & ~1;
    if (x === y) return FALSE ^ sign;
    if (x === TRUE) return y ^ 1 ^ sign;
    const slot = this.find(XOR, x, y, NONE);
    if (this.table[slot + 3] !== 0) return (this.table[slot + 3] - 1) ^ sign;
    const out = this.insert(slot, XOR, x, y, NONE);
    this.three(out ^ 1, x, y);
    this.three(out ^ 1, x ^ 1, y ^ 1);
    this.three(out, x ^ 1, y);
    this.three(out, x, y ^ 1);
    return out ^ sign;
  }

  /** If c then a else b. */
  mux(c: number, a: number, b: number): number {
    if ((c & 1) !== 0) return this.mux(c ^ 1, b, a);
    if ((a & 1) !== 0 && a !== FALSE) return this.mux(c, a ^ 1, b ^ 1) ^ 1;
    if (c === TRUE || a === b) return a;
    if (a === (b ^ 1)) return this.xor(c, b);
    if (a === TRUE || a === c) return this.or(c, b);
    if (a === FALSE) return this.and(c ^ 1, b);
    if (b === FALSE || b === c) return this.and(c, a);
    if (b === TRUE || b === (c ^ 1)) return this.or(c ^ 1, a);
    const slot = this.find(MUX, c, a, b);
    if (this.table[slot + 3] !== 0) return this.table[slot + 3] - 1;
    const out = this.insert(slot, MUX, c, a, b);
    this.three(c ^ 1, a ^ 1, out);
    this.three(c ^ 1, a, out ^ 1);
    this.three(c, b ^ 1, out);
    this.three(c, b, out ^ 1);
    // These two follow, but not by unit propagation.
    this.three(a ^ 1, b ^ 1, out);
    this.three(a, b, out ^ 1);
    return out;
  }

  /** At least two of three: the carry of a full adder. */
  majority(a: number, b: number, c: number): number {
    if (a > b) return this.majority(b, a, c);
    if (b > c) return this.majority(a, c, b);
    if (a === b) return a;
    if (b === c) return b;
    if (a === (b ^ 1)) return c;
    if (b === (c ^ 1)) return a;
    if (a === TRUE) return this.or(b, c);
    if (a === FALSE) return this.and(b, c);
    if ((a & 1) !== 0) return this.majority(a ^ 1, b ^ 1, c ^ 1) ^ 1;
    const slot = this.find(MAJORITY, a, b, c);
    if (this.table[slot + 3] !== 0) return this.table[slot + 3] - 1;
    const out = this.insert(slot, MAJORITY, a, b, c);
    this.three(a ^ 1, b ^ 1, out);
    this.three(a ^ 1, c ^ 1, out);
    this.three(b ^ 1, c ^ 1, out);
    this.three(a, b, out ^ 1);
    this.three(a, c, out ^ 1);
    this.three(b, c, out ^ 1);
    return out;
  }

  /** An odd number of three: the sum of a full adder. */
  parity(p: number, q: number, r: number): number {
    const sign = (p ^ q ^ r) & 1;
    const low = Math.min(p, q);
    const high = Math.max(p, q);
    const a = Math.min(low, r) & ~1;
    const b = Math.max(low, Math.min(high, r)) & ~1;
    const c = Math.max(high, r) & ~1;
    if (a === TRUE) return this.xor(b, c) ^ 1 ^ sign;
    if (a === b) return c ^ sign;
    if (b === c) return a ^ sign;
    const slot = this.find(PARITY, a, b, c);
    if (this.table[slot + 3] !== 0) return (this.table[slot + 3] - 1) ^ sign;
    const out = this.insert(slot, PARITY, a, b, c);
    this.four(a ^ 1, b ^ 1, c ^ 1, out);
    this.four(a ^ 1, b, c, out);
    this.four(a, b ^ 1, c, out);
    this.four(a, b, c ^ 1, out);
    this.four(a, b, c, out ^ 1);
    this.four(a, b ^ 1, c ^ 1, out ^ 1);
    this.four(a ^ 1, b, c ^ 1, out ^ 1);
    this.four(a ^ 1, b ^ 1, c, out ^ 1);
    return out ^ sign;
  }

  /** The slot of a gate, or the free one where it belongs. */
  private find(kind: number, a: number, b: number, c: number): number {
    if (2 * this.count >= this.table.length / SLOT) this.grow();
    const { table } = this;
    const mask = table.length / SLOT - 1;
    const key = a * KINDS + kind;
    let slot = hash(key, b, c) & mask;
    for (;;) {
      const at = slot * SLOT;
      if (table[at + 3] === 0 || (table[at] === key && table[at + 1] === b && table[at + 2] === c)) return at;
      slot = (slot + 1) & mask;
    }
  }

  private insert(at: number, kind: number, a: number, b: number, c: number): number {
    const { table } = this;
    const out = this.fresh();
    table[at] = a * KINDS + kind;
    table[at + 1] = b;
    table[at + 2] = c;
    table[at + 3] = out + 1;
    this.count++;
    return out;
  }

  private grow(): void {
    const old = this.table;
    const table = new Int32Array(2 * old.length);
    const mask = table.length / SLOT - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 3] === 0) continue;
      let slot = hash(old[from], old[from + 1], old[from + 2]) & mask;
      while (table[slot * SLOT + 3] !== 0) slot = (slot + 1) & mask;
      for (let i = 0; i < SLOT; i++) table[slot * SLOT + i] = old[from + i];
    }
    this.table = table;
  }

  // ---- conjunctions ----

  /** Do all the literals hold? */
  conjunction(literals: IntStack): number {
    const { inputs } = this;
    if (literals !== inputs) {
      inputs.clear();
      for (let i = 0; i < literals.size; i++) inputs.push(literals.data[i]);
    }
    const { data } = inputs;
    sortInts(data, inputs.size);
    let size = 0;
    for (let i = 0; i < inputs.size; i++) {
      const l = data[i];
      if (l === TRUE || (size > 0 && l === data[size - 1])) continue;
      if (l === FALSE || (size > 0 && l === (data[size - 1] ^ 1))) return FALSE;
      data[size++] = l;
    }
    if (size === 0) return TRUE;
    if (size === 1) return data[0];
    if (size === 2) return this.and(data[0], data[1]);
    return this.longConjunction(data, size);
  }

  disjunction(literals: IntStack): number {
    const { inputs } = this;
    inputs.clear();
    for (let i = 0; i < literals.size; i++) inputs.push(literals.data[i] ^ 1);
    return this.conjunction(inputs) ^ 1;
  }

  /** Are two words of `width` literals in the pool the same? */
  equal(pool: Int32Array, a: number, b: number, width: number): number {
    const { inputs } = this;
    inputs.clear();
    for (let i = 0; i < width; i++) {
      // Cheap look first: words with different constants are different without a gate.
      if ((pool[a + i] ^ pool[b + i]) === 1) return FALSE;
    }
    for (let i = 0; i < width; i++) inputs.push(this.xor(pool[a + i], pool[b + i]) ^ 1);
    return this.conjunction(inputs);
  }

  private longConjunction(data: Int32Array, size: number): number {
    if (2 * this.listOutput.size >= this.listTable.length) this.growLists();
    const mask = this.listTable.length - 1;
    let slot = hashList(data, 0, size) & mask;
    for (let entry = this.listTable[slot]; entry !== 0; entry = this.listTable[slot]) {
      if (this.isList(entry - 1, data, size)) return this.listOutput.data[entry - 1];
      slot = (slot + 1) & mask;
    }
    const out = this.fresh();
    if (this.listStart.size === 0) this.listStart.push(0);
    for (let i = 0; i < size; i++) this.listPool.push(data[i]);
    this.listStart.push(this.listPool.size);
    this.listOutput.push(out);
    this.listTable[slot] = this.listOutput.size;
    for (let i = 0; i < size; i++) this.two(out ^ 1, data[i]);
    if (size >= this.long.length) this.long = new Int32Array(2 * size);
    this.long[0] = out;
    for (let i = 0; i < size; i++) this.long[i + 1] = data[i] ^ 1;
    this.addLong(size + 1);
    return out;
  }

  private isList(list: number, data: Int32Array, size: number): boolean {
    const start = this.listStart.data[list];
    if (this.listStart.data[list + 1] - start !== size) return false;
    const pool = this.listPool.data;
    for (let i = 0; i < size; i++) if (pool[start + i] !== data[i]) return false;
    return true;
  }

  private growLists(): void {
    const table = new Int32Array(2 * this.listTable.length);
    const mask = table.length - 1;
    const start = this.listStart.data;
    for (let list = 0; list < this.listOutput.size; list++) {
      let slot = hashList(this.listPool.data, start[list], start[list + 1]) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = list + 1;
    }
    this.listTable = table;
  }
}

/** Ascending; short lists, which are most, are sorted by insertion. */
export function sortInts(data: Int32Array, size: number): void {
  if (size > 24) {
    data.subarray(0, size).sort();
    return;
  }
  for (let i = 1; i < size; i++) {
    const x = data[i];
    let j = i;
    for (; j > 0 && data[j - 1] > x; j--) data[j] = data[j - 1];
    data[j] = x;
  }
}

function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

function hashList(data: Int32Array, from: number, to: number): number {
  let h = to - from;
  for (let i = from; i < to; i++) h = Math.imul(h ^ (h >>> 15) ^ data[i], 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

/** A growing pool of literals, in which words lie as ranges. */
export class Pool {
  data = new Int32Array(1 << 10);
  size = 0;

  /** Room for a new word; returns where it starts. */
  take(width: number): number {
    const start = this.size;
    this.size += width;
    if (this.size > this.data.length) this.data = grownInts(this.data, 2 * this.size);
    return start;
  }
}
