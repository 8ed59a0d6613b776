/**
 * Rules for bit-vectors that are wider than what they hold. Tools that print formulas write a sign extension as
 * a concatenation of copies of the sign; here it becomes one again, which the abstract reading sees as one operator.
 * Comparisons and remainders of extended vectors are those of the vectors themselves, so that the concrete
 * reading needs no circuit of the full width.
 */
import { bigMask, bigSigned } from '../bitvector.ts';
import { Op } from '../operators.ts';
import type { TermId, TermStore } from '../store.ts';
import type { Normalizer, Rule } from './rule.ts';

type Extension = typeof Op.SIGN_EXTEND | typeof Op.ZERO_EXTEND;

/** The bit that a term consists of copies of. */
function copiedBit(terms: TermStore, t: TermId): TermId | undefined {
  if (terms.width(t) === 1) return t;
  if (terms.op(t) !== Op.SIGN_EXTEND) return undefined;
  const inner = terms.arg(t, 0);
  return terms.width(inner) === 1 ? inner : undefined;
}

function signBit(r: Normalizer, t: TermId): TermId {
  const high = r.terms.width(t) - 1;
  return high === 0 ? t : r.mk(Op.EXTRACT, [t], [high, high]);
}

/** Do vectors of a width hold the constant, if they are extended? */
function holds(extension: Extension, value: bigint, width: number, narrow: number): boolean {
  if (extension === Op.ZERO_EXTEND) return value <= bigMask(narrow);
  const signed = bigSigned(value, width);
  return bigSigned(value & bigMask(narrow), narrow) === signed;
}

/** The vector of the given width of which a term is the extension. */
function narrowed(r: Normalizer, extension: Extension, t: TermId, width: number): TermId | undefined {
  const { terms } = r;
  if (terms.op(t) === Op.BV_CONST) {
    const value = BigInt(terms.bvValue(t));
    return holds(extension, value, terms.width(t), width)
      ? terms.bv(width, value & bigMask(width))
      : undefined;
  }
  if (terms.op(t) !== extension) return undefined;
  const inner = terms.arg(t, 0);
  const by = width - terms.width(inner);
  return by < 0 ? undefined : r.mk(extension, [inner], [by]);
}

/** Two terms as vectors of the same lesser width of which both are extensions. */
function bothNarrowed(
  r: Normalizer,
  extension: Extension,
  args: readonly TermId[],
): readonly [TermId, TermId] | undefined {
  const { terms } = r;
  const widths = args.filter(t => terms.op(t) === extension).map(t => terms.width(terms.arg(t, 0)));
  if (widths.length === 0) return undefined;
  const [a, b] = args.map(t => narrowed(r, extension, t, Math.max(...widths)));
  return a === undefined || b === undefined ? undefined : [a, b];
}

/** The order of extended vectors: signs extended keep both orders, zeros make everything positive. */
function comparison(op: Op, extension: Extension): Op {
  return op === Op.BVSLT && extension === Op.ZERO_EXTEND ? Op.BVULT : op;
}

export const extensionRules: readonly Rule[] = [
  {
    name: 'concat-sign',
    ops: [Op.CONCAT],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const bit = copiedBit(terms, a);
      if (bit === undefined) return undefined;
      const isExtended = terms.op(b) === Op.SIGN_EXTEND;
      const base = isExtended ? terms.arg(b, 0) : b;
      if (signBit(r, base) !== bit) return undefined;
      return r.mk(Op.SIGN_EXTEND, [base], [terms.width(a) + terms.width(b) - terms.width(base)]);
    },
  },
  {
    name: 'compare-extended',
    ops: [Op.EQ, Op.BVULT, Op.BVSLT],
    rewrite: (r, { op, args }) => {
      for (const extension of [Op.SIGN_EXTEND, Op.ZERO_EXTEND] as const) {
        const narrow = bothNarrowed(r, extension, args);
        if (narrow !== undefined) return r.mk(comparison(op, extension), narrow);
      }
      return undefined;
    },
  },
  {
    name: 'eq-out-of-reach',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const extension = terms.op(b);
      if (terms.op(a) !== Op.BV_CONST) return undefined;
      if (extension !== Op.SIGN_EXTEND && extension !== Op.ZERO_EXTEND) return undefined;
      const width = terms.width(terms.arg(b, 0));
      return holds(extension, BigInt(terms.bvValue(a)), terms.width(a), width) ? undefined : terms.false;
    },
  },
  {
    name: 'order-out-of-reach',
    ops: [Op.BVULT, Op.BVSLT],
    rewrite: (r, { op, args: [a, b] }) => {
      const { terms } = r;
      const isLeft = terms.op(b) === Op.BV_CONST;
      const [extended, constant] = isLeft ? [a, b] : [b, a];
      const extension = terms.op(extended);
      if (extension !== Op.SIGN_EXTEND && extension !== Op.ZERO_EXTEND) return undefined;
      if (terms.op(constant) !== Op.BV_CONST) return undefined;
      const inner = terms.arg(extended, 0);
      const width = terms.width(extended);
      const value = BigInt(terms.bvValue(constant));
      if (holds(extension, value, width, terms.width(inner))) return undefined;
      if (op === Op.BVULT && extension === Op.SIGN_EXTEND) {
        // The constant lies between what is positive and what is negative.
        const isNegative = r.mk(Op.EQ, [terms.bv(1, 1), signBit(r, inner)]);
        return isLeft ? r.not(isNegative) : isNegative;
      }
      const isAbove = op === Op.BVULT || bigSigned(value, width) > 0n;
      return terms.bool(isAbove === isLeft);
    },
  },
  {
    name: 'remainder-extended',
    ops: [Op.BVUREM, Op.BVSREM, Op.BVSMOD],
    rewrite: (r, { op, args }) => {
      const { terms } = r;
      const extension = op === Op.BVUREM ? Op.ZERO_EXTEND : Op.SIGN_EXTEND;
      const narrow = bothNarrowed(r, extension, args);
      if (narrow === undefined) return undefined;
      const by = terms.width(args[0]) - terms.width(narrow[0]);
      return r.mk(extension, [r.mk(op, narrow)], [by]);
    },
  },
];
