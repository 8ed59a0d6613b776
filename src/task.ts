/**
 * What a file asks, whatever its format: a transition system with properties, and how to speak of the answer in the file's
 * own terms. The format is known by what only it has, not by the file's name; the name decides where the text does not.
 */
import type { Property, System } from './core/system/system.ts';
import type { Encoding } from './horn/encode.ts';
import type { HornProblem } from './horn/problem.ts';
import { DEFAULT_HORN_OPTIONS, type HornSystem, hornSystem } from './horn/system.ts';
import { readBtor2 } from './input/btor2.ts';
import { InputError } from './input/diagnostic.ts';
import { isHorn, readHorn } from './input/horn.ts';
import { readVmt } from './input/vmt.ts';
import { TermStore } from './term/store.ts';

export interface Task {
  readonly file: string;
  readonly format: 'vmt' | 'btor2' | 'horn';
  readonly system: System;
  /** The clauses that the system stands for, if it comes from clauses. */
  readonly clauses: { readonly problem: HornProblem; readonly horn: HornSystem } | undefined;
}

export interface ReadOptions {
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict: boolean;
  readonly warn: (message: string) => void;
  /** How clauses become a system. */
  readonly encoding: Encoding;
}

/** What every BTOR2 file has, whatever it is called. */
const BTOR2_SORT = /^[ \t]*[0-9]+[ \t]+sort[ \t]+(bitvec|array)[ \t]/m;

/** What only VMT has, whatever the file is called. */
const VMT_ANNOTATION = /:(next|init|trans|invar-property)\s/;

/** Throws an InputError, with line and column, if the text cannot be read. */
export function readTask(file: string, text: string, options: ReadOptions): Task {
  const terms = new TermStore();
  if (/\.btor2?$/i.test(file) || BTOR2_SORT.test(text)) {
    return { file, format: 'btor2', system: readBtor2(terms, file, text), clauses: undefined };
  }
  if (isHorn(text)) {
    const problem = readHorn(terms, file, text);
    const horn = hornSystem(problem, { ...DEFAULT_HORN_OPTIONS, encoding: options.encoding });
    return { file, format: 'horn', system: horn.system, clauses: { problem, horn } };
  }
  if (!/\.vmt$/i.test(file) && !VMT_ANNOTATION.test(text)) {
    throw new InputError(file, 1, 1, 'expected VMT, Horn clauses or BTOR2, and this is none of them');
  }
  return { file, format: 'vmt', system: readVmt(terms, file, text, options), clauses: undefined };
}

/** The property with a number, or all of them. */
export function selectProperties({ file, system }: Task, index: number | undefined): readonly Property[] {
  if (index === undefined) return system.properties;
  const chosen = system.properties.filter(p => p.index === index);
  if (chosen.length > 0) return chosen;
  const known = system.properties.map(p => p.index).join(', ');
  throw new InputError(file, 1, 1, `there is no property ${index}: the file has ${known}`);
}
