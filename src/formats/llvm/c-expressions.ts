/**
 * Formulas over the variables of a program as C expressions that have the same value, whatever the values of the variables. Signed
 * arithmetic of C must not overflow, and narrow operands become `int` before anything is done to them, so all arithmetic is
 * done in `unsigned int` or `unsigned long long` with casts where a type differs, and comparisons are done on values of either sign
 * where these are at hand. Conversions to signed types and shifts of negative numbers are taken as every compiler has them.
 *
 * What has no such expression is undefined: arrays as a whole, words of more than 64 bits, addresses other than null, large formulas.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { integerText } from './c-types.ts';
import { isImplied, withoutImplied } from './implied-bounds.ts';
import type { DebugType } from './module.ts';

/** A variable of the user's text, or an element, that a variable of a formula or a read of an array stands for. */
export interface CVariable {
  readonly text: string;
  readonly type: DebugType; // without typedefs
}

/** How tightly the parts of an expression hang together. */
const Tie = {
  CHOICE: 3,
  OR: 4,
  AND: 5,
  BITS: 6,
  EQUAL: 9,
  LESS: 10,
  SHIFT: 11,
  SUM: 12,
  PRODUCT: 13,
  UNARY: 14,
  NAME: 15,
} as const;
type Tie = (typeof Tie)[keyof typeof Tie];

interface Text {
  readonly text: string;
  readonly tie: Tie;
}

/** Larger formulas are easier to read as they are; it also bounds recursion. */
const MOST_NODES = 300;

/** Something in a formula has no C expression. */
class Inexpressible extends Error {}

export class CExpressions {
  private readonly terms: TermStore;
  private readonly variableOf: (variable: TermId) => CVariable | undefined;

  /** `variableOf`: of variables, and of what is read from arrays. */
  constructor(terms: TermStore, variableOf: (named: TermId) => CVariable | undefined) {
    this.terms = terms;
    this.variableOf = variableOf;
  }

  /**
   * A formula that holds for all values of some variables, in the language ACSL, of which C's expressions are a part; undefined if it
   * cannot be said. It is said only of what is within some `bounds`, unless it is within a range between variables, of which nobody
   * expects that.
   */
  forAll(t: TermId, type: string, names: readonly string[], bounds: readonly TermId[]): string | undefined {
    const { terms } = this;
    if (!this.isSmall(t)) return undefined;
    const parts = terms.op(t) === Op.OR ? terms.args(t) : [t];
    // What is said within some range.
    const range = parts.find(p => terms.op(p) === Op.NOT && terms.op(terms.arg(p, 0)) === Op.AND);
    const inside = range === undefined ? t : terms.or(parts.filter(p => p !== range));
    const said = range === undefined ? t : withoutImplied(terms, terms.arg(range, 0), inside);
    const isOpen = (bound: TermId) =>
      range === undefined ||
      (this.variablesIn(range).length === names.length && !isImplied(terms, terms.arg(range, 0), bound));
    const rest = terms.or([...bounds.filter(isOpen).map(b => terms.not(b)), said]);
    return this.expressed(() => {
      const within = range === undefined ? '' : `${this.truth(terms.arg(range, 0), true).text} ==> `;
      return `\\forall ${type} ${names.join(', ')}; ${within}${around(this.truth(rest, true), Tie.OR)}`;
    });
  }

  /** A formula as an expression that is 0 or 1 and may be a part of a conjunction as it is; undefined if it has none. */
  formula(t: TermId): string | undefined {
    return this.isSmall(t) ? this.expressed(() => around(this.truth(t, true), Tie.AND)) : undefined;
  }

  private variablesIn(t: TermId): TermId[] {
    return this.terms.postorder([t]).filter(v => this.terms.isVariable(v));
  }

  private expressed(text: () => string): string | undefined {
    try {
      return text();
    } catch (error) {
      if (error instanceof Inexpressible) return undefined;
      throw error;
    }
  }

  /** Does a formula have few nodes, each counted as often as it is written? */
  private isSmall(root: TermId): boolean {
    const { terms } = this;
    const sizes = new Map<TermId, number>();
    for (const t of terms.postorder([root])) {
      let size = 1;
      for (const a of terms.args(t)) size += sizes.get(a) as number;
      if (size > MOST_NODES) return false;
      sizes.set(t, size);
    }
    return true;
  }

  // ---- truth ----

