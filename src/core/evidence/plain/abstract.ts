/**
 * The abstract reading: what operators mean is forgotten. Every bit-vector and array operator is a function of which nothing
 * is known but that equal arguments give equal results, that the order of the arguments does not matter if it is
 * commutative, what the standard says about constants, and when sums are the same by the laws of arithmetic (sums.ts). Connectives, `=`, `distinct` and `ite` keep their meaning, those
 * of single bits as well, and constants of one sort are pairwise different. Whatever has no model in this reading has none in bits.
 *
 * An element of a sort is a number of a few bits; a constant has a number of its own. Few bits suffice, for equality only
 * tells elements apart: if there is a model, there is one with no more elements of a sort than there are variables,
 * applications and constants of it (Pnueli, Rodeh, Strichman and Siegel, "The Small Model Property: How Small Can It
 * Be?", Information and Computation 178, 2002). Constants that evaluation brings in must fit as well, so there is room
 * to spare; when it is used up, the problem must be encoded anew with more of it.
 *
 * Congruence and evaluation are said on demand, round after round: from the solution only the variables are taken, and all
 * else is worked out anew, arguments first. An application has the value of an earlier one with the same arguments, or
 * what the standard says, or else its value in the solution. If all claims hold then, this is a model. If not, then some
 * application has come out otherwise than the solution has it, and for each of them the instance is said that made
 * it so. The first of them is violated by the solution; the others would be once that one is put right.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { SMALL_WIDTH } from '../../../term/bitvector.ts';
import { applyByDefinition } from '../../../term/evaluator.ts';
import { Op } from '../../../term/operators.ts';
import type { SortId } from '../../../term/sort.ts';
import { type Value, type ValueKey, valueKey } from '../../../term/value.ts';
import { Congruence } from './congruence.ts';
import { Encoding } from './encoding.ts';
import { FALSE, TRUE } from './gates.ts';
import type { Graph } from './graph.ts';
import { type Pace, VISIT } from './pace.ts';
import type { Question } from './question.ts';
import { Solution } from './solution.ts';
import { Sums } from './sums.ts';

/** The elements of a sort that have names. */
interface Elements {
  readonly width: number;
  readonly room: number; // so many constants may have numbers
  free: number; // elements so far that have no name
  readonly constants: Value[]; // by number
  readonly words: number[]; // by number
  readonly numbers: Map<ValueKey, number>;
}

/** How the value of a node is found in a round. */
const Kind = {
  UNNEEDED: 0,
  KNOWN: 1, // it is a constant
  CONNECTIVE: 2, // from those of its arguments
  VARIABLE: 3, // from the solution
  FUNCTION: 4, // from an application with the same arguments, or from the solution
  OPERATOR: 5, // what the standard says, if the arguments are constants, or else as for functions
  SAME: 6, // it is an earlier node, by the laws of sums and products
} as const;

export class AbstractReading {
  /** Evaluation has brought in more constants than there is room for. */
  isFull = false;
  private readonly graph: Graph;
  private readonly elements: ReadonlyMap<SortId, Elements>;
  private readonly encoding: Encoding;
  private readonly congruence: Congruence;
  private readonly sums: Sums;
  private readonly same: Int32Array; // by node of that kind
  private readonly twins: (readonly [number, number])[] = []; // equations that say the same
  private readonly kinds: Uint8Array; // by node
  private readonly numbers: Int32Array; // by node: the number of its value in this round
  private readonly solved: Int32Array; // by node: the number of its value in the solution
  private named = 0; // constants that have numbers
  private readonly clause = new IntStack();

  /** `spare`: how many constants of each sort evaluation may bring in. */
  constructor(graph: Graph, question: Question, pace: Pace, spare: number) {
    this.graph = graph;
    this.elements = countElements(graph, spare);
    const widths = new Map<SortId, number>([[graph.terms.sorts.bool, 1]]);
    for (const [sort, { width }] of this.elements) widths.set(sort, width);
    this.encoding = new Encoding(graph, question, pace, widths);
    for (const { constants, words, width } of this.elements.values())
      for (const number of constants.keys()) words.push(this.encoding.words.constant(number, width));
    this.congruence = new Congruence(this.encoding);
    this.sums = new Sums(graph);
    this.same = new Int32Array(graph.count);
    this.kinds = new Uint8Array(graph.count);
    this.numbers = this.congruence.numbers;
    this.solved = new Int32Array(graph.count);
  }

