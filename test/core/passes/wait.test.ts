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

/** Facts of which some are derived from others, step by step, and some from two at once: so a caller may be on the way to what it calls. */
function randomSharing(random: Random): string {
  const sort = '(_ BitVec 2)';
  const constant = () => `#b${random.below(4).toString(2).padStart(2, '0')}`;
  const term = (v: string) => random.pick([v, v, constant(), `(bvadd ${v} ${constant()})`]);
  const condition = (...vs: string[]) =>
    random.pick([
      'true',
      `(= ${random.pick(vs)} ${constant()})`,
      `(bvult ${random.pick(vs)} ${random.pick(vs)})`,
    ]);
  const clause = (body: string, head: string) =>
    `(assert (forall ((x ${sort}) (y ${sort})) (=> (and ${body}) ${head})))`;
  const lines = ['A', 'B', 'C'].map(r => `(declare-fun ${r} (${sort}) Bool)`);
  lines.push(clause(condition('x'), `(A ${term('x')})`));
  const low = ['A', 'B'];
  for (let i = 2 + random.below(3); i > 0; i--)
    lines.push(clause(`(${random.pick(low)} x) ${condition('x')}`, `(${random.pick(low)} ${term('x')})`));
  const both = () => `(${random.pick(['A', 'B', 'C'])} x) (${random.pick(low)} y) ${condition('x', 'y')}`;
  for (let i = random.below(2); i >= 0; i--)
    lines.push(clause(both(), `(C ${term(random.pick(['x', 'y']))})`));
  lines.push(clause(`${both()} (= x ${constant()})`, 'false'));
  return `(set-logic HORN)\n${lines.join('\n')}`;
}

t.test('a caller may be on the way to what it calls', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0 };
  for (let round = 0; round < 2 * ROUNDS || Math.min(counts.safe, counts.unsafe) < 6; round++) {
    const question = readQuestion('sharing.smt2', randomSharing(random), {
      strict: true,
      warn: text => t.fail(text),
    });
    if (isLinear(question.problem)) continue;
    const isDerivable = new Derivable(question.problem).properties.includes(0);
    t.equal(complaintAboutWaiting(question.problem, heavy, false), undefined, `round ${round}`);
    const verdict = verdictOf(question, heavy, { engines: ['abstract'] });
    t.equal(verdict.kind, isDerivable ? 'unsafe' : 'safe', `round ${round}`);
    t.equal(complaintAbout(question, heavy, verdict), undefined, `round ${round}`);
    counts[isDerivable ? 'unsafe' : 'safe']++;
  }
  t.comment(JSON.stringify(counts));
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
    for (const waiting of [true, false]) {
      const check = checkOf(question, heavy, { engines: ['abstract'], engine: { waiting } });
      const verdict = complete(check.run());
      t.equal(verdict.kind, expected);
      const names = check.shares.map(s => s.name);
      t.same(names, waiting ? ['abstract', 'abstract (waiting)'] : ['abstract']);
      t.equal(complaintAbout(question, heavy, verdict), undefined);
      if (verdict.kind !== 'unsafe') continue;
      const last = verdict.derivation.steps.at(-1);
      t.equal(last?.premises.length, 3, 'a derivation of the clauses as they were written');
    }
    t.end();
  });
}

/** What P leads to is called from P. */
const onTheWay = (y: string) => `(set-logic HORN)
  (declare-fun P ((_ BitVec 4)) Bool) (declare-fun Q ((_ BitVec 4)) Bool)
  (assert (P #x0))
  (assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x2)))))
  (assert (forall ((x (_ BitVec 4))) (=> (P x) (Q (bvadd x #x4)))))
  (assert (not (and (P #x4) (Q ${y}))))
  (check-sat)`;

for (const [y, expected] of [
  ['#x1', 'safe'],
  ['#x8', 'unsafe'],
] as const) {
  t.test(`a caller on the way to what it calls: ${expected}`, t => {
    const question = readQuestion('way.smt2', onTheWay(y), { strict: true, warn: text => t.fail(text) });
    const verdict = verdictOf(question, heavy, { engines: ['abstract'] });
    t.equal(verdict.kind, expected);
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    t.end();
  });
}

/**
 * Between its two calls of F, a caller waits with variables that stand for places of F in another edge, in an order of edges in which it
 * is the other edge that comes last.
 */
const twoLevels = (x: number, r: number) => `(set-logic HORN)
  (declare-fun F ((_ BitVec 2) (_ BitVec 2)) Bool) (declare-fun G ((_ BitVec 2) (_ BitVec 2)) Bool)
  (assert (forall ((x (_ BitVec 2))) (F x x)))
  (assert (forall ((x (_ BitVec 2))) (=> (F x x) (F #b01 #b11))))
  (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)) (z (_ BitVec 2)))
    (=> (and (F x y) (F z (bvurem x y))) (G z x))))
  (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)))
    (=> (and (F x y) (G y (_ bv${r} 2)) (= x (_ bv${x} 2))) false)))`;

t.test('calls at two levels, one beside another', t => {
  const counts = { safe: 0, unsafe: 0 };
  for (let x = 0; x < 4; x++) {
    for (let r = 0; r < 4; r++) {
      const question = readQuestion('levels.smt2', twoLevels(x, r), {
        strict: true,
        warn: text => t.fail(text),
      });
      const isDerivable = new Derivable(question.problem).properties.includes(0);
      const verdict = verdictOf(question, heavy);
      t.equal(verdict.kind, isDerivable ? 'unsafe' : 'safe', `${x}, ${r}`);
      t.equal(complaintAbout(question, heavy, verdict), undefined);
      counts[isDerivable ? 'unsafe' : 'safe']++;
    }
  }
  t.ok(Math.min(counts.safe, counts.unsafe) > 1, JSON.stringify(counts));
  t.end();
});
