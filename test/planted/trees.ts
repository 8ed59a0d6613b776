/**
 * The abstract search on derivation trees against enumeration, on random problems whose edges have several sources: what is found is
 * right, its evidence proves it, and something is found.
 */
import { ABSTRACT } from '../../src/core/engines/abstract/engine.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/core/env/options.ts';
import { Profile } from '../../src/core/env/profile.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { viewsOf } from '../../src/core/portfolio/views.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { isLinear, restrictedTo } from '../../src/core/problem/problem.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { complaintAboutModel, Derivable, TooLarge } from '../core/explicit-problem.ts';
import { randomProblem } from '../core/random-problem.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const random = probeRandom();
const heavy = await lightOnly();
const ROUNDS = 250;
const PORTION = 10_000;
const MAX_PORTIONS = 40;
const MAX_LOOKS = 400; // at the limits of a search: what asks the same forever makes no effort
const MAX_OPEN = 12; // of the problems that are asked about

let open = 0;

for (let round = 0; round < ROUNDS; round++) {
  const problem = restrictedTo(randomProblem(random, random.pick(['calls', 'functions'])), 0);
  if (isLinear(problem)) continue;
  let isDerivable: boolean;
  try {
    isDerivable = new Derivable(problem).properties.includes(0);
  } catch (error) {
    if (error instanceof TooLarge) continue;
    throw error;
  }
  let looks = 0;
  const signal = {
    get aborted() {
      return ++looks > MAX_LOOKS;
    },
  };
  const env = {
    options: DEFAULT_ENGINE_OPTIONS,
    budget: { signal },
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
  const engine = ABSTRACT.start(viewsOf(problem, undefined, new Checkpoint()), env);
  let outcome = engine.run(PORTION);
  for (let i = 0; outcome.kind === 'working' && i < MAX_PORTIONS; i++) outcome = engine.run(PORTION);
  if (outcome.kind !== 'safe' && outcome.kind !== 'unsafe') {
    if (++open > MAX_OPEN) caught(`${open} problems are left open`);
    continue;
  }
  if (isDerivable !== (outcome.kind === 'unsafe'))
    caught(`round ${round}: the answer ${outcome.kind} is wrong`);
  const complaint =
    outcome.kind === 'safe'
      ? complaintAboutModel(problem, outcome.proof.model)
      : checkDerivation(problem, 0, completed(problem.terms, outcome.derivation), () => 'an edge');
  if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
}
