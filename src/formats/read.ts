/** Reads a text as a question, by the front end of the format that it is in. */
import type { Budget } from '../sat/budget.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { TermStore } from '../term/store.ts';
import { btor2Question } from './btor2/front-end.ts';
import { withoutMark } from './byte-order-mark.ts';
import type { NamedText } from './c/includes.ts';
import { refuseSanitizers } from './checks.ts';
import { InputError } from './diagnostic.ts';
import { formatOf } from './format.ts';
import { hornQuestion } from './horn/front-end.ts';
import { DEFAULT_LLVM_OPTIONS, type LlvmOptions, llvmQuestion } from './llvm/front-end.ts';
import type { PropertyName, Question } from './question.ts';
import { systemQuestion } from './system-question.ts';
import { readVmt } from './vmt/reader.ts';

export interface ReadOptions {
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict: boolean;
  readonly warn: (message: string) => void;
  /** The deadline and the signal of these limits count. */
  readonly budget?: Budget;
  /** What there is to say about programs. */
  readonly program?: Partial<LlvmOptions>;
}

/** Throws an InputError, with line and column, if the text cannot be read, and an Unknown if not within the limits. */
export function readQuestion(file: string, given: string, options: ReadOptions): Question {
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
      refuseSanitizers(file, options.program?.checks ?? new Set());
      return readProgram([{ name: file, text }], options);
    default:
      throw new InputError(
        file,
        1,
        1,
        'expected VMT, Horn clauses, BTOR2, C or LLVM IR, and this is none of them',
      );
  }
}

/** A program whose modules are LLVM IR, named after the first of them. */
export function readProgram(modules: readonly NamedText[], { budget, program }: ReadOptions): Question {
  const options = { ...DEFAULT_LLVM_OPTIONS, ...program };
  const texts = modules.map(({ name, text }) => ({ name, text: withoutMark(name, text) }));
  return llvmQuestion(new TermStore(), modules[0].name, texts, options, new Checkpoint(budget));
}

/** What to ask about: the property with a number or a name, or all of them. */
export function selectProperties(
  { file, properties, areTogether }: Question,
  wanted: number | string | undefined,
): readonly PropertyName[] {
  if (wanted === undefined) return areTogether === true ? properties.slice(0, 1) : properties;
  const chosen = properties.filter(p => p.index === wanted || p.name === wanted);
  if (chosen.length > 0) return chosen;
  const named = ({ index, name }: PropertyName) => (name === undefined ? `${index}` : `${index} (${name})`);
  const missing = typeof wanted === 'number' ? wanted : `'${wanted}'`;
  const known = properties.map(named).join(', ');
  throw new InputError(file, 1, 1, `there is no property ${missing}: the file has ${known}`);
}
