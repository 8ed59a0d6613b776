import t from 'tap';
import { InitialStates } from '../../../../src/core/engines/walks/initial-states.ts';
import { Evaluator } from '../../../../src/term/evaluator.ts';
import type { TermId } from '../../../../src/term/store.ts';
import type { Value } from '../../../../src/term/value.ts';
import { questionOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { HandMade } from '../../hand-made.ts';
import { viewsOfForm } from '../one-engine.ts';

t.test('initial states are drawn, and not always the same', t => {
  const made = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (declare-const y (_ BitVec 8)) (declare-const y.next (_ BitVec 8))
    (declare-const b Bool) (declare-const b.next Bool)
    (declare-const c Bool) (declare-const c.next Bool)
    (declare-const m (Array (_ BitVec 2) Bool)) (declare-const m.next (Array (_ BitVec 2) Bool))
    (assert (! (and (= (bvadd x #x01) y) (not b) (bvult x #x80) (= (select m #b01) c)) :named init))
    (assert (! (= x.next y) :named trans))
    (assert (! true :named property))`);
  const { system } = made;
  const { flat } = viewsOfForm(questionOf(system), 'normal');
  const evaluate = (state: readonly Value[]) =>
    new Evaluator(system.terms, f => {
      const i = system.states.findIndex(s => s.current === system.terms.apply(f, []));
      return state[i];
    }).value(system.init);
  const empty = new Evaluator(system.terms, () => false).value(
    system.terms.constArray(system.terms.sort(made.variable('m')), system.terms.false),
  );
  const known = [7, 8, false, false, empty];
  t.equal(evaluate(known), true);
  const random = seeded(t);
  const draw = (v: TermId) => (system.terms.width(v) === 0 ? random.chance(0.5) : random.below(256));
  const starts = new InitialStates(flat.system, known);
  const seen = new Set<Value>();
  for (let i = 0; i < 100; i++) {
    const state = starts.next(draw);
    if (evaluate(state) !== true) t.fail(`${String(state)} is no initial state`);
    seen.add(state[0]);
  }
  t.ok(seen.size > 10, `x has ${seen.size} values`);
  t.end();
});

t.test('where chance finds none, the one that is known is taken', t => {
  const { system } = new HandMade(`
    (declare-const x (_ BitVec 32)) (declare-const x.next (_ BitVec 32))
    (assert (! (= (bvmul x x) #x000027d9) :named init))
    (assert (! (= x.next x) :named trans))
    (assert (! true :named property))`);
  const known = [101]; // its square is 10201
  const states = new InitialStates(viewsOfForm(questionOf(system), 'normal').flat.system, known);
  const random = seeded(t);
  for (let i = 0; i < 20; i++)
    t.same(
      states.next(() => random.below(100)),
      known,
    );
  t.end();
});
