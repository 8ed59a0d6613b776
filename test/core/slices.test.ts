/**
 * Slices: that they are the transition relation restricted to the steps into a location, for bits and for equality alone,
 * and that they speak of no more than they need; what refinement learns over them. Definitions that rest on one another come from here too.
 */
import t from 'tap';
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { Checker } from '../../src/core/checker.ts';
import { type FunctionalSystem, functionalSystem } from '../../src/core/system/functional.ts';
import { type Slice, Slicer } from '../../src/core/system/slices.ts';
import type { Control, System } from '../../src/core/system/system.ts';
import { EufSolver } from '../../src/euf/solver.ts';
import { hornSystem } from '../../src/horn/system.ts';
import { readHorn } from '../../src/input/horn.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { problemText, randomProblem } from '../horn/random-problem.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { seeded } from '../support/random.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 60);

interface Sliced {
  readonly system: FunctionalSystem;
  readonly control: Control;
  readonly slicer: Slicer;
}

function sliced(text: string, query = 0): Sliced | undefined {
  const { system: whole } = hornSystem(readHorn(new TermStore(), 'test.smt2', text), {
    encoding: 'sliced',
    preprocess: false,
  });
  if (whole.control === undefined) return undefined;
  const system = functionalSystem(whole, whole.properties[query]);
  return { system, control: whole.control, slicer: new Slicer(system, whole.control) };
}

/** The steps of a system as formulas. */
function steps({
  terms,
  definitions,
  relations,
  constraints,
}: FunctionalSystem | (Slice & { terms: TermStore })) {
  return [...[...definitions].map(([v, body]) => terms.eq(v, body)), ...relations, ...constraints];
}

/** What a slice leaves out because it is the same in all of its steps. */
function leftOut(terms: TermStore, { fixed }: Slice): TermId[] {
  return [...fixed].map(([v, value]) => (value ? v : terms.not(v)));
}

function nextOf({ states }: Pick<System, 'states'>, location: TermId): TermId {
  return states.find(s => s.current === location)?.next as TermId;
}

const isPossible = (terms: TermStore, formulas: readonly TermId[]) => {
  const solver = new ConcreteSolver(terms, { backEnd: () => new OwnEngine() });
  for (const f of formulas) solver.assert(f);
  const result = solver.solve();
  solver.dispose();
  return result !== 'unsat';
};

const isPossibleForEquality = (terms: TermStore, formulas: readonly TermId[]) => {
  const solver = new EufSolver(terms);
  for (const f of formulas) solver.assert(f);
  return solver.solve() !== 'unsat';
};

t.test(`the slices of ${ROUNDS} random problems are what the transition relation says`, t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = problemText(randomProblem(random, random.pick(['smt-lib', 'rules'])));
    const found = sliced(text);
    if (found === undefined) continue;
    const { system, control, slicer } = found;
    const { terms } = system;
    for (const location of control.locations) {
      count++;
      const slice = slicer.stepsInto(location);
      const whole = [...steps(system), nextOf(system, location)];
      const part = [...steps({ ...slice, terms }), ...leftOut(terms, slice)];
      const wrong = (what: string) =>
        t.fail(`round ${round}, into ${printTerm(terms, location)}: ${what}\n${text}`);
      for (const f of part) {
        if (isPossible(terms, [...whole, terms.not(f)])) wrong('a step that the slice lacks');
        if (isPossibleForEquality(terms, [...whole, terms.not(f)])) wrong('lacks a step for equality');
      }
      for (const f of whole) {
        if (isPossible(terms, [...part, terms.not(f)])) wrong('a step that there is not');
      }
    }
  }
  t.ok(count > ROUNDS, `${count} slices`);
  t.end();
});

t.test(`the states that violate a property of ${ROUNDS} random problems are all in its slice`, t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = problemText(randomProblem(random, 'smt-lib'));
    const found = sliced(text);
    if (found === undefined) continue;
    const { system, slicer } = found;
    const { terms } = system;
    const slice = slicer.violations();
    const whole = [terms.not(system.property), ...system.constraints];
    const part = [terms.not(slice.property), ...slice.constraints, ...leftOut(terms, slice)];
    for (const f of part) if (isPossible(terms, [...whole, terms.not(f)])) t.fail(`round ${round}\n${text}`);
    for (const f of whole) if (isPossible(terms, [...part, terms.not(f)])) t.fail(`round ${round}\n${text}`);
    if (isPossible(terms, part)) count++;
  }
  t.ok(count > ROUNDS / 6, `${count} have such states`);
  t.end();
});

/** A starts, goes to B or C; B goes on to C and stays; C ends. */
const DIAMOND = `(set-logic HORN) (declare-fun A ((_ BitVec 8)) Bool) (declare-fun B ((_ BitVec 8)) Bool)
  (declare-fun C ((_ BitVec 8)) Bool) (assert (A #x00))
  (assert (forall ((x (_ BitVec 8))) (=> (and (A x) (bvult x #x10)) (B (bvadd x #x01)))))
  (assert (forall ((x (_ BitVec 8))) (=> (and (A x) (bvult #x20 x)) (C (bvadd x #x02)))))
  (assert (forall ((x (_ BitVec 8))) (=> (B x) (C (bvadd x #x03)))))
  (assert (forall ((x (_ BitVec 8))) (=> (B x) (B (bvadd x #x04)))))`;

