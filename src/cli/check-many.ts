/**
 * `euforia check` with several inputs: each is a question of its own with its own limits, on one thread after the other or on several at
 * once, and its answer is a row of a table, or with --json a line with one object. They are printed in the order of the inputs,
 * each as soon as those before it are done. An input that is wrong has its message on standard error and the others go on.
 */
import type { Answer, Input, Unread } from './check-file.ts';
import type { CheckOptions } from './check-options.ts';
import { paintWith, showsColours, type VerdictWord } from './colour.ts';
import { type Failure, say } from './failure.ts';
import { Interruption } from './interruption.ts';
import { durationText } from './profile-text.ts';
import { ProgressLine } from './progress.ts';
import { overall } from './report.ts';
import { failureJson, onOneLine, unreadJson } from './result-json.ts';
import { EXIT_CODES, INTERRUPTED, worst } from './status.ts';
import { perform, type Task, type TaskResult } from './task.ts';
import { Threads } from './threads.ts';
import { UsageError } from './usage-error.ts';
import { VerdictTable } from './verdict-table.ts';

/** What makes sense for one input only, and what to do instead. */
const OF_ONE_INPUT = ['trace', 'vcd', 'invariant', 'harness', 'witness', 'certificate'] as const;
const OF_ONE_TEXT = ['stats', 'profile'] as const;

export async function checkMany(inputs: readonly Input[], options: CheckOptions): Promise<number> {
  expectNothingOfOne(options);
  const interruption = new Interruption();
  const start = performance.now();
  const names = inputs.map(({ paths }) => paths.join(' '));
  const table = new VerdictTable({ one: 'file', many: 'files' }, names, paintWith(showsColours()));
  const isTable = !options.json && !options.quiet;
  const progress = new ProgressLine(options.quiet);
  const print = (line: string) => {
    progress.clear();
    process.stdout.write(`${line}\n`);
  };
  if (isTable) print(table.head);
  const statuses: number[] = [];
  const onResult = (index: number, { answer, warnings, milliseconds }: TaskResult) => {
    const name = names[index];
    progress.clear();
    for (const line of warnings) process.stderr.write(`${line}\n`);
    if (answer.kind === 'failure') say(ofFile(name, answer));
    const { word, by, status } = summed(answer);
    statuses.push(word === 'error' || options.exitCode === 'verdict' ? status : 0);
    const line = table.row({ name, word, milliseconds, by });
    if (isTable) print(line);
    else if (options.json) print(jsonLine(name, answer));
    else print(`${name}: ${word}`);
  };
  await interruption.during(() => performAll(inputs, names, options, interruption, progress, onResult));
  const left = inputs.length - statuses.length;
  const rest = left === 0 ? '' : `; interrupted, ${left} not checked`;
  if (isTable) print(`${table.totals}; ${durationText(performance.now() - start)}${rest}`);
  return interruption.isRaised ? INTERRUPTED : worst(statuses);
}

function expectNothingOfOne(options: CheckOptions): void {
  const path = OF_ONE_INPUT.find(name => options[name] !== undefined);
  if (path !== undefined)
    throw new UsageError(`--${path} is for one file at a time: it would be written once for each`);
  const text = OF_ONE_TEXT.find(name => options[name]);
  if (text !== undefined)
    throw new UsageError(`--${text} is for one file at a time; --json says it of each of several`);
  if (options.format !== 'plain')
    throw new UsageError(
      `--format ${options.format} is for one file at a time: competitions want one answer`,
    );
}

/** Does all tasks, as many at once as there are to be threads; an interruption leaves out those that have not begun. */
async function performAll(
  inputs: readonly Input[],
  names: readonly string[],
  options: CheckOptions,
  interruption: Interruption,
  progress: ProgressLine,
  onResult: (index: number, result: TaskResult) => void,
): Promise<void> {
  const done = new Map<number, TaskResult>();
  let shown = 0;
  const settle = (index: number, result: TaskResult) => {
    done.set(index, result);
    for (let next = done.get(shown); next !== undefined; next = done.get(shown)) {
      done.delete(shown);
      onResult(shown++, next);
    }
  };
  const threads = new Threads(interruption);
  const nobody = () => {};
  const isAlone = options.jobs === 1;
  const queue = inputs.entries();
  const work = async () => {
    for (const [index, input] of queue) {
      if (interruption.isRaised) return;
      progress.label = `${index + 1}/${inputs.length} ${names[index]}`;
      const share = { first: 0, of: 1 };
      const task: Task = { input, options, share, counted: 'thread', deadline: undefined };
      const result = isAlone ? perform(task, interruption, progress, nobody) : threads.perform(task, nobody);
      settle(index, await result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, inputs.length) }, work));
  await threads.close();
}

interface Summed {
  readonly word: VerdictWord;
  readonly by: string;
  readonly status: number;
}

function summed(answer: Answer | Unread | Failure): Summed {
  switch (answer.kind) {
    case 'failure':
      return { word: 'error', by: '', status: answer.status };
    case 'unread':
      return { word: 'unknown', by: `(${answer.reason})`, status: EXIT_CODES.unknown };
    case 'answer': {
      const word = overall(answer.told.map(t => t.word));
      // Those that found the verdict: who has shown that another property holds does not matter to one that fails.
      const by = new Set(answer.told.filter(t => t.word === word).map(t => t.by));
      return { word, by: [...by].join(', '), status: EXIT_CODES[word] };
    }
  }
}

/** An internal failure knows no file. */
function ofFile(name: string, failure: Failure): Failure {
  return failure.status === 3 ? { ...failure, text: `${name}: ${failure.text}` } : failure;
}

/** The document that --json prints for one file, on one line. */
function jsonLine(file: string, answer: Answer | Unread | Failure): string {
  switch (answer.kind) {
    case 'failure':
      return onOneLine(failureJson(file, answer));
    case 'unread':
      return onOneLine(unreadJson(file, answer.reason));
    case 'answer':
      return onOneLine(answer.json as string);
  }
}
