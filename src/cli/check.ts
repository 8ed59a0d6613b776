/**
 * `euforia check FILE`: is the system safe? The first line of the output is the verdict: safe if all the properties asked
 * about are, unsafe if one is violated, unknown otherwise. Then comes the evidence, property by property.
 */
import { join } from 'node:path';
import { answerOf, certificateFiles, evidenceText } from '../answer.ts';
import { Checker, type Verdict } from '../core/checker.ts';
import type { EngineOptions } from '../core/env/options.ts';
import { Profile } from '../core/env/profile.ts';
import type { Property } from '../core/system/system.ts';
import type { Encoding } from '../horn/encode.ts';
import { InputError } from '../input/diagnostic.ts';
import { traceJson } from '../output/trace-json.ts';
import { traceVcd } from '../output/vcd.ts';
import { LimitReached } from '../sat/checkpoint.ts';
import { selectProperties, type Task } from '../task.ts';
import { expectFolder, expectWritable, makeFolder, writeText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { ProgressLine } from './progress.ts';
import { readTaskFile } from './read-task.ts';
import {
  chcText,
  hwmccText,
  jsonText,
  overall,
  plainText,
  type Report,
  type ReportOptions,
  unreadJson,
} from './report.ts';

export const ANSWER_FORMATS = ['plain', 'chc-comp', 'hwmcc'] as const;

export interface CheckOptions extends ReportOptions {
  readonly property: number | undefined;
  readonly timeout: number | undefined;
  readonly memory: number | undefined;
  readonly trace: string | undefined;
  readonly vcd: string | undefined;
  readonly invariant: string | undefined;
  readonly certificate: string | undefined;
  readonly format: (typeof ANSWER_FORMATS)[number];
  readonly json: boolean;
  readonly exitCode: boolean;
  readonly engine: EngineOptions;
  readonly strict: boolean;
  readonly encoding: Encoding | undefined;
}

const EXIT_CODES: Readonly<Record<Verdict['kind'], number>> = { safe: 20, unsafe: 10, unknown: 0 };

export async function checkCommand(path: string, options: CheckOptions): Promise<number> {
  const limits = new Limits(options.timeout, options.memory);
  for (const file of [options.trace, options.vcd, options.invariant]) expectWritable(file);
  expectFolder(options.certificate);
  const start = performance.now();
  let task: Task;
  try {
    task = readTaskFile(path, { ...options, budget: limits.budget });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    process.stdout.write(unreadText(`${limits.spelt(error.reason)} while the file was being read`, options));
    remarkOnFiles([], options);
    return EXIT_CODES.unknown;
  }
  const reading = performance.now() - start;
  if (options.format === 'chc-comp' && task.clauses === undefined)
    throw new InputError(path, 1, 1, '--format chc-comp is for Horn clauses, and this file has none');
  const progress = new ProgressLine(options.quiet);
  const onInterrupt = () => limits.abort('interrupted');
  process.on('SIGINT', onInterrupt);
  const reports: Report[] = [];
  for (const property of selectProperties(task, options.property)) {
    const profile = new Profile();
    profile.add('reading', reading);
    reports.push(await report(task, property, options, limits, progress, profile));
  }
  process.off('SIGINT', onInterrupt);
  progress.clear();
  process.stdout.write(text(task, reports, options));
  writeFiles(task, reports, options);
  return options.exitCode ? EXIT_CODES[overall(reports)] : 0;
}

async function report(
  task: Task,
  property: Property,
  options: CheckOptions,
  limits: Limits,
  progress: ProgressLine,
  profile: Profile,
): Promise<Report> {
  const { budget } = limits;
  const heavy = heavyBackEnd(line => void process.stderr.write(`${line}\n`));
  const checker = new Checker(task.system, property, {
    ...options.engine,
    profile,
    budget,
    heavy,
    onProgress: p => progress.show(p),
  });
  const found = await checker.run();
  const answer = await profile.measureAsync('answering', () =>
    answerOf(task, property, found, heavy, budget),
  );
  const { verdict } = answer;
  const spoken = verdict.kind === 'unknown' ? { ...verdict, reason: limits.spelt(verdict.reason) } : verdict;
  return { ...answer, verdict: spoken, stats: checker.stats, profile, lemmas: checker.lemmas };
}

function text(task: Task, reports: readonly Report[], options: CheckOptions): string {
  if (options.format === 'chc-comp') return chcText(task, reports);
  if (options.format === 'hwmcc') return hwmccText(task, reports);
  return options.json ? jsonText(task, reports) : plainText(task, reports, options);
}

/** What is printed if a limit was reached before there was anything to search. */
function unreadText(reason: string, options: CheckOptions): string {
  if (options.format !== 'plain') return 'unknown\n';
  if (options.json) return unreadJson(reason);
  return options.quiet ? 'unknown\n' : `unknown\nreason: ${reason}\n`;
}

/** Evidence goes to the files that were asked for; with several properties, that of the first with such a verdict. */
function writeFiles(task: Task, reports: readonly Report[], options: CheckOptions): void {
  const { system } = task;
  const unsafe = reports.find(r => r.verdict.kind === 'unsafe');
  if (unsafe?.verdict.kind === 'unsafe') {
    const { property, verdict } = unsafe;
    if (options.trace !== undefined) writeText(options.trace, traceJson(system, property, verdict.trace));
    if (options.vcd !== undefined) writeText(options.vcd, traceVcd(system, verdict.trace));
  }
  const safe = reports.find(r => r.verdict.kind === 'safe');
  if (safe !== undefined) {
    if (options.invariant !== undefined) writeText(options.invariant, evidenceText(task, safe));
    if (options.certificate !== undefined) writeCertificate(options.certificate, task, safe);
  }
  remarkOnFiles(reports, options);
}

/** Says which of the files that were asked for there is nothing to write to. */
function remarkOnFiles(reports: readonly Report[], options: CheckOptions): void {
  const kinds = reports.map(r => r.verdict.kind);
  if (!kinds.includes('unsafe') && (options.trace !== undefined || options.vcd !== undefined)) {
    process.stderr.write('no run was written, since no property was found to be violated\n');
  }
  if (!kinds.includes('safe') && (options.invariant !== undefined || options.certificate !== undefined)) {
    process.stderr.write('no proof was written, since no property was found to hold\n');
  }
}

function writeCertificate(folder: string, task: Task, safe: Report): void {
  makeFolder(folder);
  for (const file of certificateFiles(task, safe)) writeText(join(folder, file.name), file.text);
}
