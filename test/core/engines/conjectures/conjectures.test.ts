/**
 * Conjectures: those that are left are the most that are inductive, by enumeration; what is proved of random systems is so; the shapes
 * that there are conjectures of are found; and nothing is claimed where there is a violation.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { CONJECTURES } from '../../../../src/core/engines/conjectures/engine.ts';
import { isLinear, restrictedTo } from '../../../../src/core/problem/problem.ts';
import { hornQuestion } from '../../../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { isUnsafe } from '../../explicit.ts';
import { TooLarge } from '../../explicit-problem.ts';
import { HandMade } from '../../hand-made.ts';
import { counters } from '../../random-counters.ts';
import { LINEAR_SHAPES, randomProblem } from '../../random-problem.ts';
import { obstacleOn } from '../on-problem.ts';
import { Alone, FORMS } from '../one-engine.ts';
import { complaintAboutHoudini } from './inductive-part.ts';

const heavy = await loadedBackEnd();
const ROUNDS = 200;
const SYSTEMS = 60; // each of them is executed for a while

t.test(`what is left of conjectures about ${ROUNDS} random problems`, t => {
  const random = seeded(t);
  const counts = { held: 0, sufficient: 0, asked: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, random.pick(LINEAR_SHAPES)), 0);
    if (!isLinear(problem) || obstacleOn(problem, CONJECTURES, heavy) !== undefined) continue;
    try {
      const complaint = complaintAboutHoudini(problem, random, counts);
      if (complaint !== undefined) t.fail(`round ${round}: ${complaint}`);
      counts.asked++;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.ok(counts.asked > 60 && counts.held > 200 && counts.sufficient > 10, JSON.stringify(counts));
  t.end();
});

t.test(`${SYSTEMS} random systems`, t => {
  const random = seeded(t);
  const counts = { safe: 0, unknown: 0 };
  for (let round = 0; round < SYSTEMS; round++) {
    const { system, property } = counters(random);
    const alone = new Alone(CONJECTURES, system, heavy, { form: random.pick(FORMS) });
    const outcome = alone.finish(random.pick([1000, 1e6]));
    const proven = alone.proven(outcome);
    if (proven !== 'safe' && outcome.kind !== 'unknown') t.fail(`round ${round}: ${proven}`);
    else counts[outcome.kind as 'safe' | 'unknown']++;
    if (outcome.kind === 'safe' && isUnsafe(system, property)) t.fail(`round ${round}: it is unsafe`);
  }
  t.ok(counts.safe > 5 && counts.unknown > 5, JSON.stringify(counts));
  t.end();
});

/** An input says whether x goes on by 2, up to a limit, or y by 3; z goes on by as much as both of them. */
const system = (property: string) =>
  new HandMade(`
    ${['x', 'y', 'z'].map(v => `(declare-const ${v} (_ BitVec 32)) (declare-const ${v}.next (_ BitVec 32))`).join(' ')}
    (declare-const go Bool) (declare-const n (_ BitVec 32)) (declare-const n.next (_ BitVec 32))
    (assert (! (and (= x #x00000001) (= y #x00000000) (= z #x00000001)) :named init))
    (assert (! (and (= n.next n) (= x.next (ite (and go (bvult x n)) (bvadd x #x00000002) x))
      (= y.next (ite go y (bvadd y #x00000003)))
      (= z.next (bvadd z (bvadd (bvsub x.next x) (bvsub y.next y))))) :named trans))
    (assert (! ${property} :named property))`).system;

t.test('what has the shape of a conjecture', t => {
  for (const property of ['(= z (bvadd x y))', '(= ((_ extract 0 0) x) #b1)', '(not (= x #x00000100))']) {
    const alone = new Alone(CONJECTURES, system(property), heavy);
    t.equal(alone.proven(alone.finish(1e6)), 'safe', property);
  }
  const alone = new Alone(CONJECTURES, system('(not (= z #x0000000a))'), heavy);
  t.match(alone.finish(1e6), { kind: 'unknown', text: 'there is a violation, which others may find' });
  t.end();
});

t.test('facts about all elements', t => {
  const array = '(Array (_ BitVec 32) (_ BitVec 32))';
  const sorts = `${array} (_ BitVec 32) (_ BitVec 32)`;
  const bound = `(a ${array}) (i (_ BitVec 32)) (n (_ BitVec 32))`;
  const zeros = (looked: string) =>
    hornQuestion(
      new TermStore(),
      'zeros.smt2',
      `(set-logic HORN) (declare-fun fill (${sorts}) Bool)
       (assert (forall ((a ${array}) (n (_ BitVec 32))) (fill a #x00000000 n)))
       (assert (forall (${bound}) (=> (and (fill a i n) (bvult i n))
         (fill (store a i #x00000000) (bvadd i #x00000001) n))))
       (assert (forall (${bound} (j (_ BitVec 32)))
         (=> (and (fill a i n) (not (bvult i n)) (bvult j n) (not (= (select a ${looked}) #x00000000))) false)))`,
      new Checkpoint(),
    );
  const safe = zeros('j');
  const verdict = verdictOf(safe, heavy, { engines: ['conjectures'] });
  t.equal(complaintAbout(safe, heavy, verdict) ?? verdict.kind, 'safe');
  t.equal(verdictOf(zeros('(bvadd j #x00000001)'), heavy, { engines: ['conjectures'] }).kind, 'unknown');
  t.end();
});

t.test('a table that is filled row by row', t => {
  // The same with bytes takes a tenth of the time.
  const words = readFileSync(new URL('../../prophecy/table.smt2', import.meta.url), 'utf8');
  const text = words
    .replaceAll('#x000000', '#x')
    .replaceAll('BitVec 32', 'BitVec 8')
    .replace('#x00001000', '#x10');
  const last = '(bvult y #x64)';
  t.ok(text.includes(last));
  const narrow = (t: string) => t.replaceAll('#x64', '#x05');
  const table = (looked: string) =>
    hornQuestion(new TermStore(), 'table.smt2', narrow(text.replace(last, looked)), new Checkpoint());
  const whole = table(last);
  const verdict = verdictOf(whole, heavy, { engines: ['conjectures'] });
  t.equal(complaintAbout(whole, heavy, verdict) ?? verdict.kind, 'safe');
  t.equal(verdictOf(table('(bvult y #x06)'), heavy, { engines: ['conjectures'] }).kind, 'unknown');
  t.end();
});
