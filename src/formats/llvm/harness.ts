/**
 * A run as a C file that makes its choices. Compiled together with the program, by any compiler, it gives a program that goes the way
 * of the run: functions without a body return, call by call, what they returned in it, variables that are defined nowhere hold
 * what they held, and an error that is reached ends the program with a status of its own. What cannot be supplied in this way
 * is said in the comment at the top.
 *
 * Each function has its choices by itself, since compilers are free to call the two functions of a sum in either order.
 */

import { type Derivation, evaluatorOf } from '../../core/problem/derivation.ts';
import { stepsOfRounds } from '../../core/problem/repetition.ts';
import { plural } from '../../term/plural.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { NotExpressible, TOO_LONG } from '../not-expressible.ts';
import { functionsOfLibrary, VARIABLES_OF_LIBRARY } from './c-library.ts';
import { type CType, integerText, resultType } from './c-types.ts';
import { inputsThatMatter, type StepInput, staysWith } from './dependence.ts';
import type { Event } from './execution.ts';
import { floatExpression } from './float-format.ts';
import type { Flow } from './flow.ts';
import type { ProgramGraph } from './graph.ts';
import { Layout, type Leaf } from './layout.ts';
import { ASSERT_FUNCTIONS, ASSUME_FUNCTIONS, ERROR_FUNCTIONS } from './library.ts';
import type { FunctionDefinition, Module } from './module.ts';
import { inOrder } from './telling.ts';

/** Exit statuses of what the harness is compiled into. */
const REACHED = 10;
const LEFT = 11;

/** Bytes behind each address that a function returns. */
const ROOM = 4096;

export interface Replayed {
  readonly module: Module;
  readonly flow: Flow;
  readonly graph: ProgramGraph;
  readonly derivation: Derivation;
  /** The program's files. */
  readonly files: readonly string[];
  /** What the run ends with, in words. */
  readonly error: string;
}

/** A choice of the run: what an event's value is in its step. */
interface Made {
  readonly event: Event;
  readonly value: Value;
}

export function harnessText(replayed: Replayed): string {
  const { module, flow, graph, derivation } = replayed;
  const choices = new Map<string, Value[]>();
  for (const { event, value } of choicesMade(graph, derivation)) {
    const own = choices.get(event.name);
    if (own === undefined) choices.set(event.name, [value]);
    else own.push(value);
  }
  const declared = [...module.functions.values()].filter(f => f.blocks.length === 0 && isC(f.name));
  const library = functionsOfLibrary();
  const pointers = new Pointers();
  const errors = new Set(ERROR_FUNCTIONS);
  const functions = declared.flatMap(f => {
    if (errors.has(f.name)) return [];
    if (ASSUME_FUNCTIONS.includes(f.name)) return [checked(module, f, 'euforia_left("an assumption fails")')];
    if (ASSERT_FUNCTIONS.includes(f.name)) return [checked(module, f, 'euforia_reached()')];
    const isAssumed = flow.externals.has(f.name) || choices.has(f.name) || NONDET.test(f.name);
    if (!isAssumed && library.has(f.name)) return [];
    return [choosing(module, f, choices.get(f.name) ?? [], pointers)];
  });
  const own = [...errors].filter(n => (module.functions.get(n)?.blocks.length ?? 0) > 0);
  const unseen = own.filter(n => !callsAny(module.functions.get(n) as FunctionDefinition, errors));
  const speaks = !['puts', 'fflush'].some(
    n => flow.externals.has(n) || module.functions.get(n)?.blocks.length,
  );
  return [
    comment(
      replayed,
      unseen,
      [...choices.keys()].filter(n => isDefined(module, n)),
    ),
    runtime(speaks),
    ...[...errors].filter(n => !own.includes(n) && wantsError(module, n)).map(errorFunction),
    ...(unseen.length > 0 ? [entryHook(unseen)] : []),
    ...pointers.texts(),
    ...variables(replayed),
    ...functions,
  ].join('\n');
}

const NONDET = /^__VERIFIER_nondet_/;

function isC(name: string): boolean {
  return !name.startsWith('llvm.');
}

function isDefined({ functions }: Module, name: string): boolean {
  return (functions.get(name)?.blocks.length ?? 0) > 0;
}

/** The choices of a run in its order. Throws where it leaves out rounds in which there are some. */
export function choicesMade(graph: ProgramGraph, derivation: Derivation): Made[] {
  const left = stepsOfRounds(derivation.steps);
  const made: Made[] = [];
  let moments = 0;
  for (const { step, event, evaluator } of inOrder(graph, derivation)) {
    if (++moments > MOST_MOMENTS) throw new NotExpressible(TOO_LONG);
    if (event?.kind !== 'choice') continue;
    if (left.has(step)) throw new NotExpressible(TOO_LONG);
    made.push({ event, value: evaluator.value(event.value) });
  }
  return made;
}

