/**
 * Answers about programs in the words of their text: a run as the lines it goes through, with what is assigned to the variables
 * that the programmer knows and the choices that nothing in the program makes; a model as what holds where loops begin.
 */

import type { Derivation } from '../../core/problem/derivation.ts';
import type { Edge } from '../../core/problem/problem.ts';
import { boundIn, type Proof, partsOf, quantifierOf } from '../../core/problem/proof.ts';
import { skippedText } from '../../core/problem/repetition.ts';
import type { SortId, SortStore } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { valueText } from '../../term/value-text.ts';
import type { Choice, FunctionResult, ProgramWords, PropertyName, SpokenLoop } from '../question.ts';
import { quantifiedText } from '../smtlib/quantified.ts';
import { floatText } from './float-format.ts';
import type { Flow } from './flow.ts';
import type { Passage, ProgramGraph } from './graph.ts';
import { choicesMade } from './harness.ts';
import { ERROR_FUNCTIONS } from './library.ts';
import { loopInvariants } from './loop-invariants.ts';
import type { DebugType, Module, Place } from './module.ts';
import { inOrder } from './telling.ts';

/** A line of a run. */
interface Told {
  readonly place: Place | undefined;
  readonly function: string;
  readonly text: string;
}

export function runText(graph: ProgramGraph, flow: Flow, derivation: Derivation): string {
  return `${linesOf(graph, derivation)}${errorText(graph, derivation)}\n${assumptions(flow)}`;
}

/** What a run ends with. */
export function errorText(graph: ProgramGraph, derivation: Derivation): string {
  const { error, place } = passageOf(graph, derivation, derivation.steps.length - 1);
  const where = error?.place ?? place;
  const at = where === undefined ? '' : `${where.file}:${where.line}: `;
  const what = error?.text ?? 'error';
  return `${at}${what}${verbOf(what)}`;
}

/** An assertion fails, a function is reached, and what is undefined needs no verb. */
function verbOf(error: string): string {
  if (error.startsWith('assert(')) return ' fails';
  return /^\w+$/.test(error) ? ' is reached' : '';
}

/** The same without an error in the end. */
export function pathText(graph: ProgramGraph, flow: Flow, derivation: Derivation): string {
  return `${linesOf(graph, derivation)}${assumptions(flow)}`;
}

function linesOf(graph: ProgramGraph, derivation: Derivation): string {
  return told(graph, derivation)
    .map(({ place, function: name, text }) => {
      const at = place === undefined ? name : `${place.file}:${place.line}`;
      return `  ${at.padEnd(24)}  ${text}\n`;
    })
    .join('');
}

/** What nothing in the program determines, in the order of the path. */
export function choicesOf({ passages }: ProgramGraph, edge: Edge): Choice[] {
  const events = passages.get(edge)?.events ?? [];
  return events
    .filter(e => e.kind === 'choice')
    .map(({ value, name, place }) => {
      const at = place === undefined ? '' : ` (${place.file}:${place.line})`;
      return { variable: value, text: `${sourceText(name)}${at}` };
    });
}

