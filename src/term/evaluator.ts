/**
 * The reference meaning of terms, independent of every solver: models, traces, lemmas and rewrite rules
 * are all held against it. It follows the operator table and nothing else.
 */
import { type BitVectorMeaning, SMALL_WIDTH } from './bitvector.ts';
import { OPERATORS, Op } from './operators.ts';
import { type SortId, SortKind } from './sort.ts';
import type { FunctionId, TermId, TermStore } from './store.ts';
import { ArrayValue, type Value } from './value.ts';

/** What a model says: the value of each declared function for given arguments (none for a variable). */
export type Interpretation = (f: FunctionId, args: readonly Value[]) => Value;

/** Evaluates terms under one interpretation, remembering the value of every subterm. */
export class Evaluator {
  private readonly terms: TermStore;
  private readonly interpretation: Interpretation;
  private readonly apply: typeof applyOperator;
  private readonly values = new Map<TermId, Value>();

  /** `apply`: the meaning of operators, as fast as it gets or by definition. */
  constructor(terms: TermStore, interpretation: Interpretation, apply = applyOperator) {
    this.terms = terms;
    this.interpretation = interpretation;
    this.apply = apply;
  }

  value(term: TermId): Value {
    for (const t of this.terms.postorder([term], this.values)) this.values.set(t, this.step(t));
    return this.values.get(term) as Value;
  }

  /** The value of one node whose arguments have values. */
  private step(t: TermId): Value {
    const { terms } = this;
    const op = terms.op(t);
    if (op === Op.BV_CONST) return terms.bvValue(t);
    const args: Value[] = [];
    for (let i = 0; i < terms.arity(t); i++) args.push(this.values.get(terms.arg(t, i)) as Value);
    return op === Op.APPLY ? this.interpretation(terms.functionOf(t), args) : this.apply(terms, t, args);
  }
}

/** The value of `t`'s operator, with its indices and sorts, on other arguments of the same sorts. */
export function applyOperator(terms: TermStore, t: TermId, args: readonly Value[]): Value {
  const operator = OPERATORS[terms.op(t)];
  const { meaning } = operator;
  if (typeof meaning === 'function') return meaning(args, terms.sorts, terms.sort(t));
  return applyBitVector(meaning, args, terms.width(terms.arg(t, 0)), terms.width(t), terms.payload(t));
}

/**
 * The same by the words of the standard, at any width, without what is there for speed. Solvers evaluate narrow words in
 * the other way, so that whoever checks them in this one does not share their mistakes.
 */
export function applyByDefinition(terms: TermStore, t: TermId, args: readonly Value[]): Value {
  const { meaning } = OPERATORS[terms.op(t)];
  if (typeof meaning === 'function') return meaning(args, terms.sorts, terms.sort(t));
  return applyBig(meaning, args, terms.width(terms.arg(t, 0)), terms.width(t), terms.payload(t));
}

/** Chooses the number or the BigInt reading and brings the result into canonical form. */
function applyBitVector(
  meaning: BitVectorMeaning,
  args: readonly Value[],
  width: number,
  resultWidth: number,
  index: number,
): Value {
  const a = args[0] as number | bigint;
  const b = args.length > 1 ? (args[1] as number | bigint) : 0;
  if (typeof a === 'number' && typeof b === 'number' && resultWidth <= SMALL_WIDTH) {
    return meaning.small(a, b, width, resultWidth, index);
  }
  return applyBig(meaning, args, width, resultWidth, index);
}

function applyBig(
  meaning: BitVectorMeaning,
  args: readonly Value[],
  width: number,
  resultWidth: number,
  index: number,
): Value {
  const [a, b = 0] = args as readonly (number | bigint)[];
  const result = meaning.big(BigInt(a), BigInt(b), width, resultWidth, index);
  if (typeof result === 'boolean') return result;
  return resultWidth <= SMALL_WIDTH ? Number(result) : result;
}

/**
 * The term that denotes a value of the given sort. Elements of uninterpreted sorts have no such term.
 */
export function termOfValue(terms: TermStore, sort: SortId, value: Value): TermId {
  const { sorts } = terms;
  if (value instanceof ArrayValue) {
    const element = sorts.elementSort(sort);
    let term = terms.constArray(sort, termOfValue(terms, element, value.defaultElement));
    for (const [index, item] of value.sortedEntries()) {
      const args = [
        termOfValue(terms, sorts.indexSort(sort), index),
        termOfValue(terms, element, item),
      ] as const;
      term = terms.app(Op.STORE, [term, ...args]);
    }
    return term;
  }
  if (typeof value === 'boolean') return terms.bool(value);
  if (sorts.kind(sort) !== SortKind.BITVEC)
    throw new TypeError(`no term denotes a value of ${sorts.name(sort)}`);
  return terms.bv(sorts.width(sort), value);
}
