/**
 * Bit-level IC3: examples with known answers, random small systems against explicit-state search, limits, determinism. Every
 * invariant and every run is checked by code that knows nothing of the engine.
 */
import t from 'tap';
import { BITS } from '../../../../src/core/engines/bits/engine.ts';
import type { Outcome } from '../../../../src/core/engines/engine.ts';
import { randomSystem } from '../../../planted/random-system.ts';
import { complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { isUnsafe } from '../../explicit.ts';
import { HandMade } from '../../hand-made.ts';
import { RandomSystem } from '../../random-system.ts';
import { Alone, FORMS, runLength } from '../one-engine.ts';

const heavy = await loadedBackEnd();

const EXAMPLES: readonly (readonly [name: string, answer: 'safe' | 'unsafe', text: string])[] = [
  [
    'a counter by three never is two, modulo six',
    'safe',
    `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= x #x00) :named init)) (assert (! (= x.next (ite (= x #x2a) #x00 (bvadd x #x03))) :named trans))
     (assert (! (not (= x #x02)) :named property))`,
  ],
  [
    'a counter by three is 255 after 85 steps',
    'unsafe',
    `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= x #x00) :named init)) (assert (! (= x.next (bvadd x #x03)) :named trans))
     (assert (! (not (= x #xff)) :named property))`,
  ],
  [
    'squares are no quadratic nonresidues',
    'safe',
    `(declare-const x (_ BitVec 6)) (declare-const x.next (_ BitVec 6)) (declare-const in (_ BitVec 6))
     (assert (! (= x #b000000) :named init)) (assert (! (= x.next (bvmul in in)) :named trans))
     (assert (! (not (= x #b000011)) :named property))`,
  ],
  [
    'initial states that are no cube, and latches outside of the cone',
    'safe',
    `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const y (_ BitVec 4))
     (declare-const y.next (_ BitVec 4)) (declare-const z (_ BitVec 4)) (declare-const z.next (_ BitVec 4))
     (assert (! (and (= x y) (= z #x3)) :named init))
     (assert (! (and (= x.next (bvadd x #x1)) (= y.next (bvadd y #x1)) (= z.next (bvadd z x))) :named trans))
     (assert (! (= x y) :named property))`,
  ],
  [
    'a constraint over an input that is needed for the first step and forbids the second',
    'unsafe',
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in Bool)
     (assert (! (= x #b00) :named init)) (assert (! (and (= x.next (bvadd x #b01)) (= x #b00)) :named trans))
     (assert (! (= in (= x #b00)) :named constraint)) (assert (! (not (= x #b01)) :named property))`,
  ],
  [
    'a constraint that no state after the first satisfies',
    'safe',
    `(declare-const x Bool) (declare-const x.next Bool) (declare-const in Bool)
     (assert (! (not x) :named init)) (assert (! x.next :named trans))
     (assert (! (and in (not x)) :named constraint)) (assert (! (not x) :named property))`,
  ],
  [
    'a next state that is related, not defined',
    'unsafe',
    `(declare-const x (_ BitVec 5)) (declare-const x.next (_ BitVec 5))
     (assert (! (= x #b00001) :named init))
     (assert (! (or (= x.next (bvshl x #b00001)) (= x.next (bvadd x x.next #b00001))) :named trans))
     (assert (! (not (= x #b10000)) :named property))`,
  ],
  [
    'no initial state',
    'safe',
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
     (assert (! (and (bvult x #b01) (bvult #b01 x)) :named init)) (assert (! (= x.next x) :named trans))
     (assert (! false :named property))`,
  ],
  [
    'the property fails at once, whatever the state',
    'unsafe',
    `(declare-const x Bool) (declare-const x.next Bool) (declare-const in Bool)
     (assert (! x :named init)) (assert (! (= x.next x) :named trans)) (assert (! in :named property))`,
  ],
  [
    'a memory of four words keeps what is written to another word',
    'safe',
    `(declare-const m (Array (_ BitVec 2) (_ BitVec 3))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 3)))
     (declare-const at (_ BitVec 2)) (declare-const in (_ BitVec 3))
     (assert (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 3))) #b101)) :named init))
     (assert (! (= m.next (ite (= at #b10) m (store m at in))) :named trans))
     (assert (! (= (select m #b10) #b101) :named property))`,
  ],
  [
    'a memory of four words can hold four different ones',
    'unsafe',
    `(declare-const m (Array (_ BitVec 2) (_ BitVec 2))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 2)))
     (declare-const at (_ BitVec 2))
     (assert (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00)) :named init))
     (assert (! (= m.next (store m at (bvadd (select m at) #b01))) :named trans))
     (assert (! (not (distinct (select m #b00) (select m #b01) (select m #b10) (select m #b11))) :named property))`,
  ],
];

t.test('examples', t => {
  for (const [name, answer, text] of EXAMPLES) {
    for (const portion of [50, 1e6]) {
      const alone = new Alone(BITS, new HandMade(text).system, heavy);
      t.equal(alone.obstacle, undefined);
      t.equal(alone.proven(alone.finish(portion)), answer, name);
    }
  }
  t.end();
});

t.test('a run is as long as it has to be', t => {
  const alone = new Alone(BITS, new HandMade(EXAMPLES[1][2]).system, heavy);
  t.equal(runLength(alone.finish(1e6)), 86, '85 additions of 3 make 255');
  t.end();
});

t.test('150 random systems agree with explicit-state search', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0 };
  for (let round = 0; round < 150; round++) {
    const { system, property } = random.chance(0.5) ? randomSystem(random) : new RandomSystem(random);
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    const form = random.pick(FORMS);
    const alone = new Alone(BITS, system, heavy, { form, engine: { seed: random.below(3) } });
    const proven = alone.proven(alone.finish(random.pick([20, 1000, 1e6])));
    counts[expected]++;
    if (proven !== expected) t.fail(`round ${round}: it is ${expected}, but the engine says: ${proven}`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15, JSON.stringify(counts));
  t.end();
});

t.test('150 random systems after all passes', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0 };
  for (let round = 0; round < 150; round++) {
    const { system, property } = random.chance(0.5) ? randomSystem(random) : new RandomSystem(random);
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    const question = questionOf(system);
    const verdict = verdictOf(question, heavy, { engines: ['bits'] });
    counts[expected]++;
    const proven = complaintAbout(question, heavy, verdict) ?? verdict.kind;
    if (proven !== expected) t.fail(`round ${round}: it is ${expected}, but the engine says: ${proven}`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15, JSON.stringify(counts));
  t.end();
});

t.test('limits end it, with the reason', t => {
  const { system } = new HandMade(EXAMPLES[1][2]);
  const late = new Alone(BITS, system, heavy, { budget: { deadline: Date.now() - 1 } }).engine;
  t.match(late.run(1e6), { kind: 'unknown', reason: 'deadline' });
  t.match(late.run(1e6), { kind: 'unknown', reason: 'deadline' }, 'and it stays so');
  const signal = { aborted: false };
  const stopped = new Alone(BITS, system, heavy, { budget: { signal } }).engine;
  t.equal(stopped.run(10).kind, 'working', 'a small portion is not enough');
  signal.aborted = true;
  t.match(stopped.run(1e9), { kind: 'unknown', reason: 'aborted' });
  t.end();
});

t.test('two runs are the same run', t => {
  const run = () => {
    const { system } = new HandMade(EXAMPLES[2][2]);
    const alone = new Alone(BITS, system, heavy, { engine: { seed: 7 } });
    const invariant = invariantOf(alone.finish(300));
    return { invariant, stats: alone.engine.stats, spent: alone.engine.spent };
  };
  const [first, second] = [run(), run()];
  t.same(first, second);
  t.ok(first.invariant.length > 0);
  t.ok(first.stats.queries > 0 && first.stats.depth > 0 && first.stats.propagations > 0);
  t.end();

  function invariantOf(outcome: Outcome): readonly number[] {
    return outcome.kind === 'safe' ? [...outcome.proof.model.values()] : [];
  }
});
