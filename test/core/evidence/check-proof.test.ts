/**
 * Proofs that prove and those that do not, hand-made and random, the random ones against enumeration of all states: models
 * with lemmas, models that may leave out what constraints exclude, and k-inductive proofs.
 */
import t from 'tap';
import { HeavyBackEnd } from '../../../src/bv/tiered.ts';
import { checkProof, type ProofCheck } from '../../../src/core/evidence/check-proof.ts';
import { conditionsOf } from '../../../src/core/evidence/conditions.ts';
import { type PlainOptions, refute } from '../../../src/core/evidence/plain/refute.ts';
import { type Edge, type Location, restrictedTo, step } from '../../../src/core/problem/problem.ts';
import type { Proof } from '../../../src/core/problem/proof.ts';
import { SystemProblem } from '../../../src/core/problem/system-problem.ts';
import type { SystemProof } from '../../../src/core/problem/system-proof.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import type { Budget } from '../../../src/sat/budget.ts';
import { complete } from '../../../src/sat/work.ts';
import { Op } from '../../../src/term/operators.ts';
import type { TermId } from '../../../src/term/store.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { seeded } from '../../support/random.ts';
import { assertionsOf } from '../../support/smtlib.ts';
import { COUNTER, HandMade, MEMORY, MUTEX, PRODUCTS, REQUEST, WALK } from '../hand-made.ts';
import { formulaOf, reachableStates, type Small, smallSystem } from './small-system.ts';

const heavy = await loadedBackEnd();
const missing = new HeavyBackEnd(
  () => Promise.reject(new Error('not here')),
  () => {},
);
await missing.load();

/** With the other SAT back end for hard questions, and with our own engine alone. */
const BACK_ENDS: Readonly<Record<string, HeavyBackEnd>> = { cadical: heavy, own: missing };

/** A Mersenne prime. */
const PRIME = 2 ** 31 - 1;

function check(
  h: HandMade,
  proof: SystemProof,
  index = 0,
  options: PlainOptions = { heavy, budget: {} },
): ProofCheck {
  return checkPosed(h.asProblem, proof, index, options);
}

function checkPosed(
  posed: SystemProblem,
  proof: SystemProof,
  index: number,
  options: PlainOptions = { heavy, budget: {} },
): ProofCheck {
  const problem = restrictedTo(posed.problem, index);
  return complete(checkProof(problem, posed.proof(proof), { ...options, nameOf: e => posed.nameOf(e) }));
}

const VALID: ProofCheck = { kind: 'valid' };
const OUT_OF_START = 'an initial state leads out of the model';
const OUT_OF_STEP = 'a step leads out of the model';
const NOT_EXCLUDED = 'the model does not exclude a violation';
const NOT_BASE = 'there is a violation within the first k steps';
const NOT_STEP = 'k steps without a violation may be followed by one';

