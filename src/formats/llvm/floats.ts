/**
 * IEEE 754 arithmetic in terms over bit-vectors, rounding to the nearest number, and to the even one of two, as C does
 * unless it is told otherwise. A number is its bits as they lie in memory: sign, biased exponent, fraction.
 *
 * Where the standard leaves room, the choice is that of x86: an operand that is not a number is the result, made quiet; an operation
 * that has no result gives the quiet one whose sign is set; a conversion to an integer that does not fit gives the least
 * signed integer.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { FloatFormat, FloatOperation, FloatOperator, FloatPredicate } from './float-format.ts';
import type { Operations } from './operations.ts';

/** A number other than zero, infinity and what is none: ± 1.f × 2^exponent, its leading one included. */
interface Unpacked {
  readonly sign: TermId;
  readonly exponent: TermId; // signed
  readonly significand: TermId; // the topmost bit is one
}

export class Floats {
  private readonly operations: Operations;
  private readonly terms: TermStore;

  constructor(operations: Operations) {
    this.operations = operations;
    this.terms = operations.terms;
  }

  /** `width` is that of the result. */
  apply(operation: FloatOperation, [a, b]: readonly TermId[], width: number): TermId {
    switch (operation.kind) {
      case 'arithmetic':
        return this.arithmetic(operation.operator, operation.format, a, b);
      case 'compare':
        return this.compare(operation.predicate, operation.format, a, b);
      case 'to-integer':
        return this.toInteger(operation.format, a, width, operation.isSigned);
      case 'from-integer':
        return this.fromInteger(operation.format, a, operation.isSigned);
      case 'convert':
        return this.convert(operation.from, operation.to, a);
      case 'classify':
        return this.isInClass(operation.format, a, operation.mask);
    }
  }

  arithmetic(operator: FloatOperator, format: FloatFormat, a: TermId, b: TermId): TermId {
    switch (operator) {
      case 'fadd':
        return this.sum(format, a, b);
      case 'fsub':
        return this.orNan(format, a, b, this.sum(format, a, this.negated(b)));
      case 'fmul':
        return this.product(format, a, b);
      case 'fdiv':
        return this.quotient(format, a, b);
    }
  }

  compare(predicate: FloatPredicate, format: FloatFormat, a: TermId, b: TermId): TermId {
    const { operations } = this;
    if (predicate === 'true' || predicate === 'false')
      return operations.constant(predicate === 'true' ? 1n : 0n, 1);
    const isUnordered = this.or(this.isNan(format, a), this.isNan(format, b));
    const isOrdered = this.not(isUnordered);
    const relation = predicate.slice(1);
    if (relation === 'rd') return isOrdered;
    if (relation === 'no') return isUnordered;
    const holds = this.related(relation, a, b);
    return predicate.startsWith('o') ? this.and(isOrdered, holds) : this.or(isUnordered, holds);
  }

  /** Of numbers. */
  private related(relation: string, a: TermId, b: TermId): TermId {
    switch (relation) {
      case 'eq':
        return this.isSame(a, b);
      case 'ne':
        return this.not(this.isSame(a, b));
      case 'lt':
        return this.isLess(a, b);
      case 'gt':
        return this.isLess(b, a);
      case 'le':
        return this.or(this.isLess(a, b), this.isSame(a, b));
      default: // ge
        return this.or(this.isLess(b, a), this.isSame(a, b));
    }
  }

