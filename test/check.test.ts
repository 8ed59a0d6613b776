/**
 * The check as a whole: examples with known answers, random small systems against explicit-state search, limits,
 * determinism. Every verdict's evidence is checked once more here, from outside.
 */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { PropertyCheck, Verdict } from '../src/check.ts';
import { ENCODINGS } from '../src/core/passes/pipeline.ts';
import { ENGINE_NAMES } from '../src/core/portfolio/engine-names.ts';
import { PORTFOLIO } from '../src/core/portfolio/table.ts';
import { readQuestion } from '../src/formats/read.ts';
import { complete } from '../src/sat/work.ts';
import { isUnsafe } from './core/explicit.ts';
import { HandMade } from './core/hand-made.ts';
import { RandomSystem } from './core/random-system.ts';
import {
  checkOf,
  complaintAbout,
  loadedBackEnd,
  type Options,
  questionOf,
  verdictOf,
} from './support/checking.ts';
import { type Random, seeded } from './support/random.ts';

const heavy = await loadedBackEnd();

/** The abstract search and nothing beside it. */
const ALONE = { engines: ['abstract'] };

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

const example = (number: number) => questionOf(new HandMade(EXAMPLES[number][2]).system);

/** What an engine has done. */
function statsOf(check: PropertyCheck, engine: string): Readonly<Record<string, number>> {
  return check.shares.find(s => s.name === engine)?.stats ?? {};
}

t.test('examples', t => {
  for (const [name, answer, text] of EXAMPLES) {
    for (const engines of [undefined, ALONE.engines]) {
      for (const evaluateConstants of [true, false]) {
        for (const generalize of [true, false]) {
          const question = questionOf(new HandMade(text).system);
          const verdict = verdictOf(question, heavy, { engines, engine: { evaluateConstants, generalize } });
          t.equal(verdict.kind, answer, `${name} ${verdict.kind === 'unknown' ? verdict.text : ''}`);
          t.equal(complaintAbout(question, heavy, verdict), undefined);
        }
      }
    }
  }
  t.end();
});

t.test('multiplication needs no lemma where equality suffices', t => {
  const check = checkOf(example(3), heavy, ALONE);
  t.equal(complete(check.run()).kind, 'safe');
  t.equal(statsOf(check, 'abstract').refinements, 0);
  t.end();
});

t.test('constants that are evaluated spare lemmas about new terms', t => {
  const refinements = (evaluateConstants: boolean) => {
    const check = checkOf(example(0), heavy, { ...ALONE, engine: { evaluateConstants } });
    t.equal(complete(check.run()).kind, 'safe');
    return statsOf(check, 'abstract').refinements;
  };
  t.ok(refinements(true) < refinements(false));
  t.end();
});

/** A verdict without what cannot be compared: terms are the same numbers in every run of the same text. */
function comparable(verdict: Verdict): unknown {
  switch (verdict.kind) {
    case 'safe':
      return {
        ...verdict.proof,
        model: [...verdict.proof.model.values()],
        lemmas: [...verdict.proof.lemmas.values()],
      };
    case 'unsafe':
      return verdict.derivation.steps.map(({ values, premises }) => ({ values: [...values], premises }));
    case 'unknown':
      return verdict;
  }
}

t.test('two runs are the same run', t => {
  const each = PORTFOLIO.map(r => r.kind);
  for (const [name, answer, text] of EXAMPLES) {
    // Who proves nothing would go on for ever where there is nothing to find.
    const single = each.filter(kind => kind.proves || answer === 'unsafe').map(kind => [kind.name]);
    for (const engines of [undefined, ...single]) {
      const run = () => {
        const question = questionOf(new HandMade(text).system);
        const check = checkOf(question, heavy, { engines, engine: { evaluateConstants: false } });
        const verdict = complete(check.run());
        return { verdict: comparable(verdict), by: check.foundBy, shares: check.shares };
      };
      t.same(run(), run(), `${name}, ${engines ?? 'all engines'}`);
    }
  }
  t.end();
});

t.test('limits give unknown with the reason', t => {
  const late = verdictOf(example(0), heavy, { budget: { deadline: Date.now() - 1 } });
  t.match(late, { kind: 'unknown', reason: 'deadline' });
  const stopped = verdictOf(example(0), heavy, { budget: { signal: { aborted: true } } });
  t.match(stopped, { kind: 'unknown', reason: 'aborted' });
  t.end();
});

