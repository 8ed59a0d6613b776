/** Callers that wait, against enumeration, on random functions that call each other. */
import { isLinear, restrictedTo } from '../../src/core/problem/problem.ts';
import { TooLarge } from '../core/explicit-problem.ts';
import { randomCalls } from '../core/random-calls.ts';
import { complaintAboutWaiting } from '../core/waited.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const ROUNDS = 30;

const random = probeRandom();
const heavy = await lightOnly();

for (let round = 0; round < ROUNDS; round++) {
  const problem = restrictedTo(randomCalls(random, 1).problem, 0);
  if (isLinear(problem)) continue;
  try {
    const complaint = complaintAboutWaiting(problem, heavy);
    if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
}
