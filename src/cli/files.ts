/**
 * Files as the commands read and write them: what the operating system says of a path that will not do becomes one
 * sentence for people, and paths to be written are looked at before the work starts, not after an hour of it.
 */
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A path that cannot be read or written. */
export class FileError extends Error {}

/** What is wrong with a path, by node's codes. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, and a file is expected',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links go round in a circle',
  ERR_STRING_TOO_LONG: 'it is too large, files of up to 512 MB can be read',
  ERR_FS_FILE_TOO_LARGE: 'it is too large, files of up to 512 MB can be read',
};
const WRITING: Readonly<Record<string, string>> = {
  ...READING,
  ENOENT: 'there is no such folder, make it first',
  EEXIST: 'it is a file, and a folder is expected',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

export function readText(path: string): string {
  return attempt('read', path, READING, () => readFileSync(path, 'utf8'));
}

export function readBytes(path: string): Uint8Array {
  return attempt('read', path, READING, () => readFileSync(path));
}

export function writeText(path: string, text: string): void {
  attempt('write', path, WRITING, () => writeFileSync(path, text));
}

/** One folder after the other: asked for all of them, node may go on for ever where none can be made. */
export function makeFolder(path: string): void {
  attempt('write to', path, WRITING, () => {
    const missing: string[] = [];
    for (
      let folder = path;
      statSync(folder, { throwIfNoEntry: false }) === undefined;
      folder = dirname(folder)
    ) {
      missing.unshift(folder);
    }
    for (const folder of missing) mkdirSync(folder);
  });
}

/** Complains about a file that cannot be written later on; nothing is written yet. */
export function expectWritable(path: string | undefined): void {
  if (path === undefined) return;
  attempt('write', path, WRITING, () => {
    if (path === '') throw new Error('the path is empty');
    const known = statSync(path, { throwIfNoEntry: false });
    if (known?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(known === undefined ? dirname(path) : path, constants.W_OK);
  });
}

/** The same about a folder, which need not exist yet. */
export function expectFolder(path: string | undefined): void {
  if (path === undefined) return;
  attempt('write to', path, WRITING, () => {
    if (path === '') throw new Error('the path is empty');
    let nearest = path; // the folder itself or the first above it that is there
    while (statSync(nearest, { throwIfNoEntry: false }) === undefined && dirname(nearest) !== nearest) {
      nearest = dirname(nearest);
    }
    if (!statSync(nearest).isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST' });
    accessSync(nearest, constants.W_OK);
  });
}

function attempt<T>(
  verb: string,
  path: string,
  reasons: Readonly<Record<string, string>>,
  action: () => T,
): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = path === '' ? 'the path is empty' : (reasons[code ?? ''] ?? message);
    throw new FileError(`euforia: cannot ${verb} ${path}: ${reason}`);
  }
}
