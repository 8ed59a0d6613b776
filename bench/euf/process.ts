/** Solvers as processes of their own: the answers they print, and how long they take from start to exit. */
import { spawnSync } from 'node:child_process';

export interface Run {
  readonly ms: number;
  readonly answers: readonly string[]; // the lines `sat`, `unsat` and `unknown`, in order
  readonly isStopped: boolean; // the time limit was over
  readonly errors: string; // the lines that are neither answers nor cores, and what came on stderr
}

export function runProcess(command: string, args: readonly string[], limitMs: number): Run {
  const start = performance.now();
  const { stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
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
