/** The EUF solver against Ackermann's expansion, with cores, models and explanations checked. */
import { loadCadical } from 'cadical-wasm';
import t from 'tap';
import { EufSolver } from '../../src/euf/solver.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import type { SortId } from '../../src/term/sort.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';
import { extremeOptions } from '../sat/support.ts';
import { Ackermann } from '../support/ackermann.ts';
import { type Random, seeded } from '../support/random.ts';

const module = await loadCadical();

/** Functions, variables and constants over two uninterpreted sorts, Booleans and 2-bit vectors. */
class Vocabulary {
  readonly terms = new TermStore();
  readonly bool: SortId;
  private readonly random: Random;
  private readonly pool: TermId[] = [];
  private readonly makers: (() => TermId | undefined)[] = [];

  constructor(random: Random, withOperators: boolean) {
    const { terms, pool } = this;
    const { sorts } = terms;
    this.random = random;
    this.bool = sorts.bool;
    const [s, u, bv] = [sorts.declare('S'), sorts.declare('U'), sorts.bitVec(2)];
    const array = sorts.array(bv, bv);
    for (const [sort, count] of [
      [s, 3 + random.below(3)],
      [u, 2],
      [bv, 2],
      [sorts.bool, 3],
      [array, random.below(2)],
    ] as const) {
      for (let i = 0; i < count; i++) pool.push(terms.variable(`v${pool.length}`, sort));
    }
    for (let i = random.below(4); i >= 0; i--) pool.push(terms.bv(2, i));
    const functions = (
      [
        [[s], s],
        [[s, s], s],
        [[s, bv], u],
        [[u], bv],
        [[s], sorts.bool],
        [[sorts.bool, s], s],
        [[u, u], sorts.bool],
      ] as const
    ).map(([parameters, result], i) => terms.declare(`f${i}`, parameters, result));
    for (const f of functions) {
      const { parameters } = terms.symbol(f);
      this.makers.push(() =>
        terms.apply(
          f,
          parameters.map(p => this.pickOf(p)),
        ),
      );
    }
    const operators = withOperators
      ? [Op.BVADD, Op.BVMUL, Op.BVULT, Op.BVNOT, Op.SELECT, Op.STORE, Op.BVSLT, Op.BVCOMP]
      : [];
    for (const op of operators) {
      this.makers.push(() => {
        const count = op === Op.BVNOT ? 1 : op === Op.STORE ? 3 : 2;
        const wants = op === Op.SELECT ? [array, bv] : op === Op.STORE ? [array, bv, bv] : [bv, bv];
        if (!pool.some(x => terms.sort(x) === array) && wants[0] === array) return undefined;
        return terms.app(
          op,
          wants.slice(0, count).map(w => this.pickOf(w)),
        );
      });
    }
    this.makers.push(() => {
      const a = random.pick(pool);
      return terms.ite(this.pickOf(sorts.bool), a, this.pickOf(terms.sort(a)));
    });
    for (let i = 4 + random.below(8); i > 0; i--) this.grow();
  }

  /** Adds an application to the pool. */
  grow(): void {
    const made = this.random.pick(this.makers)();
    if (made !== undefined) this.pool.push(made);
  }

  /** A formula that defines a new variable, which from then on may occur elsewhere. */
  definition(): TermId {
    const body = this.random.chance(0.3) ? this.formula(1) : this.random.pick(this.pool);
    const variable = this.terms.variable(`d${this.pool.length}`, this.terms.sort(body));
    this.pool.push(variable);
    return this.random.chance(0.5) ? this.terms.eq(variable, body) : this.terms.eq(body, variable);
  }

  pickOf(sort: SortId): TermId {
    return this.random.pick(this.pool.filter(x => this.terms.sort(x) === sort));
  }

