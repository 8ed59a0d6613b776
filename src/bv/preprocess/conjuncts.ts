/** Splits formulas in normal form into what they assert one by one. */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';

/**
 * The conjuncts of some formulas, each once and none of them `true`; `[false]` if one of them is `false`.
 * A negated disjunction is the conjunction of its negated arguments.
 */
export function conjunctsOf(rewriter: Rewriter, formulas: readonly TermId[]): TermId[] {
  const { terms } = rewriter;
  const seen = new Set<TermId>();
  const found: TermId[] = [];
  const stack = [...formulas].reverse();
  for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
    if (f === terms.false) return [terms.false];
    if (f === terms.true || seen.has(f)) continue;
    seen.add(f);
    const inner = terms.op(f) === Op.NOT ? terms.arg(f, 0) : f;
    if (terms.op(f) === Op.AND) {
      for (let i = terms.arity(f) - 1; i >= 0; i--) stack.push(terms.arg(f, i));
    } else if (inner !== f && terms.op(inner) === Op.OR) {
      for (let i = terms.arity(inner) - 1; i >= 0; i--) stack.push(rewriter.not(terms.arg(inner, i)));
    } else {
      found.push(f);
    }
  }
  return found;
}
