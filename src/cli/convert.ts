/**
 * `euforia convert FILE --to FORMAT`: reads a transition system and writes it in another format, to standard output or to
 * a file. Status 0; what is wrong with the input, or cannot be said in the format, goes out as one line and status 2.
 */
import type { System } from '../core/problem/system.ts';
import { writeBtor2 } from '../formats/btor2/writer.ts';
import { writeHorn } from '../formats/horn/writer.ts';
import { writeSmt2Bmc } from '../formats/smt2-bmc/writer.ts';
import { writeVmt } from '../formats/vmt/writer.ts';
import { expectWritable, writeText } from './files.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';

export const FORMATS = ['vmt', 'chc', 'btor2', 'smt2-bmc'] as const;
export type Format = (typeof FORMATS)[number];

/** Steps of an unrolling unless said otherwise. */
export const DEFAULT_STEPS = 10;

export interface ConvertOptions {
  readonly to: Format;
  /** How many steps an unrolling has. */
  readonly steps: number;
  /** Are wrong sorts that are otherwise only worth a warning an error? */
  readonly strict: boolean;
  /** The file to write; standard output without one. */
  readonly output: string | undefined;
  readonly program: ProgramOptions;
}

export async function convertCommand(
  paths: readonly string[],
  { to, steps, strict, output, program }: ConvertOptions,
): Promise<number> {
  expectWritable(output);
  const question = await readQuestionFile(paths, { strict, ...program });
  const text = written(question.system(), to, steps);
  if (output === undefined) process.stdout.write(text);
  else writeText(output, text);
  return 0;
}

export function written(system: System, format: Format, steps: number): string {
  switch (format) {
    case 'vmt':
      return writeVmt(system);
    case 'chc':
      return writeHorn(system);
    case 'btor2':
      return writeBtor2(system);
    case 'smt2-bmc':
      return writeSmt2Bmc(system, steps);
  }
}
