/** Transition systems and clauses as questions: every text that is no program. */
import { Checkpoint } from '../sat/checkpoint.ts';
import { TermStore } from '../term/store.ts';
import { btor2Question } from './btor2/front-end.ts';
import { withoutMark } from './byte-order-mark.ts';
import { InputError } from './diagnostic.ts';
import { formatOf } from './format.ts';
import { hornQuestion } from './horn/front-end.ts';
import type { Question } from './question.ts';
import type { ReadOptions } from './read-options.ts';
import { systemQuestion } from './system-question.ts';
import { readVmt } from './vmt/reader.ts';

/**
 * Undefined if the text is a program. Throws an InputError, with line and column, if the text cannot be read, and an Unknown if
 * not within the limits.
 */
export function readSystem(file: string, given: string, options: ReadOptions): Question | undefined {
  const terms = new TermStore();
  const text = withoutMark(file, given);
  const checkpoint = new Checkpoint(options.budget);
  switch (formatOf(file, text, checkpoint)) {
    case 'btor2':
      return btor2Question(terms, file, text, checkpoint, options.warn);
    case 'vmt':
      return systemQuestion(file, 'vmt', readVmt(terms, file, text, { ...options, checkpoint }));
    case 'horn':
      return hornQuestion(terms, file, text, checkpoint);
    case 'llvm':
      return undefined;
    default:
      throw new InputError(
        file,
        1,
        1,
        'expected VMT, Horn clauses, BTOR2, C or LLVM IR, and this is none of them',
      );
  }
}