  /** A formula, or if `is` is false what it denies. */
  private truth(t: TermId, is: boolean): Text {
    const { terms } = this;
    const args = terms.args(t);
    switch (terms.op(t)) {
      case Op.TRUE:
        return { text: is ? '1' : '0', tie: Tie.NAME };
      case Op.FALSE:
        return { text: is ? '0' : '1', tie: Tie.NAME };
      case Op.NOT:
        return this.truth(args[0], !is);
      case Op.AND:
      case Op.OR:
        return this.junction(
          (terms.op(t) === Op.AND) === is,
          args.map(a => this.truth(a, is)),
        );
      case Op.IMPLIES: {
        const last = args.length - 1;
        return this.junction(
          !is,
          args.map((a, i) => this.truth(a, i === last ? is : !is)),
        );
      }
      case Op.XOR:
        if (args.length !== 2) throw new Inexpressible();
        return binary(is ? '!=' : '==', Tie.EQUAL, this.truth(args[0], true), this.truth(args[1], true));
      case Op.ITE:
        return choice(this.truth(args[0], true), this.truth(args[1], is), this.truth(args[2], is));
      case Op.EQ:
      case Op.DISTINCT: {
        if (args.length !== 2) throw new Inexpressible();
        return this.equality(args[0], args[1], (terms.op(t) === Op.EQ) === is);
      }
      default:
        return this.comparison(t, is);
    }
  }

  private junction(isAnd: boolean, parts: readonly Text[]): Text {
    const tie = isAnd ? Tie.AND : Tie.OR;
    // Compilers warn of `a || b && c`.
    const text = parts.map(p => around(p, p.tie === tie ? tie : Tie.BITS)).join(isAnd ? ' && ' : ' || ');
    return { text, tie };
  }

  private equality(a: TermId, b: TermId, is: boolean): Text {
    const { terms } = this;
    const operator = is ? '==' : '!=';
    if (terms.sort(a) === terms.sorts.bool)
      return binary(operator, Tie.EQUAL, this.truth(a, true), this.truth(b, true));
    const bit = this.bitTest(a, b, is) ?? this.bitTest(b, a, is);
    if (bit !== undefined) return bit;
    if (this.isPointer(a) || this.isPointer(b))
      return binary(operator, Tie.EQUAL, this.pointer(a), this.pointer(b));
    // The constant is what a reader expects behind the operator.
    const [left, right] = this.isConstant(a) ? [b, a] : [a, b];
    const isSigned = this.isSigned(left) || (this.isConstant(left) && this.isSigned(right));
    return binary(operator, Tie.EQUAL, this.value(left, isSigned), this.value(right, isSigned));
  }

  /** What a single bit is said to be, without a shift. */
  private bitTest(constant: TermId, bit: TermId, is: boolean): Text | undefined {
    const { terms } = this;
    if (!this.isConstant(constant) || terms.op(bit) !== Op.EXTRACT || terms.width(bit) !== 1)
      return undefined;
    const word = terms.arg(bit, 0);
    const mask = this.constant(1n << BigInt(terms.indices(bit)[1]), this.widthOf(word));
    const isOne = (BigInt(terms.bvValue(constant)) === 1n) === is;
    return binary(isOne ? '!=' : '==', Tie.EQUAL, bits('&', this.word(word), mask), plain(0));
  }

  private comparison(t: TermId, is: boolean): Text {
    const { terms } = this;
    const known = COMPARISONS.get(terms.op(t));
    if (known === undefined) throw new Inexpressible();
    const [operator, isSigned] = known;
    if (terms.op(t) === Op.BVULT && this.isSigned(terms.arg(t, 0)) && this.isHalf(terms.arg(t, 1)))
      return binary(is ? '>=' : '<', Tie.LESS, this.value(terms.arg(t, 0), true), plain(0));
    const [a, b] = terms.args(t).map(x => this.value(x, isSigned));
    const said = is ? operator : OPPOSITES[operator];
    // The constant is what a reader expects behind the operator.
    const isBehind = !this.isConstant(terms.arg(t, 0));
    return isBehind ? binary(said, Tie.LESS, a, b) : binary(MIRRORED[said], Tie.LESS, b, a);
  }

  /** Is a constant the first number with the highest bit? Signed numbers below it are those that are not negative. */
  private isHalf(t: TermId): boolean {
    const { terms } = this;
    return this.isConstant(t) && BigInt(terms.bvValue(t)) === 1n << BigInt(this.widthOf(t) - 1);
  }

  // ---- pointers ----

  private isPointer(t: TermId): boolean {
    return this.isNamed(t) && this.variableOf(t)?.type.kind === 'pointer';
  }

  /** A pointer or null: what other addresses are is not the program's business. */
  private pointer(t: TermId): Text {
    const { terms } = this;
    if (terms.op(t) === Op.BV_CONST && BigInt(terms.bvValue(t)) === 0n) return { text: '0', tie: Tie.NAME };
    if (!this.isPointer(t)) throw new Inexpressible();
    return { text: `(void *)${(this.variableOf(t) as CVariable).text}`, tie: Tie.UNARY };
  }

