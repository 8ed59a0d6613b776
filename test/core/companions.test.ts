import t from 'tap';
import { replay } from '../../src/core/check/replay.ts';
import { Allowance } from '../../src/core/companions/allowance.ts';
import { BoundedSearch } from '../../src/core/companions/bounded.ts';
import { Program } from '../../src/core/companions/program.ts';
import { shortened } from '../../src/core/companions/shorten.ts';
import { Starts } from '../../src/core/companions/starts.ts';
import { Walks } from '../../src/core/companions/walks.ts';
import { functionalSystem } from '../../src/core/system/functional.ts';
import { hornSystem } from '../../src/horn/system.ts';
import { readHorn } from '../../src/input/horn.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { sameValue, type Value } from '../../src/term/value.ts';
import { seeded } from '../support/random.ts';
import { randomPool } from '../support/terms.ts';
import { isUnsafe } from './explicit.ts';
import { HandMade } from './hand-made.ts';
import { RandomSystem } from './random-system.ts';

/** Counts up by one in each step in which it may, from zero. */
const counter = (property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
    (declare-const go Bool)
    (assert (! (= x #x0000) :named init))
    (assert (! (= x.next (ite go (bvadd x #x0001) x)) :named trans))
    (assert (! ${property} :named property))`);

t.test('an allowance is paid by what the main search has done', t => {
  const allowance = new Allowance({ start: 100, rate: 2, portion: 50 });
  t.equal(allowance.due(100), undefined, 'nothing up to the start');
  t.equal(allowance.due(120), undefined, '40 is less than a portion');
  t.equal(allowance.due(130), 60);
  allowance.spend(100);
  t.equal(allowance.due(170), undefined, '40 that were spent too much come off');
  t.equal(allowance.due(180), 60);
  t.equal(allowance.due(190), 80, 'what is not spent stays');
  allowance.end();
  t.equal(allowance.due(1_000_000), undefined);
  t.ok(allowance.hasEnded);
  t.end();
});

t.test('bounded search', t => {
  t.test('finds the shortest violation and nothing before it', t => {
    const { system, property } = new HandMade(`
      (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const by (_ BitVec 8))
      (assert (! (= x #x01) :named init)) (assert (! (= x.next (bvmul x by)) :named trans))
      (assert (! (bvult by #x04) :named constraint)) (assert (! (not (= x #x1b)) :named property))`);
    const trace = new BoundedSearch(functionalSystem(system, property), {}).run(1_000_000);
    t.equal(trace?.steps.length, 4, '27 is a product of three factors up to 3, and of no fewer');
    if (trace !== undefined) t.equal(replay(system, property, trace), undefined);
    t.end();
  });

  t.test('skips depths, and yet finds a shortest run', t => {
    const { system, property } = counter('(bvult x #x0028)');
    const trace = new BoundedSearch(functionalSystem(system, property), {}).run(100_000_000);
    t.equal(trace?.steps.length, 41, 'forty steps');
    if (trace !== undefined) t.equal(replay(system, property, trace), undefined);
    t.end();
  });

  t.test('pauses and goes on', t => {
    const { system, property } = counter('(bvult x #x0020)');
    const search = new BoundedSearch(functionalSystem(system, property), {});
    t.equal(search.run(1), undefined);
    const { work } = search;
    t.ok(work > 0, 'something was done');
    let trace = search.run(1);
    t.ok(search.work > work, 'and then more');
    for (let i = 0; i < 1000 && trace === undefined; i++) trace = search.run(1000);
    t.equal(trace?.steps.length, 33);
    t.end();
  });

  t.test('finds a violation that nothing can follow', t => {
    const { system, property } = new HandMade(`
      (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
      (assert (! (= x #x00) :named init))
      (assert (! (= x.next (bvadd x #x01)) :named trans))
      (assert (! (bvult x #x0e) :named constraint)) (assert (! (not (= x #x0d)) :named property))`);
    const trace = new BoundedSearch(functionalSystem(system, property), {}).run(10_000_000);
    t.equal(trace?.steps.length, 14, 'after thirteen steps, and a fourteenth is forbidden');
    if (trace !== undefined) t.equal(replay(system, property, trace), undefined);
    t.end();
  });

  t.test('finds the violations of random systems, and only these', t => {
    const random = seeded(t);
    let unsafe = 0;
    for (let round = 0; round < 150; round++) {
      const { system, property } = new RandomSystem(random);
      const trace = new BoundedSearch(functionalSystem(system, property), {}).run(100_000);
      const expected = isUnsafe(system, property);
      if (expected) unsafe++;
      if (expected !== (trace !== undefined)) t.fail(`round ${round}: it is ${expected ? 'unsafe' : 'safe'}`);
      const wrong = trace === undefined ? undefined : replay(system, property, trace);
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
    }
    t.ok(unsafe > 10 && unsafe < 140, `${unsafe} are unsafe`);
    t.end();
  });

  t.test('stops at the deadline', t => {
    const { system, property } = counter('(= x x)');
    const search = new BoundedSearch(functionalSystem(system, property), { deadline: Date.now() - 1 });
    t.equal(search.run(Number.POSITIVE_INFINITY), undefined);
    t.end();
  });
  t.end();
});

t.test('a program computes what the evaluator does', t => {
  const random = seeded(t);
  for (const width of [2, 3, 8, 31, 32, 33, 40]) {
    const terms = new TermStore();
    const pool = randomPool(terms, random, width, 150, 80);
    const variables = pool.filter(v => terms.isVariable(v));
    const program = new Program(terms, variables);
    program.add(pool);
    for (let round = 0; round < 10; round++) {
      const values = new Map<TermId, Value>();
      const evaluator = new Evaluator(terms, f => values.get(terms.apply(f, [])) as Value);
      const constants = pool.filter(c => terms.postorder([c]).every(u => !terms.isVariable(u)));
      for (const v of variables) {
        const same = constants.filter(c => terms.sort(c) === terms.sort(v));
        values.set(
          v,
          same.length > 0 ? evaluator.value(random.pick(same)) : fallback(terms, v, random.below(8)),
        );
      }
      const computed = program.run(variables.map(v => values.get(v) as Value));
      const wrong = pool.find(u => !sameValue(computed[program.slot(u)], evaluator.value(u)));
      if (wrong !== undefined) t.fail(`width ${width}, round ${round}: ${terms.op(wrong)}`);
    }
  }
  t.end();

  /** For sorts of which the pool has no constant: an array that stores something. */
  function fallback(terms: TermStore, v: TermId, n: number): Value {
    const { sorts } = terms;
    const sort = terms.sort(v);
    const width = sorts.width(sorts.elementSort(sort));
    const bit = terms.bv(1, n & 1);
    const array = terms.constArray(sort, terms.bv(width, n >> 1));
    const stored = terms.app(Op.STORE, [array, bit, terms.bv(width, n)]);
    return new Evaluator(terms, () => false).value(stored);
  }
});

t.test('a run is made shorter', t => {
  // The violation is the first 42 that has a 17 somewhere before it; a 0 is not allowed at the start.
  const follow = (path: readonly number[]) => {
    const first = path.indexOf(17);
    const last = first < 0 ? -1 : path.indexOf(42, first);
    return path[0] === 0 || last < 0 ? undefined : last + 1;
  };
  const path = Array.from({ length: 1000 }, (_, i) => i % 5);
  path[300] = 17;
  path[900] = 42;
  t.same(
    shortened(path, follow, () => false),
    [17, 42],
  );
  t.same(
    shortened(path, follow, () => true),
    path,
    'without any time it stays as it is',
  );
  let left = 30;
  const some = shortened(path, follow, () => left-- <= 0);
  t.equal(follow(some), some.length, 'with some time it still is a violation');
  t.ok(some.length < path.length);
  t.end();
});

t.test('walks find what is far away, and their runs have no idle steps', t => {
  const { system, property } = counter('(bvult x #x012c)');
  const functional = functionalSystem(system, property);
  t.ok(Walks.canWalk(functional));
  const walks = new Walks(functional, [0], { seed: 1, budget: {} });
  const trace = walks.next(50_000_000);
  t.equal(trace?.steps.length, 301, 'three hundred steps are the least');
  if (trace !== undefined) t.equal(replay(system, property, trace), undefined);
  t.end();
});

t.test('walks go through programs, by whatever clause can be used', t => {
  const { system } = hornSystem(
    readHorn(
      new TermStore(),
      'deep.smt2',
      `(set-logic HORN)
      (declare-fun up ((_ BitVec 16) (_ BitVec 16)) Bool) (declare-fun down ((_ BitVec 16) (_ BitVec 16)) Bool)
      (assert (up #x0000 #x0000))
      (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)))
        (=> (and (up i s) (bvult i #x03e8)) (up (bvadd i #x0001) (bvadd s i)))))
      (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16))) (=> (and (up i s) (= i #x03e8)) (down i s))))
      (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)))
        (=> (and (down i s) (bvult #x0000 i)) (down (bvsub i #x0001) (bvadd s #x0003)))))
      (assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16))) (=> (and (down i s) (= i #x0000) (bvult #x0001 s)) false)))`,
    ),
  );
  t.ok(
    system.choices?.some(group => group.length > 1),
    'there are choices to be made',
  );
  const [property] = system.properties;
  const functional = functionalSystem(system, property);
  t.ok(functional.relations.length > 0 && Walks.canWalk(functional));
  const initial = system.states.map(({ current }) => (system.terms.width(current) === 0 ? false : 0));
  const trace = new Walks(functional, initial, { seed: 1, budget: {} }).next(50_000_000);
  t.equal(
    trace?.steps.length,
    2003,
    'a thousand rounds up, a thousand down, from the start and between the loops',
  );
  if (trace !== undefined) t.equal(replay(system, property, trace), undefined);
  t.end();
});

t.test('walks start in initial states, and not always in the same', t => {
  const made = new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (declare-const y (_ BitVec 8)) (declare-const y.next (_ BitVec 8))
    (declare-const b Bool) (declare-const b.next Bool)
    (declare-const c Bool) (declare-const c.next Bool)
    (declare-const m (Array (_ BitVec 2) Bool)) (declare-const m.next (Array (_ BitVec 2) Bool))
    (assert (! (and (= (bvadd x #x01) y) (not b) (bvult x #x80) (= (select m #b01) c)) :named init))
    (assert (! (= x.next y) :named trans))
    (assert (! true :named property))`);
  const { system, property } = made;
  const functional = functionalSystem(system, property);
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
  const starts = new Starts(functional, known);
  const seen = new Set<Value>();
  for (let i = 0; i < 100; i++) {
    const state = starts.next(draw);
    if (evaluate(state) !== true) t.fail(`${String(state)} is no initial state`);
    seen.add(state[0]);
  }
  t.ok(seen.size > 10, `x has ${seen.size} values`);
  t.end();
});

t.test('walks find violations that are none, in no random system', t => {
  const random = seeded(t);
  let [walked, found] = [0, 0];
  for (let round = 0; round < 200; round++) {
    const { system, property } = new RandomSystem(random);
    const functional = functionalSystem(system, property);
    if (!Walks.canWalk(functional)) continue;
    const first = new BoundedSearch(
      functionalSystem(system, { ...property, formula: system.terms.false }),
      {},
    ).run(100_000);
    if (first === undefined) continue; // there is no initial state
    walked++;
    const initial = functional.states.map(s => first.steps[0].get(s.current) as Value);
    const trace = new Walks(functional, initial, { seed: round, budget: {} }).next(30_000);
    if (trace === undefined) continue;
    found++;
    const wrong = replay(system, property, trace);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
  }
  t.ok(walked > 20 && found > 5, `${walked} were walked, ${found} violations found`);
  t.end();
});
