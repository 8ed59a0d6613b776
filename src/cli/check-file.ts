/**
 * Checks the properties of one input, a file or the files of a program, or a share of them where threads divide them up. The
 * properties take turns (see sat/rounds.ts), so that a hard one does not starve the others. What comes of it is plain data: the words
 * that are printed later, while files of evidence are written here.
 */
import type { HeavyBackEnd } from '../bv/tiered.ts';
import { PropertyCheck, type Verdict } from '../check.ts';
import { Profile } from '../core/env/profile.ts';
import { InputError } from '../formats/diagnostic.ts';
import { isC } from '../formats/format.ts';
import type { PropertyName, Question } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { Rounds } from '../sat/rounds.ts';
import { isFinal, Unknown } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import type { CheckOptions } from './check-options.ts';
import { writeEvidence } from './evidence-files.ts';
import { heavyBackEnd } from './heavy.ts';
import type { Limits } from './limits.ts';
import type { ProgressLine } from './progress.ts';
import { readQuestionFile } from './read-question.ts';
import { competitionText, READING, type Report, type Told, tell } from './report.ts';
import { jsonText } from './result-json.ts';
import { STANDARD_INPUT } from './standard-input.ts';

/** What is to be checked: one question. */
export interface Input {
  readonly paths: readonly string[];
  /** The text of standard input, where that is the file. */
  readonly standardInput: string | undefined;
}

/** Every so manieth of the properties, counted from `first`. */
export interface Share {
  readonly first: number;
  readonly of: number;
}

/** What a check is surrounded by. */
export interface Surroundings {
  readonly limits: Limits;
  readonly progress: ProgressLine;
  readonly warn: (line: string) => void;
  /** Hears of verdicts as they come, where there are several properties. */
  readonly onVerdict: (told: Told) => void;
}

/** An input that has been read. */
export interface ReadInput {
  readonly kind: 'read';
  readonly question: Question;
  readonly properties: readonly PropertyName[];
  readonly milliseconds: number;
}

/** A limit was reached before there was anything to search. */
export interface Unread {
  readonly kind: 'unread';
  readonly reason: string;
}

export interface Answer {
  readonly kind: 'answer';
  /** One of each property, in their order. */
  readonly told: readonly Told[];
  /** As the format wants it that was asked for, if it is not plain. */
  readonly json: string | undefined;
  readonly competition: string | undefined;
}

/** Throws what is wrong with the input or with asking this of it. */
export async function readInput(
  { paths, standardInput }: Input,
  options: CheckOptions,
  { limits, warn }: Surroundings,
): Promise<ReadInput | Unread> {
  const start = performance.now();
  const { strict, quiet, program } = options;
  // Whoever replays a run makes all choices, also those that have no bearing on it.
  const isReplayed = options.harness !== undefined || options.witness !== undefined;
  const slice = isReplayed ? 'off' : program.slice;
  let question: Question;
  try {
    const read = { strict, quiet, limits, standardInput, warn, ...program, slice };
    question = await readQuestionFile(paths, read);
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    const when = isFinal(error.reason) ? ' while the file was being read' : '';
    return { kind: 'unread', reason: `${limits.spelt(error.reason, error.message)}${when}` };
  }
  expectFormat(question, options);
  expectProgram(question, paths, options);
  const properties = selectProperties(question, options.property);
  return { kind: 'read', question, properties, milliseconds: performance.now() - start };
}

export async function checkShare(
  { paths }: Input,
  input: ReadInput,
  share: Share,
  options: CheckOptions,
  surroundings: Surroundings,
): Promise<Answer> {
  const { question, properties } = input;
  const areSeveral = properties.length > 1;
  const chosen = properties.filter((_, i) => i % share.of === share.first);
  const told: Told[] = [];
  const reports = await checkAll(input, chosen, options, surroundings, (i, report) => {
    told[i] = tell(question, report, options);
    if (areSeveral) surroundings.onVerdict(told[i]);
  });
  writeEvidence(question, paths, options.program.dataModel, reports, areSeveral, options);
  const { competition } = question.words;
  const isCompetition = options.format !== 'plain' && competition !== undefined;
  return {
    kind: 'answer',
    told,
    json: options.json ? jsonText(question, reports) : undefined,
    competition: isCompetition ? competitionText(competition, reports) : undefined,
  };
}

async function checkAll(
  { question, milliseconds }: ReadInput,
  properties: readonly PropertyName[],
  options: CheckOptions,
  { limits, progress, warn }: Surroundings,
  onReport: (index: number, report: Report) => void,
): Promise<Report[]> {
  const { engine, engines, encoding } = options;
  const { budget } = limits;
  const profiles = properties.map(() => new Profile());
  for (const profile of profiles) profile.add(READING, milliseconds);
  const running: { readonly heavy: HeavyBackEnd; readonly check: PropertyCheck }[] = [];
  const starts = properties.map((property, i) => () => {
    const heavy = heavyBackEnd(warn);
    const wanted = { budget, heavy, engine, engines, encoding, profile: profiles[i] };
    running[i] = { heavy, check: new PropertyCheck(question, property, wanted) };
    return running[i].check.run();
  });
  const reports: Report[] = [];
  const rounds = new Rounds<Verdict>(starts, (i, verdict) => {
    const spoken =
      verdict.kind === 'unknown' ? { ...verdict, text: limits.spelt(verdict.reason, verdict.text) } : verdict;
    reports[i] = { property: properties[i], verdict: spoken, check: running[i].check };
    onReport(i, reports[i]);
  });
  await drive(rounds.run(), {
    load: () => profiles[rounds.current].waiting('loading', running[rounds.current].heavy.load()),
    turn: () => {
      progress.show(running[rounds.current].check.progress);
      return new Promise(resolve => setImmediate(resolve));
    },
  });
  return reports;
}

function expectFormat({ file, words }: Question, { format }: CheckOptions): void {
  if (format === 'plain' || words.competition?.name === format) return;
  const wanted = format === 'chc-comp' ? 'Horn clauses' : 'BTOR2';
  throw new InputError(file, 1, 1, `--format ${format} is for ${wanted}, and this is none`);
}

/** Refuses what is said of programs only where there is none. */
function expectProgram(
  { file, words }: Question,
  paths: readonly string[],
  { harness, witness }: CheckOptions,
): void {
  if (words.program === undefined && harness !== undefined)
    throw new InputError(file, 1, 1, '--harness is for programs (C, LLVM IR), and this is none');
  if (witness === undefined) return;
  if (paths.includes(STANDARD_INPUT))
    throw new InputError(file, 1, 1, '--witness names the file, and standard input has no name');
  const other = paths.find(path => !isC(path));
  if (other !== undefined) throw new InputError(other, 1, 1, '--witness is for C, and this is none');
}
