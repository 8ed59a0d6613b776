/** Reads the text of a call as a question, by what is in it where no name says what it is. */
import { DATA_MODELS } from '../formats/c/flags.ts';
import { checksOf } from '../formats/checks.ts';
import { InputError } from '../formats/diagnostic.ts';
import { isC, looksLikeC } from '../formats/format.ts';
import type { Question } from '../formats/question.ts';
import type { ReadOptions as Reading } from '../formats/read-options.ts';
import { readSystem } from '../formats/systems.ts';
import type { Budget } from '../sat/budget.ts';
import type { ReadOptions } from './options.ts';

/** Throws an InputError, with line and column, if the text cannot be read, and an Unknown if not within the limits. */
export async function readText(text: string, options: ReadOptions, budget: Budget): Promise<Question> {
  const file = options.file ?? (looksLikeC(text) ? 'input.c' : 'input');
  const { compiler, entry, externals, malloc, floats, slice, blocks, calls } = options;
  const checks = checksOf(options.checks ?? []);
  const all: Reading = {
    strict: options.strict === true,
    warn: options.onWarning ?? (() => {}),
    budget,
    program: {
      ...(entry === undefined ? {} : { entry }),
      ...(externals === undefined ? {} : { externals }),
      ...(malloc === undefined ? {} : { malloc }),
      ...(floats === undefined ? {} : { floats }),
      ...(slice === undefined ? {} : { slice }),
      ...(blocks === undefined ? {} : { blocks }),
      ...(calls === undefined ? {} : { calls }),
      checks,
    },
  };
  const system = isC(file) ? undefined : readSystem(file, text, all);
  if (system !== undefined) return system;
  const source = { name: file, text };
  if (!isC(file)) return (await programs()).readModule(source, all);
  if (compiler === undefined)
    throw new InputError(file, 1, 1, 'C needs a compiler: hand over the package @yowasp/clang as `compiler`');
  const how = {
    dataModel: options.dataModel ?? DATA_MODELS[0],
    defines: options.defines ?? [],
    folders: options.includeFolders ?? [],
    lookUp: options.lookUp ?? (() => undefined),
    checks,
  };
  return (await programs()).readC(source, compiler, how, all);
}

/** A quarter of the library, which only programs need. */
function programs() {
  return import('../formats/programs.ts');
}
