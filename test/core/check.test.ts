/**
 * Evidence: runs that are runs and those that are not quite; proofs that prove and those that do not, hand-made and
 * random, the random ones against enumeration of all states.
 */
import t from 'tap';
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { type CheckOptions, checkProof, type ProofCheck } from '../../src/core/check/invariant.ts';
import { replay } from '../../src/core/check/replay.ts';
import { refuteAbstractly, refuteConcretely } from '../../src/core/check/unsatisfiable.ts';
import { conditionsOf, type Proof } from '../../src/core/system/proof.ts';
import type { Property, System } from '../../src/core/system/system.ts';
import { EufSolver } from '../../src/euf/solver.ts';
import { Evaluator, termOfValue } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { type FunctionId, type TermId, TermStore } from '../../src/term/store.ts';
import { ArrayValue, allValues, domain, sameValue, type Value } from '../../src/term/value.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { type Random, seeded } from '../support/random.ts';
import { isValid } from '../support/smtlib.ts';
import { randomPool } from '../support/terms.ts';
import { COUNTER, HandMade, MEMORY, MUTEX, PRODUCTS, REQUEST, WALK } from './hand-made.ts';

const module = await loadCadicalForTests();
const OPTIONS: CheckOptions = { backEnd: () => module.make() };
const OWN: CheckOptions = { backEnd: () => new OwnEngine() };

/** A Mersenne prime. */
const PRIME = 2 ** 31 - 1;

type Steps = readonly Readonly<Record<string, Value>>[];

function zeros(h: HandMade): ArrayValue {
  const { sorts } = h.terms;
  return ArrayValue.constant(0, domain(sorts, sorts.bitVec(2)));
}

t.test('replay: runs that violate the property', t => {
  const accepted = (
    h: HandMade,
    index: number,
    steps: Steps,
    f?: (g: FunctionId, args: readonly Value[]) => Value,
  ) => t.equal(replay(h.system, h.system.properties[index], h.trace(steps, f)), undefined);

  const counter = new HandMade(COUNTER);
  accepted(counter, 1, [
    { x: 0, go: true },
    { x: 1, go: false },
    { x: 1, go: true },
    { x: 2, go: false },
  ]);
  const memory = new HandMade(MEMORY);
  const m = zeros(memory);
  accepted(memory, 1, [
    { m, at: 3, data: 9 },
    { m, at: 2, data: 7 },
    { m: m.store(2, 7), at: 0, data: 0 },
  ]);
  const request = new HandMade(REQUEST);
  accepted(request, 1, [
    { s: 1, r: 1 },
    { s: 3, r: 3 },
    { s: 5, r: 5 },
  ]);
  const walk = new HandMade(WALK);
  const owner = (_: FunctionId, [s]: readonly Value[]) => (s === 7 ? 1 : 0);
  accepted(
    walk,
    1,
    [
      { s: 6, t: 0 },
      { s: 7, t: 1 },
      { s: 8, t: 0 },
    ],
    owner,
  );
  t.end();
});