  /** Is there a model? Undefined if that cannot be said because `isFull`. */
  *isSatisfiable(): Work<boolean | undefined> {
    const { question } = this.encoding;
    yield* this.encode();
    while (!this.isFull) {
      if (!(yield* question.isSatisfiable())) return false;
      if (yield* this.isModelAfterRound()) return true;
    }
    return undefined;
  }

  // ---- encoding ----

  private *encode(): Work<void> {
    const { graph, encoding, kinds } = this;
    const { word } = encoding;
    const equal = (a: number, b: number) => encoding.equal(a, b);
    for (let n = 0; n < graph.count; n++) {
      if (encoding.pace.spend(VISIT)) yield* encoding.pace.pause();
      if (graph.isNeeded[n] === 0) continue;
      const op = graph.op(n);
      if (op >= Op.NOT && op <= Op.ITE) {
        kinds[n] = Kind.CONNECTIVE;
        word[n] = op === Op.DISTINCT ? yield* encoding.distinct(n, equal) : encoding.connective(n);
        if (op === Op.EQ) this.sayWhatIsKnown(n);
      } else if (this.isOfSingleBits(n)) {
        kinds[n] = Kind.CONNECTIVE;
        word[n] = encoding.words.single(this.singleBit(n));
      } else {
        const known = this.sums.known(n);
        if (known !== undefined && 'node' in known) {
          kinds[n] = Kind.SAME;
          this.same[n] = known.node;
          word[n] = word[known.node];
          continue;
        }
        const value = known === undefined ? this.constantValue(n, op) : this.valueAt(n, known.constant);
        word[n] = value === undefined ? this.application(n) : this.constant(n, value);
      }
    }
    encoding.assertClaims();
  }

  /** That an equation holds for all values, or for none, or if another one does. */
  private sayWhatIsKnown(n: number): void {
    const { encoding, sums, twins } = this;
    const known = sums.knownEquation(n);
    if (known === undefined) return;
    const { gates } = encoding;
    if ('node' in known) twins.push([known.node, n]);
    const other = 'node' in known ? encoding.literal(known.node) : known.constant ? TRUE : FALSE;
    gates.assert(gates.xor(other, encoding.literal(n)) ^ 1);
  }

  private valueAt(n: number, constant: bigint): Value {
    return this.graph.terms.width(this.graph.term(n)) <= SMALL_WIDTH ? Number(constant) : constant;
  }

  /** Many problems write with single bits what others write with Booleans. */
  private isOfSingleBits(n: number): boolean {
    const { graph } = this;
    const op = graph.op(n);
    return op === Op.BVCOMP || (op >= Op.BVNOT && op <= Op.BVXNOR && graph.terms.width(graph.term(n)) === 1);
  }

  private singleBit(n: number): number {
    const { graph, encoding } = this;
    const { gates } = encoding;
    const a = graph.arg(n, 0);
    const b = graph.arg(n, graph.arity(n) - 1);
    if (graph.op(n) === Op.BVCOMP) return encoding.equal(a, b);
    const [x, y] = [encoding.literal(a), encoding.literal(b)];
    switch (graph.op(n)) {
      case Op.BVNOT:
        return x ^ 1;
      case Op.BVNEG:
        return x;
      case Op.BVAND:
        return gates.and(x, y);
      case Op.BVNAND:
        return gates.and(x, y) ^ 1;
      case Op.BVOR:
        return gates.or(x, y);
      case Op.BVNOR:
        return gates.or(x, y) ^ 1;
      case Op.BVXOR:
        return gates.xor(x, y);
      default:
        return gates.xor(x, y) ^ 1;
    }
  }

  /** The value of a constant, or of an operator applied to constants. */
  private constantValue(n: number, op: Op): Value | undefined {
    const { graph } = this;
    const { terms } = graph;
    if (op <= Op.FALSE) return op === Op.TRUE;
    if (op === Op.BV_CONST) return terms.bvValue(graph.term(n));
    if (!this.isEvaluable(n)) return undefined;
    this.kinds[n] = Kind.OPERATOR;
    for (let i = 0; i < graph.arity(n); i++) if (this.kinds[graph.arg(n, i)] !== Kind.KNOWN) return undefined;
    return this.evaluated(n);
  }

  private constant(n: number, value: Value): number {
    this.kinds[n] = Kind.KNOWN;
    this.numbers[n] = this.numberOf(n, value);
    if (typeof value === 'boolean') return this.encoding.words.single(value ? TRUE : FALSE);
    return this.elementsOf(n).words[this.numbers[n]];
  }

