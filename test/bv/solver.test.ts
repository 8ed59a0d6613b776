/**
 * The concrete solver against the evaluator, with each SAT back end: operators on all values of small widths,
 * random terms of larger ones, random formulas against enumeration, models, cores, scopes, limits.
 */
import t from 'tap';
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { type ConcreteOptions, ConcreteSolver } from '../../src/bv/solver.ts';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { applyOperator, Evaluator, termOfValue } from '../../src/term/evaluator.ts';
import { OPERATORS, Op } from '../../src/term/operators.ts';
import { type FunctionId, type TermId, TermStore } from '../../src/term/store.ts';
import { allValues, sameValue, type Value } from '../../src/term/value.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { type Random, seeded } from '../support/random.ts';
import { allEvaluators, assertionsOf, isValid, variablesOf } from '../support/smtlib.ts';
import { randomPool } from '../support/terms.ts';

const module = await loadCadicalForTests();
const cadical = () => module.make();
const BACK_ENDS = { cadical, own: () => new OwnEngine() } as const;

/** Indices with which an operator is tried at width w. */
function indicesOf(indexCount: number, name: string, w: number): number[][] {
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
  if (indexCount === 0) return [[]];
  if (indexCount === 2) return upTo(w).flatMap(low => upTo(w - low).map(k => [low + k, low]));
  return upTo(4).map(i => [name === 'repeat' ? i + 1 : i]);
}

for (const [name, backEnd] of Object.entries(BACK_ENDS)) {
  t.test(`every operator on all values up to width 4, with ${name}`, t => {
    let count = 0;
    for (const { op, arity, indexCount, name: operator } of OPERATORS) {
      if (op <= Op.APPLY || op === Op.SELECT || op === Op.STORE || op === Op.CONST_ARRAY) continue;
      const isBoolean = op <= Op.IMPLIES;
      for (let w = 1; w <= (isBoolean ? 1 : 4); w++) {
        for (const indices of indicesOf(indexCount, operator, w)) {
          const terms = new TermStore();
          const sort = isBoolean ? terms.sorts.bool : terms.sorts.bitVec(w);
          const wanted =
            op === Op.ITE ? [terms.sorts.bool, sort, sort] : Array.from({ length: arity }, () => sort);
          const args = wanted.map((s, i) => terms.variable(`x${i}`, s));
          checkOperator(terms, terms.app(op, args, indices), args, { backEnd, preprocess: false });
          count++;
        }
      }
    }
    t.ok(count > 200, `${count} shapes`);
    t.end();
  });
}

/** Assuming values for the arguments leaves exactly the evaluator's value for the term. */
function checkOperator(
  terms: TermStore,
  term: TermId,
  args: readonly TermId[],
  options: Partial<ConcreteOptions>,
): void {
  const solver = new ConcreteSolver(terms, options);
  const result = terms.variable('r', terms.sort(term));
  solver.assert(terms.eq(result, term));
  const choices = args.reduce<Value[][]>(
    (tuples, a) =>
      tuples.flatMap(tuple => [...allValues(terms.sorts, terms.sort(a))].map(v => [...tuple, v])),
    [[]],
  );
  for (const values of choices) {
    const expected = applyOperator(terms, term, values);
    const fixed = args.map((a, i) => terms.eq(a, termOfValue(terms, terms.sort(a), values[i])));
    const wrong = terms.not(terms.eq(result, termOfValue(terms, terms.sort(term), expected)));
    const what = () => `${OPERATORS[terms.op(term)].name} ${terms.indices(term)} of ${values}`;
    if (solver.solve(fixed) !== 'sat') throw new Error(`${what()} has no value`);
    if (!sameValue(solver.model().value(result), expected)) throw new Error(`${what()} is wrong`);
    if (solver.solve([...fixed, wrong]) !== 'unsat') throw new Error(`${what()} may be something else`);
    if (solver.core().at(-1) !== wrong) throw new Error(`${what()}: the core misses the wrong value`);
  }
  solver.dispose();
}

function randomValue(terms: TermStore, t: TermId, random: Random): Value {
  const width = terms.width(t);
  if (width === 0) return random.chance(0.5);
  let text = '0b0';
  for (let i = 0; i < width; i++) text += random.below(2);
  return width <= 32 ? Number(BigInt(text)) : BigInt(text);
}

