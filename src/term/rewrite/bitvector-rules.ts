/**
 * Rules for bit-vectors: units and zeros, constants gathered, comparisons in one direction (so that the
 * abstract reading sees one uninterpreted predicate and not four), and the abbreviations that have
 * a plainer equal.
 */
import { bigMask, bigSigned } from '../bitvector.ts';
import { Op } from '../operators.ts';
import type { TermId, TermStore } from '../store.ts';
import type { Normalizer, Rule } from './rule.ts';

/** The unsigned value of a bit-vector constant. */
function constant(terms: TermStore, t: TermId): bigint | undefined {
  return terms.op(t) === Op.BV_CONST ? BigInt(terms.bvValue(t)) : undefined;
}

function zero(terms: TermStore, like: TermId): TermId {
  return terms.bv(terms.width(like), 0);
}

function ones(terms: TermStore, like: TermId): TermId {
  return terms.bv(terms.width(like), -1n);
}

function isComplement(terms: TermStore, op: Op, a: TermId, b: TermId): boolean {
  return (terms.op(a) === op && terms.arg(a, 0) === b) || (terms.op(b) === op && terms.arg(b, 0) === a);
}

/** Arguments of a commutative operator come with constants first, so a rule need look in one place only. */
function reassociated(r: Normalizer, op: Op, args: readonly TermId[]): TermId | undefined {
  const { terms } = r;
  const [a, b] = args;
  if (terms.op(a) !== Op.BV_CONST || terms.op(b) !== op) return undefined;
  const inner = terms.arg(b, 0);
  if (terms.op(inner) !== Op.BV_CONST) return undefined;
  return r.mk(op, [r.mk(op, [a, inner]), terms.arg(b, 1)]);
}

/** Operators that are moved into a choice between constants. */
const LIFTED: readonly Op[] = [
  Op.CONCAT,
  Op.EXTRACT,
  Op.ZERO_EXTEND,
  Op.SIGN_EXTEND,
  Op.ROTATE_LEFT,
  Op.BVNOT,
  Op.BVNEG,
  Op.BVADD,
  Op.BVMUL,
  Op.BVAND,
  Op.BVOR,
  Op.BVXOR,
  Op.BVUDIV,
  Op.BVUREM,
  Op.BVSHL,
  Op.BVLSHR,
  Op.BVASHR,
  Op.BVULT,
  Op.BVSLT,
];

