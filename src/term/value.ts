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

/** The entries of an array value, by the key of their index. */
type Entries = ReadonlyMap<ValueKey, readonly [index: Value, element: Value]>;

/** A write that is not yet part of a table. */
interface PendingWrite {
  readonly base: ArrayValue;
  readonly index: Value;
  readonly element: Value;
}

/**
 * A total function from indices to elements: finitely many entries and a default for all others.
 *
 * Canonical form: no entry repeats the default, and the default is the most frequent element (of equally
 * frequent ones the least key). Over a finite index sort the latter matters: with all four indices of
 * a 2-bit index mapped to 1, a default of 0 describes the same array as a default of 1 and no entries.
 *
 * A write only remembers what it writes over; the table is made when somebody looks, for a whole chain of writes
 * at once, since a copy for each write of a chain would take quadratic time.
 */
export class ArrayValue {
  private readonly indices: Domain;
  private pending: PendingWrite | undefined;
  private table: { readonly defaultElement: Value; readonly entries: Entries } | undefined;
  private text: string | undefined;

  private constructor(indices: Domain, from: PendingWrite | { defaultElement: Value; entries: Entries }) {
    this.indices = indices;
    if ('base' in from) this.pending = from;
    else this.table = from;
  }

  /** The array that holds `element` everywhere. */
  static constant(element: Value, indices: Domain): ArrayValue {
    return new ArrayValue(indices, { defaultElement: element, entries: new Map() });
  }

  get defaultElement(): Value {
    return this.flat().defaultElement;
  }

  /** By the key of their index; in no particular order. */
  get entries(): Entries {
    return this.flat().entries;
  }

  select(index: Value): Value {
    const { defaultElement, entries } = this.flat();
    const entry = entries.get(valueKey(index));
    return entry === undefined ? defaultElement : entry[1];
  }

  store(index: Value, element: Value): ArrayValue {
    return new ArrayValue(this.indices, { base: this, index, element });
  }

  /** The table, with all writes since the last array that has one. */
  private flat(): { readonly defaultElement: Value; readonly entries: Entries } {
    if (this.table !== undefined) return this.table;
    const writes: PendingWrite[] = [];
    let below: ArrayValue = this;
    for (let write = below.pending; write !== undefined; write = below.pending) {
      writes.push(write);
      below = write.base;
    }
    const { defaultElement, entries: old } = below.flat();
    const entries = new Map(old);
    for (let i = writes.length - 1; i >= 0; i--) {
      const { index, element } = writes[i];
      if (sameValue(element, defaultElement)) entries.delete(valueKey(index));
      else entries.set(valueKey(index), [index, element]);
    }
    this.pending = undefined;
    this.table =
      entries.size * 2 < this.indices.size
        ? { defaultElement, entries }
        : this.withMostFrequentDefault(defaultElement, entries);
    return this.table;
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

  private withMostFrequentDefault(
    defaultElement: Value,
    entries: Entries,
  ): { defaultElement: Value; entries: Entries } {
    const counts = new Map<string, { element: Value; count: number }>();
    const tally = (element: Value, by: number) => {
      const key = keyText(element);
      const seen = counts.get(key);
      if (seen === undefined) counts.set(key, { element, count: by });
      else seen.count += by;
    };
    tally(defaultElement, this.indices.size - entries.size);
    for (const [, element] of entries.values()) tally(element, 1);
    const [best] = [...counts].sort(([k1, a], [k2, b]) => b.count - a.count || (k1 < k2 ? -1 : 1));
    const element = best[1].element;
    if (sameValue(element, defaultElement)) return { defaultElement, entries };
    // Here at least half of a small index sort has entries, so visiting all of it is affordable.
    const moved = new Map<ValueKey, readonly [Value, Value]>();
    for (const index of this.indices.values()) {
      const value = entries.get(valueKey(index))?.[1] ?? defaultElement;
      if (!sameValue(value, element)) moved.set(valueKey(index), [index, value]);
    }
    return { defaultElement: element, entries: moved };
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
