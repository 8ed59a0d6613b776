/**
 * The operators of BTOR2 (Niemetz, Preiner, Wolf, Biere: Btor2, BtorMC and Boolector 3.0, CAV 2018, Table 1) as terms.
 *
 * BTOR2 has no Booleans, only vectors of one bit. Here a node of one bit may be either, and `Bits` turns one into the
 * other where an operator asks for it: what compares gives a Boolean, what connects bits connects Booleans, so that
 * the abstraction sees `and` and not some function `bvand`. Conversions never pile up: the vector of the Boolean of a
 * vector is that vector again.
 *
 * Division by zero, shifts by the width or more and the sign of remainders are those of SMT-LIB.
 */
import { Op } from '../../term/operators.ts';
import { SortError, type TermId, type TermStore } from '../../term/store.ts';

/** Nodes of one bit as Booleans and as vectors. */
export class Bits {
  readonly terms: TermStore;
  private readonly zero: TermId;
  private readonly one: TermId;

  constructor(terms: TermStore) {
    this.terms = terms;
    this.zero = terms.bv(1, 0);
    this.one = terms.bv(1, 1);
  }

  isBit(t: TermId): boolean {
    return this.isBoolean(t) || this.terms.width(t) === 1;
  }

  isBoolean(t: TermId): boolean {
    return this.terms.sort(t) === this.terms.sorts.bool;
  }

  /** A bit as a Boolean; any other term as it is. */
  boolean(t: TermId): TermId {
    const { terms, one, zero } = this;
    if (terms.width(t) !== 1) return t;
    if (t === one || t === zero) return terms.bool(t === one);
    if (terms.op(t) === Op.ITE && terms.arg(t, 1) === one && terms.arg(t, 2) === zero) return terms.arg(t, 0);
    return terms.eq(one, t);
  }

  /** A bit as a vector; any other term as it is. */
  vector(t: TermId): TermId {
    const { terms, one, zero } = this;
    if (!this.isBoolean(t)) return t;
    if (t === terms.true || t === terms.false) return t === terms.true ? one : zero;
    if (terms.op(t) === Op.EQ && terms.arg(t, 0) === one) return terms.arg(t, 1);
    return terms.ite(t, one, zero);
  }

  not(t: TermId): TermId {
    return this.isBit(t) ? this.terms.not(this.boolean(t)) : this.terms.app(Op.BVNOT, [t]);
  }

  /** Both as Booleans if they are bits, and one of them is a Boolean already; as vectors or arrays otherwise. */
  alike(a: TermId, b: TermId): [TermId, TermId] {
    const areBooleans = this.isBit(a) && this.isBit(b) && (this.isBoolean(a) || this.isBoolean(b));
    return areBooleans ? [this.boolean(a), this.boolean(b)] : [this.vector(a), this.vector(b)];
  }
}

/** Makes the term of a node from its operands and from the numbers behind them. */
type Build = (bits: Bits, args: readonly TermId[], numbers: readonly number[]) => TermId;

export interface Btor2Operator {
  readonly operands: number;
  readonly numbers: number;
  readonly build: Build;
}

/** An operator on vectors. */
function onVectors(op: Op): Build {
  return (bits, args) =>
    bits.terms.app(
      op,
      args.map(a => bits.vector(a)),
    );
}

/** An operator on vectors that is a connective on bits. */
function bitwise(onBits: Op, op: Op): Build {
  return (bits, args) => {
    if (!args.every(a => bits.isBit(a))) return onVectors(op)(bits, args, []);
    return bits.terms.app(
      onBits,
      args.map(a => bits.boolean(a)),
    );
  };
}

function negated(build: Build): Build {
  return (bits, args, numbers) => bits.not(build(bits, args, numbers));
}

function connective(op: Op): Build {
  return (bits, args) =>
    bits.terms.app(
      op,
      args.map(a => bits.boolean(a)),
    );
}

const equal: Build = (bits, [a, b]) => bits.terms.eq(...bits.alike(a, b));

const ite: Build = (bits, [c, a, b]) => bits.terms.ite(bits.boolean(c), ...bits.alike(a, b));

/** x + 1 or x - 1. */
function byOne(op: Op): Build {
  return (bits, [a]) => {
    const x = bits.vector(a);
    return bits.terms.app(op, [x, bits.terms.bv(widthOf(bits, x), 1)]);
  };
}

/** Is every bit of the vector this one? */
function allBits(bit: 0 | 1): Build {
  return (bits, [a]) => {
    const { terms } = bits;
    const x = bits.vector(a);
    const width = widthOf(bits, x);
    return terms.eq(terms.bv(width, bit === 0 ? 0n : (1n << BigInt(width)) - 1n), x);
  };
}

/** Is the number of ones odd? */
const parity: Build = (bits, [a]) => {
  const { terms } = bits;
  const x = bits.vector(a);
  const width = widthOf(bits, x);
  let odd = terms.false;
  for (let i = 0; i < width; i++) {
    const bit = bits.boolean(width === 1 ? x : terms.app(Op.EXTRACT, [x], [i, i]));
    odd = i === 0 ? bit : terms.app(Op.XOR, [odd, bit]);
  }
  return odd;
};

