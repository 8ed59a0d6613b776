/**
 * Puts the halves of definitions by cases together: (or g (= x f)) and (or (not g) (= x h)) say that x is f where g is false
 * and h where it is true. Translators of programs write updates like that, and equations can only be solved for x as one.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { negated } from '../problem/literals.ts';

/** One half: x is the body where the guard is false. */
interface Half {
  readonly guard: TermId;
  readonly variable: TermId;
  readonly body: TermId;
}

/** Formulas that say the same together; `isOpen` tells which variables may be defined. */
export function mergeCases(
  rewriter: Rewriter,
  formulas: readonly TermId[],
  isOpen: (variable: TermId) => boolean,
): TermId[] {
  const { terms } = rewriter;
  const halves = new Map<TermId, Half & { readonly formula: TermId }>(); // by variable
  const merged = new Set(formulas);
  for (const formula of formulas) {
    for (const half of halfDefinitions(terms, formula, isOpen)) {
      const { guard, variable, body } = half;
      const other = halves.get(variable);
      if (other === undefined) halves.set(variable, { ...half, formula });
      if (other === undefined || other.guard !== negated(terms, guard)) continue;
      merged.delete(other.formula);
      merged.delete(formula);
      merged.add(terms.eq(variable, rewriter.mk(Op.ITE, [guard, other.body, body])));
      break;
    }
  }
  return [...merged];
}

function halfDefinitions(terms: TermStore, formula: TermId, isOpen: (t: TermId) => boolean): Half[] {
  if (terms.op(formula) !== Op.OR || terms.arity(formula) !== 2) return [];
  const [a, b] = terms.args(formula);
  const found: Half[] = [];
  for (const [guard, equation] of [
    [a, b],
    [b, a],
  ]) {
    if (terms.op(equation) !== Op.EQ) continue;
    const [x, y] = terms.args(equation);
    if (terms.isVariable(x) && isOpen(x)) found.push({ guard, variable: x, body: y });
    if (terms.isVariable(y) && isOpen(y)) found.push({ guard, variable: y, body: x });
  }
  return found;
}
