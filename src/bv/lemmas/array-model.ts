/**
 * What the arrays are, once no lemma is violated. The root of a tree holds what arrived there, a tangled
 * class with a base what it knows, both with a default for all other indices that is one for a whole tangled
 * part (the element of its constant arrays, if it has any); every other class is what its definition says.
 * Values are made when they are asked for.
 */
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { ArrayValue, domain } from '../../term/value.ts';
import type { ConstantPairs } from './constant-pairs.ts';
import type { Descent } from './descent.ts';
import type { ArrayGraph, Write } from './graph.ts';
import { anyScalar, type Scalar } from './reading.ts';
import type { Spread } from './spread.ts';

export class ArrayModel {
  readonly graph: ArrayGraph;
  private readonly terms: TermStore;
  private readonly descent: Descent;
  private readonly pairs: ConstantPairs;
  private readonly spread: Spread;
  private readonly values: (ArrayValue | undefined)[] = []; // by class

  constructor(terms: TermStore, graph: ArrayGraph, descent: Descent, pairs: ConstantPairs, spread: Spread) {
    this.terms = terms;
    this.graph = graph;
    this.descent = descent;
    this.pairs = pairs;
    this.spread = spread;
  }

  /** The value of an array that occurs; a variable that does not may be anything. */
  value(array: TermId): ArrayValue {
    const { graph } = this;
    const sort = this.terms.sort(array);
    if (!graph.equal.has(array)) {
      if (!this.terms.isVariable(array)) throw new TypeError('an array that was not checked has no value');
      return anyArray(this.terms, sort);
    }
    const c = graph.classOf(graph.equal.number(array));
    return (this.values[c] ??= this.make(c, sort));
  }

  private make(c: number, sort: SortId): ArrayValue {
    const { graph } = this;
    const writes: Write[] = [];
    for (let write = this.definition(c); write !== undefined; write = this.definition(c)) {
      writes.push(write);
      c = graph.classOf(write.base);
    }
    const table = this.contents(c);
    for (const { indexValue, elementValue } of writes.reverse()) table.set(indexValue, elementValue);
    let array = constantArray(this.terms, sort, this.defaultOf(c, sort));
    for (const [index, element] of table) array = array.store(index, element);
    return array;
  }

  /** The store that a class is to be read off, unless its own table says what it holds. */
  private definition(c: number): Write | undefined {
    return this.spread.known[c] === undefined ? this.graph.definition(c) : undefined;
  }

  private contents(c: number): Map<Scalar, Scalar> {
    const known = this.spread.known[c];
    if (known !== undefined) return new Map(known);
    const table = new Map<Scalar, Scalar>();
    for (const [index, { elementValue }] of this.descent.arrived[c] ?? []) table.set(index, elementValue);
    return table;
  }

  private defaultOf(c: number, sort: SortId): Scalar {
    const { sorts } = this.terms;
    const element = this.pairs.defaults.get(c) ?? this.graph.constants[c][0]?.elementValue;
    return element ?? anyScalar(sorts, sorts.elementSort(sort));
  }
}

/** Some array, for where nothing asks for a particular one. */
export function anyArray(terms: TermStore, sort: SortId): ArrayValue {
  return constantArray(terms, sort, anyScalar(terms.sorts, terms.sorts.elementSort(sort)));
}

function constantArray({ sorts }: TermStore, sort: SortId, element: Scalar): ArrayValue {
  return ArrayValue.constant(element, domain(sorts, sorts.indexSort(sort)));
}
