/** Reads a text as a question, by the front end of the format that it is in. */
import { readModule } from './programs.ts';
import type { Question } from './question.ts';
import type { ReadOptions } from './read-options.ts';
import { readSystem } from './systems.ts';

/** Throws an InputError, with line and column, if the text cannot be read, and an Unknown if not within the limits. */
export function readQuestion(file: string, text: string, options: ReadOptions): Question {
  return readSystem(file, text, options) ?? readModule({ name: file, text }, options);
}
