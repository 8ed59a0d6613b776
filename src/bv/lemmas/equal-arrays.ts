/**
 * Which arrays the reading makes equal outright: the two sides of an equality that is true, and an `ite` and
 * the branch that its condition chooses. Arrays are numbered in the order in which they occur; a class of
 * equal ones is a tree of these equations, in which the path between two arrays says why they are equal.
 *
 * The trees are breadth-first and start at a store or constant array where the class has one, since most
 * paths end there and should be short.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Clause } from './clause.ts';
import type { Occurrences } from './occurrences.ts';
import type { Reading } from './reading.ts';

const NONE = -1;

/** That two arrays are equal if a condition is true, or if it is false. */
interface Equation {
  readonly arrays: readonly [number, number];
  readonly condition: TermId;
  readonly isTrue: boolean;
}

export class EqualArrays {
  readonly arrays: readonly TermId[];
  /** The class of each array. */
  readonly classOf: Int32Array;
  classCount = 0;
  private readonly numbers = new Map<TermId, number>();
  private readonly parent: Int32Array; // the next array towards the root of the tree, or NONE
  private readonly depth: Int32Array;
  private readonly reason: Equation[] = []; // why an array equals its parent

  constructor(terms: TermStore, { arrays, equalities }: Occurrences, value: Reading) {
    this.arrays = arrays;
    for (let n = 0; n < arrays.length; n++) this.numbers.set(arrays[n], n);
    this.classOf = new Int32Array(arrays.length).fill(NONE);
    this.parent = new Int32Array(arrays.length).fill(NONE);
    this.depth = new Int32Array(arrays.length);
    const neighbours: Equation[][] = arrays.map(() => []);
    for (const equation of this.equations(terms, equalities, value)) {
      for (const n of equation.arrays) neighbours[n].push(equation);
    }
    for (let n = 0; n < arrays.length; n++) if (isDefined(terms, arrays[n])) this.grow(n, neighbours);
    for (let n = 0; n < arrays.length; n++) this.grow(n, neighbours);
  }

  /** The number of an array term that occurs. */
  number(array: TermId): number {
    return this.numbers.get(array) as number;
  }

  has(array: TermId): boolean {
    return this.numbers.has(array);
  }

  /** Adds why two arrays of one class are equal. */
  explain(clause: Clause, m: number, n: number): void {
    while (m !== n) {
      if (this.depth[m] < this.depth[n]) [m, n] = [n, m];
      const { condition, isTrue } = this.reason[m];
      clause.given(condition, isTrue);
      m = this.parent[m];
    }
  }

  private *equations(terms: TermStore, equalities: readonly TermId[], value: Reading): Generator<Equation> {
    for (const t of this.arrays) {
      if (terms.op(t) !== Op.ITE) continue;
      const condition = terms.arg(t, 0);
      const isTrue = value(condition) === true;
      const branch = terms.arg(t, isTrue ? 1 : 2);
      yield { arrays: [this.number(t), this.number(branch)], condition, isTrue };
    }
    for (const t of equalities) {
      if (value(t) !== true) continue;
      const [a, b] = [this.number(terms.arg(t, 0)), this.number(terms.arg(t, 1))];
      if (a !== b) yield { arrays: [a, b], condition: t, isTrue: true };
    }
  }

  /** Makes the class of an array that has none yet. */
  private grow(root: number, neighbours: readonly (readonly Equation[])[]): void {
    if (this.classOf[root] !== NONE) return;
    const id = this.classCount++;
    this.classOf[root] = id;
    const queue = [root];
    for (const n of queue) {
      for (const equation of neighbours[n]) {
        const [a, b] = equation.arrays;
        const other = a === n ? b : a;
        if (this.classOf[other] !== NONE) continue;
        this.classOf[other] = id;
        this.parent[other] = n;
        this.depth[other] = this.depth[n] + 1;
        this.reason[other] = equation;
        queue.push(other);
      }
    }
  }
}

function isDefined(terms: TermStore, array: TermId): boolean {
  const op = terms.op(array);
  return op === Op.STORE || op === Op.CONST_ARRAY;
}
