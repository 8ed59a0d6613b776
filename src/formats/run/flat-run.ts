/**
 * A derivation as a run, for viewers that know nothing of relations: in each step one relation is current, and its
 * arguments have values; those of the others are their default values.
 */
import { type Derivation, defaultValue, headValues } from '../../core/problem/derivation.ts';
import { headOf, type Problem } from '../../core/problem/problem.ts';
import { skippedBefore } from '../../core/problem/repetition.ts';
import type { System } from '../../core/problem/system.ts';
import type { Trace } from '../../core/problem/trace.ts';

export function flatRun(
  { terms, locations, next }: Problem,
  { steps, functionValue }: Derivation,
): { readonly system: System; readonly trace: Trace } {
  const isAt = new Map(locations.map(l => [l, terms.variable(l.name, terms.sorts.bool)]));
  const variables = [...isAt.values(), ...locations.flatMap(l => l.places)];
  const facts = steps.flatMap(({ edge, values }) => {
    const head = headOf(edge);
    if (head === undefined) return [];
    const fact = new Map(variables.map(v => [v, defaultValue(terms.sorts, terms.sort(v))]));
    for (const [place, value] of headValues(terms, edge, values, functionValue)) fact.set(place, value);
    const literal = isAt.get(head);
    if (literal !== undefined) fact.set(literal, true);
    return [fact];
  });
  return {
    system: {
      terms,
      states: variables.map(v => ({ current: v, next: next.of(v) })),
      inputs: [],
      init: terms.true,
      trans: terms.true,
      constraints: [],
      properties: [],
    },
    trace: { steps: facts, functionValue, skipped: skippedBefore(steps) },
  };
}
