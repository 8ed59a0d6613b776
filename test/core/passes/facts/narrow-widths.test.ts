/**
 * Narrow places of small problems, by enumeration: the same can be derived, derivations and models come back, and what is known of
 * a step comes back as what is known of it; and how wide places of programs made for that are kept. The lower bits of random
 * terms, too.
 */
import t from 'tap';
import { EquationSolver } from '../../../../src/bv/preprocess/equation-solver.ts';
import { checkDerivation } from '../../../../src/core/evidence/check-derivation.ts';
import { narrowWidths } from '../../../../src/core/passes/facts/narrow-widths.ts';
import { Truncation } from '../../../../src/core/passes/facts/truncation.ts';
import { simplifyEdges } from '../../../../src/core/passes/simplify-edges.ts';
import { completed } from '../../../../src/core/problem/derivation.ts';
import type { Problem } from '../../../../src/core/problem/problem.ts';
import { hornQuestion } from '../../../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { complete } from '../../../../src/sat/work.ts';
import { Op } from '../../../../src/term/operators.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { checkOf, complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { allEvaluators } from '../../../support/smtlib.ts';
import { growPool } from '../../../support/terms.ts';
import { complaintAboutModel, Derivable, weakestModel } from '../../explicit-problem.ts';
import { randomLoops } from '../../random-loops.ts';

const heavy = await loadedBackEnd();

const questionOf = (text: string) =>
  hornQuestion(new TermStore(), 'narrow.smt2', `(set-logic HORN) ${text}`, new Checkpoint());

/** Clauses as a problem whose equations are solved, which is what the passes before leave. */
function problemOf(text: string): Problem {
  const { problem } = questionOf(text);
  return simplifyEdges(problem, new EquationSolver(new Rewriter(problem.terms))).problem;
}

const narrow = (problem: Problem) => narrowWidths(problem, new Rewriter(problem.terms), new Checkpoint());

