/**
 * Rules that see the Boolean behind a one-bit vector. Hardware formats write every wire as a vector; the
 * abstract reading would treat `bvand` on wires as an unknown function, so the connective must be shown.
 * A Boolean p wears the disguise (ite p #b1 #b0); a one-bit vector x that shows no such shape stands for
 * the Boolean (= #b1 x), and putting that into disguise gives x back.
 */
import { Op } from '../operators.ts';
import type { TermId } from '../store.ts';
import type { Normalizer, Rule } from './rule.ts';

/** The Boolean whose disguise the term is, if its shape shows one. */
function disguised(r: Normalizer, t: TermId): TermId | undefined {
  const { terms } = r;
  const [one, zero] = [terms.bv(1, 1), terms.bv(1, 0)];
  if (t === one) return terms.true;
  if (t === zero) return terms.false;
  if (terms.op(t) !== Op.ITE) return undefined;
  const [condition, yes, no] = terms.args(t);
  if (yes === one && no === zero) return condition;
  return yes === zero && no === one ? r.not(condition) : undefined;
}

function asBoolean(r: Normalizer, t: TermId): TermId {
  return disguised(r, t) ?? r.mk(Op.EQ, [r.terms.bv(1, 1), t]);
}

function disguise(r: Normalizer, condition: TermId): TermId {
  return r.mk(Op.ITE, [condition, r.terms.bv(1, 1), r.terms.bv(1, 0)]);
}

export const oneBitRules: readonly Rule[] = [
  {
    name: 'one-bit-undisguise',
    ops: [Op.ITE],
    rewrite: ({ terms }, { args: [condition, yes, no] }) => {
      if (terms.op(condition) !== Op.EQ || yes !== terms.bv(1, 1) || no !== terms.bv(1, 0)) return undefined;
      return terms.arg(condition, 0) === yes ? terms.arg(condition, 1) : undefined;
    },
  },
  {
    name: 'one-bit-not',
    ops: [Op.BVNOT],
    rewrite: (r, { args: [a] }) => {
      return r.terms.width(a) === 1 ? disguise(r, r.not(asBoolean(r, a))) : undefined;
    },
  },
  {
    name: 'one-bit-identity',
    ops: [Op.BVNEG],
    rewrite: ({ terms }, { args: [a] }) => (terms.width(a) === 1 ? a : undefined),
  },
  {
    name: 'one-bit-arithmetic',
    ops: [Op.BVADD, Op.BVSUB, Op.BVMUL],
    rewrite: (r, { op, args }) => {
      if (r.terms.width(args[0]) !== 1) return undefined;
      return r.mk(op === Op.BVMUL ? Op.BVAND : Op.BVXOR, args);
    },
  },
  {
    name: 'one-bit-connective',
    ops: [Op.BVAND, Op.BVOR, Op.BVXOR],
    rewrite: (r, { op, args }) => {
      if (r.terms.width(args[0]) !== 1) return undefined;
      const connective = op === Op.BVAND ? Op.AND : op === Op.BVOR ? Op.OR : Op.XOR;
      const bits = args.map(a => asBoolean(r, a));
      return disguise(r, r.mk(connective, bits));
    },
  },
  {
    name: 'one-bit-less-than',
    ops: [Op.BVULT, Op.BVSLT],
    rewrite: (r, { op, args: [a, b] }) => {
      if (r.terms.width(a) !== 1) return undefined;
      const [small, large] = op === Op.BVULT ? [a, b] : [b, a];
      return r.mk(Op.AND, [r.not(asBoolean(r, small)), asBoolean(r, large)]);
    },
  },
  {
    name: 'one-bit-equality',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (terms.width(a) !== 1) return undefined;
      if (a === terms.bv(1, 0)) return r.not(asBoolean(r, b));
      const [p, q] = [disguised(r, a), disguised(r, b)];
      if (q === undefined && (p === undefined || a === terms.bv(1, 1))) return undefined;
      return r.mk(Op.EQ, [p ?? asBoolean(r, a), q ?? asBoolean(r, b)]);
    },
  },
];