  // ---- values ----

  private isConstant(t: TermId): boolean {
    return this.terms.op(t) === Op.BV_CONST;
  }

  /** Is a term best read as a signed number? */
  private isSigned(t: TermId): boolean {
    const { terms } = this;
    if (terms.op(t) === Op.SIGN_EXTEND) return true;
    if (terms.op(t) === Op.ITE) return this.isSigned(terms.arg(t, 1)) || this.isSigned(terms.arg(t, 2));
    return this.isNamed(t) && isSignedType(this.scalar(t).type);
  }

  private isNamed(t: TermId): boolean {
    return this.terms.isVariable(t) || this.terms.op(t) === Op.SELECT;
  }

  private scalar(t: TermId): CVariable {
    const variable = this.variableOf(t);
    const isNumber =
      variable?.type.kind === 'enum' ||
      (variable?.type.kind === 'basic' && variable.type.encoding !== 'float');
    if (variable === undefined || !isNumber) throw new Inexpressible();
    return variable;
  }

  /**
   * An expression whose value is that of a word, read as signed or not, in a type where comparing it with another such
   * expression compares the values: for signed ones a signed type, for others any that holds it.
   */
  private value(t: TermId, isSigned: boolean): Text {
    const { terms } = this;
    const width = this.widthOf(t);
    if (this.isConstant(t)) {
      const number = BigInt(terms.bvValue(t));
      const text = integerText(isSigned ? BigInt.asIntN(width, number) : number);
      return { text, tie: text.startsWith('-') ? Tie.UNARY : Tie.NAME };
    }
    const args = terms.args(t);
    switch (terms.op(t)) {
      case Op.APPLY:
      case Op.SELECT: {
        const { text, type } = this.scalar(t);
        const named: Text = { text, tie: Tie.NAME };
        return isSignedType(type) === isSigned ? named : cast(exactType(width, isSigned), named);
      }
      case Op.ITE:
        return choice(
          this.truth(args[0], true),
          this.value(args[1], isSigned),
          this.value(args[2], isSigned),
        );
      case Op.SIGN_EXTEND:
        if (isSigned) return this.value(args[0], true);
        break;
      case Op.ZERO_EXTEND: {
        if (terms.sort(args[0]) === terms.sort(t)) return this.value(args[0], isSigned);
        const inner = this.value(args[0], false);
        return isSigned ? cast(width <= 32 ? 'int' : 'long long', inner) : inner;
      }
    }
    return isSigned ? cast(exactType(width, true), this.word(t)) : this.word(t);
  }

  // ---- words ----

  /** An expression of type `unsigned int`, or `unsigned long long` beyond 32 bits, whose value is that of a word read as unsigned. */
  private word(t: TermId): Text {
    const { terms } = this;
    const width = this.widthOf(t);
    const args = terms.args(t);
    const op = terms.op(t);
    switch (op) {
      case Op.BV_CONST:
        return this.constant(BigInt(terms.bvValue(t)), width);
      case Op.APPLY:
      case Op.SELECT:
        return this.variable(t, width);
      case Op.ITE:
        return choice(this.truth(args[0], true), this.word(args[1]), this.word(args[2]));
      case Op.BVNOT:
        return this.masked({ text: `~${around(this.word(args[0]), Tie.UNARY)}`, tie: Tie.UNARY }, width);
      case Op.BVNEG:
        return this.masked(binary('-', Tie.SUM, this.constant(0n, width), this.word(args[0])), width);
      case Op.BVADD:
      case Op.BVMUL:
      case Op.BVSUB: {
        const [operator, tie] = ARITHMETIC.get(op) as readonly [string, Tie];
        const inOrder = op === Op.BVSUB ? args : this.constantsLast(args);
        const all = inOrder.map(a => this.word(a)).reduce((a, b) => binary(operator, tie, a, b));
        return this.masked(all, width);
      }
      case Op.BVAND:
      case Op.BVOR:
      case Op.BVXOR:
        return this.constantsLast(args)
          .map(a => this.word(a))
          .reduce((a, b) => bits(BITWISE.get(op) as string, a, b));
      case Op.BVUDIV:
      case Op.BVUREM:
        return this.unsignedDivision(args[0], args[1], op === Op.BVUDIV, width);
      case Op.BVSDIV:
      case Op.BVSREM:
        return this.signedDivision(args[0], args[1], op === Op.BVSDIV, width);
      case Op.BVSHL:
      case Op.BVLSHR:
      case Op.BVASHR:
        return this.shift(t, width);
      case Op.CONCAT:
        return this.concatenation(args, width);
      case Op.EXTRACT: {
        const [, low] = terms.indices(t);
        const whole = this.word(args[0]);
        const moved = low === 0 ? whole : binary('>>', Tie.SHIFT, whole, plain(low));
        const narrow = this.widthOf(args[0]) > 32 && width <= 32 ? cast('unsigned', moved) : moved;
        return this.isRest(args[0], low, width) ? narrow : this.masked(narrow, width);
      }
      case Op.ZERO_EXTEND: {
        const inner = this.word(args[0]);
        return this.widthOf(args[0]) <= 32 && width > 32 ? cast('unsigned long long', inner) : inner;
      }
      case Op.SIGN_EXTEND:
        return this.masked(cast(wordType(width), this.value(args[0], true)), width);
      case Op.BVCOMP:
        return cast('unsigned', this.equality(args[0], args[1], true));
      default:
        throw new Inexpressible();
    }
  }

