/**
 * A trace as JSON, for other programs:
 *
 *   {
 *     "format": "euforia-trace",
 *     "version": 1,
 *     "property": { "index": 0, "name": "p" },           as the input counts it; name is null if it has none
 *     "steps": [                                         step 0 is initial, the last one violates the property
 *       { "state": { "x": "#x00" }, "input": { "go": "true" } }
 *     ]
 *   }
 *
 * Every step has a value for every state variable and every input, by its name in the input file without SMT-LIB's
 * bars. Values are SMT-LIB terms: `true`, `#b101`, `#x0f`, `(store ((as const (Array …)) #x0) #x1 #x2)`, and
 * `(as @S!3 S)` for an element of an uninterpreted sort. A step with a field `skipped` begins the last round of a loop: so many
 * rounds, a decimal number, are left out before it, like the three that are listed. The version grows when the meaning of a field changes.
 */
import type { Property, System } from '../../core/problem/system.ts';
import type { Trace, TraceStep } from '../../core/problem/trace.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { valueText } from '../../term/value-text.ts';

/** A field of a step, where it has one. */
export function skippedJson(rounds: bigint | undefined): { readonly skipped?: string } {
  return rounds === undefined || rounds === 0n ? {} : { skipped: String(rounds) };
}

export function traceJson(system: System, property: Property, trace: Trace): string {
  const { terms, states, inputs } = system;
  const values = (step: TraceStep, variables: readonly TermId[]) =>
    Object.fromEntries(
      variables.map(v => [terms.nameOf(v), valueText(terms.sorts, terms.sort(v), step.get(v) as Value)]),
    );
  const current = states.map(s => s.current);
  const document = {
    format: 'euforia-trace',
    version: 1,
    property: { index: property.index, name: property.name ?? null },
    steps: trace.steps.map((step, i) => ({
      ...skippedJson(trace.skipped?.get(i)),
      state: values(step, current),
      input: values(step, inputs),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
