/**
 * `euforia run`: executes a problem by evaluation, with inputs by chance, from a file or from the terminal. The first line of the output is
 * `unsafe` if the run violates a property, and `no violation` otherwise; then come the run, and why it ended. It is checked
 * like any other evidence before it is shown.
 */
import { checkDerivation, checkSteps } from '../core/evidence/check-derivation.ts';
import { unchanged } from '../core/passes/pass.ts';
import { preparedToRun } from '../core/passes/prepared-to-run.ts';
import { completed, type Derivation } from '../core/problem/derivation.ts';
import { type Edge, isQueryOf, restrictedTo } from '../core/problem/problem.ts';
import { type Asked, type Ending, Runner } from '../core/run/runner.ts';
import { type PropertyName, type Question, queriesOf, violatedBy } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { exceededLimit } from '../sat/budget.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { isFinal, Unknown } from '../sat/unknown.ts';
import { plural } from '../term/plural.ts';
import type { Value } from '../term/value.ts';
import { type Answers, answersFrom, answersOfTerminal } from './answers.ts';
import type { CheckOptions } from './check-options.ts';
import { Limits } from './limits.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';

/** Steps of a run, if nothing else is said. */
export const DEFAULT_RUN_STEPS = 10_000;

/** The exit status of a run that violates a property, as that of `check`. */
const UNSAFE = 10;

export interface RunCommandOptions {
  readonly property: number | string | undefined;
  readonly steps: number;
  readonly seed: number;
  /** A file with the values of choices. */
  readonly inputs: string | undefined;
  /** Are values asked for? */
  readonly ask: boolean;
  readonly timeout: number | undefined;
  readonly quiet: boolean;
  readonly exitCode: CheckOptions['exitCode'];
  readonly strict: boolean;
  readonly program: ProgramOptions;
}

interface Outcome {
  readonly ending: Ending;
  /** Of the problem as the file has it. */
  readonly derivation: Derivation;
  /** Why the run was stopped. */
  readonly cause: string | undefined;
}

export async function runCommand(paths: readonly string[], options: RunCommandOptions): Promise<number> {
  const limits = new Limits(options.timeout, undefined);
  const { strict, quiet, program } = options;
  let question: Question;
  try {
    question = await readQuestionFile(paths, { strict, quiet, limits, ...program });
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    process.stdout.write(
      `no violation\nreason: ${limits.spelt(error.reason, error.message)} while the file was being read\n`,
    );
    return 0;
  }
  const chosen = selectProperties(question, options.property);
  const answers = answersOf(question, options);
  const onInterrupt = () => limits.interrupt();
  process.on('SIGINT', onInterrupt);
  try {
    const outcome = await execute(question, chosen, options, limits, answers);
    const { text, isViolation } = told(question, chosen, outcome, options);
    process.stdout.write(text);
    return isViolation && options.exitCode !== 'zero' ? UNSAFE : 0;
  } finally {
    process.off('SIGINT', onInterrupt);
    answers?.close();
  }
}

function answersOf({ problem }: Question, { inputs, ask }: RunCommandOptions): Answers | undefined {
  if (inputs !== undefined) return answersFrom(problem.terms, inputs);
  return ask ? answersOfTerminal(problem.terms) : undefined;
}

async function execute(
  question: Question,
  chosen: readonly PropertyName[],
  options: RunCommandOptions,
  limits: Limits,
  answers: Answers | undefined,
): Promise<Outcome> {
  const asked = new Set(chosen.flatMap(({ index, queries }) => [...(queries ?? [index])]));
  const problem = restrictedTo(question.problem, asked);
  const { choices } = question;
  const checkpoint = new Checkpoint(limits.budget);
  // Choices that are made outside must not be solved for.
  const isAsWritten = answers !== undefined && choices !== undefined;
  const { problem: simple, back } = isAsWritten ? unchanged(problem) : preparedToRun(problem, checkpoint);
  const { steps, seed } = options;
  const runner = new Runner(simple, {
    steps,
    seed,
    asks: answers !== undefined,
    ...(isAsWritten ? { choices: (e: Edge) => choices(e).map(c => c.variable) } : {}),
  });
  const texts = new Map<number, string>();
  if (isAsWritten) for (const e of problem.edges) for (const c of choices(e)) texts.set(c.variable, c.text);
  const { terms } = problem;
  const textOf = ({ variable }: Asked) => texts.get(variable) ?? terms.nameOf(variable);

  const work = runner.run();
  let answer: Value | undefined;
  let cause: string | undefined;
  let run = runner.stopped();
  try {
    for (;;) {
      const { done, value } = work.next(answer);
      if (done === true) {
        run = value;
        break;
      }
      if (value === 'turn') {
        await new Promise(resolve => setImmediate(resolve));
        const limit = exceededLimit(limits.budget);
        if (limit !== undefined) throw new Unknown(limit);
      } else {
        answer = await answers?.next(value.variable, textOf(value));
        if (answer === undefined) {
          cause = 'there are no more inputs';
          run = runner.stopped();
          break;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Unknown) || !isFinal(error.reason)) throw error;
    cause = limits.spelt(error.reason);
    run = runner.stopped();
  }
  const { ending, derivation } = run;
  return { ending, derivation: completed(terms, back.derivation(derivation)), cause };
}

// ---- what is said of it ----

function told(
  question: Question,
  chosen: readonly PropertyName[],
  { ending, derivation, cause }: Outcome,
  { quiet }: RunCommandOptions,
): { readonly text: string; readonly isViolation: boolean } {
  const { problem, words, traps } = question;
  const last = derivation.steps.at(-1)?.edge;
  const trap = last && traps?.get(last);
  const isViolation = ending === 'violation' && trap === undefined;
  const property = isViolation
    ? chosen.find(p => last !== undefined && isQueryOf(last.head, queriesOf(p)))
    : undefined;
  const complaint =
    property === undefined
      ? checkSteps(problem, derivation, words.nameOf)
      : checkDerivation(problem, queriesOf(property), derivation, words.nameOf);
  if (complaint !== undefined) throw new Error(`the run fails its check: ${complaint}`);
  if (property !== undefined) {
    const which = chosen.length > 1 ? `property ${property.index}\n` : '';
    return {
      text: quiet
        ? 'unsafe\n'
        : `unsafe\n${which}${words.derivation(violatedBy(question, derivation) ?? property, derivation)}`,
      isViolation,
    };
  }
  const steps = plural(derivation.steps.length, 'step');
  const reason = {
    violation: `${trap}, after ${steps}`,
    end: `the run ends after ${steps}`,
    stuck: `no step was found after ${steps}`,
    steps: `the run was stopped after ${steps}`,
    stopped: `${cause}, after ${steps}`,
  }[ending];
  return {
    text: quiet ? 'no violation\n' : `no violation\n${words.path(derivation)}reason: ${reason}\n`,
    isViolation,
  };
}
