/**
 * `euforia check FILE…`: is the system safe? About one input the first line of the output is the verdict: safe if all the properties
 * asked about are, unsafe if one is violated, unknown otherwise. Then comes the evidence, property by property, and where there are
 * several a table of them; while they are being checked, standard error hears of each verdict as it comes. What is said of many
 * inputs is in check-many.ts.
 */
import type { Verdict } from '../check.ts';
import {
  type Answer,
  checkShare,
  type Input,
  type ReadInput,
  readInput,
  type Share,
  type Surroundings,
  type Unread,
} from './check-file.ts';
import { checkMany } from './check-many.ts';
import type { CheckOptions } from './check-options.ts';
import { paintWith, showsColours } from './colour.ts';
import { expectEvidencePaths, remark } from './evidence-files.ts';
import { Failed, failureOf } from './failure.ts';
import { Interruption } from './interruption.ts';
import { Limits } from './limits.ts';
import { durationText } from './profile-text.ts';
import { ProgressLine } from './progress.ts';
import { isProgram } from './read-question.ts';
import { called, overall, plainText, type Told } from './report.ts';
import { failureJson, jointJson, unreadJson } from './result-json.ts';
import { readStandardInput, STANDARD_INPUT } from './standard-input.ts';
import { EXIT_CODES, INTERRUPTED } from './status.ts';
import type { Task } from './task.ts';
import { Threads } from './threads.ts';
import { UsageError } from './usage-error.ts';

export async function checkCommand(paths: readonly string[], options: CheckOptions): Promise<number> {
  if (options.json && options.format !== 'plain')
    throw new UsageError(
      `--json and --format ${options.format} are two ways to answer: one of them is enough`,
    );
  if (!options.json) return answered(paths, options);
  try {
    return await answered(paths, options);
  } catch (error) {
    // Who reads documents gets one, whatever happens; people read standard error.
    const failure = failureOf(error);
    process.stdout.write(failureJson(paths.length === 1 ? paths[0] : undefined, failure));
    throw new Failed(failure);
  }
}

async function answered(paths: readonly string[], options: CheckOptions): Promise<number> {
  const inputs = await inputsOf(paths, options);
  if (inputs.length > 1) return checkMany(inputs, options);
  expectEvidencePaths(options);
  return checkOne(inputs[0], options);
}

/** Programs make one question, unless each is to be one. */
async function inputsOf(paths: readonly string[], { each }: CheckOptions): Promise<Input[]> {
  const programs = paths.filter(isProgram);
  const isOne = paths.length === 1 || (programs.length === paths.length && !each);
  if (!isOne && programs.length > 1 && !each)
    throw new UsageError(
      `${programs[0]} and ${programs[1]} may be one program or two: say --each for two, or leave out what is no program`,
    );
  if (paths.filter(p => p === STANDARD_INPUT).length > 1)
    throw new UsageError('standard input can be read once, and - is given several times');
  const text = paths.includes(STANDARD_INPUT) ? await readStandardInput() : undefined;
  if (isOne) return [{ paths, standardInput: text }];
  return paths.map(path => ({
    paths: [path],
    standardInput: path === STANDARD_INPUT ? text : undefined,
  }));
}

async function checkOne(input: Input, options: CheckOptions): Promise<number> {
  const interruption = new Interruption();
  const limits = new Limits(options.timeout, options.memory, { interruption });
  const progress = new ProgressLine(options.quiet);
  const say = (line: string) => {
    progress.clear();
    process.stderr.write(`${line}\n`);
  };
  const isSilent = options.quiet || options.format !== 'plain';
  const onVerdict = ({ property, word, milliseconds, by }: Told) => {
    if (!isSilent) say(`property ${called(property)}: ${word}, ${durationText(milliseconds)}, ${by}`);
  };
  const surroundings = { limits, progress, warn: say, onVerdict };
  const status = (verdict: Verdict['kind']) => {
    if (interruption.isRaised) return INTERRUPTED;
    return options.exitCode === 'zero' ? 0 : EXIT_CODES[verdict];
  };

  const read = await readInput(input, options, surroundings);
  if (read.kind === 'unread') {
    process.stdout.write(unreadText(input, read, options));
    remark([], options);
    return status('unknown');
  }
  const answer = await interruption.during(() => divided(input, read, options, surroundings, interruption));
  progress.clear();
  const words = answer.told.map(t => t.word);
  const plain = () => plainText(answer.told, options, paintWith(showsColours()));
  process.stdout.write(answer.competition ?? answer.json ?? plain());
  remark(words, options);
  return status(overall(words));
}

/** Divides the properties among threads, of which this is the first. */
async function divided(
  input: Input,
  read: ReadInput,
  options: CheckOptions,
  surroundings: Surroundings,
  interruption: Interruption,
): Promise<Answer> {
  // A competition's answer is one for all properties, and programs are asked about as a whole.
  const canDivide = options.format === 'plain' && read.question.words.program === undefined;
  const of = canDivide ? Math.max(1, Math.min(options.jobs, read.properties.length)) : 1;
  const shares = Array.from({ length: of }, (_, first) => ({ first, of }));
  const here = (share: Share) => checkShare(input, read, share, options, surroundings);
  const { deadline } = surroundings.limits.budget;
  const task = (share: Share): Task => ({ input, options, share, counted: 'process', deadline });
  const threads = new Threads(interruption);
  try {
    const others = shares.slice(1).map(share => threads.perform(task(share), surroundings.onVerdict));
    const answers = [await here(shares[0])];
    for (const { answer } of await Promise.all(others)) {
      if (answer.kind === 'failure') throw new Failed(answer);
      // A thread that a limit has kept from reading the file: it is too late for these properties, and that is soon said.
      answers.push(answer.kind === 'unread' ? await here(shares[answers.length]) : answer);
    }
    return joint(answers);
  } finally {
    await threads.close();
  }
}

/** The answers about shares of the properties, put together in the order of the properties. */
function joint(answers: readonly Answer[]): Answer {
  const [first] = answers;
  if (answers.length === 1) return first;
  const count = answers.reduce((sum, a) => sum + a.told.length, 0);
  const told = Array.from(
    { length: count },
    (_, i) => answers[i % answers.length].told[Math.floor(i / answers.length)],
  );
  const jsons = answers.flatMap(a => a.json ?? []);
  return { ...first, told, json: first.json === undefined ? undefined : jointJson(jsons) };
}

/** What is printed if a limit was reached before there was anything to search. */
function unreadText({ paths }: Input, { reason }: Unread, options: CheckOptions): string {
  if (options.format !== 'plain') return 'unknown\n';
  if (options.json) return unreadJson(paths[0], reason);
  return options.quiet ? 'unknown\n' : `unknown\nreason: ${reason}\n`;
}