t.test('replay: every way not to be such a run', t => {
  const rejected = (h: HandMade, index: number, steps: Steps, message: RegExp) => {
    const complaint = replay(
      h.system,
      h.system.properties[index],
      h.trace(steps, () => 0),
    );
    t.match(complaint, message);
    t.notMatch(complaint, /\n/, 'one sentence');
  };
  const counter = new HandMade(COUNTER);
  rejected(counter, 1, [], /^the trace has no steps$/);
  rejected(counter, 1, [{ x: 2, go: true }], /^step 0: this is no initial state, .*\(= x #x00\)/);
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 2, go: true },
    ],
    /^step 0: there is no transition .*step 1/,
  );
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 1, go: false },
      { x: 2, go: true },
    ],
    /^step 1: there is no trans/,
  );
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 1, go: true },
    ],
    /^step 1: the property holds here/,
  );
  rejected(counter, 1, [{ x: 0, go: true }, { x: 1 }, { x: 2, go: true }], /^step 1: 'go' has no value$/);
  rejected(counter, 1, [{ x: 0, go: true }, { go: true }, { x: 2, go: true }], /^step 1: 'x' has no value$/);
  rejected(counter, 1, [{ x: 0, go: true }, { x: 1, go: true }, { x: 2 }], /^step 2: 'go' has no value$/);
  rejected(
    counter,
    1,
    [{ x: 256, go: true }],
    /^step 0: 'x' has a value that is not of its sort \(_ BitVec 8\)$/,
  );
  rejected(counter, 1, [{ x: 0n, go: true }], /^step 0: 'x' has a value that is not/);
  rejected(counter, 1, [{ x: 0, go: 1 }], /^step 0: 'go' has a value that is not of its sort Bool$/);

  const request = new HandMade(REQUEST);
  rejected(
    request,
    1,
    [
      { s: 1, r: 1 },
      { s: 3, r: 5 },
    ],
    /^step 1: a constraint is violated, .*\(= r s\)/,
  );
  rejected(
    request,
    1,
    [
      { s: 1, r: 2 },
      { s: 4, r: 5 },
    ],
    /^step 0: a constraint is violated/,
  );

  const memory = new HandMade(MEMORY);
  const m = zeros(memory);
  rejected(memory, 1, [{ m: m.store(2, 7), at: 0, data: 0 }], /^step 0: this is no initial state/);
  rejected(
    memory,
    1,
    [
      { m, at: 1, data: 7 },
      { m: m.store(2, 7), at: 0, data: 0 },
    ],
    /^step 0: there is no trans/,
  );
  rejected(
    memory,
    1,
    [{ m: m.store(2, 16), at: 0, data: 0 }],
    /^step 0: 'm' has a value that is not of its sort/,
  );

  const walk = new HandMade(WALK);
  rejected(
    walk,
    1,
    [
      { s: 6, t: 0 },
      { s: 8, t: 0 },
    ],
    /^step 0: there is no transition/,
  );
  rejected(walk, 1, [{ s: 6, t: 1 }], /^step 0: this is no initial state, .*owner/);
  t.end();
});

t.test('replay: a variable that is neither state nor input', t => {
  const h = new HandMade(COUNTER);
  const stray = h.terms.variable('stray', h.terms.sorts.bool);
  const system: System = { ...h.system, constraints: [stray] };
  t.equal(
    replay(system, h.property, h.trace([{ x: 0, go: true }])),
    "'stray' is neither a state variable nor an input",
  );
  t.end();
});

