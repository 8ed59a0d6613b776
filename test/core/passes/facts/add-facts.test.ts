/**
 * Facts about small problems, by enumeration: all that is derivable satisfies them, they are inductive, the same can be derived
 * with and without them; and what the analyses must find in programs made for them.
 */
import t from 'tap';
import { EquationSolver } from '../../../../src/bv/preprocess/equation-solver.ts';
import { addFacts, type FactKinds } from '../../../../src/core/passes/facts/add-facts.ts';
import { AffineAnalysis, type Equation } from '../../../../src/core/passes/facts/affine-analysis.ts';
import { IntervalAnalysis } from '../../../../src/core/passes/facts/interval-analysis.ts';
import { Valuation } from '../../../../src/core/passes/facts/valuation.ts';
import { WrappedInterval } from '../../../../src/core/passes/facts/wrapped-interval.ts';
import { simplifyEdges } from '../../../../src/core/passes/simplify-edges.ts';
import type { Problem } from '../../../../src/core/problem/problem.ts';
import { hornQuestion } from '../../../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';
import { TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { allEvaluators } from '../../../support/smtlib.ts';
import { growPool } from '../../../support/terms.ts';
import { complaintAboutModel, Derivable } from '../../explicit-problem.ts';
import { randomLoops } from '../../random-loops.ts';

const KINDS: readonly FactKinds[] = [
  { intervals: true, equations: true },
  { intervals: true, equations: false },
  { intervals: false, equations: true },
];

const heavy = await loadedBackEnd();

/** Clauses as a problem whose equations are solved, which is what the passes before leave. */
function problemOf(text: string): Problem {
  const { problem } = hornQuestion(
    new TermStore(),
    'facts.smt2',
    `(set-logic HORN) ${text}`,
    new Checkpoint(),
  );
  return simplifyEdges(problem, new EquationSolver(new Rewriter(problem.terms))).problem;
}

const factsOf = (problem: Problem, kinds?: FactKinds) =>
  addFacts(problem, new Rewriter(problem.terms), new Checkpoint(), kinds);

t.test('random loops', t => {
  const random = seeded(t);
  const counts = { changed: 0, fewer: 0, derivable: 0 };
  for (let round = 0; round < 250; round++) {
    const text = randomLoops(random);
    const problem = problemOf(text);
    const { terms, locations, edges } = problem;
    const derivable = new Derivable(problem);
    if (derivable.properties.length > 0) counts.derivable++;
    for (const kinds of KINDS) {
      const pass = factsOf(problem, kinds);
      if (pass.problem === problem) continue;
      counts.changed++;
      if (pass.problem.edges.length < edges.length) counts.fewer++;
      const again = new Derivable(pass.problem);
      t.same(again.properties, derivable.properties, `round ${round}, what can be derived\n${text}`);
      // The model that says nothing gains the facts: they must hold of all that can be derived, and lead to themselves.
      const nothing = new Map(locations.map(l => [l, terms.true]));
      const { model } = pass.back.proof({ model: nothing, lemmas: new Map(), k: 0 });
      const withoutQueries = { ...problem, edges: edges.filter(e => !('property' in e.head)) };
      const complaint = complaintAboutModel(withoutQueries, model);
      if (complaint !== undefined) t.fail(`round ${round}: ${complaint}\n${text}`);
    }
  }
  t.ok(counts.changed > 200 && counts.fewer > 20, JSON.stringify(counts));
  t.ok(counts.derivable > 30 && counts.derivable < 220, JSON.stringify(counts));
  t.end();
});

t.test('what random formulas say', t => {
  const random = seeded(t);
  const counts = { dead: 0, told: 0 };
  for (let round = 0; round < 600; round++) {
    const terms = new TermStore();
    const variables = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(3)));
    const rewriter = new Rewriter(terms);
    const pool = growPool(terms, random, [...variables, terms.bv(3, random.below(8))], 25, 3).map(u =>
      rewriter.rewrite(u),
    );
    const formulas = [0, 1].map(() => random.pick(pool.filter(u => terms.sort(u) === terms.sorts.bool)));
    const arcs = variables.map(() => {
      const low = BigInt(random.below(8));
      return WrappedInterval.range(3, [low, low + BigInt(random.below(8))]);
    });
    const valuation = new Valuation(rewriter, new Map(variables.map((v, i) => [v, arcs[i]])));
    valuation.assume(formulas);
    const said = `round ${round}: ${formulas.map(f => printTerm(terms, f)).join(' and ')}`;
    if (!valuation.isAlive) counts.dead++;
    for (const evaluator of allEvaluators(terms, variables)) {
      const numbers = variables.map(v => BigInt(evaluator.value(v) as number));
      if (numbers.some((n, i) => !arcs[i].has(n)) || formulas.some(f => evaluator.value(f) !== true))
        continue;
      if (!valuation.isAlive) t.fail(`${said} can hold`);
      for (const u of valuation.isAlive ? pool : []) {
        const arc = valuation.value(u) as WrappedInterval;
        if (!arc.has(BigInt(evaluator.value(u) as number | boolean)))
          t.fail(`${said}: ${printTerm(terms, u)} is ${evaluator.value(u)}`);
      }
    }
    if (valuation.isAlive && variables.some((v, i) => valuation.value(v)?.equals(arcs[i]) === false))
      counts.told++;
  }
  t.ok(counts.dead > 30 && counts.told > 30, JSON.stringify(counts));
  t.end();
});

