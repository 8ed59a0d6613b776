/**
 * Facts against enumeration: bounds of arcs for all arcs of three bits; and of random loops, that what is derivable stays
 * so, that a model of the new problem comes back as one of the old, and that the facts by themselves are inductive. The same
 * with narrow places, whose models include the weakest one, which the arcs must hold together; and the lower bits of random
 * terms.
 */
import { EquationSolver } from '../../src/bv/preprocess/equation-solver.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { addFacts, type FactKinds } from '../../src/core/passes/facts/add-facts.ts';
import { narrowWidths } from '../../src/core/passes/facts/narrow-widths.ts';
import { Truncation } from '../../src/core/passes/facts/truncation.ts';
import { WrappedInterval } from '../../src/core/passes/facts/wrapped-interval.ts';
import { simplifyEdges } from '../../src/core/passes/simplify-edges.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { isQuery, type Problem } from '../../src/core/problem/problem.ts';
import { hornQuestion } from '../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { TermStore } from '../../src/term/store.ts';
import { complaintAboutModel, Derivable, weakestModel } from '../core/explicit-problem.ts';
import { randomLoops } from '../core/random-loops.ts';
import { allEvaluators } from '../support/smtlib.ts';
import { growPool } from '../support/terms.ts';
import { caught, probeRandom } from './probe.ts';

const random = probeRandom();
const ROUNDS = 250;

const KINDS: readonly FactKinds[] = [
  { intervals: true, equations: true },
  { intervals: false, equations: true },
];

/** Differences that do not wrap, and one that does. */
const DIFFERENCES = (bound: string) => `(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool)
  (assert (forall ((n (_ BitVec 3))) (=> ${bound} (p n #b000))))
  (assert (forall ((n (_ BitVec 3)) (x (_ BitVec 3)))
    (=> (and (p n x) (bvsle #b001 (bvsub n x))) (p n (bvadd x #b001)))))
  (assert (forall ((n (_ BitVec 3)) (x (_ BitVec 3)))
    (=> (and (p n x) (bvsle (bvsub n x) #b000) (not (= n x))) false)))`;

function checkArcs(): void {
  const numbers = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];
  const arcs = numbers.flatMap(low => numbers.map(n => WrappedInterval.range(3, [low, low + n])));
  for (const a of arcs) {
    for (const b of arcs) {
      const [join, meet, wide] = [a.join(b), a.meet(b), a.widen(b, [0n, 3n, 4n, 7n])];
      for (const n of numbers) {
        const text = `${n}, [${a.low}, ${a.high}] and [${b.low}, ${b.high}]`;
        if ((a.has(n) || b.has(n)) && !join.has(n)) caught(`the join lacks ${text}`);
        if ((a.has(n) || b.has(n)) && !wide.has(n)) caught(`the widening lacks ${text}`);
        if (a.has(n) && b.has(n) && !meet.has(n)) caught(`the meet lacks ${text}`);
      }
    }
  }
}

function complaintAbout(problem: Problem, kinds: FactKinds): string | undefined {
  const { terms, locations, edges } = problem;
  const pass = addFacts(problem, new Rewriter(terms), new Checkpoint(), kinds);
  if (pass.problem === problem) return undefined;
  const [old, now] = [new Derivable(problem), new Derivable(pass.problem)];
  if (old.properties.join() !== now.properties.join())
    return `derivable was '${old.properties}', now it is '${now.properties}'`;
  const facts = pass.back.proof({
    model: new Map(locations.map(l => [l, terms.true])),
    lemmas: new Map(),
    k: 0,
  });
  const steps = { ...problem, edges: edges.filter(e => !isQuery(e.head)) };
  const complaint = complaintAboutModel(steps, facts.model);
  if (complaint !== undefined || old.properties.length > 0) return complaint;
  // If the new guards exclude the query by themselves, the model that says nothing is a model.
  const isEnough = pass.problem.edges.every(e => !isQuery(e.head));
  return isEnough ? complaintAboutModel(problem, facts.model) : undefined;
}

function complaintAboutNarrow(problem: Problem): string | undefined {
  const { problem: narrow, back } = narrowWidths(problem, new Rewriter(problem.terms), new Checkpoint());
  if (narrow === problem) return undefined;
  const [old, now] = [new Derivable(problem), new Derivable(narrow)];
  if (old.properties.join() !== now.properties.join())
    return `derivable was '${old.properties}', with narrow places it is '${now.properties}'`;
  const found = now.derivation(0);
  if (found !== undefined) {
    const derivation = completed(problem.terms, back.derivation(found));
    return checkDerivation(problem, 0, derivation, e => `edge ${problem.edges.indexOf(e)}`);
  }
  const models = [now.strongest, weakestModel(narrow)];
  return models
    .map(model => complaintAboutModel(problem, back.proof({ model, lemmas: new Map(), k: 0 }).model))
    .find(complaint => complaint !== undefined);
}

function checkLowerBits(): void {
  const terms = new TermStore();
  const variables = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(3)));
  const rewriter = new Rewriter(terms);
  const truncation = new Truncation(rewriter);
  const pool = growPool(terms, random, [...variables, terms.bv(3, 3)], 400, 3);
  for (const term of pool.filter(t => terms.width(t) === 3)) {
    const lower = truncation.of(rewriter.rewrite(term), 2);
    const plain = terms.app(Op.EXTRACT, [term], [1, 0]);
    for (const evaluator of allEvaluators(terms, variables))
      if (evaluator.value(lower) !== evaluator.value(plain))
        caught(`the lower bits of ${printTerm(terms, term)} are said to be ${printTerm(terms, lower)}`);
  }
}

function check(text: string): void {
  const script = `(set-logic HORN) ${text}`;
  const { problem } = hornQuestion(new TermStore(), 'probe.smt2', script, new Checkpoint());
  const solved = simplifyEdges(problem, new EquationSolver(new Rewriter(problem.terms))).problem;
  for (const kinds of KINDS) {
    const complaint = complaintAbout(solved, kinds);
    if (complaint !== undefined) caught(`${complaint}: ${text.replaceAll('\n', ' ')}`);
  }
  const complaint = complaintAboutNarrow(solved);
  if (complaint !== undefined) caught(`${complaint}: ${text.replaceAll('\n', ' ')}`);
}

checkArcs();
checkLowerBits();
for (const bound of ['(bvsle #b000 n)', '(bvslt #b001 n)', 'true', '(bvult #b010 n)'])
  check(DIFFERENCES(bound));
for (let round = 0; round < ROUNDS; round++) check(randomLoops(random));
