/**
 * The arrays of a question under a reading, as a graph: its nodes are the classes of arrays that are equal
 * outright, its edges the stores. A store leads from the class of its result down to the class of the array
 * it changes; the two agree at every index but one.
 *
 * A class is *defined* by each store and constant array in it, and *tangled* if it has several definitions,
 * if definitions lead from it back to it, or if it lies below a tangled class. The other classes form trees:
 * each has one definition or none, so whatever its elements are, the arrays below can be chosen first and
 * there is nothing to learn about it from below. Accesses must travel down everywhere (Brummayer and
 * Biere's rule D), but up (rule U) only among the tangled classes.
 *
 * A component of the graph has at most one connected tangled part: a path that leaves it goes up, and coming
 * down again takes a class with two definitions, which would be tangled itself.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { EqualArrays } from './equal-arrays.ts';
import type { Occurrences } from './occurrences.ts';
import { type Reading, type Scalar, scalar } from './reading.ts';

/** That an array holds an element at an index: by a read, by a store, or as a constant array. */
export interface Access {
  readonly kind: 'read' | 'write' | 'constant';
  readonly at: number; // the number of the array
  readonly index: TermId;
  readonly element: TermId;
  readonly indexValue: Scalar;
  readonly elementValue: Scalar;
}

/** A store, which is an access to its own result. */
export interface Write extends Access {
  readonly base: number; // the number of the array that it changes
}

export class ArrayGraph {
  readonly equal: EqualArrays;
  readonly classCount: number;
  /** By class: the reads of its arrays and the writes that result in it. */
  readonly accesses: Access[][];
  /** By class: the stores that lead down from it to another class. */
  readonly down: Write[][];
  /** By class: the stores that lead down to it from another class. */
  readonly up: Write[][];
  /** By class: the constant arrays in it. */
  readonly constants: Constant[][];
  readonly isTangled: Uint8Array;
  /** By class: whether it has arrays that are made of no other: variables, applications, constant arrays. */
  readonly isBase: Uint8Array;

  constructor(terms: TermStore, occurrences: Occurrences, value: Reading) {
    this.equal = new EqualArrays(terms, occurrences, value);
    this.classCount = this.equal.classCount;
    const perClass = <T>(): T[][] => Array.from({ length: this.classCount }, () => []);
    [this.accesses, this.down, this.up, this.constants] = [perClass(), perClass(), perClass(), perClass()];
    this.isBase = new Uint8Array(this.classCount);
    for (const t of occurrences.arrays) {
      const op = terms.op(t);
      if (op === Op.STORE) this.addStore(terms, t, value);
      else if (op === Op.CONST_ARRAY) this.addConstant(terms, t, value);
      if (op === Op.APPLY || op === Op.CONST_ARRAY) this.isBase[this.classOf(this.equal.number(t))] = 1;
    }
    for (const t of occurrences.selects) this.addSelect(terms, t, value);
    this.isTangled = this.findTangled();
  }

  classOf(array: number): number {
    return this.equal.classOf[array];
  }

  /**
   * The store that defines a class that is not tangled, if it is one that does. Of several definitions it is
   * the one that occurs first, so that in a tangled class, going down by it leads to ever earlier arrays and
   * at last to a base.
   */
  definition(c: number): Write | undefined {
    return this.down[c][0];
  }

  private addStore(terms: TermStore, t: TermId, value: Reading): void {
    const [array, index, element] = terms.args(t);
    const write: Write = {
      kind: 'write',
      at: this.equal.number(t),
      base: this.equal.number(array),
      index,
      element,
      indexValue: scalar(value, index),
      elementValue: scalar(value, element),
    };
    const [above, below] = [this.classOf(write.at), this.classOf(write.base)];
    this.accesses[above].push(write);
    if (above === below) return; // a store of what is there already
    this.down[above].push(write);
    this.up[below].push(write);
  }

  private addConstant(terms: TermStore, t: TermId, value: Reading): void {
    const [at, element] = [this.equal.number(t), terms.arg(t, 0)];
    this.constants[this.classOf(at)].push({ at, element, elementValue: scalar(value, element) });
  }

  private addSelect(terms: TermStore, t: TermId, value: Reading): void {
    const [array, index] = terms.args(t);
    const at = this.equal.number(array);
    const [indexValue, elementValue] = [scalar(value, index), scalar(value, t)];
    this.accesses[this.classOf(at)].push({ kind: 'read', at, index, element: t, indexValue, elementValue });
  }

  private findTangled(): Uint8Array {
    const tangled = new Uint8Array(this.classCount);
    const stack: number[] = [];
    for (let c = 0; c < this.classCount; c++) {
      if (this.down[c].length + this.constants[c].length > 1) stack.push(c);
    }
    for (let c = stack.pop(); c !== undefined; c = stack.pop()) {
      if (tangled[c] === 1) continue;
      tangled[c] = 1;
      for (const { base } of this.down[c]) stack.push(this.classOf(base));
    }
    this.addCircles(tangled);
    return tangled;
  }

  /** Marks the classes whose definitions lead in a circle. Every class that is not marked has at most one. */
  private addCircles(tangled: Uint8Array): void {
    const walk = new Int32Array(this.classCount); // the walk that first came by a class
    const below = (c: number) => this.classOf((this.definition(c) as Write).base);
    for (let start = 0; start < this.classCount; start++) {
      let c = start;
      while (walk[c] === 0 && tangled[c] === 0 && this.down[c].length > 0) {
        walk[c] = start + 1;
        c = below(c);
      }
      if (walk[c] !== start + 1) continue;
      for (; tangled[c] === 0; c = below(c)) tangled[c] = 1;
    }
  }
}

/** A constant array and the element it holds everywhere. */
export interface Constant {
  readonly at: number;
  readonly element: TermId;
  readonly elementValue: Scalar;
}
