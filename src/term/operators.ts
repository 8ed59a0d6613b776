/**
 * The operator table: each operator once, with its SMT-LIB name, how many arguments it takes and how it
 * is read with more, its indices, its sort rule, whether its arguments commute, and what it means. The
 * store checks sorts with it, the readers look names up in it, the printer spells with it, the evaluator
 * computes with it, the rewriter folds constants and orders arguments with it. To add an operator, add its
 * code to `Op` and its row to `OPERATORS`.
 */
import { type BitVectorMeaning, meanings } from './bitvector.ts';
import type { SortId, SortStore } from './sort.ts';
import { ArrayValue, domain, sameValue, type Value, valueKey } from './value.ts';

/** Operator codes, one byte each. The first four are leaves or applications that carry a payload. */
export const Op = {
  TRUE: 0,
  FALSE: 1,
  BV_CONST: 2,
  APPLY: 3,
  NOT: 4,
  AND: 5,
  OR: 6,
  XOR: 7,
  IMPLIES: 8,
  EQ: 9,
  DISTINCT: 10,
  ITE: 11,
  SELECT: 12,
  STORE: 13,
  CONST_ARRAY: 14,
  CONCAT: 15,
  EXTRACT: 16,
  ZERO_EXTEND: 17,
  SIGN_EXTEND: 18,
  REPEAT: 19,
  ROTATE_LEFT: 20,
  ROTATE_RIGHT: 21,
  BVNOT: 22,
  BVNEG: 23,
  BVAND: 24,
  BVOR: 25,
  BVXOR: 26,
  BVNAND: 27,
  BVNOR: 28,
  BVXNOR: 29,
  BVADD: 30,
  BVSUB: 31,
  BVMUL: 32,
  BVUDIV: 33,
  BVUREM: 34,
  BVSDIV: 35,
  BVSREM: 36,
  BVSMOD: 37,
  BVSHL: 38,
  BVLSHR: 39,
  BVASHR: 40,
  BVCOMP: 41,
  BVULT: 42,
  BVULE: 43,
  BVUGT: 44,
  BVUGE: 45,
  BVSLT: 46,
  BVSLE: 47,
  BVSGT: 48,
  BVSGE: 49,
  BVNEGO: 50,
  BVUADDO: 51,
  BVSADDO: 52,
  BVUMULO: 53,
  BVSMULO: 54,
  BVUSUBO: 55,
  BVSSUBO: 56,
  BVSDIVO: 57,
  BVREDAND: 58,
  BVREDOR: 59,
} as const;
export type Op = (typeof Op)[keyof typeof Op];

/**
 * How a name is read when it is given more arguments than the stored operator has: `fixed` not at all,
 * `left` and `right` by association, `chain` as the conjunction over neighbours, `nary` as one node.
 */
export type Reading = 'fixed' | 'left' | 'right' | 'chain' | 'nary';

/** The result sort of an operator, or what it wants its arguments to be. */
export type SortRule = (
  sorts: SortStore,
  args: readonly SortId[],
  indices: readonly number[],
) => SortId | string;

/** What an operator means on values that are no bit-vectors. */
export type GeneralMeaning = (args: readonly Value[], sorts: SortStore, result: SortId) => Value;

export interface Operator {
  readonly op: Op;
  readonly name: string;
  /** How many arguments a node has; for `nary` the least number. */
  readonly arity: number;
  readonly reading: Reading;
  /** How many numerals an indexed identifier `(_ name i j)` has. */
  readonly indexCount: number;
  readonly sortRule: SortRule;
  readonly commutative: boolean;
  readonly meaning: BitVectorMeaning | GeneralMeaning;
}

const allBool: SortRule = (sorts, args) =>
  args.every(s => s === sorts.bool) ? sorts.bool : 'Boolean arguments';

const sameSorts: SortRule = (sorts, args) =>
  args.every(s => s === args[0]) ? sorts.bool : 'arguments of one sort';

const iteRule: SortRule = (sorts, [c, a, b]) =>
  c === sorts.bool && a === b ? a : 'a Boolean and two arguments of one sort';

const bvUnary: SortRule = (sorts, [a]) => (sorts.width(a) > 0 ? a : 'a bit-vector');

const bvBinary: SortRule = (sorts, [a, b]) =>
  a === b && sorts.width(a) > 0 ? a : 'two bit-vectors of one width';

const bvPredicate: SortRule = (sorts, args) => {
  const rule = args.length === 1 ? bvUnary : bvBinary;
  const sort = rule(sorts, args, []);
  return typeof sort === 'string' ? sort : sorts.bool;
};

