/**
 * Products and quotients of words that are not known, which take more gates than all else together. Most proofs do not rest
 * on what they are: the same product stands on both sides, however it is wrapped. So such an operator is some word to begin
 * with, of which no more is said than that equal arguments give equal results; it gets its gates once a solution has it
 * wrong. What has no solution without the gates has none with them.
 *
 * The gates are those of words.ts, as schoolbooks have them.
 */
import type { Work } from '../../../sat/work.ts';
import { applyByDefinition } from '../../../term/evaluator.ts';
import { OPERATORS, Op } from '../../../term/operators.ts';
import { sameValue, type Value } from '../../../term/value.ts';
import type { Congruence } from './congruence.ts';
import type { Encoding } from './encoding.ts';
import type { Graph } from './graph.ts';
import { VISIT } from './pace.ts';
import type { Solution } from './solution.ts';
import type { Words } from './words.ts';

/** So many of them are compared with each other. */
const MAX_SHORTCUTS = 16;

export function isSlow(op: Op): boolean {
  return (op >= Op.BVMUL && op <= Op.BVSMOD) || op === Op.BVUMULO || op === Op.BVSMULO;
}

export class SlowOperators {
  private readonly graph: Graph;
  private readonly encoding: Encoding;
  private readonly words: Words;
  private readonly congruence: Congruence;
  private readonly compared: number[] = []; // nodes
  private open: number[] = []; // nodes that have no gates yet

  constructor(encoding: Encoding, congruence: Congruence) {
    this.graph = encoding.graph;
    this.encoding = encoding;
    this.words = encoding.words;
    this.congruence = congruence;
  }

  /** The word of such a node. Where an argument is a constant, the gates are few. */
  *word(n: number): Work<number> {
    const { graph, encoding } = this;
    if (graph.op(graph.arg(n, 0)) === Op.BV_CONST || graph.op(graph.arg(n, 1)) === Op.BV_CONST)
      return yield* this.gates(n);
    encoding.word[n] = this.words.fresh(encoding.width(n));
    this.open.push(n);
    this.addShortcuts(n);
    return encoding.word[n];
  }

  /** Gives gates to those that the solution has wrong; are there any? */
  *buildWrong(solution: Solution): Work<boolean> {
    const { graph, encoding, words } = this;
    const { pace, gates, word } = encoding;
    const open: number[] = [];
    const wrong: number[] = [];
    for (const n of this.open) {
      if (pace.spend(VISIT)) yield* pace.pause();
      const value = (node: number) => solution.value(word[node], graph.sort(node), encoding);
      const args: Value[] = [value(graph.arg(n, 0)), value(graph.arg(n, 1))];
      const isRight = sameValue(value(n), applyByDefinition(graph.terms, graph.term(n), args));
      (isRight ? open : wrong).push(n);
    }
    this.open = open;
    for (const n of wrong) gates.assert(words.equal(word[n], yield* this.gates(n), encoding.width(n)));
    return wrong.length > 0;
  }

  /** Products and quotients, which take so many gates that a single one may want pauses. */
  private *gates(n: number): Work<number> {
    const { graph, encoding, words } = this;
    const { word, pace } = encoding;
    const a = word[graph.arg(n, 0)];
    const b = word[graph.arg(n, 1)];
    const width = encoding.width(graph.arg(n, 0));
    switch (graph.op(n)) {
      case Op.BVMUL:
        return yield* words.product(a, b, width, pace);
      case Op.BVUMULO:
      case Op.BVSMULO: {
        const isSigned = graph.op(n) === Op.BVSMULO;
        const [x, y] = [a, b].map(f => words.extended(f, width, 2 * width, isSigned));
        const product = yield* words.product(x, y, 2 * width, pace);
        const fits = isSigned
          ? encoding.gates.or(
              words.all(product, width - 1, 2 * width, 0),
              words.all(product, width - 1, 2 * width, 1),
            )
          : words.all(product, width, 2 * width, 1);
        return words.single(fits ^ 1);
      }
      case Op.BVUDIV:
        return yield* words.division(a, b, width, pace);
      case Op.BVUREM:
        return (yield* words.division(a, b, width, pace)) + width;
      default:
        return yield* this.signedDivision(graph.op(n), a, b, width);
    }
  }

  /**
   * Equal factors give equal products: nothing new, for the gates say so too, but two products of unknown words are so many
   * gates that a SAT solver hardly finds out.
   */
  private addShortcuts(n: number): void {
    const { graph, encoding, congruence, compared } = this;
    const op = graph.op(n);
    const width = encoding.width(graph.arg(n, 0));
    for (const other of compared) {
      if (graph.op(other) !== op || encoding.width(graph.arg(other, 0)) !== width) continue;
      congruence.addAxiom(other, n, false);
      if (OPERATORS[op].commutative) congruence.addAxiom(other, n, true);
    }
    if (compared.length < MAX_SHORTCUTS) compared.push(n);
  }

  /** By the magnitudes; the signs are put right afterwards, as SMT-LIB defines it. */
  private *signedDivision(op: Op, a: number, b: number, width: number): Work<number> {
    const { words, encoding } = this;
    const { gates } = encoding;
    const [signA, signB] = [words.bit(a, width - 1), words.bit(b, width - 1)];
    const quotient = yield* words.division(
      words.absolute(a, width),
      words.absolute(b, width),
      width,
      encoding.pace,
    );
    const remainder = quotient + width;
    if (op === Op.BVSDIV) return words.negatedIf(gates.xor(signA, signB), quotient, width);
    const rest = words.negatedIf(signA, remainder, width);
    if (op === Op.BVSREM) return rest;
    // bvsmod: the remainder has the sign of the divisor.
    const isRight = gates.or(words.isZero(remainder, width), gates.xor(signA, signB) ^ 1);
    return words.mux(isRight, rest, words.sum(rest, b, width, false), width);
  }
}