/** What is wrong with what the pass makes and with what comes back from it. */
function complaintAboutPass(problem: Problem): string | undefined {
  const { problem: now, back } = narrow(problem);
  const [before, after] = [new Derivable(problem), new Derivable(now)];
  if (before.properties.join() !== after.properties.join())
    return `derivable was '${before.properties}', now it is '${after.properties}'`;
  const found = after.derivation(0);
  if (found !== undefined) {
    const derivation = completed(problem.terms, back.derivation(found));
    return checkDerivation(problem, 0, derivation, e => `edge ${problem.edges.indexOf(e)}`);
  }
  for (const model of [after.strongest, weakestModel(now)]) {
    const complaint = complaintAboutModel(problem, back.proof({ model, lemmas: new Map(), k: 0 }).model);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

t.test('random loops', t => {
  const random = seeded(t);
  const counts = { narrow: 0, signed: 0, derivable: 0 };
  for (let round = 0; round < 400; round++) {
    const text = randomLoops(random);
    const problem = problemOf(text);
    const { terms } = problem;
    const pass = narrow(problem);
    if (pass.problem === problem) continue;
    counts.narrow++;
    const said = terms.postorder(pass.problem.edges.flatMap(e => [e.guard, ...e.values]));
    if (said.some(u => terms.op(u) === Op.SIGN_EXTEND)) counts.signed++;
    if (new Derivable(problem).properties.length > 0) counts.derivable++;
    const complaint = complaintAboutPass(problem);
    if (complaint !== undefined) t.fail(`round ${round}: ${complaint}\n${text}`);
  }
  t.ok(counts.narrow > 100 && counts.signed > 2, JSON.stringify(counts));
  t.ok(counts.derivable > 15 && counts.derivable < counts.narrow - 15, JSON.stringify(counts));
  t.end();
});

const five = (n: number) => `#b${(n & 31).toString(2).padStart(5, '0')}`;

/** A place that begins somewhere and makes steps while a guard lets it, beside one that takes all values. */
const COUNTER = (start: number, guard: string, step: string, bad: number) => `
  (declare-fun p ((_ BitVec 5) (_ BitVec 2)) Bool)
  (assert (p ${five(start)} #b00))
  (assert (forall ((x (_ BitVec 5)) (y (_ BitVec 2))) (=> (and (p x y) ${guard}) (p ${step} (bvadd y #b01)))))
  (assert (forall ((x (_ BitVec 5)) (y (_ BitVec 2))) (=> (and (p x y) (= x ${five(bad)})) false)))`;

const INCREMENT = `(bvadd x ${five(1)})`;
const UP = [0, `(bvult x ${five(5)})`, INCREMENT] as const;
const DOWN = [3, `(bvslt ${five(-3)} x)`, `(bvsub x ${five(1)})`] as const;

interface Example {
  readonly name: string;
  readonly text: string;
  /** The widths of the places; undefined if the pass leaves the problem alone. */
  readonly widths: readonly number[] | undefined;
  readonly verdict: 'safe' | 'unsafe';
}

const EXAMPLES: readonly Example[] = [
  { name: 'up to five', text: COUNTER(...UP, 6), widths: [3, 2], verdict: 'safe' },
  { name: 'up to five, which is bad', text: COUNTER(...UP, 5), widths: [3, 2], verdict: 'unsafe' },
  { name: 'below zero', text: COUNTER(...DOWN, -4), widths: [3, 2], verdict: 'safe' },
  { name: 'below zero, which is bad', text: COUNTER(...DOWN, -3), widths: [3, 2], verdict: 'unsafe' },
  {
    name: 'from seven, which is never reached, to eight',
    text: COUNTER(0, `(or (bvult x ${five(5)}) (= x ${five(7)}))`, INCREMENT, 6),
    widths: [3, 2],
    verdict: 'safe',
  },
  { name: 'all around', text: COUNTER(0, 'true', INCREMENT, -1), widths: undefined, verdict: 'unsafe' },
];

t.test('counters', t => {
  for (const { name, text, widths, verdict } of EXAMPLES) {
    const problem = problemOf(text);
    const { problem: now } = narrow(problem);
    const own = now.locations[0].places.map(p => now.terms.width(p));
    t.same(now === problem ? undefined : own, widths, name);
    t.equal(complaintAboutPass(problem), undefined, name);
    const question = questionOf(text);
    const found = verdictOf(question, heavy, { engines: ['bits'] });
    t.equal(found.kind, verdict, name);
    t.equal(complaintAbout(question, heavy, found), undefined, `${name}, checked`);
  }
  t.end();
});

t.test('bits see narrow places, unless facts are not wanted', t => {
  const latches = (facts: boolean | 'intervals' | 'equations') => {
    const check = checkOf(questionOf(COUNTER(...UP, 5)), heavy, { engines: ['bits'], engine: { facts } });
    t.equal(complete(check.run()).kind, 'unsafe');
    return check.shares[0].stats.latches;
  };
  const [narrow, wide] = [latches(true), latches(false)];
  t.equal(wide - narrow, 2);
  t.same([latches('intervals'), latches('equations')], [narrow, wide]);
  t.end();
});

t.test('an edge with two sources', t => {
  const text = `(declare-fun p ((_ BitVec 5)) Bool)
    (assert (p #b00001))
    (assert (forall ((x (_ BitVec 5)) (y (_ BitVec 5)))
      (=> (and (p x) (p y) (bvult x #b00011) (bvult y #b00011)) (p (bvadd x y)))))
    (assert (forall ((x (_ BitVec 5))) (=> (and (p x) (BAD x)) false)))`;
  for (const bad of ['= #b00100', '= #b00101']) {
    const problem = problemOf(text.replace('BAD', bad));
    const { problem: now, back } = narrow(problem);
    t.same(
      now.locations.map(l => l.places.map(p => now.terms.width(p))),
      [[3]],
    );
    const derivable = new Derivable(now);
    const found = derivable.derivation(0);
    if (found === undefined) {
      const { model } = back.proof({ model: derivable.strongest, lemmas: new Map(), k: 0 });
      t.equal(complaintAboutModel(problem, model), undefined, bad);
    } else {
      const derivation = completed(problem.terms, back.derivation(found));
      t.equal(
        checkDerivation(problem, 0, derivation, () => 'an edge'),
        undefined,
        bad,
      );
    }
    t.equal(found !== undefined, bad === '= #b00100', bad);
  }
  t.end();
});

t.test('lemmas come back about the lower bits, before a step and after it', t => {
  const problem = problemOf(COUNTER(...UP, 6));
  const { terms, next } = problem;
  const { problem: now, back } = narrow(problem);
  const [wide] = problem.locations[0].places;
  const [place] = now.locations[0].places;
  const step = now.edges.findIndex(e => e.sources.length > 0 && e.values.length > 0);
  const lemma = terms.app(Op.BVULT, [place, next.of(place)]);
  const { lemmas } = back.proof({
    model: new Map(now.locations.map(l => [l, terms.true])),
    lemmas: new Map([[now.edges[step], [lemma]]]),
    k: 0,
  });
  const lower = (v: TermId) => terms.app(Op.EXTRACT, [v], [2, 0]);
  t.same([...lemmas], [[problem.edges[step], [terms.app(Op.BVULT, [lower(wide), lower(next.of(wide))])]]]);
  t.end();
});

t.test('the lower bits of random terms', t => {
  const random = seeded(t);
  let pushed = 0;
  for (let round = 0; round < 40; round++) {
    const terms = new TermStore();
    const variables = [
      terms.variable('x', terms.sorts.bitVec(3)),
      terms.variable('y', terms.sorts.bitVec(3)),
    ];
    const rewriter = new Rewriter(terms);
    const pool = growPool(terms, random, [...variables, terms.bv(3, random.below(8))], 40, 3);
    const truncation = new Truncation(rewriter);
    for (const term of pool.filter(u => terms.width(u) === 3).map(u => rewriter.rewrite(u))) {
      const lower = truncation.of(term, 2);
      const plain = terms.app(Op.EXTRACT, [term], [1, 0]);
      if (terms.op(lower) !== Op.EXTRACT) pushed++;
      for (const evaluator of allEvaluators(terms, variables)) {
        if (evaluator.value(lower) !== evaluator.value(plain))
          t.fail(`round ${round}: ${printTerm(terms, term)} became ${printTerm(terms, lower)}`);
      }
    }
  }
  t.ok(pushed > 100, `${pushed}`);
  t.end();
});
