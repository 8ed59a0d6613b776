/**
 * Callers that wait for what they call, against enumeration: random programs of functions ask the same with and without, and
 * evidence finds its way back, models that enumeration finds and those of the search.
 */
import t from 'tap';
import { isLinear, type Problem, restrictedTo } from '../../../src/core/problem/problem.ts';
import type { Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { complete } from '../../../src/sat/work.ts';
import { checkOf, complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { Derivable, TooLarge } from '../explicit-problem.ts';
import { randomCalls } from '../random-calls.ts';
import { complaintAboutWaiting } from '../waited.ts';

const heavy = await loadedBackEnd();
const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 30);

/** Random functions that call each other, and whether the first query is derivable. */
function withCalls(
  random: Random,
  width: number,
  use: (question: Question, problem: Problem, isDerivable: boolean, round: number) => void,
): void {
  const seen = new Set<boolean>();
  for (let round = 0; round < ROUNDS || seen.size < 2; round++) {
    const question = randomCalls(random, width);
    const problem = restrictedTo(question.problem, 0);
    if (isLinear(problem)) continue;
    try {
      const isDerivable = new Derivable(problem).properties.includes(0);
      use(question, problem, isDerivable, round);
      seen.add(isDerivable);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
}

t.test('problems with waiting ask the same, and evidence finds its way back', t => {
  withCalls(seeded(t), 1, (_, problem, _isDerivable, round) => {
    t.equal(complaintAboutWaiting(problem, heavy), undefined, `round ${round}`);
  });
  t.end();
});

t.test('what is found while callers wait is so', t => {
  withCalls(seeded(t), 2, (question, _, isDerivable, round) => {
    const verdict = verdictOf(question, heavy, { engines: ['abstract'] });
    t.equal(verdict.kind, isDerivable ? 'unsafe' : 'safe', `round ${round}`);
    t.equal(complaintAbout(question, heavy, verdict), undefined, `round ${round}`);
  });
  t.end();
});

/** Three calls of a function that counts to ten in steps of two and adds that to its argument. */
const threeCalls = (sum: number) => `(set-logic HORN)
  (declare-fun loop ((_ BitVec 32) (_ BitVec 32)) Bool)
  (declare-fun add-ten ((_ BitVec 32) (_ BitVec 32)) Bool)
  (assert (forall ((a (_ BitVec 32))) (loop a #x00000000)))
  (assert (forall ((a (_ BitVec 32)) (i (_ BitVec 32)))
    (=> (and (loop a i) (bvult i #x0000000a)) (loop a (bvadd i #x00000002)))))
  (assert (forall ((a (_ BitVec 32)) (i (_ BitVec 32)))
    (=> (and (loop a i) (not (bvult i #x0000000a))) (add-ten a (bvadd a i)))))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)))
    (=> (and (add-ten #x00000000 x) (add-ten x y) (add-ten y z) (not (= z (_ bv${sum} 32)))) false)))
  (check-sat)`;

for (const [sum, expected] of [
  [30, 'safe'],
  [31, 'unsafe'],
] as const) {
  t.test(`three calls of one function: ${expected}`, t => {
    const question = readQuestion('calls.smt2', threeCalls(sum), {
      strict: true,
      warn: text => t.fail(text),
    });
    const check = checkOf(question, heavy, { engines: ['abstract'] });
    const verdict = complete(check.run());
    t.equal(verdict.kind, expected);
    t.equal(check.foundBy, 'abstract (waiting)');
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    if (verdict.kind === 'unsafe') {
      const last = verdict.derivation.steps.at(-1);
      t.equal(last?.premises.length, 3, 'a derivation of the clauses as they were written');
    }
    t.end();
  });
}
