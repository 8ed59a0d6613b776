/** Formulas that say how many of some Boolean variables are true. */
import type { TermId, TermStore } from '../../term/store.ts';

/** Up to so many variables are compared in pairs. */
const MAX_PAIRED = 32;

/** At most one is true: no two of them, or, where there are many, none after another one. */
export function atMostOne(terms: TermStore, variables: readonly TermId[]): TermId[] {
  const notBoth = (a: TermId, b: TermId) => terms.or([terms.not(a), terms.not(b)]);
  if (variables.length <= MAX_PAIRED) {
    return variables.flatMap((a, i) => variables.slice(i + 1).map(b => notBoth(a, b)));
  }
  let before = variables[0];
  return variables.slice(1).map(v => {
    const clause = notBoth(before, v);
    before = terms.or([before, v]);
    return clause;
  });
}

/** Exactly one is true. */
export function exactlyOne(terms: TermStore, variables: readonly TermId[]): TermId[] {
  return variables.length === 0 ? [] : [terms.or(variables), ...atMostOne(terms, variables)];
}