for (const [name, backEnd] of Object.entries(BACK_ENDS)) {
  t.test(`random terms of widths 5 to 64 have the evaluator's value, with ${name}`, t => {
    const random = seeded(t);
    let checked = 0;
    for (let round = 0; round < 120; round++) {
      const terms = new TermStore();
      const w = 5 + random.below(60);
      const pool = randomPool(terms, random, w, 40, 130).slice(-8);
      const candidates = pool.filter(p => !terms.sorts.isArray(terms.sort(p)));
      const variables = variablesOf(terms, candidates);
      if (variables.some(v => terms.sorts.isArray(terms.sort(v)))) continue;
      const values = new Map<FunctionId, Value>(
        variables.map(v => [terms.functionOf(v), randomValue(terms, v, random)]),
      );
      const evaluator = new Evaluator(terms, f => values.get(f) as Value);
      const constant = (x: TermId) => termOfValue(terms, terms.sort(x), evaluator.value(x));
      // Wide products are expensive when only half of their inputs are known; here all are.
      const solver = new ConcreteSolver(terms, {
        backEnd,
        preprocess: random.chance(0.5),
        abstractionWidth: random.pick([5, 33, 1000]),
      });
      const fixed = variables.map(v => terms.eq(v, constant(v)));
      for (const term of candidates) {
        if (solver.solve([...fixed, terms.eq(term, constant(term))]) !== 'sat')
          t.fail('the value is impossible');
        if (!sameValue(solver.model().value(term), evaluator.value(term)))
          t.fail('the model has another value');
        if (solver.solve([...fixed, terms.not(terms.eq(term, constant(term)))]) !== 'unsat')
          t.fail('another value is possible');
        checked++;
      }
      solver.dispose();
    }
    t.ok(checked > 300, `${checked} terms`);
    t.end();
  });
}

/** A random formula over at most a few bits and small arrays: every operator may occur. */
function randomFormulas(terms: TermStore, random: Random): TermId[] {
  const w = 1 + random.below(2);
  const pool = randomPool(terms, random, w, 20 + random.below(30), 6);
  const formulas = pool.filter(p => terms.sort(p) === terms.sorts.bool && !terms.isConstant(p));
  const count = 1 + random.below(4);
  return Array.from({ length: count }, () => {
    const f = formulas[formulas.length - 1 - random.below(Math.min(formulas.length, 12))];
    return random.chance(0.3) ? terms.not(f) : f;
  });
}

function isSatisfiable(terms: TermStore, formulas: readonly TermId[]): boolean {
  for (const evaluator of allEvaluators(terms, variablesOf(terms, formulas))) {
    if (formulas.every(f => evaluator.value(f) === true)) return true;
  }
  return false;
}

t.test('2,000 random formulas with arrays agree with enumeration', t => {
  const random = seeded(t);
  const answers = { sat: 0, unsat: 0, unknown: 0 };
  let cores = 0;
  for (let round = 0; round < 2000; round++) {
    const terms = new TermStore();
    const formulas = randomFormulas(terms, random);
    const lemmas: TermId[] = [];
    const options: Partial<ConcreteOptions> = {
      backEnd: random.chance(0.5) ? cadical : () => new OwnEngine(),
      preprocess: random.chance(0.7),
      abstractionWidth: random.pick([1, 2, 33]),
      onLemma: lemma => lemmas.push(lemma),
    };
    const solver = new ConcreteSolver(terms, options);
    const split = random.below(formulas.length + 1); // some are asserted, some assumed
    for (const f of formulas.slice(0, split)) solver.assert(f);
    const assumptions = formulas.slice(split);
    const answer = solver.solve(assumptions);
    answers[answer]++;
    if ((answer === 'sat') !== isSatisfiable(terms, formulas)) t.fail(`round ${round}: ${answer} is wrong`);
    if (answer === 'sat') {
      const model = solver.model();
      if (!formulas.every(f => model.isTrue(f))) t.fail(`round ${round}: the model is none`);
    } else {
      const core = random.chance(0.5) ? solver.core() : solver.minimalCore();
      if (!core.every(c => assumptions.includes(c))) t.fail('a core is made of assumptions');
      const again = new ConcreteSolver(terms, { ...options, preprocess: false, onLemma: undefined });
      for (const f of [...formulas.slice(0, split), ...core]) again.assert(f);
      if (again.solve() !== 'unsat') t.fail(`round ${round}: the core is satisfiable`);
      again.dispose();
      cores++;
    }
    // Lemmas that speak of no witness are valid formulas.
    for (const lemma of lemmas) {
      const isPlain = variablesOf(terms, [lemma]).every(v => variablesOf(terms, formulas).includes(v));
      if (isPlain && !isValid(terms, lemma)) t.fail(`round ${round}: a lemma is not valid`);
    }
    solver.dispose();
  }
  t.equal(answers.unknown, 0);
  t.ok(answers.sat > 200 && answers.unsat > 100 && cores > 100, JSON.stringify(answers));
  t.end();
});

