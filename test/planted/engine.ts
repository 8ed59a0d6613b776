/**
 * The abstract engine against explicit search: on random small systems, and location by location on random graphs. What it
 * finds is checked, so most bugs show as evidence that proves nothing; those that make refinement stand still show on
 * systems that must be decided.
 */
import type { EngineOptions } from '../../src/core/env/options.ts';
import type { System } from '../../src/core/problem/system.ts';
import { isUnsafe } from '../core/explicit.ts';
import { Derivable, TooLarge } from '../core/explicit-problem.ts';
import { HandMade } from '../core/hand-made.ts';
import { randomProblem } from '../core/random-problem.ts';
import { questionOf, verdictOf } from '../support/checking.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';
import { randomSystem } from './random-system.ts';
import { searched } from './searched.ts';

const random = probeRandom();
const heavy = await lightOnly();

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

function checkSystem(system: System, engine: Partial<EngineOptions>, name: string, mustBeDecided: boolean) {
  const budget = { deadline: Date.now() + 30_000 };
  const verdict = verdictOf(questionOf(system), heavy, { engines: ['abstract'], engine, budget });
  if (verdict.kind === 'unknown') {
    if (mustBeDecided || verdict.text.includes('internal failure')) caught(`${name}: ${verdict.text}`);
    return;
  }
  const expected = isUnsafe(system, system.properties[0]) ? 'unsafe' : 'safe';
  if (verdict.kind !== expected) caught(`${name}: ${verdict.kind}, but it is ${expected}`);
}

/** A graph as it is, without passes: with several locations there is a solver for each. */
function checkGraph(name: string): void {
  const problem = randomProblem(random, random.chance(0.5) ? 'graph' : 'program');
  const engine = { evaluateConstants: random.chance(0.7), generalize: random.chance(0.7) };
  try {
    const expected = new Derivable(problem).properties.length > 0 ? 'unsafe' : 'safe';
    const found = searched(problem, 'abstract', heavy, engine);
    if (found.kind === 'wrong') caught(`${name}: ${found.text}`);
    if (found.kind !== 'unknown' && found.kind !== expected)
      caught(`${name}: ${found.kind}, but it is ${expected}`);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
}

for (const [i, text] of MUST_BE_DECIDED.entries()) {
  for (const evaluateConstants of [true, false])
    checkSystem(new HandMade(text).system, { evaluateConstants }, `system ${i}`, true);
}
for (let round = 0; round < 30; round++) checkGraph(`graph ${round}`);
for (let round = 0; round < 60; round++) {
  const { system } = randomSystem(random);
  const engine = { evaluateConstants: random.chance(0.7), generalize: random.chance(0.7) };
  checkSystem(system, engine, `round ${round}`, false);
}
