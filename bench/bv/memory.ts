/**
 * What stays behind: all files of the corpus in one process, as a long-lived program that embeds the solver would run
 * them, with a fresh interpreter for each but one SAT back end module for all. Memory is read after garbage collection.
 */
import { readFileSync } from 'node:fs';
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { Interpreter } from '../../src/smt/interpreter.ts';
import { areWrong, corpusFile, type Entry, hasAllAnswers } from '../support/corpus.ts';

const SAMPLES = 8; // readings between the first file and the last
const COLLECTIONS = 4; // in a row: finalizers run after one, and what they free is collected by the next
const OVERRUN = 1000; // ms over the limit that are worth a remark
const MEGABYTE = 2 ** 20;

/** Memory after so many files, in megabytes. */
export interface MemorySample {
  readonly files: number;
  readonly solved: number;
  readonly rss: number;
  readonly heap: number;
  readonly external: number; // typed arrays and WebAssembly
}

export interface MemoryMeasured {
  readonly samples: readonly MemorySample[];
  readonly peak: number; // of rss, in megabytes
  readonly wrong: readonly string[]; // files
  readonly remarks: readonly string[]; // what went wrong otherwise: failures, warnings, limits overrun
}

export async function measureMemory(
  entries: readonly Entry[],
  limitMs: number,
  heavy: HeavyBackEnd,
  onFile: (path: string) => void, // hears of each file before it is run
): Promise<MemoryMeasured> {
  const wrong: string[] = [];
  const remarks: string[] = [];
  const samples = [await sample(0, 0)];
  const between = Math.max(1, Math.ceil(entries.length / SAMPLES));
  let solved = 0;
  for (const [i, entry] of entries.entries()) {
    onFile(entry.path);
    const remark = (text: string) => void remarks.push(`${entry.path}: ${text}`);
    const answers = await answersOf(entry, limitMs, heavy, remark);
    if (hasAllAnswers(entry.answers, answers)) solved++;
    if (areWrong(entry.answers, answers)) wrong.push(entry.path);
    if ((i + 1) % between === 0 || i + 1 === entries.length) samples.push(await sample(i + 1, solved));
  }
  return { samples, peak: process.resourceUsage().maxRSS / 1024, wrong, remarks };
}

async function answersOf(
  entry: Entry,
  limitMs: number,
  heavy: HeavyBackEnd,
  remark: (text: string) => void,
): Promise<string[]> {
  const answers: string[] = [];
  const file = corpusFile(entry);
  const start = Date.now();
  const interpreter = new Interpreter({
    write: line => {
      if (line === 'sat' || line === 'unsat' || line === 'unknown') answers.push(line);
    },
    warn: remark,
    deadline: start + limitMs,
    version: 'bench',
    heavy,
  });
  try {
    await interpreter.run(file, readFileSync(file, 'utf8'));
  } catch (error) {
    remark(String(error));
  }
  const over = Date.now() - start - limitMs;
  if (over > OVERRUN) remark(`${(over / 1000).toFixed(1)} s over the time limit`);
  return answers;
}

async function sample(files: number, solved: number): Promise<MemorySample> {
  for (let i = 0; i < COLLECTIONS; i++) {
    globalThis.gc?.();
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    files,
    solved,
    rss: rss / MEGABYTE,
    heap: heapUsed / MEGABYTE,
    external: external / MEGABYTE,
  };
}