const COUNTING = (guard: string, step: string) => `(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
  (assert (p #x00 #x05))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (p x y) ${guard}) (p ${step}))))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (p x y) (= x #xff)) false)))`;

/** The arc of the first place of the first location, as signed numbers. */
function firstArc(text: string): readonly bigint[] | undefined {
  const problem = problemOf(text);
  const analysis = new IntervalAnalysis(problem, new Rewriter(problem.terms), new Checkpoint());
  return analysis.at(problem.locations[0])?.[0]?.signed;
}

t.test('a counter stops where its guard says', t => {
  t.same(firstArc(COUNTING('(bvslt x #x50)', '(bvadd x #x01) y')), [0n, 0x50n]);
  t.same(firstArc(COUNTING('(bvult x #x50)', '(bvadd x #x03) y')), [0n, 0x52n]);
  t.same(
    firstArc(COUNTING('(bvsle #xb0 x)', '(bvsub x #x01) y')),
    [-0x51n, 0n],
    'downwards, by the signed order',
  );
  t.same(
    firstArc(COUNTING('(bvslt x y)', '(bvadd x #x01) y')),
    [0n, 5n],
    'a place that stays bounds another one',
  );
  t.same(firstArc(COUNTING('(bvslt y #x06)', '(bvadd x #x01) (bvsub y x)')), [-128n, 127n]);
  t.equal(firstArc(COUNTING('true', '(bvadd x #x01) y')), undefined, 'nothing is compared by an order');
  t.end();
});

/** The equations of the first location. */
function equationsOf(problem: Problem): Equation[] {
  const analysis = new AffineAnalysis(problem, 8, new Rewriter(problem.terms), new Checkpoint());
  return analysis.facts(problem.locations[0]);
}

t.test('affine equations', t => {
  const twice = problemOf(COUNTING('true', '(bvadd x #x01) (bvadd y #x02)'));
  const [place, other] = twice.locations[0].places;
  const { terms } = twice;
  const facts = equationsOf(twice);
  t.equal(facts.length, 1);
  t.equal(facts[0].place, other, 'x does not tell the highest bit of y');
  for (const evaluator of allEvaluators(terms, [place, other])) {
    const [x, y] = [evaluator.value(place), evaluator.value(other)] as number[];
    if ((evaluator.value(facts[0].formula) === true) !== (y === (2 * x + 5) % 256))
      t.fail(`x = ${x}, y = ${y}`);
  }
  t.same(
    equationsOf(problemOf(COUNTING('true', '(bvadd x #x01) (bvmul y y)'))),
    [],
    'a square is not affine',
  );
  t.end();
});

/** y counts the steps of x beyond m: n in the end, if all of it is between 0 and the greatest signed number. */
const BEYOND = `(declare-fun p (${'(_ BitVec 32) '.repeat(4)}) Bool)
  (assert (forall ((n (_ BitVec 32)) (m (_ BitVec 32)))
    (=> (and (bvsle #x00000000 n) (bvsle #x00000000 m) (bvsle #x00000001 (bvsub n m))) (p n m #x00000000 m))))
  (assert (forall ((n (_ BitVec 32)) (m (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)))
    (=> (and (p n m x y) (bvsle #x00000001 (bvsub n x)) (bvsle #x00000000 (bvsub m (bvadd x #x00000001))))
        (p n m (bvadd x #x00000001) y))))
  (assert (forall ((n (_ BitVec 32)) (m (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)))
    (=> (and (p n m x y) (bvsle #x00000001 (bvsub n x)) (bvsle (bvsub m (bvadd x #x00000001)) #xffffffff))
        (p n m (bvadd x #x00000001) (bvadd y #x00000001)))))
  (assert (forall ((n (_ BitVec 32)) (m (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)))
    (=> (and (p n m x y) (bvsle (bvsub n x) #x00000000) (not (= y n))) false)))`;

t.test('differences become comparisons', t => {
  const { problem } = factsOf(problemOf(BEYOND));
  for (const edge of problem.edges) {
    const guard = printTerm(problem.terms, edge.guard);
    t.notMatch(guard, /bvsub|bvneg|bvadd/, guard);
  }
  const question = hornQuestion(
    new TermStore(),
    'facts.smt2',
    `(set-logic HORN) ${BEYOND}`,
    new Checkpoint(),
  );
  const verdict = verdictOf(question, heavy);
  t.equal(verdict.kind, 'safe');
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  t.end();
});

t.test('differences that may wrap stay as they are', t => {
  const wraps = problemOf(BEYOND.replace('(bvsle #x00000000 n) (bvsle #x00000000 m) ', ''));
  const { problem } = factsOf(wraps);
  t.ok(problem.edges.every(e => /bvsub|bvneg/.test(printTerm(problem.terms, e.guard))));
  t.end();
});
