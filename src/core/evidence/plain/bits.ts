/**
 * The reading of bits: every operator means what SMT-LIB says, as gates. A bit-vector is a word of its width, an element of
 * an uninterpreted sort is a number of enough bits to tell all terms of that sort apart, and an array is what arrays.ts says
 * of it. Products and quotients have their gates only if it comes to that (slow-operators.ts). Functions are congruent on demand; those with arrays among their arguments or as results are so from the start,
 * because equality of arrays is not read off a solution.
 *
 * A solution that violates nothing is made into a model, and the evaluator has the last word on it: `sat` is said only of
 * formulas that it finds true.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { Evaluator } from '../../../term/evaluator.ts';
import { Op } from '../../../term/operators.ts';
import { type SortId, SortKind } from '../../../term/sort.ts';
import type { TermId } from '../../../term/store.ts';
import { Arrays } from './arrays.ts';
import { Congruence } from './congruence.ts';
import { Encoding } from './encoding.ts';
import { FALSE, TRUE } from './gates.ts';
import type { Graph } from './graph.ts';
import { modelOf } from './model.ts';
import { type Pace, VISIT } from './pace.ts';
import type { Question } from './question.ts';
import { isSlow, SlowOperators } from './slow-operators.ts';
import { Solution } from './solution.ts';
import { Sums } from './sums.ts';
import type { Words } from './words.ts';

/** What an array has instead of a word. */
const NO_WORD = -1;

export class BitReading {
  private readonly graph: Graph;
  private readonly encoding: Encoding;
  private readonly words: Words;
  private readonly arrays: Arrays;
  private readonly congruence: Congruence;
  private readonly functionsOfArrays = new Map<number, number[]>(); // applications by function
  private readonly slow: SlowOperators;
  private readonly sums: Sums;
  private readonly clause = new IntStack();

  constructor(graph: Graph, question: Question, pace: Pace) {
    this.graph = graph;
    this.encoding = new Encoding(graph, question, pace, widthsOf(graph));
    this.words = this.encoding.words;
    this.arrays = new Arrays(this.encoding);
    this.congruence = new Congruence(this.encoding);
    this.sums = new Sums(graph);
    this.slow = new SlowOperators(this.encoding, this.congruence);
  }

  /** A model of the formulas that the graph was made from, or nothing if there is none. */
  *model(formulas: readonly TermId[]): Work<Evaluator | undefined> {
    const { encoding, words, arrays } = this;
    const { question } = encoding;
    yield* this.encode();
    for (;;) {
      if (!(yield* question.isSatisfiable())) return undefined;
      const solution = new Solution(question, words);
      if (yield* this.slow.buildWrong(solution)) continue;
      if ((yield* arrays.addViolated(solution)) > 0) continue;
      if (yield* this.addDisagreements(solution)) continue;
      if (arrays.isUndecided) throw new Unknown('incomplete', 'constant arrays over an uninterpreted sort');
      return yield* modelOf(encoding, arrays, solution, formulas);
    }
  }

  /** Says what functions do where the solution has them give different results for the same arguments. */
  private *addDisagreements(solution: Solution): Work<boolean> {
    const { encoding, congruence, graph } = this;
    const { numbers, applications } = congruence;
    const { pace } = encoding;
    for (let i = 0; i < applications.size; i++) {
      const n = applications.data[i];
      numbers[n] = solution.number(encoding.word[n], encoding.width(n));
      for (let k = 0; k < graph.arity(n); k++) {
        const a = graph.arg(n, k);
        numbers[a] = solution.number(encoding.word[a], encoding.width(a));
        if (pace.spend(encoding.width(a))) yield* pace.pause();
      }
    }
    let isViolated = false;
    congruence.beginRound();
    for (let i = 0; i < applications.size; i++) {
      if (pace.spend(VISIT)) yield* pace.pause();
      const n = applications.data[i];
      const other = congruence.find(n);
      if (numbers[other] === numbers[n]) continue;
      congruence.addInstance(other, n);
      isViolated = true;
    }
    return isViolated;
  }

  // ---- encoding ----

  private *encode(): Work<void> {
    const { graph, encoding } = this;
    const { word } = encoding;
    const equal = (a: number, b: number) => this.equal(a, b);
    for (let n = 0; n < graph.count; n++) {
      if (encoding.pace.spend(VISIT)) yield* encoding.pace.pause();
      if (graph.isNeeded[n] === 0) continue;
      const op = graph.op(n);
      if (op === Op.DISTINCT) word[n] = yield* encoding.distinct(n, equal);
      else if (op >= Op.NOT && op <= Op.ITE) word[n] = this.connective(n);
      else if (op <= Op.CONST_ARRAY) word[n] = this.general(n);
      else if (this.isKnownSum(n)) continue;
      else if (isSlow(op)) word[n] = yield* this.slow.word(n);
      else word[n] = this.operator(n);
    }
    encoding.assertClaims();
  }