export const bitVectorRules: readonly Rule[] = [
  {
    name: 'lift-constant-choice',
    ops: LIFTED,
    rewrite: (r, { op, args, indices }) => {
      const { terms } = r;
      const at = args.findIndex(a => !terms.isConstant(a));
      const isOnly = args.every((a, i) => i === at || terms.isConstant(a));
      if (!isOnly || terms.op(args[at]) !== Op.ITE) return undefined;
      const [condition, yes, no] = terms.args(args[at]);
      if (!terms.isConstant(yes) || !terms.isConstant(no)) return undefined;
      const [a, b] = [yes, no].map(k => {
        const replaced = args.map((arg, i) => (i === at ? k : arg));
        return r.mk(op, replaced, indices);
      });
      return r.mk(Op.ITE, [condition, a, b]);
    },
  },
  {
    name: 'involution',
    ops: [Op.BVNOT, Op.BVNEG],
    rewrite: ({ terms }, { op, args: [a] }) => (terms.op(a) === op ? terms.arg(a, 0) : undefined),
  },
  {
    name: 'negated-operator',
    ops: [Op.BVNAND, Op.BVNOR, Op.BVXNOR],
    rewrite: (r, { op, args }) => {
      const plain = op === Op.BVNAND ? Op.BVAND : op === Op.BVNOR ? Op.BVOR : Op.BVXOR;
      return r.mk(Op.BVNOT, [r.mk(plain, args)]);
    },
  },
  {
    name: 'gather-constants',
    ops: [Op.BVADD, Op.BVMUL, Op.BVAND, Op.BVOR, Op.BVXOR],
    rewrite: (r, { op, args }) => reassociated(r, op, args),
  },
  {
    name: 'and-or-unit',
    ops: [Op.BVAND, Op.BVOR],
    rewrite: ({ terms }, { op, args: [a, b] }) => {
      const [unit, absorbing] =
        op === Op.BVAND ? [ones(terms, a), zero(terms, a)] : [zero(terms, a), ones(terms, a)];
      if (a === unit || a === b) return b;
      if (a === absorbing || isComplement(terms, Op.BVNOT, a, b)) return absorbing;
      return undefined;
    },
  },
  {
    name: 'xor-unit',
    ops: [Op.BVXOR],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (a === b) return zero(terms, a);
      if (a === zero(terms, a)) return b;
      if (a === ones(terms, a)) return r.mk(Op.BVNOT, [b]);
      return isComplement(terms, Op.BVNOT, a, b) ? ones(terms, a) : undefined;
    },
  },
  {
    name: 'add-unit',
    ops: [Op.BVADD],
    rewrite: ({ terms }, { args: [a, b] }) => {
      if (a === zero(terms, a)) return b;
      if (isComplement(terms, Op.BVNEG, a, b)) return zero(terms, a);
      return isComplement(terms, Op.BVNOT, a, b) ? ones(terms, a) : undefined;
    },
  },
  {
    name: 'sub-plain',
    ops: [Op.BVSUB],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (a === b) return zero(terms, a);
      if (a === zero(terms, a)) return r.mk(Op.BVNEG, [b]);
      return terms.isConstant(b) ? r.mk(Op.BVADD, [r.mk(Op.BVNEG, [b]), a]) : undefined;
    },
  },
  {
    name: 'mul-unit',
    ops: [Op.BVMUL],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (a === zero(terms, a)) return a;
      if (a === terms.bv(terms.width(a), 1)) return b;
      return a === ones(terms, a) ? r.mk(Op.BVNEG, [b]) : undefined;
    },
  },
  {
    name: 'divide-by-constant',
    ops: [Op.BVUDIV, Op.BVUREM],
    rewrite: (r, { op, args: [a, b] }) => {
      const { terms } = r;
      const divisor = constant(terms, b);
      if (divisor === undefined) return undefined;
      if (divisor === 0n) return op === Op.BVUDIV ? ones(terms, a) : a;
      if ((divisor & (divisor - 1n)) !== 0n) return undefined;
      if (op === Op.BVUREM) return r.mk(Op.BVAND, [terms.bv(terms.width(a), divisor - 1n), a]);
      const exponent = divisor.toString(2).length - 1;
      return r.mk(Op.BVLSHR, [a, terms.bv(terms.width(a), exponent)]);
    },
  },
  {
    name: 'divide-plain',
    ops: [Op.BVUDIV, Op.BVUREM, Op.BVSREM, Op.BVSMOD],
    rewrite: (r, { op, args: [a, b] }) => {
      const { terms } = r;
      if (op !== Op.BVUDIV) return a === b || a === zero(terms, a) ? zero(terms, a) : undefined;
      if (a !== b) return undefined;
      const isZero = r.mk(Op.EQ, [zero(terms, a), a]);
      return r.mk(Op.ITE, [isZero, ones(terms, a), terms.bv(terms.width(a), 1)]);
    },
  },
  {
    name: 'shift-by-constant',
    ops: [Op.BVSHL, Op.BVLSHR, Op.BVASHR],
    rewrite: (r, { op, args: [a, b] }) => {
      const { terms } = r;
      if (a === zero(terms, a)) return a;
      const by = constant(terms, b);
      if (by === undefined) return undefined;
      if (by === 0n) return a;
      const width = terms.width(a);
      if (by < BigInt(width)) return undefined;
      return op === Op.BVASHR ? r.mk(op, [a, terms.bv(width, width - 1)]) : zero(terms, a);
    },
  },
  {
    name: 'extract-of',
    ops: [Op.EXTRACT],
    rewrite: (r, { args: [a], indices: [high, low] }) => {
      const { terms } = r;
      if (low === 0 && high === terms.width(a) - 1) return a;
      const inner = terms.arity(a) > 0 ? terms.arg(a, 0) : a;
      switch (terms.op(a)) {
        case Op.EXTRACT: {
          const by = terms.payload(a);
          return r.mk(Op.EXTRACT, [inner], [high + by, low + by]);
        }
        case Op.CONCAT: {
          const right = terms.arg(a, 1);
          const split = terms.width(right);
          if (high < split) return r.mk(Op.EXTRACT, [right], [high, low]);
          return low >= split ? r.mk(Op.EXTRACT, [inner], [high - split, low - split]) : undefined;
        }
        case Op.ZERO_EXTEND:
          if (high < terms.width(inner)) return r.mk(Op.EXTRACT, [inner], [high, low]);
          return low >= terms.width(inner) ? terms.bv(high - low + 1, 0) : undefined;
        case Op.SIGN_EXTEND: {
          const sign = terms.width(inner) - 1;
          if (high <= sign) return r.mk(Op.EXTRACT, [inner], [high, low]);
          if (low < sign) return undefined;
          return r.mk(Op.SIGN_EXTEND, [r.mk(Op.EXTRACT, [inner], [sign, sign])], [high - low]);
        }
        default:
          return undefined;
      }
    },
  },
  {
    name: 'concat-neighbours',
    ops: [Op.CONCAT],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (terms.op(a) !== Op.EXTRACT || terms.op(b) !== Op.EXTRACT) return undefined;
      const whole = terms.arg(a, 0);
      const meet = terms.payload(a) === terms.payload(b) + terms.width(b);
      if (terms.arg(b, 0) !== whole || !meet) return undefined;
      return r.mk(Op.EXTRACT, [whole], [terms.payload(a) + terms.width(a) - 1, terms.payload(b)]);
    },
  },
  {
    name: 'extend',
    ops: [Op.ZERO_EXTEND, Op.SIGN_EXTEND],
    rewrite: (r, { op, args: [a], indices: [by] }) => {
      const { terms } = r;
      if (by === 0) return a;
      return terms.op(a) === op ? r.mk(op, [terms.arg(a, 0)], [terms.payload(a) + by]) : undefined;
    },
  },
  {
    name: 'repeat-once',
    ops: [Op.REPEAT],
    rewrite: (_r, { args: [a], indices: [times] }) => (times === 1 ? a : undefined),
  },
  {
    name: 'rotate-modulo',
    ops: [Op.ROTATE_LEFT, Op.ROTATE_RIGHT],
    rewrite: (r, { op, args: [a], indices: [by] }) => {
      const width = r.terms.width(a);
      const left = (op === Op.ROTATE_LEFT ? by : width - (by % width)) % width;
      if (left === 0) return a;
      return op === Op.ROTATE_LEFT && left === by ? undefined : r.mk(Op.ROTATE_LEFT, [a], [left]);
    },
  },
  {
    name: 'compare-one-way',
    ops: [Op.BVULE, Op.BVUGT, Op.BVUGE, Op.BVSLE, Op.BVSGT, Op.BVSGE],
    rewrite: (r, { op, args: [a, b] }) => {
      const less = op === Op.BVULE || op === Op.BVUGT || op === Op.BVUGE ? Op.BVULT : Op.BVSLT;
      if (op === Op.BVUGT || op === Op.BVSGT) return r.mk(less, [b, a]);
      if (op === Op.BVUGE || op === Op.BVSGE) return r.not(r.mk(less, [a, b]));
      return r.not(r.mk(less, [b, a]));
    },
  },
  {
    name: 'less-than-bound',
    ops: [Op.BVULT],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const [left, right] = [constant(terms, a), constant(terms, b)];
      const max = bigMask(terms.width(a));
      if (a === b || right === 0n || left === max) return terms.false;
      if (right === 1n) return r.mk(Op.EQ, [a, zero(terms, a)]);
      if (left === 0n) return r.not(r.mk(Op.EQ, [a, b]));
      if (right === max) return r.not(r.mk(Op.EQ, [a, b]));
      return left === max - 1n ? r.mk(Op.EQ, [b, ones(terms, a)]) : undefined;
    },
  },
  {
    name: 'signed-less-than-bound',
    ops: [Op.BVSLT],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const width = terms.width(a);
      const signed = (t: TermId) => {
        const value = constant(terms, t);
        return value === undefined ? undefined : bigSigned(value, width);
      };
      const [left, right] = [signed(a), signed(b)];
      const max = bigMask(width - 1);
      const min = -max - 1n;
      if (a === b || right === min || left === max) return terms.false;
      return left === min || right === max ? r.not(r.mk(Op.EQ, [a, b])) : undefined;
    },
  },
  {
    name: 'comp-to-ite',
    ops: [Op.BVCOMP],
    rewrite: (r, { args }) => {
      return r.mk(Op.ITE, [r.mk(Op.EQ, args), r.terms.bv(1, 1), r.terms.bv(1, 0)]);
    },
  },
  {
    name: 'reduce-to-ite',
    ops: [Op.BVREDAND, Op.BVREDOR],
    rewrite: (r, { op, args: [a] }) => {
      const { terms } = r;
      const [one, none] = [terms.bv(1, 1), terms.bv(1, 0)];
      if (op === Op.BVREDAND) return r.mk(Op.ITE, [r.mk(Op.EQ, [a, ones(terms, a)]), one, none]);
      return r.mk(Op.ITE, [r.mk(Op.EQ, [a, zero(terms, a)]), none, one]);
    },
  },
  {
    name: 'eq-invert',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (terms.op(a) !== Op.BV_CONST) return undefined;
      switch (terms.op(b)) {
        case Op.BVNOT:
        case Op.BVNEG:
          return r.mk(Op.EQ, [r.mk(terms.op(b), [a]), terms.arg(b, 0)]);
        case Op.BVXOR:
        case Op.BVADD: {
          const summand = terms.arg(b, 0);
          if (terms.op(summand) !== Op.BV_CONST) return undefined;
          const other = terms.op(b) === Op.BVXOR ? summand : r.mk(Op.BVNEG, [summand]);
          return r.mk(Op.EQ, [r.mk(terms.op(b), [a, other]), terms.arg(b, 1)]);
        }
        default:
          return undefined;
      }
    },
  },
  {
    name: 'eq-self-sum',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      for (const [whole, part] of [
        [a, b],
        [b, a],
      ]) {
        if (terms.op(whole) !== Op.BVADD && terms.op(whole) !== Op.BVXOR) continue;
        const [x, y] = terms.args(whole);
        if (x === part) return r.mk(Op.EQ, [zero(terms, a), y]);
        if (y === part) return r.mk(Op.EQ, [zero(terms, a), x]);
      }
      return undefined;
    },
  },
  {
    name: 'eq-cancel',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const op = terms.op(a);
      if (op !== terms.op(b)) return undefined;
      if (op === Op.BVNOT || op === Op.BVNEG) return r.mk(Op.EQ, [terms.arg(a, 0), terms.arg(b, 0)]);
      if (op !== Op.BVADD && op !== Op.BVXOR) return undefined;
      const [a0, a1, b0, b1] = [...terms.args(a), ...terms.args(b)];
      if (a0 === b0) return r.mk(Op.EQ, [a1, b1]);
      if (a1 === b1) return r.mk(Op.EQ, [a0, b0]);
      if (a0 === b1) return r.mk(Op.EQ, [a1, b0]);
      return a1 === b0 ? r.mk(Op.EQ, [a0, b1]) : undefined;
    },
  },
];
