/**
 * `npm run bench -- bv [PART...] [--quick] [--all] [--only PATTERN]`: the concrete solver against z3, if it is
 * installed. Three parts, all unless named: `corpus`, files of QF_BV and QF_ABV (`--all`: and of the other logics with
 * bit-vectors or arrays), a process a file for both; `stream`, incremental questions as refinement asks them, ours in
 * a process without its start, z3's as one script; `memory`, what solving the corpus in one process leaves behind.
 * `--only` takes corpus files whose path matches.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withWorker } from '../bundle.ts';
import { type Entry, everyOf, readEntries } from '../support/corpus.ts';
import { hasZ3, runWorker, type Z3, z3In } from '../support/process.ts';
import {
  differences,
  type Measured,
  PEER_HEADS,
  type Peer,
  peerCells,
  rateRatio,
  streamScript,
} from '../support/stream.ts';
import { ratio, table } from '../support/table.ts';
import { benchCorpus } from './corpus.ts';
import type { MemoryMeasured, MemorySample } from './memory.ts';
import { makeStream, STREAM_LOGIC } from './stream.ts';

const STREAM_LIMIT = { full: 180_000, quick: 20_000 }; // ms for the whole stream; the rate is that of what was answered
const QUESTIONS = { full: 5000, quick: 500 };
const BACK_ENDS = ['tiered', 'own', 'cadical'] as const;
const MEMORY_LIMIT = 5000; // ms for one file
const MEMORY_STRIDE = { full: 1, quick: 20 };
const MEMORY_SLACK = 60_000; // ms for the whole, besides the files' limits

type Mode = 'full' | 'quick';

export async function benchBv(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, all: { type: 'boolean' }, only: { type: 'string' } },
  });
  const mode: Mode = values.quick === true ? 'quick' : 'full';
  const pattern = new RegExp(values.only ?? '');
  const isWanted = (entry: Entry) => pattern.test(entry.path);
  const parts: Record<string, (worker: string, folder: string) => string> = {
    corpus: () =>
      benchCorpus({
        hasZ3: hasZ3(),
        isQuick: mode === 'quick',
        withOtherLogics: values.all === true,
        isWanted,
      }),
    stream: (worker, folder) => benchStream(worker, z3In(folder), mode),
    memory: (worker, folder) => benchMemory(worker, folder, mode, isWanted),
  };
  const unknown = positionals.filter(name => !(name in parts));
  if (unknown.length > 0) {
    console.error(`there is no part ${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
  await withWorker(new URL('./worker.ts', import.meta.url), (worker, folder) => {
    for (const name of chosen) console.log(`${parts[name](worker, folder)}\n`);
  });
}

// ---- the incremental stream ----

function benchStream(worker: string, z3: Z3, mode: Mode): string {
  const limit = STREAM_LIMIT[mode];
  const questions = QUESTIONS[mode];
  const stream = makeStream(questions);
  const peers = BACK_ENDS.map(backEnd => {
    const args = [worker, 'stream', backEnd, String(questions), String(limit)];
    const outcome = runWorker<Measured>(args, 2 * limit);
    return 'failure' in outcome ? undefined : { name: `euforia, ${backEnd}`, ...outcome };
  });
  const ours = peers[0];
  const run = z3(streamScript(STREAM_LOGIC, stream, ours?.answers ?? []), limit);
  const theirs: Peer | undefined = run && { name: 'z3', ...run };
  const reference = theirs ?? ours;
  const wrong = peers.flatMap(peer =>
    peer === undefined || reference === undefined ? [] : differences(peer, reference),
  );
  if (run?.errors && wrong.length === 0) throw new Error(`z3 on the stream: ${run.errors}`);
  const row = (name: string, peer: Peer | undefined, core: string) => [
    name,
    ...peerCells(peer),
    rateRatio(peer, theirs),
    core,
  ];
  const lines = BACK_ENDS.map((backEnd, i) => row(`euforia, ${backEnd}`, peers[i], coreSize(peers[i])));
  const heads = ['incremental stream', ...PEER_HEADS, '/ z3', 'core'];
  return [
    table([heads, ...lines, row('z3', theirs, '')], 1),
    `${stream.termCount} terms, ${questions} questions: ${count(ours, 'sat')} sat, ${count(ours, 'unsat')} unsat`,
    ...wrong,
  ].join('\n');
}

function count(peer: Peer | undefined, answer: string): number {
  return peer?.answers.filter(a => a === answer).length ?? 0;
}

/** The literals of a core, on average. */
function coreSize(peer: (Peer & Measured) | undefined): string {
  return peer === undefined ? '' : ratio(peer.coreLiterals, count(peer, 'unsat'));
}

// ---- memory ----

function benchMemory(
  worker: string,
  folder: string,
  mode: Mode,
  isWanted: (entry: Entry) => boolean,
): string {
  const entries = readEntries();
  if (entries === undefined) return 'memory: skipped, the corpus is not there';
  const chosen = everyOf(MEMORY_STRIDE[mode], entries.filter(isWanted));
  const list = join(folder, 'entries.json');
  writeFileSync(list, JSON.stringify(chosen));
  const limit = MEMORY_SLACK + 2 * MEMORY_LIMIT * chosen.length;
  const args = ['--expose-gc', worker, 'memory', list, String(MEMORY_LIMIT)];
  const outcome = runWorker<MemoryMeasured>(args, limit);
  if ('failure' in outcome) return `memory: ${outcome.failure}, at ${readFileSync(`${list}.at`, 'utf8')}`;
  const { samples, peak, wrong, remarks } = outcome;
  if (wrong.length > 0) process.exitCode = 1;
  const growth = (of: (sample: MemorySample) => number) => of(samples[samples.length - 1]) - of(samples[0]);
  const cells = (of: (part: (sample: MemorySample) => number) => number) =>
    [of(s => s.rss), of(s => s.heap), of(s => s.external)].map(megabytes => megabytes.toFixed(0));
  const lines = [
    ['files in one process', 'solved', 'rss MB', 'heap MB', 'external MB'],
    ...samples.map(s => [String(s.files), String(s.solved), ...cells(part => part(s))]),
    ['from first to last', '', ...cells(growth)],
  ];
  return [
    table(lines, 1),
    `peak rss: ${peak.toFixed(0)} MB; ${MEMORY_LIMIT / 1000} s a file`,
    ...remarks,
    `wrong answers: ${wrong.length}${wrong.map(path => `\n  ${path}`).join('')}`,
  ].join('\n');
}
