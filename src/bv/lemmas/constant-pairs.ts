/**
 * Constant arrays that are equal almost everywhere: two of them in one tangled part, connected by equations
 * and stores. They agree at every index that no store on the way between them has, so their elements must
 * be equal if there is such an index. There are three cases:
 *
 *   - The way has fewer different store indices than the index sort has values: then there is such an index
 *     whatever the indices are, and the lemma needs no premise about it. An uninterpreted sort is infinite.
 *   - Some value k is none of the present store indices: the lemma has the premises that they are not k.
 *   - The present store indices cover the index sort, which then is small. Each constant array of the part
 *     becomes an access to every index, so that what is equal to it at that index is compared with it.
 */
import { termOfValue } from '../../term/evaluator.ts';
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { allValues } from '../../term/value.ts';
import type { Conflicts } from './conflicts.ts';
import type { Access, ArrayGraph, Constant, Write } from './graph.ts';
import type { Scalar } from './reading.ts';

export class ConstantPairs {
  /** By class: the element of a constant array in its tangled part. */
  readonly defaults = new Map<number, Scalar>();
  /** Accesses by which constant arrays speak for every index; see above. */
  readonly accesses: Access[] = [];
  private readonly terms: TermStore;
  private readonly graph: ArrayGraph;
  private readonly conflicts: Conflicts;

  constructor(terms: TermStore, graph: ArrayGraph, conflicts: Conflicts) {
    this.terms = terms;
    this.graph = graph;
    this.conflicts = conflicts;
    for (let c = 0; c < graph.classCount; c++) {
      const isNew = graph.isTangled[c] === 1 && !this.defaults.has(c);
      if (isNew && graph.constants[c].length > 0) this.explore(c);
    }
  }

  /** Compares the first constant array of a tangled part with all others. */
  private explore(start: number): void {
    const { graph, defaults } = this;
    const [first] = graph.constants[start];
    const constants: Constant[] = [];
    const arrival = new Map<number, Write>(); // the store by which the search came to a class
    let isCovered = false;
    defaults.set(start, first.elementValue);
    const queue = [start];
    for (const c of queue) {
      for (const constant of graph.constants[c]) {
        constants.push(constant);
        if (constant.elementValue === first.elementValue) continue;
        if (!this.addPair(first, constant, this.wayBack(c, arrival))) isCovered = true;
      }
      for (const write of [...graph.down[c], ...graph.up[c]]) {
        const next = this.otherEnd(write, c);
        if (graph.isTangled[next] === 0 || defaults.has(next)) continue;
        defaults.set(next, first.elementValue);
        arrival.set(next, write);
        queue.push(next);
      }
    }
    if (isCovered) this.speakForEveryIndex(constants);
  }

  /** The stores from a class back to where the search started. */
  private wayBack(c: number, arrival: ReadonlyMap<number, Write>): Write[] {
    const way: Write[] = [];
    for (let write = arrival.get(c); write !== undefined; write = arrival.get(c)) {
      way.push(write);
      c = this.otherEnd(write, c);
    }
    return way;
  }

  /** The lemma for two constant arrays, unless the stores on the way cover the index sort. */
  private addPair(first: Constant, second: Constant, way: readonly Write[]): boolean {
    const { terms, graph } = this;
    const sort = this.indexSort(first);
    const mayCover = new Set(way.map(write => write.index)).size >= terms.sorts.size(sort);
    const free = mayCover ? this.freeIndex(sort, way) : undefined;
    if (mayCover && free === undefined) return false;
    this.conflicts.add('constantPair', clause => {
      let n = second.at;
      for (const write of way) {
        const isDown = graph.classOf(write.at) === graph.classOf(n);
        graph.equal.explain(clause, n, isDown ? write.at : write.base);
        if (free !== undefined) clause.givenDifferent(free, write.index);
        n = isDown ? write.base : write.at;
      }
      graph.equal.explain(clause, n, first.at);
      clause.concludeEqual(first.element, second.element);
    });
    return true;
  }

  /** A constant that is none of the stores' indices. */
  private freeIndex(sort: SortId, way: readonly Write[]): TermId | undefined {
    const taken = new Set(way.map(write => write.indexValue));
    for (const value of allValues(this.terms.sorts, sort)) {
      if (!taken.has(value as Scalar)) return termOfValue(this.terms, sort, value);
    }
    return undefined;
  }

  private speakForEveryIndex(constants: readonly Constant[]): void {
    const sort = this.indexSort(constants[0]);
    for (const indexValue of allValues(this.terms.sorts, sort)) {
      const index = termOfValue(this.terms, sort, indexValue);
      for (const constant of constants) {
        this.accesses.push({ kind: 'constant', ...constant, index, indexValue: indexValue as Scalar });
      }
    }
  }

  private indexSort({ at }: Constant): SortId {
    const { terms, graph } = this;
    return terms.sorts.indexSort(terms.sort(graph.equal.arrays[at]));
  }

  private otherEnd({ at, base }: Write, c: number): number {
    return this.graph.classOf(this.graph.classOf(at) === c ? base : at);
  }
}