export function runJson(graph: ProgramGraph, property: PropertyName, derivation: Derivation): string {
  const { error } = passageOf(graph, derivation, derivation.steps.length - 1);
  const document = {
    format: 'euforia-program-run',
    version: 1,
    property: { index: property.index, name: property.name ?? null },
    error: { text: error?.text ?? null, ...placeJson(error?.place) },
    steps: told(graph, derivation).map(({ place, function: name, text }) => ({
      ...placeJson(place),
      function: name,
      text,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * What holds whenever a round of a loop begins: in C as far as it can be said, what holds of all elements in ACSL, then in SMT-LIB. Of functions that are kept, what holds
 * when they are called, and what their results have to do with what they are called with.
 */
export function modelText(graph: ProgramGraph, flow: Flow, proof: Proof): string {
  const { terms } = graph.problem;
  const quantifier = quantifierOf(proof);
  const spoken = loopInvariants(graph, flow, proof).filter(
    l => l.expressions.length + l.ofElements.length + l.terms.length > 0,
  );
  const parts = spoken.map(
    ({ place, isEntry, function: name, expressions, ofElements, terms: rest, bound }) => {
      const at = place === undefined || isEntry ? '' : `${place.file}:${place.line}, `;
      const inC = expressions.length === 0 ? [] : [expressions.map(e => `${e}`).join('\n  && ')];
      return [
        `; ${isEntry ? 'calls' : `${at}a loop`} of ${name}`,
        ...inC,
        ...ofElements,
        ...rest.map(t => quantifiedText(terms, quantifier, bound, t)),
        '',
      ].join('\n');
    },
  );
  const summaries = [...graph.summaries].flatMap(([location, { procedure }]) => {
    const formula = proof.model.get(location) as TermId;
    if (formula === terms.true) return [];
    const bound = boundIn(terms, proof, location);
    const says = partsOf(terms, proof, location).map(t => quantifiedText(terms, quantifier, bound, t));
    return [[`; summary of ${procedure.name}`, ...says, ''].join('\n')];
  });
  const nothing = '; no loop needs an invariant\n';
  const all = [...new Set(parts), ...summaries];
  return `${all.length === 0 ? nothing : all.join('')}${assumptions(flow)}`;
}

/** What was assumed of functions that have no body. */
function assumptions({ externals }: Flow): string {
  return [...externals].map(([name, text]) => `; assumed: ${name} ${text}\n`).join('');
}

function passageOf({ passages }: ProgramGraph, { steps }: Derivation, i: number): Passage {
  return passages.get(steps[i].edge) as Passage;
}

function told(graph: ProgramGraph, derivation: Derivation): Told[] {
  const { terms } = graph.problem;
  const lines: Told[] = [];
  for (const { step, event, evaluator } of inOrder(graph, derivation)) {
    if (lines.length === MOST_LINES) {
      lines.push({ place: undefined, function: '', text: 'and so on' });
      break;
    }
    const { skipped = 0n } = derivation.steps[step];
    if (event === undefined) {
      if (skipped > 0n) lines.push({ place: undefined, function: '', text: skippedText(skipped) });
      continue;
    }
    const { place, function: name, kind, name: what, type, value } = event;
    if (kind === 'unset' || kind === 'call') continue;
    if (terms.postorder([value]).some(t => graph.forgotten.has(t))) continue;
    const shown = cValue(terms.sorts, terms.sort(value), type, evaluator.value(value));
    const text = kind === 'choice' ? choiceText(what, shown) : `${what} = ${shown}`;
    lines.push({ place, function: name, text });
  }
  return lines;
}

/** A derivation in which much is called in common would be longer than anybody could read. */
const MOST_LINES = 100_000;

/** What makes a choice: a function, or something that has no name in C. */
function sourceText(name: string): string {
  return isIdentifier(name) ? `${name}()` : name;
}

function choiceText(name: string, value: string): string {
  return isIdentifier(name) ? `${name}() gives ${value}` : `${name}: ${value}`;
}

function isIdentifier(name: string): boolean {
  return /^[\w.$]+$/.test(name);
}

function placeJson(place: Place | undefined): { readonly file: string | null; readonly line: number | null } {
  return { file: place?.file ?? null, line: place?.line ?? null };
}

/** A value as C shows it. */
function cValue(sorts: SortStore, sort: SortId, type: DebugType | undefined, value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'number' && typeof value !== 'bigint') return valueText(sorts, sort, value);
  const width = sorts.width(sort);
  const number = BigInt(value);
  const signed = BigInt.asIntN(width, number);
  switch (type?.kind) {
    case 'basic':
      if (type.encoding === 'signed' || type.encoding === 'char') return String(signed);
      if (type.encoding === 'float' && (width === 32 || width === 64)) return floatText(number, width);
      return String(number);
    case 'enum':
      return type.values.find(([, n]) => n === signed || n === number)?.[0] ?? String(signed);
    case 'pointer':
      return number === 0n ? 'NULL' : `0x${number.toString(16)}`;
    default:
      return signed < 0n ? `${number} (${signed})` : String(number);
  }
}

// ---- witnesses ----

/** What a run is made of, for a witness. */
export function violationOf(
  graph: ProgramGraph,
  { functions }: Module,
  derivation: Derivation,
): ReturnType<ProgramWords['violation']> {
  const { terms } = graph.problem;
  const choices = choicesMade(graph, derivation)
    .filter(({ event }) => functions.has(event.name))
    .map(({ event: { name, place, type, function: inside, value: term }, value }): FunctionResult => {
      const isNumber = typeof value !== 'object' && (type === undefined || type.kind === 'basic');
      const isFloat = type?.kind === 'basic' && type.encoding === 'float';
      const text = isNumber && !isFloat ? cValue(terms.sorts, terms.sort(term), type, value) : undefined;
      return { name, place, function: inside, value: text?.replace(/ .*/, '') };
    });
  const { error, inside } = passageOf(graph, derivation, derivation.steps.length - 1);
  const name = error?.text.startsWith('assert(') ? '__assert_fail' : (error?.text ?? 'reach_error');
  return { choices, error: { name, place: error?.place, function: inside } };
}

/** What holds where loop statements begin. */
export function loopsOf(graph: ProgramGraph, flow: Flow, proof: Proof): SpokenLoop[] {
  return loopInvariants(graph, flow, proof).map(({ loop, function: inside, expressions }) => ({
    place: loop?.place,
    function: inside,
    expressions,
  }));
}

/** The function whose calls are errors: the first of those that the program knows. */
export function errorNameOf({ functions }: Module): string {
  return ['reach_error', ...ERROR_FUNCTIONS].find(n => functions.has(n)) ?? 'reach_error';
}
