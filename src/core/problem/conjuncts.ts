/** The formulas that a conjunction says one by one, through conjunctions within it. */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

export function conjuncts(terms: TermStore, formula: TermId): TermId[] {
  const found = new Set<TermId>();
  const stack = [formula];
  for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
    if (terms.op(f) !== Op.AND) found.add(f);
    else for (const part of terms.args(f).reverse()) stack.push(part);
  }
  return [...found];
}
