/**
 * The C compiler in a process of its own. A call of WebAssembly cannot be interrupted, and node breaks down now and then if a
 * thread is ended in one; a process can be ended at any time, and takes its half a gigabyte of memory with it.
 *
 * The process gets the address of the compiler's package as its argument, says `loaded` once, and then answers each run with
 * its outcome.
 */
import { clangOf, loadClang, type Outcome } from '../formats/c/clang.ts';
import type { ClangPackage, FileTree } from '../formats/c/clang-package.ts';

/** A run that is asked for. */
export interface ClangRun {
  readonly args: readonly string[];
  readonly files: FileTree;
}

const say = (message: 'loaded' | Outcome) => process.send?.(message);

// The one that started this process may be ended itself.
process.on('disconnect', () => process.exit());

const clangPackage: ClangPackage = await import(process.argv[2]);
await loadClang(clangPackage);
say('loaded');
const clang = clangOf(clangPackage);
process.on('message', async ({ args, files }: ClangRun) => {
  say(await clang.run(args, files));
});
