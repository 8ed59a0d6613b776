/**
 * Keeps what the compiler makes of files in a folder, under the hash of all that it depends on: the version of the compiler, its
 * arguments and every text that it is given. What is in the folder and is not as it was written is ignored.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clang, Outcome } from '../formats/c/clang.ts';
import type { FileTree } from '../formats/c/clang-package.ts';
import { makeFolder, writeText } from './files.ts';

export function cachedClang(clang: Clang, version: string, folder: string): Clang {
  return {
    async run(args, files) {
      const path = join(folder, `${keyOf(version, args, files)}.json`);
      const known = kept(path);
      if (known !== undefined) return known;
      const outcome = await clang.run(args, files);
      if (outcome.succeeded) keep(folder, path, outcome);
      return outcome;
    },
  };
}

function keyOf(version: string, args: readonly string[], files: FileTree): string {
  return createHash('sha256')
    .update(JSON.stringify([version, args, files]))
    .digest('hex');
}

function kept(path: string): Outcome | undefined {
  try {
    const { output, messages } = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof output === 'string' && typeof messages === 'string')
      return { output, messages, succeeded: true };
  } catch {
    // It is not there, or not whole.
  }
  return undefined;
}

/** Another process may read or write the same file: it appears at once and as a whole. */
function keep(folder: string, path: string, { output, messages }: Outcome): void {
  makeFolder(folder);
  const unfinished = `${path}.${process.pid}`;
  writeText(unfinished, JSON.stringify({ output, messages }));
  renameSync(unfinished, path);
}