  /** Cut off after the point. */
  toInteger(format: FloatFormat, a: TermId, width: number, isSigned: boolean): TermId {
    const { operations: o } = this;
    if (width === 1) return o.resized(this.toInteger(format, a, 8, isSigned), 1, false);
    const { exponentBits, fractionBits } = format;
    const biased = this.exponent(format, a);
    const significand = o.joined([this.fraction(format, a), o.constant(1n, 2)]); // a number below one is zero anyway
    const wide = Math.max(width, fractionBits + 1, exponentBits) + 2;
    const point = this.number(bias(format) + fractionBits, wide);
    const [shifted, at] = [o.resized(significand, wide, false), o.resized(biased, wide, false)];
    const isBelowPoint = o.compare('ult', at, point);
    const whole = o.ite(
      isBelowPoint,
      o.binary('lshr', shifted, o.binary('sub', point, at)),
      o.binary('shl', shifted, o.binary('sub', at, point)),
    );
    const isBelowOne = this.below(biased, bias(format));
    const magnitude = o.ite(isBelowOne, this.number(0, wide), whole);
    const sign = this.sign(a);
    const value = o.bits(o.ite(sign, this.negative(magnitude), magnitude), 0, width);
    const limit = 1n << BigInt(isSigned ? width - 1 : width);
    const least = isSigned ? o.constant(limit + 1n, wide) : o.constant(1n, wide); // the first one below zero that does not fit
    const fits = o.ite(
      sign,
      o.compare('ult', magnitude, least),
      o.compare('ult', magnitude, o.constant(limit, wide)),
    );
    const isSmall = this.below(biased, bias(format) + width); // beyond, bits of the magnitude are lost
    const isNumber = this.below(biased, 2 * bias(format) + 1);
    const indefinite = o.constant(1n << BigInt(width - 1), width);
    return o.ite(this.and(isSmall, isNumber, fits), value, indefinite);
  }

  fromInteger(format: FloatFormat, word: TermId, isSigned: boolean): TermId {
    const { operations: o } = this;
    const a = this.terms.width(word) === 0 ? o.resized(word, 8, isSigned) : word;
    const width = this.terms.width(a);
    const sign = isSigned ? this.bit(a, width - 1) : this.terms.false;
    const magnitude = o.ite(sign, this.negative(a), a);
    const exponentWidth = Math.max(format.exponentBits, bitsFor(width)) + 2;
    const { significand, zeros } = this.normalized(magnitude, exponentWidth);
    const exponent = o.binary('sub', this.number(width - 1, exponentWidth), zeros);
    const rounded = this.rounded(format, { sign, exponent, significand });
    return o.ite(this.isZeroWord(a), o.constant(0n, totalBits(format)), rounded);
  }

  convert(from: FloatFormat, to: FloatFormat, a: TermId): TermId {
    const { operations: o } = this;
    if (from === to) return a;
    const exponentWidth = Math.max(from.exponentBits, to.exponentBits) + 3;
    const rounded = this.rounded(to, this.unpacked(from, a, exponentWidth));
    const sign = this.sign(a);
    const special = o.ite(this.isInfinite(from, a), this.infinity(to, sign), this.zero(to, sign));
    const finite = o.ite(this.or(this.isInfinite(from, a), this.isZero(a)), special, rounded);
    return o.ite(this.isNan(from, a), this.quietNan(from, to, a), finite);
  }

  /** The lowest bit of the mask asks for signalling ones, then quiet ones, then from minus infinity up. */
  isInClass(format: FloatFormat, a: TermId, mask: number): TermId {
    const { fractionBits } = format;
    const isNan = this.isNan(format, a);
    const isQuiet = this.bit(a, fractionBits - 1);
    const isInfinite = this.isInfinite(format, a);
    const isZero = this.isZero(a);
    const isSmall = this.and(this.isZeroWord(this.exponent(format, a)), this.not(isZero)); // subnormal
    const isNormal = this.not(this.or(isNan, isInfinite, isZero, isSmall));
    const [isNegative, isPositive] = [this.sign(a), this.not(this.sign(a))];
    const classes = [
      this.and(isNan, this.not(isQuiet)),
      this.and(isNan, isQuiet),
      ...[isInfinite, isNormal, isSmall, isZero].map(c => this.and(isNegative, c)),
      ...[isZero, isSmall, isNormal, isInfinite].map(c => this.and(isPositive, c)),
    ];
    return this.or(...classes.filter((_, i) => (mask >> i) & 1));
  }

  // ---- arithmetic ----

