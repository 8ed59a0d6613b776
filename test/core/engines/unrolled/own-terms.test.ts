/**
 * Engines that unroll do so in term stores of their own. What a solver keeps for every term of a store would otherwise grow
 * with somebody else's unrolling.
 */
import t from 'tap';
import { BOUNDED } from '../../../../src/core/engines/bounded/engine.ts';
import type { EngineKind } from '../../../../src/core/engines/engine.ts';
import { K_INDUCTION } from '../../../../src/core/engines/k-induction/engine.ts';
import { WALKS } from '../../../../src/core/engines/walks/engine.ts';
import { loadedBackEnd } from '../../../support/checking.ts';
import { HandMade } from '../../hand-made.ts';
import { Alone } from '../one-engine.ts';

const heavy = await loadedBackEnd();

/** Nothing is found in a hundred steps, and there is no k for which it is k-inductive before that. */
const { system } = new HandMade(`
  (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
  (declare-const y (_ BitVec 16)) (declare-const y.next (_ BitVec 16)) (declare-const in (_ BitVec 16))
  (assert (! (and (= x #x0000) (= y #x0000)) :named init))
  (assert (! (and (= x.next (bvadd x #x0001)) (= y.next (bvxor y (bvmul x in)))) :named trans))
  (assert (! (or (bvult x #x7000) (not (= y #x1234))) :named property))`);

/** How far an engine has come, and how many terms the problem has then. */
function grown(kind: EngineKind, how: string, far: readonly number[]) {
  const { engine, views } = new Alone(kind, system, heavy);
  const { terms } = views.problem;
  return far.map(goal => {
    for (let turn = 0; (engine.stats[how] ?? 0) < goal && turn < 10_000; turn++) engine.run(5000);
    return { reached: engine.stats[how], terms: terms.size };
  });
}

t.test('the terms of the problem stay as many as they are, however deep the search', t => {
  for (const [kind, how, far] of [
    [BOUNDED, 'horizon', [3, 40]],
    [K_INDUCTION, 'k', [3, 20]],
    [WALKS, 'steps', [10, 20_000]],
  ] as const) {
    const [near, deep] = grown(kind, how, far);
    t.ok(near.reached >= far[0] && deep.reached >= far[1], `${kind.name} has come far`);
    t.equal(deep.terms, near.terms, kind.name);
  }
  t.end();
});
