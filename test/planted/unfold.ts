/** What is unfolded, against enumeration, and what the check of models for some values believes. */
import { restrictedTo } from '../../src/core/problem/problem.ts';
import { TooLarge } from '../core/explicit-problem.ts';
import { isValid } from '../core/foretold.ts';
import { randomLayers } from '../core/random-layers.ts';
import { randomProblem } from '../core/random-problem.ts';
import { falseProofs, unfolded, withoutInputs } from '../core/unfolded.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const ROUNDS = 160;

const random = probeRandom();
const heavy = await lightOnly();

for (const { what, problem, proof } of falseProofs())
  if (isValid(problem, proof, heavy) === undefined)
    caught(`the check believes a proof that is none: ${what}`);

for (let round = 0; round < ROUNDS; round++) {
  const drawn = [
    () => randomProblem(random, 'calls'),
    () => randomLayers(random, 1).problem,
    () => withoutInputs(randomLayers(random, 2).problem),
  ][round % 3]();
  try {
    const complaint = unfolded(restrictedTo(drawn, 0), heavy)?.complaint;
    if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
}
