/**
 * What the SAT model says of terms. Of arrays it says nothing; that is what the lemmas are for. Values that
 * are no arrays are told apart by ===, and so are the keys of a Map, BigInts included.
 */
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import type { ArrayValue, Value } from '../../term/value.ts';

/**
 * The value of a term that is not an array: a Boolean, a bit-vector (a number up to 32 bits, a BigInt above)
 * or the number of an element of an uninterpreted sort. Selects, applications and equalities of arrays are
 * read off as the unknowns that they are.
 */
export type Reading = (t: TermId) => Value;

export type Scalar = Exclude<Value, ArrayValue>;

/** The reading of a term that is known not to be an array. */
export function scalar(value: Reading, t: TermId): Scalar {
  return value(t) as Scalar;
}

/** Some value of a sort that is not an array sort, for where nothing asks for a particular one. */
export function anyScalar(sorts: SortStore, sort: SortId): Scalar {
  if (sorts.kind(sort) === SortKind.BOOL) return false;
  return sorts.width(sort) > 32 ? 0n : 0;
}