for (const [name, options] of Object.entries({ cadical: OPTIONS, own: OWN })) {
  t.test(`proofs by hand, with ${name}`, t => {
    const check = (h: HandMade, proof: Proof, index = 0) =>
      checkProof(h.system, h.system.properties[index], proof, options);
    const invalid = (result: ProofCheck, reason: RegExp) => {
      t.equal(result.kind, 'invalid');
      if (result.kind === 'invalid') t.match(result.reason, reason);
    };
    const counter = new HandMade(COUNTER);
    t.same(check(counter, counter.proof('below-ten')), { kind: 'valid' }, 'bit by bit');
    t.same(check(counter, counter.proof('below-ten', 'lemma-step')), { kind: 'valid' }, 'with a lemma');
    invalid(
      check(counter, counter.proof('below-ten', 'lemma-step', 'lemma-false')),
      /^this is not valid, lemma 2: /,
    );
    invalid(
      check(counter, counter.proof('below-nine')),
      /not inductive.*: x = #x08, go = true, x.next = #x09$/,
    );
    invalid(check(counter, counter.proof('below-255')), /not inductive/);
    invalid(check(counter, counter.proof('property-never-two')), /not inductive/);
    invalid(check(counter, counter.proof('anything')), /does not imply the property: x = #x0a$/);
    invalid(check(counter, counter.proof('below-ten'), 1), /does not imply the property: x = #x02$/);
    invalid(check(counter, counter.proof('about-input')), /mentions 'go'/);
    invalid(check(counter, counter.proof('about-next')), /mentions 'x.next'/);
    invalid(check(counter, { invariant: counter.variable('x'), lemmas: [] }), /Boolean/);

    const mutex = new HandMade(MUTEX);
    t.same(check(mutex, mutex.proof('invariant')), { kind: 'valid' }, 'abstractly');
    t.same(check(mutex, mutex.proof('invariant'), 1), { kind: 'valid' });
    invalid(check(mutex, mutex.proof('missing-conjunct')), /not inductive|does not imply/);
    invalid(
      check(mutex, mutex.proof('not-initial')),
      /^some initial state is outside the invariant: .*turn = false/,
    );
    invalid(check(mutex, mutex.proof('not-inductive')), /not inductive/);

    const memory = new HandMade(MEMORY);
    t.same(check(memory, memory.proof('invariant')), { kind: 'valid' });
    t.same(check(memory, memory.proof('invariant', 'lemma-constant', 'lemma-store')), { kind: 'valid' });
    invalid(check(memory, memory.proof('wrong')), /not inductive/);

    const request = new HandMade(REQUEST);
    t.same(check(request, request.proof('invariant')), { kind: 'valid' }, 'constraints count in both places');
    const free: System = { ...request.system, constraints: [] };
    invalid(
      checkProof(free, request.property, request.proof('invariant'), options),
      /not inductive|not imply/,
    );

    const walk = new HandMade(WALK);
    t.same(check(walk, walk.proof('invariant')), { kind: 'valid' });
    invalid(check(walk, walk.proof('invariant'), 1), /does not imply the property/);
    t.end();
  });
}

t.test('which conditions hold with operators uninterpreted', t => {
  const holds = (h: HandMade, proof: Proof) =>
    conditionsOf(h.system, h.property, proof).map(
      c =>
        refuteAbstractly(h.terms, [...proof.lemmas, ...c.ofSystem, ...c.ofInvariant], OPTIONS).kind ===
        'unsat',
    );
  // Evaluation says 0 < 10 and not 10 < 10; only that a number below nine has a successor below ten needs a lemma.
  const counter = new HandMade(COUNTER);
  t.same(holds(counter, counter.proof('below-ten')), [true, false, true]);
  t.same(holds(counter, counter.proof('below-ten', 'lemma-step')), [true, true, true]);
  // Two 64-bit multipliers and a divider: congruence is enough.
  const mutex = new HandMade(MUTEX);
  t.same(holds(mutex, mutex.proof('invariant')), [true, true, true]);
  t.same(holds(mutex, mutex.proof('missing-conjunct'))[1], true);
  const memory = new HandMade(MEMORY);
  t.same(holds(memory, memory.proof('invariant')), [false, false, true]);
  t.same(holds(memory, memory.proof('invariant', 'lemma-constant', 'lemma-store')), [true, true, true]);
  t.end();
});

t.test('what holds abstractly only in normal form', t => {
  const h = new HandMade(PRODUCTS);
  const proof = h.proof('invariant');
  const options: CheckOptions = { ...OWN, budget: { conflicts: 100 } };
  const { ofSystem, ofInvariant } = conditionsOf(h.system, h.property, proof)[1];
  const step = [...ofSystem, ...ofInvariant];
  t.equal(refuteAbstractly(h.terms, step, options).kind, 'sat', 'the order of factors matters');
  t.equal(refuteConcretely(h.terms, step, options).kind, 'open', 'too hard for bits');
  t.same(checkProof(h.system, h.property, proof, options), { kind: 'valid' });
  t.end();
});

t.test('the time may be up, and a back end may be missing', t => {
  const h = new HandMade(COUNTER);
  const late = checkProof(h.system, h.property, h.proof('below-ten'), {
    ...OPTIONS,
    budget: { deadline: 1 },
  });
  t.match(late, { kind: 'open', reason: /whether the invariant .* the time is up/, interrupt: 'deadline' });
  const lemma = h.proof('below-ten', 'lemma-step');
  const aborted = checkProof(h.system, h.property, lemma, {
    ...OPTIONS,
    budget: { signal: { aborted: true } },
  });
  t.match(aborted, { kind: 'open', reason: /whether this is valid .* lemma 1/, interrupt: 'aborted' });
  // A false lemma is found even if other questions stay open.
  const hard = hardLemma();
  const both: Proof = { ...hard.proof, lemmas: [...hard.proof.lemmas, hard.system.terms.false] };
  const limited: CheckOptions = { ...OWN, budget: { conflicts: 20 } };
  t.match(checkProof(hard.system, hard.property, hard.proof, limited), {
    kind: 'open',
    interrupt: 'conflicts',
  });
  t.match(checkProof(hard.system, hard.property, both, limited), { kind: 'invalid', reason: /lemma 2/ });
  // The light back end gives up and asks for the heavy one.
  const heavy = new HeavyBackEnd(
    async () => module,
    () => {},
  );
  const unloaded = checkProof(hard.system, hard.property, hard.proof, { backEnd: heavy.backEnd });
  t.match(unloaded, { kind: 'open', interrupt: 'load' });
  t.end();
});

/** A lemma that takes a SAT solver some time: a prime is no product of two numbers of half its length. */
function hardLemma(): { system: System; property: Property; proof: Proof } {
  const h = new HandMade(COUNTER);
  const { terms, system, property } = h;
  const factors = ['a', 'b'].map(n =>
    terms.app(Op.ZERO_EXTEND, [terms.variable(n, terms.sorts.bitVec(16))], [16]),
  );
  const lemma = terms.not(terms.eq(terms.app(Op.BVMUL, factors), terms.bv(32, PRIME)));
  return { system, property, proof: { invariant: h.formula('below-ten'), lemmas: [lemma] } };
}

t.test('the abstract reading: sound, and no weaker than the e-graph', t => {
  const random = seeded(t);
  const counts = { both: 0, neither: 0, bits: 0 };
  for (let round = 0; round < 150; round++) {
    const terms = new TermStore();
    const pool = randomPool(terms, random, 2, 60, 4).filter(f => terms.sort(f) === terms.sorts.bool);
    const formulas = Array.from({ length: 2 + random.below(5) }, () => random.pick(pool)).map(f =>
      random.chance(0.5) ? f : terms.not(f),
    );
    const abstract = refuteAbstractly(terms, formulas, random.chance(0.5) ? OPTIONS : OWN).kind;
    const solver = new EufSolver(terms, { evaluateConstants: true });
    for (const f of formulas) solver.assert(f);
    const euf = solver.solve([]);
    const concrete = isValid(terms, terms.not(terms.and(formulas))) ? 'unsat' : 'sat';
    if (abstract === 'unsat' && concrete === 'sat') t.fail(`round ${round}: refuted what has a model`);
    if (euf === 'unsat' && abstract !== 'unsat') t.fail(`round ${round}: the e-graph knows more`);
    if (abstract === 'unsat' && euf !== 'unsat') t.fail(`round ${round}: the e-graph knows less`);
    counts[abstract === 'unsat' ? 'both' : concrete === 'unsat' ? 'bits' : 'neither']++;
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.both > 0 && counts.neither > 0, 'both answers occur');
  t.end();
});

t.test('more constants than there is room for', t => {
  // Each of the variables is one of 30 constants, and their sums are evaluated: up to 900 values, not one of them zero.
  const terms = new TermStore();
  const sort = terms.sorts.bitVec(16);
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, sort));
  const choices = (v: TermId) =>
    terms.or(Array.from({ length: 30 }, (_, i) => terms.eq(v, terms.bv(16, v === x ? i + 1 : 100 * i))));
  const sum = terms.app(Op.BVADD, [x, y]);
  const formulas = [choices(x), choices(y), terms.eq(sum, terms.bv(16, 0))];
  t.equal(refuteAbstractly(terms, formulas, OWN).kind, 'unsat');
  t.equal(
    refuteAbstractly(terms, [...formulas.slice(0, 2), terms.eq(sum, terms.bv(16, 2930))], OWN).kind,
    'sat',
  );
  t.end();
});

