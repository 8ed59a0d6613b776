/**
 * For how many rounds a condition of a loop's guard holds. It compares a term d that grows by a constant s in each round
 * with a term e that is kept, in the signed or the unsigned order; MIN and MAX are the ends of that order. A term that
 * shrinks is turned round: a < b says the same as ~b < ~a, and ~a grows where a shrinks.
 *
 *   d < e    e - d rounds                 e < d    until d wraps: MAX - d + 1 rounds
 *   d ≤ e    e - d + 1 rounds, for ever   e ≤ d    the same, for ever if e = MIN
 *            if e = MAX
 *   d ≠ e    (e - d) / s rounds           d = e    one round
 *
 * if it holds at first, and none otherwise. With s > 1 the first four are those numbers divided by s and rounded up. That is right as long as
 * d does not jump over e and wrap, or wrap and jump over e: that is the limit's condition. With an even
 * s, d ≠ e holds for ever if e - d is no multiple of the power of two in s, and otherwise d comes to e before it is back.
 */
import { bigMask, bigSigned, inverseModulo } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';

export interface Limit {
  /** The condition of the guard. */
  readonly condition: TermId;
  /** The number of rounds through which it holds, of the width of what it compares. */
  readonly rounds: TermId;
  /** It holds for ever if this does. */
  readonly forever: TermId;
  /** The number is right if this holds. */
  readonly isExact: TermId;
  /** What is compared grows, or shrinks, by this much in each round, and not as often as it takes to come back to where it was. */
  readonly stride?: bigint;
}

/** `growth` says what a term gains in a round, if that is kept. */
export function limitOf(
  rewriter: Rewriter,
  condition: TermId,
  growth: (t: TermId) => TermId | undefined,
): Limit | undefined {
  return new LimitOf(rewriter, condition, growth).found();
}

class LimitOf {
  private readonly rewriter: Rewriter;
  private readonly terms: TermStore;
  private readonly condition: TermId;
  private readonly growth: (t: TermId) => TermId | undefined;

  constructor(rewriter: Rewriter, condition: TermId, growth: (t: TermId) => TermId | undefined) {
    this.rewriter = rewriter;
    this.terms = rewriter.terms;
    this.condition = condition;
    this.growth = growth;
  }

  found(): Limit | undefined {
    const { terms, condition } = this;
    const isNegated = terms.op(condition) === Op.NOT;
    const atom = isNegated ? terms.arg(condition, 0) : condition;
    const op = terms.op(atom);
    if (op !== Op.EQ && op !== Op.BVULT && op !== Op.BVSLT) return undefined;
    const [a, b] = terms.args(atom);
    if (terms.width(a) === 0) return undefined;
    const [byA, byB] = [this.constantGrowth(a), this.constantGrowth(b)];
    if (byA === undefined || byB === undefined || (byA === 0n) === (byB === 0n)) return undefined;
    if (op === Op.EQ) return byA === 0n ? this.equal(b, a, byB, isNegated) : this.equal(a, b, byA, isNegated);
    const isSigned = op === Op.BVSLT;
    const left = byA !== 0n;
    const by = left ? byA : byB;
    const width = terms.width(a);
    const not = (t: TermId) => this.rewriter.mk(Op.BVNOT, [t]);
    const [d, e] = left ? [a, b] : [b, a];
    // a < b with a growing is d < e; with a shrinking it is e < d for the complements, and so on.
    const isLess = left === by > 0n;
    return by > 0n
      ? this.ordered(d, e, by, width, isSigned, isLess, isNegated)
      : this.ordered(not(d), not(e), -by, width, isSigned, isLess, isNegated);
  }

  /** As a signed number. */
  private constantGrowth(t: TermId): bigint | undefined {
    const by = this.growth(t);
    if (by === undefined || !this.terms.isConstant(by)) return undefined;
    return bigSigned(BigInt(this.terms.bvValue(by)), this.terms.width(t));
  }

  /** `isLess`: d < e, otherwise e < d; the condition may be the negation of it. */
  private ordered(
    d: TermId,
    e: TermId,
    s: bigint,
    width: number,
    isSigned: boolean,
    isLess: boolean,
    isNegated: boolean,
  ): Limit | undefined {
    const { terms, rewriter, condition } = this;
    const max = isSigned ? bigMask(width - 1) : bigMask(width);
    const constant = (n: bigint) => terms.bv(width, BigInt.asUintN(width, n));
    const less = (t: TermId, u: TermId) => rewriter.mk(isSigned ? Op.BVSLT : Op.BVULT, [t, u]);
    const minus = (t: TermId, u: TermId) => rewriter.mk(Op.BVSUB, [t, u]);
    const plusOne = (t: TermId) => rewriter.mk(Op.BVADD, [constant(1n), t]);
    const rounds = (n: TermId) => rewriter.mk(Op.ITE, [condition, n, constant(0n)]);
    const isBounded = isLess !== isNegated; // from above
    if (s > max) return undefined;
    const steps = (n: TermId) => (s === 1n ? n : rewriter.mk(Op.BVUDIV, [n, constant(s)]));
    if (!isBounded) {
      const forever = isNegated && s === 1n ? rewriter.mk(Op.EQ, [constant(max + 1n), e]) : terms.false;
      const least = constant(max + (isNegated ? s + 1n : s)); // of what e may be
      const isExact = s === 1n ? terms.true : rewriter.not(less(e, least));
      const left = plusOne(steps(minus(constant(max), d)));
      return { condition, rounds: rounds(left), forever, isExact, ...(s > 1n && { stride: s }) };
    }
    const distance = minus(e, d);
    if (!isNegated) {
      const isExact = s === 1n ? terms.true : rewriter.not(less(constant(max - s + 1n), e));
      const left = s === 1n ? distance : plusOne(steps(minus(distance, constant(1n))));
      return { condition, rounds: rounds(left), forever: terms.false, isExact, stride: s };
    }
    const forever = s === 1n ? rewriter.mk(Op.EQ, [constant(max), e]) : terms.false;
    const isExact = s === 1n ? terms.true : rewriter.not(less(constant(max - s), e));
    return { condition, rounds: rounds(plusOne(steps(distance))), forever, isExact, stride: s };
  }

  private equal(d: TermId, e: TermId, s: bigint, isNegated: boolean): Limit | undefined {
    const { terms, rewriter, condition } = this;
    const width = terms.width(d);
    const always = { condition, forever: terms.false, isExact: terms.true };
    if (!isNegated) {
      const rounds = rewriter.mk(Op.ITE, [condition, terms.bv(width, 1), terms.bv(width, 0)]);
      return { ...always, rounds };
    }
    const distance = rewriter.mk(Op.BVSUB, [e, d]);
    const even = s & -s; // the greatest power of two in s
    const inverse = inverseModulo(BigInt.asUintN(width, s / even), width);
    const times = (t: TermId) => rewriter.mk(Op.BVMUL, [terms.bv(width, inverse), t]);
    if (even === 1n) return { ...always, rounds: times(distance) };
    const bits = even.toString(2).length - 1;
    const low = rewriter.mk(Op.EXTRACT, [distance], [bits - 1, 0]);
    const forever = rewriter.not(rewriter.mk(Op.EQ, [terms.bv(bits, 0), low]));
    // Some more bits of a number would lead to the same state.
    const quotient = times(rewriter.mk(Op.BVLSHR, [distance, terms.bv(width, bits)]));
    const least = rewriter.mk(Op.EXTRACT, [quotient], [width - bits - 1, 0]);
    return { ...always, forever, rounds: rewriter.mk(Op.ZERO_EXTEND, [least], [bits]) };
  }
}
