/** `convert` of the library. */
import { TARGETS } from '../formats/targets.ts';
import { written } from '../formats/write.ts';
import { budgetOf } from './limits.ts';
import type { ConvertOptions } from './options.ts';
import { readText } from './read.ts';

export async function convertText(text: string, options: ConvertOptions): Promise<string> {
  const question = await readText(text, options, budgetOf(options));
  const { to = TARGETS[0], steps, property, isPreprocessed = false } = options;
  if (steps !== undefined && to !== 'smt2-bmc')
    throw new TypeError(`'steps' is for 'smt2-bmc', not for '${to}'`);
  return written(question, { to, steps, property, isPreprocessed });
}
