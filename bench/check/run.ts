/**
 * `npm run bench -- check [PREFIX...] [--peer] [--variant NAME="OPTIONS"]... [--timeout S] [--sample N] [--jobs N]
 * [--output DIR]`: the checker on tasks of the corpus whose paths begin with a prefix, a process a task. `--peer` runs
 * z3's Spacer on the same tasks; a variant is our checker with more options, to see what one of them is worth.
 *
 * Prints a table and leaves two files in the output folder: `tasks.tsv`, a row a task, written as the answers come,
 * and `index.html`, the same with figures. An interruption ends the run with what has been answered by then.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withWorker } from '../bundle.ts';
import { table } from '../support/table.ts';
import { type Answer, type Engine, euforia, spacer, z3Version } from './engines.ts';
import { resultsPage } from './page.ts';
import {
  compare,
  comparisonText,
  grade,
  type Result,
  type Row,
  summaryTable,
  tsvHeads,
  tsvLine,
  wrongAnswers,
} from './results.ts';
import { readTasks, spread, startingWith, type Task } from './tasks.ts';

const PREFIXES = ['vmt/euforia', 'vmt/hwmcc19', 'vmt/prophic3/'];
const OUTPUT = 'bench/out/check';
const TIME_LIMIT = '10'; // s
const OURS = 'euforia';
const INTERRUPTED = 130; // the exit code of what ends by Ctrl-C
const PAUSE = 250; // ms: tsx kills a process that is too busy to tell it that the signal has arrived

interface Variant {
  readonly name: string;
  readonly options: readonly string[];
}

interface Settings {
  readonly prefixes: readonly string[];
  readonly hasPeer: boolean;
  readonly variants: readonly Variant[]; // the first has no options
  readonly timeout: number; // s
  readonly sample: number;
  readonly jobs: number;
  readonly output: string;
}

export async function benchCheck(args: readonly string[]): Promise<void> {
  let settings: Settings;
  try {
    settings = readSettings(args);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return;
  }
  const all = readTasks();
  if (all === undefined) {
    console.log('skipped, the corpus is not there');
    return;
  }
  const tasks = spread(settings.sample, startingWith(settings.prefixes, all));
  if (tasks.length === 0) {
    console.error(`no task's path begins with ${settings.prefixes.join(' or ')}`);
    process.exitCode = 2;
    return;
  }
  const command = new URL('../../src/cli/main.ts', import.meta.url);
  await withWorker(command, (bundle, folder) => run(tasks, settings, bundle, folder));
}

function readSettings(args: readonly string[]): Settings {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      peer: { type: 'boolean', default: false },
      variant: { type: 'string', multiple: true, default: [] },
      timeout: { type: 'string', default: TIME_LIMIT },
      sample: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      output: { type: 'string', default: OUTPUT },
    },
  });
  const variants = [{ name: OURS, options: [] }, ...values.variant.map(readVariant)];
  const names = [...variants.map(({ name }) => name), 'Spacer'];
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`there are two engines of the name '${twice}'`);
  return {
    prefixes: positionals.length > 0 ? positionals : PREFIXES,
    hasPeer: values.peer,
    variants,
    timeout: count('timeout', values.timeout),
    sample: values.sample === undefined ? Number.POSITIVE_INFINITY : count('sample', values.sample),
    jobs: count('jobs', values.jobs),
    output: values.output,
  };
}

function readVariant(text: string): Variant {
  const [, name, options] = /^([^=\s]+)=(.*\S.*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--variant takes NAME="OPTIONS", not '${text}'`);
  return { name, options: options.trim().split(/\s+/) };
}

function count(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${option} takes a number from 1, not '${text}'`);
  return Number(text);
}

async function run(tasks: readonly Task[], settings: Settings, bundle: string, folder: string) {
  const { hasPeer, variants, timeout, jobs, output } = settings;
  const z3 = hasPeer ? z3Version() : undefined;
  if (hasPeer && z3 === undefined) console.error('z3 is not installed, so there is no peer');
  const ours = variants.map(({ name, options }) => euforia(name, bundle, options, timeout));
  const engines = z3 === undefined ? ours : [...ours, spacer(folder, timeout)];
  const names = engines.map(({ name }) => name);

  mkdirSync(output, { recursive: true });
  const tsv = join(output, 'tasks.tsv');
  writeFileSync(tsv, `${tsvHeads(names)}\n`);
  const interruption = new AbortController();
  // Not once: whoever started this passes on the signal that the terminal has already given.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort());
  const rows: Row[] = [];
  await measure(tasks, engines, settings, interruption.signal, row => {
    rows.push(row);
    appendFileSync(tsv, `${tsvLine(row, names)}\n`);
    process.stderr.write('.');
  });
  process.stderr.write('\n');
  const isInterrupted = interruption.signal.aborted;
  if (isInterrupted) await setTimeout(PAUSE);

  const ourWrong = variants.flatMap(({ name }) => wrongAnswers(rows, name));
  const wrong = z3 === undefined ? ourWrong : [...ourWrong, ...wrongAnswers(rows, 'Spacer')];
  const remarks = [
    `${isInterrupted ? `interrupted after ${rows.length} of ` : ''}${tasks.length} tasks, ` +
      `${timeout} s each, ${jobs} at a time; node ${process.version}${z3 === undefined ? '' : `, z3 ${z3}`}`,
    ...variants.slice(1).map(({ name, options }) => `${name}: ${options.join(' ')}`),
    ...wrong,
  ];
  const comparisons = names.slice(1).map(rival => comparisonText(compare(rows, OURS, rival)));
  console.log([table(summaryTable(rows, names), 2), ...comparisons, ...remarks].join('\n'));
  const page = join(output, 'index.html');
  writeFileSync(page, resultsPage({ rows, engines: names, limit: timeout, remarks }));
  console.log(page);
  if (isInterrupted) process.exitCode = INTERRUPTED;
  if (ourWrong.length > 0) process.exitCode = 1;
}

/** Asks all engines about a task before the next; what an interruption has cut short is no answer. */
async function measure(
  tasks: readonly Task[],
  engines: readonly Engine[],
  { jobs, timeout }: Settings,
  signal: AbortSignal,
  onRow: (row: Row) => void,
): Promise<void> {
  const queue = tasks.values();
  const work = async () => {
    for (const task of queue) {
      const results = new Map<string, Result>();
      for (const engine of engines) {
        const answer = await ask(engine, task, signal);
        if (signal.aborted) break;
        results.set(engine.name, { ...answer, grade: grade(task, answer, 1000 * timeout) });
      }
      if (results.size > 0) onRow({ task, results });
      if (signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** Whatever goes wrong with one task must not end the run. */
async function ask(engine: Engine, task: Task, signal: AbortSignal): Promise<Answer> {
  try {
    return await engine.run(task, signal);
  } catch (error) {
    return { verdict: 'error', ms: 0, note: String(error).split('\n')[0] };
  }
}
