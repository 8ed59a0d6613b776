/**
 * A trace for people: what every variable is in step 0, and after that only what changes.
 *
 *   step 0
 *     state  x    0x00 (0)
 *     state  mem  0x00, [0x03]=0x07
 *     input  go   true
 *   step 1 (from here on, values that do not change are left out)
 *     state  x    0x01 (1)
 *     state  mem  ..., [0x04]=0x01
 *   step 1 violates property 0
 *
 * Where a loop takes more rounds than can be listed, a line says how many are left out; steps are counted as they are listed.
 *
 * An array is its default and the elements that differ from it; after `...,` come only the elements that change.
 */
import { skippedText } from '../../core/problem/repetition.ts';
import type { Property, System } from '../../core/problem/system.ts';
import type { Trace } from '../../core/problem/trace.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { ArrayValue, inOrder, sameValue, type Value, valueKey } from '../../term/value.ts';
import { valueText } from '../../term/value-text.ts';

const COLUMNS = 100;
/** A longer name pushes its value to the right, not those of all others. */
const NAME_COLUMNS = 32;
const LONG_NAME_INDENT = 9;
/** Said once, where it is first true. */
const REMARK = '(from here on, values that do not change are left out)';
/** Up to this width, vectors are shown in decimal as well. */
const DECIMAL_WIDTH = 16;

export function traceTable(system: System, property: Property, trace: Trace): string {
  const name = property.name === undefined ? '' : ` (${property.name})`;
  return `${pathTable(system, trace)}step ${trace.steps.length - 1} violates property ${property.index}${name}\n`;
}

/** The same without a violation in the end. */
export function pathTable(system: System, trace: Trace): string {
  const { terms, states, inputs } = system;
  const variables = [
    ...states.map(({ current }) => ({ kind: 'state', term: current })),
    ...inputs.map(term => ({ kind: 'input', term })),
  ].map(v => ({ ...v, name: terms.nameOf(v.term) }));
  const nameColumns = Math.min(NAME_COLUMNS, Math.max(0, ...variables.map(v => v.name.length)));
  const lines: string[] = [];
  trace.steps.forEach((step, i) => {
    const skipped = trace.skipped?.get(i);
    if (skipped !== undefined) lines.push(skippedText(skipped));
    const before = lines.push(i === 1 ? `step ${i} ${REMARK}` : `step ${i}`);
    for (const { kind, term, name } of variables) {
      const text = changeText(system, term, trace.steps[i - 1]?.get(term), step.get(term));
      if (text !== undefined) lines.push(...wrapped(`  ${kind}  ${name.padEnd(nameColumns)}  `, text));
    }
    if (lines.length === before) lines.push('  nothing changes');
  });
  return lines.map(l => `${l}\n`).join('');
}

/** How a value is shown after another one; undefined if there is nothing to show. */
function changeText(
  { terms }: System,
  variable: TermId,
  before: Value | undefined,
  now: Value | undefined,
): string | undefined {
  if (now === undefined) return undefined;
  const sort = terms.sort(variable);
  if (before === undefined) return shown(terms.sorts, sort, now);
  if (sameValue(before, now)) return undefined;
  if (before instanceof ArrayValue && now instanceof ArrayValue) {
    if (sameValue(before.defaultElement, now.defaultElement))
      return ['...', ...changedElements(terms.sorts, sort, before, now)].join(', ');
  }
  return shown(terms.sorts, sort, now);
}

function changedElements(sorts: SortStore, sort: SortId, before: ArrayValue, now: ArrayValue): string[] {
  const changes = now.changesFrom(before);
  if (changes !== undefined) return inOrder(changes).map(([i, e]) => elementText(sorts, sort, i, e));
  // An element that is the default again has no entry: it is found among the old ones.
  const indices = new Map(
    [...before.sortedEntries(), ...now.sortedEntries()].map(([i]) => [valueKey(i), i] as const),
  );
  return [...indices.values()]
    .filter(i => !sameValue(before.select(i), now.select(i)))
    .map(i => elementText(sorts, sort, i, now.select(i)));
}

function elementText(sorts: SortStore, sort: SortId, index: Value, element: Value): string {
  const text = plain(sorts, sorts.elementSort(sort), element);
  return `[${plain(sorts, sorts.indexSort(sort), index)}]=${element instanceof ArrayValue ? `(${text})` : text}`;
}

/** A value by itself: hexadecimal, and decimal where that is easy to read. */
function shown(sorts: SortStore, sort: SortId, value: Value): string {
  const width = sorts.width(sort);
  const text = plain(sorts, sort, value);
  return width > 1 && width <= DECIMAL_WIDTH ? `${text} (${value})` : text;
}

function plain(sorts: SortStore, sort: SortId, value: Value): string {
  if (value instanceof ArrayValue) {
    const element = sorts.elementSort(sort);
    const parts = [plain(sorts, element, value.defaultElement)];
    for (const [i, e] of value.sortedEntries()) parts.push(elementText(sorts, sort, i, e));
    return parts.join(', ');
  }
  if (sorts.kind(sort) !== SortKind.BITVEC) return valueText(sorts, sort, value);
  const width = sorts.width(sort);
  return width === 1 ? String(value) : `0x${value.toString(16).padStart(Math.ceil(width / 4), '0')}`;
}

/**
 * A value after its heading, on as many lines as it takes, broken after commas and only then within words. A long
 * heading gets a line to itself.
 */
function wrapped(heading: string, text: string): string[] {
  const isLong = heading.length > COLUMNS / 2;
  const indent = ' '.repeat(isLong ? LONG_NAME_INDENT : heading.length);
  const lines = isLong ? [heading.trimEnd()] : [];
  let line = isLong ? indent : heading;
  let isEmpty = true;
  for (const word of text.split(/(?<=,) /).flatMap(w => chunks(w, COLUMNS - indent.length))) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

function chunks(word: string, size: number): string[] {
  const parts: string[] = [];
  for (let i = 0; i < word.length; i += size) parts.push(word.slice(i, i + size));
  return parts;
}
