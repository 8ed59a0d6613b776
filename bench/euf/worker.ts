/**
 * One measurement of ours in a process of its own: `worker family NAME SIZE` or `worker stream QUESTIONS LIMIT`, which
 * stops after so many milliseconds with the answers it has. The time runs from making the solver to the last
 * answer: making the terms and starting node do not count, warming up the just-in-time compiler does.
 */
import { EufSolver } from '../../src/euf/solver.ts';
import { type Measured, runStream } from '../support/stream.ts';
import { FAMILIES } from './families.ts';
import { makeStream } from './stream.ts';

const [kind, ...args] = process.argv.slice(2);
const measured =
  kind === 'family' ? family(args[0], Number(args[1])) : await stream(Number(args[0]), Number(args[1]));
process.stdout.write(JSON.stringify(measured));

function family(name: string, size: number): Measured {
  const { terms, assertions } = FAMILIES.find(f => f.name === name)!.make(size);
  const start = performance.now();
  const solver = new EufSolver(terms);
  for (const formula of assertions) solver.assert(formula);
  const answer = solver.solve();
  return { ms: performance.now() - start, answers: [answer], coreLiterals: 0, stats: solver.stats };
}

function stream(questions: number, limitMs: number): Promise<Measured> {
  const made = makeStream(questions);
  return runStream(made, () => new EufSolver(made.terms), limitMs);
}
