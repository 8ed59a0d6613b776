/**
 * What a run depends on that nobody can supply from outside of the program: values of variables that were never assigned, contents
 * of new memory, results of inline assembly. First by the terms: going back from the last condition of the run, which inputs of which
 * step may matter. Then by trying: does the run still go the same way if all of these are zero?
 */
import { type Derivation, evaluatorOf, headValues } from '../../core/problem/derivation.ts';
import { type SortId, SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { ArrayValue, domain, type Value } from '../../term/value.ts';

/** An input of a step of a run. */
export interface StepInput {
  readonly step: number;
  readonly variable: TermId;
}

/** The inputs on which some condition of the run may depend, in the order of the steps. */
export function inputsThatMatter(terms: TermStore, { steps }: Derivation): StepInput[] {
  const found: StepInput[][] = [];
  const wanted = steps.map(() => new Set<number>()); // of what each step derives
  for (let i = steps.length - 1; i >= 0; i--) {
    const { edge, premises } = steps[i];
    const values = edge.values.filter((_, j) => wanted[i].has(j));
    const variables = new Set(terms.postorder([edge.guard, ...values]).filter(t => terms.isVariable(t)));
    edge.sources.forEach(({ places }, source) => {
      places.forEach((place, j) => {
        if (variables.delete(place)) wanted[premises[source]].add(j);
      });
    });
    found.unshift([...variables].map(variable => ({ step: i, variable })));
  }
  return found.flat();
}

/** Does a run take the same edges if some of its inputs have all bits 0, or all bits 1? */
export function staysWith(
  terms: TermStore,
  { steps, functionValue }: Derivation,
  inputs: readonly StepInput[],
  bit: 0 | 1,
): boolean {
  const changed = new Map<number, TermId[]>();
  for (const { step, variable } of inputs) {
    const own = changed.get(step);
    if (own === undefined) changed.set(step, [variable]);
    else own.push(variable);
  }
  const derived: (readonly Value[])[] = [];
  return steps.every(({ edge, values, premises }, i) => {
    const now = new Map(values);
    edge.sources.forEach(({ places }, source) => {
      places.forEach((place, j) => {
        now.set(place, derived[premises[source]][j]);
      });
    });
    for (const v of changed.get(i) ?? []) now.set(v, filled(terms, terms.sort(v), bit));
    if (evaluatorOf(terms, now, functionValue).value(edge.guard) !== true) return false;
    derived.push([...headValues(terms, edge, now, functionValue).values()]);
    return true;
  });
}

function filled(terms: TermStore, sort: SortId, bit: 0 | 1): Value {
  const { sorts } = terms;
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      return bit === 1;
    case SortKind.ARRAY:
      return ArrayValue.constant(
        filled(terms, sorts.elementSort(sort), bit),
        domain(sorts, sorts.indexSort(sort)),
      );
    default: {
      const width = sorts.width(sort);
      const value = bit === 0 ? 0n : (1n << BigInt(width)) - 1n;
      return width > 32 ? value : Number(value);
    }
  }
}