  private application(n: number): number {
    const { graph, encoding, kinds } = this;
    if (graph.arity(n) === 0) kinds[n] = Kind.VARIABLE;
    else {
      if (kinds[n] !== Kind.OPERATOR) kinds[n] = Kind.FUNCTION;
      this.congruence.add(n);
    }
    const word = encoding.words.fresh(encoding.width(n));
    const elements = this.elements.get(graph.sort(n));
    if (elements !== undefined && elements.width > 1) this.keepApart(elements, word);
    return word;
  }

  /** Elements are different from each other unless something says otherwise: then few applications agree by chance. */
  private keepApart(elements: Elements, word: number): void {
    const { question, words } = this.encoding;
    const number = 2 ** elements.width - ++elements.free;
    for (let i = 0; i < elements.width; i++) question.prefer(words.bit(word, i) ^ (1 - ((number >>> i) & 1)));
  }

  // ---- a round ----

  /** Works out all values from those of the variables. Adds instances, unless this gives a model. */
  private *isModelAfterRound(): Work<boolean> {
    const { graph, kinds, numbers, solved, congruence } = this;
    const { pace } = this.encoding;
    yield* this.readSolution();
    let named: number;
    let instances = 0;
    do {
      named = this.named;
      congruence.beginRound();
      for (let n = 0; n < graph.count; n++) {
        if (pace.spend(VISIT)) yield* pace.pause();
        const kind = kinds[n];
        if (kind <= Kind.KNOWN) continue;
        if (kind === Kind.CONNECTIVE) numbers[n] = this.connectiveNumber(n);
        else if (kind === Kind.VARIABLE) numbers[n] = solved[n];
        else if (kind === Kind.SAME) numbers[n] = numbers[this.same[n]];
        else if (this.workOut(n, kind === Kind.OPERATOR)) instances++;
      }
    } while (instances === 0 && this.named > named); // an element that has got a name must be looked at again
    const isModel = this.named === named && this.allClaimsHold() && this.areTwinsAlike();
    // Without this, a solver or a gate that is wrong would be asked the same for ever.
    if (!isModel && instances === 0)
      throw new Unknown('incomplete', 'the solution is not what its gates say');
    return isModel;
  }

  private *readSolution(): Work<void> {
    const { graph, kinds, solved, encoding } = this;
    const solution = new Solution(encoding.question, encoding.words);
    for (let n = 0; n < graph.count; n++) {
      if (kinds[n] < Kind.VARIABLE) continue;
      const width = encoding.width(n);
      solved[n] = solution.number(encoding.word[n], width);
      if (encoding.pace.spend(width)) yield* encoding.pace.pause();
    }
  }

  private connectiveNumber(n: number): number {
    const { graph, numbers } = this;
    const arity = graph.arity(n);
    const a = numbers[graph.arg(n, 0)];
    const b = arity > 1 ? numbers[graph.arg(n, 1)] : 0;
    switch (graph.op(n)) {
      case Op.NOT:
        return 1 - a;
      case Op.AND:
        for (let i = 0; i < arity; i++) if (numbers[graph.arg(n, i)] === 0) return 0;
        return 1;
      case Op.OR:
        for (let i = 0; i < arity; i++) if (numbers[graph.arg(n, i)] === 1) return 1;
        return 0;
      case Op.XOR:
        return a ^ b;
      case Op.IMPLIES:
        return a <= b ? 1 : 0;
      case Op.EQ:
      case Op.BVCOMP:
        return a === b ? 1 : 0;
      case Op.ITE:
        return a === 1 ? b : numbers[graph.arg(n, 2)];
      case Op.BVNOT:
        return 1 - a;
      case Op.BVNEG:
        return a;
      case Op.BVAND:
        return a & b;
      case Op.BVNAND:
        return 1 - (a & b);
      case Op.BVOR:
        return a | b;
      case Op.BVNOR:
        return 1 - (a | b);
      case Op.BVXOR:
        return a ^ b;
      case Op.BVXNOR:
        return 1 - (a ^ b);
      default: {
        const seen = new Set<number>();
        for (let i = 0; i < arity; i++) seen.add(numbers[graph.arg(n, i)]);
        return seen.size === arity ? 1 : 0;
      }
    }
  }