t.test('there are always enough elements', t => {
  const terms = new TermStore();
  const distinct = (width: number, count: number) =>
    terms.app(
      Op.DISTINCT,
      Array.from({ length: count }, (_, i) => terms.variable(`x${i}`, terms.sorts.bitVec(width))),
    );
  // A bit has two values, but an element of a sort that nothing is known about may be different from many.
  t.equal(refuteAbstractly(terms, [distinct(1, 3)], OWN).kind, 'sat');
  t.equal(refuteAbstractly(terms, [distinct(16, 200)], OWN).kind, 'sat');
  t.equal(refuteConcretely(terms, [distinct(1, 3)], OWN).kind, 'unsat');
  t.end();
});

t.test('wide constants, declared functions and sorts stay what they are', t => {
  const terms = new TermStore();
  const wide = terms.sorts.bitVec(100);
  const f = terms.declare('f', [wide], terms.sorts.declare('S'));
  const x = terms.variable('x', wide);
  const big = terms.bv(100, 2n ** 99n);
  const one = terms.bv(100, 1);
  const next = terms.app(Op.BVADD, [x, one]);
  const same = terms.eq(terms.apply(f, [next]), terms.apply(f, [terms.bv(100, 2n ** 99n + 1n)]));
  t.equal(refuteAbstractly(terms, [terms.eq(x, big), terms.not(same)], OWN).kind, 'unsat');
  t.equal(refuteAbstractly(terms, [terms.eq(x, one), terms.not(same)], OWN).kind, 'sat');
  t.equal(refuteConcretely(terms, [terms.eq(x, big), terms.not(same)], OWN).kind, 'unsat');
  t.end();
});