  private constantsLast(args: readonly TermId[]): TermId[] {
    return [...args.filter(a => !this.isConstant(a)), ...args.filter(a => this.isConstant(a))];
  }

  private widthOf(t: TermId): number {
    const { terms } = this;
    const width = terms.sorts.width(terms.sort(t));
    if (width < 1 || width > 64) throw new Inexpressible();
    return width;
  }

  private constant(value: bigint, width: number): Text {
    return { text: `${value}${width <= 32 ? 'u' : 'ull'}`, tie: Tie.NAME };
  }

  private variable(t: TermId, width: number): Text {
    const { text, type } = this.scalar(t);
    const named: Text = { text, tie: Tie.NAME };
    const isSigned = isSignedType(type);
    if (width === 32 || width === 64) return isSigned ? cast(wordType(width), named) : named;
    return cast('unsigned', isSigned ? cast(exactType(width, false), named) : named);
  }

  /** Of an expression whose lower bits are right, these alone. */
  private masked(text: Text, width: number): Text {
    if (width === 32 || width === 64) return text;
    const mask = (1n << BigInt(width)) - 1n;
    return bits('&', text, this.constant(mask, width));
  }

  /** Do the bits from `low` on reach to the end of what is there? */
  private isRest(t: TermId, low: number, width: number): boolean {
    return low + width === this.widthOf(t);
  }

  private unsignedDivision(a: TermId, b: TermId, isQuotient: boolean, width: number): Text {
    const [x, y] = [this.word(a), this.word(b)];
    const result = binary(isQuotient ? '/' : '%', Tie.PRODUCT, x, y);
    if (this.isConstant(b) && BigInt(this.terms.bvValue(b)) !== 0n) return result;
    const ones = this.constant((1n << BigInt(width)) - 1n, width);
    return choice(binary('==', Tie.EQUAL, y, plain(0)), isQuotient ? ones : x, result);
  }

  private signedDivision(a: TermId, b: TermId, isQuotient: boolean, width: number): Text {
    const [x, y] = [this.value(a, true), this.value(b, true)];
    const operator = isQuotient ? '/' : '%';
    // Both are of a type that is wide enough, but for the least number divided by -1.
    const result = this.masked(cast(wordType(width), binary(operator, Tie.PRODUCT, x, y)), width);
    const divisor = this.isConstant(b) ? BigInt.asIntN(width, BigInt(this.terms.bvValue(b))) : undefined;
    if (divisor !== undefined && divisor !== 0n && divisor !== -1n) return result;
    const word = this.word(a);
    const one = this.constant(1n, width);
    const ones = this.constant((1n << BigInt(width)) - 1n, width);
    const byZero = isQuotient ? choice(binary('<', Tie.LESS, x, plain(0)), one, ones) : word;
    const negated = this.masked(binary('-', Tie.SUM, this.constant(0n, width), word), width);
    const byMinusOne = isQuotient ? negated : this.constant(0n, width);
    const isMinusOne = binary('==', Tie.EQUAL, y, { text: '-1', tie: Tie.UNARY });
    return choice(binary('==', Tie.EQUAL, y, plain(0)), byZero, choice(isMinusOne, byMinusOne, result));
  }

