/**
 * The checker against explicit search over random small systems, and slice by slice over random clauses. Since evidence is checked before it is a verdict, most
 * bugs of the engine show as internal failures; those that make refinement stand still show on systems that must be
 * decided.
 */
import { Checker, type CheckerOptions } from '../../src/core/checker.ts';
import type { Property, System } from '../../src/core/system/system.ts';
import { hornSystem } from '../../src/horn/system.ts';
import { isUnsafe } from '../core/explicit.ts';
import { HandMade } from '../core/hand-made.ts';
import { derivableQueries } from '../horn/explicit.ts';
import { randomProblem } from '../horn/random-problem.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';
import { randomSystem } from './random-system.ts';

const random = probeRandom();
const heavy = await lightOnly();

/** No search beside the abstract one and no laws of operators, which would decide what the abstraction cannot. */
function optionsOf(evaluateConstants: boolean, generalize: boolean): CheckerOptions {
  return {
    evaluateConstants,
    generalize,
    laws: false,
    bounded: false,
    walks: false,
    bits: false,
    budget: { deadline: Date.now() + 10_000 },
    heavy,
    onProgress: () => undefined,
  };
}

/** Systems that must be decided. */
const MUST_BE_DECIDED: readonly string[] = [
  // An input that a constraint keeps from breaking the property.
  `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
   (assert (! (= x #x0) :named init)) (assert (! (= x.next in) :named trans))
   (assert (! (bvult in #x8) :named constraint)) (assert (! (not (= in #x9)) :named property))`,
  // Counting to nine and from there to zero: the way there is through two conditions.
  `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const go Bool)
   (assert (! (= x #x0) :named init))
   (assert (! (= x.next (ite go (ite (= x #x9) #x0 (bvadd x #x1)) x)) :named trans))
   (assert (! (not (= x #xb)) :named property))`,
  // The same, violated in the ninth step.
  `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const go Bool)
   (assert (! (= x #x0) :named init))
   (assert (! (= x.next (ite go (ite (= x #x9) #x0 (bvadd x #x1)) x)) :named trans))
   (assert (! (not (= x #x9)) :named property))`,
  // What is written is read back.
  `(declare-const pc Bool) (declare-const pc.next Bool) (declare-const i (_ BitVec 2)) (declare-const i.next (_ BitVec 2))
   (declare-const a (Array (_ BitVec 2) (_ BitVec 2))) (declare-const a.next (Array (_ BitVec 2) (_ BitVec 2)))
   (assert (! (not pc) :named init))
   (assert (! (and pc.next (= i.next i) (= a.next (ite pc a (store a i #b11)))) :named trans))
   (assert (! (=> pc (= (select a i) #b11)) :named property))`,
  // A state variable that matters in the second step, where it comes in beside an input, and is set in the first.
  `(declare-const pc (_ BitVec 2)) (declare-const pc.next (_ BitVec 2)) (declare-const in (_ BitVec 3))
   (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3))
   (declare-const y (_ BitVec 3)) (declare-const y.next (_ BitVec 3))
   (assert (! (and (= pc #b00) (= x #b000) (= y #b000)) :named init))
   (assert (! (and (= pc.next (ite (= pc #b11) pc (bvadd pc #b01))) (= y.next (ite (= pc #b00) (bvadd y #b001) y))
                   (= x.next (ite (= pc #b01) (bvadd y in) x)) (bvult in #b010)) :named trans))
   (assert (! (not (and (= pc #b10) (= x #b111))) :named property))`,
  // A state without successors still violates the property.
  `(declare-const x Bool) (declare-const x.next Bool) (declare-const y Bool) (declare-const y.next Bool)
   (assert (! (not x) :named init)) (assert (! (and (or x.next y.next) (not x)) :named trans))
   (assert (! (not x) :named property))`,
  // Inputs that must change from step to step for the violation.
  `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in Bool)
   (declare-const last Bool) (declare-const last.next Bool)
   (assert (! (and (= x #b00) (not last)) :named init))
   (assert (! (and (= x.next (ite (= in last) x (bvadd x #b01))) (= last.next in)) :named trans))
   (assert (! (not (= x #b11)) :named property))`,
];

/** Checks a system; an answer that is left open is wrong only where one must be found. */
async function check(
  system: System,
  property: Property,
  options: CheckerOptions,
  text: string,
  isOpenAllowed: boolean,
  isViolated = () => isUnsafe(system, property),
) {
  const verdict = await new Checker(system, property, options).run();
  if (verdict.kind === 'unknown') {
    if (!isOpenAllowed || verdict.reason.includes('internal failure')) caught(`${text}: ${verdict.reason}`);
    return;
  }
  const expected = isViolated() ? 'unsafe' : 'safe';
  if (verdict.kind !== expected) caught(`${text}: ${verdict.kind}, but it is ${expected}`);
}

for (const [i, text] of MUST_BE_DECIDED.entries()) {
  for (const evaluateConstants of [true, false]) {
    const { system, property } = new HandMade(text);
    await check(system, property, optionsOf(evaluateConstants, true), `system ${i}`, false);
  }
}
for (let round = 0; round < 100; round++) {
  const { system, property } = randomSystem(random);
  const options = optionsOf(random.chance(0.7), random.chance(0.7));
  await check(system, property, options, `round ${round}`, true);
}
for (let round = 0; round < 60; round++) {
  const problem = randomProblem(random, 'smt-lib');
  const { system } = hornSystem(problem, { encoding: 'sliced', preprocess: false });
  const isDerivable = () => derivableQueries(problem).has(0);
  const options = optionsOf(random.chance(0.7), random.chance(0.7));
  await check(system, system.properties[0], options, `clauses ${round}`, true, isDerivable);
}
