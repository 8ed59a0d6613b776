/** The writer of BTOR2, against an interpreter of BTOR2, and the writer of unrollings beside it. */
import t from 'tap';
import type { System } from '../../../src/core/problem/system.ts';
import { readBtor2 } from '../../../src/formats/btor2/reader.ts';
import { btor2Certificate, writeBtor2 } from '../../../src/formats/btor2/writer.ts';
import { writeSmt2Bmc } from '../../../src/formats/smt2-bmc/writer.ts';
import { Interpreter } from '../../../src/smt/interpreter.ts';
import { Op } from '../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { isUnsafe } from '../../core/explicit.ts';
import { HandMade } from '../../core/hand-made.ts';
import { Btor2Model, initialisedTooEarly } from '../../support/btor2.ts';
import { randomModel } from '../../support/btor2-random.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { growPool } from '../../support/terms.ts';

const heavy = await loadedBackEnd();

const read = (text: string) => readBtor2(new TermStore(), 'm.btor2', text);

/** The system with a relation in place of one definition, conditions in place of initial values, or both. */
function relational(system: System, random: Random): System {
  const { terms, states, inputs } = system;
  const variables = states.map(s => s.current);
  const formula = (leaves: readonly TermId[]) => {
    const pool = growPool(terms, random, [...leaves, terms.true], 30, 4);
    return random.pick(pool.filter(f => terms.sort(f) === terms.sorts.bool));
  };
  const parts = terms.op(system.trans) === Op.AND ? terms.args(system.trans) : [system.trans];
  const spared = random.below(parts.length);
  const relation = formula([...variables, ...inputs, random.pick(states).next]);
  return {
    ...system,
    init: terms.and([random.chance(0.5) ? system.init : terms.true, formula(variables)]),
    trans: terms.and([...parts.filter((_, i) => i !== spared), relation]),
  };
}

t.test('random relations as BTOR2 keep the verdict, and so do their first steps as SMT-LIB', async t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, sat: 0, unsat: 0 };
  for (let round = 0; round < 80; round++) {
    const system = relational(read(randomModel(random).text), random);
    const [property] = system.properties;
    const isBad = isUnsafe(system, property);
    counts[isBad ? 'unsafe' : 'safe']++;
    const text = writeBtor2(system);
    const early = initialisedTooEarly(text);
    if (early.length > 0) t.fail(`round ${round}: states ${early.join()}\n${text}`);
    if (new Btor2Model(text).reaches(0) !== isBad) t.fail(`round ${round}: expected ${isBad}\n${text}`);
    if (round % 4 !== 0) continue;
    const steps = random.below(3);
    const answer = new Btor2Model(text).reaches(0, steps) ? 'sat' : 'unsat';
    counts[answer]++;
    t.equal(await smt(writeSmt2Bmc(system, steps, [property])), answer, `round ${round}, ${steps} steps`);
  }
  t.ok(counts.safe > 10 && counts.unsafe > 10 && counts.sat > 1 && counts.unsat > 1, JSON.stringify(counts));
});

async function smt(script: string): Promise<string> {
  const lines: string[] = [];
  const interpreter = new Interpreter({
    write: line => lines.push(line),
    warn: line => void lines.push(line),
    deadline: Date.now() + 20_000,
    version: '0',
    heavy,
  });
  await interpreter.run('bmc.smt2', script);
  return lines.join('\n');
}

