/** What of an invariant suffices: what violations and other formulas rest on, and nothing else. */
import t from 'tap';
import { Circuit } from '../../../../src/core/engines/bit-steps/circuit.ts';
import { InwardSteps } from '../../../../src/core/engines/bit-steps/inward.ts';
import { sufficient } from '../../../../src/core/engines/bit-steps/sufficient.ts';
import { Effort } from '../../../../src/core/engines/effort.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import { complete } from '../../../../src/sat/work.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';
import { HandMade } from '../../hand-made.ts';

/** z is what x was before, and y goes its own way; all start at 0, and x and y stay even. */
const made = new HandMade(`
  ${['x', 'y', 'z'].map(v => `(declare-const ${v} (_ BitVec 8)) (declare-const ${v}.next (_ BitVec 8))`).join(' ')}
  (declare-const i (_ BitVec 8))
  (assert (! (and (= x #x00) (= y #x00) (= z #x00)) :named init))
  (assert (! (and (= x.next (bvadd x (bvshl i #x01))) (= y.next (bvadd y (bvshl i #x01))) (= z.next x)) :named trans))
  (assert (! (not (= z #x03)) :named property))
  (assert (! (= ((_ extract 0 0) x) #b0) :named x-is-even))
  (assert (! (= ((_ extract 0 0) y) #b0) :named y-is-even))
  (assert (! (= ((_ extract 0 0) z) #b0) :named z-is-even))
  (assert (! (= x y) :named x-is-y))`);

function neededOf(names: readonly string[], all: number): Set<string> | undefined {
  const { problem } = made.asProblem;
  const [location] = problem.locations;
  const effort = new Effort({});
  effort.left = Number.POSITIVE_INFINITY;
  const counts = { questions: 0, solvers: 0 };
  const circuit = new Circuit(new Rewriter(problem.terms), () => {});
  const steps = new InwardSteps(problem, { circuit, effort, profile: new Profile(), seed: 1, counts });
  const held = new Map([[location, names.map(n => made.formula(n))]]);
  const needed = complete(sufficient(steps, held, { single: all, all }))?.get(location);
  return needed && new Set(names.filter(n => needed.includes(made.formula(n))));
}

t.test('what is needed, and nothing else', t => {
  const all = ['y-is-even', 'z-is-even', 'x-is-even'];
  t.same(neededOf(all, 1e6), new Set(['z-is-even', 'x-is-even']));
  t.same(neededOf(['y-is-even', 'x-is-y', 'z-is-even'], 1e6), new Set(['y-is-even', 'x-is-y', 'z-is-even']));
  t.equal(neededOf(['x-is-even', 'y-is-even', 'x-is-y'], 1e6), undefined, 'violations are not excluded');
  t.end();
});
