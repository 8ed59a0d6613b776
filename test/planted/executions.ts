/** Executions once more: those that are wrong in one way only must be refused, the right one accepted. */
import { replayed } from '../../src/core/evidence/replay.ts';
import type { Execution } from '../../src/core/problem/execution.ts';
import { Listing } from '../../src/core/problem/listing.ts';
import { hornQuestion } from '../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { TermStore } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';
import { caught } from './probe.ts';

/** Counts by an input that is one or two, and goes over at five, where there is a violation; another input may be anything. */
const { problem } = hornQuestion(
  new TermStore(),
  'probe.smt2',
  `(set-logic HORN) (declare-fun P ((_ BitVec 4)) Bool) (declare-fun Q ((_ BitVec 4)) Bool)
   (assert (P #x0))
   (assert (forall ((x (_ BitVec 4)) (d (_ BitVec 4)))
     (=> (and (P x) (bvult x #x5) (bvult #x0 d) (bvult d #x3)) (P (bvadd x d)))))
   (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (P x) (= x #x5) (bvule y y)) (Q x))))
   (assert (forall ((x (_ BitVec 4))) (=> (and (Q x) (= x #x5)) false)))`,
  new Checkpoint(),
);
const { terms, edges } = problem;
const [start, round, over, violation] = edges;

function outcomeOf(execution: Execution, property = 0): object | string {
  const work = replayed(problem, property, execution, new Listing(terms, execution), new Checkpoint());
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

const run = (path: readonly (readonly [(typeof edges)[number], ...Value[]])[]): Execution => ({
  edges: path.map(([edge]) => edge),
  inputs: path.map(([, ...inputs]) => inputs),
});

// Of the clauses' variables x comes first, and then the other one.
const RIGHT = run([[start], [round, 0, 2], [round, 2, 2], [round, 4, 1], [over, 5, 9], [violation, 5]]);
const right = outcomeOf(RIGHT);
if (typeof right === 'string') caught(`a right execution is refused: ${right}`);

const WRONG: readonly (readonly [string, Execution])[] = [
  ['a guard is false', run([[start], [round, 0, 2], [round, 2, 2], [over, 4, 9], [violation, 4]])],
  ['an input is not allowed', run([[start], [round, 0, 3], [round, 3, 2], [over, 5, 9], [violation, 5]])],
  [
    'an input is no value',
    run([[start], [round, 0, 2], [round, 2, 2], [round, 4, 1], [over, 5, 99], [violation, 5]]),
  ],
  ['it goes on elsewhere', run([[start], [round, 0, 2], [round, 2, 2], [round, 4, 1], [violation, 5]])],
  ['it has no start', run([[violation, 5]])],
  ['it has no end', run([[start], [round, 0, 2], [round, 2, 2], [round, 4, 1], [over, 5, 9]])],
  ['there is no such edge', { ...RIGHT, edges: [{ ...start }, ...RIGHT.edges.slice(1)] }],
  ['inputs are missing', { ...RIGHT, inputs: RIGHT.inputs.map(() => []) }],
  ['there is nothing', run([])],
];
for (const [name, execution] of WRONG)
  if (typeof outcomeOf(execution) !== 'string') caught(`accepted, though ${name}`);
if (typeof outcomeOf(RIGHT, 1) !== 'string') caught('accepted as a violation of another property');