t.test('random scripts with scopes and assumptions agree with enumeration', t => {
  const random = seeded(t);
  let checks = 0;
  for (let round = 0; round < 150; round++) {
    const terms = new TermStore();
    const solver = new ConcreteSolver(terms, {
      backEnd: random.chance(0.5) ? cadical : () => new OwnEngine(),
      preprocess: random.chance(0.8),
      abstractionWidth: random.pick([1, 33]),
    });
    const pool = randomPool(terms, random, 1 + random.below(2), 50, 6).filter(
      p => terms.sort(p) === terms.sorts.bool && !terms.isConstant(p),
    );
    const formula = () => (random.chance(0.3) ? terms.not(random.pick(pool)) : random.pick(pool));
    const scopes: TermId[][] = [[]];
    for (let step = 0; step < 25; step++) {
      const what = random.below(10);
      if (what < 3) {
        const f = formula();
        scopes[scopes.length - 1].push(f);
        solver.assert(f);
      } else if (what < 4) {
        const [f, guard] = [formula(), formula()];
        scopes[scopes.length - 1].push(terms.or([terms.not(guard), f]));
        solver.assert(f, guard);
      } else if (what < 5) {
        scopes.push([]);
        solver.push();
      } else if (what < 6 && scopes.length > 1) {
        scopes.pop();
        solver.pop();
      } else {
        const assumptions = Array.from({ length: random.below(3) }, formula);
        const all = [...scopes.flat(), ...assumptions];
        const answer = solver.solve(assumptions);
        checks++;
        if ((answer === 'sat') !== isSatisfiable(terms, all)) t.fail(`round ${round}: ${answer} is wrong`);
        if (answer === 'sat' && !all.every(f => solver.model().isTrue(f))) t.fail(`round ${round}: no model`);
        if (answer === 'unsat' && isSatisfiable(terms, [...scopes.flat(), ...solver.core()]))
          t.fail(`round ${round}: no core`);
      }
    }
    solver.dispose();
  }
  t.ok(checks > 500, `${checks} checks`);
  t.end();
});

t.test('a variable of a formula that waits for its encoding is not eliminated in an inner scope', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(8)));
  const solver = new ConcreteSolver(terms);
  solver.assert(terms.app(Op.BVULT, [x, y]));
  solver.push();
  solver.assert(terms.eq(x, terms.bv(8, 5)));
  solver.assert(terms.eq(y, terms.bv(8, 3)));
  t.equal(solver.solve(), 'unsat');
  solver.pop();
  t.equal(solver.solve(), 'sat');
  t.ok(solver.model().isTrue(terms.app(Op.BVULT, [x, y])));
  t.end();
});

t.test('so many formulas may be asserted between two questions', t => {
  const terms = new TermStore();
  const solver = new ConcreteSolver(terms, { backEnd: cadical, preprocess: false });
  for (let i = 0; i < 200_000; i++) solver.assert(terms.variable('x', terms.sorts.bool));
  t.equal(solver.solve(), 'sat');
  t.end();
});

t.test('a minimal core cannot be made smaller', t => {
  const terms = new TermStore();
  const [x, y, z, u] = ['x', 'y', 'z', 'u'].map(n => terms.variable(n, terms.sorts.bitVec(8)));
  const less = (a: TermId, b: TermId) => terms.app(Op.BVULT, [a, b]);
  const [noise, more] = [less(z, u), terms.eq(x, terms.bv(8, 3))];
  const cycle = [less(x, y), less(y, z), less(z, x)];
  const solver = new ConcreteSolver(terms);
  t.equal(solver.solve([noise, ...cycle, more]), 'unsat');
  t.same(new Set(solver.minimalCore()), new Set(cycle));
  t.throws(() => solver.model(), /only after the answer sat/);
  t.equal(solver.solve([noise]), 'sat');
  t.throws(() => solver.core(), /only after the answer unsat/);
  t.end();
});