  /** The value of an application; true if it is not what the solution has, and the instance is said that makes it so. */
  private workOut(n: number, isOperator: boolean): boolean {
    const { numbers, congruence, solved } = this;
    const other = congruence.find(n);
    if (other !== n) {
      numbers[n] = numbers[other];
      if (numbers[n] === solved[n]) return false;
      congruence.addInstance(other, n);
      return true;
    }
    const value = isOperator ? this.evaluated(n) : undefined;
    numbers[n] = value === undefined ? solved[n] : this.numberOf(n, value);
    if (numbers[n] === solved[n]) return false;
    this.addEvaluation(n);
    return true;
  }

  private allClaimsHold(): boolean {
    const { claims } = this.graph;
    for (let i = 0; i < claims.size; i++)
      if (this.numbers[claims.data[i] >> 1] === (claims.data[i] & 1)) return false;
    return true;
  }

  private areTwinsAlike(): boolean {
    return this.twins.every(([a, b]) => this.numbers[a] === this.numbers[b]);
  }

  /** Where the arguments are the constants they are in this round, the operator has the value that it has in it. */
  private addEvaluation(n: number): void {
    const { graph, encoding, clause, numbers } = this;
    const { words, gates } = encoding;
    clause.clear();
    for (let i = 0; i < graph.arity(n); i++) {
      const a = graph.arg(n, i);
      const premise = words.equal(encoding.word[a], this.elementsOf(a).words[numbers[a]], encoding.width(a));
      if (premise !== TRUE) clause.push(premise ^ 1);
    }
    const elements = this.elements.get(graph.sort(n));
    if (elements === undefined) clause.push(encoding.literal(n) ^ (numbers[n] === 1 ? 0 : 1));
    else clause.push(words.equal(encoding.word[n], elements.words[numbers[n]], elements.width));
    gates.assertOneOf(clause);
  }

  // ---- elements ----

  private elementsOf(n: number): Elements {
    return this.elements.get(this.graph.sort(n)) as Elements;
  }

  private isEvaluable(n: number): boolean {
    const { graph } = this;
    const { terms } = graph;
    if (graph.op(n) === Op.APPLY) return false;
    if (terms.width(graph.term(n)) === 0 && graph.sort(n) !== terms.sorts.bool) return false;
    for (let i = 0; i < graph.arity(n); i++) if (terms.width(graph.term(graph.arg(n, i))) === 0) return false;
    return true;
  }

  /** Its value, if the arguments are constants in this round. */
  private evaluated(n: number): Value | undefined {
    const { graph, numbers } = this;
    const values: Value[] = [];
    for (let i = 0; i < graph.arity(n); i++) {
      const a = graph.arg(n, i);
      const value = this.elementsOf(a).constants[numbers[a]];
      if (value === undefined) return undefined;
      values.push(value);
    }
    return applyByDefinition(graph.terms, graph.term(n), values);
  }

  private numberOf(n: number, value: Value): number {
    if (typeof value === 'boolean') return value ? 1 : 0;
    const elements = this.elementsOf(n);
    const { constants, numbers, words, width } = elements;
    let number = numbers.get(valueKey(value));
    if (number === undefined) {
      number = constants.push(value) - 1;
      this.named++;
      numbers.set(valueKey(value), number);
      words.push(this.encoding.words.constant(number, width));
      if (constants.length > elements.room) this.isFull = true;
    }
    return number;
  }
}

/** How many elements a sort must have. Connectives and `ite` make no new ones. */
function countElements(graph: Graph, spare: number): Map<SortId, Elements> {
  const counts = new Map<SortId, { free: number; constants: number }>();
  for (let n = 0; n < graph.count; n++) {
    const sort = graph.sort(n);
    if (graph.isNeeded[n] === 0 || sort === graph.terms.sorts.bool) continue;
    const count = counts.get(sort) ?? { free: 0, constants: 0 };
    const op = graph.op(n);
    if (op === Op.BV_CONST) count.constants++;
    else if (op !== Op.ITE) count.free++;
    counts.set(sort, count);
  }
  const elements = new Map<SortId, Elements>();
  for (const [sort, { free, constants }] of counts) {
    if (graph.terms.sorts.width(sort) === 1) {
      elements.set(sort, singleBits());
      continue;
    }
    const width = 32 - Math.clz32(free + constants + spare);
    elements.set(sort, {
      width,
      room: 2 ** width - free,
      free: 0,
      constants: [],
      words: [],
      numbers: new Map(),
    });
  }
  return elements;
}

/** Both have names, and their numbers are their values. */
function singleBits(): Elements {
  return {
    width: 1,
    room: 2,
    free: 0,
    constants: [0, 1],
    words: [],
    numbers: new Map([0, 1].map(v => [valueKey(v), v])),
  };
}
