/**
 * Reads files as a question: one file of any format, or several of C and LLVM IR, which make one program. What is odd about
 * them goes to standard error, unless somebody else wants to hear of it.
 */
import { readFileSync } from 'node:fs';
import { compile } from '../formats/c/compiler.ts';
import type { DataModel } from '../formats/c/flags.ts';
import type { NamedText } from '../formats/c/includes.ts';
import { refuseSanitizers } from '../formats/checks.ts';
import { isC, isLlvm } from '../formats/format.ts';
import type { LlvmOptions } from '../formats/llvm/front-end.ts';
import { readProgram } from '../formats/programs.ts';
import type { Question } from '../formats/question.ts';
import { readQuestion } from '../formats/read.ts';
import { ClangProcess, findClang } from './clang.ts';
import { cachedClang } from './clang-cache.ts';
import { expectFolder, readText } from './files.ts';
import { Limits } from './limits.ts';
import { ProgressLine } from './progress.ts';
import { namedInput, readStandardInput, STANDARD_INPUT } from './standard-input.ts';

/** How a program is read. */
export interface ProgramOptions {
  readonly dataModel: DataModel;
  /** The function that the program starts with. */
  readonly entry: string;
  /** Is what has no bearing on errors left out? */
  readonly slice: LlvmOptions['slice'];
  readonly calls: LlvmOptions['calls'];
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** Are the compiler's warnings shown? */
  readonly warnings: boolean;
  /** The folder where compiled files are kept. */
  readonly cache: string | undefined;
  /** What of undefined behaviour is an error. */
  readonly checks: LlvmOptions['checks'];
  readonly externals: LlvmOptions['externals'];
  readonly malloc: LlvmOptions['malloc'];
  readonly floats: LlvmOptions['floats'];
  readonly blocks: LlvmOptions['blocks'];
}

export interface ReadFileOptions extends ProgramOptions {
  readonly strict: boolean;
  readonly quiet?: boolean;
  /** None of the limits holds without them. */
  readonly limits?: Limits;
  /** The text of standard input, if it has been read. */
  readonly standardInput?: string | undefined;
  readonly warn?: (line: string) => void;
}

/** Is a file a part of a program, of which there may be several? */
export function isProgram(path: string): boolean {
  return isC(path) || isLlvm(path);
}

export async function readQuestionFile(
  paths: readonly string[],
  options: ReadFileOptions,
): Promise<Question> {
  const {
    strict,
    limits,
    entry,
    checks,
    externals,
    malloc,
    floats,
    blocks,
    slice,
    calls,
    warn = toStandardError,
  } = options;
  const budget = limits?.budget ?? {};
  const program = { entry, checks, externals, malloc, floats, blocks, slice, calls };
  const read = { strict, warn, budget, program };
  const files = await Promise.all(paths.map(path => source(path, options)));
  for (const path of paths) if (isLlvm(path)) refuseSanitizers(path, checks);
  if (!files.some(f => isC(f.name)))
    return files.length > 1 ? readProgram(files, read) : readQuestion(files[0].name, files[0].text, read);
  return readProgram(await compiled(files, options, warn), read);
}

async function source(path: string, { standardInput }: ReadFileOptions): Promise<NamedText> {
  if (path !== STANDARD_INPUT) return { name: slashed(path), text: readText(path) };
  return namedInput(standardInput ?? (await readStandardInput()));
}

/** The files with C in them compiled, the others as they are. */
async function compiled(
  files: readonly NamedText[],
  options: ReadFileOptions,
  warn: (line: string) => void,
): Promise<NamedText[]> {
  const { cache, limits, dataModel } = options;
  expectFolder(cache);
  const { url, version } = findClang();
  const quiet = options.quiet === true;
  const own = new ClangProcess(url, limits ?? new Limits(undefined, undefined), new ProgressLine(quiet));
  const clang = cache === undefined ? own : cachedClang(own, version, cache);
  const onInterrupt = () => limits?.interrupt();
  if (limits !== undefined) process.on('SIGINT', onInterrupt);
  try {
    const { modules, warnings } = await compile(
      clang,
      files.filter(f => isC(f.name)),
      {
        dataModel,
        defines: options.define,
        folders: options.include.map(slashed),
        lookUp,
        checks: options.checks,
      },
    );
    if (options.warnings) warnings.forEach(warn);
    return files.map(f => modules.find(m => m.name === f.name) ?? f);
  } finally {
    process.off('SIGINT', onInterrupt);
    own.stop();
  }
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Whatever is in the way of reading it, the compiler will miss it. */
function lookUp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The compiler knows forward slashes only; Windows knows them too. */
function slashed(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
