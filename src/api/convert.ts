/** `convert` of the library. */
import { DEFAULT_STEPS, TARGETS } from '../formats/targets.ts';
import { written } from '../formats/write.ts';
import { budgetOf } from './limits.ts';
import type { ConvertOptions } from './options.ts';
import { readText } from './read.ts';

export async function convertText(text: string, options: ConvertOptions): Promise<string> {
  const question = await readText(text, options, budgetOf(options));
  return written(question.system(), options.to ?? TARGETS[0], options.steps ?? DEFAULT_STEPS);
}
