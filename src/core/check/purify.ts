/**
 * Forgets what operators mean: every bit-vector or array operator of a problem becomes a declared function, and every
 * element of a bit-vector, array or uninterpreted sort a number of a few bits. What stays are the connectives, `=`,
 * `distinct` and `ite`, and of constants that they are pairwise different: each has a number of its own.
 *
 * Few bits suffice, for equality only tells elements apart: if the problem has a model, it has one with no more
 * elements of a sort than there are terms of that sort (Pnueli, Rodeh, Strichman and Siegel, "The Small Model
 * Property: How Small Can It Be?", Information and Computation 178, 2002). Constants that evaluation brings in later
 * must fit as well, so there is room to spare; when it is used up, `isFull`, and the problem must be made anew with
 * more of it.
 *
 * What operators do to constants is not forgotten, but said on demand: `instances` returns what a model gets wrong.
 */
import { applyOperator } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { SortId } from '../../term/sort.ts';
import { type FunctionId, type TermId, TermStore } from '../../term/store.ts';
import { type Value, type ValueKey, valueKey } from '../../term/value.ts';

/** What the elements of a sort are in the pure problem. */
interface Elements {
  readonly sort: SortId; // vectors of a few bits
  readonly room: number; // so many constants may have numbers
  readonly constants: Value[]; // by their number
  readonly numbers: Map<ValueKey, number>;
}

/** An operator, applied to vectors, with a vector or a Boolean as its value. */
interface Application {
  readonly original: TermId;
  readonly pure: TermId;
}

/** The value of a term of the pure problem. */
export type PureReading = (pure: TermId) => Value;

export class PureProblem {
  /** Has the terms of the pure problem. */
  readonly terms = new TermStore();
  readonly formulas: readonly TermId[];
  isFull = false;
  private readonly source: TermStore;
  private readonly elements = new Map<SortId, Elements>();
  private readonly functions = new Map<string, FunctionId>();
  private readonly images = new Map<TermId, TermId>();
  private readonly applications: Application[] = [];

  /** `spare`: how many constants of each sort evaluation may bring in. */
  constructor(source: TermStore, formulas: readonly TermId[], spare: number) {
    this.source = source;
    this.countElements(formulas, spare);
    for (const t of source.postorder(formulas)) this.images.set(t, this.image(t));
    this.formulas = formulas.map(f => this.images.get(f) as TermId);
  }

  /** What operators do to constants, as far as the reading has it wrong. */
  instances(reading: PureReading): TermId[] {
    const found: TermId[] = [];
    for (const application of this.applications) {
      const values = this.constantArguments(application.original, reading);
      if (values === undefined) continue;
      const instance = this.instance(application, values, reading);
      if (instance !== undefined) found.push(instance);
    }
    return found;
  }

  private countElements(formulas: readonly TermId[], spare: number): void {
    const { source, terms } = this;
    const counts = new Map<SortId, { terms: number; constants: number }>();
    for (const t of source.postorder(formulas)) {
      const sort = source.sort(t);
      if (sort === source.sorts.bool) continue;
      const count = counts.get(sort) ?? { terms: 0, constants: 0 };
      if (source.isConstant(t)) count.constants++;
      else count.terms++;
      counts.set(sort, count);
    }
    for (const [sort, count] of counts) {
      const width = 32 - Math.clz32(count.terms + count.constants + spare);
      this.elements.set(sort, {
        sort: terms.sorts.bitVec(width),
        room: 2 ** width - count.terms,
        constants: [],
        numbers: new Map(),
      });
    }
  }

  private elementsOf(sort: SortId): Elements {
    return this.elements.get(sort) as Elements;
  }

  private image(t: TermId): TermId {
    const { source, terms } = this;
    const op = source.op(t);
    if (op === Op.BV_CONST) return this.constant(source.sort(t), source.bvValue(t));
    if (op === Op.TRUE || op === Op.FALSE) return terms.bool(op === Op.TRUE);
    const args = source.args(t).map(a => this.images.get(a) as TermId);
    if (op >= Op.NOT && op <= Op.ITE) return terms.app(op, args);
    const pure = terms.apply(this.functionFor(t), args);
    if (this.isEvaluable(t)) this.applications.push({ original: t, pure });
    return pure;
  }

  /** The number of a constant, as a term of the pure problem. */
  private constant(sort: SortId, value: Value): TermId {
    const { terms } = this;
    const elements = this.elementsOf(sort);
    let number = elements.numbers.get(valueKey(value));
    if (number === undefined) {
      number = elements.constants.push(value) - 1;
      elements.numbers.set(valueKey(value), number);
      if (elements.constants.length > elements.room) this.isFull = true;
    }
    return terms.bv(terms.sorts.width(elements.sort), number);
  }

  /** One function for each operator with its indices and sorts, and one for each declared function. */
  private functionFor(t: TermId): FunctionId {
    const { source, terms } = this;
    const sorts = [...source.args(t), t].map(a => source.sort(a));
    const key = [source.op(t), source.payload(t), ...sorts].join(' ');
    let f = this.functions.get(key);
    if (f === undefined) {
      const images = sorts.map(s => (s === source.sorts.bool ? terms.sorts.bool : this.elementsOf(s).sort));
      f = terms.declare(key, images.slice(0, -1), images[images.length - 1]);
      this.functions.set(key, f);
    }
    return f;
  }

  private isEvaluable(t: TermId): boolean {
    const { source } = this;
    if (source.op(t) === Op.APPLY) return false;
    const { sorts } = source;
    return (
      (source.width(t) > 0 || source.sort(t) === sorts.bool) && source.args(t).every(a => source.width(a) > 0)
    );
  }

  /** The values of an operator's arguments, if they are all constants. */
  private constantArguments(t: TermId, reading: PureReading): Value[] | undefined {
    const { source } = this;
    const values: Value[] = [];
    for (const a of source.args(t)) {
      const number = reading(this.images.get(a) as TermId) as number;
      const value = this.elementsOf(source.sort(a)).constants[number];
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  /** With these arguments, the operator has the evaluator's value: said only if the reading has it otherwise. */
  private instance(
    { original, pure }: Application,
    values: Value[],
    reading: PureReading,
  ): TermId | undefined {
    const { source, terms } = this;
    const value = applyOperator(source, original, values);
    if (typeof value === 'boolean') {
      if (reading(pure) === value) return undefined;
      return this.implied(original, values, value ? pure : terms.not(pure));
    }
    const constant = this.constant(source.sort(original), value);
    if (reading(pure) === terms.bvValue(constant)) return undefined;
    return this.implied(original, values, terms.eq(pure, constant));
  }

  private implied(original: TermId, values: readonly Value[], conclusion: TermId): TermId {
    const { source, terms } = this;
    const premises = source.args(original).map((a, i) => {
      return terms.eq(this.images.get(a) as TermId, this.constant(source.sort(a), values[i]));
    });
    return terms.or([...premises.map(p => terms.not(p)), conclusion]);
  }
}
