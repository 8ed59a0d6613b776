/** Houdini against enumeration: of random conjectures about random problems those are left that are inductive, and no others. */

import { bitObstacle } from '../../src/core/engines/bit-steps/circuit.ts';
import { isLinear, restrictedTo } from '../../src/core/problem/problem.ts';
import { complaintAboutHoudini } from '../core/engines/conjectures/inductive-part.ts';
import { TooLarge } from '../core/explicit-problem.ts';
import { randomProblem } from '../core/random-problem.ts';
import { caught, probeRandom } from './probe.ts';

const random = probeRandom();
const counts = { held: 0, sufficient: 0 };

for (let round = 0; round < 100; round++) {
  const problem = restrictedTo(randomProblem(random, random.pick(['graph', 'counting', 'loops', 'ways'])), 0);
  if (!isLinear(problem) || bitObstacle(problem) !== undefined) continue;
  try {
    const complaint = complaintAboutHoudini(problem, random, counts);
    if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
}
