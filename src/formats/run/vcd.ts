/**
 * A trace as a value change dump (IEEE 1364-2005, section 18) for waveform viewers: one unit of time for each step.
 * An array becomes one wire `name<index>` for each index that some step has an element for other than its default, or for each index if
 * the default changes;
 * arrays with arrays or uninterpreted sorts in them are left out with a comment. A dotted name is one of a scope: `cpu.alu.sum` is the wire
 * `sum` in the scope `alu` of the scope `cpu`.
 */
import type { System } from '../../core/problem/system.ts';
import type { Trace, TraceStep } from '../../core/problem/trace.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { ArrayValue, domain, sameValue, type Value } from '../../term/value.ts';
import { NotExpressible, TOO_LONG } from '../not-expressible.ts';

interface Wire {
  readonly name: string;
  readonly sort: SortId;
  readonly value: (step: TraceStep) => Value;
}

/** More wires than this for one array help nobody. */
const MAX_ARRAY_WIRES = 256;
const INTEGER_WIDTH = 32;
const FIRST_CODE = 33; // '!'
const CODES = 94; // up to '~'

/** Throws where rounds are left out: a waveform has every step. */
export function traceVcd(system: System, trace: Trace): string {
  if ((trace.skipped?.size ?? 0) > 0) throw new NotExpressible(TOO_LONG);
  const { terms, states, inputs } = system;
  const comments: string[] = [];
  const wires = [...states.map(s => s.current), ...inputs].flatMap(v => wiresOf(system, trace, v, comments));
  const lines = [
    '$version Euforia $end',
    ...comments.map(c => `$comment ${c} $end`),
    '$timescale 1 ns $end',
    ...scopeLines('trace', scopeOf(wires), i => `${wireType(terms.sorts, wires[i].sort)} ${code(i)}`),
    '$enddefinitions $end',
  ];
  const shown: string[] = wires.map(() => '');
  trace.steps.forEach((step, time) => {
    lines.push(`#${time}`);
    if (time === 0) lines.push('$dumpvars');
    wires.forEach((wire, i) => {
      const text = changeText(terms.sorts, wire.sort, wire.value(step)) + code(i);
      if (text !== shown[i]) lines.push(text);
      shown[i] = text;
    });
    if (time === 0) lines.push('$end');
  });
  lines.push(`#${trace.steps.length}`); // so that the last step has a width
  return `${lines.join('\n')}\n`;
}

interface Scope {
  readonly scopes: Map<string, Scope>;
  readonly wires: { readonly name: string; readonly index: number }[];
}

/** The scopes that dotted names speak of, in the order of the wires. */
function scopeOf(wires: readonly Wire[]): Scope {
  const top: Scope = { scopes: new Map(), wires: [] };
  wires.forEach(({ name }, index) => {
    // Dots that nothing stands before or behind, as in `.x` or `a..b`, are part of a name.
    const parts = name.split(/(?<=[^.])\.(?=[^.])/);
    const own = parts.pop() as string;
    let scope = top;
    for (const part of parts) {
      let inner = scope.scopes.get(part);
      if (inner === undefined) scope.scopes.set(part, (inner = { scopes: new Map(), wires: [] }));
      scope = inner;
    }
    scope.wires.push({ name: own, index });
  });
  return top;
}

function scopeLines(name: string, { scopes, wires }: Scope, typeOf: (index: number) => string): string[] {
  return [
    `$scope module ${name} $end`,
    ...wires.map(w => `$var ${typeOf(w.index)} ${w.name} $end`),
    ...[...scopes].flatMap(([inner, scope]) => scopeLines(inner, scope, typeOf)),
    '$upscope $end',
  ];
}

function wiresOf({ terms }: System, trace: Trace, variable: TermId, comments: string[]): Wire[] {
  const { sorts } = terms;
  const sort = terms.sort(variable);
  const name = terms.nameOf(variable).replace(/\s/g, '_');
  const valueIn = (step: TraceStep) => step.get(variable) as Value;
  if (!sorts.isArray(sort)) return [{ name, sort, value: valueIn }];
  const [indexSort, elementSort] = [sorts.indexSort(sort), sorts.elementSort(sort)];
  if (!hasWires(sorts, indexSort) || !hasWires(sorts, elementSort)) {
    comments.push(`${name} is left out, for it is ${sorts.name(sort)}`);
    return [];
  }
  const arrays = trace.steps.map(step => valueIn(step) as ArrayValue);
  // Where the default changes, so does all that is not mentioned.
  const changes = arrays.some(a => !sameValue(a.defaultElement, arrays[0].defaultElement));
  const all = domain(sorts, indexSort);
  const indices =
    changes && all.size <= MAX_ARRAY_WIRES ? [...all.values()].filter(isScalar) : touchedIndices(arrays);
  if (indices.length > MAX_ARRAY_WIRES)
    comments.push(`of ${name} the first ${MAX_ARRAY_WIRES} of ${indices.length} elements are shown`);
  return indices.slice(0, MAX_ARRAY_WIRES).map(index => ({
    name: `${name}<${index}>`,
    sort: elementSort,
    value: step => (valueIn(step) as ArrayValue).select(index),
  }));
}

function hasWires(sorts: SortStore, sort: SortId): boolean {
  return sorts.kind(sort) === SortKind.BOOL || sorts.kind(sort) === SortKind.BITVEC;
}

function isScalar(value: Value): value is Exclude<Value, ArrayValue> {
  return !(value instanceof ArrayValue);
}

/** The indices at which some of the arrays has no default element, in ascending order. */
function touchedIndices(arrays: readonly ArrayValue[]): Exclude<Value, ArrayValue>[] {
  const indices = new Set<Exclude<Value, ArrayValue>>();
  for (const array of arrays) {
    for (const [index] of array.entries.values()) if (isScalar(index)) indices.add(index);
  }
  return [...indices].sort((a, b) => (a < b ? -1 : 1));
}

function wireType(sorts: SortStore, sort: SortId): string {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      return 'wire 1';
    case SortKind.BITVEC:
      return `wire ${sorts.width(sort)}`;
    default:
      return `integer ${INTEGER_WIDTH}`;
  }
}

/** A value without the code of its wire: one bit stands right before it, a vector is set apart. */
function changeText(sorts: SortStore, sort: SortId, value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const bits = (value as number | bigint).toString(2);
  return sorts.width(sort) === 1 ? bits : `b${bits} `;
}

/** A short name of printable characters. */
function code(i: number): string {
  const rest = Math.floor(i / CODES);
  return (rest > 0 ? code(rest - 1) : '') + String.fromCharCode(FIRST_CODE + (i % CODES));
}
