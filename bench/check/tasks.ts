/** The tasks: rows of the corpus' list, chosen by the beginning of their paths and thinned out evenly. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CORPUS = '../shared/corpus';
const LIST = join(CORPUS, 'MANIFEST.tsv');

export type Expected = 'safe' | 'unsafe' | 'unknown'; // unknown: nobody's verdict is known

export interface Task {
  readonly path: string; // inside the corpus
  readonly format: string;
  readonly expected: Expected;
  readonly trust: string; // of the expected verdict, from A to C
}

/** All tasks there are, or nothing if the corpus is not there. */
export function readTasks(): Task[] | undefined {
  return existsSync(LIST) ? parseList(readFileSync(LIST, 'utf8')) : undefined;
}

export function taskFile(task: Task): string {
  return join(CORPUS, task.path);
}

/** The first two folders, which is where the corpus keeps what has one origin. */
export function familyOf({ path }: Task): string {
  return path.split('/', 2).join('/');
}

/** Columns are found by their names. */
export function parseList(text: string): Task[] {
  const [heads, ...rows] = text
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t'));
  const column = (name: string) => {
    const index = heads.indexOf(name);
    if (index < 0) throw new Error(`the list of tasks has no column '${name}'`);
    return index;
  };
  const [path, format, expected, trust] = ['path', 'format', 'expected', 'trust'].map(column);
  return rows.map(row => ({
    path: row[path],
    format: row[format],
    expected: asExpected(row[expected]),
    trust: row[trust],
  }));
}

function asExpected(text: string): Expected {
  return text === 'safe' || text === 'unsafe' ? text : 'unknown';
}

/** Tasks whose path begins with one of the prefixes, in the order of the list. */
export function startingWith(prefixes: readonly string[], tasks: readonly Task[]): Task[] {
  return tasks.filter(({ path }) => prefixes.some(prefix => path.startsWith(prefix)));
}

/** At most so many, at even distances from each other. */
export function spread<T>(count: number, all: readonly T[]): T[] {
  if (count >= all.length) return [...all];
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
}
