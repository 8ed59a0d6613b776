/** Other people's SMT-LIB files: both solvers on them as processes, start-up and all, and what their answers are worth. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Run, runProcess } from './process.ts';
import { ratio, seconds } from './table.ts';

const CORPUS = '../shared/corpus/smt';
const LIST = join(CORPUS, 'MANIFEST.tsv');
const COMMAND = 'dist/euforia.cjs';
const REPEAT_LIMIT = 1000; // ms up to which a file is run twice, for the better time
const GRACE = 2000; // ms after which a solver that overruns its own time limit is killed
const ANSWERS_SHOWN = 3;

/** ms for one file. */
export const TIME_LIMIT = 20_000;

export interface Entry {
  readonly path: string;
  readonly logic: string;
  readonly answers: readonly string[];
  readonly z3Ms: number; // when the list was made
}

export interface Row {
  readonly entry: Entry;
  readonly ours: Run;
  readonly z3: Run | undefined;
}

/** The entries of the list, or nothing if the corpus is not there. */
export function readEntries(): Entry[] | undefined {
  if (!existsSync(LIST)) return undefined;
  const [, ...lines] = readFileSync(LIST, 'utf8').trim().split('\n');
  return lines.map(line => {
    const [path, logic, answers, z3Ms] = line.split('\t');
    return { path, logic, answers: answers.split(' '), z3Ms: Number(z3Ms) };
  });
}

export function corpusFile(entry: Entry): string {
  return join(CORPUS, entry.path);
}

/** Every so manieth, for a quick run. */
export function everyOf<T>(stride: number, all: readonly T[]): T[] {
  return all.filter((_, i) => i % stride === 0);
}

/** Why the corpus cannot be run, if so. */
export function obstacle(): string | undefined {
  if (!existsSync(LIST)) return 'skipped, it is not there';
  return existsSync(COMMAND) ? undefined : 'skipped, run `npm run build` first';
}

/** Runs both solvers on the files; a quick run takes the first time it gets. */
export function runCorpus(entries: readonly Entry[], hasZ3: boolean, isQuick: boolean): Row[] {
  const repeatLimit = isQuick ? 0 : REPEAT_LIMIT;
  const limit = String(TIME_LIMIT / 1000);
  const run = (command: string, ...args: string[]) =>
    best(() => runProcess(command, args, TIME_LIMIT + GRACE), repeatLimit);
  const rows = entries.map((entry): Row => {
    const file = corpusFile(entry);
    const ours = run(process.execPath, COMMAND, 'smt', file, '--timeout', limit);
    const z3 = hasZ3 ? run('z3', `-T:${limit}`, file) : undefined;
    process.stderr.write('.');
    return { entry, ours, z3 };
  });
  process.stderr.write('\n');
  return rows;
}

function best(run: () => Run, repeatLimit: number): Run {
  const first = run();
  if (first.ms > repeatLimit) return first;
  const second = run();
  return second.ms < first.ms ? second : first;
}

/** z3's time in this run; without z3, when the list was made. */
export function z3Time({ entry, z3 }: Row): number {
  return z3?.ms ?? entry.z3Ms;
}

export const FILE_HEADS: readonly string[] = ['answers', 'euforia s', 'z3 s', '/ z3'];

export function fileCells({ entry, ours, z3 }: Row): string[] {
  return [
    basename(entry.path).replace(/^.*__/, ''),
    shown(ours),
    seconds(ours.ms),
    seconds(z3?.ms),
    ratio(ours.ms, z3?.ms),
  ];
}

/** The times of some files, added up: of both solvers, and their ratio. */
export function totalCells(rows: readonly Row[], hasZ3: boolean): string[] {
  const ours = rows.reduce((sum, row) => sum + row.ours.ms, 0);
  const theirs = hasZ3 ? rows.reduce((sum, row) => sum + (row.z3?.ms ?? 0), 0) : undefined;
  return [seconds(ours), seconds(theirs), ratio(ours, theirs)];
}

function shown({ answers, isStopped }: Run): string {
  if (isStopped) return 'time limit';
  if (answers.length === 0) return 'error';
  return answers.length > ANSWERS_SHOWN ? `${answers.length} answers` : answers.join(' ');
}

/** All questions of a file are answered, in time. */
export function isSolved({ answers }: Entry, run: Run): boolean {
  return run.ms <= TIME_LIMIT && hasAllAnswers(answers, run.answers);
}

export function hasAllAnswers(expected: readonly string[], answers: readonly string[]): boolean {
  return answers.length >= expected.length && !answers.includes('unknown');
}

/** Some answer is the opposite of the one in the list. */
export function areWrong(expected: readonly string[], answers: readonly string[]): boolean {
  return answers.some(
    (answer, i) => answer !== 'unknown' && expected[i] !== 'unknown' && answer !== expected[i],
  );
}

/** Our wrong answers and missing ones, by file; the benchmark has failed if one is wrong. */
export function verdicts(rows: readonly Row[]): string {
  const wrong = rows.filter(({ entry, ours }) => areWrong(entry.answers, ours.answers));
  const open = rows.filter(({ entry, ours }) => !isSolved(entry, ours));
  if (wrong.length > 0) process.exitCode = 1;
  return [verdictLine('wrong answers', wrong), verdictLine('without an answer', open)].join('\n');
}

function verdictLine(name: string, rows: readonly Row[]): string {
  const files = rows.map(
    ({ entry, ours }) => `\n  ${entry.path}: ${shown(ours)} ${ours.errors.split('\n')[0]}`,
  );
  return `${name}: ${rows.length}${files.join('')}`;
}
