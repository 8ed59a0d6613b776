/**
 * The passes before control is looked for: what they leave is what k-inductive proofs and bounds are about, since its steps are
 * the user's. Every example here is one on which a proof once failed its check, or a bound was one too many.
 */
import t from 'tap';
import { preprocess } from '../../../src/core/passes/pipeline.ts';
import type { Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../support/checking.ts';
import { HandMade } from '../hand-made.ts';
import { asClauses, UP_AND_DOWN, withBooleans, withVector } from './program.ts';

/** What other passes do shows better without. */
const NO_FACTS = { facts: false } as const;

const heavy = await loadedBackEnd();

/** What k-induction alone proves; a proof that fails its check is a failure of its own. */
function byInduction(question: Question): string {
  const verdict = verdictOf(question, heavy, { engines: ['k-induction'] });
  if (verdict.kind === 'unknown') return verdict.text.includes('internal failure') ? verdict.text : 'unknown';
  return complaintAbout(question, heavy, verdict) ?? verdict.kind;
}

const made = (text: string) => questionOf(new HandMade(text).system);
const horn = (text: string) =>
  readQuestion('test.smt2', `(set-logic HORN) ${text}`, { strict: true, warn: t.fail });
const early = ({ problem }: Question) => preprocess(problem, 'sliced', new Checkpoint(), NO_FACTS).early;

/** From zero to three and back; one, where nothing leads to, may stay as it is, and be followed by two. */
const idle = (more: string, moves: string, go: string) =>
  made(`
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) ${more}
  (assert (! (= x #b00) :named init))
  (assert (! (and ${moves} (= x.next (ite (= x #b00) #b11 (ite (= x #b11) #b00 (ite (= x #b01) (ite ${go} #b10 #b01) x)))))
    :named trans))
  (assert (! (not (= x #b10)) :named property))`);

const C = '(declare-const c (_ BitVec 8)) (declare-const c.next (_ BitVec 8))';

t.test('that states are different is said only where they are the same states to the user', t => {
  const plain = idle('(declare-const go Bool)', 'true', 'go');
  t.equal(byInduction(plain), 'safe', 'no state comes twice');
  t.notOk(early(plain)?.back.joinsStates);
  // Now x may stay one for 255 steps, and no state comes twice.
  const counting = idle(`(declare-const go Bool) ${C}`, '(= c.next (bvadd c #x01))', 'go');
  t.equal(byInduction(counting), 'unknown');
  t.ok(early(counting)?.back.joinsStates, 'the counter is dropped');
  const chosen = idle(C, 'true', '(= c #x07)');
  t.equal(byInduction(chosen), 'unknown');
  t.ok(early(chosen)?.back.joinsStates, 'what is left to chance becomes an input');
  for (const question of [counting, chosen])
    t.equal(verdictOf(question, heavy).kind, 'safe', 'to all engines');
  t.end();
});

/** Counts to nine and starts again; from thirteen on there is no way out of what is above ten. */
const NEXT = '(ite (= x #x09) #x00 (ite (bvult #x0c x) #x0b (bvadd x #x01)))';

t.test('a state without a violation is one without a violation by the inputs of its step', t => {
  const asked = (property: string) =>
    made(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const y Bool) (declare-const z (_ BitVec 8))
    (assert (! (= x #x00) :named init)) (assert (! (= x.next ${NEXT}) :named trans))
    (assert (! (not ${property}) :named property))`);
  t.equal(byInduction(asked('(bvult #x0a x)')), 'safe');
  t.equal(byInduction(asked('(and y (bvult #x0a x))')), 'safe', 'a violation only where the input says so');
  t.equal(byInduction(asked('(and (= z x) (bvult #x0a z))')), 'safe', 'an input that is the state');
  t.equal(byInduction(asked('(or (and y (= x #x0b)) (and (not y) (bvult #x0b x)))')), 'safe', 'two of them');
  t.equal(byInduction(asked('(and y (= x #x05))')), 'unsafe');
  const clauses = horn(`(declare-fun R ((_ BitVec 8)) Bool) (assert (R #x00))
    (assert (forall ((x (_ BitVec 8))) (=> (R x) (R ${NEXT}))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (R x) (bvult #x0a x)) false)))`);
  t.equal(byInduction(clauses), 'safe', 'a variable of a clause that is the argument');
  t.end();
});

t.test('a k-inductive proof is about one location, also if others do not matter', t => {
  const text = `(declare-fun R ((_ BitVec 8)) Bool) (declare-fun S ((_ BitVec 8)) Bool)
    (assert (R #x00)) (assert (forall ((x (_ BitVec 8))) (=> (and (R x) (distinct x #x09)) (R (bvadd x #x01)))))
    (assert (forall ((x (_ BitVec 8))) (=> (S x) (S (bvadd x #x01)))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (R x) (= x #x0b)) false)))`;
  t.equal(byInduction(horn(text)), 'unknown');
  t.equal(early(horn(text)), undefined);
  t.end();
});

t.test('what passes settle by themselves is settled', t => {
  const same = made(`
    (declare-const x (_ BitVec 64)) (declare-const x.next (_ BitVec 64))
    (declare-const y (_ BitVec 64)) (declare-const y.next (_ BitVec 64))
    (assert (! (= x y) :named init)) (assert (! (and (= x.next (bvmul x x)) (= y.next (bvmul y y))) :named trans))
    (assert (! (= x y) :named property))`);
  t.equal(early(same)?.problem.locations.length, 0, 'nothing is left');
  t.equal(byInduction(same), 'safe');
  t.end();
});

t.test('constraints hold where there is no step', t => {
  const asked = (constraint: string) =>
    made(`
    (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in (_ BitVec 2))
    (assert (! (bvult x #b11) :named init)) (assert (! (= x.next x) :named trans))
    (assert (! ${constraint} :named constraint)) (assert (! (not (= in #b10)) :named property))`);
  for (const [constraint, expected] of [
    ['false', 'safe'],
    ['(bvult in x)', 'safe'],
    ['(bvule in x)', 'unsafe'],
  ] as const) {
    const question = asked(constraint);
    t.equal(byInduction(question), expected, constraint);
    for (const engine of ['abstract', 'bits']) {
      const verdict = verdictOf(question, heavy, { engines: [engine] });
      t.equal(complaintAbout(question, heavy, verdict) ?? verdict.kind, expected, `${engine}: ${constraint}`);
    }
  }
  t.end();
});

t.test('a bound counts the steps of a program as the user takes them', t => {
  // Three rounds up, one step from loop to loop, and two rounds down: then j is one.
  const program = {
    ...UP_AND_DOWN,
    error: { at: 1, when: '(and (= n (_ bv3 16)) (= k (_ bv1 16)) (= i (_ bv3 16)))' },
  };
  const steps = 3 + 1 + 2;
  for (const text of [withVector(program), withBooleans(program)]) {
    const question = readQuestion('test.vmt', text, { strict: true, warn: t.fail });
    const within = (bound: number) => verdictOf(question, heavy, { engines: ['bounded'], engine: { bound } });
    t.match(within(steps - 1), {
      kind: 'unknown',
      reason: 'incomplete',
      text: /no violation within 5 steps/,
    });
    const found = within(steps);
    t.equal(complaintAbout(question, heavy, found), undefined);
    t.equal(
      found.kind === 'unsafe' && found.derivation.steps.length,
      1 + steps + 1,
      'and the start and the end',
    );
  }
  // Passes may make one step of several clauses. What is said to be excluded is.
  const clauses = horn(asClauses(program).replace('(set-logic HORN)', ''));
  const found = verdictOf(clauses, heavy, { engines: ['bounded'], engine: { bound: steps } });
  t.equal(complaintAbout(clauses, heavy, found), undefined);
  t.end();
});
