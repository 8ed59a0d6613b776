/**
 * `npm run bench -- calls [--quick] [--plot FILE]`: the benchmark of Figure 5.8a of the dissertation, a function with a loop and an assertion that is called n
 * times. With its body copied for each call, with callers that wait for one body, and with a summary: lemmas and time, by n. Other means
 * that would make the loop trivial are switched off, the same for all. The plot is of times, as Figure 5.8b is.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plot } from '../support/plot.ts';
import { table } from '../support/table.ts';

const COMMAND = 'dist/euforia.cjs';
const COUNTS = [2, 5, 10, 25, 50, 100];
const QUICK_COUNTS = [2, 5, 10];
const LIMIT = 60; // s
const COMMON = ['--accelerate', 'off', '--facts', 'off', '--stats', '--timeout', String(LIMIT)];

const WAYS: Readonly<Record<string, readonly string[]>> = {
  inline: ['--calls', 'inline', '--engines', 'abstract'],
  wait: ['--calls', 'wait', '--engines', 'abstract'],
  summaries: ['--calls', 'wait', '--engines', 'abstract', '--waiting', 'off'],
};

export async function benchCalls(args: readonly string[]): Promise<void> {
  if (!existsSync(COMMAND)) {
    console.log('skipped, run `npm run build` first');
    return;
  }
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.bench-'));
  try {
    const counts = args.includes('--quick') ? QUICK_COUNTS : COUNTS;
    const results = counts.map(n => {
      const file = join(folder, `calls-${n}.c`);
      writeFileSync(file, program(n));
      return { n, ways: Object.values(WAYS).map(options => measured(file, options)) };
    });
    const names = Object.keys(WAYS);
    const heads = names.flatMap(way => [way, 'lemmas', 's']);
    const rows = results.map(({ n, ways }) => [
      String(n),
      ...ways.flatMap(w => [w.verdict, w.lemmas, w.seconds.toFixed(1)]),
    ]);
    console.log(table([['calls', ...heads], ...rows], 0));
    const at = args.indexOf('--plot');
    if (at < 0) return;
    const lines = names.map((name, i) => ({
      name,
      points: results.filter(r => r.ways[i].verdict === 'safe').map(r => [r.n, r.ways[i].seconds] as const),
    }));
    writeFileSync(
      args[at + 1],
      plot('Time by the number of calls', ['calls of the function', 'seconds'], lines),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The function is the dissertation's in kind: two variables that move together, and an assertion that ties them. */
function program(calls: number): string {
  return `extern void __VERIFIER_error(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
void loop(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 2; }
  if (y != x + x) __VERIFIER_error();
}
int main(void) {
${'  loop();\n'.repeat(calls)}  return 0;
}
`;
}

interface Measured {
  readonly verdict: string;
  readonly lemmas: string;
  readonly seconds: number;
}

function measured(file: string, options: readonly string[]): Measured {
  const start = performance.now();
  const { stdout } = spawnSync(process.execPath, [COMMAND, 'check', file, ...COMMON, ...options], {
    encoding: 'utf8',
  });
  const seconds = (performance.now() - start) / 1000;
  const by = /^; found by +(.*)$/m.exec(stdout)?.[1] ?? '';
  const line = stdout.split('\n').find(l => l.startsWith(`; ${by} lemmas `));
  return { verdict: stdout.split('\n')[0], lemmas: line?.split(' ').at(-1) ?? '', seconds };
}