t.test('a limit that comes into force in the middle ends every engine', t => {
  // x and y are products of 64 bits: nobody is done with them before the limit.
  const question = questionOf(
    new HandMade(`
      (declare-const x (_ BitVec 64)) (declare-const x.next (_ BitVec 64)) (declare-const in (_ BitVec 64))
      (declare-const y (_ BitVec 64)) (declare-const y.next (_ BitVec 64))
      (assert (! (and (= x #x0000000000000003) (= y #x0000000000000005)) :named init))
      (assert (! (and (= x.next (bvmul x (bvadd y in))) (= y.next (bvmul y (bvxor x in)))) :named trans))
      (assert (! (not (= (bvmul x (bvadd y y)) #x123456789abcdef1)) :named property))`).system,
  );
  // Unfolding trees is for problems whose derivations are no runs, executions for those with several locations, conjectures for arrays.
  const others = /bounded-trees|executions|conjectures/;
  for (const engine of ENGINE_NAMES.filter(n => !others.test(n))) {
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 40;
      },
    };
    const verdict = verdictOf(question, heavy, { engines: [engine], budget: { signal } });
    t.match(verdict, { kind: 'unknown', reason: 'aborted' }, engine);
  }
  t.end();
});

t.test('engines that cannot prove anything leave a safe system open', t => {
  const verdict = verdictOf(example(0), heavy, { engines: ['bounded'], engine: { bound: 5 } });
  t.equal(verdict.kind, 'unknown');
  t.equal(verdictOf(example(0), heavy, { engines: [] }).kind, 'unknown', 'and so does nobody');
  t.end();
});

/** Some engines, of which one is complete on systems of a few bits; k-induction is not. */
function someEngines(random: Random): string[] {
  const complete = random.pick(['abstract', 'bits']);
  return PORTFOLIO.map(r => r.kind.name).filter(name => name === complete || random.chance(0.4));
}

t.test('300 random systems agree with explicit-state search', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  const foundBy = new Map(ENGINE_NAMES.map(n => [n, 0]));
  for (let round = 0; round < 300; round++) {
    const { system, property } = new RandomSystem(random);
    const question = questionOf(system);
    const options: Options = {
      engine: {
        evaluateConstants: random.chance(0.7),
        generalize: random.chance(0.8),
        arrays: random.pick(['abstract', 'lazy']),
        seed: random.below(3),
      },
      engines: random.chance(0.2) ? undefined : someEngines(random),
      encoding: random.pick(ENCODINGS),
    };
    const check = checkOf(question, heavy, options);
    const verdict = complete(check.run());
    const wrong = (what: string) => t.fail(`round ${round}, ${JSON.stringify(options)}: ${what}`);
    counts[verdict.kind]++;
    if (verdict.kind === 'unknown') {
      if (verdict.reason !== 'incomplete' || verdict.text.includes('internal failure')) wrong(verdict.text);
      t.comment(`round ${round}: ${verdict.text}`);
      continue;
    }
    foundBy.set(check.foundBy as string, (foundBy.get(check.foundBy as string) ?? 0) + 1);
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    if (verdict.kind !== expected) wrong(`${verdict.kind}, but it is ${expected}`);
    const complaint = complaintAbout(question, heavy, verdict);
    if (complaint !== undefined) wrong(complaint);
  }
  t.ok(counts.safe > 50 && counts.unsafe > 50, JSON.stringify(counts));
  t.ok(counts.unknown < 10, 'few are left open');
  t.comment(JSON.stringify([...foundBy]));
  t.end();
});

const unlisted = new URL('../../shared/corpus/vmt/euforia/ex01.vmt', import.meta.url).pathname;

t.test(
  'a violation whose shortened run cannot be shown is not the last word',
  {
    skip: !existsSync(unlisted) && 'the corpus is not there',
  },
  t => {
    const question = readQuestion(unlisted, readFileSync(unlisted, 'utf8'), {
      strict: false,
      warn: () => {},
    });
    const verdict = verdictOf(question, heavy);
    t.equal(verdict.kind, 'unsafe', 'another one is found round by round');
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    t.end();
  },
);
