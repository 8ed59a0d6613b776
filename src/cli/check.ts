/**
 * `euforia check FILE…`: is the system safe? The first line of the output is the verdict: safe if all the properties asked
 * about are, unsafe if one is violated, unknown otherwise. Then comes the evidence, property by property.
 */
import { type CheckOptions as EngineChoice, PropertyCheck, type Verdict } from '../check.ts';
import type { EngineOptions } from '../core/env/options.ts';
import { Profile } from '../core/env/profile.ts';
import { InputError } from '../formats/diagnostic.ts';
import { isC } from '../formats/format.ts';
import type { PropertyName, Question } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { isFinal, Unknown } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import { type EvidencePaths, expectEvidencePaths, remark, writeEvidence } from './evidence-files.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { ProgressLine } from './progress.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';
import {
  competitionText,
  jsonText,
  overall,
  plainText,
  type Report,
  type ReportOptions,
  unreadJson,
} from './report.ts';

export const ANSWER_FORMATS = ['plain', 'chc-comp', 'hwmcc'] as const;

export interface CheckOptions extends ReportOptions, EvidencePaths {
  readonly property: number | string | undefined;
  readonly timeout: number | undefined;
  readonly memory: number | undefined;
  readonly format: (typeof ANSWER_FORMATS)[number];
  readonly json: boolean;
  readonly exitCode: (typeof EXIT_CODE_KINDS)[number];
  readonly engine: EngineOptions;
  readonly strict: boolean;
  readonly engines: readonly string[] | undefined;
  readonly encoding: EngineChoice['encoding'];
  readonly program: ProgramOptions;
}

/** What the command's status says: the verdict, or nothing for pipelines that stop at whatever is not zero. */
export const EXIT_CODE_KINDS = ['verdict', 'zero'] as const;

const EXIT_CODES: Readonly<Record<Verdict['kind'], number>> = { safe: 0, unsafe: 10, unknown: 20 };

/** As shells have it for a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

export async function checkCommand(paths: readonly string[], options: CheckOptions): Promise<number> {
  const limits = new Limits(options.timeout, options.memory);
  expectEvidencePaths(options);
  const start = performance.now();
  let question: Question;
  try {
    const { strict, quiet, program } = options;
    // Whoever replays a run makes all choices, also those that have no bearing on it.
    const isReplayed = options.harness !== undefined || options.witness !== undefined;
    const slice = isReplayed ? 'off' : program.slice;
    question = await readQuestionFile(paths, { strict, quiet, limits, ...program, slice });
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    const reason = limits.spelt(error.reason, error.message);
    const when = isFinal(error.reason) ? ' while the file was being read' : '';
    process.stdout.write(unreadText(`${reason}${when}`, options));
    remark([], options);
    return exitCode('unknown', limits, options);
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
  expectProgram(question, paths, options);
  const progress = new ProgressLine(options.quiet);
  const onInterrupt = () => limits.interrupt();
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
  writeEvidence(question, paths, options.program.dataModel, reports, options);
  return exitCode(overall(reports), limits, options);
}

function exitCode(verdict: Verdict['kind'], limits: Limits, { exitCode }: CheckOptions): number {
  if (limits.isInterrupted) return INTERRUPTED;
  return exitCode === 'zero' ? 0 : EXIT_CODES[verdict];
}

/** Refuses what is said of programs only where there is none. */
function expectProgram(
  { file, words }: Question,
  paths: readonly string[],
  { harness, witness }: CheckOptions,
): void {
  if (words.program === undefined && harness !== undefined)
    throw new InputError(file, 1, 1, '--harness is for programs (C, LLVM IR), and this is none');
  const other = paths.find(path => !isC(path));
  if (other !== undefined && witness !== undefined)
    throw new InputError(other, 1, 1, '--witness is for C, and this is none');
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