  private shift(t: TermId, width: number): Text {
    const { terms } = this;
    const [a, by] = terms.args(t);
    const op = terms.op(t);
    const isArithmetic = op === Op.BVASHR;
    const shifted = (amount: Text): Text => {
      if (op === Op.BVSHL) return this.masked(binary('<<', Tie.SHIFT, this.word(a), amount), width);
      if (op === Op.BVLSHR) return binary('>>', Tie.SHIFT, this.word(a), amount);
      // What is extended may be of a narrower type.
      const value = this.value(a, true);
      const moved = binary('>>', Tie.SHIFT, width > 32 ? cast('long long', value) : value, amount);
      return this.masked(cast(wordType(width), moved), width);
    };
    const beyond = isArithmetic ? shifted(plain(width - 1)) : this.constant(0n, width);
    if (this.isConstant(by)) {
      const amount = BigInt(terms.bvValue(by));
      return amount >= BigInt(width) ? beyond : shifted(plain(Number(amount)));
    }
    const amount = this.word(by);
    return choice(binary('<', Tie.LESS, amount, plain(width)), shifted(amount), beyond);
  }

  private concatenation(args: readonly TermId[], width: number): Text {
    let low = width;
    const parts = args.map(a => {
      const own = this.widthOf(a);
      low -= own;
      const part = width > 32 && own <= 32 ? cast('unsigned long long', this.word(a)) : this.word(a);
      return low === 0 ? part : binary('<<', Tie.SHIFT, part, plain(low));
    });
    return parts.reduce((a, b) => bits('|', a, b));
  }
}

const COMPARISONS: ReadonlyMap<Op, readonly [operator: '<' | '<=' | '>' | '>=', isSigned: boolean]> = new Map(
  [
    [Op.BVULT, ['<', false]],
    [Op.BVULE, ['<=', false]],
    [Op.BVUGT, ['>', false]],
    [Op.BVUGE, ['>=', false]],
    [Op.BVSLT, ['<', true]],
    [Op.BVSLE, ['<=', true]],
    [Op.BVSGT, ['>', true]],
    [Op.BVSGE, ['>=', true]],
  ],
);

const OPPOSITES = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

const MIRRORED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' } as const;

const ARITHMETIC: ReadonlyMap<Op, readonly [string, Tie]> = new Map<Op, readonly [string, Tie]>([
  [Op.BVADD, ['+', Tie.SUM]],
  [Op.BVSUB, ['-', Tie.SUM]],
  [Op.BVMUL, ['*', Tie.PRODUCT]],
]);

const BITWISE: ReadonlyMap<Op, string> = new Map<Op, string>([
  [Op.BVAND, '&'],
  [Op.BVOR, '|'],
  [Op.BVXOR, '^'],
]);

function isSignedType(type: DebugType): boolean {
  if (type.kind === 'enum') return type.isSigned;
  return type.kind === 'basic' && (type.encoding === 'signed' || type.encoding === 'char');
}

/** The type in which words are computed. */
function wordType(width: number): string {
  return width <= 32 ? 'unsigned' : 'unsigned long long';
}

/** The type of exactly so many bits. */
function exactType(width: number, isSigned: boolean): string {
  const name = new Map([
    [8, 'char'],
    [16, 'short'],
    [32, 'int'],
    [64, 'long long'],
  ]).get(width);
  if (name === undefined) throw new Inexpressible();
  if (!isSigned) return width === 32 ? 'unsigned' : `unsigned ${name}`;
  return width === 8 ? 'signed char' : name;
}

function plain(value: number): Text {
  return { text: String(value), tie: Tie.NAME };
}

/** In parentheses unless it hangs together at least so tightly. */
function around({ text, tie }: Text, least: Tie): string {
  return tie >= least ? text : `(${text})`;
}

function cast(type: string, inner: Text): Text {
  return { text: `(${type})${around(inner, Tie.UNARY)}`, tie: Tie.UNARY };
}

function binary(operator: string, tie: Tie, a: Text, b: Text): Text {
  // Operators group to the left; comparisons of comparisons and shifted sums are clearer with parentheses.
  const isArithmetic = tie === Tie.SUM || tie === Tie.PRODUCT;
  const least = isArithmetic ? tie : tie === Tie.SHIFT ? Tie.UNARY : Tie.SHIFT;
  const next = isArithmetic ? ((tie + 1) as Tie) : least;
  return { text: `${around(a, least)} ${operator} ${around(b, next)}`, tie };
}

/** Bits are combined with everything else in parentheses, since their operators hang together so loosely. */
function bits(operator: string, a: Text, b: Text): Text {
  return { text: `${around(a, Tie.UNARY)} ${operator} ${around(b, Tie.UNARY)}`, tie: Tie.BITS };
}

function choice(condition: Text, yes: Text, no: Text): Text {
  const [c, y, n] = [condition, yes, no].map(x => around(x, Tie.OR));
  return { text: `${c} ? ${y} : ${n}`, tie: Tie.CHOICE };
}
