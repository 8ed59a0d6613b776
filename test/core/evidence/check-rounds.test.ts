/**
 * Runs that leave out rounds: what the check accepts is held against taking the rounds one by one, at small widths, also where the
 * run was changed. At large widths nobody could take them, so there are a few by hand.
 */
import t from 'tap';
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { checkRounds } from '../../../src/core/evidence/check-rounds.ts';
import { accelerate } from '../../../src/core/passes/accelerate/accelerate.ts';
import {
  completed,
  type Derivation,
  evaluatorOf,
  headValues,
  NO_FUNCTIONS,
  type Step,
} from '../../../src/core/problem/derivation.ts';
import { type Edge, headOf, type Problem } from '../../../src/core/problem/problem.ts';
import { isShortened, listedRounds } from '../../../src/core/problem/repetition.ts';
import { hornQuestion } from '../../../src/formats/horn/front-end.ts';
import type { Question } from '../../../src/formats/question.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { sameValue, type Value } from '../../../src/term/value.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { seeded } from '../../support/random.ts';
import { derivableIn } from '../explicit-problem.ts';
import { randomProblem } from '../random-problem.ts';

const heavy = await loadedBackEnd();
const PROBLEMS = 60;
const nameOf = () => 'an edge';

function isAccepted(problem: Problem, property: number, derivation: Derivation): boolean {
  return (
    checkDerivation(problem, property, derivation, nameOf) === undefined &&
    complete(checkRounds(problem, derivation, { heavy, budget: {} })) === undefined
  );
}

/** Takes all rounds, one by one, if they can be taken: do they lead to where the run goes on? */
function isRun({ terms }: Problem, { steps }: Derivation): boolean {
  return steps.every((step, i) => {
    const starts = listedRounds(steps, i);
    if (starts === undefined) return true;
    const round = steps.slice(starts[0], starts[1]).map(s => s.edge);
    let values: ReadonlyMap<TermId, Value> = steps[starts[0]].values;
    for (let k = 0n; k < (step.skipped ?? 0n) + 3n; k++) {
      for (const edge of round) {
        if (evaluatorOf(terms, values).value(edge.guard) !== true) return false;
        values = headValues(terms, edge, values, NO_FUNCTIONS);
      }
    }
    const places = headOf(round[round.length - 1])?.places ?? [];
    return places.every(p => sameValue(values.get(p) as Value, step.values.get(p) as Value));
  });
}

t.test('rounds of random loops', t => {
  const random = seeded(t);
  const counts = { shortened: 0, accepted: 0, changed: 0, rejected: 0 };
  for (let round = 0; counts.shortened < PROBLEMS && round < 100 * PROBLEMS; round++) {
    const problem = randomProblem(random, 'counting');
    const { problem: faster, back } = accelerate(
      problem,
      new EquationSolver(new Rewriter(problem.terms)),
      'all',
      3,
    );
    const derivable = faster === problem ? undefined : derivableIn(faster);
    if (derivable === undefined) continue;
    for (const property of derivable.properties) {
      const found = derivable.derivation(property);
      if (found === undefined) continue;
      const run = completed(problem.terms, back.derivation(found));
      if (!isShortened(run.steps)) continue;
      counts.shortened++;
      t.ok(isRun(problem, run), 'the pass has left out rounds that there are');
      // What grows by more and more is no polynomial of degree two, so not all of them can be shown.
      if (isAccepted(problem, property, run)) counts.accepted++;
      for (const changed of changes(run)) {
        counts.changed++;
        if (!isAccepted(problem, property, changed)) counts.rejected++;
        else t.ok(isRun(problem, changed), 'what is accepted is a run');
      }
    }
  }
  t.ok(counts.shortened >= PROBLEMS && counts.accepted > PROBLEMS / 2, JSON.stringify(counts));
  t.ok(counts.rejected > counts.changed / 2, 'most changes make it no run');
  t.end();
});

/** Runs with another number of rounds, or with another value somewhere. */
function changes(run: Derivation): Derivation[] {
  const { steps } = run;
  const at = steps.findIndex(s => (s.skipped ?? 0n) > 0n);
  const [start] = listedRounds(steps, at) ?? [];
  const with_ = (i: number, change: Partial<Step>): Derivation => ({
    ...run,
    steps: steps.map((s, j) => (i === j ? { ...s, ...change } : s)),
  });
  const { skipped = 0n, values } = steps[at];
  const other = new Map([...values].map(([v, value]) => [v, typeof value === 'number' ? value ^ 1 : value]));
  const { skipped: _, ...unmarked } = steps[start];
  return [
    with_(at, { skipped: skipped + 1n }),
    with_(at, { skipped: skipped > 1n ? skipped - 1n : skipped + 2n }),
    with_(at, { values: other }),
    { ...run, steps: steps.map((s, j) => (j === start ? unmarked : s)) },
  ];
}