/** A run in which more happens is too long to be told. */
const MOST_MOMENTS = 10_000_000;

// ---- the comment ----

function comment(replayed: Replayed, unseen: readonly string[], ownChoices: readonly string[]): string {
  const { module, files, error } = replayed;
  const remarks = dependences(replayed);
  const flags = [
    ...(module.pointerWidth === 32 ? ['-m32'] : []),
    ...(remarks.needsZero ? ['-ftrivial-auto-var-init=zero'] : []),
    ...(unseen.length > 0 ? ['-finstrument-functions'] : []),
  ];
  const lines = [
    `The choices of a run of ${files.join(', ')} that ends with`,
    `  ${error}`,
    'Compile this file together with the program and run it:',
    `  cc ${[...flags, ...files].join(' ')} THIS_FILE && ./a.out`,
    `Exit status ${REACHED}: the error is reached. ${LEFT}: the program has left the run.`,
    ...remarks.lines,
    ...ownChoices.map(n => `The program defines ${n} itself, so its choices are not supplied.`),
  ];
  return `/*\n${lines.map(l => ` * ${l.replaceAll('*/', '* /')}\n`).join('')} */`;
}

/** What the run depends on that the file does not supply. */
function dependences({ module, graph, derivation }: Replayed): {
  readonly lines: readonly string[];
  readonly needsZero: boolean;
} {
  const { terms } = graph.problem;
  const supplied = new Set(
    [...graph.passages.values()].flatMap(p =>
      p.events
        .filter(e => e.kind === 'choice' && !isDefined(module, e.name) && module.functions.has(e.name))
        .map(e => e.value),
    ),
  );
  for (const { ins } of graph.summaries.values()) for (const { value } of ins) supplied.add(value); // by callers
  for (const bytes of graph.elsewhere.values())
    for (const v of terms.postorder(bytes)) if (terms.isVariable(v)) supplied.add(v);
  const missing = inputsThatMatter(terms, derivation).filter(i => !supplied.has(i.variable));
  if (missing.length === 0) return { lines: [], needsZero: false };
  const [zero, one] = [staysWith(terms, derivation, missing, 0), staysWith(terms, derivation, missing, 1)];
  const what = [...new Set(missing.map(i => described(graph, derivation, i, !zero)))];
  const shown = what.slice(0, MOST_SHOWN).map(w => `  ${w}`);
  if (what.length > shown.length) shown.push(`  and ${plural(what.length - shown.length, 'more')}`);
  const head = 'It reads what has no value in C, which no file can supply:';
  const end =
    zero && one
      ? 'The run is the same if all of this is zero and if it is all ones.'
      : zero
        ? 'The run is as told if all of this is zero, which the option above sees to for local variables.'
        : 'The run needs these values, so it may go another way.';
  return { lines: [head, ...shown, end], needsZero: zero && !one };
}

const MOST_SHOWN = 10;

function described(
  { problem, passages }: ProgramGraph,
  { steps, functionValue }: Derivation,
  { step, variable }: StepInput,
  withValue: boolean,
): string {
  const { terms } = problem;
  const { edge, values } = steps[step];
  const event = passages.get(edge)?.events.find(e => terms.postorder([e.value]).includes(variable));
  if (event === undefined || event.kind === 'assignment') return 'memory that nothing was written to';
  const at = event.place === undefined ? '' : ` (${event.place.file}:${event.place.line})`;
  const value = evaluatorOf(terms, values, functionValue).value(variable);
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return `${event.name}${at}${withValue && isNumber ? ` = ${Number(value)}` : ''}`;
}

// ---- what is always there ----

function runtime(speaks: boolean): string {
  const says = (what: string) => (speaks ? `  puts(${what});\n  fflush((void *)0);\n` : '');
  return `
${speaks ? 'extern int puts(const char *);\nextern int fflush(void *);\n' : ''}extern void _Exit(int);

static void euforia_reached(void) {
${says('"error reached"')}  _Exit(${REACHED});
}

static void euforia_left(const char *why) {
${speaks ? says('why') : '  (void)why;\n'}  _Exit(${LEFT});
}
`;
}

/** Those of the standard library are called by \`assert\`, whether the program mentions them or not. */
function wantsError({ functions }: Module, name: string): boolean {
  return functions.has(name) || name === '__assert_fail';
}

function errorFunction(name: string): string {
  return `void ${name}(void) { euforia_reached(); }\n`;
}

/** The program says itself what an error does; compilers can be asked to tell when a function is entered. */
function entryHook(names: readonly string[]): string {
  return `${names.map(n => `extern void ${n}();\n`).join('')}
__attribute__((no_instrument_function))
void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (${names.map(n => `function == (void *)${n}`).join(' || ')}) euforia_reached();
}

__attribute__((no_instrument_function))
void __cyg_profile_func_exit(void *function, void *caller) {
  (void)function;
  (void)caller;
}
`;
}

