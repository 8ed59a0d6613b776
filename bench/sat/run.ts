/**
 * `npm run bench -- sat [--quick]`: the SAT engine against logic-solver (MiniSat in JavaScript), cadical-wasm and, if it
 * is installed, native MiniSat. Each measurement is the best of two fresh processes, bundled alike for all.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withWorker } from '../bundle.ts';
import { type Instance, oneShotInstances } from './families.ts';
import { incrementalStreams } from './incremental.ts';
import type { PeerName } from './peers.ts';

const TIME_LIMIT = 300_000; // ms for one process
const REPEAT = 2;
const OURS = 'euforia';

interface Row {
  readonly family: string;
  readonly name: string;
  readonly answer: string;
  readonly ms: Record<string, number>; // by solver
}

export async function benchSat(args: readonly string[]): Promise<void> {
  const isQuick = args.includes('--quick');
  await withWorker(new URL('./worker.ts', import.meta.url), (worker, folder) => {
    const hasMiniSat = spawnSync('minisat', ['--help']).error === undefined;
    const measure = (peer: PeerName, family: string, index: number) =>
      measureWorker(worker, peer, family, index, isQuick);
    const rows: Row[] = [];
    oneShotInstances(isQuick).forEach((instance, index) => {
      const answers = new Map<string, { ms: number; answer: string }>();
      for (const peer of ['euforia', 'logic-solver', 'cadical-wasm'] as const)
        answers.set(peer, measure(peer, 'one-shot', index));
      if (hasMiniSat) answers.set('minisat', measureMiniSat(instance, folder));
      rows.push(rowOf(instance.family, instance.name, answers));
      process.stderr.write('.');
    });
    incrementalStreams(isQuick).forEach((stream, index) => {
      const answers = new Map<string, { ms: number; answer: string }>();
      for (const peer of ['euforia', 'cadical-wasm'] as const)
        answers.set(peer, measure(peer, 'incremental', index));
      rows.push(rowOf('incremental', stream.name, answers));
      process.stderr.write('.');
    });
    process.stderr.write('\n');
    console.log(table(rows));
  });
}

function measureWorker(worker: string, peer: PeerName, family: string, index: number, isQuick: boolean) {
  let best: { ms: number; answer: string } | undefined;
  for (let i = 0; i < REPEAT; i++) {
    const args = [worker, peer, family, String(index), ...(isQuick ? ['--quick'] : [])];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: TIME_LIMIT });
    if (stdout === '') throw new Error(`${peer} on ${family} ${index}: ${stderr || 'time limit'}`);
    const measured = JSON.parse(stdout) as { ms: number; answer: string };
    if (best === undefined || measured.ms < best.ms) best = measured;
  }
  return best!;
}

function measureMiniSat(instance: Instance, folder: string): { ms: number; answer: string } {
  const file = join(folder, 'instance.cnf');
  const body = instance.clauses.map(clause => `${clause.join(' ')} 0\n`).join('');
  writeFileSync(file, `p cnf ${instance.varCount} ${instance.clauses.length}\n${body}`);
  let ms = Number.POSITIVE_INFINITY;
  let status: number | null = null;
  for (let i = 0; i < REPEAT; i++) {
    const start = performance.now();
    ({ status } = spawnSync('minisat', ['-verb=0', file], { timeout: TIME_LIMIT }));
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, answer: status === 10 ? 'sat' : status === 20 ? 'unsat' : 'unknown' };
}

function rowOf(family: string, name: string, answers: Map<string, { ms: number; answer: string }>): Row {
  const different = new Set([...answers.values()].map(({ answer }) => answer));
  if (different.size > 1) throw new Error(`${name}: the answers differ: ${[...different].join(' / ')}`);
  const ms = Object.fromEntries([...answers].map(([peer, measured]) => [peer, measured.ms]));
  return { family, name, answer: [...different][0].replace(/,.*/, ''), ms };
}

/** Aligned columns, and the geometric means of the ratios of each family. */
function table(rows: readonly Row[]): string {
  const peers = ['euforia', 'logic-solver', 'cadical-wasm', 'minisat'].filter(peer =>
    rows.some(row => peer in row.ms),
  );
  const ratioPeers = peers.slice(1);
  const lines = [
    ['instance', 'answer', ...peers.map(peer => `${peer} s`), ...ratioPeers.map(peer => `/ ${peer}`)],
  ];
  const ratio = (row: Row, peer: string) => (peer in row.ms ? row.ms[OURS] / row.ms[peer] : undefined);
  const show = (value: number | undefined, digits: number) =>
    value === undefined ? '' : value.toFixed(digits);
  for (const row of rows) {
    const times = peers.map(peer => show(peer in row.ms ? row.ms[peer] / 1000 : undefined, 3));
    lines.push([row.name, row.answer, ...times, ...ratioPeers.map(peer => show(ratio(row, peer), 2))]);
  }
  const families = [...new Set(rows.map(row => row.family))].map(
    family => [family, rows.filter(row => row.family === family)] as const,
  );
  const oneShot = ['all one-shot', rows.filter(row => row.family !== 'incremental')] as const;
  for (const [family, members] of [...families, oneShot]) {
    const means = ratioPeers.map(peer => {
      const ratios = members.map(row => ratio(row, peer)).filter(value => value !== undefined);
      const mean = Math.exp(ratios.reduce((sum, value) => sum + Math.log(value), 0) / ratios.length);
      return ratios.length === 0 ? '' : mean.toFixed(2);
    });
    lines.push([`geometric mean: ${family}`, '', ...peers.map(() => ''), ...means]);
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const format = (line: string[]) =>
    line
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  return lines.map(format).join('\n');
}
