import t from 'tap';
import { BOUNDED } from '../../../../src/core/engines/bounded/engine.ts';
import { loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { isUnsafe, shortestViolation } from '../../explicit.ts';
import { HandMade, WALK } from '../../hand-made.ts';
import { RandomSystem } from '../../random-system.ts';
import { Alone, FORMS, runLength } from '../one-engine.ts';

const heavy = await loadedBackEnd();

/** Counts up by one in each step in which it may, from zero. */
const counter = (property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
    (declare-const go Bool)
    (assert (! (= x #x0000) :named init))
    (assert (! (= x.next (ite go (bvadd x #x0001) x)) :named trans))
    (assert (! ${property} :named property))`).system;

t.test('finds the shortest violation and nothing before it', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const by (_ BitVec 8))
    (assert (! (= x #x01) :named init)) (assert (! (= x.next (bvmul x by)) :named trans))
    (assert (! (bvult by #x04) :named constraint)) (assert (! (not (= x #x1b)) :named property))`);
  const alone = new Alone(BOUNDED, system, heavy);
  const outcome = alone.finish(1_000_000);
  t.equal(runLength(outcome), 4, '27 is a product of three factors up to 3, and of no fewer');
  t.equal(alone.proven(outcome), 'unsafe');
  t.end();
});

t.test('skips depths, and yet finds a shortest run', t => {
  const alone = new Alone(BOUNDED, counter('(bvult x #x0028)'), heavy);
  const outcome = alone.finish(100_000_000);
  t.equal(runLength(outcome), 41, 'forty steps');
  t.equal(alone.proven(outcome), 'unsafe');
  t.end();
});

t.test('pauses and goes on', t => {
  const alone = new Alone(BOUNDED, counter('(bvult x #x0020)'), heavy);
  const { engine } = alone;
  t.equal(engine.run(1).kind, 'working');
  const { spent } = engine;
  t.ok(spent > 0, 'something was done');
  t.equal(engine.run(1).kind, 'working');
  t.ok(engine.spent > spent, 'and then more');
  t.equal(runLength(alone.finish(1000)), 33);
  t.end();
});

t.test('finds a violation that nothing can follow', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (assert (! (= x #x00) :named init))
    (assert (! (= x.next (bvadd x #x01)) :named trans))
    (assert (! (bvult x #x0e) :named constraint)) (assert (! (not (= x #x0d)) :named property))`);
  const alone = new Alone(BOUNDED, system, heavy);
  const outcome = alone.finish(10_000_000);
  t.equal(runLength(outcome), 14, 'after thirteen steps, and a fourteenth is forbidden');
  t.equal(alone.proven(outcome), 'unsafe');
  t.end();
});

t.test('finds runs in which functions have values', t => {
  const question = questionOf(new HandMade(WALK).system);
  const eight = question.properties[1];
  const verdict = verdictOf(question, heavy, { engines: ['bounded'], engine: { bound: 4 } }, eight);
  t.equal(runLength(verdict), 3, 'from six, the nearest state, in two steps');
  t.end();
});

t.test('finds the violations of random systems, and only these', t => {
  const random = seeded(t);
  let unsafe = 0;
  for (let round = 0; round < 150; round++) {
    const { system, property } = new RandomSystem(random);
    const form = random.pick(FORMS);
    const alone = new Alone(BOUNDED, system, heavy, { form });
    const outcome = alone.engine.run(100_000);
    const nearest = shortestViolation(system, property);
    if (nearest !== undefined) unsafe++;
    const expected = nearest === undefined ? undefined : nearest + 1;
    if (runLength(outcome) !== expected)
      t.fail(`round ${round}: ${runLength(outcome)} states, not ${expected}`);
    if (expected !== undefined && alone.proven(outcome) !== 'unsafe')
      t.fail(`round ${round}: ${alone.proven(outcome)}`);
  }
  t.ok(unsafe > 10 && unsafe < 140, `${unsafe} are unsafe`);
  t.end();
});

t.test('a bound counts the steps of what the user wrote, after all passes', t => {
  const random = seeded(t);
  const counts = { found: 0, further: 0, none: 0 };
  for (let round = 0; round < 150; round++) {
    const { system, property } = new RandomSystem(random);
    const bound = 1 + random.below(3);
    const verdict = verdictOf(questionOf(system), heavy, { engines: ['bounded'], engine: { bound } });
    const nearest = shortestViolation(system, property);
    if (nearest !== undefined && nearest <= bound) {
      counts.found++;
      // Evidence is checked on the user's problem before it is a verdict; no step is invented or left out.
      const length = runLength(verdict);
      if (length === undefined || length < nearest + 1 || length > bound + 1)
        t.fail(
          `round ${round}: a violation after ${nearest} steps, bound ${bound}, ${JSON.stringify(length)} states`,
        );
    } else {
      counts[nearest === undefined ? 'none' : 'further']++;
      const said = verdict.kind === 'unknown' ? `${verdict.reason}: ${verdict.text}` : verdict.kind;
      const steps = bound === 1 ? '1 step,' : `${bound} steps,`;
      if (!said.startsWith('incomplete') || !said.includes(`no violation within ${steps}`))
        t.fail(`round ${round}: ${said}`);
    }
  }
  t.ok(counts.found > 15 && counts.none > 15, JSON.stringify(counts));
  t.end();
});

t.test('a violation is within a bound or not, exactly', t => {
  const question = questionOf(counter('(bvult x #x000c)'));
  const verdict = (bound: number) => verdictOf(question, heavy, { engines: ['bounded'], engine: { bound } });
  t.equal(runLength(verdict(12)), 13, 'twelve steps');
  t.match(verdict(11), {
    kind: 'unknown',
    reason: 'incomplete',
    text: /there is no violation within 11 steps, and further on nothing is known/,
  });
  t.end();
});

t.test('without a bound it finds the violations of random systems after all passes', t => {
  const random = seeded(t);
  let unsafe = 0;
  for (let round = 0; round < 150; round++) {
    const { system, property } = new RandomSystem(random);
    if (!isUnsafe(system, property)) continue;
    unsafe++;
    const verdict = verdictOf(questionOf(system), heavy, { engines: ['bounded'] });
    if (verdict.kind !== 'unsafe') t.fail(`round ${round}: ${verdict.kind}`);
  }
  t.ok(unsafe > 10, `${unsafe} are unsafe`);
  t.end();
});

t.test('limits end it, with the reason', t => {
  const system = counter('(= x x)');
  const deadline = { deadline: Date.now() - 1 };
  const late = new Alone(BOUNDED, system, heavy, { budget: deadline });
  t.match(late.finish(Number.POSITIVE_INFINITY), { kind: 'unknown', reason: 'deadline' });
  const signal = { aborted: false };
  const stopped = new Alone(BOUNDED, system, heavy, { budget: { signal } });
  t.equal(stopped.engine.run(1000).kind, 'working');
  signal.aborted = true;
  t.match(stopped.finish(1000), { kind: 'unknown', reason: 'aborted' });
  t.end();
});

t.test("the problem's terms do not become more with the depth", t => {
  const { engine, views } = new Alone(BOUNDED, counter('(not (= x #xffff))'), heavy);
  const upTo = (depth: number) => {
    while (engine.stats.depth < depth && engine.run(1000).kind === 'working');
    t.ok(engine.stats.depth >= depth);
    return views.problem.terms.size;
  };
  t.equal(upTo(40), upTo(2));
  t.end();
});
