/**
 * `npm run bench -- read [--quick]`: reading the largest file of each format, if the corpus is there, and generated files
 * of growing size. There is no peer to compare with; what counts is that the time doubles when the size does, the last
 * column, and that memory does so too. Each measurement has a process of its own; the best of some counts.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withWorker } from '../bundle.ts';
import { type Outcome, runWorker } from '../support/process.ts';
import { markdownTable, ratio } from '../support/table.ts';
import { READ_FORMATS, type ReadFormat, SHAPES } from './shapes.ts';
import type { ReadMeasured } from './worker.ts';

const CORPUS = '../shared/corpus';
const LIMIT = 120_000; // ms for one measurement
const REPETITIONS = 3;
const CANDIDATES = 10; // files of a format that are tried, since some are outside of the supported fragment

const HEADS = ['format', 'file', 'MB', 'lines', 'terms', 'CPU s', 'MB/s', 'memory MB', 'time × when doubled'];

/** Where files of a format are, and what tells them from others there. */
const PLACES: Readonly<Record<ReadFormat, { readonly folder: string; readonly mark: RegExp }>> = {
  VMT: { folder: 'vmt', mark: /:invar-property/ },
  'Horn, SMT-LIB': { folder: 'chc', mark: /\(set-logic HORN\)/ },
  'Horn, rules': { folder: 'chc', mark: /\(declare-rel / },
  BTOR2: { folder: 'btor2', mark: /^\d+ sort /m },
  'SMT-LIB': { folder: 'smt', mark: /\(check-sat/ },
};

export async function benchRead(args: readonly string[]): Promise<void> {
  const isQuick = args.includes('--quick');
  const megabytes = isQuick ? [1, 2] : [5, 10, 20];
  await withWorker(new URL('worker.ts', import.meta.url), (worker, folder) => {
    const measure = (format: ReadFormat, file: string) =>
      best(worker, format, file, isQuick ? 1 : REPETITIONS);
    const rows = [HEADS];
    for (const format of READ_FORMATS) {
      const [file, measured] = largest(format, f => measure(format, f)) ?? [];
      if (file !== undefined && measured !== undefined)
        rows.push(cells(format, basename(file), measured, ''));
    }
    for (const { format, name, make } of SHAPES) {
      let before: ReadMeasured | undefined;
      for (const size of megabytes) {
        const file = join(folder, 'generated');
        writeFileSync(file, make(size * 1e6));
        const measured = measure(format, file);
        if ('failure' in measured) throw new Error(`${format}, ${name}: ${measured.failure}`);
        rows.push(cells(format, name, measured, ratio(measured.ms, before?.ms)));
        before = measured;
      }
    }
    console.log(markdownTable(rows, 2));
  });
}

function best(worker: string, format: ReadFormat, file: string, repetitions: number): Outcome<ReadMeasured> {
  let found = runWorker<ReadMeasured>([worker, format, file], LIMIT);
  for (let i = 1; i < repetitions && !('failure' in found); i++) {
    const again = runWorker<ReadMeasured>([worker, format, file], LIMIT);
    if (!('failure' in again) && again.ms < found.ms) found = again;
  }
  process.stderr.write('.');
  return found;
}

/** The largest file of the corpus in a format that can be read, with its measurement. */
function largest(
  format: ReadFormat,
  measure: (file: string) => Outcome<ReadMeasured>,
): readonly [file: string, measured: ReadMeasured] | undefined {
  const { folder, mark } = PLACES[format];
  const root = join(CORPUS, folder);
  if (!existsSync(root)) return undefined;
  const bySize = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => ({ file, size: statSync(file).size }))
    .sort((a, b) => b.size - a.size);
  let tried = 0;
  for (const { file } of bySize) {
    if (!mark.test(readFileSync(file, 'utf8'))) continue;
    const measured = measure(file);
    if (!('failure' in measured)) return [file, measured];
    if (++tried === CANDIDATES) return undefined;
  }
  return undefined;
}

function cells(format: string, name: string, measured: ReadMeasured, growth: string): string[] {
  const { ms, bytes, lines, terms, memory } = measured;
  const megabytes = bytes / 1e6;
  return [
    format,
    name,
    megabytes.toFixed(1),
    String(lines),
    String(terms),
    (ms / 1000).toFixed(2),
    ((1000 * megabytes) / ms).toFixed(1),
    memory.toFixed(0),
    growth,
  ];
}
