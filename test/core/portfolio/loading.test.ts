/**
 * The heavy SAT back end is loaded when a question turns out to be hard, and that takes its time. Nobody takes that for a
 * failure: who needs it waits, and goes on.
 */
import t from 'tap';
import type { BackEndModule } from '../../../src/bv/back-end.ts';
import { HeavyBackEnd } from '../../../src/bv/tiered.ts';
import { ENGINE_NAMES } from '../../../src/core/portfolio/engine-names.ts';
import { drive } from '../../../src/sat/work.ts';
import { loadCadicalForTests } from '../../support/cadical.ts';
import { checkOf, complaintAbout, loadedBackEnd, questionOf } from '../../support/checking.ts';
import { HandMade } from '../hand-made.ts';

const loaded = await loadedBackEnd();

/** A product of two primes: to find an initial state is to factor it. The second state is a violation. */
const FACTORS = `
  (declare-const p (_ BitVec 16)) (declare-const p.next (_ BitVec 16))
  (declare-const q (_ BitVec 16)) (declare-const q.next (_ BitVec 16))
  (assert (! (and (= (bvmul ((_ zero_extend 16) p) ((_ zero_extend 16) q)) (_ bv${65_521n * 49_157n} 32))
    (bvult (_ bv1 16) p) (bvult p q)) :named init))
  (assert (! (and (= p.next q) (= q.next p)) :named trans))
  (assert (! (bvult p q) :named property))`;

/** Checks it with a back end that is loaded as told: the verdict, if its evidence is right, and how often that was asked for. */
async function checked(load: () => Promise<BackEndModule>, engines: readonly string[] | undefined) {
  const warnings: string[] = [];
  const heavy = new HeavyBackEnd(load, message => warnings.push(message));
  const question = questionOf(new HandMade(FACTORS).system);
  let loads = 0;
  const verdict = await drive(checkOf(question, heavy, { engines }).run(), {
    load: () => {
      loads++;
      return heavy.load();
    },
    turn: () => Promise.resolve(),
  });
  return { verdict: complaintAbout(question, loaded, verdict) ?? verdict.kind, loads, warnings };
}

async function slowly(): Promise<BackEndModule> {
  await new Promise(resolve => setTimeout(resolve, 200));
  return loadCadicalForTests();
}

t.test('every engine finds its answer, whether it has to wait or not', async t => {
  const waiting = [];
  // Unfolding trees is for problems whose derivations are no runs, executions for those with several locations, conjectures for proofs.
  const others = /bounded-trees|executions|conjectures/;
  for (const engine of ENGINE_NAMES.filter(n => !others.test(n))) {
    const { verdict, loads, warnings } = await checked(slowly, [engine]);
    t.equal(verdict, 'unsafe', engine);
    t.same(warnings, []);
    t.ok(loads <= 1, 'what is loaded stays loaded');
    if (loads > 0) waiting.push(engine);
  }
  t.ok(waiting.length > 0, `${waiting} had to wait`);
});

t.test('all engines together', async t => {
  t.equal((await checked(slowly, undefined)).verdict, 'unsafe');
});

t.test('where it cannot be loaded, the light one does all the work', async t => {
  const missing = () => Promise.reject(new Error('no WebAssembly here'));
  const { verdict, loads, warnings } = await checked(missing, ['walks']);
  t.equal(verdict, 'unsafe');
  t.equal(loads, 1);
  t.match(warnings, [/no WebAssembly here/]);
});