t.test('relations bind where a step is taken, and constraints everywhere', async t => {
  // From x = 1 there is no step; in x = 1 the property fails all the same.
  const stuck = new HandMade(`(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
    (assert (! (= x #b00) :named init)) (assert (! (and (bvugt x.next x) (bvult x #b01) (bvult x.next #b10)) :named trans))
    (assert (! (not (= x #b01)) :named property))`).system;
  t.ok(new Btor2Model(writeBtor2(stuck)).reaches(0));
  t.equal(await smt(writeSmt2Bmc(stuck, 1)), 'sat');
  t.equal(await smt(writeSmt2Bmc(stuck, 0)), 'unsat', 'not before the first step');
  t.equal(await smt(writeSmt2Bmc(stuck, 4)), 'sat', 'the run need not go on');
  const [only] = stuck.properties;
  const beyond = {
    ...stuck,
    properties: [
      { ...only, formula: stuck.terms.not(stuck.terms.eq(stuck.states[0].current, stuck.terms.bv(2, 2))) },
    ],
  };
  t.notOk(new Btor2Model(writeBtor2(beyond)).reaches(0), 'nothing is reached by a step that there is not');
  t.equal(await smt(writeSmt2Bmc(beyond, 4)), 'unsat');
  const constraint = stuck.terms.not(stuck.terms.eq(stuck.states[0].current, stuck.terms.bv(2, 1)));
  const bound = { ...stuck, constraints: [constraint] };
  t.notOk(new Btor2Model(writeBtor2(bound)).reaches(0), 'a constraint binds the last step');
  t.equal(await smt(writeSmt2Bmc(bound, 4)), 'unsat');
});

t.test('constant arrays, by writes or as states that stay as they are', t => {
  for (const width of [1, 9]) {
    const array = `(Array (_ BitVec ${width}) (_ BitVec 2))`;
    const index = `(concat #b${'0'.repeat(width)} i)`;
    const at = `((_ extract ${width - 1} 0) ${index})`;
    const { system } =
      new HandMade(`(declare-const a ${array}) (declare-const a.next ${array}) (declare-const i (_ BitVec 1))
      (assert (! (= a (store ((as const ${array}) #b01) ${at.replace(' i)', ' #b1)')} #b10)) :named init))
      (assert (! (= a.next (ite (= i #b1) a ((as const ${array}) #b11))) :named trans))
      (assert (! (not (= (select a ${at}) #b11)) :named property0)) (assert (! (not (= (select a ${at}) #b00)) :named property1))`);
    const text = writeBtor2(system);
    t.same(initialisedTooEarly(text), []);
    if (width === 1) {
      const model = new Btor2Model(text);
      t.same([model.reaches(0), model.reaches(1)], [true, false]);
    }
    const again = read(text);
    t.equal(
      again.states.length,
      width === 1 ? 2 : 4,
      'the array, first, and for the large one two constant arrays',
    );
    const proof = { invariant: system.init, lemmas: [], k: 0 };
    const certificate = () => btor2Certificate(system, system.properties[1], proof);
    if (width === 1) t.equal(new Btor2Model(certificate()).bads.length, 1);
    else t.throws(certificate, { message: 'BTOR2 has no constant arrays so large as in this invariant' });
  }
  t.end();
});

t.test('what BTOR2 has no word for is refused by name', t => {
  const written = (declarations: string, property: string) => () =>
    writeBtor2(
      new HandMade(`${declarations} (assert (! true :named init)) (assert (! true :named trans))
        (assert (! ${property} :named property))`).system,
    );
  for (const [declarations, property, message] of [
    [
      '(declare-fun f (Bool) Bool) (declare-const x Bool)',
      '(f x)',
      "BTOR2 has no declared functions, such as 'f'",
    ],
    [
      '(declare-sort S 0) (declare-const x S) (declare-const y S)',
      '(= x y)',
      'BTOR2 has no uninterpreted sorts, such as S',
    ],
    [
      '(declare-const x (Array Bool (Array Bool Bool)))',
      '(select (select x true) true)',
      'BTOR2 has no arrays of arrays, such as (Array Bool (Array Bool Bool))',
    ],
    [
      '(declare-const x Bool) (declare-const a (Array (_ BitVec 9) Bool))',
      '(= a ((as const (Array (_ BitVec 9) Bool)) x))',
      'BTOR2 has no constant arrays whose element may change',
    ],
  ] as const) {
    t.throws(written(declarations, property), { name: 'NotExpressible', message });
  }
  t.end();
});
