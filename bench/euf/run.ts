/**
 * `npm run bench -- euf [--quick]`: the solver of equality with uninterpreted functions against z3, if it is
 * installed. Three parts: a corpus of QF_UF files, generated families, and an incremental stream as IC3 asks it.
 * z3 is always a process with its start-up; so is ours on the corpus, elsewhere only solving counts for ours.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withWorker } from '../bundle.ts';
import { benchCorpus } from './corpus.ts';
import { FAMILIES, type Family } from './families.ts';
import { hasZ3, type Run, runProcess } from './process.ts';
import { questionScript } from './script.ts';
import { makeStream, streamScript } from './stream.ts';
import { ratio, seconds, table } from './table.ts';
import type { Measured } from './worker.ts';

const FAMILY_LIMIT = { full: 10_000, quick: 2000 }; // ms for one problem
const STREAM_LIMIT = { full: 40_000, quick: 8000 }; // ms for the whole stream; the rate is that of what was answered
const QUESTIONS = { full: 20_000, quick: 1000 };

export async function benchEuf(args: readonly string[]): Promise<void> {
  const mode = args.includes('--quick') ? 'quick' : 'full';
  await withWorker(new URL('./worker.ts', import.meta.url), (worker, folder) => {
    const withZ3 = hasZ3();
    const z3 = (script: string, limit: number): Run | undefined => {
      if (!withZ3) return undefined;
      const file = join(folder, 'script.smt2');
      writeFileSync(file, script);
      return runProcess('z3', [file], limit);
    };
    console.log(`${benchCorpus(withZ3, mode === 'quick')}\n`);
    console.log(`${benchFamilies(worker, z3, mode)}\n`);
    console.log(benchStream(worker, z3, mode));
  });
}

type Mode = 'full' | 'quick';
type Z3 = (script: string, limit: number) => Run | undefined;

/** What the worker measured, or why there is nothing. */
type Outcome = Measured | { readonly failure: string };

function runWorker(worker: string, args: readonly string[], limit: number): Outcome {
  const { stdout, stderr, error } = spawnSync(process.execPath, [worker, ...args], {
    encoding: 'utf8',
    timeout: limit,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) return { failure: `> ${limit / 1000}` };
  if (stdout !== '') return JSON.parse(stdout) as Measured;
  console.error(`${args.join(' ')}: ${/^Error:.*$/m.exec(stderr)?.[0] ?? stderr}`);
  process.exitCode = 1;
  return { failure: 'error' };
}

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
    const outcome = runWorker(worker, ['family', family.name, String(size)], limit);
    const ours = 'failure' in outcome ? undefined : outcome;
    const theirs = z3(questionScript(terms, assertions), limit);
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
  const outcome = runWorker(worker, ['stream', String(questions), String(limit)], 3 * limit);
  const ours = 'failure' in outcome ? undefined : outcome;
  const theirs = z3(streamScript(stream, ours?.answers ?? []), limit);
  if (theirs?.errors) throw new Error(`z3 on the stream: ${theirs.errors}`);
  const compared = Math.min(ours?.answers.length ?? 0, theirs?.answers.length ?? 0);
  for (let i = 0; i < compared; i++) {
    const [a, b] = [ours?.answers[i], theirs?.answers[i]];
    if (a !== b) throw new Error(`question ${i} of the stream: euforia says ${a}, z3 says ${b}`);
  }
  const rate = (run: { ms: number; answers: readonly string[] } | undefined) =>
    run === undefined ? undefined : run.answers.length / (run.ms / 1000);
  const count = (answer: string) => ours?.answers.filter(a => a === answer).length ?? 0;
  const line = (name: string, run: { ms: number; answers: readonly string[] } | undefined) => [
    name,
    run === undefined ? '' : String(run.answers.length),
    seconds(run?.ms),
    rate(run)?.toFixed(0) ?? '',
  ];
  const heads = ['incremental stream', 'answered', 's', 'questions/s'];
  return [
    table([heads, line('euforia', ours), line('z3', theirs)], 1),
    `${stream.termCount} terms, ${questions} questions: ${count('sat')} sat, ${count('unsat')} unsat with ` +
      `${ratio(ours?.coreLiterals, count('unsat'))} literals in a core on average; ${compared} answers compared`,
    `rate of euforia / rate of z3: ${ratio(rate(ours), rate(theirs))}`,
  ].join('\n');
}