  private sum(format: FloatFormat, a: TermId, b: TermId): TermId {
    const { operations: o } = this;
    const { exponentBits, fractionBits } = format;
    // The larger one first.
    const isSwapped = o.compare('ult', this.magnitude(a), this.magnitude(b));
    const [large, small] = [o.ite(isSwapped, b, a), o.ite(isSwapped, a, b)];
    // Three bits below the last one are enough to round by, if the last of them says whether there is anything further down.
    const width = fractionBits + 5; // one for the carry, one that is hidden, and these three
    const [x, y] = [large, small].map(n => {
      const biased = this.exponent(format, n);
      const isNormal = this.not(this.isZeroWord(biased));
      const hidden = o.resized(isNormal, 2, false);
      return {
        biased: o.ite(isNormal, biased, this.number(1, exponentBits)),
        significand: o.joined([o.constant(0n, 3), this.fraction(format, n), hidden]),
      };
    });
    const distance = o.binary('sub', x.biased, y.biased);
    const aligned = this.shiftedRight(y.significand, distance);
    const isDifference = this.not(o.compare('eq', this.sign(large), this.sign(small)));
    const total = o.binary('add', x.significand, o.ite(isDifference, this.negative(aligned), aligned));
    const exponentWidth = Math.max(exponentBits, bitsFor(width)) + 3;
    const { significand, zeros } = this.normalized(total, exponentWidth);
    const top = this.number(1 - bias(format), exponentWidth); // of the carry's bit, were the biased exponent zero
    const exponent = o.binary('sub', o.binary('add', o.resized(x.biased, exponentWidth, false), top), zeros);
    const rounded = this.rounded(format, { sign: this.sign(large), exponent, significand });
    const zeroSign = this.and(this.sign(a), this.sign(b));
    const finite = o.ite(this.isZeroWord(total), this.zero(format, zeroSign), rounded);
    const [isInfiniteA, isInfiniteB] = [this.isInfinite(format, a), this.isInfinite(format, b)];
    const infinite = o.ite(
      this.and(isInfiniteA, isInfiniteB, isDifference),
      this.indefinite(format),
      o.ite(isInfiniteA, a, b),
    );
    return this.orNan(format, a, b, o.ite(this.or(isInfiniteA, isInfiniteB), infinite, finite));
  }

  private product(format: FloatFormat, a: TermId, b: TermId): TermId {
    const { operations: o } = this;
    const exponentWidth = format.exponentBits + 3;
    const [x, y] = [a, b].map(n => this.unpacked(format, n, exponentWidth));
    const width = 2 * (format.fractionBits + 1);
    const wide = (t: TermId) => o.resized(t, width, false);
    const product = o.binary('mul', wide(x.significand), wide(y.significand));
    const sign = this.not(o.compare('eq', x.sign, y.sign));
    const exponent = o.binary('add', x.exponent, y.exponent);
    const rounded = this.rounded(format, this.shiftedByOne(sign, exponent, product));
    const [isZeroA, isZeroB] = [this.isZero(a), this.isZero(b)];
    const [isInfiniteA, isInfiniteB] = [this.isInfinite(format, a), this.isInfinite(format, b)];
    const isZero = this.or(isZeroA, isZeroB);
    const infinite = o.ite(isZero, this.indefinite(format), this.infinity(format, sign));
    const finite = o.ite(isZero, this.zero(format, sign), rounded);
    return this.orNan(format, a, b, o.ite(this.or(isInfiniteA, isInfiniteB), infinite, finite));
  }

