/**
 * Terms as lines of BTOR2: every sort and every term gets a line of its own when it is first needed, so the text is as long
 * as the graph. A Boolean is a vector of one bit, and the disguises in which terms turn one into the other cost no line.
 *
 * BTOR2 has no declared functions, no uninterpreted sorts and no arrays of arrays; systems with these are refused. It
 * has constant arrays as initial values only: any other one is made by writes, or is a state that keeps its initial value.
 */

import { termOfValue } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import { type SortId, SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { allValues } from '../../term/value.ts';
import { NotExpressible } from '../not-expressible.ts';

/** What a system has and BTOR2 has not. */
export class NotInBtor2 extends NotExpressible {
  constructor(what: string) {
    super(`BTOR2 has no ${what}`);
  }
}

/** Constant arrays of no more elements are made by writes. */
const MAX_WRITES = 256;

/** Operators that have one line with their arguments. Those that BTOR2 spells with more lines are made by `compound`. */
const KEYWORDS: ReadonlyMap<Op, string> = new Map([
  [Op.NOT, 'not'],
  [Op.XOR, 'xor'],
  [Op.IMPLIES, 'implies'],
  [Op.EQ, 'eq'],
  [Op.ITE, 'ite'],
  [Op.SELECT, 'read'],
  [Op.STORE, 'write'],
  [Op.CONCAT, 'concat'],
  [Op.BVNOT, 'not'],
  [Op.BVNEG, 'neg'],
  [Op.BVAND, 'and'],
  [Op.BVOR, 'or'],
  [Op.BVXOR, 'xor'],
  [Op.BVNAND, 'nand'],
  [Op.BVNOR, 'nor'],
  [Op.BVXNOR, 'xnor'],
  [Op.BVADD, 'add'],
  [Op.BVSUB, 'sub'],
  [Op.BVMUL, 'mul'],
  [Op.BVUDIV, 'udiv'],
  [Op.BVUREM, 'urem'],
  [Op.BVSDIV, 'sdiv'],
  [Op.BVSREM, 'srem'],
  [Op.BVSMOD, 'smod'],
  [Op.BVSHL, 'sll'],
  [Op.BVLSHR, 'srl'],
  [Op.BVASHR, 'sra'],
  [Op.BVCOMP, 'eq'],
  [Op.BVULT, 'ult'],
  [Op.BVULE, 'ulte'],
  [Op.BVUGT, 'ugt'],
  [Op.BVUGE, 'ugte'],
  [Op.BVSLT, 'slt'],
  [Op.BVSLE, 'slte'],
  [Op.BVSGT, 'sgt'],
  [Op.BVSGE, 'sgte'],
  [Op.BVUADDO, 'uaddo'],
  [Op.BVSADDO, 'saddo'],
  [Op.BVUMULO, 'umulo'],
  [Op.BVSMULO, 'smulo'],
  [Op.BVUSUBO, 'usubo'],
  [Op.BVSSUBO, 'ssubo'],
  [Op.BVSDIVO, 'sdivo'],
  [Op.BVREDAND, 'redand'],
  [Op.BVREDOR, 'redor'],
]);

/** Writes lines, each with the next number. Terms of variables must have been given theirs by `alias`. */
export class Btor2Nodes {
  private readonly terms: TermStore;
  private readonly lines: string[] = [];
  private readonly numbers = new Map<TermId, number>(); // the line of each term that has one
  private readonly sortLines = new Map<string, number>(); // by what the line says
  private readonly names = new Set<string>(); // symbols that were given out
  private readonly arrays = new Map<number, number>(); // some variable of each sort of arrays, by their lines
  private readonly mayAddStates: boolean;

  /** Without `mayAddStates`, nothing but `variable` makes a state. */
  constructor(terms: TermStore, mayAddStates: boolean) {
    this.terms = terms;
    this.mayAddStates = mayAddStates;
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  /** Writes a line; gives its number. */
  line(...words: readonly (string | number)[]): number {
    const number = this.lines.length + 1;
    this.lines.push([number, ...words].join(' '));
    return number;
  }

  /** Writes the line of an input or a state of a sort. */
  variable(keyword: 'input' | 'state', sort: SortId, wanted: string): number {
    const number = this.line(keyword, this.sort(sort), this.symbol(wanted));
    if (this.terms.sorts.isArray(sort)) this.arrays.set(this.sort(sort), number);
    return number;
  }

  /** Lets a term be known by the number of a line. */
  alias(t: TermId, number: number): void {
    this.numbers.set(t, number);
  }

  /** A symbol that BTOR2 can spell, with no blanks and not taken for a comment, given out once. */
  symbol(wanted: string): string {
    const base = wanted.replace(/\s/g, '_').replace(/^(?=;|$)/, '_');
    let name = base;
    for (let i = 1; this.names.has(name); i++) name = `${base}_${i}`;
    this.names.add(name);
    return name;
  }

  /** The line of a sort. Boolean arrays are arrays of bits. */
  sort(sort: SortId): number {
    const { sorts } = this.terms;
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return this.sortLine('bitvec 1');
      case SortKind.BITVEC:
        return this.sortLine(`bitvec ${sorts.width(sort)}`);
      case SortKind.UNINTERPRETED:
        throw new NotInBtor2(`uninterpreted sorts, such as ${sorts.name(sort)}`);
      case SortKind.ARRAY: {
        const parts = [sorts.indexSort(sort), sorts.elementSort(sort)];
        if (parts.some(s => sorts.isArray(s)))
          throw new NotInBtor2(`arrays of arrays, such as ${sorts.name(sort)}`);
        return this.sortLine(`array ${parts.map(s => this.sort(s)).join(' ')}`);
      }
    }
  }

  private sortLine(text: string): number {
    let number = this.sortLines.get(text);
    if (number === undefined) {
      number = this.line('sort', text);
      this.sortLines.set(text, number);
    }
    return number;
  }

  /** The line of a term, after the lines of what it is made of. */
  node(root: TermId): number {
    const { terms, numbers } = this;
    for (const t of terms.postorder([root], numbers)) numbers.set(t, this.write(t));
    return this.numberOf(root);
  }

  private numberOf(t: TermId): number {
    return this.numbers.get(t) as number;
  }

  private write(t: TermId): number {
    const { terms } = this;
    const keyword = KEYWORDS.get(terms.op(t));
    if (keyword === undefined) return this.compound(t);
    return this.undisguised(t) ?? this.apply(keyword, t, ...terms.args(t).map(a => this.numberOf(a)));
  }

  /** A line with an operator, of the sort of t. */
  private apply(keyword: string, t: TermId, ...operands: readonly number[]): number {
    return this.line(keyword, this.sort(this.terms.sort(t)), ...operands);
  }

  /** The line of what a term turns from a vector of one bit into a Boolean, or back. */
  private undisguised(t: TermId): number | undefined {
    const { terms } = this;
    const [one, zero] = [terms.bv(1, 1), terms.bv(1, 0)];
    const [a, b, c] = terms.args(t);
    if (terms.op(t) === Op.EQ && a === one) return this.numberOf(b);
    if (terms.op(t) === Op.ITE && b === one && c === zero) return this.numberOf(a);
    return undefined;
  }

  /** Constants, and operators that take several lines or have indices. */
  private compound(t: TermId): number {
    const { terms } = this;
    const op = terms.op(t);
    const args = terms.args(t).map(a => this.numberOf(a));
    const [index] = terms.indices(t);
    switch (op) {
      case Op.TRUE:
        return this.apply('one', t);
      case Op.FALSE:
        return this.apply('zero', t);
      case Op.BV_CONST:
        return this.line('const', this.sort(terms.sort(t)), binary(terms.bvValue(t), terms.width(t)));
      case Op.APPLY:
        throw new NotInBtor2(`declared functions, such as '${terms.nameOf(t)}'`);
      case Op.AND:
        return this.chain('and', t, args);
      case Op.OR:
        return this.chain('or', t, args);
      case Op.DISTINCT:
        return this.distinct(t, args);
      case Op.CONST_ARRAY:
        return this.constantArray(t);
      case Op.EXTRACT:
        return this.apply('slice', t, args[0], ...terms.indices(t));
      case Op.ZERO_EXTEND:
        return this.apply('uext', t, args[0], index);
      case Op.SIGN_EXTEND:
        return this.apply('sext', t, args[0], index);
      case Op.REPEAT:
        return this.repeat(t, args[0], index);
      case Op.ROTATE_LEFT:
      case Op.ROTATE_RIGHT: {
        const amount = this.node(terms.bv(terms.width(t), index % terms.width(t)));
        return this.apply(op === Op.ROTATE_LEFT ? 'rol' : 'ror', t, args[0], amount);
      }
      case Op.BVNEGO: {
        const width = terms.width(terms.arg(t, 0));
        return this.apply('eq', t, args[0], this.node(terms.bv(width, 1n << BigInt(width - 1))));
      }
      default:
        throw new Error(`the operator ${op} has no line`);
    }
  }

  private chain(keyword: string, t: TermId, args: readonly number[]): number {
    return args.reduce((a, b) => this.apply(keyword, t, a, b));
  }

  private distinct(t: TermId, args: readonly number[]): number {
    const pairs = args.flatMap((a, i) => args.slice(i + 1).map(b => this.apply('neq', t, a, b)));
    return this.chain('and', t, pairs);
  }

  private repeat(t: TermId, arg: number, times: number): number {
    const { sorts } = this.terms;
    const width = this.terms.width(t) / times;
    let result = arg;
    for (let i = 2; i <= times; i++) {
      result = this.line('concat', this.sort(sorts.bitVec(i * width)), result, arg);
    }
    return result;
  }

  /** Writes to every index of some array if there are few, and otherwise a state that is this array at first and ever after. */
  private constantArray(t: TermId): number {
    const { terms } = this;
    const sort = terms.sort(t);
    const [element] = terms.args(t);
    const base = this.arrays.get(this.sort(sort));
    if (base !== undefined && terms.sorts.size(terms.sorts.indexSort(sort)) <= MAX_WRITES) {
      return this.filled(base, t);
    }
    if (!this.mayAddStates) throw new NotInBtor2('constant arrays so large as in this invariant');
    if (terms.postorder([element]).some(e => terms.isVariable(e)))
      throw new NotInBtor2('constant arrays whose element may change');
    const initially = this.numberOf(element);
    const state = this.variable('state', sort, 'constant-array');
    this.line('init', this.sort(sort), state, initially);
    this.line('next', this.sort(sort), state, state);
    return state;
  }

  private filled(base: number, t: TermId): number {
    const { terms } = this;
    const { sorts } = terms;
    const indexSort = sorts.indexSort(terms.sort(t));
    let array = base;
    for (const index of allValues(sorts, indexSort)) {
      const at = this.node(termOfValue(terms, indexSort, index));
      array = this.apply('write', t, array, at, this.numberOf(terms.arg(t, 0)));
    }
    return array;
  }
}

/** A vector's bits, the highest first. */
export function binary(value: number | bigint, width: number): string {
  return value.toString(2).padStart(width, '0');
}
