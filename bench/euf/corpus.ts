/** The part of the benchmark on other people's QF_UF files: both solvers as processes, start-up and all. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Run, runProcess } from './process.ts';
import { ratio, seconds, table } from './table.ts';

const CORPUS = '../shared/corpus/smt';
const COMMAND = 'dist/euforia.js';
const TIME_LIMIT = 20_000; // ms for one file
const REPEAT_LIMIT = 1000; // ms up to which a file is run twice, for the better time
const NOTABLE = 50; // ms of z3 from which a file counts
const QUICK_STRIDE = 4; // a quick run takes every so manieth of the files that counted when the list was made

interface Entry {
  readonly path: string;
  readonly answers: string; // separated by blanks
  readonly z3Ms: number; // when the list was made
}

interface Row {
  readonly entry: Entry;
  readonly ours: Run;
  readonly z3: Run | undefined;
}

export function benchCorpus(hasZ3: boolean, isQuick: boolean): string {
  const list = join(CORPUS, 'MANIFEST.tsv');
  if (!existsSync(list)) return 'QF_UF corpus: skipped, it is not there';
  if (!existsSync(COMMAND)) return 'QF_UF corpus: skipped, run `npm run build` first';
  const repeatLimit = isQuick ? 0 : REPEAT_LIMIT;
  const entries = readEntries(list);
  const quickEntries = entries.filter(entry => entry.z3Ms > NOTABLE).filter((_, i) => i % QUICK_STRIDE === 0);
  const rows = (isQuick ? quickEntries : entries).map((entry): Row => {
    const file = join(CORPUS, entry.path);
    const ours = best(() => runProcess(process.execPath, [COMMAND, 'smt', file], TIME_LIMIT), repeatLimit);
    const z3 = hasZ3 ? best(() => runProcess('z3', [file], TIME_LIMIT), repeatLimit) : undefined;
    return { entry, ours, z3 };
  });
  const notable = rows.filter(({ entry, z3 }) => (z3?.ms ?? entry.z3Ms) > NOTABLE);
  const total = (all: readonly Row[], of: (row: Row) => number | undefined) =>
    all.reduce((sum, row) => sum + (of(row) ?? 0), 0);
  const totals = (name: string, all: readonly Row[]) => {
    const ours = total(all, row => row.ours.ms);
    const theirs = hasZ3 ? total(all, row => row.z3?.ms) : undefined;
    return [name, '', seconds(ours), seconds(theirs), ratio(ours, theirs)];
  };
  const lines = [
    [`QF_UF file (z3 over ${NOTABLE} ms)`, 'answers', 'euforia s', 'z3 s', '/ z3'],
    ...notable.map(({ entry, ours, z3 }) => [
      basename(entry.path).replace(/^.*__/, ''),
      shown(ours),
      seconds(ours.ms),
      seconds(z3?.ms),
      ratio(ours.ms, z3?.ms),
    ]),
    totals(`total of these ${notable.length}`, notable),
    totals(`total of all ${rows.length}`, rows),
  ];
  return [
    table(lines, 2),
    verdictLine('wrong answers', rows.filter(isWrong)),
    verdictLine('without an answer', rows.filter(isOpen)),
  ].join('\n');
}

function readEntries(list: string): Entry[] {
  const [, ...lines] = readFileSync(list, 'utf8').trim().split('\n');
  return lines
    .map(line => line.split('\t'))
    .filter(([, logic]) => logic === 'QF_UF')
    .map(([path, , answers, z3Ms]) => ({ path, answers, z3Ms: Number(z3Ms) }));
}

function best(run: () => Run, repeatLimit: number): Run {
  const first = run();
  if (first.ms > repeatLimit) return first;
  const second = run();
  return second.ms < first.ms ? second : first;
}

function shown(run: Run): string {
  if (run.isStopped) return 'time limit';
  return run.answers.length === 0 ? 'error' : run.answers.join(' ');
}

/** Some answer is the opposite of the one in the list. */
function isWrong({ entry, ours }: Row): boolean {
  const expected = entry.answers.split(' ');
  const isOpposite = (answer: string, i: number) =>
    answer !== 'unknown' && expected[i] !== 'unknown' && answer !== expected[i];
  return ours.answers.some(isOpposite);
}

function isOpen({ entry, ours }: Row): boolean {
  return ours.answers.length < entry.answers.split(' ').length || ours.answers.includes('unknown');
}

function verdictLine(name: string, rows: readonly Row[]): string {
  const files = rows.map(
    ({ entry, ours }) => `\n  ${entry.path}: ${shown(ours)} ${ours.errors.split('\n')[0]}`,
  );
  return `${name}: ${rows.length}${files.join('')}`;
}
