/** What answers are worth, task by task, and the numbers that sum them up. */
import { geometricMean, seconds } from '../support/table.ts';
import type { Answer } from './engines.ts';
import { familyOf, type Task } from './tasks.ts';

/** In the order of the tables. `unlabelled`: a verdict where nobody's is known. */
export const GRADES = ['right', 'wrong', 'unlabelled', 'unknown', 'timeout', 'error', 'no peer'] as const;
export type Grade = (typeof GRADES)[number];

export interface Result extends Answer {
  readonly grade: Grade;
}

export interface Row {
  readonly task: Task;
  /** By the engine's name; of a task that was interrupted, some are missing. */
  readonly results: ReadonlyMap<string, Result>;
}

/** A wrong answer is wrong whenever it comes; any other that comes too late, and be it `unknown`, is none. */
export function grade({ expected }: Task, { verdict, ms }: Answer, limitMs: number): Grade {
  if (verdict === 'timeout' || verdict === 'error' || verdict === 'no peer') return verdict;
  if (verdict !== 'unknown' && expected !== 'unknown' && verdict !== expected) return 'wrong';
  if (ms > limitMs) return 'timeout';
  if (verdict === 'unknown') return 'unknown';
  return expected === 'unknown' ? 'unlabelled' : 'right';
}

export function isSolved(result: Result | undefined): result is Result {
  return result?.grade === 'right' || result?.grade === 'unlabelled';
}

function isVerdict({ verdict }: Answer): boolean {
  return verdict === 'safe' || verdict === 'unsafe';
}

/** All the engines were asked about the task. */
export function isCommon({ results }: Row, engines: readonly string[]): boolean {
  return engines.every(name => (results.get(name)?.grade ?? 'no peer') !== 'no peer');
}

/** One engine's results, where it has any. */
export function resultsOf(engine: string, rows: readonly Row[]): Result[] {
  return rows.flatMap(({ results }) => results.get(engine) ?? []);
}

// ---- tables ----

/** A family's engines stand below each other; what all families have together comes last. */
export function summaryTable(rows: readonly Row[], engines: readonly string[]): string[][] {
  const families = new Map<string, Row[]>();
  for (const row of rows) {
    const family = familyOf(row.task);
    families.set(family, [...(families.get(family) ?? []), row]);
  }
  if (families.size > 1) families.set('all', [...rows]);
  const lines = [...families].flatMap(([family, members]) =>
    engines.map(engine => summaryLine(family, engine, resultsOf(engine, members))),
  );
  return [['family', 'engine', 'tasks', ...GRADES, 's'], ...lines];
}

function summaryLine(family: string, engine: string, results: readonly Result[]): string[] {
  const counts = GRADES.map(grade => results.filter(result => result.grade === grade).length);
  const ms = results.reduce((sum, result) => sum + result.ms, 0);
  return [
    family,
    engine,
    String(results.length),
    ...counts.map(n => (n === 0 ? '' : String(n))),
    seconds(ms),
  ];
}

/** Two engines on the tasks that both were asked about. */
export interface Comparison {
  readonly ours: string;
  readonly rival: string;
  readonly both: number; // solved
  readonly ratio: string; // the geometric mean of our time / the rival's, where both solve
  readonly onlyOurs: number;
  readonly onlyRival: number;
  readonly disagreements: readonly string[]; // paths
}

export function compare(rows: readonly Row[], ours: string, rival: string): Comparison {
  const ratios: number[] = [];
  const disagreements: string[] = [];
  let onlyOurs = 0;
  let onlyRival = 0;
  for (const { task, results } of rows) {
    const a = results.get(ours);
    const b = results.get(rival);
    if (a === undefined || b === undefined || b.grade === 'no peer') continue;
    if (isSolved(a) && isSolved(b)) ratios.push(a.ms / b.ms);
    else if (isSolved(a)) onlyOurs++;
    else if (isSolved(b)) onlyRival++;
    if (isVerdict(a) && isVerdict(b) && a.verdict !== b.verdict) disagreements.push(task.path);
  }
  const both = ratios.length;
  return { ours, rival, both, ratio: geometricMean(ratios), onlyOurs, onlyRival, disagreements };
}

export function comparisonText({ ours, rival, both, ratio, ...rest }: Comparison): string {
  const { onlyOurs, onlyRival, disagreements } = rest;
  const only = `only ${ours}: ${onlyOurs}; only ${rival}: ${onlyRival}`;
  const mean = both === 0 ? '' : ` (time ${ours} / ${rival}, geometric mean: ${ratio})`;
  const listed = disagreements.map(path => `\n  they disagree on ${path}`).join('');
  return `${ours} and ${rival} both solve ${both}${mean}; ${only}${listed}`;
}

/** The wrong answers of one engine, a line each. */
export function wrongAnswers(rows: readonly Row[], engine: string): string[] {
  return rows.flatMap(({ task, results }) => {
    const result = results.get(engine);
    if (result?.grade !== 'wrong') return [];
    return [
      `${engine} says ${result.verdict}, expected ${task.expected} (trust ${task.trust}): ${task.path}`,
    ];
  });
}

export function tsvHeads(engines: readonly string[]): string {
  const heads = engines.flatMap(name => ['verdict', 'grade', 's', 'note'].map(head => `${name} ${head}`));
  return ['path', 'format', 'expected', 'trust', ...heads].join('\t');
}

export function tsvLine({ task, results }: Row, engines: readonly string[]): string {
  const cells = engines.flatMap(name => {
    const result = results.get(name);
    if (result === undefined) return ['', '', '', ''];
    return [result.verdict, result.grade, seconds(result.ms), result.note.replaceAll('\t', ' ')];
  });
  return [task.path, task.format, task.expected, task.trust, ...cells].join('\t');
}