/** Does a function call another by name? */
function callsAny({ blocks }: FunctionDefinition, names: ReadonlySet<string>): boolean {
  return blocks.some(b =>
    b.instructions.some(
      i => i.op === 'call' && i.callee !== 'asm' && i.callee.kind === 'global' && names.has(i.callee.name),
    ),
  );
}

// ---- functions ----

/** A function of a condition, with what happens if that is 0. */
function checked({ pointerWidth }: Module, { name, type }: FunctionDefinition, otherwise: string): string {
  const parameter = type.parameters[0];
  const condition = (parameter && resultType(parameter, undefined, pointerWidth)?.text) ?? 'int';
  return `void ${name}(${condition} condition) { if (!condition) ${otherwise}; }\n`;
}

/** A function that returns its choices one after the other. */
function choosing(
  { pointerWidth }: Module,
  { name, type, returns }: FunctionDefinition,
  values: readonly Value[],
  pointers: Pointers,
): string {
  const result = resultType(type.result, returns, pointerWidth);
  if (result === undefined) return `void ${name}(void) {}\n`;
  const isStruct = result.kind === 'bytes';
  const typeName = isStruct ? `euforia_result_of_${name}` : result.text;
  const declaration = isStruct ? `typedef ${result.text} ${typeName};\n` : '';
  const head = `${declaration}${typeName}${typeName.endsWith('*') ? '' : ' '}${name}(void)`;
  // What is returned through memory is left alone, as all memory is.
  if (type.result.kind === 'void') return `${head} { ${typeName} nothing = {{0}}; return nothing; }\n`;
  const choices = isStruct
    ? structTexts(new Layout(pointerWidth).leaves(type.result), result.width / 8, values)
    : values.map(v => choiceText(result, v, pointers));
  if (choices.length === 0)
    return `${head} {
  static ${typeName} none;
  euforia_left("another call of ${name}");
  return none;
}
`;
  return `${head} {
  static ${result.kind === 'pointer' ? 'void *const' : `const ${typeName}`} choices[] = {${lines(choices)}};
  static unsigned next;
  if (next == ${choices.length}) euforia_left("another call of ${name}");
  return choices[next++];
}
`;
}

/** Structs as bytes: several choices are the leaves of one. */
function structTexts(leaves: readonly Leaf[], size: number, values: readonly Value[]): string[] {
  return Array.from({ length: values.length / leaves.length }, (_, call) => {
    const bytes = new Array<bigint>(size).fill(0n);
    leaves.forEach(({ offset, width }, i) => {
      const value = BigInt(values[call * leaves.length + i] as number | bigint | boolean);
      for (let b = 0; 8 * b < width && offset + b < size; b++)
        bytes[offset + b] = (value >> BigInt(8 * b)) & 255n;
    });
    return `{{${bytes.join(', ')}}}`;
  });
}

function choiceText({ kind, isSigned, width }: CType, value: Value, pointers: Pointers): string {
  const number = BigInt(value as number | bigint | boolean);
  if (kind === 'float') return width === 32 || width === 64 ? floatExpression(number, width) : '0'; // nothing depends on others
  if (kind === 'pointer') return pointers.text(number);
  return integerText(isSigned ? BigInt.asIntN(width, number) : BigInt.asUintN(width, number));
}

function lines(texts: readonly string[]): string {
  return texts.join(', ').replace(/(.{80,100}?,) /g, '$1\n    ');
}

/** Addresses that functions return: each that is not null is given some room. */
class Pointers {
  private readonly seen = new Map<bigint, number>();

  text(address: bigint): string {
    if (address === 0n) return '0';
    let index = this.seen.get(address);
    if (index === undefined) this.seen.set(address, (index = this.seen.size));
    return `euforia_room[${index}]`;
  }

  texts(): string[] {
    const { size } = this.seen;
    return size === 0 ? [] : [`static _Alignas(16) char euforia_room[${size}][${ROOM}];\n`];
  }
}

// ---- variables ----

/** Variables that the program declares and nobody defines. */
function variables({ module, graph, derivation }: Replayed): string[] {
  const layout = new Layout(module.pointerWidth);
  const { value: first } = inOrder(graph, derivation).next();
  const held = new Map<string, readonly TermId[]>();
  for (const [site, bytes] of graph.elsewhere) if (site.symbol !== undefined) held.set(site.symbol, bytes);
  return [...module.variables.values()]
    .filter(v => v.initializer === undefined && !VARIABLES_OF_LIBRARY.has(v.name))
    .map(({ name, type }) => {
      const bytes = (held.get(name) ?? []).map(b => String(first?.evaluator.value(b)));
      const size = type.kind === 'opaque' ? ROOM : Math.max(1, layout.size(type));
      const initial = bytes.some(b => b !== '0') ? ` = {${lines(bytes)}}` : '';
      return `_Alignas(16) unsigned char ${name}[${size}]${initial};\n`;
    });
}
