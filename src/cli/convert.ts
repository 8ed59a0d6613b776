/**
 * `euforia convert FILE --to FORMAT`: reads a transition system and writes it in another format, to standard output or to
 * a file. Status 0; what is wrong with the input, or cannot be said in the format, goes out as one line and status 2.
 */
import type { Target } from '../formats/targets.ts';
import { written } from '../formats/write.ts';
import { expectWritable, writeText } from './files.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';
import { UsageError } from './usage-error.ts';

export interface ConvertOptions {
  readonly to: Target;
  /** How many steps an unrolling has. */
  readonly steps: number | undefined;
  /** The number or the name of a property; all of them otherwise. */
  readonly property: number | string | undefined;
  /** Is it what the passes leave that is written? */
  readonly isPreprocessed: boolean;
  /** Are wrong sorts that are otherwise only worth a warning an error? */
  readonly strict: boolean;
  /** The file to write; standard output without one. */
  readonly output: string | undefined;
  readonly program: ProgramOptions;
}

export async function convertCommand(
  paths: readonly string[],
  { to, steps, strict, output, program, ...others }: ConvertOptions,
): Promise<number> {
  if (steps !== undefined && to !== 'smt2-bmc')
    throw new UsageError(`--steps is for --to smt2-bmc, and this is --to ${to}`);
  expectWritable(output);
  const question = await readQuestionFile(paths, { strict, ...program });
  const text = written(question, { to, steps, ...others });
  if (output === undefined) process.stdout.write(text);
  else writeText(output, text);
  return 0;
}