t.test('a slice speaks of what leads into its location, and of nothing else', t => {
  const query = '(assert (forall ((x (_ BitVec 8))) (=> (and (C x) (= x #xff)) false)))';
  const { system, control, slicer } = sliced(`${DIAMOND} ${query}`) as Sliced;
  const { terms } = system;
  const [a, b, c] = control.locations;
  const constants = (slice: Slice) =>
    new Set(terms.postorder(steps({ ...slice, terms })).filter(u => terms.op(u) === Op.BV_CONST));
  const numbers = (...values: number[]) => new Set(values.map(v => terms.bv(8, v)));
  t.same(slicer.stepsInto(a).locations, [], 'A is reached from the start only');
  t.same(new Set(slicer.stepsInto(b).locations), new Set([a, b]));
  t.same(new Set(slicer.stepsInto(c).locations), new Set([a, b]));
  t.same(constants(slicer.stepsInto(a)), numbers(0));
  t.same(constants(slicer.stepsInto(b)), numbers(0x10, 1, 4));
  t.same(constants(slicer.stepsInto(c)), numbers(0x20, 2, 3));
  t.same([...slicer.successors(a)], [b, c]);
  t.same(new Set(slicer.successors(b)), new Set([b, c]));
  t.same([...slicer.successors(c)], [], 'no step leads from C');
  t.same(slicer.violations().locations, [c]);
  t.end();
});

t.test('a query without a body may be violated anywhere', t => {
  const query = '(assert (forall ((x (_ BitVec 8))) (=> (distinct (bvand x #x01) #x00) false)))';
  const { control, slicer } = sliced(`${DIAMOND} ${query}`) as Sliced;
  t.same(new Set(slicer.violations().locations), new Set(control.locations));
  t.end();
});

t.test('no lemma is about control', async t => {
  // What x is set to, at the start or between B and D, is looked at in the end. The step from D to E uses it beside
  // an input, so the cubes before do not speak of it, and refinement has to find out how it gets there.
  const words = '(_ BitVec 8) (_ BitVec 8)';
  const rule = (body: string, head: string) =>
    `(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> ${body} ${head})))`;
  const text = `(set-logic HORN) ${['A', 'B', 'C', 'D', 'E'].map(r => `(declare-fun ${r} (${words}) Bool)`).join(' ')}
    ${rule('(= x #x01)', '(A x y)')} ${rule('(A x y)', '(B x y)')} ${rule('(A x y)', '(C x #x02)')}
    ${rule('(and (B x y) (= z #x01))', '(D z #x05)')} ${rule('(C x y)', '(D x (bvadd y y))')} ${rule('(and (D x y) (= z #x00))', '(E (bvadd x z) y)')}
    ${rule('(and (E x y) (bvult y #x05))', '(A x y)')}
    ${rule('(and (E x y) (not (bvslt #x00 x)))', 'false')}`;
  const { system } = hornSystem(readHorn(new TermStore(), 'test.smt2', text), {
    encoding: 'sliced',
    preprocess: false,
  });
  const checker = new Checker(system, system.properties[0], {
    evaluateConstants: false,
    bounded: false,
    walks: false,
    bits: false,
    budget: {},
    heavy,
    onProgress: () => undefined,
  });
  t.equal((await checker.run()).kind, 'safe');
  const control = new Set(system.control?.locations.flatMap(l => [l, nextOf(system, l)]));
  t.equal(control.size, 10);
  t.ok(checker.lemmas.length > 0, 'that 1 is positive has to be learnt');
  for (const { formula } of checker.lemmas) {
    t.notOk(
      system.terms.postorder([formula]).some(u => control.has(u)),
      printTerm(system.terms, formula),
    );
  }
});

t.test('definitions of next states that rest on one another', t => {
  const random = seeded(t);
  /** x(i)' is x(i-1)' with a new bit, in any order; x(0)' is as `first` has it. */
  const chain = (length: number, first: (next: readonly TermId[], terms: TermStore) => TermId) => {
    const terms = new TermStore();
    const word = terms.sorts.bitVec(8);
    const states = Array.from({ length }, (_, i) => ({
      current: terms.variable(`x${i}`, word),
      next: terms.variable(`x${i}.next`, word),
    }));
    const next = states.map(s => s.next);
    const trans = states.map(({ current }, i) =>
      terms.eq(next[i], i === 0 ? first(next, terms) : terms.app(Op.BVXOR, [next[i - 1], current])),
    );
    for (let i = trans.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [trans[i], trans[j]] = [trans[j], trans[i]];
    }
    const property = { index: 0, name: undefined, formula: terms.true };
    const common = { terms, states, inputs: [], init: terms.true, constraints: [], properties: [property] };
    return functionalSystem({ ...common, trans: terms.and(trans) }, property);
  };
  for (let round = 0; round < 20; round++) {
    const length = 3 + random.below(12);
    const line = chain(length, (_, terms) => terms.bv(8, 1));
    t.same([line.definitions.size, line.relations.length], [length, 0], 'a line is all definitions');
    const ring = chain(length, (next, terms) => terms.app(Op.BVNOT, [next[length - 1]]));
    // All but one might be definitions, but none in terms of the current state.
    t.same([ring.definitions.size, ring.relations.length], [0, length], 'a ring defines nothing');
  }
  const long = chain(20_000, (_, terms) => terms.bv(8, 1));
  t.same([long.definitions.size, long.relations.length], [20_000, 0], 'long lines as well');
  t.end();
});