  /** Is it a constant or an earlier word, by the laws of arithmetic? */
  private isKnownSum(n: number): boolean {
    const { encoding, words } = this;
    const { word } = encoding;
    const known = this.sums.known(n);
    if (known === undefined) return false;
    word[n] = 'node' in known ? word[known.node] : words.constant(known.constant, encoding.width(n));
    return true;
  }

  private isArray(n: number): boolean {
    return this.graph.terms.sorts.isArray(this.graph.sort(n));
  }

  private equal(a: number, b: number): number {
    return this.isArray(a) ? this.arrays.equal(a, b) : this.encoding.equal(a, b);
  }

  private connective(n: number): number {
    const { graph, encoding } = this;
    const op = graph.op(n);
    if (op === Op.EQ) return this.words.single(this.equation(n));
    if (op !== Op.ITE || !this.isArray(n)) return encoding.connective(n);
    this.arrays.addIte(n, encoding.literal(graph.arg(n, 0)), graph.arg(n, 1), graph.arg(n, 2));
    return NO_WORD;
  }

  /** If it always holds, or another one says the same, that need not be found out by gates. */
  private equation(n: number): number {
    const { graph, encoding, sums } = this;
    const { gates } = encoding;
    const known = sums.knownEquation(n);
    if (known !== undefined && 'constant' in known) return known.constant ? TRUE : FALSE;
    const literal = this.equal(graph.arg(n, 0), graph.arg(n, 1));
    if (known !== undefined) gates.assert(gates.xor(encoding.literal(known.node), literal) ^ 1);
    return literal;
  }

  /** Constants, variables, applications, and what makes and reads arrays. */
  private general(n: number): number {
    const { graph, encoding, arrays, words } = this;
    const { word } = encoding;
    const term = graph.term(n);
    switch (graph.op(n)) {
      case Op.TRUE:
      case Op.FALSE:
        return words.single(graph.op(n) === Op.TRUE ? TRUE : FALSE);
      case Op.BV_CONST:
        return words.constant(graph.terms.bvValue(term), encoding.width(n));
      case Op.APPLY:
        word[n] = this.isArray(n) ? NO_WORD : words.fresh(encoding.width(n));
        if (graph.arity(n) > 0) this.addApplication(n);
        return word[n];
      case Op.SELECT:
        return arrays.read(graph.arg(n, 0), word[graph.arg(n, 1)]);
      case Op.STORE:
        arrays.addStore(n, graph.arg(n, 0), word[graph.arg(n, 1)], word[graph.arg(n, 2)]);
        return NO_WORD;
      default:
        arrays.addConstant(n, word[graph.arg(n, 0)]);
        return NO_WORD;
    }
  }

  private addApplication(n: number): void {
    const { graph } = this;
    if (!isAboutArrays(graph, n)) {
      this.congruence.add(n);
      return;
    }
    const { clause, encoding } = this;
    const f = graph.terms.functionOf(graph.term(n));
    const others = this.functionsOfArrays.get(f) ?? [];
    this.functionsOfArrays.set(f, others);
    for (const other of others) {
      clause.clear();
      for (let i = 0; i < graph.arity(n); i++)
        clause.push(this.equal(graph.arg(n, i), graph.arg(other, i)) ^ 1);
      clause.push(this.equal(n, other));
      encoding.gates.assertOneOf(clause);
    }
    others.push(n);
  }

