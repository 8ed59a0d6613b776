/**
 * What both readings have in common: the nodes of a graph become words, one after the other, and the connectives,
 * equality and `ite` mean the same. A Boolean is a word of one bit. How wide the words of other sorts are, and what operators
 * do to them, is for the readings to say.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import type { SortId } from '../../../term/sort.ts';
import { Gates } from './gates.ts';
import type { Graph } from './graph.ts';
import type { Pace } from './pace.ts';
import type { Question } from './question.ts';
import { Words } from './words.ts';

export class Encoding {
  readonly graph: Graph;
  readonly gates: Gates;
  readonly words: Words;
  readonly pace: Pace;
  readonly question: Question;
  /** By node: where its word starts; nodes without a word have none to ask for. */
  readonly word: Int32Array;
  private readonly widths: Int32Array; // by sort
  private readonly list = new IntStack();

  /** `widths` of the sorts whose nodes are words. */
  constructor(graph: Graph, question: Question, pace: Pace, widths: ReadonlyMap<SortId, number>) {
    this.graph = graph;
    this.gates = new Gates(question);
    this.words = new Words(this.gates);
    this.pace = pace;
    this.question = question;
    this.word = new Int32Array(graph.count);
    this.widths = new Int32Array(1 + Math.max(...widths.keys()));
    for (const [sort, width] of widths) this.widths[sort] = width;
  }

  /** The width of a node's word; 0 if it has none. */
  width(n: number): number {
    return this.widthOf(this.graph.sort(n));
  }

  widthOf(sort: SortId): number {
    return sort < this.widths.length ? this.widths[sort] : 0;
  }

  /** The literal of a Boolean node. */
  literal(n: number): number {
    return this.words.pool.data[this.word[n]];
  }

  /** Are two nodes with words equal? */
  equal(a: number, b: number): number {
    return this.words.equal(this.word[a], this.word[b], this.width(a));
  }

  assertClaims(): void {
    const { claims } = this.graph;
    for (let i = 0; i < claims.size; i++) {
      this.gates.assert(this.literal(claims.data[i] >> 1) ^ (claims.data[i] & 1));
    }
  }

  /** The word of a connective; `=`, `distinct` and `ite` are here if they are about words. */
  connective(n: number): number {
    const { graph, gates, words } = this;
    const op = graph.op(n);
    const a = graph.arg(n, 0);
    switch (op) {
      case Op.NOT:
        return words.single(this.literal(a) ^ 1);
      case Op.AND:
        return words.single(gates.conjunction(this.literals(n)));
      case Op.OR:
        return words.single(gates.disjunction(this.literals(n)));
      case Op.XOR:
        return words.single(gates.xor(this.literal(a), this.literal(graph.arg(n, 1))));
      case Op.IMPLIES:
        return words.single(gates.or(this.literal(a) ^ 1, this.literal(graph.arg(n, 1))));
      case Op.EQ:
        return words.single(this.equal(a, graph.arg(n, 1)));
      case Op.ITE:
        return words.mux(
          this.literal(a),
          this.word[graph.arg(n, 1)],
          this.word[graph.arg(n, 2)],
          this.width(n),
        );
      default:
        throw new Error(`operator ${op} is no connective`);
    }
  }

  /** No two of the arguments are equal. */
  *distinct(n: number, equal: (a: number, b: number) => number): Work<number> {
    const { graph } = this;
    const differences = new IntStack();
    for (let i = 0; i < graph.arity(n); i++) {
      for (let j = 0; j < i; j++) differences.push(equal(graph.arg(n, i), graph.arg(n, j)) ^ 1);
      if (this.pace.isDue) yield* this.pace.pause();
    }
    return this.words.single(this.gates.conjunction(differences));
  }

  private literals(n: number): IntStack {
    const { graph, list } = this;
    list.clear();
    for (let i = 0; i < graph.arity(n); i++) list.push(this.literal(graph.arg(n, i)));
    return list;
  }
}
