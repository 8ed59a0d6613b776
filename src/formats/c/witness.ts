/**
 * Witnesses of the software verification competition, format 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl and Strejček, Software
 * Verification Witnesses 2.0, SPIN 2024), in YAML. A violation is a sequence of segments: what functions returned, call by call, and the
 * call that is the error. A proof is a set of invariants of loops.
 *
 * A witness may say less than is known, but nothing else: what cannot be placed in the text is left out. Strings are quoted as in
 * JSON, of which YAML is a superset.
 */
import type { ProgramWords } from '../question.ts';
import type { DataModel } from './flags.ts';
import type { NamedText } from './includes.ts';
import { SourcePlaces } from './source-places.ts';

/** What was checked, by whom and when. */
export interface WitnessTask {
  readonly files: readonly (NamedText & { readonly hash: string })[]; // SHA-256 of the bytes, in hexadecimal
  readonly dataModel: DataModel;
  /** Of this program. */
  readonly version: string;
  readonly creationTime: Date;
  /** SHA-256 of a text, in hexadecimal. */
  readonly digest: (text: string) => string;
}

type Yaml = string | number | readonly Yaml[] | { readonly [key: string]: Yaml };

type Violation = ReturnType<ProgramWords['violation']>;
type Loops = ReturnType<ProgramWords['loops']>;

export function violationWitness(task: WitnessTask, { choices, error }: Violation): string {
  const places = new SourcePlaces(task.files);
  const returns = choices.flatMap(({ name, place, value, function: inside }) => {
    const start = place && places.find(place);
    const end = start && places.endOfCall(start, name);
    if (end === undefined || value === undefined) return [];
    const constraint = { value: `\\result == ${value}`, format: 'acsl_expression' };
    return [
      segment({ type: 'function_return', action: 'follow', constraint, location: location(end, inside) }),
    ];
  });
  const target = error.place && places.find(error.place);
  const last =
    target === undefined
      ? []
      : [segment({ type: 'target', action: 'follow', location: location(target, error.function) })];
  return witness(task, 'violation_sequence', error.name, [...returns, ...last]);
}

export function correctnessWitness(task: WitnessTask, loops: Loops, errorName: string): string {
  const places = new SourcePlaces(task.files);
  const byPlace = new Map<string, Loops[number][]>();
  for (const loop of loops) {
    const key = JSON.stringify(loop.place);
    const own = byPlace.get(key);
    if (own === undefined) byPlace.set(key, [loop]);
    else own.push(loop);
  }
  const content = [...byPlace.values()].flatMap(copies => {
    const [{ place, function: inside }] = copies;
    const start = place && places.find(place);
    // The invariant of a do loop is asked for elsewhere than where its rounds begin.
    if (start === undefined || !/^(?:for|while)$/.test(places.wordAt(start))) return [];
    // A function may be called from several places, and what holds in a call need not hold in another.
    if (copies.some(c => c.expressions.length === 0)) return [];
    const values = [...new Set(copies.map(c => c.expressions.join(' && ')))];
    const value = values.length === 1 ? values[0] : values.map(v => `(${v})`).join(' || ');
    const invariant = {
      ...{ type: 'loop_invariant', location: location(start, inside) },
      ...{ value, format: 'c_expression' },
    };
    return [{ invariant }];
  });
  return witness(task, 'invariant_set', errorName, content);
}

function segment(waypoint: Yaml): Yaml {
  return { segment: [{ waypoint }] };
}

function location(
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
  inside: string,
): Yaml {
  return { file_name: file, line, column, function: inside };
}

function witness(
  { files, dataModel, version, creationTime, digest }: WitnessTask,
  type: string,
  errorName: string,
  content: readonly Yaml[],
): string {
  const task = {
    input_files: files.map(f => f.name),
    input_file_hashes: Object.fromEntries(files.map(f => [f.name, f.hash])),
    specification: `CHECK( init(main()), LTL(G ! call(${errorName}())) )`,
    data_model: dataModel.toUpperCase(),
    language: 'C',
  };
  const producer = { name: 'Euforia', version };
  const creation_time = creationTime.toISOString().replace(/\.\d+Z$/, 'Z');
  // The same content has the same number.
  const uuid = uuidOf(digest(JSON.stringify([type, producer, creation_time, task, content])));
  const metadata = { format_version: '2.0', uuid, creation_time, producer, task };
  return `${block([{ entry_type: type, metadata, content }], '').trimStart()}\n`;
}

/** A number of the kind that is made from a digest in a way of one's own (version 8). */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest[16], 16) & 3) | 8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

/** A value as YAML, to follow a key or a dash. */
function block(value: Yaml, indent: string): string {
  if (typeof value !== 'object') return ` ${JSON.stringify(value)}`;
  if (isList(value)) {
    if (value.length === 0) return ' []';
    return value.map(v => `\n${indent}-${block(v, `${indent}  `).replace(/^\n\s*/, ' ')}`).join('');
  }
  return Object.entries(value)
    .map(([k, v]) => `\n${indent}${/^\w+$/.test(k) ? k : JSON.stringify(k)}:${block(v, `${indent}  `)}`)
    .join('');
}