  private quotient(format: FloatFormat, a: TermId, b: TermId): TermId {
    const { operations: o } = this;
    const { exponentBits, fractionBits } = format;
    const exponentWidth = exponentBits + 3;
    const [x, y] = [a, b].map(n => this.unpacked(format, n, exponentWidth));
    // Two digits more than the fraction has; a third says whether there is a rest.
    const digits = fractionBits + 3;
    const width = fractionBits + 1 + digits;
    const dividend = o.binary('shl', o.resized(x.significand, width, false), this.number(digits - 1, width));
    const divisor = o.resized(y.significand, width, false);
    const hasRest = this.not(this.isZeroWord(o.binary('urem', dividend, divisor)));
    const whole = o.bits(o.binary('udiv', dividend, divisor), 0, digits);
    const significand = this.withSticky(whole, hasRest);
    const sign = this.not(o.compare('eq', x.sign, y.sign));
    const exponent = o.binary('sub', o.binary('sub', x.exponent, y.exponent), this.number(1, exponentWidth));
    const rounded = this.rounded(format, this.shiftedByOne(sign, exponent, significand));
    const [isZeroA, isZeroB] = [this.isZero(a), this.isZero(b)];
    const [isInfiniteA, isInfiniteB] = [this.isInfinite(format, a), this.isInfinite(format, b)];
    const isUndefined = this.or(this.and(isZeroA, isZeroB), this.and(isInfiniteA, isInfiniteB));
    const isInfinite = this.or(isInfiniteA, isZeroB);
    const isZero = this.or(isZeroA, isInfiniteB);
    const defined = o.ite(
      isInfinite,
      this.infinity(format, sign),
      o.ite(isZero, this.zero(format, sign), rounded),
    );
    return this.orNan(format, a, b, o.ite(isUndefined, this.indefinite(format), defined));
  }

  // ---- taking apart and putting together ----

  /** Of a number that is finite and not zero; of others, anything. */
  private unpacked(format: FloatFormat, a: TermId, exponentWidth: number): Unpacked {
    const { operations: o } = this;
    const biased = this.exponent(format, a);
    const isNormal = this.not(this.isZeroWord(biased));
    const fraction = this.fraction(format, a);
    // A subnormal number has the least exponent and no leading one.
    const { significand, zeros } = this.normalized(o.joined([fraction, this.terms.bv(1, 0)]), exponentWidth);
    const [normal, least] = [
      o.binary('sub', o.resized(biased, exponentWidth, false), this.number(bias(format), exponentWidth)),
      this.number(1 - bias(format), exponentWidth),
    ];
    return {
      sign: this.sign(a),
      exponent: o.ite(isNormal, normal, o.binary('sub', least, zeros)),
      significand: o.ite(isNormal, o.joined([fraction, this.terms.bv(1, 1)]), significand),
    };
  }

  /** The leading one of a product or quotient is in the topmost place or the one below it. */
  private shiftedByOne(sign: TermId, exponent: TermId, significand: TermId): Unpacked {
    const { operations: o } = this;
    const width = this.terms.width(significand);
    const isTop = this.bit(significand, width - 1);
    const one = this.number(1, this.terms.width(exponent));
    return {
      sign,
      exponent: o.ite(isTop, o.binary('add', exponent, one), exponent),
      significand: o.ite(isTop, significand, o.binary('shl', significand, this.number(1, width))),
    };
  }

  /** The number of the format that is nearest. */
  private rounded(format: FloatFormat, { sign, exponent, significand }: Unpacked): TermId {
    const { operations: o } = this;
    const { exponentBits, fractionBits } = format;
    const width = fractionBits + 3; // the fraction with its leading one, the first bit that is cut off, and whether more is
    const compressed = this.compressed(significand, width);
    const exponentWidth = this.terms.width(exponent);
    const least = this.number(1 - bias(format), exponentWidth);
    const isSubnormal = o.compare('slt', exponent, least);
    const denormalized = this.shiftedRight(compressed, o.binary('sub', least, exponent));
    const kept = o.ite(isSubnormal, denormalized, compressed);
    const biased = o.ite(
      isSubnormal,
      this.number(0, exponentBits),
      o.bits(o.binary('add', exponent, this.number(bias(format), exponentWidth)), 0, exponentBits),
    );
    const roundsUp = this.and(this.bit(kept, 1), this.or(this.bit(kept, 0), this.bit(kept, 2)));
    // A carry out of the fraction is one more in the exponent, as it should be.
    const cut = o.joined([o.bits(kept, 2, fractionBits), biased]);
    const nearest = o.binary('add', cut, o.resized(roundsUp, exponentBits + fractionBits, false));
    const isTooLarge = o.compare('sgt', exponent, this.number(bias(format), exponentWidth));
    const magnitude = o.ite(isTooLarge, this.infiniteMagnitude(format), nearest);
    return o.joined([magnitude, this.signBit(sign)]);
  }