/** BTOR2 rotates by the value of a vector, SMT-LIB by a number; amounts count modulo the width in both. */
function rotation(op: Op, forth: Op, back: Op): Build {
  return (bits, args) => {
    const { terms } = bits;
    const [x, amount] = args.map(a => bits.vector(a));
    const width = widthOf(bits, x);
    if (terms.op(amount) === Op.BV_CONST && terms.sort(amount) === terms.sort(x)) {
      return terms.app(op, [x], [Number(BigInt(terms.bvValue(amount)) % BigInt(width))]);
    }
    const size = terms.bv(width, width); // fits, for width < 2^width
    const by = terms.app(Op.BVUREM, [amount, size]);
    const rest = terms.app(Op.BVSUB, [size, by]);
    return terms.app(Op.BVOR, [terms.app(forth, [x, by]), terms.app(back, [x, rest])]);
  };
}

/** Unsigned division has no overflow, but it has operands of one width. */
const neverOverflows: Build = (bits, args) => {
  onVectors(Op.BVUDIV)(bits, args, []);
  return bits.terms.false;
};

const slice: Build = (bits, [a], numbers) => bits.terms.app(Op.EXTRACT, [bits.vector(a)], numbers);

function extension(op: Op): Build {
  return (bits, [a], numbers) =>
    numbers[0] === 0 && bits.isBit(a) ? a : bits.terms.app(op, [bits.vector(a)], numbers);
}

/** The width of a vector, which it must be. */
function widthOf({ terms }: Bits, t: TermId): number {
  const width = terms.width(t);
  if (width === 0) throw new SortError(`expected a bit-vector, not ${terms.sorts.name(terms.sort(t))}`);
  return width;
}

const unary = (build: Build): Btor2Operator => ({ operands: 1, numbers: 0, build });
const binary = (build: Build): Btor2Operator => ({ operands: 2, numbers: 0, build });
const ternary = (build: Build): Btor2Operator => ({ operands: 3, numbers: 0, build });

export const BTOR2_OPERATORS: ReadonlyMap<string, Btor2Operator> = new Map([
  ['slice', { operands: 1, numbers: 2, build: slice }],
  ['sext', { operands: 1, numbers: 1, build: extension(Op.SIGN_EXTEND) }],
  ['uext', { operands: 1, numbers: 1, build: extension(Op.ZERO_EXTEND) }],
  ['not', unary((bits, [a]) => bits.not(a))],
  ['inc', unary(byOne(Op.BVADD))],
  ['dec', unary(byOne(Op.BVSUB))],
  ['neg', unary(onVectors(Op.BVNEG))],
  ['redand', unary(allBits(1))],
  ['redor', unary(negated(allBits(0)))],
  ['redxor', unary(parity)],
  ['iff', binary(connective(Op.EQ))],
  ['implies', binary(connective(Op.IMPLIES))],
  ['eq', binary(equal)],
  ['neq', binary(negated(equal))],
  ['sgt', binary(onVectors(Op.BVSGT))],
  ['ugt', binary(onVectors(Op.BVUGT))],
  ['sgte', binary(onVectors(Op.BVSGE))],
  ['ugte', binary(onVectors(Op.BVUGE))],
  ['slt', binary(onVectors(Op.BVSLT))],
  ['ult', binary(onVectors(Op.BVULT))],
  ['slte', binary(onVectors(Op.BVSLE))],
  ['ulte', binary(onVectors(Op.BVULE))],
  ['and', binary(bitwise(Op.AND, Op.BVAND))],
  ['or', binary(bitwise(Op.OR, Op.BVOR))],
  ['xor', binary(bitwise(Op.XOR, Op.BVXOR))],
  ['nand', binary(negated(bitwise(Op.AND, Op.BVAND)))],
  ['nor', binary(negated(bitwise(Op.OR, Op.BVOR)))],
  ['xnor', binary(bitwise(Op.EQ, Op.BVXNOR))],
  ['rol', binary(rotation(Op.ROTATE_LEFT, Op.BVSHL, Op.BVLSHR))],
  ['ror', binary(rotation(Op.ROTATE_RIGHT, Op.BVLSHR, Op.BVSHL))],
  ['sll', binary(onVectors(Op.BVSHL))],
  ['sra', binary(onVectors(Op.BVASHR))],
  ['srl', binary(onVectors(Op.BVLSHR))],
  ['add', binary(onVectors(Op.BVADD))],
  ['mul', binary(onVectors(Op.BVMUL))],
  ['sdiv', binary(onVectors(Op.BVSDIV))],
  ['udiv', binary(onVectors(Op.BVUDIV))],
  ['smod', binary(onVectors(Op.BVSMOD))],
  ['srem', binary(onVectors(Op.BVSREM))],
  ['urem', binary(onVectors(Op.BVUREM))],
  ['sub', binary(onVectors(Op.BVSUB))],
  ['saddo', binary(onVectors(Op.BVSADDO))],
  ['uaddo', binary(onVectors(Op.BVUADDO))],
  ['sdivo', binary(onVectors(Op.BVSDIVO))],
  ['udivo', binary(neverOverflows)],
  ['smulo', binary(onVectors(Op.BVSMULO))],
  ['umulo', binary(onVectors(Op.BVUMULO))],
  ['ssubo', binary(onVectors(Op.BVSSUBO))],
  ['usubo', binary(onVectors(Op.BVUSUBO))],
  ['concat', binary(onVectors(Op.CONCAT))],
  ['read', binary(onVectors(Op.SELECT))],
  ['ite', ternary(ite)],
  ['write', ternary(onVectors(Op.STORE))],
]);