const sumText = (rounds: string, property: string) => `(set-logic HORN)
(declare-fun up ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(declare-fun done ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (=> (= n ${rounds}) (up n #x00000000 #x00000000))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)))
  (=> (and (up n i s) (bvult i n)) (up n (bvadd i #x00000001) (bvadd s i)))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)))
  (=> (and (up n i s) (bvuge i n)) (done i s))))
(assert (forall ((i (_ BitVec 32)) (s (_ BitVec 32))) (=> (and (done i s) ${property}) false)))
(check-sat)`;

function sumQuestion(rounds: bigint, property: string): Question {
  return hornQuestion(new TermStore(), 'sum.smt2', sumText(hex(rounds), property), new Checkpoint());
}

/** The sum of all numbers below a number, modulo 2^32. */
const sumBelow = (n: bigint) => BigInt.asUintN(32, (n * (n - 1n)) / 2n);
const hex = (n: bigint) => `#x${n.toString(16).padStart(8, '0')}`;

t.test('billions of rounds of a sum of sums', t => {
  const rounds = 3_000_000_001n;
  const sum = hex(sumBelow(rounds));
  const check = (property: string) => {
    const question = sumQuestion(rounds, property);
    const verdict = verdictOf(question, heavy);
    t.equal(complaintAbout(question, heavy, verdict), undefined, property);
    return { question, verdict };
  };
  const { question, verdict } = check(`(= s ${sum})`);
  t.equal(verdict.kind, 'unsafe');
  if (verdict.kind !== 'unsafe') throw new Error('there is a run');
  const { words, properties } = question;
  const left = rounds - 4n;
  t.match(words.derivation(properties[0], verdict.derivation), new RegExp(` :skipped ${left} `));
  t.equal(
    JSON.parse(words.json(properties[0], verdict.derivation)).steps.find((s: object) => 'skipped' in s)
      .skipped,
    String(left),
  );
  t.throws(() => words.vcd(verdict.derivation), /too long to list/);
  t.equal(checkDerivation(question.problem, 0, verdict.derivation, nameOf), undefined);
  const spoilt = changes(verdict.derivation).filter(d => isAccepted(question.problem, 0, d));
  t.same(spoilt, [], 'no change of it is accepted');
  t.end();
});

t.test('a guard that fails in the middle of what is left out', t => {
  const question = sumQuestion(3_000_000_001n, '(= i #xb2d05e01)');
  const { problem } = question;
  const { terms } = problem;
  const verdict = verdictOf(question, heavy);
  if (verdict.kind !== 'unsafe') throw new Error('there is a run');
  const { derivation } = verdict;
  const round = problem.edges.find(e => e.sources[0]?.location === e.head) as Edge;
  const [, i] = round.sources[0].places;
  const stops = { ...round, guard: terms.and([round.guard, terms.not(terms.eq(i, terms.bv(32, 100_000)))]) };
  const changed = { ...problem, edges: problem.edges.map(e => (e === round ? stops : e)) };
  const steps = derivation.steps.map(s => (s.edge === round ? { ...s, edge: stops } : s));
  t.equal(
    checkDerivation(changed, 0, { ...derivation, steps }, nameOf),
    undefined,
    'what is listed is right',
  );
  const complaint = complete(checkRounds(changed, { ...derivation, steps }, { heavy, budget: {} }));
  t.match(complaint, /not like those/);
  t.end();
});

t.test('billions of rounds of one way round a loop that has another', t => {
  // Both counters go on from the same number, the second one only while it is below ten, or below zero and not the least.
  const text = (least: string) => `(set-logic HORN)
(declare-fun loop ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((x (_ BitVec 32))) (=> (and (bvsle ${least} x) (bvslt x #x0000000a)) (loop x x))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)))
  (=> (and (loop x y) (bvslt x #x0000000a) (bvsgt (bvsub #x0000000a y) #x00000000))
    (loop (bvadd x #x00000001) (bvadd y #x00000001)))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)))
  (=> (and (loop x y) (bvslt x #x0000000a) (not (bvsgt (bvsub #x0000000a y) #x00000000)))
    (loop (bvadd x #x00000001) y))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)))
  (=> (and (loop x y) (not (bvslt x #x0000000a)) (not (= x y))) false)))
(check-sat)`;
  // 10 - y wraps for the eleven least numbers and no others: 10 + 2^31 - 10 is the first that is too large.
  for (const [least, kind] of [
    ['#x80000000', 'unsafe'],
    ['#x8000000b', 'safe'],
  ] as const) {
    const question = hornQuestion(new TermStore(), 'ways.smt2', text(least), new Checkpoint());
    const verdict = verdictOf(question, heavy);
    t.equal(verdict.kind, kind);
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    if (verdict.kind === 'unsafe') t.ok(isShortened(verdict.derivation.steps), 'not all rounds are listed');
  }
  t.end();
});