  /** Shifted left until the topmost bit is one, and how far; the word is not zero. */
  private normalized(word: TermId, countWidth: number): { significand: TermId; zeros: TermId } {
    const { operations: o } = this;
    const width = this.terms.width(word);
    let significand = word;
    let zeros = this.number(0, countWidth);
    for (let step = 2 ** Math.floor(Math.log2(Math.max(width - 1, 1))); step >= 1; step /= 2) {
      if (step >= width) continue;
      const isEmpty = this.isZeroWord(o.bits(significand, width - step, step));
      significand = o.ite(isEmpty, o.binary('shl', significand, this.number(step, width)), significand);
      zeros = o.ite(isEmpty, o.binary('add', zeros, this.number(step, countWidth)), zeros);
    }
    return { significand, zeros };
  }

  /** Shifted right; the last bit says whether there is a one in it or further down. */
  private shiftedRight(word: TermId, distance: TermId): TermId {
    const { operations: o } = this;
    const width = this.terms.width(word);
    const most = this.number(width, Math.max(this.terms.width(distance), bitsFor(width)));
    const far = o.resized(distance, this.terms.width(most), false);
    const by = o.resized(o.ite(o.compare('ult', far, most), far, most), width, false);
    const shifted = o.binary('lshr', word, by);
    const isExact = o.compare('eq', o.binary('shl', shifted, by), word);
    return o.binary('or', shifted, o.resized(this.not(isExact), width, false));
  }

  /** To a width, with zeros below, or with what is cut off in the last bit. */
  private compressed(word: TermId, width: number): TermId {
    const { operations: o } = this;
    const own = this.terms.width(word);
    if (own === width) return word;
    if (own < width) return o.joined([this.zeros(width - own), word]);
    const rest = o.bits(word, 0, own - width + 1);
    return this.withSticky(o.bits(word, own - width + 1, width - 1), this.not(this.isZeroWord(rest)));
  }

  private withSticky(word: TermId, sticky: TermId): TermId {
    return this.operations.joined([this.signBit(sticky), word]);
  }

  // ---- what a number is ----

  private sign(a: TermId): TermId {
    return this.bit(a, this.terms.width(a) - 1);
  }

  private magnitude(a: TermId): TermId {
    return this.operations.bits(a, 0, this.terms.width(a) - 1);
  }

  private exponent({ exponentBits, fractionBits }: FloatFormat, a: TermId): TermId {
    return this.operations.bits(a, fractionBits, exponentBits);
  }

  private fraction({ fractionBits }: FloatFormat, a: TermId): TermId {
    return this.operations.bits(a, 0, fractionBits);
  }

  private isNan(format: FloatFormat, a: TermId): TermId {
    return this.operations.compare('ugt', this.magnitude(a), this.infiniteMagnitude(format));
  }

  private isInfinite(format: FloatFormat, a: TermId): TermId {
    return this.operations.compare('eq', this.magnitude(a), this.infiniteMagnitude(format));
  }

  private isZero(a: TermId): TermId {
    return this.isZeroWord(this.magnitude(a));
  }

  private isSame(a: TermId, b: TermId): TermId {
    return this.or(this.operations.compare('eq', a, b), this.and(this.isZero(a), this.isZero(b)));
  }

  private isLess(a: TermId, b: TermId): TermId {
    const { operations: o } = this;
    const [signA, signB] = [this.sign(a), this.sign(b)];
    const [x, y] = [this.magnitude(a), this.magnitude(b)];
    const isNegativeLess = o.ite(
      signB,
      o.compare('ugt', x, y),
      this.not(this.and(this.isZero(a), this.isZero(b))),
    );
    return o.ite(signA, isNegativeLess, this.and(this.not(signB), o.compare('ult', x, y)));
  }

