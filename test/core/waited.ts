/**
 * What is wrong with waiting on a small problem in which nothing calls itself, by enumeration: the same can be derived, a
 * derivation comes back as one, and models, the weakest and the strongest, become models of the problem for all that may wait.
 */
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { waitForCalls } from '../../src/core/passes/calls/wait.ts';
import { preprocess } from '../../src/core/passes/pipeline.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { isLinear, type Problem } from '../../src/core/problem/problem.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { Derivable, weakestModel } from './explicit-problem.ts';
import { isValid } from './foretold.ts';

/** `areFunctions`: nothing but calls use what is called, so all calls can be waited for. Throws a TooLarge. */
export function complaintAboutWaiting(
  problem: Problem,
  heavy: HeavyBackEnd,
  areFunctions = true,
): string | undefined {
  const pass = waitForCalls(problem, new Checkpoint());
  if (areFunctions && (pass === undefined || !isLinear(pass.problem)))
    return 'nothing calls itself, but not all calls are waited for';
  if (pass === undefined) return undefined;
  const isDerivable = new Derivable(problem).properties.includes(0);
  const waiting = new Derivable(pass.problem);
  if (waiting.properties.includes(0) !== isDerivable) return 'with waiting it asks something else';
  const { all } = preprocess(pass.problem, 'sliced', new Checkpoint());
  if (new Derivable(all.problem).properties.includes(0) !== isDerivable)
    return 'with waiting it asks something else after all passes';
  const derivation = waiting.derivation(0);
  if (derivation !== undefined)
    return checkDerivation(
      problem,
      0,
      completed(problem.terms, pass.back.derivation(derivation)),
      () => 'an edge',
    );
  // Where some calls are left there is no weakest model.
  const models = isLinear(pass.problem) ? [weakestModel(pass.problem)] : [];
  for (const model of [...models, waiting.strongest]) {
    const complaint = isValid(problem, pass.back.proof({ model, lemmas: new Map(), k: 0 }), heavy);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
