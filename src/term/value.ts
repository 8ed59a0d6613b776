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
  return a === b || (a instanceof ArrayValue && b instanceof ArrayValue && a.equals(b));
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

interface Table<E = Entries> {
  readonly defaultElement: Value;
  readonly entries: E;
}

type MutableTable = Table<Map<ValueKey, readonly [index: Value, element: Value]>>;

/** More differences than these, and than there are entries, are many; half of them, and no more than so many, are kept near. */
const FAR = 16;
const NEAR = 100;

/** What changes the table of another version of the array into that of this one. */
interface Difference {
  readonly from: ArrayValue;
  readonly index: Value;
  readonly element: Value;
}

/**
 * A total function from indices to elements: finitely many entries and a default for all others.
 *
 * A write makes another version of the array, and all versions share one table (Baker, "Shallow binding makes functional arrays
 * fast", SIGPLAN Notices 26(8), 1991): one of them has it, and each other one knows in what a neighbour on the way there differs. To
 * look at a version moves the table to it, one difference after the other; so a program that goes on from its last
 * version, as a run does, reads and writes in constant time, however large the array is.
 *
 * Whoever looks at the array as a whole sees a canonical form: no entry repeats the default, and the default is the most frequent
 * element (of equally frequent ones the least key). Over a finite index sort the latter matters: with all four indices of
 * a 2-bit index mapped to 1, a default of 0 describes the same array as a default of 1 and no entries.
 */
export class ArrayValue {
  private readonly indices: Domain;
  private table: MutableTable | undefined; // if this version has it
  private difference: Difference | undefined; // if another one has
  private canonical: Table | undefined; // made when somebody looks
  private text: string | undefined;

  private constructor(indices: Domain) {
    this.indices = indices;
  }

  /** The array that holds `element` everywhere. */
  static constant(element: Value, indices: Domain): ArrayValue {
    const array = new ArrayValue(indices);
    array.table = { defaultElement: element, entries: new Map() };
    return array;
  }

  get defaultElement(): Value {
    return this.whole().defaultElement;
  }

  /** By the key of their index; in no particular order. */
  get entries(): Entries {
    return this.whole().entries;
  }

  select(index: Value): Value {
    const { defaultElement, entries } = this.own();
    const entry = entries.get(valueKey(index));
    return entry === undefined ? defaultElement : entry[1];
  }

  store(index: Value, element: Value): ArrayValue {
    const version = new ArrayValue(this.indices);
    version.difference = { from: this, index, element };
    return version;
  }

  /** Is it the same function? Of two versions of one array, only what was written between them is compared. */
  equals(other: ArrayValue): boolean {
    const changes = this.changesFrom(other);
    return changes === undefined ? this.hasEntriesOf(other) : changes.length === 0;
  }

  /** Where it differs from another version of the same array, and what is there; undefined if the other is none. */
  changesFrom(other: ArrayValue): (readonly [index: Value, element: Value])[] | undefined {
    if (this === other) return [];
    const { entries, defaultElement } = other.own();
    const written = new Map<ValueKey, Difference>();
    let version: ArrayValue = this;
    for (let d = version.difference; d !== undefined; d = version.difference) {
      const key = valueKey(d.index);
      if (!written.has(key)) written.set(key, d);
      version = d.from;
    }
    if (version !== other) return undefined;
    return [...written]
      .filter(([key, { element }]) => !sameValue(element, entries.get(key)?.[1] ?? defaultElement))
      .map(([, { index, element }]) => [index, element]);
  }

  private hasEntriesOf(other: ArrayValue): boolean {
    const [mine, its] = [this.whole(), other.whole()];
    if (mine.entries.size !== its.entries.size || !sameValue(mine.defaultElement, its.defaultElement))
      return false;
    for (const [key, [, element]] of mine.entries) {
      const entry = its.entries.get(key);
      if (entry === undefined || !sameValue(element, entry[1])) return false;
    }
    return true;
  }

  /** Moves the table here. */
  private own(): MutableTable {
    if (this.table !== undefined) return this.table;
    const way: ArrayValue[] = [];
    let version: ArrayValue = this;
    for (let d = version.difference; d !== undefined; d = version.difference) {
      way.push(version);
      version = d.from;
    }
    let table = version.table as MutableTable;
    if (way.length > Math.max(FAR, table.entries.size)) {
      const near = Math.min(NEAR, way.length >> 1);
      version = way[near];
      table = version.takeCopy(way.splice(near), table);
    }
    const { defaultElement, entries } = table;
    for (let i = way.length - 1; i >= 0; i--) {
      const next = way[i];
      const { index, element } = next.difference as Difference;
      const key = valueKey(index);
      version.difference = { from: next, index, element: entries.get(key)?.[1] ?? defaultElement };
      version.table = undefined;
      write(table, index, element);
      version = next;
    }
    this.difference = undefined;
    this.table = table;
    return table;
  }

  /**
   * From very far away it is as easy to make another table, to which this version and those after it are near. Two arrays may begin as one,
   * and whoever looks at both in turns would go all the way each time.
   */
  private takeCopy(way: readonly ArrayValue[], { defaultElement, entries }: MutableTable): MutableTable {
    const table = { defaultElement, entries: new Map(entries) };
    for (let i = way.length - 1; i >= 0; i--) {
      const { index, element } = way[i].difference as Difference;
      write(table, index, element);
    }
    this.difference = undefined;
    this.table = table;
    return table;
  }

  /** The table in its canonical form, which stays as it is when others take the table away. */
  private whole(): Table {
    if (this.canonical === undefined) {
      const { defaultElement, entries } = this.own();
      const isSparse = entries.size * 2 < this.indices.size;
      this.canonical = isSparse
        ? { defaultElement, entries: new Map(entries) }
        : this.withMostFrequentDefault(defaultElement, entries);
    }
    return this.canonical;
  }

  /** The entries in ascending order of their index, so that equal arrays are shown alike. */
  sortedEntries(): (readonly [index: Value, element: Value])[] {
    return inOrder([...this.entries.values()]);
  }

  /** Canonical text: equal for two arrays of one sort exactly when they are the same function. */
  get key(): string {
    if (this.text === undefined) {
      const parts = [...this.entries.values()].map(([i, e]) => `${keyText(i)}:${keyText(e)}`);
      this.text = `[${keyText(this.defaultElement)};${parts.sort().join(',')}]`;
    }
    return this.text;
  }

  private withMostFrequentDefault(defaultElement: Value, given: Entries): Table {
    const entries = new Map(given);
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

function write({ defaultElement, entries }: MutableTable, index: Value, element: Value): void {
  if (sameValue(element, defaultElement)) entries.delete(valueKey(index));
  else entries.set(valueKey(index), [index, element]);
}

/** Elements in ascending order of their index. */
export function inOrder<E extends readonly [index: Value, element: Value]>(elements: readonly E[]): E[] {
  return [...elements].sort(([i], [j]) => {
    const [a, b] = [valueKey(i), valueKey(j)];
    return a < b ? -1 : Number(a > b);
  });
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
