/**
 * A trace as a witness in the format of the hardware model checking competition, which `btorsim` replays:
 *
 *   sat
 *   b0                 the bad state property that is reached, as the file counts them
 *   #0                 the states of step 0, by their number among all states, from 0
 *   0 0011 x#0
 *   1 [01] 1111 mem#0  an element of an array; all that are not listed are zero
 *   @0                 the inputs of step 0, by their number among all inputs
 *   0 1 go@0
 *   @1
 *   0 0 go@1
 *   .
 *
 * What the file itself says is left out, since `btorsim` computes it (and takes a value given in a later step for an
 * initial one): states with an initial value in step 0, states with a next value after that.
 */
import { conjuncts } from '../../core/problem/conjuncts.ts';
import type { Property, System } from '../../core/problem/system.ts';
import type { Trace, TraceStep } from '../../core/problem/trace.ts';
import { Op } from '../../term/operators.ts';
import type { SortId, SortStore } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { ArrayValue, allValues, type Value } from '../../term/value.ts';
import { binary } from './nodes.ts';

/** Arrays with a default other than zero are listed in full if they have no more elements than this. */
const MAX_LISTED = 1 << 16;

/** The witness of a run of a system that was read from BTOR2. */
export function btor2Witness(system: System, property: Property, { steps }: Trace): string {
  const { terms, states, inputs, init, trans } = system;
  const hasInit = new Set(
    conjuncts(terms, init)
      .filter(c => terms.op(c) === Op.EQ)
      .map(c => terms.arg(c, 0)),
  );
  const hasNext = new Set(terms.postorder([trans]));
  const current = states.map(s => s.current);
  const isGiven = (i: number) => states.map(s => !(i === 0 ? hasInit.has(s.current) : hasNext.has(s.next)));
  const lines = ['sat', `b${property.index}`];
  steps.forEach((step, i) => {
    const given = isGiven(i);
    const ofStates = assignments(system, step, current, `#${i}`).filter((_, k) => given[k]);
    if (i === 0 || ofStates.length > 0) lines.push(`#${i}`, ...ofStates.flat());
    lines.push(`@${i}`, ...assignments(system, step, inputs, `@${i}`).flat());
  });
  lines.push('.');
  return `${lines.join('\n')}\n`;
}

/** For each variable the lines that say what it is. */
function assignments(
  { terms }: System,
  step: TraceStep,
  variables: readonly TermId[],
  suffix: string,
): string[][] {
  return variables.map((variable, i) => {
    const symbol = `${terms.nameOf(variable).replace(/\s/g, '_')}${suffix}`;
    const texts = valueTexts(terms.sorts, terms.sort(variable), step.get(variable) as Value);
    return texts.map(text => `${i} ${text} ${symbol}`);
  });
}

function valueTexts(sorts: SortStore, sort: SortId, value: Value): string[] {
  if (!(value instanceof ArrayValue)) return [bitsOf(sorts, sort, value)];
  const [indexSort, elementSort] = [sorts.indexSort(sort), sorts.elementSort(sort)];
  const isListed = isZero(value.defaultElement) || sorts.size(indexSort) > MAX_LISTED;
  const indices = isListed ? value.sortedEntries().map(([i]) => i) : [...allValues(sorts, indexSort)];
  return indices
    .filter(i => !isZero(value.select(i)))
    .map(i => `[${bitsOf(sorts, indexSort, i)}] ${bitsOf(sorts, elementSort, value.select(i))}`);
}

function isZero(value: Value): boolean {
  return !(value instanceof ArrayValue) && Number(value) === 0;
}

function bitsOf(sorts: SortStore, sort: SortId, value: Value): string {
  if (value instanceof ArrayValue) throw new TypeError('a witness has no arrays of arrays');
  return typeof value === 'boolean' ? String(Number(value)) : binary(value, sorts.width(sort));
}
