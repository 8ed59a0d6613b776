/**
 * Bounded search for derivation trees against enumeration: random problems, as they are and after all passes. It finds every
 * violation, by a tree that is as little high as there is one, and nothing else; bounds are exact.
 */
import t from 'tap';
import { BOUNDED_TREES } from '../../../../src/core/engines/bounded-trees/engine.ts';
import type { Outcome } from '../../../../src/core/engines/engine.ts';
import { preprocess } from '../../../../src/core/passes/pipeline.ts';
import { carriedBack } from '../../../../src/core/portfolio/views.ts';
import { isLinear, type Problem, restrictedTo } from '../../../../src/core/problem/problem.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { loadedBackEnd } from '../../../support/checking.ts';
import { type Random, seeded } from '../../../support/random.ts';
import { Derivable, TooLarge } from '../../explicit-problem.ts';
import { randomProblem, type Shape } from '../../random-problem.ts';
import { heightOf } from '../derivation-height.ts';
import { complaintAboutOutcome, obstacleOn, outcomeWithin, startedOn } from '../on-problem.ts';

const heavy = await loadedBackEnd();
const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 300);
const PORTION = 40_000;
const MOST_PORTIONS = 20;

function outcomeOn(problem: Problem, bound = 0): Outcome | undefined {
  const engine = startedOn(problem, BOUNDED_TREES, { backEnd: heavy.backEnd, options: { bound } });
  return outcomeWithin(engine, PORTION, MOST_PORTIONS);
}

/** Random problems that are small enough, and what can be derived in them. */
function* randomProblems(random: Random, shape: Shape): Generator<[Problem, Derivable]> {
  for (let round = 0; round < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, shape), 0);
    if (shape === 'calls' && isLinear(problem)) continue;
    try {
      yield [problem, new Derivable(problem)];
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
}

// Runs are trees, too; and in graphs there are locations with constraints.
for (const shape of ['calls', 'graph'] as const) {
  t.test(`random problems: ${shape}`, t => {
    const counts = { unsafe: 0, exhausted: 0, open: 0 };
    for (const [problem, derivable] of randomProblems(seeded(t), shape)) {
      const outcome = outcomeOn(problem);
      const height = derivable.height(0);
      if (height === undefined) {
        if (outcome?.kind === 'unsafe') t.fail('a violation that is none');
        counts[outcome?.kind === 'unknown' ? 'exhausted' : 'open']++;
      } else if (outcome?.kind !== 'unsafe') t.fail(`a violation is overlooked: ${JSON.stringify(outcome)}`);
      else {
        t.equal(complaintAboutOutcome(problem, true, outcome), undefined, 'the derivation is one');
        t.equal(heightOf(outcome.derivation), height, 'and there is none that is less high');
        counts.unsafe++;
      }
    }
    t.comment(JSON.stringify(counts));
    t.ok(counts.unsafe > ROUNDS / 10, 'there are violations');
    t.ok(counts.exhausted > ROUNDS / 20, 'and it is often noticed that there are none');
    t.end();
  });
}

t.test('random problems after all passes', t => {
  let unsafe = 0;
  for (const [problem, derivable] of randomProblems(seeded(t), 'calls')) {
    const { all } = preprocess(problem, 'sliced', new Checkpoint());
    if (obstacleOn(all.problem, BOUNDED_TREES, heavy) !== undefined) continue;
    const outcome = outcomeOn(all.problem);
    const isDerivable = derivable.height(0) !== undefined;
    t.equal(outcome?.kind === 'unsafe', isDerivable, 'exactly violations are found');
    if (outcome?.kind !== 'unsafe') continue;
    unsafe++;
    const back = { about: problem, ...carriedBack(all.back, outcome) };
    t.equal(complaintAboutOutcome(problem, isDerivable, back), undefined, 'the derivation is one');
  }
  t.ok(unsafe > ROUNDS / 30, `${unsafe} are unsafe`);
  t.end();
});

t.test('a bound is exact', t => {
  const random = seeded(t);
  for (let tried = 0; tried < 5; )
    for (const shape of ['calls', 'graph'] as const)
      for (const [problem, derivable] of randomProblems(random, shape)) {
        const height = derivable.height(0) ?? 0;
        const steps = height - 2; // neither the start nor the query is a step
        if (steps < 2) continue;
        tried++;
        t.equal(outcomeOn(problem, steps)?.kind, 'unsafe', `within ${steps} steps`);
        const nearer = outcomeOn(problem, steps - 1);
        t.match(
          nearer,
          { kind: 'unknown', reason: 'incomplete', text: /no violation within/ },
          'not within less',
        );
      }
  t.end();
});
