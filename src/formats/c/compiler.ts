/**
 * From C to LLVM IR: each source file becomes a module of its own, as text. What the compiler complains about becomes an
 * InputError with the user's file, line and column; its warnings are returned.
 */

import { withoutMark } from '../byte-order-mark.ts';
import type { Check } from '../checks.ts';
import { InputError } from '../diagnostic.ts';
import type { Clang } from './clang.ts';
import { compilerArgs, type DataModel } from './flags.ts';
import { includedFiles, type NamedText } from './includes.ts';
import { layoutOf } from './layout.ts';
import { CompileError, readMessages } from './messages.ts';

export interface CompileOptions {
  readonly dataModel: DataModel;
  /** Macros, `NAME` or `NAME=VALUE`. */
  readonly defines: readonly string[];
  /** Where included files are looked for, after the folder of the file that includes them. */
  readonly folders: readonly string[];
  /** The text of a file that may be included, if there is such a file. */
  readonly lookUp: (path: string) => string | undefined;
  /** What the compiler instruments, if it is its business. */
  readonly checks?: ReadonlySet<Check>;
}

export interface Compiled {
  /** The modules in the order of the sources, with their names. */
  readonly modules: readonly NamedText[];
  /** As the compiler words them, each with its place. */
  readonly warnings: readonly string[];
}

export async function compile(
  clang: Clang,
  sources: readonly NamedText[],
  options: CompileOptions,
): Promise<Compiled> {
  const modules: NamedText[] = [];
  const warnings: string[] = [];
  const errors: InputError[] = [];
  for (const { name, text: given } of sources) {
    const source = { name, text: withoutMark(name, given) };
    const { files, args } = layoutOf([source, ...includedFiles(source, options)], options.folders);
    const { dataModel, defines, checks } = options;
    const outcome = await clang.run(compilerArgs(name, dataModel, defines, args, checks), files);
    const messages = readMessages(name, outcome.messages);
    warnings.push(...messages.warnings);
    errors.push(...messages.errors);
    if (!outcome.succeeded && messages.errors.length === 0)
      errors.push(new InputError(name, 1, 1, `the C compiler failed: ${outcome.messages.trim()}`));
    modules.push({ name, text: outcome.output });
  }
  if (errors.length > 0) throw new CompileError(errors);
  return { modules, warnings };
}
