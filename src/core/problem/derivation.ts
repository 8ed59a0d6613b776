/**
 * Evidence that a property is violated: uses of edges, each with the values of its variables, that together derive the
 * query. A use names its premises, the earlier steps that derive what its sources are, one for each source; so a derivation
 * is a directed graph without cycles, and a run where every edge has at most one source. The last step derives the query.
 *
 * A loop may take more rounds than anybody could list. Then some rounds are left out of the middle of it, see `repetition.ts`.
 */
import { applyOperator, Evaluator, type Interpretation } from '../../term/evaluator.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { ArrayValue, domain, type Value } from '../../term/value.ts';
import { type Edge, headOf, inputsOf, placesOf } from './problem.ts';

export interface Step {
  readonly edge: Edge;
  /** Of the places of its sources, and of its inputs; what is missing has the default value of its sort. */
  readonly values: ReadonlyMap<TermId, Value>;
  /** The numbers of the steps that derive its sources. */
  readonly premises: readonly number[];
  /**
   * It begins a round of a loop some of whose rounds are left out, so many of them between its premise and itself: none
   * in the rounds that come first.
   */
  readonly skipped?: bigint;
}

/** The value of a declared function with parameters. */
export type FunctionValue = (f: FunctionId, args: readonly Value[]) => Value;

export interface Derivation {
  readonly steps: readonly Step[];
  readonly functionValue: FunctionValue;
}

/** For problems without functions. */
export const NO_FUNCTIONS: FunctionValue = () => {
  throw new Error('there are no functions here');
};

/** With a value for every variable of every step. */
export function completed(terms: TermStore, derivation: Derivation): Derivation {
  return mapped(derivation, ({ edge, values }) => {
    const variables = [...placesOf(edge), ...inputsOf(terms, edge)];
    const missing = variables.filter(v => !values.has(v));
    if (missing.length === 0) return { edge, values };
    const all = new Map(values);
    for (const v of missing) all.set(v, defaultValue(terms.sorts, terms.sort(v)));
    return { edge, values: all };
  });
}

/** The same derivation with other steps in the place of its own, one for one. */
export function mapped(
  derivation: Derivation,
  change: (step: Step) => Pick<Step, 'edge' | 'values'>,
): Derivation {
  return { ...derivation, steps: derivation.steps.map(s => ({ ...s, ...change(s) })) };
}

/**
 * Evaluates terms under the values of variables; a variable without one has the default value of its sort. Values may
 * be added as long as no term that needs them has been evaluated.
 */
export function evaluatorOf(
  terms: TermStore,
  values: ReadonlyMap<TermId, Value>,
  functionValue: FunctionValue = NO_FUNCTIONS,
  apply = applyOperator,
): Evaluator {
  const interpretation: Interpretation = (f, args) => {
    if (args.length > 0) return functionValue(f, args);
    return values.get(terms.apply(f, [])) ?? defaultValue(terms.sorts, terms.symbol(f).result);
  };
  return new Evaluator(terms, interpretation, apply);
}

/** False, zero, the first element of a declared sort, or an array of these. */
export function defaultValue(sorts: SortStore, sort: SortId): Value {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      return false;
    case SortKind.BITVEC:
      return sorts.width(sort) > 32 ? 0n : 0;
    case SortKind.UNINTERPRETED:
      return 0;
    case SortKind.ARRAY:
      return ArrayValue.constant(
        defaultValue(sorts, sorts.elementSort(sort)),
        domain(sorts, sorts.indexSort(sort)),
      );
  }
}

/** The values that a step gives to the places of its head, by place. */
export function headValues(
  terms: TermStore,
  edge: Edge,
  values: ReadonlyMap<TermId, Value>,
  functionValue: FunctionValue,
): Map<TermId, Value> {
  const evaluator = evaluatorOf(terms, values, functionValue);
  const places = headOf(edge)?.places ?? [];
  return new Map(places.map((place, i) => [place, evaluator.value(edge.values[i])]));
}
