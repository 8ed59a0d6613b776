/**
 * Bit-level IC3: examples with known answers, random small systems against explicit-state search, arrays as words against
 * the evaluator, limits, determinism. Every invariant and every run is checked by code that knows nothing of the engine.
 */
import t from 'tap';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { type Cube, cubeOf, subsumes } from '../../src/core/bits/cube.ts';
import { BitIc3, type BitResult, bitObstacle } from '../../src/core/bits/engine.ts';
import { Words } from '../../src/core/bits/words.ts';
import { checkProof } from '../../src/core/check/invariant.ts';
import { replay } from '../../src/core/check/replay.ts';
import { functionalSystem } from '../../src/core/system/functional.ts';
import type { Property, System } from '../../src/core/system/system.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { allValues, type Value } from '../../src/term/value.ts';
import { randomSystem } from '../planted/random-system.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { seeded } from '../support/random.ts';
import { growPool } from '../support/terms.ts';
import { isUnsafe } from './explicit.ts';
import { HandMade } from './hand-made.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

function engineFor(system: System, property: Property, seed = 0): BitIc3 {
  return new BitIc3(functionalSystem(system, property), { budget: {}, seed });
}

function finish(engine: BitIc3, portion: number): BitResult {
  for (;;) {
    const result = engine.run(portion);
    if (result !== undefined) return result;
  }
}

/** The verdict that the result proves, or what is wrong with the proof. */
function verdictOf(system: System, property: Property, result: BitResult): string {
  if (result.kind === 'open') return result.reason;
  if (result.kind === 'trace') return replay(system, property, result.trace) ?? 'unsafe';
  const { lemmas } = functionalSystem(system, property);
  const proof = { invariant: result.invariant, lemmas };
  const check = checkProof(system, property, proof, { backEnd: heavy.backEnd });
  return check.kind === 'valid' ? 'safe' : check.reason;
}