  /** A random formula over the pool. */
  formula(depth: number): TermId {
    const { terms, random } = this;
    if (depth === 0 || random.chance(0.2)) {
      const a = random.pick(this.pool);
      if (random.chance(0.25)) return this.pickOf(this.bool);
      if (random.chance(0.1)) {
        const args = Array.from({ length: 3 + random.below(6) }, () => this.pickOf(terms.sort(a)));
        return terms.app(Op.DISTINCT, args);
      }
      const atom = terms.eq(a, this.pickOf(terms.sort(a)));
      return random.chance(0.5) ? atom : terms.not(atom);
    }
    const sub = () => this.formula(depth - 1);
    switch (random.below(8)) {
      case 0:
        return terms.not(sub());
      case 1:
        return terms.app(Op.XOR, [sub(), sub()]);
      case 2:
        return terms.app(Op.IMPLIES, [sub(), sub()]);
      case 3:
        return terms.ite(sub(), sub(), sub());
      case 4:
        return terms.eq(sub(), sub());
      case 5:
      case 6:
        return terms.app(Op.OR, [sub(), sub(), sub()]);
      default:
        return terms.app(Op.AND, [sub(), sub()]);
    }
  }
}

/** Checks a model: under the tables that it gives for every function, the evaluator finds the formulas true. */
function isModel(terms: TermStore, solver: EufSolver, formulas: readonly TermId[]): boolean {
  const model = solver.model();
  const tables = new Map<string, unknown>();
  for (const term of terms.postorder(formulas)) {
    const op = terms.op(term);
    if (terms.arity(term) === 0 || op === Op.EQ || op === Op.DISTINCT || (op >= Op.NOT && op <= Op.ITE))
      continue;
    const args = terms.args(term).map(a => model.value(a));
    const key = `${op} ${terms.payload(term)} ${terms.sort(term)}: ${args}`;
    const result = model.value(term);
    if (tables.has(key) && tables.get(key) !== result) return false; // not a function
    tables.set(key, result);
  }
  const constants = terms.postorder(formulas).filter(x => terms.isConstant(x));
  if (new Set(constants.map(c => model.value(c))).size !== constants.length) return false;
  // Elements as numbers, Booleans as Booleans: now the formula is one over plain values.
  const truth = model.value(terms.true);
  const asValue = (x: TermId): Value =>
    terms.sort(x) === terms.sorts.bool ? model.value(x) === truth : model.value(x);
  const leaves = new Map<TermId, TermId>();
  const abstracted = new TermStore();
  const element = abstracted.sorts.declare('Element');
  const image = new Map<TermId, TermId>();
  for (const x of terms.postorder(formulas)) {
    const op = terms.op(x);
    const args = terms.args(x).map(a => image.get(a) as TermId);
    const isStructure = op === Op.EQ || op === Op.DISTINCT || (op >= Op.NOT && op <= Op.ITE);
    if (isStructure) {
      image.set(x, abstracted.app(op, args));
    } else {
      const sort = terms.sort(x) === terms.sorts.bool ? abstracted.sorts.bool : element;
      const leaf = abstracted.variable(`e${x}`, sort);
      leaves.set(leaf, x);
      image.set(x, leaf);
    }
  }
  const evaluator = new Evaluator(abstracted, f => asValue(leaves.get(abstracted.apply(f, [])) as TermId));
  return formulas.every(f => evaluator.value(image.get(f) as TermId) === true);
}

/** Is the clause true in every model of EUF? */
function isTheoryLemma(terms: TermStore, evaluateConstants: boolean, clause: readonly TermId[]): boolean {
  const negated = clause.map(l => terms.not(l));
  const oracle = new Ackermann(terms, module, evaluateConstants, negated);
  const isLemma = !oracle.isSatisfiable(negated);
  oracle.dispose();
  return isLemma;
}

const ROUNDS = 2000;

