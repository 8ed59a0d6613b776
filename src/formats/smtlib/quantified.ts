/** Formulas that hold for all values of some variables, or for some, as SMT-LIB has it: terms have no quantifiers, texts have. */
import { printTerm } from '../../term/printer.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { freeName } from './script-text.ts';

/** The formula, for all or some values of those of the variables that it mentions. */
export function quantifiedText(
  terms: TermStore,
  quantifier: 'forall' | 'exists',
  variables: readonly TermId[],
  formula: TermId,
  bodyText: (formula: TermId) => string = f => printTerm(terms, f),
): string {
  const { bound, body } = namedApart(terms, variables, formula);
  if (bound.length === 0) return bodyText(body);
  const declared = bound.map(v => `(${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))})`);
  return `(${quantifier} (${declared.join(' ')}) ${bodyText(body)})`;
}

/** Those of the variables that the formula mentions, with names that no other variable in it has: a text knows variables by nothing else. */
function namedApart(
  terms: TermStore,
  variables: readonly TermId[],
  formula: TermId,
): { readonly bound: readonly TermId[]; readonly body: TermId } {
  const mentioned = terms.postorder([formula]).filter(t => terms.isVariable(t));
  const own = new Set(variables);
  const taken = new Set(mentioned.filter(v => !own.has(v)).map(v => terms.nameOf(v)));
  const renamed = new Map<TermId, TermId>();
  const bound = variables
    .filter(v => mentioned.includes(v))
    .map(v => {
      const name = terms.nameOf(v);
      const free = freeName(name, taken);
      taken.add(free);
      if (free === name) return v;
      const other = terms.variable(free, terms.sort(v));
      renamed.set(v, other);
      return other;
    });
  return { bound, body: renamed.size === 0 ? formula : substitute(terms, formula, renamed) };
}
