/**
 * The checker as a whole: examples with known answers, random small systems against explicit-state search, limits,
 * determinism. Every verdict's evidence is checked once more here, from outside.
 */
import t from 'tap';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { checkProof } from '../../src/core/check/invariant.ts';
import { replay } from '../../src/core/check/replay.ts';
import { Checker, type CheckerOptions, type Verdict } from '../../src/core/checker.ts';
import type { Property, System } from '../../src/core/system/system.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { seeded } from '../support/random.ts';
import { isUnsafe } from './explicit.ts';
import { HandMade } from './hand-made.ts';
import { RandomSystem } from './random-system.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const OPTIONS: CheckerOptions = {
  evaluateConstants: true,
  generalize: true,
  budget: {},
  heavy,
  onProgress: () => undefined,
};

/** Is the verdict what its evidence proves? */
function complaint(system: System, property: Property, verdict: Verdict): string | undefined {
  if (verdict.kind === 'unsafe') return replay(system, property, verdict.trace);
  if (verdict.kind === 'unknown') return verdict.reason;
  const check = checkProof(system, property, verdict.proof, { backEnd: heavy.backEnd });
  return check.kind === 'valid' ? undefined : check.reason;
}

/** Examples as systems: text as HandMade reads it, and the answer. */
const EXAMPLES: readonly (readonly [name: string, answer: 'safe' | 'unsafe', text: string])[] = [
  [
    'x := 3; x := x + 3; assert x < 7, where the abstraction must learn the new term 6 (section 4.4.1)',
    'safe',
    `(declare-const pc (_ BitVec 2)) (declare-const pc.next (_ BitVec 2))
     (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= pc #b00) :named init))
     (assert (! (and (= pc.next (ite (= pc #b11) pc (bvadd pc #b01)))
                     (= x.next (ite (= pc #b00) #x03 (ite (= pc #b01) (bvadd x #x03) x)))) :named trans))
     (assert (! (=> (= pc #b10) (bvult x #x07)) :named property))`,
  ],
  [
    'the same with a bound that is too low',
    'unsafe',
    `(declare-const pc (_ BitVec 2)) (declare-const pc.next (_ BitVec 2))
     (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= pc #b00) :named init))
     (assert (! (and (= pc.next (ite (= pc #b11) pc (bvadd pc #b01)))
                     (= x.next (ite (= pc #b00) #x03 (ite (= pc #b01) (bvadd x #x03) x)))) :named trans))
     (assert (! (=> (= pc #b10) (bvult x #x06)) :named property))`,
  ],
  [
    'a write is read back: a constraint lemma about arrays (section 4.4)',
    'safe',
    `(declare-const pc Bool) (declare-const pc.next Bool) (declare-const i (_ BitVec 4)) (declare-const i.next (_ BitVec 4))
     (declare-const a (Array (_ BitVec 4) (_ BitVec 8))) (declare-const a.next (Array (_ BitVec 4) (_ BitVec 8)))
     (assert (! (not pc) :named init))
     (assert (! (and pc.next (= i.next i) (= a.next (ite pc a (store a i #x03)))) :named trans))
     (assert (! (=> pc (= (select a i) #x03)) :named property))`,
  ],
  [
    'equal inputs through equal operations stay equal, whatever multiplication means',
    'safe',
    `(declare-const x (_ BitVec 64)) (declare-const x.next (_ BitVec 64)) (declare-const y (_ BitVec 64))
     (declare-const y.next (_ BitVec 64)) (declare-const in (_ BitVec 64))
     (assert (! (= x y) :named init))
     (assert (! (and (= x.next (bvmul x (bvadd in x))) (= y.next (bvmul y (bvadd in y)))) :named trans))
     (assert (! (= x y) :named property))`,
  ],
  [
    'initial values from another state variable',
    'unsafe',
    `(declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const y (_ BitVec 3))
     (declare-const y.next (_ BitVec 3))
     (assert (! (= x (bvadd y #b001)) :named init))
     (assert (! (and (= x.next x) (= y.next (bvadd y #b001))) :named trans))
     (assert (! (not (= y #b101)) :named property))`,
  ],
  [
    'a property over an input, and a constraint that keeps the input from breaking it',
    'safe',
    `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
     (assert (! (= x #x0) :named init)) (assert (! (= x.next in) :named trans))
     (assert (! (bvult in #x8) :named constraint)) (assert (! (not (= in #x9)) :named property))`,
  ],
  [
    'a constraint that leaves no successor: the last state still counts',
    'unsafe',
    `(declare-const x Bool) (declare-const x.next Bool) (declare-const in Bool)
     (assert (! (not x) :named init)) (assert (! (and (= x.next true) (not x)) :named trans))
     (assert (! (or in (not x)) :named constraint)) (assert (! (not x) :named property))`,
  ],
  [
    'no initial state at all',
    'safe',
    `(declare-const x Bool) (declare-const x.next Bool)
     (assert (! (and x (not x)) :named init)) (assert (! (= x.next x) :named trans))
     (assert (! false :named property))`,
  ],
  [
    'the property fails in an initial state',
    'unsafe',
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
     (assert (! (bvult x #b11) :named init)) (assert (! (= x.next x) :named trans))
     (assert (! (not (= x #b10)) :named property))`,
  ],
];

t.test('examples', async t => {
  for (const [name, answer, text] of EXAMPLES) {
    for (const evaluateConstants of [true, false]) {
      for (const generalize of [true, false]) {
        const { system, property } = new HandMade(text);
        const verdict = await new Checker(system, property, {
          ...OPTIONS,
          evaluateConstants,
          generalize,
        }).run();
        t.equal(verdict.kind, answer, `${name} ${verdict.kind === 'unknown' ? verdict.reason : ''}`);
        t.equal(complaint(system, property, verdict), undefined);
      }
    }
  }
});

t.test('multiplication needs no lemma where equality suffices', async t => {
  const { system, property } = new HandMade(EXAMPLES[3][2]);
  const checker = new Checker(system, property, OPTIONS);
  t.equal((await checker.run()).kind, 'safe');
  t.equal(checker.stats.refinements, 0);
});

t.test('constants that are evaluated spare lemmas about new terms', async t => {
  const run = async (evaluateConstants: boolean) => {
    const { system, property } = new HandMade(EXAMPLES[0][2]);
    const checker = new Checker(system, property, { ...OPTIONS, evaluateConstants });
    t.equal((await checker.run()).kind, 'safe');
    return checker.stats.refinements;
  };
  t.ok((await run(true)) < (await run(false)));
});

t.test('two runs are the same run', async t => {
  const run = async () => {
    const { system, property } = new HandMade(EXAMPLES[0][2]);
    const checker = new Checker(system, property, { ...OPTIONS, evaluateConstants: false });
    const verdict = await checker.run();
    return { verdict: verdict.kind === 'safe' ? verdict.proof : verdict.kind, stats: checker.stats };
  };
  t.same(await run(), await run());
});

t.test('limits give unknown with the reason', async t => {
  const { system, property } = new HandMade(EXAMPLES[0][2]);
  const late = await new Checker(system, property, {
    ...OPTIONS,
    budget: { deadline: Date.now() - 1 },
  }).run();
  t.same(late, { kind: 'unknown', reason: 'deadline' });
  const stopped = await new Checker(system, property, {
    ...OPTIONS,
    budget: { signal: { aborted: true } },
  }).run();
  t.same(stopped, { kind: 'unknown', reason: 'aborted' });
});

t.test('300 random systems agree with explicit-state search', async t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < 300; round++) {
    const { system, property } = new RandomSystem(random);
    const options = {
      ...OPTIONS,
      evaluateConstants: random.chance(0.7),
      generalize: random.chance(0.8),
      arrays: random.pick(['abstract', 'lazy'] as const),
      refine: random.pick(['path', 'path', 'forward'] as const),
      laws: random.chance(0.6),
      concretize: random.pick([0, 0, 1, 2, 4]),
      bounded: random.chance(0.5),
      walks: random.chance(0.5),
      bits: random.chance(0.5),
      seed: random.below(3),
      budget: { deadline: Date.now() + 5000 },
    };
    const verdict = await new Checker(system, property, options).run();
    counts[verdict.kind]++;
    if (verdict.kind === 'unknown') {
      t.comment(`round ${round}: ${verdict.reason}`);
      if (verdict.reason.includes('internal failure')) t.fail(`round ${round}: ${verdict.reason}`);
      continue;
    }
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    if (verdict.kind !== expected) t.fail(`round ${round}: ${verdict.kind}, but it is ${expected}`);
    const wrong = complaint(system, property, verdict);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
  }
  t.ok(counts.safe > 50 && counts.unsafe > 50, JSON.stringify(counts));
  t.ok(counts.unknown < 30, 'few are left open');
});