t.test(`${ROUNDS} random formulas agree with Ackermann's expansion`, t => {
  const random = seeded(t);
  const counts = { sat: 0, unsat: 0, lemmas: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const evaluateConstants = random.chance(0.7);
    const vocabulary = new Vocabulary(random, random.chance(0.6));
    const { terms } = vocabulary;
    const asserted = Array.from({ length: 2 + random.below(6) }, () =>
      vocabulary.formula(1 + random.below(2)),
    );
    const assumed = Array.from({ length: random.below(6) }, () => vocabulary.formula(random.below(2)));
    const oracle = new Ackermann(terms, module, evaluateConstants, [...asserted, ...assumed]);
    const lemmas: (readonly TermId[])[] = [];
    const search = { ...(random.chance(0.5) ? extremeOptions(random) : {}), checkTheory: true };
    const solver = new EufSolver(terms, {
      evaluateConstants,
      search,
      onLemma: clause => lemmas.push(clause),
    });
    for (const f of asserted) solver.assert(f);
    const result = solver.solve(assumed);
    const expected = oracle.isSatisfiable([...asserted, ...assumed]) ? 'sat' : 'unsat';
    if (result !== expected) {
      t.fail(
        `round ${round}: ${result}, expected ${expected}: ${[...asserted, ...assumed].map(f => printTerm(terms, f))}`,
      );
      break;
    }
    counts[expected]++;
    counts.lemmas += lemmas.length;
    const wrong = lemmas.find(clause => !isTheoryLemma(terms, evaluateConstants, clause));
    if (wrong !== undefined) t.fail(`round ${round}: no lemma: ${wrong.map(l => printTerm(terms, l))}`);
    if (result === 'sat') {
      if (!isModel(terms, solver, [...asserted, ...assumed])) t.fail(`round ${round}: the model is none`);
    } else {
      const core = solver.core();
      if (!core.every(c => assumed.includes(c))) t.fail(`round ${round}: the core is no subset`);
      if (oracle.isSatisfiable([...asserted, ...core])) t.fail(`round ${round}: the core is satisfiable`);
    }
    oracle.dispose();
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.sat > 300 && counts.unsat > 300 && counts.lemmas > 1000, 'all cases are common');
  t.end();
});

t.test('random scripts of assert, push, pop and assume', t => {
  const random = seeded(t);
  for (let round = 0; round < 200; round++) {
    const evaluateConstants = random.chance(0.7);
    const vocabulary = new Vocabulary(random, random.chance(0.6));
    const { terms } = vocabulary;
    const search = { ...(random.chance(0.5) ? extremeOptions(random) : {}), checkTheory: true };
    const solver = new EufSolver(terms, { evaluateConstants, search });
    const definitions = Array.from({ length: random.below(8) }, () => vocabulary.definition());
    if (definitions.length > 0) solver.assert(terms.and(definitions));
    const scopes: TermId[][] = [definitions];
    for (let step = 0; step < 30; step++) {
      const action = random.below(10);
      if (action < 3) {
        const f = vocabulary.formula(1);
        const guard = random.chance(0.3) ? vocabulary.formula(0) : undefined;
        solver.assert(f, guard);
        scopes[scopes.length - 1].push(guard === undefined ? f : terms.app(Op.IMPLIES, [guard, f]));
      } else if (action === 3) {
        solver.push();
        scopes.push([]);
      } else if (action === 4 && scopes.length > 1) {
        solver.pop();
        scopes.pop();
      } else if (action === 5) {
        vocabulary.grow();
      } else {
        const asserted = scopes.flat();
        const assumed = Array.from({ length: random.below(5) }, () => vocabulary.formula(random.below(2)));
        const oracle = new Ackermann(terms, module, evaluateConstants, [...asserted, ...assumed]);
        const result = solver.solve(assumed);
        const expected = oracle.isSatisfiable([...asserted, ...assumed]) ? 'sat' : 'unsat';
        if (result !== expected) t.fail(`round ${round}, step ${step}: ${result}, expected ${expected}`);
        else if (result === 'sat' && !isModel(terms, solver, [...asserted, ...assumed])) {
          t.fail(`round ${round}, step ${step}: the model is none`);
        } else if (result === 'unsat' && oracle.isSatisfiable([...asserted, ...solver.core()])) {
          t.fail(`round ${round}, step ${step}: the core is satisfiable`);
        }
        oracle.dispose();
      }
    }
  }
  t.pass();
  t.end();
});

