/** k-induction against explicit search; what it finds is checked, and some proofs it must find, no deeper than they are. */

import type { Property, System } from '../../src/core/problem/system.ts';
import { complete } from '../../src/sat/work.ts';
import { isUnsafe } from '../core/explicit.ts';
import { HandMade } from '../core/hand-made.ts';
import { checkOf, questionOf } from '../support/checking.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';
import { randomSystem } from './random-system.ts';

const random = probeRandom();
const heavy = await lightOnly();

/** Systems that must be decided; those that are safe, with the least k for which the property is k-inductive. */
const MUST_BE_DECIDED: readonly (readonly [k: number | undefined, text: string])[] = [
  // Below three it goes round; above, it counts: 3, 4, 5, 6, 7. Nothing leads to three.
  [
    3,
    `(declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (assert (! (= x #b000) :named init))
     (assert (! (= x.next (ite (= x #b010) #b000 (bvadd x #b001))) :named trans))
     (assert (! (bvult x #b101) :named property))`,
  ],
  // Two steps from one, which is initial.
  [
    undefined,
    `(declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (assert (! (= x #b001) :named init))
     (assert (! (= x.next (ite (= x #b110) #b000 (bvadd x #b001))) :named trans))
     (assert (! (not (= x #b011)) :named property))`,
  ],
  // Six may stay six for as long as one likes: only because no state comes twice is there a proof.
  [
    2,
    `(declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
     (assert (! (= x #b000) :named init))
     (assert (! (= x.next (ite (and (= x #b110) go) #b111 (ite (= x #b000) #b001 x))) :named trans))
     (assert (! (not (= x #b111)) :named property))`,
  ],
  // What differs from state to state, until there is a violation, is the second variable only; and a state may be kept.
  [
    undefined,
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const go Bool)
     (declare-const y (_ BitVec 2)) (declare-const y.next (_ BitVec 2))
     (assert (! (and (= x #b00) (= y #b00)) :named init))
     (assert (! (and (= x.next (ite (= y #b11) #b11 #b00)) (= y.next (ite go (bvadd y #b01) y))) :named trans))
     (assert (! (not (= x #b11)) :named property))`,
  ],
];

for (const [k, text] of MUST_BE_DECIDED) {
  const { system, property } = new HandMade(text);
  const check = checkOf(questionOf(system), heavy, { engines: ['k-induction'] });
  const verdict = complete(check.run());
  const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
  if (verdict.kind === 'unknown') caught(`a system that is ${expected}: ${verdict.text}`);
  if (verdict.kind !== expected) caught(`${verdict.kind}, but it is ${expected}`);
  if (verdict.kind === 'safe' && verdict.proof.k !== k)
    caught(`${verdict.proof.k}-inductive, not ${k}-inductive`);
}
/** What nobody looks at counts the steps in which six stays six: there is no proof for a k that is not large. */
const COUNTED = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
  (declare-const z (_ BitVec 4)) (declare-const z.next (_ BitVec 4))
  (assert (! (= x #b000) :named init))
  (assert (! (and (= x.next (ite (and (= x #b110) go) #b111 (ite (= x #b000) #b001 x))) (= z.next (bvadd z #x1))) :named trans))
  (assert (! (not (= x #b111)) :named property))`;

/** There may be no answer, but none that fails its check. */
function expectNoFailure(system: System, property: Property, name: string): void {
  const budget = { deadline: Date.now() + 30_000 };
  const verdict = complete(checkOf(questionOf(system), heavy, { engines: ['k-induction'], budget }).run());
  if (verdict.kind === 'unknown') {
    if (verdict.text.includes('internal failure')) caught(`${name}: ${verdict.text}`);
  } else if ((verdict.kind === 'unsafe') !== isUnsafe(system, property)) caught(`${name}: ${verdict.kind}`);
}

const counted = new HandMade(COUNTED);
expectNoFailure(counted.system, counted.property, 'a counter of steps');
for (let round = 0; round < 80; round++) {
  const { system, property } = randomSystem(random);
  expectNoFailure(system, property, `round ${round}`);
}
