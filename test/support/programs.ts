/** C programs in tests: compiled by the real compiler, read by the front end, and run by evaluation. */
import * as clangPackage from '@yowasp/clang';
import { type Run, Runner, type RunOptions } from '../../src/core/run/runner.ts';
import { clangOf } from '../../src/formats/c/clang.ts';
import { type CompileOptions, compile } from '../../src/formats/c/compiler.ts';
import type { DataModel } from '../../src/formats/c/flags.ts';
import type { NamedText } from '../../src/formats/c/includes.ts';
import type { Check } from '../../src/formats/checks.ts';
import type { LlvmOptions } from '../../src/formats/llvm/front-end.ts';
import { readProgram } from '../../src/formats/programs.ts';
import type { Question } from '../../src/formats/question.ts';

const clang = clangOf(clangPackage);

export async function modulesOf(
  text: string,
  dataModel: DataModel = 'ilp32',
  checks: ReadonlySet<Check> = new Set(),
  included: Pick<CompileOptions, 'folders' | 'lookUp'> = { folders: [], lookUp: () => undefined },
): Promise<readonly NamedText[]> {
  const options = { dataModel, defines: [], ...included, checks };
  const { modules } = await compile(clang, [{ name: 'a.c', text }], options);
  return modules;
}

export function programQuestion(
  modules: readonly NamedText[],
  entry = 'main',
  options: Partial<LlvmOptions> = {},
): Question {
  return readProgram(modules, { strict: false, warn: () => {}, program: { ...options, entry } });
}

/** A run with inputs by chance. */
export function runOf({ problem }: Question, options: Partial<RunOptions> = {}): Run {
  const work = new Runner(problem, { steps: 1_000_000, seed: 0, asks: false, ...options }).run();
  for (;;) {
    const { done, value } = work.next(undefined);
    if (done === true) return value;
  }
}
