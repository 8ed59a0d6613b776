/** Reads a file as a task; what is odd about it goes to standard error. */
import { type ReadOptions, readTask, type Task } from '../task.ts';
import { readText } from './files.ts';

export function readTaskFile(path: string, options: Omit<ReadOptions, 'warn'>): Task {
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  return readTask(path, readText(path), { ...options, warn });
}
