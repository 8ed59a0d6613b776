/** Formulas that hold for all values of some variables, as SMT-LIB has it: terms have no quantifiers, texts have. */
import { printTerm } from '../../term/printer.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** The formula, for all values of those of the variables that it mentions. Their names must not be those of other variables in it. */
export function forAllText(
  terms: TermStore,
  bound: readonly TermId[],
  formula: TermId,
  body = printTerm(terms, formula),
): string {
  const mentioned = new Set(terms.postorder([formula]));
  const variables = bound
    .filter(v => mentioned.has(v))
    .map(v => `(${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))})`);
  return variables.length === 0 ? body : `(forall (${variables.join(' ')}) ${body})`;
}