/** Is multiplication associative? At this width no solver says so in the time that the test gives. */
function hardQuestion(terms: TermStore): TermId[] {
  return assertionsOf(
    terms,
    `(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (declare-const z (_ BitVec 32))
     (assert (not (= (bvmul x (bvmul y z)) (bvmul (bvmul x y) z))))`,
  );
}

for (const [name, backEnd] of Object.entries(BACK_ENDS)) {
  t.test(`limits end a question, with ${name}`, t => {
    const terms = new TermStore();
    const solver = new ConcreteSolver(terms, { backEnd, abstractionWidth: 1000, preprocess: false });
    for (const f of hardQuestion(terms)) solver.assert(f);
    t.equal(solver.solve([], { deadline: Date.now() + 300 }), 'unknown');
    t.equal(solver.unknownReason, 'deadline');
    t.throws(() => solver.model());
    t.equal(solver.solve([], { conflicts: 10 }), 'unknown');
    t.equal(solver.unknownReason, 'conflicts');
    t.equal(solver.solve([], { signal: { aborted: true } }), 'unknown');
    t.equal(solver.unknownReason, 'aborted');
    solver.dispose();
    t.end();
  });
}

t.test('an encoding that is interrupted anywhere can be taken up again', t => {
  let interruptions = 0;
  for (let polls = 0; polls < 120; polls += 7) {
    const terms = new TermStore();
    const [x, y, z] = ['x', 'y', 'z'].map(n => terms.variable(n, terms.sorts.bitVec(32)));
    const sort = terms.sorts.array(terms.sorts.bitVec(32), terms.sorts.bitVec(32));
    const [a, b] = ['a', 'b'].map(n => terms.variable(n, sort));
    const product = terms.app(Op.BVMUL, [terms.app(Op.BVMUL, [x, y]), z]);
    const solver = new ConcreteSolver(terms, { abstractionWidth: 1000, preprocess: false });
    solver.assert(terms.not(terms.eq(product, terms.bv(32, 2 * 3 * 5))));
    solver.assert(terms.not(terms.eq(terms.app(Op.STORE, [a, x, y]), terms.app(Op.STORE, [b, x, y]))));
    solver.assert(terms.or([terms.eq(a, b), terms.eq(product, terms.bv(32, 30))]));
    let left = polls;
    const signal = {
      get aborted() {
        return left-- <= 0;
      },
    };
    if (solver.solve([], { signal }) === 'unknown') interruptions++;
    t.equal(solver.solve(), 'unsat', `after ${polls} looks at the signal`);
  }
  t.ok(interruptions > 5, `${interruptions} interruptions`);
  t.end();
});

t.test('the heavy back end is loaded when a question is hard, and done without if it cannot be', async t => {
  const question = () => {
    const terms = new TermStore();
    // A law of arithmetic that takes some search to see, but not much.
    const [f] = assertionsOf(
      terms,
      `(declare-const x (_ BitVec 5)) (declare-const y (_ BitVec 5)) (declare-const z (_ BitVec 5))
       (assert (not (= (bvmul (bvmul x y) (bvadd z x)) (bvadd (bvmul (bvmul z y) x) (bvmul x (bvmul x y))))))`,
    );
    return { terms, f };
  };
  const warnings: string[] = [];
  let loads = 0;
  const heavy = new HeavyBackEnd(
    () => {
      loads++;
      return loadCadicalForTests();
    },
    line => warnings.push(line),
  );
  const { terms, f } = question();
  const solver = new ConcreteSolver(terms, { backEnd: heavy.backEnd, preprocess: false });
  solver.assert(f);
  t.equal(solver.solve(), 'unknown');
  t.equal(solver.unknownReason, 'load');
  t.equal(loads, 0, 'nothing is loaded before it is asked for');
  await heavy.load();
  await heavy.load();
  t.equal(loads, 1);
  t.equal(solver.solve(), 'unsat');
  t.equal(solver.solve([terms.eq(f, f)]), 'unsat', 'it stays with the heavy one');
  t.same(warnings, []);

  const broken = new HeavyBackEnd(
    async () => {
      throw new Error('no WebAssembly here');
    },
    line => warnings.push(line),
  );
  const other = question();
  const alone = new ConcreteSolver(other.terms, { backEnd: broken.backEnd, preprocess: false });
  alone.assert(other.f);
  t.equal(alone.solve(), 'unknown');
  await broken.load();
  t.match(warnings.join(), /no WebAssembly here/);
  t.equal(alone.solve(), 'unsat', 'the own engine finishes the work');
});
