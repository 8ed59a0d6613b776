/** Standard input in place of a file: `-`. There is no name to tell the format by, so it is told by the text alone. */
import { text } from 'node:stream/consumers';
import type { NamedText } from '../formats/c/includes.ts';
import { formatOf } from '../formats/format.ts';

/** What stands for standard input among the files. */
export const STANDARD_INPUT = '-';

/** What messages call it. */
const NAME = 'stdin';

/** C is what begins as no other format does, with a directive, a comment or a word, and has statements or declarations. */
const C = /^\s*(?:#|\/[/*]|[a-z_]).*[;}]/is;

export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}

/** With the name that tells the format. */
export function namedInput(text: string): NamedText {
  const isC = formatOf(NAME, text) === undefined && C.test(text);
  return { name: isC ? `${NAME}.c` : NAME, text };
}
