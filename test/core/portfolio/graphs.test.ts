/**
 * Engines on random graphs, with locations, constraints and inputs as no front end would write them: what they find, brought
 * back through all passes, against enumeration.
 */
import t from 'tap';
import type { Env, Finding } from '../../../src/core/engines/engine.ts';
import { K_INDUCTION } from '../../../src/core/engines/k-induction/engine.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../../src/core/evidence/check-proof.ts';
import { type Prepared, preprocess } from '../../../src/core/passes/pipeline.ts';
import { Scheduler } from '../../../src/core/portfolio/scheduler.ts';
import { PORTFOLIO, type Row } from '../../../src/core/portfolio/table.ts';
import { viewsOf } from '../../../src/core/portfolio/views.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { type Problem, restrictedTo } from '../../../src/core/problem/problem.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { complaintAboutModel, Derivable, TooLarge } from '../explicit-problem.ts';
import { LINEAR_SHAPES, randomProblem } from '../random-problem.ts';

const ROUNDS = 150;

const heavy = await loadedBackEnd();

/** What is wrong with evidence about a problem, by enumeration where that can be. */
function complaintAbout(
  problem: Problem,
  { all, early }: Prepared,
  found: Exclude<Finding, { kind: 'executed' }>,
): string | undefined {
  const { back } = found.about === early?.problem ? early : all;
  const nameOf = () => 'an edge';
  if (found.kind === 'unsafe')
    return checkDerivation(problem, 0, completed(problem.terms, back.derivation(found.derivation)), nameOf);
  const proof = back.proof(found.proof);
  const check = complete(checkProof(problem, proof, { heavy, budget: {}, nameOf }));
  if (check.kind !== 'valid') return check.text;
  return proof.k === 0 ? complaintAboutModel(problem, proof.model) : undefined;
}

function envFor(random: Random): Env {
  return {
    options: {
      ...DEFAULT_ENGINE_OPTIONS,
      arrays: random.pick(['abstract', 'lazy']),
      evaluateConstants: random.chance(0.7),
      generalize: random.chance(0.8),
      seed: random.below(3),
    },
    budget: {},
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
}

/** One that can prove something; with those that only look for violations if it is sure to come to an end itself. */
function someEngines(random: Random): Row[] {
  const prover = random.pick(PORTFOLIO.filter(r => r.kind.proves));
  const isSure = prover.kind !== K_INDUCTION;
  return PORTFOLIO.filter(r => r === prover || (isSure && random.chance(0.3)));
}

t.test(`${ROUNDS} random graphs`, t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0, tooLarge: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, random.pick(LINEAR_SHAPES)), 0);
    try {
      const expected = new Derivable(problem).properties.length > 0 ? 'unsafe' : 'safe';
      const encoding = random.pick(['sliced', 'sliced', 'functional', 'relational'] as const);
      const prepared = preprocess(problem, encoding, new Checkpoint());
      const views = viewsOf(prepared.all.problem, prepared.early, new Checkpoint());
      const found = complete(new Scheduler(someEngines(random), views, envFor(random)).run());
      if (found.kind === 'executed') throw new Error('nothing is executed here');
      counts[found.kind]++;
      if (found.kind === 'unknown') continue;
      const complaint =
        found.kind === expected ? complaintAbout(problem, prepared, found) : `it is ${expected}`;
      if (complaint !== undefined) t.fail(`round ${round}, ${found.kind}: ${complaint}`);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      counts.tooLarge++;
    }
  }
  t.ok(counts.safe > 30 && counts.unsafe > 20, JSON.stringify(counts));
  t.ok(counts.unknown < ROUNDS / 4, 'few are left open: k-induction alone does not take them all');
  t.end();
});
