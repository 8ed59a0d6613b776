import t from 'tap';
import { HeavyBackEnd } from '../../../../src/bv/tiered.ts';
import type { EngineKind, Outcome } from '../../../../src/core/engines/engine.ts';
import { WALKS } from '../../../../src/core/engines/walks/engine.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../../../src/core/env/options.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import { Scheduler } from '../../../../src/core/portfolio/scheduler.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { complete, drive } from '../../../../src/sat/work.ts';
import { loadCadicalForTests } from '../../../support/cadical.ts';
import { checkOf, complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { isUnsafe } from '../../explicit.ts';
import { HandMade } from '../../hand-made.ts';
import { RandomSystem } from '../../random-system.ts';
import { Alone, runLength, viewsOfForm } from '../one-engine.ts';

const heavy = await loadedBackEnd();

/** Counts up by one in each step in which it may, from zero, and must not get to 300. */
const COUNTER = `
  (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16)) (declare-const go Bool)
  (assert (! (= x #x0000) :named init))
  (assert (! (= x.next (ite go (bvadd x #x0001) x)) :named trans))
  (assert (! (bvult x #x012c) :named property))`;

t.test('walks find what is far away, and their runs have no idle steps', t => {
  const alone = new Alone(WALKS, new HandMade(COUNTER).system, heavy, { engine: { seed: 1 } });
  t.equal(alone.obstacle, undefined);
  const outcome = alone.finish(50_000_000);
  t.equal(runLength(outcome), 301, 'three hundred steps are the least');
  t.equal(alone.proven(outcome), 'unsafe');
  t.end();
});

t.test('walks go through programs, by whatever clause can be used', t => {
  const question = readQuestion(
    'deep.smt2',
    `(set-logic HORN)
    (declare-fun up ((_ BitVec 16) (_ BitVec 16)) Bool) (declare-fun down ((_ BitVec 16) (_ BitVec 16)) Bool)
    (assert (up #x0000 #x0000))
    (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)))
      (=> (and (up i s) (bvult i #x03e8)) (up (bvadd i #x0001) (bvadd s i)))))
    (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16))) (=> (and (up i s) (= i #x03e8)) (down i s))))
    (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)))
      (=> (and (down i s) (bvult #x0000 i)) (down (bvsub i #x0001) (bvadd s #x0003)))))
    (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16))) (=> (and (down i s) (= i #x0000) (bvult #x0001 s)) false)))`,
    { strict: true, warn: message => t.fail(message) },
  );
  const { flat } = viewsOfForm(question, 'normal');
  t.ok(
    flat.system.choices.some(group => group.length > 1),
    'there are choices to be made',
  );
  const verdict = verdictOf(question, heavy, { engines: ['walks'], engine: { seed: 1 } });
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  t.equal(
    verdict.kind === 'unsafe' && verdict.derivation.steps.length,
    2003,
    'a thousand rounds up, a thousand down, the start, the change between the loops, and the end',
  );
  t.end();
});

t.test('what is no matter of evaluation is refused', t => {
  const obstacle = (text: string) => new Alone(WALKS, new HandMade(text).system, heavy).obstacle;
  const rest = '(assert (! true :named init)) (assert (! true :named property))';
  t.match(
    obstacle(`(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) ${rest}
      (assert (! (bvult x x.next) :named trans))`),
    /evaluation/,
    'a related next state',
  );
  t.match(
    obstacle(`(declare-fun f ((_ BitVec 8)) (_ BitVec 8)) (declare-const x (_ BitVec 8))
      (declare-const x.next (_ BitVec 8)) ${rest} (assert (! (= x.next (f x)) :named trans))`),
    /evaluation/,
    'a function of which nothing is known',
  );
  t.end();
});

t.test('walks find violations that are none, in no random system', t => {
  const random = seeded(t);
  let [walked, found, missed] = [0, 0, 0];
  for (let round = 0; round < 150; round++) {
    const { system, property } = new RandomSystem(random);
    const alone = new Alone(WALKS, system, heavy, { engine: { seed: round } });
    if (alone.obstacle !== undefined) continue;
    walked++;
    const { engine } = alone;
    let outcome: Outcome = engine.run(30_000);
    while (outcome.kind === 'finishing') outcome = engine.run(30_000);
    if (outcome.kind === 'unsafe') {
      found++;
      if (alone.proven(outcome) !== 'unsafe') t.fail(`round ${round}: ${alone.proven(outcome)}`);
      if (!isUnsafe(system, property)) t.fail(`round ${round}: it is safe`);
    } else {
      if (outcome.kind === 'safe') t.fail(`round ${round}: walks prove nothing`);
      if (isUnsafe(system, property)) missed++;
    }
  }
  t.ok(walked > 20 && found > 5, `${walked} were walked, ${found} violations found, ${missed} missed`);
  t.end();
});

t.test('the same after all passes', t => {
  const random = seeded(t);
  let found = 0;
  for (let round = 0; round < 120; round++) {
    const { system, property } = new RandomSystem(random);
    const question = questionOf(system);
    const work = checkOf(question, heavy, { engines: ['walks'], engine: { seed: round } }).run();
    // They would walk for ever in a safe system.
    let next = work.next();
    for (let turns = 0; turns < 3 && next.done !== true; turns++) next = work.next();
    if (next.done !== true || next.value.kind === 'unknown') continue;
    found++;
    if (next.value.kind === 'safe') t.fail(`round ${round}: walks prove nothing`);
    const wrong = complaintAbout(question, heavy, next.value);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
    if (!isUnsafe(system, property)) t.fail(`round ${round}: it is safe`);
  }
  t.ok(found > 5, `${found} violations`);
  t.end();
});

t.test('where there is no initial state there is nowhere to begin', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (assert (! (and (bvult x #x04) (= (bvmul x x) #x40)) :named init)) (assert (! (= x.next x) :named trans))
    (assert (! (= x #x00) :named property))`);
  t.match(new Alone(WALKS, system, heavy).finish(1000), { kind: 'unknown', reason: 'incomplete' });
  t.end();
});

t.test('limits end it, with the reason', t => {
  const signal = { aborted: false };
  const { engine } = new Alone(WALKS, new HandMade(COUNTER.replace('#x012c', '#xffff')).system, heavy, {
    budget: { signal },
  });
  t.equal(engine.run(1000).kind, 'working');
  signal.aborted = true;
  t.match(engine.run(1e6), { kind: 'unknown', reason: 'aborted' });
  t.end();
});

t.test('making a run shorter is nobody else’s expense, and ends when it is stopped', t => {
  const outcomeOf = (stopAfter: number) => {
    const signal = { aborted: false };
    const seen = { finishing: 0, spent: new Set<number>() };
    const watched: EngineKind = {
      ...WALKS,
      start: (views, env) => {
        const engine = WALKS.start(views, env);
        return {
          run(effort) {
            const outcome = engine.run(effort);
            if (outcome.kind !== 'finishing') return outcome;
            seen.finishing++;
            seen.spent.add(engine.spent);
            signal.aborted = seen.finishing >= stopAfter;
            return outcome;
          },
          get spent() {
            return engine.spent;
          },
          get stats() {
            return engine.stats;
          },
        };
      },
    };
    const row = {
      kind: watched,
      start: 0,
      portion: 1_000_000,
      rate: { 'few words': 1, words: 1, 'few bits': 1 },
      why: '',
    };
    const env = {
      options: { ...DEFAULT_ENGINE_OPTIONS, seed: 1 },
      budget: { signal },
      profile: new Profile(),
      backEnd: heavy.backEnd,
    };
    const views = viewsOfForm(questionOf(new HandMade(COUNTER).system), 'normal');
    const found = complete(new Scheduler([row], views, env).run());
    return { found, seen };
  };
  const whole = outcomeOf(Number.POSITIVE_INFINITY);
  t.equal(whole.found.kind, 'unsafe');
  t.ok(whole.seen.finishing > 10, `${whole.seen.finishing} attempts`);
  t.equal(whole.seen.spent.size, 1, 'nothing is spent meanwhile');
  const stopped = outcomeOf(5);
  t.match(stopped.found, { kind: 'unknown', reason: 'aborted' });
  t.equal(stopped.seen.finishing, 5, 'no further attempt is made');
  t.end();
});

/** A product of two primes: to find an initial state is to factor it, which is for the heavy back end. */
const FACTORS = `
  (declare-const p (_ BitVec 18)) (declare-const p.next (_ BitVec 18))
  (declare-const q (_ BitVec 18)) (declare-const q.next (_ BitVec 18))
  (assert (! (and (= (bvmul ((_ zero_extend 18) p) ((_ zero_extend 18) q)) (_ bv${262_139n * 196_613n} 36))
    (bvult (_ bv1 18) p) (bvult p q)) :named init))
  (assert (! (and (= p.next q) (= q.next p)) :named trans))
  (assert (! (bvult p q) :named property))`;

t.test('waits for the heavy back end, and goes on once it is loaded', async t => {
  let loads = 0;
  const slow = new HeavyBackEnd(
    async () => {
      loads++;
      await new Promise(resolve => setTimeout(resolve, 100));
      return loadCadicalForTests();
    },
    message => t.fail(message),
  );
  const alone = new Alone(WALKS, new HandMade(FACTORS).system, slow);
  t.equal(alone.engine.run(1000).kind, 'waiting');
  t.equal(loads, 0, 'an engine does not load anything itself');
  await slow.load();
  const outcome = alone.finish(1000);
  t.equal(alone.proven(outcome), 'unsafe');
  t.equal(runLength(outcome), 2);
});

t.test('the whole check waits, too', async t => {
  const slow = new HeavyBackEnd(
    async () => {
      await new Promise(resolve => setTimeout(resolve, 100));
      return loadCadicalForTests();
    },
    message => t.fail(message),
  );
  const question = questionOf(new HandMade(FACTORS).system);
  let loads = 0;
  const verdict = await drive(checkOf(question, slow, { engines: ['walks'] }).run(), {
    load: () => {
      loads++;
      return slow.load();
    },
    turn: () => Promise.resolve(),
  });
  t.equal(verdict.kind, 'unsafe');
  t.equal(loads, 1);
});

t.test('who does not load it gets no answer, but an end', t => {
  const never = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
  const { engine } = new Alone(WALKS, new HandMade(FACTORS).system, never);
  t.equal(engine.run(1000).kind, 'waiting');
  t.match(engine.run(1000), { kind: 'unknown', reason: 'load' });
  t.end();
});
