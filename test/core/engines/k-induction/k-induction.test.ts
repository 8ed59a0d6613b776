import t from 'tap';
import { K_INDUCTION } from '../../../../src/core/engines/k-induction/engine.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { complete } from '../../../../src/sat/work.ts';
import { randomSystem } from '../../../planted/random-system.ts';
import { checkOf, complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { isUnsafe, shortestViolation } from '../../explicit.ts';
import { HandMade } from '../../hand-made.ts';
import { RandomSystem } from '../../random-system.ts';
import { Alone, FORMS, runLength } from '../one-engine.ts';

const heavy = await loadedBackEnd();

/** Below three it goes round; above, it counts: 3, 4, 5, 6, 7. Nothing leads to three. */
const detour = (property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (assert (! (= x #b000) :named init))
    (assert (! (= x.next (ite (= x #b010) #b000 (bvadd x #b001))) :named trans))
    (assert (! ${property} :named property))`).system;

t.test('the least k for which the property is k-inductive', t => {
  // A path without a violation to one begins in three at the earliest.
  for (const [k, property] of [
    [1, '(bvult x #b011)'],
    [2, '(bvult x #b100)'],
    [3, '(bvult x #b101)'],
    [4, '(bvult x #b110)'],
  ] as const) {
    for (const form of FORMS) {
      const alone = new Alone(K_INDUCTION, detour(property), heavy, { form });
      t.equal(alone.obstacle, undefined);
      const outcome = alone.finish(40_000);
      t.equal(outcome.kind === 'safe' && outcome.proof.k, k);
      t.equal(alone.proven(outcome), 'safe', `${property}, ${form}`);
    }
    const question = questionOf(detour(property));
    const verdict = verdictOf(question, heavy, { engines: ['k-induction'] });
    t.equal(verdict.kind === 'safe' && verdict.proof.k, k, 'after all passes, too');
    t.equal(complaintAbout(question, heavy, verdict), undefined);
  }
  t.end();
});

t.test('only because no state comes twice is there a proof', t => {
  // From zero it goes round below four. Four, five and six are a circle that can be left for seven at any time.
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
    (assert (! (= x #b000) :named init))
    (assert (! (= x.next (ite (bvult x #b100)
      (ite (= x #b011) #b000 (bvadd x #b001))
      (ite go #b111 (ite (= x #b110) #b100 (bvadd x #b001))))) :named trans))
    (assert (! (not (= x #b111)) :named property))`);
  const alone = new Alone(K_INDUCTION, system, heavy);
  const outcome = alone.finish(40_000);
  t.equal(
    outcome.kind === 'safe' && outcome.proof.k,
    4,
    'three states of the circle, and a fourth there is not',
  );
  t.equal(alone.proven(outcome), 'safe');
  t.ok(alone.engine.stats.distinctStates > 0);
  t.end();
});

t.test('a state that is kept for as long as one likes', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
    (assert (! (= x #b000) :named init))
    (assert (! (= x.next (ite (and (= x #b110) go) #b111 (ite (= x #b000) #b001 x))) :named trans))
    (assert (! (not (= x #b111)) :named property))`);
  const alone = new Alone(K_INDUCTION, system, heavy);
  const outcome = alone.finish(40_000);
  t.equal(outcome.kind === 'safe' && outcome.proof.k, 2);
  t.equal(alone.proven(outcome), 'safe');
  t.end();
});

t.test('states that only a variable without influence on the property tells apart', t => {
  // What differs from state to state, until there is a violation, is the second variable only; and a state may be kept.
  const { system, property } = new HandMade(`
    (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const go Bool)
    (declare-const y (_ BitVec 2)) (declare-const y.next (_ BitVec 2))
    (assert (! (and (= x #b00) (= y #b00)) :named init))
    (assert (! (and (= x.next (ite (= y #b11) #b11 #b00)) (= y.next (ite go (bvadd y #b01) y))) :named trans))
    (assert (! (not (= x #b11)) :named property))`);
  const nearest = shortestViolation(system, property);
  t.equal(nearest, 4, 'three steps to y = 3, and one more');
  const question = questionOf(system);
  const verdict = verdictOf(question, heavy, { engines: ['k-induction'] });
  t.equal(runLength(verdict), 5);
  t.end();
});

/** Two 64-bit data paths that are equal; the property compares what was in them a step ago. */
const WIDE = `
  (declare-const v (_ BitVec 64)) (declare-const v.next (_ BitVec 64))
  (declare-const w (_ BitVec 64)) (declare-const w.next (_ BitVec 64))
  (declare-const p (_ BitVec 64)) (declare-const p.next (_ BitVec 64))
  (declare-const q (_ BitVec 64)) (declare-const q.next (_ BitVec 64))
  (declare-const u (_ BitVec 64))
  (assert (! (and (= v w) (= p q)) :named init))
  (assert (! (and
    (= v.next (bvmul (bvmul v v) (bvudiv v u))) (= w.next (bvmul (bvmul w w) (bvudiv w u)))
    (= p.next v) (= q.next w)) :named trans))
  (assert (! PROPERTY :named property))`;

t.test('a wide data path is settled at once, since operations need not be looked into', t => {
  for (const [property, k] of [
    ['(and (= v w) (= p q))', 1],
    ['(= p q)', 2],
  ] as const) {
    const { system } = new HandMade(WIDE.replace('PROPERTY', property));
    const alone = new Alone(K_INDUCTION, system, heavy);
    // Two multipliers and two dividers of 64 bits are tens of thousands of gates each.
    const outcome = alone.engine.run(1_000_000);
    t.equal(outcome.kind === 'safe' && outcome.proof.k, k, property);
    t.equal(alone.proven(outcome), 'safe');
  }
  t.end();
});

t.test('arithmetic counts where it matters', t => {
  // Odd numbers stay odd if two is added; without arithmetic nothing is known of that.
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (assert (! (= x #x01) :named init)) (assert (! (= x.next (bvadd x #x02)) :named trans))
    (assert (! (= ((_ extract 0 0) x) #b1) :named property))`);
  const alone = new Alone(K_INDUCTION, system, heavy);
  const outcome = alone.finish(40_000);
  t.equal(outcome.kind === 'safe' && outcome.proof.k, 1);
  t.equal(alone.proven(outcome), 'safe');
  t.end();
});

/** What a random system may take, in propagations: about ten seconds. */
const MOST = 2e7;

t.test('150 random systems: never wrong, and hardly ever at a loss', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < 150; round++) {
    const { system, property } = random.chance(0.5) ? randomSystem(random) : new RandomSystem(random);
    const form = random.pick(FORMS);
    const alone = new Alone(K_INDUCTION, system, heavy, { form });
    // That more steps than there are states repeat one is a pigeonhole problem, and now and then takes minutes.
    const outcome = alone.within(random.pick([100, 10_000, 1e6]), MOST);
    counts[(outcome?.kind ?? 'unknown') as keyof typeof counts]++;
    if (outcome === undefined) continue;
    if (outcome.kind === 'unknown') {
      if (outcome.reason !== 'incomplete') t.fail(`round ${round}: ${outcome.text}`);
      continue;
    }
    if (outcome.kind === 'safe' && outcome.proof.k === 0) t.fail(`round ${round}: no induction`);
    const nearest = shortestViolation(system, property);
    const expected = nearest === undefined ? 'safe' : 'unsafe';
    const proven = alone.proven(outcome);
    if (proven !== expected)
      t.fail(`round ${round}, ${form}: it is ${expected}, but the engine says: ${proven}`);
    if (nearest !== undefined && runLength(outcome) !== nearest + 1)
      t.fail(`round ${round}: ${runLength(outcome)} states, not ${nearest + 1}`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15 && counts.unknown < 15, JSON.stringify(counts));
  t.end();
});

t.test('150 random systems after all passes', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < 150; round++) {
    const { system, property } = random.chance(0.5) ? randomSystem(random) : new RandomSystem(random);
    const question = questionOf(system);
    const verdict = verdictOf(question, heavy, { engines: ['k-induction'] });
    counts[verdict.kind]++;
    if (verdict.kind === 'unknown') {
      // Initial states that only their own inputs can say have no flat view with the one location of the system.
      const isRefused = verdict.reason === 'unsupported' && /one location/.test(verdict.text);
      if ((verdict.reason !== 'incomplete' && !isRefused) || /internal/.test(verdict.text))
        t.fail(`round ${round}: ${verdict.reason}, ${verdict.text}`);
      continue;
    }
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    const proven = complaintAbout(question, heavy, verdict) ?? verdict.kind;
    if (proven !== expected) t.fail(`round ${round}: it is ${expected}, but the engine says: ${proven}`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15, JSON.stringify(counts));
  t.end();
});

t.test('gives up where it does not end, and the terms of the problem do not become more', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
    (assert (! (= x #x0000) :named init))
    (assert (! (= x.next (ite (= x #x00ff) #x0000 (bvadd x #x0001))) :named trans))
    (assert (! (not (= x #xffff)) :named property))`);
  const { engine, views } = new Alone(K_INDUCTION, system, heavy);
  const upTo = (k: number) => {
    while (engine.stats.k < k && engine.run(1000).kind === 'working');
    t.ok(engine.stats.k >= k);
    return (views.early?.views ?? views).problem.terms.size;
  };
  const size = upTo(2);
  t.equal(upTo(30), size);
  let outcome = engine.run(100_000);
  while (outcome.kind === 'working') outcome = engine.run(100_000);
  t.match(outcome, { kind: 'unknown', reason: 'incomplete', text: /not 40-inductive/ });
  t.end();
});

t.test('it pauses, goes on, and two runs are the same run', t => {
  const run = (portion: number) => {
    const alone = new Alone(K_INDUCTION, detour('(bvult x #b110)'), heavy);
    let turns = 1;
    let outcome = alone.engine.run(portion);
    for (; outcome.kind === 'working'; turns++) outcome = alone.engine.run(portion);
    return { kind: outcome.kind, turns, spent: alone.engine.spent, stats: alone.engine.stats };
  };
  const [first, second] = [run(300), run(300)];
  t.same(first, second);
  t.ok(first.turns > 1, `${first.turns} turns`);
  t.equal(first.kind, 'safe');
  t.equal(run(1e9).kind, 'safe');
  t.end();
});

t.test('limits end it, with the reason', t => {
  const { system } = new HandMade(WIDE.replace('PROPERTY', '(= p #x0000000000000000)'));
  const late = new Alone(K_INDUCTION, system, heavy, { budget: { deadline: Date.now() - 1 } });
  t.match(late.finish(Number.POSITIVE_INFINITY), { kind: 'unknown', reason: 'deadline' });
  const signal = { aborted: true };
  const stopped = new Alone(K_INDUCTION, system, heavy, { budget: { signal } });
  t.match(stopped.finish(1000), { kind: 'unknown', reason: 'aborted' });
  t.end();
});

t.test('several locations are refused', t => {
  const question = readQuestion(
    'two.smt2',
    `(set-logic HORN)
    (declare-fun a ((_ BitVec 8)) Bool) (declare-fun b ((_ BitVec 8)) Bool)
    (assert (a #x00))
    (assert (forall ((x (_ BitVec 8))) (=> (a x) (a (bvadd x #x02)))))
    (assert (forall ((x (_ BitVec 8))) (=> (a x) (b x))))
    (assert (forall ((x (_ BitVec 8))) (=> (b x) (b (bvadd x #x04)))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (b x) (= x #x01)) false)))`,
    { strict: true, warn: message => t.fail(message) },
  );
  const verdict = complete(checkOf(question, heavy, { engines: ['k-induction'] }).run());
  t.match(verdict, { kind: 'unknown', reason: 'unsupported', text: /one location/ });
  t.end();
});
