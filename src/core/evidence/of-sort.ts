/**
 * Is a value one of a variable's sort? A large array is looked at as a whole only if it is no other version of an array that is known to be
 * one: otherwise it is enough to look at what was written between the two.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { ArrayValue, type Value } from '../../term/value.ts';
import { isValueOf } from '../../term/value-text.ts';

/** `known`: other variables, whose values are of their sorts, and are what `valueAt` says. */
export function isOfSort(
  terms: TermStore,
  variable: TermId,
  value: Value,
  known: readonly TermId[],
  valueAt: (variable: TermId, i: number) => Value,
): boolean {
  const { sorts } = terms;
  const sort = terms.sort(variable);
  if (value instanceof ArrayValue && sorts.isArray(sort)) {
    const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
    for (const [i, v] of known.entries()) {
      if (terms.sort(v) !== sort) continue;
      const changes = value.changesFrom(valueAt(v, i) as ArrayValue);
      if (changes === undefined) continue;
      return changes.every(([at, e]) => isValueOf(sorts, index, at) && isValueOf(sorts, element, e));
    }
  }
  return isValueOf(sorts, sort, value);
}
