/**
 * Values, the things that terms mean. A Boolean is a boolean; a bit-vector is its unsigned reading, as a
 * number up to width 32 and as a BigInt above; an element of an uninterpreted sort is a number that names
 * it; an array is an `ArrayValue`. Every value has one representation only, so that `sameValue` decides
 * SMT-LIB's equality, array extensionality included.
 */
import { type SortId, SortKind, type SortStore } from './sort.ts';

export type Value = boolean | number | bigint | ArrayValue;

/** What a Map can tell apart: the value itself, or for an array its canonical text. */
export type ValueKey = boolean | number | bigint | string;

export function valueKey(value: Value): ValueKey {
  return value instanceof ArrayValue ? value.key : value;
}

export function sameValue(a: Value, b: Value): boolean {
  return a === b || (a instanceof ArrayValue && b instanceof ArrayValue && a.key === b.key);
}

/** The values an array's index ranges over. */
export interface Domain {
  /** How many there are; Infinity for an uninterpreted sort. */
  readonly size: number;
  /** All of them; called only for a domain that is small. */
  values(): Iterable<Value>;
}

export function domain(sorts: SortStore, sort: SortId): Domain {
  return { size: sorts.size(sort), values: () => allValues(sorts, sort) };
}

/**
 * A total function from indices to elements: finitely many entries and a default for all others.
 *
 * Canonical form: no entry repeats the default, and the default is the most frequent element (of equally
 * frequent ones the least key). Over a finite index sort the latter matters: with all four indices of
 * a 2-bit index mapped to 1, a default of 0 describes the same array as a default of 1 and no entries.
 */
export class ArrayValue {
  readonly defaultElement: Value;
  /** By the key of their index; in no particular order. */
  readonly entries: ReadonlyMap<ValueKey, readonly [index: Value, element: Value]>;
  private readonly indices: Domain;
  private text: string | undefined;

  private constructor(
    defaultElement: Value,
    entries: ReadonlyMap<ValueKey, readonly [Value, Value]>,
    indices: Domain,
  ) {
    this.defaultElement = defaultElement;
    this.entries = entries;
    this.indices = indices;
  }

  /** The array that holds `element` everywhere. */
  static constant(element: Value, indices: Domain): ArrayValue {
    return new ArrayValue(element, new Map(), indices);
  }

  select(index: Value): Value {
    const entry = this.entries.get(valueKey(index));
    return entry === undefined ? this.defaultElement : entry[1];
  }

  store(index: Value, element: Value): ArrayValue {
    if (sameValue(this.select(index), element)) return this;
    const entries = new Map(this.entries);
    if (sameValue(element, this.defaultElement)) entries.delete(valueKey(index));
    else entries.set(valueKey(index), [index, element]);
    return entries.size * 2 < this.indices.size
      ? new ArrayValue(this.defaultElement, entries, this.indices)
      : this.withMostFrequentDefault(entries);
  }

  /** The entries in ascending order of their index, so that equal arrays are shown alike. */
  sortedEntries(): (readonly [index: Value, element: Value])[] {
    return [...this.entries.values()].sort(([i], [j]) => {
      const [a, b] = [valueKey(i), valueKey(j)];
      return a < b ? -1 : Number(a > b);
    });
  }

  /** Canonical text: equal for two arrays of one sort exactly when they are the same function. */
  get key(): string {
    if (this.text === undefined) {
      const parts = [...this.entries.values()].map(([i, e]) => `${keyText(i)}:${keyText(e)}`);
      this.text = `[${keyText(this.defaultElement)};${parts.sort().join(',')}]`;
    }
    return this.text;
  }

  private withMostFrequentDefault(entries: Map<ValueKey, readonly [Value, Value]>): ArrayValue {
    const counts = new Map<string, { element: Value; count: number }>();
    const tally = (element: Value, by: number) => {
      const key = keyText(element);
      const seen = counts.get(key);
      if (seen === undefined) counts.set(key, { element, count: by });
      else seen.count += by;
    };
    tally(this.defaultElement, this.indices.size - entries.size);
    for (const [, element] of entries.values()) tally(element, 1);
    const [best] = [...counts].sort(([k1, a], [k2, b]) => b.count - a.count || (k1 < k2 ? -1 : 1));
    const element = best[1].element;
    if (sameValue(element, this.defaultElement)) {
      return new ArrayValue(element, entries, this.indices);
    }
    // Here at least half of a small index sort has entries, so visiting all of it is affordable.
    const moved = new Map<ValueKey, readonly [Value, Value]>();
    for (const index of this.indices.values()) {
      const value = entries.get(valueKey(index))?.[1] ?? this.defaultElement;
      if (!sameValue(value, element)) moved.set(valueKey(index), [index, value]);
    }
    return new ArrayValue(element, moved, this.indices);
  }
}

function keyText(value: Value): string {
  return value instanceof ArrayValue ? value.key : String(value);
}

/** Every value of a sort, for sorts small enough to enumerate. */
export function* allValues(sorts: SortStore, sort: SortId): Generator<Value> {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      yield* [false, true];
      return;
    case SortKind.BITVEC: {
      const size = sorts.size(sort);
      if (sorts.width(sort) > 24) throw new RangeError(`${sorts.name(sort)} is too large to enumerate`);
      for (let i = 0; i < size; i++) yield i;
      return;
    }
    case SortKind.UNINTERPRETED:
      throw new RangeError(`${sorts.name(sort)} cannot be enumerated`);
    case SortKind.ARRAY: {
      const indices = [...allValues(sorts, sorts.indexSort(sort))];
      const elements = [...allValues(sorts, sorts.elementSort(sort))];
      let arrays = [ArrayValue.constant(elements[0], domain(sorts, sorts.indexSort(sort)))];
      for (const index of indices) arrays = arrays.flatMap(a => elements.map(e => a.store(index, e)));
      yield* arrays;
    }
  }
}