  private operator(n: number): number {
    const { graph, encoding, words } = this;
    const { gates, word } = encoding;
    const argument = graph.arg(n, 0);
    const a = word[argument];
    const width = encoding.width(argument);
    const b = graph.arity(n) > 1 ? word[graph.arg(n, 1)] : a;
    const result = encoding.width(n);
    const index = graph.terms.payload(graph.term(n));
    const sign = (x: number) => words.bit(x, width - 1);
    switch (graph.op(n)) {
      case Op.CONCAT:
        return words.concat(a, width, b, encoding.width(graph.arg(n, 1)));
      case Op.EXTRACT:
        return words.part(a, index, result, result, FALSE);
      case Op.ZERO_EXTEND:
      case Op.SIGN_EXTEND:
        return words.extended(a, width, result, graph.op(n) === Op.SIGN_EXTEND);
      case Op.REPEAT:
        return words.repeated(a, width, result);
      case Op.ROTATE_LEFT:
        return words.rotated(a, width, index % width);
      case Op.ROTATE_RIGHT:
        return words.rotated(a, width, width - (index % width));
      case Op.BVNOT:
        return words.not(a, width);
      case Op.BVNEG:
        return words.negated(a, width);
      case Op.BVAND:
      case Op.BVNAND:
        return words.and(a, b, width, graph.op(n) === Op.BVNAND ? 1 : 0);
      case Op.BVOR:
      case Op.BVNOR:
        return words.or(a, b, width, graph.op(n) === Op.BVNOR ? 1 : 0);
      case Op.BVXOR:
      case Op.BVXNOR:
        return words.xor(a, b, width, graph.op(n) === Op.BVXNOR ? 1 : 0);
      case Op.BVADD:
      case Op.BVSUB:
        return words.sum(a, b, width, graph.op(n) === Op.BVSUB);
      case Op.BVSHL:
        return words.shifted(a, b, width, true, FALSE);
      case Op.BVLSHR:
        return words.shifted(a, b, width, false, FALSE);
      case Op.BVASHR:
        return words.shifted(a, b, width, false, sign(a));
      case Op.BVCOMP:
        return words.single(words.equal(a, b, width));
      case Op.BVREDAND:
        return words.single(words.all(a, 0, width, 0));
      case Op.BVREDOR:
        return words.single(words.isZero(a, width) ^ 1);
      case Op.BVULT:
      case Op.BVUSUBO:
        return words.single(words.less(a, b, width, false));
      case Op.BVUGT:
        return words.single(words.less(b, a, width, false));
      case Op.BVULE:
        return words.single(words.less(b, a, width, false) ^ 1);
      case Op.BVUGE:
        return words.single(words.less(a, b, width, false) ^ 1);
      case Op.BVSLT:
        return words.single(words.less(a, b, width, true));
      case Op.BVSGT:
        return words.single(words.less(b, a, width, true));
      case Op.BVSLE:
        return words.single(words.less(b, a, width, true) ^ 1);
      case Op.BVSGE:
        return words.single(words.less(a, b, width, true) ^ 1);
      case Op.BVNEGO:
        return words.single(words.isLeast(a, width));
      case Op.BVUADDO:
        return words.single(words.carry(a, b, width));
      case Op.BVSADDO: {
        const sum = sign(words.sum(a, b, width, false));
        return words.single(gates.and(gates.xor(sum, sign(a)), gates.xor(sum, sign(b))));
      }
      case Op.BVSSUBO: {
        const difference = sign(words.sum(a, b, width, true));
        return words.single(gates.and(gates.xor(sign(a), sign(b)), gates.xor(difference, sign(a))));
      }
      case Op.BVSDIVO:
        return words.single(gates.and(words.isLeast(a, width), words.all(b, 0, width, 0)));
      default:
        throw new Error(`operator ${graph.op(n)} has no circuit`);
    }
  }
}

function isAboutArrays(graph: Graph, n: number): boolean {
  const { sorts } = graph.terms;
  if (sorts.isArray(graph.sort(n))) return true;
  for (let i = 0; i < graph.arity(n); i++) if (sorts.isArray(graph.sort(graph.arg(n, i)))) return true;
  return false;
}

/**
 * How wide the words of the sorts that occur are. Throws an Unknown for arrays of arrays.
 *
 * An uninterpreted sort has as many elements as there are terms of it, and for each pair of arrays that may be compared
 * one index and two elements more: if there is a model, there is one like that.
 */
function widthsOf(graph: Graph): Map<SortId, number> {
  const { sorts } = graph.terms;
  const widths = new Map<SortId, number>([[sorts.bool, 1]]);
  const counts = new Map<SortId, number>();
  let arrays = 0; // equalities of arrays
  const applications = new Map<number, number>(); // by function about arrays
  const enter = (sort: SortId, isElement: boolean): void => {
    const kind = sorts.kind(sort);
    if (kind === SortKind.BITVEC) widths.set(sort, sorts.width(sort));
    else if (kind === SortKind.UNINTERPRETED) counts.set(sort, (counts.get(sort) ?? 0) + 1);
    else if (kind === SortKind.ARRAY) {
      if (isElement) throw new Unknown('unsupported', 'arrays of arrays are not supported');
      enter(sorts.indexSort(sort), true);
      enter(sorts.elementSort(sort), true);
    }
  };
  for (let n = 0; n < graph.count; n++) {
    if (graph.isNeeded[n] === 0) continue;
    enter(graph.sort(n), false);
    const op = graph.op(n);
    if ((op === Op.EQ || op === Op.DISTINCT) && sorts.isArray(graph.sort(graph.arg(n, 0))))
      arrays += graph.arity(n) ** 2;
    if (op === Op.APPLY && graph.arity(n) > 0 && isAboutArrays(graph, n)) {
      const f = graph.terms.functionOf(graph.term(n));
      const before = applications.get(f) ?? 0;
      arrays += before * (graph.arity(n) + 1);
      applications.set(f, before + 1);
    }
  }
  for (const [sort, count] of counts) {
    const width = 32 - Math.clz32(count + 3 * arrays);
    widths.set(sort, width);
  }
  return widths;
}
