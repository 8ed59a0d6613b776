/** Reads a file as a task; what is odd about it goes to standard error. */
import { readFileSync } from 'node:fs';
import type { Encoding } from '../horn/encode.ts';
import { readTask, type Task } from '../task.ts';

export function readTaskFile(path: string, strict: boolean, encoding: Encoding = 'functional'): Task {
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  return readTask(path, readFileSync(path, 'utf8'), { strict, warn, encoding });
}
