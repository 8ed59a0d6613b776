/**
 * Terms for what a machine computes: words are bit-vectors, a single bit is a Boolean, memory is little-endian. Terms are
 * simplified as they are made, so that what is constant is seen to be.
 */

import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { BinaryOperator, IntPredicate } from './module.ts';

const BINARY: Readonly<Record<BinaryOperator, Op>> = {
  add: Op.BVADD,
  sub: Op.BVSUB,
  mul: Op.BVMUL,
  udiv: Op.BVUDIV,
  sdiv: Op.BVSDIV,
  urem: Op.BVUREM,
  srem: Op.BVSREM,
  shl: Op.BVSHL,
  lshr: Op.BVLSHR,
  ashr: Op.BVASHR,
  and: Op.BVAND,
  or: Op.BVOR,
  xor: Op.BVXOR,
};

const COMPARISONS: Readonly<Record<Exclude<IntPredicate, 'eq' | 'ne'>, Op>> = {
  ugt: Op.BVUGT,
  uge: Op.BVUGE,
  ult: Op.BVULT,
  ule: Op.BVULE,
  sgt: Op.BVSGT,
  sge: Op.BVSGE,
  slt: Op.BVSLT,
  sle: Op.BVSLE,
};

export class Operations {
  readonly terms: TermStore;
  private readonly rewriter: Rewriter;

  constructor(terms: TermStore, rewriter: Rewriter) {
    this.terms = terms;
    this.rewriter = rewriter;
  }

  simplified(t: TermId): TermId {
    return this.rewriter.rewrite(t);
  }

  constant(value: bigint, width: number): TermId {
    return width === 1 ? this.terms.bool((value & 1n) === 1n) : this.terms.bv(width, value);
  }

  binary(operator: BinaryOperator, a: TermId, b: TermId): TermId {
    const { terms } = this;
    if (terms.sort(a) !== terms.sorts.bool) return this.simplified(terms.app(BINARY[operator], [a, b]));
    switch (operator) {
      case 'and':
      case 'mul':
        return this.simplified(terms.and([a, b]));
      case 'or':
        return this.simplified(terms.or([a, b]));
      case 'xor':
      case 'add':
      case 'sub':
        return this.simplified(terms.not(terms.eq(a, b)));
      default:
        return this.toBoolean(this.binary(operator, this.toBit(a), this.toBit(b)));
    }
  }

  compare(predicate: IntPredicate, a: TermId, b: TermId): TermId {
    const { terms } = this;
    if (predicate === 'eq') return this.simplified(terms.eq(a, b));
    if (predicate === 'ne') return this.simplified(terms.not(terms.eq(a, b)));
    const isBoolean = terms.sort(a) === terms.sorts.bool;
    const [x, y] = isBoolean ? [this.toBit(a), this.toBit(b)] : [a, b];
    return this.simplified(terms.app(COMPARISONS[predicate], [x, y]));
  }

  /** Cut off, or extended, to a width. */
  resized(t: TermId, width: number, isSigned: boolean): TermId {
    const { terms } = this;
    if (terms.sort(t) === terms.sorts.bool) {
      if (width === 1) return t;
      const one = terms.bv(width, isSigned ? (1n << BigInt(width)) - 1n : 1n);
      return this.simplified(terms.ite(t, one, terms.bv(width, 0)));
    }
    const from = terms.width(t);
    if (from === width) return t;
    if (width === 1) return this.toBoolean(this.bits(t, 0, 1));
    if (from > width) return this.bits(t, 0, width);
    return this.simplified(terms.app(isSigned ? Op.SIGN_EXTEND : Op.ZERO_EXTEND, [t], [width - from]));
  }

  ite(condition: TermId, a: TermId, b: TermId): TermId {
    return this.simplified(this.terms.ite(condition, a, b));
  }

  sum(a: TermId, b: TermId): TermId {
    return this.simplified(this.terms.app(Op.BVADD, [a, b]));
  }

  product(a: TermId, factor: bigint): TermId {
    const { terms } = this;
    return this.simplified(
      terms.app(Op.BVMUL, [a, terms.bv(terms.width(a), BigInt.asUintN(terms.width(a), factor))]),
    );
  }

  /** So many bits of a vector, from some bit on. */
  bits(t: TermId, from: number, count: number): TermId {
    const { terms } = this;
    if (from === 0 && count === terms.width(t)) return t;
    return this.simplified(terms.app(Op.EXTRACT, [t], [from + count - 1, from]));
  }

  /** Vectors one after the other, the lowest first. */
  joined(parts: readonly TermId[]): TermId {
    return parts.reduce((low, high) => this.simplified(this.terms.app(Op.CONCAT, [high, low])));
  }

  select(array: TermId, index: TermId): TermId {
    return this.simplified(this.terms.app(Op.SELECT, [array, index]));
  }

  store(array: TermId, index: TermId, value: TermId): TermId {
    return this.simplified(this.terms.app(Op.STORE, [array, index, value]));
  }

  /** As it lies in memory: a Boolean in the lowest bit of a byte, other words in as many bytes as they need. */
  asBytes(t: TermId): TermId {
    const { terms } = this;
    const isBoolean = terms.sort(t) === terms.sorts.bool;
    const bytes = isBoolean ? 1 : Math.ceil(terms.width(t) / 8);
    return this.resized(t, 8 * bytes, false);
  }

  private toBit(b: TermId): TermId {
    const { terms } = this;
    return this.simplified(terms.ite(b, terms.bv(1, 1), terms.bv(1, 0)));
  }

  private toBoolean(bit: TermId): TermId {
    const { terms } = this;
    return this.simplified(terms.eq(terms.bv(1, 1), bit));
  }
}
