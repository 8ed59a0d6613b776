/**
 * Values as SMT-LIB text. An element of an uninterpreted sort, which SMT-LIB has no constants for, is written as an
 * abstract value `(as @S!3 S)` with the number that names it.
 */
import { printBitVector } from './printer.ts';
import { quoteSymbol, type SortId, SortKind, type SortStore } from './sort.ts';
import { ArrayValue, type Value } from './value.ts';

export function valueText(sorts: SortStore, sort: SortId, value: Value): string {
  if (value instanceof ArrayValue) {
    const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
    const base = `((as const ${sorts.name(sort)}) ${valueText(sorts, element, value.defaultElement)})`;
    return value
      .sortedEntries()
      .reduce(
        (text, [i, e]) => `(store ${text} ${valueText(sorts, index, i)} ${valueText(sorts, element, e)})`,
        base,
      );
  }
  if (typeof value === 'boolean') return String(value);
  if (sorts.kind(sort) === SortKind.BITVEC) return printBitVector(value, sorts.width(sort));
  const name = sorts.name(sort);
  return `(as ${quoteSymbol(`@${name.replace(/^\|(.*)\|$/, '$1')}!${value}`)} ${name})`;
}

/** Is it the one representation of a value of this sort? */
export function isValueOf(sorts: SortStore, sort: SortId, value: Value): boolean {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      return typeof value === 'boolean';
    case SortKind.BITVEC: {
      const width = sorts.width(sort);
      if (width <= 32) return isNatural(value) && value < 2 ** width;
      return typeof value === 'bigint' && BigInt.asUintN(width, value) === value;
    }
    case SortKind.UNINTERPRETED:
      return isNatural(value);
    case SortKind.ARRAY: {
      if (!(value instanceof ArrayValue)) return false;
      const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
      if (!isValueOf(sorts, element, value.defaultElement)) return false;
      return [...value.entries.values()].every(
        ([i, e]) => isValueOf(sorts, index, i) && isValueOf(sorts, element, e),
      );
    }
  }
}

function isNatural(value: Value): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