for (const [name, backEnd] of Object.entries(BACK_ENDS)) {
  t.test(`proofs by hand, with ${name}`, t => {
    const options = { heavy: backEnd, budget: {} };
    const valid = (h: HandMade, proof: SystemProof, index = 0, what = '') =>
      t.same(check(h, proof, index, options), VALID, what);
    const invalid = (h: HandMade, proof: SystemProof, text: string | RegExp, index = 0) =>
      t.match(check(h, proof, index, options), { kind: 'invalid', text });
    const counter = new HandMade(COUNTER);
    valid(counter, counter.proof('below-ten'), 0, 'bit by bit');
    valid(counter, counter.proof('below-ten', 'lemma-step'), 0, 'with a lemma');
    invalid(counter, counter.proof('below-ten', 'lemma-false'), /^this is not valid, lemma 1: /);
    invalid(
      counter,
      counter.proof('below-ten', 'lemma-step', 'lemma-false'),
      /^this is not valid, lemma 2: \(or \(not \(bvult x #x0a\)\) \(bvult \(bvadd x #x01\) #x0a\)\)$/,
    );
    invalid(
      counter,
      counter.proof('below-nine'),
      /^a step leads out of the model: x = #x08, (go = true|x.next = #x09), (go = true|x.next = #x09)$/,
    );
    invalid(counter, counter.proof('below-255'), OUT_OF_STEP);
    invalid(counter, counter.proof('property-never-two'), OUT_OF_STEP);
    invalid(counter, counter.proof('anything'), /^the model does not exclude a violation: x = #x0a$/);
    invalid(counter, counter.proof('below-ten'), /^the model does not exclude a violation: x = #x02$/, 1);
    invalid(counter, counter.proof('about-input'), "the model of state mentions 'go'");
    invalid(counter, counter.proof('about-next'), "the model of state mentions 'x.next'");
    const notBoolean = { invariant: counter.variable('x'), lemmas: [], k: 0 };
    invalid(counter, notBoolean, 'the model of state is not Boolean');

    const mutex = new HandMade(MUTEX);
    valid(mutex, mutex.proof('invariant'), 0, 'abstractly');
    valid(mutex, mutex.proof('invariant'), 1);
    invalid(mutex, mutex.proof('missing-conjunct'), NOT_EXCLUDED);
    invalid(
      mutex,
      mutex.proof('not-initial'),
      /^an initial state leads out of the model: .*turn.next = false/,
    );
    invalid(mutex, mutex.proof('not-inductive'), OUT_OF_STEP);

    const memory = new HandMade(MEMORY);
    valid(memory, memory.proof('invariant'));
    valid(memory, memory.proof('invariant', 'lemma-constant', 'lemma-store'));
    invalid(memory, memory.proof('wrong'), OUT_OF_STEP);

    const request = new HandMade(REQUEST);
    valid(request, request.proof('invariant'), 0, 'constraints count in both places');
    const free = new SystemProblem({ ...request.system, constraints: [] });
    const unconstrained = checkPosed(free, request.proof('invariant'), 0, options);
    t.match(unconstrained, { kind: 'invalid', text: OUT_OF_STEP });

    const walk = new HandMade(WALK);
    valid(walk, walk.proof('invariant'));
    invalid(walk, walk.proof('invariant'), NOT_EXCLUDED, 1);
    t.end();
  });
}

t.test('a model says something about every location, and about nothing else', t => {
  const question = readQuestion(
    'two.smt2',
    `(set-logic HORN)
     (declare-fun p ((_ BitVec 4)) Bool) (declare-fun q ((_ BitVec 4)) Bool)
     (assert (p #x0))
     (assert (forall ((x (_ BitVec 4))) (=> (and (p x) (bvult x #x5)) (q (bvadd x #x1)))))
     (assert (forall ((x (_ BitVec 4))) (=> (q x) (p x))))
     (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (p x) (q y) (= (bvadd x y) #xb)) false)))
     (check-sat)`,
    { strict: true, warn: t.fail },
  );
  const { problem, words } = question;
  const { terms } = problem;
  const [p, q] = problem.locations;
  const upTo = (place: TermId, bound: number) => terms.app(Op.BVULE, [place, terms.bv(4, bound)]);
  const verdict = (...model: [typeof p, TermId][]) => {
    const proof: Proof = { model: new Map(model), lemmas: new Map(), k: 0 };
    return complete(checkProof(problem, proof, { heavy, budget: {}, nameOf: words.nameOf }));
  };
  const [x, y] = [p.places[0], q.places[0]];
  t.same(verdict([p, upTo(x, 5)], [q, upTo(y, 5)]), VALID, 'two bodies: at most five and five');
  t.match(verdict([p, upTo(x, 6)], [q, upTo(y, 5)]), {
    kind: 'invalid',
    text: 'the model does not exclude the clause in line 6',
  });
  t.match(verdict([p, upTo(x, 4)], [q, upTo(y, 5)]), {
    kind: 'invalid',
    text: 'the clause in line 5 leads out of the model',
  });
  t.match(verdict([p, upTo(x, 5)]), { kind: 'invalid', text: /^the model says nothing about q/ });
  t.match(verdict([p, upTo(y, 5)], [q, upTo(y, 5)]), {
    kind: 'invalid',
    text: /^the model of p mentions/,
  });
  const strange: Proof = {
    model: new Map([
      [p, upTo(x, 5)],
      [q, upTo(y, 5)],
    ]),
    lemmas: new Map([[problem.edges[0], [x]]]),
    k: 0,
  };
  t.match(complete(checkProof(problem, strange, { heavy, budget: {}, nameOf: words.nameOf })), {
    kind: 'invalid',
    text: 'a lemma is not Boolean',
  });
  const kInductive = { ...strange, lemmas: new Map(), k: 1 };
  t.match(complete(checkProof(problem, kInductive, { heavy, budget: {}, nameOf: words.nameOf })), {
    kind: 'invalid',
    text: 'a k-inductive proof is about one location',
  });
  t.end();
});

// ---- lemmas ----

t.test('which conditions hold with operators uninterpreted', t => {
  const holds = (h: HandMade, proof: SystemProof) =>
    conditionsOf(restrictedTo(h.asProblem.problem, 0), h.asProblem.proof(proof)).map(c => {
      const formulas = [...c.lemmas, ...c.ofProblem, ...c.ofModel, ...c.ofHead];
      return complete(refute(h.terms, formulas, 'abstract', { heavy, budget: {} })).kind === 'unsat';
    });
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
  // The condition of the start speaks of next variables, and there the lemma about the constant array is closed.
  t.same(holds(memory, memory.proof('invariant', 'lemma-constant', 'lemma-store')), [true, true, true]);
  t.end();
});

t.test('products of which nobody looks at the bits: factors may be exchanged', t => {
  const h = new HandMade(PRODUCTS);
  const proof = h.proof('invariant');
  const options: PlainOptions = { heavy: missing, budget: { conflicts: 100 } };
  const { ofProblem, ofModel } = conditionsOf(h.asProblem.problem, h.asProblem.proof(proof))[1];
  t.same(complete(refute(h.terms, [...ofProblem, ...ofModel], 'abstract', options)), { kind: 'unsat' });
  t.same(check(h, proof, 0, options), VALID);
  t.end();
});

t.test('a lemma is checked at whatever edge it stands, and used at that edge only', t => {
  const h = new HandMade(COUNTER);
  const problem = restrictedTo(h.asProblem.problem, 0);
  const [start, move, query] = problem.edges;
  const proofWith = (lemmas: readonly (readonly [Edge, string])[]): Proof => ({
    ...h.asProblem.proof(h.proof('below-ten')),
    lemmas: new Map(lemmas.map(([edge, name]) => [edge, [h.formula(name)]])),
  });
  for (const edge of [start, move, query]) {
    const outcome = complete(
      checkProof(problem, proofWith([[edge, 'lemma-false']]), {
        heavy,
        budget: {},
        nameOf: e => h.asProblem.nameOf(e),
      }),
    );
    t.match(outcome, { kind: 'invalid', text: /^this is not valid, lemma 1/ });
  }
  const lemmasOf = (proof: Proof) => conditionsOf(problem, proof).map(c => c.lemmas.length);
  t.same(lemmasOf(proofWith([[move, 'lemma-step']])), [0, 1, 0]);
  t.same(lemmasOf(proofWith([[query, 'lemma-step']])), [0, 0, 1]);
  t.end();
});

t.test('the time may be up, and a back end may be missing', t => {
  const h = new HandMade(COUNTER);
  const limited = (proof: SystemProof, budget: Budget, backEnd = heavy) =>
    check(h, proof, 0, { heavy: backEnd, budget });
  t.match(limited(h.proof('below-ten'), { deadline: 1 }), {
    kind: 'unknown',
    reason: 'deadline',
    text: 'whether an initial state leads out of the model is not known, since the time is up',
  });
  t.match(limited(h.proof('below-ten', 'lemma-step'), { signal: { aborted: true } }), {
    kind: 'unknown',
    reason: 'aborted',
    text: /^whether this is valid is not known, since it was stopped, lemma 1: /,
  });
  // A false lemma is found even if other questions stay open, and so is what is wrong with a condition.
  const factors = ['a', 'b'].map(n =>
    h.terms.app(Op.ZERO_EXTEND, [h.terms.variable(n, h.terms.sorts.bitVec(16))], [16]),
  );
  const hard = h.terms.not(h.terms.eq(h.terms.app(Op.BVMUL, factors), h.terms.bv(32, PRIME)));
  const withLemmas = (name: string, ...lemmas: TermId[]): Proof => ({
    ...h.asProblem.proof(h.proof(name)),
    lemmas: new Map([[h.asProblem.problem.edges[1], lemmas]]),
  });
  const outcome = (proof: Proof, backEnd: HeavyBackEnd, budget: Budget) =>
    complete(
      checkProof(restrictedTo(h.asProblem.problem, 0), proof, {
        heavy: backEnd,
        budget,
        nameOf: e => h.asProblem.nameOf(e),
      }),
    );
  const few = { conflicts: 20 };
  t.match(outcome(withLemmas('below-ten', hard), missing, few), { kind: 'unknown', reason: 'conflicts' });
  t.match(outcome(withLemmas('below-ten', hard, h.terms.false), missing, few), {
    kind: 'invalid',
    text: /lemma 2/,
  });
  t.match(outcome(withLemmas('below-nine', hard), missing, few), { kind: 'invalid', text: OUT_OF_STEP });
  // Our engine gives up and asks for the other one.
  const unloaded = new HeavyBackEnd(
    () => Promise.reject(new Error('nobody asked')),
    () => {},
  );
  t.match(outcome(withLemmas('below-ten', hard), unloaded, {}), { kind: 'unknown', reason: 'load' });
  t.end();
});

// ---- constraints ----

/** A state of which no input satisfies the constraint is in no run, and a model may leave it out. */
const FENCED = `
  (declare-const s (_ BitVec 4)) (declare-const s.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
  (assert (! (= s #x0) :named init)) (assert (! (= s.next (bvadd s in)) :named trans))
  (assert (! (bvult s #x4) :named constraint-low)) (assert (! (not (= s #x9)) :named property))
  (assert (! (bvult s #x4) :named low)) (assert (! (bvult s #x3) :named lower))`;

/** The input must be the state. Every state has such an input, and each step takes another one. */
const FOLLOWED = `
  (declare-const s (_ BitVec 4)) (declare-const s.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
  (assert (! (= s #x0) :named init)) (assert (! (= s.next (bvadd s #x1)) :named trans))
  (assert (! (= in s) :named constraint-same)) (assert (! (not (= in #x5)) :named property))
  (assert (! (= s #x0) :named first)) (assert (! (not (= s #x5)) :named property-of-state))`;

t.test('the head of an edge may be taken to satisfy its constraints, with inputs of its own', t => {
  const fenced = new HandMade(FENCED);
  t.same(check(fenced, fenced.proof('low')), VALID);
  t.match(check(fenced, fenced.proof('lower')), { kind: 'invalid', text: OUT_OF_STEP });
  const unfenced = new SystemProblem({ ...fenced.system, constraints: [] });
  t.match(checkPosed(unfenced, fenced.proof('low'), 0), { kind: 'invalid', text: OUT_OF_STEP });
  // With the same input before and after the step there would be no step at all.
  const followed = new HandMade(FOLLOWED);
  t.match(check(followed, followed.proof('first')), { kind: 'invalid', text: OUT_OF_STEP });
  t.match(check(followed, followed.proof('property-of-state')), { kind: 'invalid', text: OUT_OF_STEP });
  t.match(check(followed, followed.kInductive(2, 'first')), { kind: 'invalid', text: OUT_OF_STEP });
  t.end();
});

// ---- k-induction ----

/** From two back to zero; what is above only counts up: 3, 4, 5, 6, 7, 0. Nothing leads to three. */
const ROUND = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3))
  (assert (! (= x #b000) :named init))
  (assert (! (= x.next (ite (= x #b010) #b000 (bvadd x #b001))) :named trans))
  (assert (! (not (= x #b101)) :named property-never-five))
  (assert (! (not (= x #b010)) :named property-never-two))
  (assert (! true :named anything))
  (assert (! (not (= x #b011)) :named not-three))
  (assert (! (not (= x #b100)) :named not-four))
  (assert (! (not (= x #b000)) :named not-zero))
  (assert (! (= x x) :named lemma-true)) (assert (! (= x #b000) :named lemma-false))`;

/** Where the input says so, six stays six for as long as one likes, and is then followed by seven. */
const LOOP = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
  (assert (! (= x #b000) :named init))
  (assert (! (= x.next (ite (and (= x #b110) go) #b111 x)) :named trans))
  (assert (! (not (= x #b111)) :named property))
  (assert (! true :named anything))`;

/** The property is about inputs: a request that is not answered in the next step is a violation in the one after. */
const ANSWERED = `
  (declare-const a Bool) (declare-const a.next Bool) (declare-const b Bool) (declare-const b.next Bool)
  (declare-const c Bool) (declare-const c.next Bool) (declare-const in Bool)
  (assert (! (not (or a b c)) :named init))
  (assert (! (and (= a.next in) (= b.next (and a (not in))) (= c.next (and b c))) :named trans))
  (assert (! (or (not in) (not a)) :named constraint-once))
  (assert (! (not (and c in)) :named property))
  (assert (! true :named anything))`;

t.test('k-inductive proofs by hand', t => {
  const round = new HandMade(ROUND);
  const outcome = (h: HandMade, k: number, model: string, index = 0) => {
    const result = check(h, h.kInductive(k, model), index);
    return result.kind === 'invalid' ? result.text.replace(/: .*/, '') : result.kind;
  };
  // 3, 4, 5 is a run to five from where no step leads.
  t.equal(outcome(round, 0, 'anything'), NOT_EXCLUDED);
  t.equal(outcome(round, 1, 'anything'), NOT_STEP);
  t.equal(outcome(round, 2, 'anything'), NOT_STEP);
  t.equal(outcome(round, 3, 'anything'), 'valid');
  t.equal(outcome(round, 7, 'anything'), 'valid');
  t.equal(outcome(round, 1, 'not-three'), NOT_STEP);
  t.equal(outcome(round, 2, 'not-three'), 'valid', 'a model may help');
  t.equal(outcome(round, 3, 'not-four'), OUT_OF_STEP, 'but it must be inductive');
  t.equal(outcome(round, 3, 'not-zero'), OUT_OF_START, 'and hold initially');
  // No nine different states follow each other, so the step holds for k = 8; but after two steps there is a violation.
  t.equal(outcome(round, 7, 'anything', 1), NOT_BASE);
  t.equal(outcome(round, 8, 'anything', 1), NOT_BASE);
  t.equal(outcome(round, 3, 'anything', 1), NOT_BASE);
  t.equal(outcome(round, 2, 'anything', 1), NOT_STEP, 'the first two states are good');
  for (const k of [-1, 0.5, Number.NaN]) t.match(outcome(round, k, 'anything'), /^k must be/);

  const loop = new HandMade(LOOP);
  t.equal(outcome(loop, 1, 'anything'), NOT_STEP);
  t.equal(outcome(loop, 2, 'anything'), 'valid', 'only because no state comes twice');

  const answered = new HandMade(ANSWERED);
  t.equal(outcome(answered, 1, 'anything'), NOT_STEP);
  t.equal(outcome(answered, 2, 'anything'), NOT_STEP);
  t.equal(outcome(answered, 3, 'anything'), 'valid', 'c stays only while b does, and b for one step');

  const fenced = new HandMade(FENCED);
  t.equal(outcome(fenced, 1, 'low'), 'valid');
  const followed = new HandMade(FOLLOWED);
  t.equal(outcome(followed, 5, 'property-of-state'), OUT_OF_STEP);
  t.end();
});

t.test('lemmas of k-inductive proofs are checked as well', t => {
  const h = new HandMade(ROUND);
  t.same(check(h, h.kInductive(3, 'anything', 'lemma-true')), VALID);
  t.match(check(h, h.kInductive(3, 'anything', 'lemma-false')), {
    kind: 'invalid',
    text: /^this is not valid, lemma 1/,
  });
  t.end();
});

t.test('k-induction is for runs', t => {
  const h = new HandMade(ROUND);
  const { terms } = h;
  const { problem } = h.asProblem;
  const [start, move, query] = restrictedTo(problem, 0).edges;
  const outcome = (location: Location, edges: readonly Edge[], k: number) => {
    const proof: Proof = { model: new Map([[location, terms.true]]), lemmas: new Map(), k };
    const options = { heavy, budget: {}, nameOf: (e: Edge) => `edge ${edges.indexOf(e)}` };
    return complete(checkProof({ ...problem, locations: [location], edges }, proof, options));
  };
  const [location] = problem.locations;
  t.same(outcome(location, [start, move, query], 3), VALID);
  // A query that needs no state is derived at once, whatever is true of states: also where there are none.
  const atOnce = (guard: TermId): Edge => ({ sources: [], guard, head: { property: 0 }, values: [] });
  const none = { ...location, constraints: [terms.false] };
  const nowhere = [start, move].map(e => ({
    ...e,
    head: none,
    sources: e.sources.flatMap(() => step(none)),
  }));
  for (const k of [0, 1, 3]) {
    const text = 'the model does not exclude edge 2';
    t.match(outcome(none, [...nowhere, atOnce(terms.true)], k), { kind: 'invalid', text });
    t.same(outcome(none, [...nowhere, atOnce(terms.false)], k), VALID);
  }
  t.same(outcome(location, [start, move, query, atOnce(terms.false)], 3), VALID);
  t.match(outcome(location, [start, move, query, atOnce(terms.true)], 3), { kind: 'invalid' });
  // Steps with two sources make no runs.
  const [x] = location.places;
  const [y, z] = ['y', 'z'].map(n => terms.variable(n, terms.sort(x)));
  const sum: Edge = {
    sources: [y, z].map(v => ({ location, places: [v] })),
    guard: terms.true,
    head: location,
    values: [terms.app(Op.BVADD, [y, z])],
  };
  t.match(outcome(location, [start, move, query, sum], 3), {
    kind: 'invalid',
    text: 'a k-inductive proof is about runs',
  });
  t.end();
});

// ---- random systems against enumeration ----

/** The definition of an inductive invariant, state by state. */
function isInductive({ initial, successors }: Small, set: readonly boolean[]): boolean {
  return set.every((isIn, i) => (isIn ? successors[i].every(n => set[n]) : !initial[i]));
}

/** Is the property k-inductive in a set of states? By going through all paths. */
function isKInductive(small: Small, set: readonly boolean[], k: number): boolean {
  const { initial, successors, successorsIfGood, bad } = small;
  let layer = new Set([...initial.keys()].filter(i => initial[i]));
  for (let i = 0; i < k; i++) {
    if ([...layer].some(s => bad[s])) return false;
    layer = new Set([...layer].flatMap(s => successors[s]));
  }
  const leads = (path: readonly number[]): boolean => {
    const last = path[path.length - 1];
    if (path.length === k + 1) return bad[last];
    return successorsIfGood[last].some(n => set[n] && !path.includes(n) && leads([...path, n]));
  };
  return !set.some((isIn, s) => isIn && leads([s]));
}

t.test('random systems of up to six bits: sets of states as invariants', t => {
  const random = seeded(t);
  const counts = { valid: 0, invalid: 0, safe: 0 };
  for (let round = 0; round < 60; round++) {
    const small = smallSystem(random);
    const reachable = reachableStates(small);
    const compare = (set: readonly boolean[], what: string) => {
      const expected = isInductive(small, set) && set.every((isIn, i) => !isIn || !small.bad[i]);
      const options = { heavy: random.chance(0.5) ? heavy : missing, budget: {} };
      const proof = { invariant: formulaOf(small, set), lemmas: [], k: 0 };
      const { kind } = checkPosed(small.posed, proof, 0, options);
      counts[expected ? 'valid' : 'invalid']++;
      if (kind !== (expected ? 'valid' : 'invalid')) t.fail(`round ${round}, ${what}: ${kind}`);
      return expected;
    };
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

t.test('random systems: k-inductive proofs against all paths', t => {
  const random = seeded(t);
  const counts = { valid: 0, invalid: 0, truly: 0 };
  for (let round = 0; round < 80; round++) {
    const small = smallSystem(random);
    const reachable = reachableStates(small);
    const isSafe = reachable.every((r, i) => !r || !small.bad[i]);
    const everything = reachable.map(() => true);
    const some = reachable.map(r => r || random.chance(0.7));
    for (const set of [everything, random.chance(0.5) ? reachable : some]) {
      const isOwn = isInductive(small, set);
      let before = false;
      for (const k of [1, 2, 3]) {
        const expected = isOwn && isKInductive(small, set, k);
        const proof = { invariant: formulaOf(small, set), lemmas: [], k };
        const { kind } = checkPosed(small.posed, proof, 0, { heavy: missing, budget: {} });
        if (kind !== (expected ? 'valid' : 'invalid')) t.fail(`round ${round}, k = ${k}: ${kind}`);
        if (kind === 'valid' && !isSafe) t.fail(`round ${round}, k = ${k}: a proof of what does not hold`);
        counts[expected ? 'valid' : 'invalid']++;
        if (expected && !before && k > 1) counts.truly++;
        before ||= expected;
      }
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.valid > 20 && counts.invalid > 50, 'both outcomes occur');
  t.end();
});

t.test('wide constants, declared functions and sorts stay what they are in both readings', t => {
  const h = new HandMade(COUNTER);
  const { terms } = h;
  const declared = `(declare-sort S 0) (declare-fun f ((_ BitVec 100)) S) (declare-const x (_ BitVec 100))
    (define-fun big () (_ BitVec 100) (bvshl (_ bv1 100) (_ bv99 100)))`;
  const same = '(= (f (bvadd x (_ bv1 100))) (f (bvor big (_ bv1 100))))';
  const answers = (value: string) => {
    const formulas = assertionsOf(terms, `${declared}(assert (= x ${value}))(assert (not ${same}))`);
    return (['abstract', 'bits'] as const).map(
      reading => complete(refute(terms, formulas, reading, { heavy, budget: {} })).kind,
    );
  };
  t.same(answers('big'), ['unsat', 'unsat']);
  t.same(answers('(_ bv1 100)'), ['sat', 'sat']);
  t.end();
});
