/**
 * Clang as the front end calls it: a function that takes arguments and a tree of files and returns what went to standard output
 * and to standard error. The package `@yowasp/clang`, Clang as WebAssembly, is loaded by the caller, who knows where it is; no
 * more than the shape of its function is known here.
 */
import type { ClangPackage, FileTree } from './clang-package.ts';
import { Collector, withQuickOutput } from './quick-output.ts';

/** The package that is known to do, exactly: other versions word their output otherwise. */
export const CLANG_PACKAGE = '@yowasp/clang';
export const CLANG_VERSION = '22.0.0-git20542-10';

export interface Outcome {
  readonly output: string;
  /** What the compiler says of the text, and of itself. */
  readonly messages: string;
  readonly succeeded: boolean;
}

export interface Clang {
  /** Runs the compiler once. A Clang that knows limits throws an Unknown when one is reached. */
  run(args: readonly string[], files: FileTree): Promise<Outcome>;
}

/** To be awaited before the first run. Without somebody to hear of progress, the package would tell the console. */
export async function loadClang({ runLLVM }: ClangPackage): Promise<void> {
  await runLLVM(undefined, undefined, { fetchProgress: () => {} });
}

/**
 * The package in this thread. A run cannot be interrupted; it takes 0.1 s for a small text and 1 s for half a megabyte, the first
 * one three times as long.
 */
export function clangOf(clang: ClangPackage): Clang {
  return {
    async run(args, files) {
      await loadClang(clang);
      const [stdout, stderr] = [new Collector(), new Collector()];
      let failure: string | undefined;
      try {
        await withQuickOutput(stdout, () =>
          clang.runLLVM([...args], files, {
            stdout: bytes => stdout.add(bytes),
            stderr: bytes => stderr.add(bytes),
            decodeASCII: false,
          }),
        );
      } catch (error) {
        failure = failureOf(error);
      }
      const messages = stderr.text();
      return {
        output: stdout.text(),
        messages: failure === undefined ? messages : `${messages}${failure}`,
        succeeded: failure === undefined,
      };
    },
  };
}

/** An exit with a status has said why; anything else thrown is the compiler's own failure. */
function failureOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code === 'number') return '';
  if (/call stack|recursion/i.test(message ?? ''))
    return 'fatal error: it is nested too deeply for the C compiler\n';
  return `fatal error: the C compiler failed: ${message ?? String(error)}\n`;
}
