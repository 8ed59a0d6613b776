/**
 * What is measured: our command with some options, and z3's Spacer. Each question is a process of its own, timed from
 * start to exit. Spacer reads Horn clauses, so a VMT file is translated first, which costs it nothing; where the
 * translator gives up there is nothing to compare with, and that is not held against Spacer.
 */
import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Task, taskFile } from './tasks.ts';

const TRANSLATOR = '../shared/tools/vmt2chc.py';
const TRANSLATION_LIMIT = 60_000; // ms
const GRACE = 3000; // ms after which what overruns its own time limit is killed
const OUTPUT_LIMIT = 1 << 28; // bytes
const SYNTAX_ERROR = /^\(error "line \d/; // as z3 says it
const NOTE_LENGTH = 200;

/** The last: the engine cannot be asked. */
export type Verdict = 'safe' | 'unsafe' | 'unknown' | 'timeout' | 'error' | 'no peer';

export interface Answer {
  readonly verdict: Verdict;
  readonly ms: number;
  readonly note: string; // why there is no verdict, in a line
}

export interface Engine {
  readonly name: string;
  run(task: Task, signal: AbortSignal): Promise<Answer>;
}

/** The bundled command line with options, besides those that every run has. */
export function euforia(name: string, command: string, options: readonly string[], seconds: number): Engine {
  const limits = ['--timeout', String(seconds), '--quiet', '--json'];
  return {
    name,
    run: async (task, signal) => {
      const args = [command, 'check', taskFile(task), ...limits, ...options];
      return ourAnswer(await runTool(process.execPath, args, 1000 * seconds + GRACE, signal));
    },
  };
}

/** Nothing if z3 is not installed. */
export function z3Version(): string | undefined {
  const { stdout } = spawnSync('z3', ['--version'], { encoding: 'utf8' });
  return /version (\S+)/.exec(stdout ?? '')?.[1];
}

/** Translations are kept in the given folder while they are needed. */
export function spacer(folder: string, seconds: number): Engine {
  const ask = async (file: string, signal: AbortSignal) =>
    runTool('z3', [`-T:${seconds}`, file], 1000 * seconds + GRACE, signal);
  return {
    name: 'Spacer',
    run: async (task, signal) => {
      const { path, format } = task;
      if (format === 'chc' || format === 'chc-rel')
        return spacerAnswer(format, await ask(taskFile(task), signal));
      if (format !== 'vmt') return noPeer(`Spacer does not read ${format}`);
      const horn = await runTool('python3', [TRANSLATOR, taskFile(task)], TRANSLATION_LIMIT, signal);
      if (horn.failure !== undefined) return noPeer(`not translated: ${lastLine(horn.stderr)}`);
      const file = join(folder, path.replaceAll('/', '_'));
      writeFileSync(file, horn.stdout);
      try {
        const answer = spacerAnswer('chc', await ask(file, signal));
        return SYNTAX_ERROR.test(answer.note) ? noPeer(`not translated well: ${answer.note}`) : answer;
      } finally {
        rmSync(file);
      }
    },
  };
}

function noPeer(note: string): Answer {
  return { verdict: 'no peer', ms: 0, note: note.slice(0, NOTE_LENGTH) };
}

// ---- processes and what they say ----

export interface Output {
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly failure: 'killed' | 'failed' | undefined;
}

function runTool(
  command: string,
  args: readonly string[],
  limitMs: number,
  signal: AbortSignal,
): Promise<Output> {
  const start = performance.now();
  return new Promise(resolve => {
    const options = { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_LIMIT, signal } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      const ms = performance.now() - start;
      const failure = error === null ? undefined : error.killed && ms >= limitMs ? 'killed' : 'failed';
      resolve({ ms, stdout, stderr: stderr || (error?.message ?? ''), failure });
    });
  });
}

interface Report {
  readonly verdict: 'safe' | 'unsafe' | 'unknown';
  readonly properties: readonly { readonly reason?: string }[];
}

export function ourAnswer({ ms, stdout, stderr, failure }: Output): Answer {
  if (failure === 'killed') return { verdict: 'timeout', ms, note: 'killed after the time limit' };
  if (failure === 'failed') return { verdict: 'error', ms, note: firstLine(stderr) };
  const { verdict, properties } = JSON.parse(stdout) as Report;
  const reasons = properties.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  if (verdict !== 'unknown') return { verdict, ms, note: '' };
  const isLate = reasons.some(reason => reason.includes('time limit'));
  return { verdict: isLate ? 'timeout' : 'unknown', ms, note: firstLine(reasons.join('; ')) };
}

/**
 * `(check-sat)` over Horn clauses says `sat` when there is a solution, so that no error can be derived; `(query R)` says
 * `sat` when R can be.
 */
export function spacerAnswer(format: 'chc' | 'chc-rel', { ms, stdout, stderr, failure }: Output): Answer {
  const lines = stdout.split('\n').map(line => line.trim());
  const last = lines.filter(line => /^(sat|unsat|unknown|timeout)$/.test(line)).pop();
  const note = firstLine(lines.find(line => line.startsWith('(error')) ?? stderr);
  switch (last) {
    case 'sat':
      return { verdict: format === 'chc' ? 'safe' : 'unsafe', ms, note: '' };
    case 'unsat':
      return { verdict: format === 'chc' ? 'unsafe' : 'safe', ms, note: '' };
    case 'unknown':
    case 'timeout':
      return { verdict: last, ms, note };
    default:
      return { verdict: failure === 'killed' ? 'timeout' : 'error', ms, note };
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0].slice(0, NOTE_LENGTH);
}

function lastLine(text: string): string {
  return text.trim().split('\n').pop() ?? '';
}
