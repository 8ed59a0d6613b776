/**
 * A formula without `true` and `false` among the arguments of its connectives, and without operators on nothing but constants, as
 * models are shown. Other atoms stay as they are: a proof may hold only where operators are read as they stand.
 */
import { applyOperator, termOfValue } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

export function withoutConstants(terms: TermStore, formula: TermId): TermId {
  const images = new Map<TermId, TermId>();
  for (const t of terms.postorder([formula])) {
    const args = terms.args(t).map(a => images.get(a) as TermId);
    images.set(t, simplified(terms, t, args));
  }
  return images.get(formula) as TermId;
}

function simplified(terms: TermStore, t: TermId, args: readonly TermId[]): TermId {
  const op = terms.op(t);
  const [a, b] = args;
  if (op === Op.NOT) return negation(terms, a);
  if (op === Op.AND || op === Op.OR) {
    const [unit, zero] = op === Op.AND ? [terms.true, terms.false] : [terms.false, terms.true];
    if (args.includes(zero)) return zero;
    const parts = [...new Set(args)].filter(p => p !== unit);
    return op === Op.AND ? terms.and(parts) : terms.or(parts);
  }
  if (op === Op.EQ && (a === terms.true || b === terms.true)) return a === terms.true ? b : a;
  if (op === Op.EQ && (a === terms.false || b === terms.false))
    return negation(terms, a === terms.false ? b : a);
  if (hasValue(terms, t, args)) {
    const values = args.map(c =>
      c === terms.true || c === terms.false ? c === terms.true : terms.bvValue(c),
    );
    return termOfValue(terms, terms.sort(t), applyOperator(terms, t, values));
  }
  return args.every((arg, i) => arg === terms.arg(t, i)) ? t : terms.withArgs(t, [...args]);
}

function negation(terms: TermStore, a: TermId): TermId {
  if (a === terms.true) return terms.false;
  if (a === terms.false) return terms.true;
  return terms.op(a) === Op.NOT ? terms.arg(a, 0) : terms.not(a);
}

function hasValue(terms: TermStore, t: TermId, args: readonly TermId[]): boolean {
  const isScalar = !terms.sorts.isArray(terms.sort(t));
  return isScalar && args.length > 0 && terms.op(t) !== Op.APPLY && args.every(a => terms.isConstant(a));
}
