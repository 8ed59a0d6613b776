/**
 * Where arrays and functions occur in a question: all that the lemmas look at. Everything else is the
 * bit-blaster's alone.
 */

import { Unknown } from '../../sat/unknown.ts';
import { Op } from '../../term/operators.ts';
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';

export interface Occurrences {
  readonly arrays: TermId[];
  readonly selects: TermId[];
  /** The equalities between arrays. */
  readonly equalities: TermId[];
  /** The applications of declared functions to at least one argument, none of the sorts an array's. */
  readonly applications: TermId[];
  /** Those with an array among arguments and result. */
  readonly arrayApplications: TermId[];
}

export function isArrayTerm(terms: TermStore, t: TermId): boolean {
  return terms.sorts.isArray(terms.sort(t));
}

export function isArrayEquality(terms: TermStore, t: TermId): boolean {
  return terms.op(t) === Op.EQ && isArrayTerm(terms, terms.arg(t, 0));
}

/** Do the lemmas look at this term? A solver may leave all others out of what it hands to `check`. */
export function concernsLemmas(terms: TermStore, t: TermId): boolean {
  const op = terms.op(t);
  if (op === Op.SELECT || (op === Op.APPLY && terms.arity(t) > 0)) return true;
  return isArrayTerm(terms, t) || isArrayEquality(terms, t);
}

export function collectOccurrences(terms: TermStore, relevant: readonly TermId[]): Occurrences {
  const found: Occurrences = {
    arrays: [],
    selects: [],
    equalities: [],
    applications: [],
    arrayApplications: [],
  };
  const flat = new Set<SortId>(); // array sorts that are known not to be nested
  for (const t of relevant) {
    const sort = terms.sort(t);
    const op = terms.op(t);
    if (terms.sorts.isArray(sort)) {
      if (!flat.has(sort)) flat.add(requireFlat(terms, sort));
      found.arrays.push(t);
    }
    if (op === Op.SELECT) found.selects.push(t);
    else if (op === Op.APPLY && terms.arity(t) > 0) {
      (hasArrays(terms, t) ? found.arrayApplications : found.applications).push(t);
    } else if (isArrayEquality(terms, t)) found.equalities.push(t);
  }
  return found;
}

function hasArrays(terms: TermStore, application: TermId): boolean {
  for (let i = 0; i < terms.arity(application); i++) {
    if (isArrayTerm(terms, terms.arg(application, i))) return true;
  }
  return isArrayTerm(terms, application);
}

function requireFlat(terms: TermStore, sort: SortId): SortId {
  const { sorts } = terms;
  if (sorts.isArray(sorts.indexSort(sort)) || sorts.isArray(sorts.elementSort(sort))) {
    throw new Unknown(
      'unsupported',
      `the sort ${sorts.name(sort)} is outside the supported fragment: index and element of an array must not be arrays`,
    );
  }
  return sort;
}
