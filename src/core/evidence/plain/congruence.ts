/**
 * Functions give equal results for equal arguments: Ackermann's instances, said of those pairs of applications only that
 * disagree (Ackermann, "Solvable Cases of the Decision Problem", 1954). Whoever goes through the applications in a round
 * fills in the numbers of their arguments and asks for the first one with the same function and the same numbers; the
 * applications are hashed by these, so a round takes linear time.
 *
 * The two arguments of a commutative operator may agree crosswise.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import { OPERATORS } from '../../../term/operators.ts';
import type { Encoding } from './encoding.ts';
import { FALSE, TRUE } from './gates.ts';

export class Congruence {
  /** Of a round, by node: numbers that are the same for two nodes of one sort if their values are. */
  readonly numbers: Int32Array;
  /** All that were added. */
  readonly applications = new IntStack();
  private readonly encoding: Encoding;
  private readonly functionOf: Int32Array; // by node
  private readonly functions = new Map<string, number>();
  private readonly isCommutative: boolean[] = []; // by function
  private table = new Int32Array(0); // of a round: an application + 1, or 0
  private readonly clause = new IntStack();

  constructor(encoding: Encoding) {
    this.encoding = encoding;
    this.numbers = new Int32Array(encoding.graph.count);
    this.functionOf = new Int32Array(encoding.graph.count);
  }

  /** A function is an operator with its indices and the sorts of its arguments, or a declared one. */
  add(n: number): void {
    const { graph } = this.encoding;
    const { terms } = graph;
    const term = graph.term(n);
    let key = `${terms.op(term)} ${terms.payload(term)} ${terms.sort(term)}`;
    for (let i = 0; i < graph.arity(n); i++) key += ` ${graph.sort(graph.arg(n, i))}`;
    let f = this.functions.get(key);
    if (f === undefined) {
      f = this.functions.size;
      this.functions.set(key, f);
      this.isCommutative.push(OPERATORS[terms.op(term)].commutative);
    }
    this.functionOf[n] = f;
    this.applications.push(n);
  }

  /** Forgets all applications that were asked for. */
  beginRound(): void {
    const size = 2 ** (33 - Math.clz32(this.applications.size));
    if (this.table.length < size) this.table = new Int32Array(size);
    else this.table.fill(0);
  }

  /** The first application of this round with the same function and arguments of the same numbers: itself, if there is none. */
  find(n: number): number {
    const { table } = this;
    const mask = table.length - 1;
    let slot = this.hash(n) & mask;
    for (let entry = table[slot]; entry !== 0; entry = table[slot]) {
      if (this.agree(entry - 1, n)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    table[slot] = n + 1;
    return n;
  }

  /** Says of two applications that agree that they are equal if their arguments are. */
  addInstance(a: number, b: number): void {
    this.addAxiom(a, b, !this.agreeStraight(a, b));
  }

  /** Two applications of one function are equal if their arguments are, each one or crosswise. */
  addAxiom(a: number, b: number, isCrosswise: boolean): void {
    const { encoding, clause } = this;
    const { graph } = encoding;
    clause.clear();
    for (let i = 0; i < graph.arity(a); i++) {
      const premise = encoding.equal(graph.arg(a, i), graph.arg(b, isCrosswise ? 1 - i : i));
      if (premise !== TRUE) clause.push(premise ^ 1);
    }
    const conclusion = encoding.equal(a, b);
    if (conclusion !== FALSE) clause.push(conclusion);
    encoding.gates.assertOneOf(clause);
  }

  private agree(a: number, b: number): boolean {
    const f = this.functionOf[a];
    if (f !== this.functionOf[b]) return false;
    return this.agreeStraight(a, b) || (this.isCommutative[f] && this.agreeCrosswise(a, b));
  }

  private agreeStraight(a: number, b: number): boolean {
    const { numbers } = this;
    const { graph } = this.encoding;
    for (let i = 0; i < graph.arity(a); i++) {
      if (numbers[graph.arg(a, i)] !== numbers[graph.arg(b, i)]) return false;
    }
    return true;
  }

  private agreeCrosswise(a: number, b: number): boolean {
    const { numbers } = this;
    const { graph } = this.encoding;
    return (
      numbers[graph.arg(a, 0)] === numbers[graph.arg(b, 1)] &&
      numbers[graph.arg(a, 1)] === numbers[graph.arg(b, 0)]
    );
  }

  private hash(n: number): number {
    const { numbers } = this;
    const { graph } = this.encoding;
    const f = this.functionOf[n];
    let h = Math.imul(f + 1, 0x9e3779b1);
    if (this.isCommutative[f]) {
      const x = numbers[graph.arg(n, 0)];
      const y = numbers[graph.arg(n, 1)];
      h = Math.imul(h ^ (h >>> 15) ^ Math.min(x, y), 0x2c1b3c6d);
      h = Math.imul(h ^ (h >>> 15) ^ Math.max(x, y), 0x2c1b3c6d);
    } else {
      for (let i = 0; i < graph.arity(n); i++)
        h = Math.imul(h ^ (h >>> 15) ^ numbers[graph.arg(n, i)], 0x2c1b3c6d);
    }
    return h ^ (h >>> 13);
  }
}
