/** The VMT reader: which states are initial and which steps there are, counted one by one. */
import { readVmt } from '../../src/formats/vmt/reader.ts';
import { TermStore } from '../../src/term/store.ts';
import { allEvaluators } from '../support/smtlib.ts';
import { caught } from './probe.ts';

/** Two initial conditions, two parts of the transition relation, two properties; one state variable is free. */
const TEXT = `
  (declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
  (declare-const y (_ BitVec 2)) (declare-const y.next (_ BitVec 2)) (declare-const go Bool)
  (define-fun .x () (_ BitVec 2) (! x :next x.next)) (define-fun .y () (_ BitVec 2) (! y :next y.next))
  (define-fun .i () Bool (! (bvult x #b10) :init true))
  (define-fun .j () Bool (! (= y (bvsub x #b01)) :init true))
  (define-fun .t () Bool (! (= x.next (ite go (bvsub y x) x)) :trans true))
  (define-fun .u () Bool (! (=> go (= y #b11)) :trans true))
  (define-fun .p () Bool (! (distinct x #b11) :invar-property 0))
  (define-fun .q () Bool (! (let ((x y)) (= x #b00)) :invar-property 1))`;

const { terms, states, inputs, init, trans, properties } = readVmt(new TermStore(), 'probe.vmt', TEXT, {
  strict: true,
  warn: message => caught(message),
});
if (states.length !== 2 || inputs.length !== 1) caught(`${states.length} states and ${inputs.length} inputs`);
const [x, y] = states;
const variables = [...states.flatMap(s => [s.current, s.next]), ...inputs];
const counts = { init: 0, trans: 0, expectedInit: 0, expectedTrans: 0 };
for (const evaluator of allEvaluators(terms, variables)) {
  const [a, b, next] = [x.current, y.current, x.next].map(v => evaluator.value(v) as number);
  const go = evaluator.value(inputs[0]) === true;
  if (evaluator.value(init) === true) counts.init++;
  if (a < 2 && b === (a + 3) % 4) counts.expectedInit++;
  if (evaluator.value(trans) === true) counts.trans++;
  if (go ? b === 3 && next === (b - a + 4) % 4 : next === a) counts.expectedTrans++;
  if (evaluator.value(properties[0].formula) !== (a !== 3)) caught('the first property means something else');
  if (evaluator.value(properties[1].formula) !== (b === 0))
    caught('the second property means something else');
}
if (counts.init !== counts.expectedInit)
  caught(`${counts.init} and not ${counts.expectedInit} initial states`);
if (counts.trans !== counts.expectedTrans) caught(`${counts.trans} and not ${counts.expectedTrans} steps`);
