/** The values of choices that somebody makes: lines of a file, or of the terminal. */
import { createInterface } from 'node:readline';
import { InputError } from '../formats/diagnostic.ts';
import { isValue, readValue } from '../formats/run/value-reader.ts';
import type { TermId, TermStore } from '../term/store.ts';
import type { Value } from '../term/value.ts';
import { readText } from './files.ts';

export interface Answers {
  /** The value of the next choice, which `text` names; undefined if there are no more. */
  next(variable: TermId, text: string): Promise<Value | undefined>;
  close(): void;
}

/** A value a line; what follows `#` is a comment. */
export function answersFrom(terms: TermStore, file: string): Answers {
  const lines = readText(file)
    .split('\n')
    .map((line, i) => ({ text: line.replace(/#(?![xb][\da-f]).*/i, '').trim(), number: i + 1 }))
    .filter(l => l.text !== '')
    .values();
  return {
    async next(variable, name) {
      const { done, value: line } = lines.next();
      if (done === true) return undefined;
      const value = readValue(terms.sorts, terms.sort(variable), line.text);
      if (isValue(value)) return value;
      throw new InputError(file, line.number, 1, `${value.complaint}, for ${name}`);
    },
    close() {},
  };
}

/** Asks until it is told a value; the questions go to standard error, so that the output is the run alone. */
export function answersOfTerminal(terms: TermStore): Answers {
  const terminal = createInterface({ input: process.stdin, terminal: false });
  const lines = terminal[Symbol.asyncIterator]();
  return {
    async next(variable, name) {
      for (;;) {
        process.stderr.write(`${name} = `);
        const { done, value: line } = await lines.next();
        if (done === true) return undefined;
        const value = readValue(terms.sorts, terms.sort(variable), line.trim());
        if (isValue(value)) return value;
        process.stderr.write(`${value.complaint}\n`);
      }
    },
    close: () => terminal.close(),
  };
}
