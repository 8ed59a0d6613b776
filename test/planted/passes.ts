/**
 * Passes against enumeration, each on problems of its kind, and one after another on random problems: the same queries can be
 * derived before and after; derivations, models and lemmas of the new problem come back as such of the old one.
 */
import { EquationSolver } from '../../src/bv/preprocess/equation-solver.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { accelerate, addLeaps } from '../../src/core/passes/accelerate/accelerate.ts';
import { dropClosedConditions } from '../../src/core/passes/drop-closed-conditions.ts';
import { dropUnusedPlaces, inputsFromPlaces } from '../../src/core/passes/drop-places.ts';
import { eliminateLocations } from '../../src/core/passes/eliminate-locations.ts';
import { narrowWidths } from '../../src/core/passes/facts/narrow-widths.ts';
import { flatten } from '../../src/core/passes/flatten.ts';
import { locate } from '../../src/core/passes/locate.ts';
import { mergeEdges } from '../../src/core/passes/merge-edges.ts';
import { type Pass, unchanged } from '../../src/core/passes/pass.ts';
import { postponeConditions } from '../../src/core/passes/postpone-conditions.ts';
import { propagateEqualities } from '../../src/core/passes/propagate-equalities.ts';
import { removeIrrelevant } from '../../src/core/passes/remove-irrelevant.ts';
import { shareVariables } from '../../src/core/passes/share-variables.ts';
import { simplifyEdges } from '../../src/core/passes/simplify-edges.ts';
import { splitDisjunctions } from '../../src/core/passes/split-disjunctions.ts';
import {
  completed,
  type Derivation,
  headValues,
  NO_FUNCTIONS,
  type Step,
} from '../../src/core/problem/derivation.ts';
import { inputsOf, type Problem, placesOf, restrictedTo } from '../../src/core/problem/problem.ts';
import { hornQuestion } from '../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { termOfValue } from '../../src/term/evaluator.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';
import { complaintAboutModel, Derivable, evaluator, TooLarge } from '../core/explicit-problem.ts';
import { randomProblem, type Shape } from '../core/random-problem.ts';
import { caught, probeRandom } from './probe.ts';

const random = probeRandom();
const SHAPES: readonly Shape[] = ['system', 'graph', 'program', 'circuit'];
const ROUNDS = 32;
const LOOPS = 150;
const PASSES_A_ROUND = 4;

