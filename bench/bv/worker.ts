/**
 * One measurement of ours in a process of its own:
 *
 *   worker stream BACKEND QUESTIONS LIMIT   the incremental stream, which stops after so many milliseconds; the time
 *                                           runs from making the solver to the last answer, and loading CaDiCaL counts
 *   worker memory LIST LIMIT                all files of a list of corpus entries in this one process, with so many
 *                                           milliseconds a file, and what memory is in use; needs --expose-gc. The
 *                                           file it is at is written to LIST.at, in case it does not come back
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { SatBackEnd } from '../../src/bv/back-end.ts';
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { heavyBackEnd } from '../../src/cli/heavy.ts';
import { ConcreteEngine } from '../../src/smt/engine.ts';
import type { TermStore } from '../../src/term/store.ts';
import type { Entry } from '../support/corpus.ts';
import { type Measured, runStream, type StreamSolver } from '../support/stream.ts';
import { measureMemory } from './memory.ts';
import { makeStream } from './stream.ts';

const fail = (message: string) => {
  throw new Error(message);
};

/** The solver with its back ends as it comes, and with one of them alone. */
const SOLVERS: Record<string, (terms: TermStore) => StreamSolver | Promise<StreamSolver>> = {
  tiered: terms => new ConcreteEngine(terms, heavyBackEnd(fail)),
  own: terms => new ConcreteSolver(terms),
  cadical: async terms => {
    const heavy = heavyBackEnd(fail);
    await heavy.load();
    return new ConcreteSolver(terms, { backEnd: () => heavy.make() as SatBackEnd });
  },
};

function stream(backEnd: string, questions: number, limitMs: number): Promise<Measured> {
  const made = makeStream(questions);
  return runStream(made, () => SOLVERS[backEnd](made.terms), limitMs);
}

function memory(list: string, limitMs: number) {
  const entries = JSON.parse(readFileSync(list, 'utf8')) as Entry[];
  return measureMemory(entries, limitMs, heavyBackEnd(fail), path => writeFileSync(`${list}.at`, path));
}

const [kind, ...args] = process.argv.slice(2);
const measured =
  kind === 'stream'
    ? await stream(args[0], Number(args[1]), Number(args[2]))
    : await memory(args[0], Number(args[1]));
process.stdout.write(JSON.stringify(measured));
