/**
 * What a file asks, whatever its format: a transition system with properties, and how to speak of the answer in the file's
 * own terms.
 */
import type { Property, System } from './core/system/system.ts';
import type { Encoding } from './horn/encode.ts';
import type { HornProblem } from './horn/problem.ts';
import { DEFAULT_HORN_OPTIONS, type HornSystem, hornSystem } from './horn/system.ts';
import { readBtor2 } from './input/btor2.ts';
import { withoutMark } from './input/byte-order-mark.ts';
import { InputError } from './input/diagnostic.ts';
import { type Format, formatOf } from './input/format.ts';
import { readHorn } from './input/horn.ts';
import { readVmt } from './input/vmt.ts';
import type { Budget } from './sat/budget.ts';
import { Checkpoint } from './sat/checkpoint.ts';
import { TermStore } from './term/store.ts';

export interface Task {
  readonly file: string;
  readonly format: Format;
  readonly system: System;
  /** The clauses that the system stands for, if it comes from clauses. */
  readonly clauses: { readonly problem: HornProblem; readonly horn: HornSystem } | undefined;
}

export interface ReadOptions {
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict: boolean;
  readonly warn: (message: string) => void;
  /** How clauses become a system. */
  readonly encoding?: Encoding | undefined;
  /** The deadline and the signal of these limits count. */
  readonly budget?: Budget;
}

/** Throws an InputError, with line and column, if the text cannot be read, and a LimitReached if not within the limits. */
export function readTask(file: string, given: string, options: ReadOptions): Task {
  const terms = new TermStore();
  const text = withoutMark(file, given);
  const checkpoint = new Checkpoint(options.budget);
  const format = formatOf(file, text, checkpoint);
  switch (format) {
    case 'btor2':
      return { file, format, system: readBtor2(terms, file, text, checkpoint), clauses: undefined };
    case 'vmt':
      return {
        file,
        format,
        system: readVmt(terms, file, text, { ...options, checkpoint }),
        clauses: undefined,
      };
    case 'horn': {
      const problem = readHorn(terms, file, text, checkpoint);
      const horn = hornSystem(problem, {
        ...DEFAULT_HORN_OPTIONS,
        encoding: options.encoding ?? DEFAULT_HORN_OPTIONS.encoding,
        checkpoint,
      });
      return { file, format, system: horn.system, clauses: { problem, horn } };
    }
    default:
      throw new InputError(file, 1, 1, 'expected VMT, Horn clauses or BTOR2, and this is none of them');
  }
}

/** The property with a number, or all of them. */
export function selectProperties({ file, system }: Task, index: number | undefined): readonly Property[] {
  if (index === undefined) return system.properties;
  const chosen = system.properties.filter(p => p.index === index);
  if (chosen.length > 0) return chosen;
  const known = system.properties.map(p => p.index).join(', ');
  throw new InputError(file, 1, 1, `there is no property ${index}: the file has ${known}`);
}
