/** The checks of evidence: proofs and runs that are wrong in one way only must be refused, right ones accepted. */
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import type { Derivation } from '../../src/core/problem/derivation.ts';
import { complete } from '../../src/sat/work.ts';
import type { Value } from '../../src/term/value.ts';
import { HandMade } from '../core/hand-made.ts';
import { caught, lightOnly } from './probe.ts';

const heavy = await lightOnly();

/** Goes from one to two and stays wherever else it is; never three. */
const STEP = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
  (assert (! (= x #b00) :named init))
  (assert (! (= x.next (ite (= x #b01) #b10 x)) :named trans))
  (assert (! (not (= x #b11)) :named property))
  (assert (! (not (= x #b11)) :named right))
  (assert (! (= x #b10) :named not-initial))
  (assert (! (bvult x #b10) :named not-inductive))
  (assert (! (bvule x #b11) :named too-weak))
  (assert (! (not (= x #b01)) :named lemma-false))
  (assert (! (or (= x #b01) (not (= x #b01))) :named lemma-true))`;

/** With the same input forever it keeps out of three, but inputs change: one and then two lead there. */
const CHANGING = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in (_ BitVec 2))
  (assert (! (= x #b00) :named init))
  (assert (! (= x.next (ite (= x #b00) (ite (= in #b11) #b00 in) (ite (and (= x #b01) (= in #b10)) #b11 x))) :named trans))
  (assert (! (not (= x #b11)) :named property))
  (assert (! (or (= x #b00) (and (= x in) (not (= in #b11)))) :named about-input))`;

/** Two halves that keep their values: the invariant speaks of one, the property of the other. */
const BITS = `
  (declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4))
  (assert (! (= x #x0) :named init)) (assert (! (= x.next x) :named trans))
  (assert (! (= ((_ extract 1 0) x) #b00) :named property))
  (assert (! (= ((_ extract 1 0) x) #b00) :named right))
  (assert (! (= ((_ extract 3 2) x) #b00) :named other-bit))`;

/** A constraint without which the property would fail, and an initial state that must be one. */
const GUARDED = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in (_ BitVec 2))
  (assert (! (= x #b00) :named init)) (assert (! (= x.next (bvadd x in)) :named trans))
  (assert (! (not (= in #b11)) :named constraint)) (assert (! (not (= x #b11)) :named property))`;

/** The input must be the state, in each step another one: with one input for both ends of a step there would be none. */
const FOLLOWED = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
  (assert (! (= x #b000) :named init)) (assert (! (= x.next (bvadd x #b001)) :named trans))
  (assert (! (= in x) :named constraint)) (assert (! (not (= x #b101)) :named property))
  (assert (! (= x #b000) :named first))`;

/** Steps lead to states in which nothing is allowed. A model need not have these. */
const FENCED = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
  (assert (! (= x #b000) :named init)) (assert (! (= x.next in) :named trans))
  (assert (! (bvult x #b100) :named constraint)) (assert (! (not (= x #b101)) :named property))
  (assert (! (bvult x #b100) :named low))`;

/** Below three it goes round; above, it counts: 3, 4, 5, 6, 7. Nothing leads to three. */
const ROUND = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3))
  (assert (! (= x #b000) :named init))
  (assert (! (= x.next (ite (= x #b010) #b000 (bvadd x #b001))) :named trans))
  (assert (! (bvult x #b101) :named property))
  (assert (! true :named anything)) (assert (! (not (= x #b011)) :named not-three))
  (assert (! (not (= x #b100)) :named not-four)) (assert (! (not (= x #b000)) :named not-zero))`;

/** Goes round all its states; two is the third. */
const CIRCLE = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
  (assert (! (= x #b00) :named init)) (assert (! (= x.next (bvadd x #b01)) :named trans))
  (assert (! (not (= x #b10)) :named property)) (assert (! true :named anything))`;

/** Six stays six for as long as one likes, and is then followed by seven. */
const LOOP = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
  (assert (! (= x #b000) :named init))
  (assert (! (= x.next (ite (and (= x #b110) go) #b111 x)) :named trans))
  (assert (! (not (= x #b111)) :named property)) (assert (! true :named anything))`;

/** Inputs of one step are not those of the next: one, then two, and there is the violation. */
const OTHERWISE = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in (_ BitVec 2))
  (assert (! (= x #b00) :named init))
  (assert (! (= x.next (ite (= x #b00) (ite (= in #b01) #b01 #b00) (ite (= in #b10) #b11 #b00))) :named trans))
  (assert (! (not (= x #b11)) :named property)) (assert (! true :named anything))`;

const PROOFS: readonly (readonly [
  system: string,
  isRight: boolean,
  k: number,
  invariant: string,
  ...lemmas: string[],
])[] = [
  [STEP, true, 0, 'right'],
  [STEP, true, 0, 'right', 'lemma-true'],
  [STEP, false, 0, 'not-initial'],
  [STEP, false, 0, 'not-inductive'],
  [STEP, false, 0, 'too-weak'],
  [STEP, false, 0, 'not-inductive', 'lemma-false'],
  [STEP, false, 0, 'not-inductive', 'lemma-true', 'lemma-false'],
  [CHANGING, false, 0, 'about-input'],
  [BITS, true, 0, 'right'],
  [BITS, false, 0, 'other-bit'],
  [FOLLOWED, false, 0, 'first'],
  [FENCED, true, 0, 'low'],
  [ROUND, true, 3, 'anything'],
  [ROUND, true, 2, 'not-three'],
  [ROUND, false, 2, 'anything'],
  [ROUND, false, 3, 'not-four'],
  [ROUND, false, 3, 'not-zero'],
  [CIRCLE, false, 4, 'anything'],
  [CIRCLE, false, 2, 'anything'],
  [LOOP, true, 2, 'anything'],
  [LOOP, false, 1, 'anything'],
  [OTHERWISE, false, 3, 'anything'],
  [FOLLOWED, false, 2, 'first'],
];

for (const [text, isRight, k, invariant, ...lemmas] of PROOFS) {
  const made = new HandMade(text);
  const proof = made.asProblem.proof(made.kInductive(k, invariant, ...lemmas));
  const nameOf = () => 'an edge';
  const { kind } = complete(checkProof(made.asProblem.problem, proof, { heavy, budget: {}, nameOf }));
  if ((kind === 'valid') !== isRight)
    caught(`the proof ${[invariant, ...lemmas].join(' with ')}, k = ${k}, is called ${kind}`);
}

type Step = Readonly<Record<string, Value>>;
const RUNS: readonly (readonly [what: string, isRight: boolean, steps: readonly Step[]])[] = [
  [
    'a violation',
    true,
    [
      { x: 0, in: 1 },
      { x: 1, in: 2 },
      { x: 3, in: 0 },
    ],
  ],
  [
    'not an initial state',
    false,
    [
      { x: 1, in: 2 },
      { x: 3, in: 0 },
    ],
  ],
  [
    'a violated constraint',
    false,
    [
      { x: 0, in: 3 },
      { x: 3, in: 0 },
    ],
  ],
  [
    'a violated constraint at the end',
    false,
    [
      { x: 0, in: 1 },
      { x: 1, in: 2 },
      { x: 3, in: 3 },
    ],
  ],
  [
    'no transition',
    false,
    [
      { x: 0, in: 1 },
      { x: 3, in: 0 },
    ],
  ],
  [
    'no transition at first',
    false,
    [
      { x: 0, in: 0 },
      { x: 1, in: 2 },
      { x: 3, in: 0 },
    ],
  ],
  [
    'no violation',
    false,
    [
      { x: 0, in: 1 },
      { x: 1, in: 0 },
    ],
  ],
  ['no step', false, []],
  [
    'a value that is none',
    false,
    [
      { x: 0, in: 1 },
      { x: 1, in: 2 },
      { x: 3, in: 4 },
    ],
  ],
];

function check(made: HandMade, derivation: Derivation, isRight: boolean, what: string): void {
  const complaint = checkDerivation(made.asProblem.problem, 0, derivation, () => 'an edge');
  if ((complaint === undefined) !== isRight) caught(`a run with ${what}: ${complaint ?? 'no complaint'}`);
}

for (const [what, isRight, steps] of RUNS) {
  const made = new HandMade(GUARDED);
  check(made, made.derivation(made.trace(steps)), isRight, what);
}

// Steps that are right one by one, but do not follow each other.
const made = new HandMade(GUARDED);
const run = made.derivation(
  made.trace([
    { x: 0, in: 1 },
    { x: 1, in: 2 },
    { x: 3, in: 0 },
  ]),
);
const without = (n: number) =>
  run.steps.filter((_, i) => i !== n).map((s, i) => ({ ...s, premises: i === 0 ? [] : [i - 1] }));
check(made, { ...run, steps: without(1) }, false, 'a step that is missing');
check(made, { ...run, steps: without(3) }, false, 'no violation at its end');
const loose = run.steps.map((s, i) => ({ ...s, premises: i === 0 ? [] : [i] }));
check(made, { ...run, steps: loose }, false, 'steps that rest on themselves');