  // ---- numbers of their own ----

  private zero(format: FloatFormat, sign: TermId): TermId {
    return this.operations.joined([this.number(0, totalBits(format) - 1), this.signBit(sign)]);
  }

  private infinity(format: FloatFormat, sign: TermId): TermId {
    return this.operations.joined([this.infiniteMagnitude(format), this.signBit(sign)]);
  }

  private infiniteMagnitude(format: FloatFormat): TermId {
    const { exponentBits, fractionBits } = format;
    const ones = (1n << BigInt(exponentBits)) - 1n;
    return this.operations.constant(ones << BigInt(fractionBits), exponentBits + fractionBits);
  }

  /** What an operation gives that has no result. */
  private indefinite(format: FloatFormat): TermId {
    const { exponentBits, fractionBits } = format;
    const ones = (1n << BigInt(exponentBits + 2)) - 1n;
    return this.operations.constant(ones << BigInt(fractionBits - 1), totalBits(format));
  }

  /** An operand that is not a number, made quiet, if there is one. */
  private orNan(format: FloatFormat, a: TermId, b: TermId, otherwise: TermId): TermId {
    const { operations: o } = this;
    const orSecond = o.ite(this.isNan(format, b), this.quietNan(format, format, b), otherwise);
    return o.ite(this.isNan(format, a), this.quietNan(format, format, a), orSecond);
  }

  /** The payload's upper bits stay. */
  private quietNan(from: FloatFormat, to: FloatFormat, a: TermId): TermId {
    const { operations: o } = this;
    const [own, wanted] = [from.fractionBits - 1, to.fractionBits - 1];
    const payload = o.bits(a, 0, own);
    const kept =
      own >= wanted ? o.bits(payload, own - wanted, wanted) : o.joined([this.zeros(wanted - own), payload]);
    const ones = (1n << BigInt(to.exponentBits + 1)) - 1n;
    return o.joined([kept, o.constant(ones, to.exponentBits + 1), this.signBit(this.sign(a))]);
  }

  // ---- terms ----

  /** With the other sign. */
  negated(a: TermId): TermId {
    const width = this.terms.width(a);
    return this.operations.binary('xor', a, this.operations.constant(1n << BigInt(width - 1), width));
  }

  private number(value: number, width: number): TermId {
    return this.terms.bv(width, BigInt.asUintN(width, BigInt(value)));
  }

  private zeros(width: number): TermId {
    return this.terms.bv(width, 0);
  }

  private bit(t: TermId, index: number): TermId {
    return this.operations.compare('eq', this.operations.bits(t, index, 1), this.terms.bv(1, 1));
  }

  private signBit(sign: TermId): TermId {
    return this.operations.ite(sign, this.terms.bv(1, 1), this.terms.bv(1, 0));
  }

  private negative(t: TermId): TermId {
    return this.operations.simplified(this.terms.app(Op.BVNEG, [t]));
  }

  private below(word: TermId, limit: number): TermId {
    const width = this.terms.width(word);
    if (BigInt(limit) >= 1n << BigInt(width)) return this.terms.true;
    return this.operations.compare('ult', word, this.number(limit, width));
  }

  private isZeroWord(t: TermId): TermId {
    return this.operations.compare('eq', t, this.zeros(this.terms.width(t)));
  }

  private not(t: TermId): TermId {
    return this.operations.simplified(this.terms.not(t));
  }

  private and(...all: readonly TermId[]): TermId {
    return this.operations.simplified(this.terms.and([...all]));
  }

  private or(...all: readonly TermId[]): TermId {
    return this.operations.simplified(this.terms.or([...all]));
  }
}

function bias({ exponentBits }: FloatFormat): number {
  return 2 ** (exponentBits - 1) - 1;
}

function totalBits({ exponentBits, fractionBits }: FloatFormat): number {
  return 1 + exponentBits + fractionBits;
}

/** Enough to count up to a number. */
function bitsFor(most: number): number {
  return Math.ceil(Math.log2(most + 1)) + 1;
}
