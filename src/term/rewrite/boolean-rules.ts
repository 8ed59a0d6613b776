/** Rules for the Core theory: connectives, equality, distinct and ite. */
import { Op } from '../operators.ts';
import type { TermId, TermStore } from '../store.ts';
import type { Normalizer, Rule } from './rule.ts';

/** Longer conjunctions are not merged into their parent: merging a deep chain again and again is quadratic. */
const FLATTEN_LIMIT = 8;

function isNegationOf(terms: TermStore, a: TermId, b: TermId): boolean {
  return (
    (terms.op(a) === Op.NOT && terms.arg(a, 0) === b) || (terms.op(b) === Op.NOT && terms.arg(b, 0) === a)
  );
}

/** `and` and `or` alike: `zero` decides the result, `unit` says nothing. */
function flattenJunction(r: Normalizer, op: Op, args: readonly TermId[]): TermId | undefined {
  const { terms } = r;
  const [unit, zero] = op === Op.AND ? [terms.true, terms.false] : [terms.false, terms.true];
  const flat = new Set<TermId>();
  for (const arg of args) {
    const merge = terms.op(arg) === op && terms.arity(arg) <= FLATTEN_LIMIT;
    for (const a of merge ? terms.args(arg) : [arg]) {
      if (a === zero) return zero;
      if (a !== unit) flat.add(a);
    }
  }
  for (const a of flat) if (terms.op(a) === Op.NOT && flat.has(terms.arg(a, 0))) return zero;
  const sorted = [...flat].sort((a, b) => a - b);
  if (sorted.length === 0) return unit;
  if (sorted.length === 1) return sorted[0];
  const unchanged = sorted.length === args.length && sorted.every((a, i) => a === args[i]);
  return unchanged ? undefined : terms.app(op, sorted);
}

export const booleanRules: readonly Rule[] = [
  {
    name: 'not-not',
    ops: [Op.NOT],
    rewrite: ({ terms }, { args: [a] }) => {
      return terms.op(a) === Op.NOT ? terms.arg(a, 0) : undefined;
    },
  },
  {
    name: 'junction-flatten',
    ops: [Op.AND, Op.OR],
    rewrite: (r, { op, args }) => flattenJunction(r, op, args),
  },
  {
    name: 'implies-to-or',
    ops: [Op.IMPLIES],
    rewrite: (r, { args: [a, b] }) => r.mk(Op.OR, [r.not(a), b]),
  },
  {
    name: 'xor-to-eq',
    ops: [Op.XOR],
    rewrite: (r, { args: [a, b] }) => r.not(r.mk(Op.EQ, [a, b])),
  },
  {
    name: 'eq-same',
    ops: [Op.EQ],
    rewrite: ({ terms }, { args: [a, b] }) => (a === b ? terms.true : undefined),
  },
  {
    name: 'eq-bool-constant',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (a === terms.true) return b;
      if (b === terms.true) return a;
      if (a === terms.false) return r.not(b);
      return b === terms.false ? r.not(a) : undefined;
    },
  },
  {
    name: 'eq-bool-not',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      if (isNegationOf(terms, a, b)) return terms.false;
      const [notA, notB] = [terms.op(a) === Op.NOT, terms.op(b) === Op.NOT];
      if (notA && notB) return r.mk(Op.EQ, [terms.arg(a, 0), terms.arg(b, 0)]);
      if (notA) return r.not(r.mk(Op.EQ, [terms.arg(a, 0), b]));
      return notB ? r.not(r.mk(Op.EQ, [a, terms.arg(b, 0)])) : undefined;
    },
  },
  {
    name: 'eq-ite-constants',
    ops: [Op.EQ],
    rewrite: (r, { args: [a, b] }) => {
      const { terms } = r;
      const [choice, constant] = terms.isConstant(a) ? [b, a] : [a, b];
      if (!terms.isConstant(constant) || terms.op(choice) !== Op.ITE) return undefined;
      const [condition, yes, no] = terms.args(choice);
      if (!terms.isConstant(yes) || !terms.isConstant(no)) return undefined;
      if (yes === constant) return condition; // then no !== constant, or the ite would be gone
      return no === constant ? r.not(condition) : terms.false;
    },
  },
  {
    name: 'distinct-pair',
    ops: [Op.DISTINCT],
    rewrite: (r, { args }) => {
      return args.length === 2 ? r.not(r.mk(Op.EQ, args)) : undefined;
    },
  },
  {
    name: 'distinct-repeated',
    ops: [Op.DISTINCT],
    rewrite: ({ terms }, { args }) => {
      return new Set(args).size < args.length ? terms.false : undefined;
    },
  },
  {
    name: 'distinct-too-many',
    ops: [Op.DISTINCT],
    rewrite: ({ terms }, { args }) => {
      return args.length > terms.sorts.size(terms.sort(args[0])) ? terms.false : undefined;
    },
  },
  {
    name: 'ite-decided',
    ops: [Op.ITE],
    rewrite: ({ terms }, { args: [c, a, b] }) => {
      if (c === terms.true || a === b) return a;
      return c === terms.false ? b : undefined;
    },
  },
  {
    name: 'ite-not',
    ops: [Op.ITE],
    rewrite: (r, { args: [c, a, b] }) => {
      const { terms } = r;
      return terms.op(c) === Op.NOT ? r.mk(Op.ITE, [terms.arg(c, 0), b, a]) : undefined;
    },
  },
  {
    name: 'ite-same-condition',
    ops: [Op.ITE],
    rewrite: (r, { args: [c, a, b] }) => {
      const { terms } = r;
      const yes = terms.op(a) === Op.ITE && terms.arg(a, 0) === c ? terms.arg(a, 1) : a;
      const no = terms.op(b) === Op.ITE && terms.arg(b, 0) === c ? terms.arg(b, 2) : b;
      return yes === a && no === b ? undefined : r.mk(Op.ITE, [c, yes, no]);
    },
  },
  {
    name: 'ite-bool-constant',
    ops: [Op.ITE],
    rewrite: (r, { args: [c, a, b] }) => {
      const { terms } = r;
      if (a === terms.true || a === c) return r.mk(Op.OR, [c, b]);
      if (a === terms.false) return r.mk(Op.AND, [r.not(c), b]);
      if (b === terms.true) return r.mk(Op.OR, [r.not(c), a]);
      return b === terms.false || b === c ? r.mk(Op.AND, [c, a]) : undefined;
    },
  },
  {
    name: 'ite-bool-not',
    ops: [Op.ITE],
    rewrite: (r, { args: [c, a, b] }) => {
      return isNegationOf(r.terms, a, b) ? r.mk(Op.EQ, [c, a]) : undefined;
    },
  },
];
