/**
 * `euforia convert FILE`: reads a transition system and writes it in another format, to standard output or to a file.
 * Status 0; what is wrong with the input goes out as one line and status 2.
 */
import { writeFileSync } from 'node:fs';
import { writeVmt } from '../output/vmt.ts';
import { readSystem } from './read-system.ts';

export interface ConvertOptions {
  /** Are wrong sorts that are otherwise only worth a warning an error? */
  readonly strict: boolean;
  /** The file to write; standard output without one. */
  readonly output: string | undefined;
}

export function convertCommand(path: string, { strict, output }: ConvertOptions): number {
  const text = writeVmt(readSystem(path, strict));
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(output, text);
  return 0;
}