/** Problems in which there is something for a pass to do, some with a derivation and some without. */
const PROBLEMS: readonly string[] = [
  // Loops that count: up to and with the end, which is never passed if it is the last number; and by leaps, over the end.
  ...['(bvule i n)', '(bvult i n)'].map(
    (
      guard,
      j,
    ) => `(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool) (assert (forall ((n (_ BitVec 3))) (p n #b000)))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) ${guard}) (p n (bvadd i ${['#b001', '#b011'][j]})))))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) (not ${guard})
     ${['(not (= i (bvadd n #b001)))', '(bvult i n)'][j]}) false)))`,
  ),
  `(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool) (assert (forall ((n (_ BitVec 3))) (p n #b000)))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) (bvule i n)) (p n (bvadd i #b001)))))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) (not (bvule i n)) (= n #b111)) false)))`,
  // Loops that go on until they wrap, and for ever if they come out beyond their other end.
  ...['(bvult n i)', '(bvule n i)'].map(
    (
      guard,
      j,
    ) => `(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool) (assert (forall ((n (_ BitVec 3))) (p n #b111)))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) ${guard}) (p n (bvadd i #b010)))))
   (assert (forall ((n (_ BitVec 3)) (i (_ BitVec 3))) (=> (and (p n i) (not ${guard}) (= n ${['#b000', '#b001'][j]})) false)))`,
  ),
  // The sum of the numbers below five, modulo eight.
  `(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool) (assert (p #b000 #b000))
   (assert (forall ((i (_ BitVec 3)) (s (_ BitVec 3))) (=> (and (p i s) (bvult i #b101)) (p (bvadd i #b001) (bvadd s i)))))
   (assert (forall ((i (_ BitVec 3)) (s (_ BitVec 3))) (=> (and (p i s) (not (bvult i #b101)) (not (= s #b010))) false)))`,
  // Steps in one guard, and a condition on all of them.
  `(declare-fun p ((_ BitVec 3)) Bool) (assert (p #b000))
   (assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (c Bool)) (=> (and (p x) (bvult x #b010)
     (or (and c (= y (bvadd x #b001))) (and (not c) (= y #b000) (= x #b001)))) (p y))))
   (assert (forall ((x (_ BitVec 3))) (=> (and (p x) (= x #b011)) false)))`,
  // Two ways from one location to the other, of which one can be taken.
  `(declare-fun p ((_ BitVec 2)) Bool) (declare-fun q ((_ BitVec 2)) Bool) (assert (p #b10))
   (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (and (p x) (bvult x y) (= y #b01)) (q x))))
   (assert (forall ((x (_ BitVec 2)) (z (_ BitVec 2))) (=> (and (p x) (bvult z x) (= z #b01)) (q x))))
   (assert (forall ((x (_ BitVec 2))) (=> (q x) (p (bvadd x #b01)))))
   (assert (forall ((x (_ BitVec 2))) (=> (and (q x) (= x #b11)) false)))`,
  // A place that is always one, and another that is always as large as the first.
  `(declare-fun p ((_ BitVec 2) (_ BitVec 2) (_ BitVec 2)) Bool) (assert (p #b00 #b01 #b00))
   (assert (forall ((x (_ BitVec 2)) (c (_ BitVec 2)) (y (_ BitVec 2))) (=> (p x c y) (p (bvadd x c) c (bvadd y c)))))
   (assert (forall ((x (_ BitVec 2)) (c (_ BitVec 2)) (y (_ BitVec 2))) (=> (and (p x c y) (or (= c #b11) (= x (bvadd y #b01)))) false)))`,
  // A place that nobody looks at, and that changes.
  `(declare-fun p ((_ BitVec 2) (_ BitVec 2)) Bool) (assert (p #b00 #b01))
   (assert (forall ((x (_ BitVec 2)) (z (_ BitVec 2))) (=> (p x z) (p (bvadd x #b01) (bvadd z #b01)))))
   (assert (forall ((x (_ BitVec 2)) (z (_ BitVec 2))) (=> (and (p x z) (= x #b10)) false)))`,
  // A program counter: three is there at one only.
  `(declare-fun p ((_ BitVec 2) (_ BitVec 2)) Bool) (assert (p #b00 #b00))
   (assert (forall ((x (_ BitVec 2))) (=> (and (p #b00 x) (= x #b00)) (p #b01 (bvadd x #b11)))))
   (assert (forall ((x (_ BitVec 2))) (=> (p #b01 x) (p #b00 (bvadd x #b10)))))
   (assert (forall ((x (_ BitVec 2))) (=> (and (p #b00 x) (= x #b11)) false)))`,
  // A location that is passed through.
  `(declare-fun p ((_ BitVec 2)) Bool) (declare-fun q ((_ BitVec 2)) Bool) (declare-fun r ((_ BitVec 2)) Bool) (assert (p #b00))
   (assert (forall ((x (_ BitVec 2))) (=> (and (p x) (bvult x #b10)) (q (bvadd x #b01)))))
   (assert (forall ((x (_ BitVec 2))) (=> (and (q x) (bvult #b00 x)) (r x))))
   (assert (forall ((x (_ BitVec 2))) (=> (r x) (p x)))) (assert (forall ((x (_ BitVec 2))) (=> (and (r x) (= x #b11)) false)))`,
  // The same with a way to the query, by different edges.
  `(declare-fun p ((_ BitVec 2)) Bool) (declare-fun q ((_ BitVec 2)) Bool) (declare-fun r ((_ BitVec 2)) Bool) (assert (p #b00))
   (assert (forall ((x (_ BitVec 2))) (=> (p x) (q (bvadd x #b01)))))
   (assert (forall ((y (_ BitVec 2))) (=> (q y) (r (bvadd y #b10)))))
   (assert (forall ((z (_ BitVec 2))) (=> (and (r z) (= z #b00)) (p z)))) (assert (forall ((x (_ BitVec 2))) (=> (and (r x) (= x #b11)) false)))`,
];

const PASSES: readonly ((problem: Problem, rewriter: Rewriter) => Pass | undefined)[] = [
  (p, rewriter) => simplifyEdges(p, new EquationSolver(rewriter)),
  (p, rewriter) => dropClosedConditions(p, rewriter),
  p => removeIrrelevant(p),
  (p, rewriter) => splitDisjunctions(p, rewriter),
  (p, rewriter) => propagateEqualities(p, rewriter),
  p => dropUnusedPlaces(p),
  p => inputsFromPlaces(p),
  (p, rewriter) => postponeConditions(p, rewriter),
  (p, rewriter) => eliminateLocations(p, new EquationSolver(rewriter)),
  p => mergeEdges(p),
  (p, rewriter) => locate(p, rewriter, new Checkpoint()),
  p => shareVariables(p),
  (p, rewriter) => flatten(p, rewriter),
  (p, rewriter) => narrowWidths(p, rewriter, new Checkpoint()),
];

const accelerated = (p: Problem, rewriter: Rewriter) => accelerate(p, new EquationSolver(rewriter), 'told');

