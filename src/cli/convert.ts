/**
 * `euforia convert FILE`: reads a transition system and writes it in another format, to standard output or to a file.
 * Status 0; what is wrong with the input goes out as one line and status 2.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { System } from '../core/system/system.ts';
import { InputError } from '../input/diagnostic.ts';
import { readVmt, type VmtOptions } from '../input/vmt.ts';
import { writeVmt } from '../output/vmt.ts';
import { TermStore } from '../term/store.ts';

export interface ConvertOptions {
  /** Are wrong sorts that are otherwise only worth a warning an error? */
  readonly strict: boolean;
  /** The file to write; standard output without one. */
  readonly output: string | undefined;
}

export function convertCommand(path: string, { strict, output }: ConvertOptions): number {
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  const text = writeVmt(readSystem(path, readFileSync(path, 'utf8'), { strict, warn }));
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(output, text);
  return 0;
}

/** What only VMT has, whatever the file is called. */
const VMT_ANNOTATION = /:(next|init|trans|invar-property)\s/;

function readSystem(path: string, text: string, options: VmtOptions): System {
  if (!/\.vmt$/i.test(path) && !VMT_ANNOTATION.test(text)) {
    throw new InputError(path, 1, 1, 'expected a VMT file, with annotations such as :init and :trans');
  }
  return readVmt(new TermStore(), path, text, options);
}
