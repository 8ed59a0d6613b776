/**
 * `npm run bench -- euf [--quick]`: the solver of equality with uninterpreted functions against z3, if it is
 * installed. Three parts: a corpus of QF_UF files, generated families, and an incremental stream as IC3 asks it.
 * z3 is always a process with its start-up; so is ours on the corpus, elsewhere only solving counts for ours.
 */
import { withWorker } from '../bundle.ts';
import { hasZ3, runWorker, type Z3, z3In } from '../support/process.ts';
import { questionScript } from '../support/script.ts';
import {
  differences,
  type Measured,
  PEER_HEADS,
  type Peer,
  peerCells,
  rateRatio,
  streamScript,
} from '../support/stream.ts';
import { ratio, seconds, table } from '../support/table.ts';
import { benchCorpus } from './corpus.ts';
import { FAMILIES, type Family } from './families.ts';
import { makeStream } from './stream.ts';

const LOGIC = 'QF_UF';
const FAMILY_LIMIT = { full: 10_000, quick: 2000 }; // ms for one problem
const STREAM_LIMIT = { full: 40_000, quick: 8000 }; // ms for the whole stream; the rate is that of what was answered
const QUESTIONS = { full: 20_000, quick: 1000 };

export async function benchEuf(args: readonly string[]): Promise<void> {
  const mode = args.includes('--quick') ? 'quick' : 'full';
  await withWorker(new URL('./worker.ts', import.meta.url), (worker, folder) => {
    const z3 = z3In(folder);
    console.log(`${benchCorpus(hasZ3(), mode === 'quick')}\n`);
    console.log(`${benchFamilies(worker, z3, mode)}\n`);
    console.log(benchStream(worker, z3, mode));
  });
}

type Mode = 'full' | 'quick';

// ---- generated families ----

function benchFamilies(worker: string, z3: Z3, mode: Mode): string {
  const lines = FAMILIES.flatMap(family => familyRows(family, worker, z3, mode));
  const heads = ['family', 'size', 'answer', 'euforia s', 'growth', 'z3 s', 'growth', '/ z3'];
  return table([heads, ...lines], 1);
}

function familyRows(family: Family, worker: string, z3: Z3, mode: Mode): string[][] {
  const limit = FAMILY_LIMIT[mode];
  const sizes = mode === 'quick' ? family.quickSizes : family.sizes;
  const before: { ours?: number | undefined; theirs?: number | undefined } = {};
  return sizes.map(size => {
    const { terms, assertions } = family.make(size);
    const outcome = runWorker<Measured>([worker, 'family', family.name, String(size)], limit);
    const ours = 'failure' in outcome ? undefined : outcome;
    const theirs = z3(questionScript(LOGIC, terms, assertions), limit);
    for (const [name, answer] of [
      ['euforia', ours?.answers[0]] as const,
      ['z3', theirs?.answers[0]] as const,
    ]) {
      if (answer !== undefined && answer !== family.answer)
        throw new Error(`${family.name} ${size}: ${name} says ${answer}`);
    }
    const z3Ms = theirs === undefined || theirs.answers.length === 0 ? undefined : theirs.ms;
    const z3Failure = theirs?.isStopped ? `> ${limit / 1000}` : theirs === undefined ? '' : 'error';
    const row = [
      family.name,
      String(size),
      family.answer,
      'failure' in outcome ? outcome.failure : seconds(outcome.ms),
      ratio(ours?.ms, before.ours),
      z3Ms === undefined ? z3Failure : seconds(z3Ms),
      ratio(z3Ms, before.theirs),
      ratio(ours?.ms, z3Ms),
    ];
    before.ours = ours?.ms;
    before.theirs = z3Ms;
    return row;
  });
}

// ---- the incremental stream ----

function benchStream(worker: string, z3: Z3, mode: Mode): string {
  const limit = STREAM_LIMIT[mode];
  const questions = QUESTIONS[mode];
  const stream = makeStream(questions);
  const outcome = runWorker<Measured>([worker, 'stream', String(questions), String(limit)], 3 * limit);
  const measured = 'failure' in outcome ? undefined : outcome;
  const ours: Peer | undefined = measured && { name: 'euforia', ...measured };
  const run = z3(streamScript(LOGIC, stream, ours?.answers ?? []), limit);
  const theirs: Peer | undefined = run && { name: 'z3', ...run };
  const wrong = ours !== undefined && theirs !== undefined ? differences(ours, theirs) : [];
  if (run?.errors && wrong.length === 0) throw new Error(`z3 on the stream: ${run.errors}`);
  const compared = Math.min(ours?.answers.length ?? 0, theirs?.answers.length ?? 0);
  const count = (answer: string) => ours?.answers.filter(a => a === answer).length ?? 0;
  const heads = ['incremental stream', ...PEER_HEADS];
  return [
    table([heads, ['euforia', ...peerCells(ours)], ['z3', ...peerCells(theirs)]], 1),
    `${stream.termCount} terms, ${questions} questions: ${count('sat')} sat, ${count('unsat')} unsat with ` +
      `${ratio(measured?.coreLiterals, count('unsat'))} literals in a core on average; ${compared} answers compared`,
    `rate of euforia / rate of z3: ${rateRatio(ours, theirs)}`,
    ...wrong,
  ].join('\n');
}
