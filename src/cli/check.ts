/**
 * `euforia check FILE…`: is the system safe? The first line of the output is the verdict: safe if all the properties asked
 * about are, unsafe if one is violated, unknown otherwise. Then comes the evidence, property by property.
 */
import { join } from 'node:path';
import { type CheckOptions as EngineChoice, PropertyCheck, type Verdict } from '../check.ts';
import type { EngineOptions } from '../core/env/options.ts';
import { Profile } from '../core/env/profile.ts';
import { InputError } from '../formats/diagnostic.ts';
import type { PropertyName, Question } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { Unknown } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import { expectFolder, expectWritable, makeFolder, writeText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { ProgressLine } from './progress.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';
import {
  competitionText,
  evidenceText,
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
  readonly engines: readonly string[] | undefined;
  readonly encoding: EngineChoice['encoding'];
  readonly program: ProgramOptions;
}

const EXIT_CODES: Readonly<Record<Verdict['kind'], number>> = { safe: 20, unsafe: 10, unknown: 0 };

export async function checkCommand(paths: readonly string[], options: CheckOptions): Promise<number> {
  const limits = new Limits(options.timeout, options.memory);
  for (const file of [options.trace, options.vcd, options.invariant]) expectWritable(file);
  expectFolder(options.certificate);
  const start = performance.now();
  let question: Question;
  try {
    const { strict, quiet, program } = options;
    question = await readQuestionFile(paths, { strict, quiet, limits, ...program });
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    process.stdout.write(unreadText(`${limits.spelt(error.reason)} while the file was being read`, options));
    remarkOnFiles([], options);
    return EXIT_CODES.unknown;
  }
  const reading = performance.now() - start;
  if (options.format !== 'plain' && question.words.competition?.name !== options.format) {
    const wanted = options.format === 'chc-comp' ? 'Horn clauses' : 'BTOR2';
    throw new InputError(
      question.file,
      1,
      1,
      `--format ${options.format} is for ${wanted}, and this is none`,
    );
  }
  const progress = new ProgressLine(options.quiet);
  const onInterrupt = () => limits.abort('interrupted');
  process.on('SIGINT', onInterrupt);
  const reports: Report[] = [];
  for (const property of selectProperties(question, options.property)) {
    const profile = new Profile();
    profile.add('reading', reading);
    reports.push(await report(question, property, options, limits, progress, profile));
  }
  process.off('SIGINT', onInterrupt);
  progress.clear();
  process.stdout.write(text(question, reports, options));
  writeFiles(question, reports, options);
  return options.exitCode ? EXIT_CODES[overall(reports)] : 0;
}

async function report(
  question: Question,
  property: PropertyName,
  options: CheckOptions,
  limits: Limits,
  progress: ProgressLine,
  profile: Profile,
): Promise<Report> {
  const heavy = heavyBackEnd(line => void process.stderr.write(`${line}\n`));
  const { budget } = limits;
  const { engine, engines, encoding } = options;
  const check = new PropertyCheck(question, property, { budget, heavy, engine, engines, encoding, profile });
  const verdict = await drive(check.run(), {
    load: () => profile.waiting('loading', heavy.load()),
    turn: () => {
      progress.show(check.progress);
      return new Promise(resolve => setImmediate(resolve));
    },
  });
  const spoken =
    verdict.kind === 'unknown' ? { ...verdict, text: limits.spelt(verdict.reason, verdict.text) } : verdict;
  return { property, verdict: spoken, check };
}

function text(question: Question, reports: readonly Report[], options: CheckOptions): string {
  const { competition } = question.words;
  if (options.format !== 'plain' && competition !== undefined) return competitionText(competition, reports);
  return options.json ? jsonText(question, reports) : plainText(question, reports, options);
}

/** What is printed if a limit was reached before there was anything to search. */
function unreadText(reason: string, options: CheckOptions): string {
  if (options.format !== 'plain') return 'unknown\n';
  if (options.json) return unreadJson(reason);
  return options.quiet ? 'unknown\n' : `unknown\nreason: ${reason}\n`;
}

/** Evidence goes to the files that were asked for; with several properties, that of the first with such a verdict. */
function writeFiles(question: Question, reports: readonly Report[], options: CheckOptions): void {
  const { words } = question;
  for (const { property, verdict } of reports) {
    if (verdict.kind !== 'unsafe') continue;
    if (options.trace !== undefined) writeText(options.trace, words.json(property, verdict.derivation));
    if (options.vcd !== undefined) writeText(options.vcd, words.vcd(verdict.derivation));
    break;
  }
  for (const report of reports) {
    const { property, verdict } = report;
    if (verdict.kind !== 'safe') continue;
    if (options.invariant !== undefined) writeText(options.invariant, evidenceText(question, report));
    const folder = options.certificate;
    if (folder !== undefined) {
      makeFolder(folder);
      for (const file of words.certificate(property, verdict.proof))
        writeText(join(folder, file.name), file.text);
    }
    break;
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
