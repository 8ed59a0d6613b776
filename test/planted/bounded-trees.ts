/**
 * Bounded search for derivation trees against enumeration, on random problems whose edges have several sources: every violation
 * is found, by a tree of the least height, and nothing else.
 */
import { BOUNDED_TREES } from '../../src/core/engines/bounded-trees/engine.ts';
import { isLinear, restrictedTo } from '../../src/core/problem/problem.ts';
import { heightOf } from '../core/engines/derivation-height.ts';
import { complaintAboutOutcome, outcomeWithin, startedOn } from '../core/engines/on-problem.ts';
import { Derivable, TooLarge } from '../core/explicit-problem.ts';
import { randomProblem } from '../core/random-problem.ts';
import { backEnd, caught, probeRandom } from './probe.ts';

const random = probeRandom();
const ROUNDS = 250;
const PORTION = 40_000;
const MOST_PORTIONS = 20;

for (let round = 0; round < ROUNDS; round++) {
  const problem = restrictedTo(randomProblem(random, 'calls'), 0);
  if (isLinear(problem)) continue;
  let height: number | undefined;
  try {
    height = new Derivable(problem).height(0);
  } catch (error) {
    if (error instanceof TooLarge) continue;
    throw error;
  }
  const engine = startedOn(problem, BOUNDED_TREES, { backEnd });
  const outcome = outcomeWithin(engine, PORTION, MOST_PORTIONS);
  if (height === undefined) {
    if (outcome?.kind === 'unsafe') caught(`round ${round}: a violation that is none`);
    continue;
  }
  if (outcome?.kind !== 'unsafe') caught(`round ${round}: a violation is overlooked`);
  const complaint = complaintAboutOutcome(problem, true, outcome);
  if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
  const found = heightOf(outcome.derivation);
  if (found !== height) caught(`round ${round}: a tree of height ${found}, not ${height}`);
}