const leaping = (p: Problem, rewriter: Rewriter) => addLeaps(p, new EquationSolver(rewriter));

let lemmas = 0;

/** The problem that a pass makes, unless it is too large to look at. */
function applied(pass: (typeof PASSES)[number], problem: Problem, name: string, hasTwins = false): Problem {
  const { problem: next, back } = pass(problem, new Rewriter(problem.terms)) ?? unchanged(problem);
  if (next === problem) return problem;
  try {
    const complaint = complaintAbout(problem, { problem: next, back }, hasTwins);
    if (complaint !== undefined) caught(`${name}: ${complaint}`);
    return next;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return problem;
  }
}

for (const [i, text] of PROBLEMS.entries()) {
  const script = `(set-logic HORN) ${text} (check-sat)`;
  const { problem } = hornQuestion(new TermStore(), 'probe.smt2', script, new Checkpoint());
  // As a clause has it, everything is an equation; most passes see the form in which these are solved.
  const solved = applied(PASSES[0], problem, `problem ${i}`);
  for (const pass of [...PASSES, accelerated]) applied(pass, solved, `problem ${i}, ${pass}`);
}
for (let round = 0; round < ROUNDS; round++) {
  let problem = restrictedTo(randomProblem(random, SHAPES[round % SHAPES.length]), 0);
  for (let i = 0; i < PASSES_A_ROUND; i++)
    problem = applied(random.pick(PASSES), problem, `round ${round}`, true);
}
for (let round = 0; round < LOOPS; round++) {
  const problem = restrictedTo(randomProblem(random, 'counting'), 0);
  applied(accelerated, problem, `loop ${round}`, true);
  const withOthers = restrictedTo(randomProblem(random, 'ways'), 0);
  applied(leaping, withOthers, `leaps ${round}`, true);
}
if (lemmas < ROUNDS) caught(`only ${lemmas} lemmas came back`);

function complaintAbout(before: Problem, pass: Pass, hasTwins: boolean): string | undefined {
  const [old, now] = [new Derivable(before), new Derivable(pass.problem)];
  if (old.properties.join() !== now.properties.join())
    return `derivable was '${old.properties}', now it is '${now.properties}'`;
  const found = now.derivation(0);
  if (found === undefined) {
    const { model } = pass.back.proof({ model: now.strongest, lemmas: new Map(), k: 0 });
    return complaintAboutModel(before, model);
  }
  const back = completed(before.terms, pass.back.derivation(found));
  return (
    checkDerivation(before, 0, back, e => `edge ${before.edges.indexOf(e)}`) ??
    complaintAboutLemmas(before, pass, completed(pass.problem.terms, found), back, hasTwins)
  );
}

/**
 * What is true of one step only says of the step that this comes back as what is true there. (Lemmas proper are valid, so that
 * nothing would show with them.)
 */
function complaintAboutLemmas(
  before: Problem,
  pass: Pass,
  now: Derivation,
  back: Derivation,
  hasTwins: boolean,
): string | undefined {
  const { terms } = before;
  const model = new Map(pass.problem.locations.map(l => [l, terms.true]));
  for (const step of now.steps.filter(s => now.steps.every(o => o === s || o.edge !== s.edge))) {
    const facts = [...valuesOf(pass.problem, step)].map(([v, value]) =>
      terms.eq(v, termOfValue(terms, terms.sort(v), value)),
    );
    for (const fact of facts) {
      const proof = pass.back.proof({ model, lemmas: new Map([[step.edge, [fact]]]), k: 0 });
      for (const [edge, formulas] of proof.lemmas) {
        const uses = back.steps.filter(s => s.edge === edge);
        if (uses.length !== 1) continue;
        const values = valuesOf(before, uses[0]);
        for (const f of formulas) {
          // Of edges that were merged, one may have an input that the other has not.
          const isForeign = terms.postorder([f]).some(v => terms.isVariable(v) && !values.has(v));
          if (isForeign && hasTwins) continue;
          if (isForeign) return 'a lemma comes back about something else';
          lemmas++;
          if (evaluator(terms, values).value(f) !== true) return 'a lemma comes back as something else';
        }
      }
    }
  }
  return undefined;
}

/** What a lemma about an edge may speak of, in one use of it. */
function valuesOf({ terms, next }: Problem, { edge, values }: Step): Map<TermId, Value> {
  const own: readonly TermId[] = [...placesOf(edge), ...inputsOf(terms, edge)];
  const after = headValues(terms, edge, values, NO_FUNCTIONS);
  return new Map([
    ...own.map(v => [v, values.get(v) as Value] as const),
    ...[...after].map(([p, value]) => [next.of(p), value] as const),
  ]);
}