const EXAMPLES: readonly (readonly [name: string, answer: 'safe' | 'unsafe', text: string])[] = [
  [
    'a counter by three never is two, modulo six',
    'safe',
    `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= x #x00) :named init)) (assert (! (= x.next (ite (= x #x2a) #x00 (bvadd x #x03))) :named trans))
     (assert (! (not (= x #x02)) :named property))`,
  ],
  [
    'a counter by three is 255 after 85 steps',
    'unsafe',
    `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
     (assert (! (= x #x00) :named init)) (assert (! (= x.next (bvadd x #x03)) :named trans))
     (assert (! (not (= x #xff)) :named property))`,
  ],
  [
    'squares are no quadratic nonresidues',
    'safe',
    `(declare-const x (_ BitVec 6)) (declare-const x.next (_ BitVec 6)) (declare-const in (_ BitVec 6))
     (assert (! (= x #b000000) :named init)) (assert (! (= x.next (bvmul in in)) :named trans))
     (assert (! (not (= x #b000011)) :named property))`,
  ],
  [
    'initial states that are no cube, and latches outside of the cone',
    'safe',
    `(declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4)) (declare-const y (_ BitVec 4))
     (declare-const y.next (_ BitVec 4)) (declare-const z (_ BitVec 4)) (declare-const z.next (_ BitVec 4))
     (assert (! (and (= x y) (= z #x3)) :named init))
     (assert (! (and (= x.next (bvadd x #x1)) (= y.next (bvadd y #x1)) (= z.next (bvadd z x))) :named trans))
     (assert (! (= x y) :named property))`,
  ],
  [
    'a constraint over an input that is needed for the first step and forbids the second',
    'unsafe',
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const in Bool)
     (assert (! (= x #b00) :named init)) (assert (! (and (= x.next (bvadd x #b01)) (= x #b00)) :named trans))
     (assert (! (= in (= x #b00)) :named constraint)) (assert (! (not (= x #b01)) :named property))`,
  ],
  [
    'a constraint that no state after the first satisfies',
    'safe',
    `(declare-const x Bool) (declare-const x.next Bool) (declare-const in Bool)
     (assert (! (not x) :named init)) (assert (! x.next :named trans))
     (assert (! (and in (not x)) :named constraint)) (assert (! (not x) :named property))`,
  ],
  [
    'a next state that is related, not defined',
    'unsafe',
    `(declare-const x (_ BitVec 5)) (declare-const x.next (_ BitVec 5))
     (assert (! (= x #b00001) :named init))
     (assert (! (or (= x.next (bvshl x #b00001)) (= x.next (bvadd x x.next #b00001))) :named trans))
     (assert (! (not (= x #b10000)) :named property))`,
  ],
  [
    'no initial state',
    'safe',
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
     (assert (! (and (bvult x #b01) (bvult #b01 x)) :named init)) (assert (! (= x.next x) :named trans))
     (assert (! false :named property))`,
  ],
  [
    'the property fails at once, whatever the state',
    'unsafe',
    `(declare-const x Bool) (declare-const x.next Bool) (declare-const in Bool)
     (assert (! x :named init)) (assert (! (= x.next x) :named trans)) (assert (! in :named property))`,
  ],
  [
    'a memory of four words keeps what is written to another word',
    'safe',
    `(declare-const m (Array (_ BitVec 2) (_ BitVec 3))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 3)))
     (declare-const at (_ BitVec 2)) (declare-const in (_ BitVec 3))
     (assert (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 3))) #b101)) :named init))
     (assert (! (= m.next (ite (= at #b10) m (store m at in))) :named trans))
     (assert (! (= (select m #b10) #b101) :named property))`,
  ],
  [
    'a memory of four words can hold four different ones',
    'unsafe',
    `(declare-const m (Array (_ BitVec 2) (_ BitVec 2))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 2)))
     (declare-const at (_ BitVec 2))
     (assert (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00)) :named init))
     (assert (! (= m.next (store m at (bvadd (select m at) #b01))) :named trans))
     (assert (! (not (distinct (select m #b00) (select m #b01) (select m #b10) (select m #b11))) :named property))`,
  ],
];

t.test('examples', t => {
  for (const [name, answer, text] of EXAMPLES) {
    for (const portion of [50, 1e6]) {
      const { system, property } = new HandMade(text);
      t.equal(bitObstacle(functionalSystem(system, property)), undefined);
      const result = finish(engineFor(system, property), portion);
      t.equal(verdictOf(system, property, result), answer, name);
    }
  }
  t.end();
});

t.test('a run is as long as it has to be', t => {
  const { system, property } = new HandMade(EXAMPLES[1][2]);
  const result = finish(engineFor(system, property), 1e6);
  t.equal(result.kind === 'trace' && result.trace.steps.length, 86, '85 additions of 3 make 255');
  t.end();
});

t.test('500 random systems agree with explicit-state search', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0 };
  for (let round = 0; round < 500; round++) {
    const { system, property } = randomSystem(random);
    const engine = engineFor(system, property, random.below(3));
    const verdict = verdictOf(system, property, finish(engine, random.pick([20, 1000, 1e6])));
    const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
    counts[expected]++;
    if (verdict !== expected) t.fail(`round ${round}: it is ${expected}, but the engine says: ${verdict}`);
  }
  t.ok(counts.safe > 50 && counts.unsafe > 40, JSON.stringify(counts));
  t.end();
});

t.test('arrays as words mean what they meant', t => {
  const random = seeded(t);
  const terms = new TermStore();
  const { sorts } = terms;
  const array = sorts.array(sorts.bitVec(2), sorts.bitVec(2));
  const flags = sorts.array(sorts.bool, sorts.bool);
  const kinds = [array, array, flags, flags, sorts.bitVec(2), sorts.bool];
  const variables = kinds.map((sort, i) => terms.variable(`v${i}`, sort));
  const [a, b, c, d, index, flag] = variables;
  const written = [
    terms.app(Op.STORE, [a, index, terms.app(Op.SELECT, [b, index])]),
    terms.app(Op.STORE, [terms.constArray(array, index), terms.bv(2, 2), index]),
    terms.app(Op.STORE, [c, flag, terms.app(Op.SELECT, [d, terms.not(flag)])]),
  ];
  const pool = growPool(terms, random, [...variables, ...written, ...written], 400, 6);
  const compared = pool.filter(p => !sorts.isArray(terms.sort(p)));
  const words = new Words(terms);
  const arrayOperators = new Set<number>([Op.STORE, Op.CONST_ARRAY]);
  for (const term of compared) {
    const image = words.formula(term);
    const strange = terms.postorder([image]).find(s => arrayOperators.has(terms.op(s)));
    if (strange !== undefined) t.fail('a write is left');
  }
  let differences = 0;
  for (let round = 0; round < 200; round++) {
    const values = new Map(
      variables.map(v => [terms.functionOf(v), random.pick([...allValues(sorts, terms.sort(v))])]),
    );
    const evaluator = new Evaluator(terms, f => values.get(f) as Value);
    const differ = (term: TermId) => evaluator.value(term) !== evaluator.value(words.formula(term));
    differences += compared.filter(differ).length;
  }
  t.ok(compared.some(f => terms.postorder([f]).some(s => terms.op(s) === Op.STORE)));
  t.equal(differences, 0);
  t.end();
});

t.test('what has no bits is refused by name', t => {
  const obstacle = (text: string) => {
    const { system, property } = new HandMade(text);
    return bitObstacle(functionalSystem(system, property)) ?? '';
  };
  const rest = '(assert (! true :named trans)) (assert (! true :named init))';
  t.match(
    obstacle(`(declare-sort Thing 0) (declare-const x Thing) (declare-const x.next Thing) ${rest}
      (assert (! (= x x.next) :named property))`),
    /Thing/,
  );
  t.match(
    obstacle(`(declare-fun twice ((_ BitVec 4)) (_ BitVec 4)) (declare-const x (_ BitVec 4))
      (declare-const x.next (_ BitVec 4)) ${rest} (assert (! (= (twice x) x) :named property))`),
    /twice/,
  );
  t.match(
    obstacle(`(declare-const m (Array (_ BitVec 16) Bool)) (declare-const m.next (Array (_ BitVec 16) Bool)) ${rest}
      (assert (! (select m #x0000) :named property))`),
    /Array/,
  );
  t.end();
});

t.test('limits give an open result with the reason', t => {
  const { system, property } = new HandMade(EXAMPLES[1][2]);
  const functional = functionalSystem(system, property);
  const late = new BitIc3(functional, { budget: { deadline: Date.now() - 1 }, seed: 0 });
  t.same(late.run(1e6), { kind: 'open', reason: 'deadline' });
  t.same(late.run(1e6), { kind: 'open', reason: 'deadline' }, 'and stays open');
  const signal = { aborted: false };
  const stopped = new BitIc3(functional, { budget: { signal }, seed: 0 });
  t.equal(stopped.run(10), undefined, 'a small portion is not enough');
  signal.aborted = true;
  t.same(stopped.run(1e9), { kind: 'open', reason: 'aborted' });
  t.end();
});

t.test('two runs are the same run', t => {
  const run = () => {
    const { system, property } = new HandMade(EXAMPLES[2][2]);
    const engine = engineFor(system, property, 7);
    return { result: finish(engine, 300), stats: engine.stats };
  };
  const [first, second] = [run(), run()];
  t.same(first, second);
  t.ok(first.stats.queries > 0 && first.stats.depth > 0 && first.stats.propagations > 0);
  t.end();
});

t.test('a cube subsumes another if its literals are among the other ones', t => {
  const random = seeded(t);
  const draw = (size: number): Cube => {
    const signs = new Map(Array.from({ length: size }, () => [1 + random.below(60), random.below(2)]));
    return cubeOf([...signs].map(([latch, sign]) => 2 * latch + sign));
  };
  let positive = 0;
  for (let round = 0; round < 2000; round++) {
    const b = draw(1 + random.below(12));
    const a = random.chance(0.5) ? cubeOf(b.literals.filter(() => random.chance(0.7))) : draw(2);
    const expected = [...a.literals].every(l => b.literals.includes(l));
    if (expected) positive++;
    if (subsumes(a, b) !== expected) t.fail(`${[...a.literals]} and ${[...b.literals]}`);
  }
  t.ok(positive > 500);
  t.end();
});
