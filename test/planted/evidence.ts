/** The checks of evidence: proofs and runs that are wrong in one way only must be refused, right ones accepted. */
import { checkProof } from '../../src/core/check/invariant.ts';
import { replay } from '../../src/core/check/replay.ts';
import type { Value } from '../../src/term/value.ts';
import { HandMade } from '../core/hand-made.ts';
import { backEnd, caught } from './probe.ts';

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

const PROOFS: readonly (readonly [
  system: string,
  isRight: boolean,
  invariant: string,
  ...lemmas: string[],
])[] = [
  [STEP, true, 'right'],
  [STEP, true, 'right', 'lemma-true'],
  [STEP, false, 'not-initial'],
  [STEP, false, 'not-inductive'],
  [STEP, false, 'too-weak'],
  [STEP, false, 'not-inductive', 'lemma-false'],
  [STEP, false, 'not-inductive', 'lemma-true', 'lemma-false'],
  [CHANGING, false, 'about-input'],
  [BITS, true, 'right'],
  [BITS, false, 'other-bit'],
];

for (const [text, isRight, invariant, ...lemmas] of PROOFS) {
  const made = new HandMade(text);
  const proof = made.proof(invariant, ...lemmas);
  const { kind } = checkProof(made.system, made.property, proof, { backEnd });
  if ((kind === 'valid') !== isRight)
    caught(`the proof ${[invariant, ...lemmas].join(' with ')} is called ${kind}`);
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

for (const [what, isRight, steps] of RUNS) {
  const made = new HandMade(GUARDED);
  const complaint = replay(made.system, made.property, made.trace(steps));
  if ((complaint === undefined) !== isRight) caught(`a run with ${what}: ${complaint ?? 'no complaint'}`);
}
