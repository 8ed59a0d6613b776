/**
 * Programs as questions: LLVM IR is read as it is, C is compiled first. This is the largest of the front ends, and few who
 * have a page of their own need it: the library loads it when it meets its first program, and no sooner.
 */
import { Checkpoint } from '../sat/checkpoint.ts';
import { TermStore } from '../term/store.ts';
import { withoutMark } from './byte-order-mark.ts';
import { clangOf } from './c/clang.ts';
import type { ClangPackage } from './c/clang-package.ts';
import { type CompileOptions, compile } from './c/compiler.ts';
import type { NamedText } from './c/includes.ts';
import { refuseSanitizers } from './checks.ts';
import { DEFAULT_LLVM_OPTIONS, llvmQuestion } from './llvm/front-end.ts';
import type { Question } from './question.ts';
import type { ReadOptions } from './read-options.ts';

/** A program whose modules are LLVM IR, named after the first of them. */
export function readProgram(modules: readonly NamedText[], { budget, program }: ReadOptions): Question {
  const options = { ...DEFAULT_LLVM_OPTIONS, ...program };
  const texts = modules.map(({ name, text }) => ({ name, text: withoutMark(name, text) }));
  return llvmQuestion(new TermStore(), modules[0].name, texts, options, new Checkpoint(budget));
}

/** A program that is one module, compiled by somebody else. */
export function readModule(module: NamedText, options: ReadOptions): Question {
  refuseSanitizers(module.name, options.program?.checks ?? new Set());
  return readProgram([module], options);
}

/** A program in C; the compiler runs in this thread. */
export async function readC(
  source: NamedText,
  compiler: ClangPackage,
  how: CompileOptions,
  options: ReadOptions,
): Promise<Question> {
  new Checkpoint(options.budget).pass();
  const { modules, warnings } = await compile(clangOf(compiler), [source], how);
  warnings.forEach(options.warn);
  return readProgram(modules, options);
}
