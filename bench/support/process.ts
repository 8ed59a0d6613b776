/**
 * Solvers as processes of their own, with the answers they print and how long they take from start to exit; and our
 * own workers, which print what they measured as JSON.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Run {
  readonly ms: number;
  readonly answers: readonly string[]; // the lines `sat`, `unsat` and `unknown`, in order
  readonly isStopped: boolean; // the time limit was over
  readonly errors: string; // the lines that are neither answers nor cores, and what came on stderr
}

export function runProcess(command: string, args: readonly string[], limitMs: number): Run {
  const start = performance.now();
  const { stdout, stderr, error } = spawnText(command, args, limitMs);
  const ms = performance.now() - start;
  const lines = (stdout ?? '').split('\n').map(line => line.trim());
  const isAnswer = (line: string) => line === 'sat' || line === 'unsat' || line === 'unknown';
  return {
    ms,
    answers: lines.filter(isAnswer),
    isStopped: error !== undefined && 'code' in error && error.code === 'ETIMEDOUT',
    errors: [...lines.filter(line => line.startsWith('(error')), stderr ?? ''].join('\n').trim(),
  };
}

export function hasZ3(): boolean {
  return spawnSync('z3', ['--version']).error === undefined;
}

/** Runs a script; nothing if there is no z3. */
export type Z3 = (script: string, limitMs: number) => Run | undefined;

/** z3 on scripts that it finds in the given folder. */
export function z3In(folder: string): Z3 {
  if (!hasZ3()) return () => undefined;
  return (script, limitMs) => {
    const file = join(folder, 'script.smt2');
    writeFileSync(file, script);
    return runProcess('z3', [file], limitMs);
  };
}

/** What a worker measured, or why there is nothing. */
export type Outcome<T> = T | { readonly failure: string };

/** Node's own options, if any, stand before the worker's path. */
export function runWorker<T extends object>(args: readonly string[], limitMs: number): Outcome<T> {
  const { stdout, stderr, error } = spawnText(process.execPath, args, limitMs);
  if (error !== undefined) return { failure: `> ${limitMs / 1000}` };
  if (stdout !== '') return JSON.parse(stdout) as T;
  console.error(`${args.join(' ')}: ${/^\w*Error:.*$/m.exec(stderr)?.[0] ?? stderr}`);
  process.exitCode = 1;
  return { failure: 'error' };
}

function spawnText(command: string, args: readonly string[], limitMs: number) {
  return spawnSync(command, args, {
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
}