const bvToBit: SortRule = (sorts, args) => {
  const sort = bvPredicate(sorts, args, []);
  return typeof sort === 'string' ? sort : sorts.bitVec(1);
};

const concatRule: SortRule = (sorts, [a, b]) => {
  const [m, n] = [sorts.width(a), sorts.width(b)];
  return m > 0 && n > 0 ? sorts.bitVec(m + n) : 'two bit-vectors';
};

const extractRule: SortRule = (sorts, [a], [high, low]) => {
  const width = sorts.width(a);
  if (width === 0) return 'a bit-vector';
  if (low <= high && high < width) return sorts.bitVec(high - low + 1);
  return `indices ${width - 1} ≥ i ≥ j ≥ 0`;
};

const extendRule: SortRule = (sorts, [a], [by]) => {
  const width = sorts.width(a);
  return width > 0 ? sorts.bitVec(width + by) : 'a bit-vector';
};

const repeatRule: SortRule = (sorts, [a], [times]) => {
  const width = sorts.width(a);
  if (width === 0) return 'a bit-vector';
  return times >= 1 ? sorts.bitVec(width * times) : 'an index of at least 1';
};

const selectRule: SortRule = (sorts, [array, index]) =>
  sorts.isArray(array) && sorts.indexSort(array) === index
    ? sorts.elementSort(array)
    : "an array and an index of that array's index sort";

const storeRule: SortRule = (sorts, [array, index, element]) =>
  sorts.isArray(array) && sorts.indexSort(array) === index && sorts.elementSort(array) === element
    ? array
    : "an array, an index and an element of that array's sorts";

/** The sorts of these four follow from their payload, so the store makes them without a rule. */
const givenSort: SortRule = () => 'no arguments';

const notEvaluated: GeneralMeaning = () => {
  throw new Error('this operator gets its meaning from the store or the model');
};

const allDistinct: GeneralMeaning = args => new Set(args.map(valueKey)).size === args.length;

interface Traits {
  readonly reading?: Reading;
  readonly indexCount?: number;
  readonly commutative?: boolean;
}

function row(
  op: Op,
  name: string,
  arity: number,
  sortRule: SortRule,
  meaning: BitVectorMeaning | GeneralMeaning,
  traits: Traits = {},
): Operator {
  const { reading = 'fixed', indexCount = 0, commutative = false } = traits;
  return { op, name, arity, reading, indexCount, sortRule, commutative, meaning };
}

const commutative: Traits = { commutative: true };
const associative: Traits = { reading: 'left', commutative: true };
const indexed: Traits = { indexCount: 1 };