// ---- random systems against enumeration ----

/** A state is the values of the state variables, an index into all of them. */
interface Small {
  readonly system: System;
  readonly property: Property;
  /** All states. */
  readonly states: readonly (readonly Value[])[];
  /** Initial states in which the constraints allow some input. */
  readonly initial: readonly boolean[];
  readonly successors: readonly (readonly number[])[];
  /** Some input that the constraints allow violates the property. */
  readonly bad: readonly boolean[];
}

t.test('random systems of up to six bits: sets of states as invariants', t => {
  const random = seeded(t);
  const counts = { valid: 0, invalid: 0, exact: 0, safe: 0 };
  for (let round = 0; round < 60; round++) {
    const small = randomSystem(random);
    const reachable = reachableStates(small);
    const compare = (set: readonly boolean[], what: string) => {
      const expected = isProof(small, set);
      const options = random.chance(0.5) ? OPTIONS : OWN;
      const proof: Proof = { invariant: formulaOf(small, set), lemmas: [] };
      const { kind } = checkProof(small.system, small.property, proof, options);
      counts[expected ? 'valid' : 'invalid']++;
      if (kind !== (expected ? 'valid' : 'invalid')) t.fail(`round ${round}, ${what}: ${kind}`);
      return expected;
    };
    counts.exact++;
    if (compare(reachable, 'exactly the reachable states')) counts.safe++;
    const flipped = (i: number) => reachable.map((r, j) => r !== (i === j));
    const members = [...reachable.keys()].filter(i => reachable[i]);
    if (members.length > 0 && compare(flipped(random.pick(members)), 'a reachable state removed')) {
      t.fail('without a reachable state it is no invariant');
    }
    const others = [...reachable.keys()].filter(i => !reachable[i]);
    for (let i = 0; i < 2 && others.length > 0; i++) compare(flipped(random.pick(others)), 'a state added');
    compare(
      reachable.map(r => r || random.chance(0.3)),
      'states added',
    );
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.valid > 10 && counts.invalid > 50 && counts.safe > 0, 'all outcomes occur');
  t.end();
});

function randomSystem(random: Random): Small {
  const terms = new TermStore();
  const pool = randomPool(terms, random, 2, 50, 4);
  const variables = pool.filter(v => terms.isVariable(v) && !terms.sorts.isArray(terms.sort(v)));
  const withArrays = (f: TermId) => terms.postorder([f]).some(a => terms.sorts.isArray(terms.sort(a)));
  const usable = pool.filter(f => !withArrays(f));
  // p, x, y and b make six bits of state; q is the input, and may be x's companion in relational systems.
  const states = variables
    .filter(v => terms.symbol(terms.functionOf(v)).name !== 'q')
    .map(current => ({
      current,
      next: terms.variable(`${terms.symbol(terms.functionOf(current)).name}.next`, terms.sort(current)),
    }));
  const inputs = variables.filter(v => states.every(s => s.current !== v));
  const ofSort = (v: TermId) => usable.filter(u => terms.sort(u) === terms.sort(v));
  const formulas = usable.filter(u => terms.sort(u) === terms.sorts.bool);
  const overStates = (f: TermId) => terms.postorder([f]).every(v => !inputs.includes(v));
  const equations = states.map(s => {
    const chosen = terms.eq(s.next, random.pick(ofSort(s.current)));
    return random.chance(0.2) ? terms.or([chosen, terms.eq(s.next, random.pick(ofSort(s.current)))]) : chosen;
  });
  if (random.chance(0.2)) equations.push(random.pick(formulas));
  const init = [...states.map(s => s.current)]
    .filter(() => random.chance(0.8))
    .map(v => terms.eq(v, random.pick(ofSort(v).filter(overStates))));
  const property = { index: 0, formula: random.pick(formulas), name: undefined };
  const system: System = {
    terms,
    states,
    inputs,
    init: terms.and(init),
    trans: terms.and(equations),
    constraints: random.chance(0.4) ? [random.pick(formulas)] : [],
    properties: [property],
  };
  return enumerated(system, property);
}

