/**
 * What a range says already need not be said again: conjuncts that speak of the same one variable and follow from it. Comparisons of a
 * variable with constants change their truth only next to these, so that they follow is found out by trying the numbers there.
 */
import { conjuncts } from '../../core/problem/conjuncts.ts';
import { Evaluator } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

const COMPARISONS: ReadonlySet<Op> = new Set([
  Op.EQ,
  Op.BVULT,
  Op.BVULE,
  Op.BVUGT,
  Op.BVUGE,
  Op.BVSLT,
  Op.BVSLE,
  Op.BVSGT,
  Op.BVSGE,
]);

const CONNECTIVES: ReadonlySet<Op> = new Set([Op.NOT, Op.AND, Op.OR]);

/** A conjunction without those conjuncts that follow from the range. */
export function withoutImplied(terms: TermStore, range: TermId, formula: TermId): TermId {
  return terms.and(conjuncts(terms, formula).filter(c => !isImplied(terms, range, c)));
}

/** Does a formula follow from a range? Undecided is no. */
export function isImplied(terms: TermStore, range: TermId, conjunct: TermId): boolean {
  const all = terms.postorder([range, conjunct]);
  const [variable, ...others] = all.filter(t => terms.isVariable(t));
  if (variable === undefined || others.length > 0) return false;
  const isComparison = (t: TermId) =>
    COMPARISONS.has(terms.op(t)) && terms.args(t).every(a => a === variable || terms.isConstant(a));
  const isSimple = (t: TermId) =>
    t === variable || terms.isConstant(t) || CONNECTIVES.has(terms.op(t)) || isComparison(t);
  if (terms.width(variable) <= 1 || !all.every(isSimple)) return false;
  const width = terms.width(variable);
  const half = 1n << BigInt(width - 1);
  const constants = all.filter(t => terms.op(t) === Op.BV_CONST).map(t => BigInt(terms.bvValue(t)));
  const corners = [0n, half, ...constants].flatMap(c => [c - 1n, c, c + 1n]);
  return corners.every(corner => {
    const value = terms.bvValue(terms.bv(width, BigInt.asUintN(width, corner)));
    const evaluator = new Evaluator(terms, () => value);
    return evaluator.value(range) !== true || evaluator.value(conjunct) === true;
  });
}