export const OPERATORS: readonly Operator[] = [
  row(Op.TRUE, 'true', 0, givenSort, () => true),
  row(Op.FALSE, 'false', 0, givenSort, () => false),
  row(Op.BV_CONST, '', 0, givenSort, notEvaluated),
  row(Op.APPLY, '', 0, givenSort, notEvaluated),
  row(Op.NOT, 'not', 1, allBool, ([a]) => !a),
  row(Op.AND, 'and', 1, allBool, args => args.every(a => a), { reading: 'nary', commutative: true }),
  row(Op.OR, 'or', 1, allBool, args => args.some(a => a), { reading: 'nary', commutative: true }),
  row(Op.XOR, 'xor', 2, allBool, ([a, b]) => a !== b, associative),
  row(Op.IMPLIES, '=>', 2, allBool, ([a, b]) => !a || b, { reading: 'right' }),
  row(Op.EQ, '=', 2, sameSorts, ([a, b]) => sameValue(a, b), { reading: 'chain', commutative: true }),
  row(Op.DISTINCT, 'distinct', 2, sameSorts, allDistinct, { reading: 'nary', commutative: true }),
  row(Op.ITE, 'ite', 3, iteRule, ([c, a, b]) => (c ? a : b)),
  row(Op.SELECT, 'select', 2, selectRule, ([a, i]) => (a as ArrayValue).select(i)),
  row(Op.STORE, 'store', 3, storeRule, ([a, i, e]) => (a as ArrayValue).store(i, e)),
  row(Op.CONST_ARRAY, 'const', 1, givenSort, ([e], sorts, result) =>
    ArrayValue.constant(e, domain(sorts, sorts.indexSort(result))),
  ),
  row(Op.CONCAT, 'concat', 2, concatRule, meanings.concat, { reading: 'left' }),
  row(Op.EXTRACT, 'extract', 1, extractRule, meanings.extract, { indexCount: 2 }),
  row(Op.ZERO_EXTEND, 'zero_extend', 1, extendRule, meanings.zero_extend, indexed),
  row(Op.SIGN_EXTEND, 'sign_extend', 1, extendRule, meanings.sign_extend, indexed),
  row(Op.REPEAT, 'repeat', 1, repeatRule, meanings.repeat, indexed),
  row(Op.ROTATE_LEFT, 'rotate_left', 1, bvUnary, meanings.rotate_left, indexed),
  row(Op.ROTATE_RIGHT, 'rotate_right', 1, bvUnary, meanings.rotate_right, indexed),
  row(Op.BVNOT, 'bvnot', 1, bvUnary, meanings.bvnot),
  row(Op.BVNEG, 'bvneg', 1, bvUnary, meanings.bvneg),
  row(Op.BVAND, 'bvand', 2, bvBinary, meanings.bvand, associative),
  row(Op.BVOR, 'bvor', 2, bvBinary, meanings.bvor, associative),
  row(Op.BVXOR, 'bvxor', 2, bvBinary, meanings.bvxor, associative),
  row(Op.BVNAND, 'bvnand', 2, bvBinary, meanings.bvnand, commutative),
  row(Op.BVNOR, 'bvnor', 2, bvBinary, meanings.bvnor, commutative),
  row(Op.BVXNOR, 'bvxnor', 2, bvBinary, meanings.bvxnor, associative),
  row(Op.BVADD, 'bvadd', 2, bvBinary, meanings.bvadd, associative),
  row(Op.BVSUB, 'bvsub', 2, bvBinary, meanings.bvsub),
  row(Op.BVMUL, 'bvmul', 2, bvBinary, meanings.bvmul, associative),
  row(Op.BVUDIV, 'bvudiv', 2, bvBinary, meanings.bvudiv),
  row(Op.BVUREM, 'bvurem', 2, bvBinary, meanings.bvurem),
  row(Op.BVSDIV, 'bvsdiv', 2, bvBinary, meanings.bvsdiv),
  row(Op.BVSREM, 'bvsrem', 2, bvBinary, meanings.bvsrem),
  row(Op.BVSMOD, 'bvsmod', 2, bvBinary, meanings.bvsmod),
  row(Op.BVSHL, 'bvshl', 2, bvBinary, meanings.bvshl),
  row(Op.BVLSHR, 'bvlshr', 2, bvBinary, meanings.bvlshr),
  row(Op.BVASHR, 'bvashr', 2, bvBinary, meanings.bvashr),
  row(Op.BVCOMP, 'bvcomp', 2, bvToBit, meanings.bvcomp, commutative),
  row(Op.BVULT, 'bvult', 2, bvPredicate, meanings.bvult),
  row(Op.BVULE, 'bvule', 2, bvPredicate, meanings.bvule),
  row(Op.BVUGT, 'bvugt', 2, bvPredicate, meanings.bvugt),
  row(Op.BVUGE, 'bvuge', 2, bvPredicate, meanings.bvuge),
  row(Op.BVSLT, 'bvslt', 2, bvPredicate, meanings.bvslt),
  row(Op.BVSLE, 'bvsle', 2, bvPredicate, meanings.bvsle),
  row(Op.BVSGT, 'bvsgt', 2, bvPredicate, meanings.bvsgt),
  row(Op.BVSGE, 'bvsge', 2, bvPredicate, meanings.bvsge),
  row(Op.BVNEGO, 'bvnego', 1, bvPredicate, meanings.bvnego),
  row(Op.BVUADDO, 'bvuaddo', 2, bvPredicate, meanings.bvuaddo, commutative),
  row(Op.BVSADDO, 'bvsaddo', 2, bvPredicate, meanings.bvsaddo, commutative),
  row(Op.BVUMULO, 'bvumulo', 2, bvPredicate, meanings.bvumulo, commutative),
  row(Op.BVSMULO, 'bvsmulo', 2, bvPredicate, meanings.bvsmulo, commutative),
  row(Op.BVUSUBO, 'bvusubo', 2, bvPredicate, meanings.bvusubo),
  row(Op.BVSSUBO, 'bvssubo', 2, bvPredicate, meanings.bvssubo),
  row(Op.BVSDIVO, 'bvsdivo', 2, bvPredicate, meanings.bvsdivo),
  row(Op.BVREDAND, 'bvredand', 1, bvToBit, meanings.bvredand),
  row(Op.BVREDOR, 'bvredor', 1, bvToBit, meanings.bvredor),
];
