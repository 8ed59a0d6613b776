import t from 'tap';
import type { Env } from '../../../../src/core/engines/engine.ts';
import { PREDICATES } from '../../../../src/core/engines/predicates/engine.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../../../src/core/env/options.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import { checkDerivation } from '../../../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../../../src/core/evidence/check-proof.ts';
import { viewsOf } from '../../../../src/core/portfolio/views.ts';
import { completed } from '../../../../src/core/problem/derivation.ts';
import { type Problem, restrictedTo } from '../../../../src/core/problem/problem.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { complete } from '../../../../src/sat/work.ts';
import { randomSystem } from '../../../planted/random-system.ts';
import { complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { type Random, seeded } from '../../../support/random.ts';
import { isUnsafe } from '../../explicit.ts';
import { complaintAboutModel, Derivable, TooLarge } from '../../explicit-problem.ts';
import { HandMade } from '../../hand-made.ts';
import { counters } from '../../random-counters.ts';
import { LINEAR_SHAPES, randomProblem } from '../../random-problem.ts';
import { RandomSystem } from '../../random-system.ts';
import { Alone, FORMS, runLength } from '../one-engine.ts';

const heavy = await loadedBackEnd();

/** Two counters that go together, and stop together or not. */
const together = (property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
    (declare-const y (_ BitVec 16)) (declare-const y.next (_ BitVec 16)) (declare-const go Bool)
    (assert (! (and (= x #x0001) (= y #x0000)) :named init))
    (assert (! (and (= x.next (ite go (bvadd x #x0001) x)) (= y.next (ite go (bvadd y #x0001) y))) :named trans))
    (assert (! ${property} :named property))`).system;

t.test('a difference between variables', t => {
  for (const form of FORMS) {
    // The second is no invariant by itself, and the difference between x and y nothing that the system says.
    for (const property of ['(= x (bvadd y #x0001))', '(or (not (= x #x0007)) (= y #x0006))']) {
      const alone = new Alone(PREDICATES, together(property), heavy, { form });
      t.equal(alone.proven(alone.finish(40_000)), 'safe', `${property}, ${form}`);
    }
  }
  t.end();
});

t.test('a violation is a run, and no longer than it takes', t => {
  for (const options of [{}, { lazy: false }, { mining: false, ctg: false }]) {
    const alone = new Alone(PREDICATES, together('(not (= y #x0005))'), heavy, { engine: options });
    const outcome = alone.finish(40_000);
    t.equal(alone.proven(outcome), 'unsafe');
    t.equal(runLength(outcome), 6, 'five steps lead there');
  }
  t.end();
});

function randomOptions(random: Random): Partial<EngineOptions> {
  return {
    ctg: random.chance(0.6),
    mining: random.chance(0.6),
    lazy: random.pick([true, true, false, 'later'] as const),
    geometric: random.chance(0.4),
    seed: random.below(3),
  };
}

const ROUNDS = 300;

t.test(`${ROUNDS} random systems agree with explicit search`, t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, refined: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const { system, property } = random.chance(0.7) ? counters(random) : new RandomSystem(random);
    const form = random.pick(FORMS);
    const alone = new Alone(PREDICATES, system, heavy, { form, engine: randomOptions(random) });
    if (alone.obstacle !== undefined) continue;
    const outcome = alone.finish(random.pick([100, 10_000, 1e6]));
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    counts[expected]++;
    if (alone.engine.stats.interpolations > 0) counts.refined++;
    const proven = alone.proven(outcome);
    if (proven !== expected)
      t.fail(`round ${round}, ${form}: it is ${expected}, but the engine says: ${proven}`);
  }
  t.ok(counts.safe > 50 && counts.unsafe > 50 && counts.refined > 30, JSON.stringify(counts));
  t.end();
});

function complaint(problem: Problem, env: Env): string | undefined {
  const expected = new Derivable(problem).properties.length > 0 ? 'unsafe' : 'safe';
  const views = viewsOf(problem, undefined, new Checkpoint());
  if (PREDICATES.obstacle(views, env) !== undefined) return undefined; // arrays, or declared sorts
  const engine = PREDICATES.start(views, env);
  const found = engine.run(Number.POSITIVE_INFINITY);
  if (found.kind !== expected) return `it is ${expected}, not ${found.kind}`;
  const nameOf = () => 'an edge';
  if (found.kind === 'unsafe')
    return checkDerivation(problem, 0, completed(problem.terms, found.derivation), nameOf);
  if (found.kind !== 'safe') return undefined;
  const check = complete(checkProof(problem, found.proof, { heavy, budget: {}, nameOf }));
  return check.kind === 'valid' ? complaintAboutModel(problem, found.proof.model) : check.text;
}

t.test(`${ROUNDS} random graphs agree with explicit search`, t => {
  const random = seeded(t);
  let decided = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, random.pick(LINEAR_SHAPES)), 0);
    const options = { ...DEFAULT_ENGINE_OPTIONS, ...randomOptions(random) };
    try {
      const wrong = complaint(problem, {
        options,
        budget: {},
        profile: new Profile(),
        backEnd: heavy.backEnd,
      });
      decided++;
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.ok(decided > ROUNDS / 2, `${decided} were small enough`);
  t.end();
});

t.test('100 random systems after all passes', t => {
  const random = seeded(t);
  for (let round = 0; round < 100; round++) {
    const { system, property } = random.chance(0.5) ? randomSystem(random) : new RandomSystem(random);
    const question = questionOf(system);
    const verdict = verdictOf(question, heavy, { engines: ['predicates'] });
    if (verdict.kind === 'unknown' && verdict.reason === 'unsupported') continue;
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    const proven = complaintAbout(question, heavy, verdict) ?? verdict.kind;
    if (proven !== expected) t.fail(`round ${round}: it is ${expected}, but the engine says: ${proven}`);
  }
  t.end();
});

t.test('arrays are refused, with the reason', t => {
  const { system } = new HandMade(`
    (declare-const a (Array (_ BitVec 8) (_ BitVec 8))) (declare-const a.next (Array (_ BitVec 8) (_ BitVec 8)))
    (assert (! (= (select a #x00) #x00) :named init)) (assert (! (= a.next a) :named trans))
    (assert (! (= (select a #x00) #x00) :named property))`);
  t.match(new Alone(PREDICATES, system, heavy).obstacle, /takes no terms of the sort/);
  t.end();
});

t.test('two runs are the same run', t => {
  const run = () => {
    const { engine } = new Alone(PREDICATES, together('(not (= x y))'), heavy);
    while (engine.run(1000).kind === 'working');
    return { spent: engine.spent, stats: engine.stats };
  };
  t.same(run(), run());
  t.end();
});