/** All there is to know about a system, by evaluating its formulas for all values. */
function enumerated(system: System, property: Property): Small {
  const { terms, inputs } = system;
  const tuples = (variables: readonly TermId[]) =>
    variables.reduce<Value[][]>(
      (all, v) => all.flatMap(tuple => [...allValues(terms.sorts, terms.sort(v))].map(x => [...tuple, x])),
      [[]],
    );
  const current = system.states.map(s => s.current);
  const next = system.states.map(s => s.next);
  const states = tuples(current);
  const choices = tuples(inputs);
  const evaluator = (...parts: readonly (readonly [readonly TermId[], readonly Value[]])[]) => {
    const values = new Map<FunctionId, Value>();
    for (const [variables, tuple] of parts)
      for (const [i, v] of variables.entries()) values.set(terms.functionOf(v), tuple[i]);
    return new Evaluator(terms, f => values.get(f) as Value);
  };
  const allowed = states.map(s =>
    choices.filter(i => {
      const e = evaluator([current, s], [inputs, i]);
      return system.constraints.every(c => e.value(c) === true);
    }),
  );
  return {
    system,
    property,
    states,
    initial: states.map(
      (s, k) => allowed[k].length > 0 && evaluator([current, s]).value(system.init) === true,
    ),
    successors: states.map((s, k) =>
      [...states.keys()].filter(j =>
        allowed[k].some(
          i => evaluator([current, s], [inputs, i], [next, states[j]]).value(system.trans) === true,
        ),
      ),
    ),
    bad: states.map((s, k) =>
      allowed[k].some(i => evaluator([current, s], [inputs, i]).value(property.formula) === false),
    ),
  };
}

function reachableStates({ initial, successors }: Small): boolean[] {
  const reached = [...initial];
  const stack = [...initial.keys()].filter(i => initial[i]);
  for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
    for (const n of successors[s]) {
      if (reached[n]) continue;
      reached[n] = true;
      stack.push(n);
    }
  }
  return reached;
}

/** The definition of an inductive invariant, state by state. */
function isProof({ initial, successors, bad }: Small, set: readonly boolean[]): boolean {
  return set.every((isIn, i) => (isIn ? !bad[i] && successors[i].every(n => set[n]) : !initial[i]));
}

function formulaOf({ system, states }: Small, set: readonly boolean[]): TermId {
  const { terms } = system;
  const cubes = states
    .filter((_, i) => set[i])
    .map(values =>
      terms.and(
        system.states.map(({ current }, i) =>
          terms.eq(current, termOfValue(terms, terms.sort(current), values[i])),
        ),
      ),
    );
  return terms.or(cubes);
}

t.test('random runs of random systems are replayed, and changed ones are not unless they are runs', t => {
  const random = seeded(t);
  let [accepted, rejected] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const small = randomSystem(random);
    const { system, states } = small;
    const initial = [...states.keys()].filter(i => small.initial[i]);
    if (initial.length === 0) continue;
    const path = [random.pick(initial)];
    while (path.length < 5 && small.successors[path[path.length - 1]].length > 0)
      path.push(random.pick(small.successors[path[path.length - 1]]));
    if (random.chance(0.5)) path[random.below(path.length)] = random.below(states.length);
    const steps = path.map(k => {
      const entries = system.states.map(({ current }, i) => [current, states[k][i]] as const);
      return new Map<TermId, Value>([
        ...entries,
        ...system.inputs.map(i => [i, random.chance(0.5)] as const),
      ]);
    });
    const trace = { steps, functionValue: () => 0 };
    const isRun = isViolatingRun(small, steps);
    if ((replay(system, small.property, trace) === undefined) !== isRun) t.fail(`round ${round}`);
    if (isRun) accepted++;
    else rejected++;
  }
  t.ok(accepted > 0 && rejected > 0, `${accepted} runs, ${rejected} others`);
  t.end();
});

/** The definition of a violating run, by substituting values and evaluating closed formulas. */
function isViolatingRun({ system, property }: Small, steps: readonly ReadonlyMap<TermId, Value>[]): boolean {
  const { terms } = system;
  const holds = (formula: TermId, i: number) =>
    sameValue(
      new Evaluator(terms, f => {
        const variable = terms.apply(f, []);
        const state = system.states.find(s => s.next === variable);
        return (state === undefined ? steps[i].get(variable) : steps[i + 1].get(state.current)) as Value;
      }).value(formula),
      true,
    );
  return (
    holds(system.init, 0) &&
    steps.every((_, i) => system.constraints.every(c => holds(c, i))) &&
    steps.slice(1).every((_, i) => holds(system.trans, i)) &&
    !holds(property.formula, steps.length - 1)
  );
}
