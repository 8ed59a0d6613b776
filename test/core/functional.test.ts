/** The form of a system that the engine walks: what counts as an input and as a constraint there. */
import t from 'tap';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { Checker } from '../../src/core/checker.ts';
import { functionalSystem } from '../../src/core/system/functional.ts';
import { priming } from '../../src/core/system/renaming.ts';
import type { Property, System } from '../../src/core/system/system.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { seeded } from '../support/random.ts';
import { growPool } from '../support/terms.ts';
import { isUnsafe } from './explicit.ts';
import { HandMade } from './hand-made.ts';
import { RandomSystem } from './random-system.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const verdict = async (system: System, property: Property) =>
  (await new Checker(system, property, { budget: {}, heavy, onProgress: () => undefined }).run()).kind;

/** A register x that takes in y, which is a state variable that nobody says anything about but what is assumed of it. */
const register = (init: string, trans: string, property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (declare-const y (_ BitVec 8)) (declare-const y.next (_ BitVec 8))
    (assert (! (and (= x #x00) ${init}) :named init))
    (assert (! (and (= x.next y) ${trans}) :named trans))
    (assert (! ${property} :named property))`);

t.test('a state variable of which nothing is said is an input', async t => {
  const { system, property } = register('true', 'true', '(not (= x #x07))');
  const { states, inputs } = functionalSystem(system, property);
  t.same([states, inputs], [[system.states[0]], [system.states[1].current]]);
  t.equal(await verdict(system, property), 'unsafe');
  const { system: started } = register('(= y x)', 'true', 'true');
  t.equal(
    functionalSystem(started, started.properties[0]).states.length,
    2,
    'not if it has an initial value',
  );
});

t.test('what holds initially and after every step is a constraint', async t => {
  const now = '(bvult y #x10)';
  const next = '(bvult y.next #x10)';
  const shape = ({ system, property }: HandMade) => {
    const { init, states, inputs, relations, constraints } = functionalSystem(system, property);
    return [init, states, inputs, relations, constraints].map(all => all.length);
  };
  for (const trans of [next, `(and ${now} ${next})`]) {
    const made = register(now, trans, '(bvult x #x10)');
    t.same(shape(made), [1, 1, 1, 0, 1]);
    t.equal(await verdict(made.system, made.property), 'safe', 'the invariant needs it');
    const last = register(now, trans, '(not (= y #x0f))');
    t.equal(await verdict(last.system, last.property), 'unsafe');
    const beyond = register(now, trans, '(not (= y #x10))');
    t.equal(await verdict(beyond.system, beyond.property), 'safe', 'it holds in the last state, too');
  }
  const first = register('true', `(and ${now} ${next})`, '(not (= y #x10))');
  t.equal(await verdict(first.system, first.property), 'unsafe', 'the first state may be the last one');
  const later = register(now, now, '(not (= y #x10))');
  t.equal(await verdict(later.system, later.property), 'unsafe', 'the last state takes no step');
});

t.test('random systems with assumptions about states agree with explicit search', async t => {
  const random = seeded(t);
  let [found, unsafe] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const { system, property } = new RandomSystem(random);
    const { terms, states, init, trans } = system;
    const pool = growPool(terms, random, [...states.map(s => s.current), terms.true], 20, 3);
    const assumed = random.pick(pool.filter(f => terms.sort(f) === terms.sorts.bool));
    const after = priming(terms, states).apply(assumed);
    const made = {
      ...system,
      init: random.chance(0.8) ? terms.and([init, assumed]) : init,
      trans: terms.and([trans, after, ...(random.chance(0.5) ? [assumed] : [])]),
    };
    if (functionalSystem(made, property).implied.length > 0) found++;
    const expected = isUnsafe(made, property);
    if (expected) unsafe++;
    const answer = await verdict(made, property);
    if (answer !== (expected ? 'unsafe' : 'safe')) t.fail(`round ${round}: it is not ${answer}`);
  }
  t.ok(found > 15, `${found} have a constraint`);
  t.ok(unsafe > 10 && unsafe < 140, `${unsafe} are unsafe`);
});