/** n diamonds: from x0 one gets to xn by way of y or z, n times; ends apart, or free. */
function diamonds(n: number, areApart: boolean): { terms: TermStore; formulas: TermId[] } {
  const terms = new TermStore();
  const sort = terms.sorts.declare('S');
  const make = (name: string) => Array.from({ length: n + 1 }, (_, i) => terms.variable(`${name}${i}`, sort));
  const [x, y, z] = ['x', 'y', 'z'].map(make);
  const by = (middle: TermId[], i: number) =>
    terms.and([terms.eq(x[i], middle[i]), terms.eq(middle[i], x[i + 1])]);
  const formulas = Array.from({ length: n }, (_, i) => terms.or([by(y, i), by(z, i)]));
  const ends = terms.eq(x[0], x[n]);
  return { terms, formulas: [...formulas, areApart ? terms.not(ends) : ends] };
}

t.test('diamonds take a few conflicts each, not twice as many with each', t => {
  for (const n of [10, 40, 80]) {
    const { terms, formulas } = diamonds(n, true);
    const lemmas: (readonly TermId[])[] = [];
    const solver = new EufSolver(terms, {
      onLemma: clause => lemmas.push(clause),
      search: { checkTheory: true },
    });
    for (const f of formulas) solver.assert(f);
    t.equal(solver.solve(), 'unsat');
    t.ok(solver.stats.conflicts < 100 + 20 * n, `${solver.stats.conflicts} conflicts for ${n} diamonds`);
    if (n === 10)
      t.ok(
        lemmas.every(clause => isTheoryLemma(terms, true, clause)),
        'lemmas are lemmas',
      );
  }
  const { terms, formulas } = diamonds(40, false);
  const solver = new EufSolver(terms);
  for (const f of formulas) solver.assert(f);
  t.equal(solver.solve(), 'sat');
  t.ok(isModel(terms, solver, formulas));
  t.end();
});

t.test('questions to a model', t => {
  const terms = new TermStore();
  const sort = terms.sorts.declare('S');
  const f = terms.declare('f', [sort], sort);
  const [a, b, c] = ['a', 'b', 'c'].map(name => terms.variable(name, sort));
  const image = (x: TermId) => terms.apply(f, [x]);
  const solver = new EufSolver(terms);
  solver.assert(terms.eq(a, b));
  solver.assert(terms.not(terms.eq(b, c)));
  solver.assert(terms.eq(image(a), c));
  t.equal(solver.solve(), 'sat');
  const model = solver.model();
  t.ok(model.areEqual(image(b), c), 'a term that was never asserted has the class of a congruent one');
  t.notOk(model.areEqual(a, c));
  t.ok(model.isTrue(terms.eq(image(b), image(a))));
  t.notOk(model.isTrue(terms.eq(a, c)));
  t.same(model.partition([a, c, b, image(a), image(b)]), [
    [a, b],
    [c, image(a), image(b)],
  ]);
  t.end();
});

t.test('a Boolean that a question left undecided is false also as an argument', t => {
  const terms = new TermStore();
  const { bool } = terms.sorts;
  const sort = terms.sorts.declare('S');
  const [a, b] = ['a', 'b'].map(n => terms.variable(n, sort));
  const q = terms.variable('q', bool);
  const symbol = terms.declare('f', [bool], sort);
  const f = (x: TermId) => terms.apply(symbol, [x]);
  const solver = new EufSolver(terms);
  solver.push();
  solver.assert(terms.eq(f(q), b)); // from now on there is a node for f(q)
  t.equal(solver.solve(), 'sat');
  solver.pop();
  t.equal(solver.solve([terms.eq(f(terms.false), a), terms.not(terms.eq(a, b))]), 'sat');
  const model = solver.model();
  t.equal(model.areEqual(f(q), f(terms.bool(model.isTrue(q)))), true);
  t.end();
});
