/** Verdicts in colour, where standard output is a terminal that is likely to show it and the user has not asked for none (no-color.org). */
import type { Verdict } from '../check.ts';

/** A verdict, or that there is none because something was wrong. */
export type VerdictWord = Verdict['kind'] | 'error';

/** A text in the colour of a verdict: the word itself unless another is given. */
export type Paint = (word: VerdictWord, text?: string) => string;

const CODES: Readonly<Record<VerdictWord, number>> = { safe: 32, unsafe: 31, unknown: 33, error: 35 };

export function showsColours(): boolean {
  const { NO_COLOR: refusal = '', TERM: terminal } = process.env;
  return process.stdout.isTTY === true && refusal === '' && terminal !== 'dumb';
}

export function paintWith(isColoured: boolean): Paint {
  if (!isColoured) return (word, text = word) => text;
  return (word, text = word) => `\u001b[${CODES[word]}m${text}\u001b[39m`;
}
