/** Values by chance: mostly such as the problem itself speaks of, otherwise any, as likely a small number as a large one. */
import { SMALL_WIDTH } from '../../term/bitvector.ts';
import { Op } from '../../term/operators.ts';
import { type SortId, SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { ArrayValue, domain, type Value, valueKey } from '../../term/value.ts';
import { randomNumbers } from '../env/random.ts';
import type { FunctionValue } from './derivation.ts';

/** How often a value is one that the problem speaks of. */
const KNOWN = 0.6;

/** So many elements of a declared sort are drawn. */
const ELEMENTS = 4;

export class Draw {
  private readonly terms: TermStore;
  private readonly random: () => number;
  private readonly functions = new Map<string, Value>(); // what has been drawn for arguments

  constructor(terms: TermStore, seed: number) {
    this.terms = terms;
    this.random = randomNumbers(seed);
  }

  /** A number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** A value for a variable, of which some may be suggested. */
  value(sort: SortId, known: readonly Value[] = []): Value {
    if (known.length > 0 && this.chance(KNOWN)) return known[this.below(known.length)];
    const { sorts } = this.terms;
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return this.chance(0.5);
      case SortKind.BITVEC:
        return this.vector(sorts.width(sort));
      case SortKind.UNINTERPRETED:
        return this.below(ELEMENTS);
      case SortKind.ARRAY:
        return ArrayValue.constant(this.value(sorts.elementSort(sort)), domain(sorts, sorts.indexSort(sort)));
    }
  }

  /** A small number as a value of a sort: odd ones are true, and arrays have it everywhere. */
  plain(sort: SortId, number: number): Value {
    const { sorts } = this.terms;
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return number % 2 !== 0;
      case SortKind.BITVEC: {
        const width = sorts.width(sort);
        if (width > SMALL_WIDTH) return BigInt.asUintN(width, BigInt(number));
        return number >= 0 ? number % 2 ** width : (2 ** width + (number % 2 ** width)) % 2 ** width;
      }
      case SortKind.UNINTERPRETED:
        return Math.abs(number) % ELEMENTS;
      case SortKind.ARRAY:
        return ArrayValue.constant(
          this.plain(sorts.elementSort(sort), number),
          domain(sorts, sorts.indexSort(sort)),
        );
    }
  }

  /** Declared functions are whatever is drawn when they are first applied. */
  readonly functionValue: FunctionValue = (f, args) => {
    const key = `${f} ${args.map(a => String(valueKey(a))).join(' ')}`;
    let value = this.functions.get(key);
    if (value === undefined) {
      value = this.value(this.terms.symbol(f).result);
      this.functions.set(key, value);
    }
    return value;
  };

  private vector(width: number): Value {
    let bits = 0n;
    for (let i = 0; i < width; i += 24) bits = (bits << 24n) | BigInt(Math.floor(this.random() * 2 ** 24));
    const length = this.chance(0.5) ? width : this.below(width) + 1;
    const value = BigInt.asUintN(length, bits);
    return width > SMALL_WIDTH ? value : Number(value);
  }
}

/** The constants that some terms speak of, and the least and the greatest number, by sort. */
export function constantsIn(terms: TermStore, roots: readonly TermId[]): Map<SortId, Value[]> {
  const found = new Map<SortId, Set<TermId>>();
  for (const t of terms.postorder(roots)) {
    if (terms.sorts.kind(terms.sort(t)) !== SortKind.BITVEC) continue;
    let own = found.get(terms.sort(t));
    if (own === undefined) {
      own = new Set([0, 1, -1].map(n => terms.bv(terms.width(t), n)));
      found.set(terms.sort(t), own);
    }
    if (terms.op(t) === Op.BV_CONST) own.add(t);
  }
  return new Map([...found].map(([sort, own]) => [sort, [...own].map(t => terms.bvValue(t))]));
}
