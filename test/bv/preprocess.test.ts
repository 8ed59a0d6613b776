/** The preprocessor: equisatisfiable, models carried back, scopes undone; and what it can solve for. */
import t from 'tap';
import { DefinitionGraph } from '../../src/bv/preprocess/definition-order.ts';
import { Preprocessor } from '../../src/bv/preprocess/preprocessor.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import type { SortId } from '../../src/term/sort.ts';
import { type FunctionId, type TermId, TermStore } from '../../src/term/store.ts';
import { sameValue, type Value } from '../../src/term/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { allEvaluators, assertionsOf, variablesOf } from '../support/smtlib.ts';

/** A preprocessor, what was asserted and returned in each open scope, and the contract it has to keep. */
class Session {
  readonly preprocessor: Preprocessor;
  private readonly terms: TermStore;
  private readonly scopes: { asserted: TermId[]; returned: TermId[] }[] = [{ asserted: [], returned: [] }];

  constructor(terms: TermStore, mayEliminate: (v: TermId) => boolean) {
    this.terms = terms;
    this.preprocessor = new Preprocessor(terms, mayEliminate);
  }

  get asserted(): TermId[] {
    return this.scopes.flatMap(s => s.asserted);
  }

  get returned(): TermId[] {
    return this.scopes.flatMap(s => s.returned);
  }

  get depth(): number {
    return this.scopes.length - 1;
  }

  push(): void {
    this.scopes.push({ asserted: [], returned: [] });
    this.preprocessor.push();
  }

  pop(): void {
    this.scopes.pop();
    this.preprocessor.pop();
  }

  assert(assertions: readonly TermId[]): TermId[] {
    const { asserted, returned } = this.scopes[this.scopes.length - 1];
    const formulas = this.preprocessor.simplify(assertions);
    asserted.push(...assertions);
    returned.push(...formulas);
    return formulas;
  }

  eliminated(): TermId[] {
    return this.preprocessor.definitions().map(d => d.variable);
  }

  /** The model with a value for every eliminated variable; fails on a body that comes before what it needs. */
  extension(model: Evaluator, survivors: readonly TermId[]): Evaluator {
    const { terms } = this;
    const values = new Map<FunctionId, Value>(survivors.map(v => [terms.functionOf(v), model.value(v)]));
    const extended = new Evaluator(terms, f => {
      const value = values.get(f);
      if (value === undefined) throw new Error(`${terms.symbol(f).name} has no value yet`);
      return value;
    });
    for (const { variable, body } of this.preprocessor.definitions()) {
      values.set(terms.functionOf(variable), extended.value(body));
    }
    return extended;
  }

  /** What of the contract is broken, by trying all values; otherwise whether the assertions have a model. */
  check(variables: readonly TermId[], questions: readonly TermId[]): boolean | string {
    const { terms, preprocessor, asserted, returned } = this;
    const rewritten = questions.map(q => preprocessor.rewrite(q));
    const definitions = preprocessor.definitions();
    const eliminated = new Set(definitions.map(d => d.variable));
    const remaining = variablesOf(terms, [...returned, ...rewritten]);
    const stale = remaining.find(v => eliminated.has(v));
    if (stale !== undefined) return `${printTerm(terms, stale)} is eliminated and still there`;
    const bodies = definitions.map(d => d.body);
    const survivors = variablesOf(terms, [...variables, ...bodies, ...remaining]).filter(
      v => !eliminated.has(v),
    );
    let hasModel = false;
    for (const model of allEvaluators(terms, survivors)) {
      if (!returned.every(f => model.value(f) === true)) continue;
      hasModel = true;
      const extended = this.extension(model, survivors);
      const broken = asserted.find(f => extended.value(f) !== true);
      if (broken !== undefined) return `no model of ${printTerm(terms, broken)}`;
      const changed = questions.findIndex((q, i) => !sameValue(extended.value(q), model.value(rewritten[i])));
      if (changed >= 0) return `rewriting changes ${printTerm(terms, questions[changed])}`;
    }
    for (const model of allEvaluators(terms, variables)) {
      if (!asserted.every(f => model.value(f) === true)) continue;
      return hasModel ? true : 'all models are lost';
    }
    return hasModel ? 'a model out of nothing' : false;
  }
}

/** Random terms over some variables, rich in what can be inverted. */
class Terms {
  readonly variables: TermId[] = [];
  private readonly terms: TermStore;
  private readonly random: Random;

  /** Variables with about so many bits in all. */
  constructor(terms: TermStore, random: Random, bits: number) {
    this.terms = terms;
    this.random = random;
    const { sorts } = terms;
    const array = sorts.array(sorts.bitVec(1), sorts.bitVec(random.chance(0.5) ? 1 : 2));
    const choices = [sorts.bool, sorts.bool, ...[1, 2, 2, 3, 3].map(w => sorts.bitVec(w)), array];
    for (let left = bits; left > 0; ) {
      const sort = random.pick(choices);
      left -= Math.log2(sorts.size(sort));
      if (left >= 0) this.variables.push(terms.variable(`v${this.variables.length}`, sort));
    }
  }

  /** An assertion: mostly an equation. */
  formula(): TermId {
    const { random, terms } = this;
    const kind = random.below(12);
    const wide = this.variables.filter(v => terms.width(v) > 1);
    if (kind === 8 && wide.length > 0) {
      const part = random.pick(wide);
      const bit = random.below(terms.width(part));
      return terms.eq(
        terms.app(Op.EXTRACT, [part], [bit, bit]),
        this.term(terms.sorts.bitVec(1), random.below(2)),
      );
    }
    if (kind < 6 && this.variables.length > 0) {
      const sort = terms.sort(random.pick(this.variables));
      return terms.eq(this.term(sort, random.below(3)), this.term(sort, random.below(3)));
    }
    if (kind === 6) return terms.not(this.formula());
    if (kind === 7) return terms.and([this.formula(), this.formula()]);
    return this.term(terms.sorts.bool, 3);
  }

  term(sort: SortId, depth: number): TermId {
    const { terms, random } = this;
    const { sorts } = terms;
    const leaves = this.variables.filter(v => terms.sort(v) === sort);
    if (leaves.length > 0 && (depth <= 0 || random.chance(0.3))) return random.pick(leaves);
    const sub = (s: SortId = sort) => this.term(s, depth - 1);
    if (sorts.isArray(sort)) {
      if (depth <= 0) return terms.constArray(sort, sub(sorts.elementSort(sort)));
      if (random.chance(0.3)) return terms.ite(sub(sorts.bool), sub(), sub());
      return terms.app(Op.STORE, [sub(), sub(sorts.indexSort(sort)), sub(sorts.elementSort(sort))]);
    }
    if (sort === sorts.bool) return depth <= 0 ? terms.bool(random.chance(0.5)) : this.boolean(sub);
    const width = sorts.width(sort);
    return depth <= 0 ? terms.bv(width, random.below(2 ** width)) : this.vector(width, sub);
  }

  private boolean(sub: (s?: SortId) => TermId): TermId {
    const { terms, random } = this;
    const vector = terms.sorts.bitVec(1 + random.below(3));
    switch (random.below(7)) {
      case 0:
        return terms.not(sub());
      case 1:
        return terms.app(random.pick([Op.AND, Op.OR]), [sub(), sub()]);
      case 2:
        return terms.app(random.pick([Op.XOR, Op.EQ, Op.IMPLIES]), [sub(), sub()]);
      case 3:
        return terms.ite(sub(), sub(), sub());
      case 4:
        return terms.app(random.pick([Op.BVULT, Op.BVSLE]), [sub(vector), sub(vector)]);
      default: {
        const sort = this.variables.length > 0 ? terms.sort(random.pick(this.variables)) : vector;
        return terms.eq(sub(sort), sub(sort));
      }
    }
  }

  private vector(width: number, sub: (s?: SortId) => TermId): TermId {
    const { terms, random } = this;
    const { sorts } = terms;
    const bits = (w: number) => sub(sorts.bitVec(w));
    const reads = this.variables.filter(v => {
      return sorts.isArray(terms.sort(v)) && sorts.elementSort(terms.sort(v)) === sorts.bitVec(width);
    });
    switch (random.below(10)) {
      case 0:
        return terms.app(random.pick([Op.BVNOT, Op.BVNEG]), [sub()]);
      case 1:
      case 2:
        return terms.app(random.pick([Op.BVADD, Op.BVSUB, Op.BVXOR]), [sub(), sub()]);
      case 3:
        return terms.app(Op.BVMUL, [terms.bv(width, random.below(2 ** width)), sub()]);
      case 4:
        return terms.app(random.pick([Op.ROTATE_LEFT, Op.ROTATE_RIGHT]), [sub()], [random.below(4)]);
      case 5: {
        if (width === 1) return terms.ite(sub(sorts.bool), terms.bv(1, 1), terms.bv(1, 0));
        const low = 1 + random.below(width - 1);
        if (random.chance(0.6)) return terms.app(Op.CONCAT, [bits(width - low), bits(low)]);
        return terms.app(random.pick([Op.ZERO_EXTEND, Op.SIGN_EXTEND]), [bits(low)], [width - low]);
      }
      case 6: {
        if (width > 1 && random.chance(0.3)) return terms.app(Op.REPEAT, [bits(1)], [width]);
        const low = random.below(4 - width);
        return terms.app(Op.EXTRACT, [bits(3)], [low + width - 1, low]);
      }
      case 7:
        return terms.app(random.pick([Op.BVAND, Op.BVOR, Op.BVUDIV]), [sub(), sub()]);
      case 8: {
        if (reads.length === 0) return sub();
        const array = terms.sort(random.pick(reads));
        return terms.app(Op.SELECT, [sub(array), sub(sorts.indexSort(array))]);
      }
      default:
        return terms.ite(sub(sorts.bool), sub(), sub());
    }
  }
}

t.test('random systems keep their models, whatever may be eliminated and whatever scopes come and go', t => {
  const random = seeded(t);
  const counts = { sat: 0, unsat: 0, eliminated: 0, solved: 0, sliced: 0, kept: 0 };
  for (let round = 0; round < 700; round++) {
    const terms = new TermStore();
    const source = new Terms(terms, random, 4 + random.below(5));
    const { variables } = source;
    const fixed = new Set(variables.filter(() => round % 2 === 1 && random.chance(0.3)));
    const session = new Session(terms, v => !fixed.has(v));
    const steps: string[] = [];
    for (let step = round % 3 === 0 ? 1 : 6; step > 0; step--) {
      const action = random.below(5);
      if (action === 0) session.push();
      else if (action === 1 && session.depth > 0) session.pop();
      else session.assert(Array.from({ length: 1 + random.below(3) }, () => source.formula()));
      steps.push(session.asserted.map(f => printTerm(terms, f)).join(' '));
      const sorts = variables.map(v => terms.sort(v));
      const questions = [...variables, ...sorts.map(s => source.term(s, 2)), source.formula()];
      const verdict = session.check(variables, questions);
      if (typeof verdict === 'string') {
        t.fail(`round ${round}: ${verdict}\n${steps.join('\n')}`);
        t.end();
        return;
      }
      if (session.eliminated().some(v => fixed.has(v))) t.fail(`round ${round}: a variable in use was taken`);
      counts[verdict ? 'sat' : 'unsat']++;
      counts.eliminated += session.eliminated().length;
      if (verdict && session.returned.length === 0) counts.solved++;
      const bodies = session.preprocessor.definitions().map(d => d.body);
      if (variablesOf(terms, bodies).some(v => !variables.includes(v))) counts.sliced++;
      if (verdict && session.returned.length > 0) counts.kept++;
    }
  }
  t.comment(JSON.stringify(counts));
  for (const [name, count] of Object.entries(counts)) t.ok(count > 20, `${name} occurs`);
  t.end();
});

const DECLARATIONS = `
  (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
  (declare-const b (_ BitVec 1)) (declare-const c (_ BitVec 1))
  (declare-const x (_ BitVec 3)) (declare-const y (_ BitVec 3)) (declare-const z (_ BitVec 3))
  (declare-const u (_ BitVec 2)) (declare-const v (_ BitVec 1)) (declare-const w (_ BitVec 2))
  (declare-const m (Array (_ BitVec 1) (_ BitVec 1))) (declare-const n (Array (_ BitVec 1) (_ BitVec 1)))`;

interface Example {
  readonly terms: TermStore;
  readonly session: Session;
  readonly variables: readonly TermId[];
  readonly named: (name: string) => TermId;
}

/** A session over the declarations above in which only the variables named may be eliminated. */
function example(free: string, assertions: string): Example {
  const terms = new TermStore();
  const formulas = assertionsOf(terms, `${DECLARATIONS} ${assertions}`);
  const variables = variablesOf(terms, formulas);
  const nameOf = (v: TermId) => printTerm(terms, v);
  const isGiven = new Set(variables);
  const session = new Session(terms, v => !isGiven.has(v) || free.split(' ').includes(nameOf(v)));
  session.assert(formulas);
  const named = (name: string) => variables.find(v => nameOf(v) === name) as TermId;
  return { terms, session, variables, named };
}

/** What is asserted, the variables that may be eliminated, and how many formulas must be left. */
const SOLVED: readonly (readonly [assertions: string, free: string, left: number])[] = [
  ['(assert p)', 'p', 0],
  ['(assert (not p))', 'p', 0],
  ['(assert (= p (and q r)))', 'p', 0],
  ['(assert (distinct p (and q r)))', 'p', 0],
  ['(assert (xor q (xor p r)))', 'p', 0],
  ['(assert (not (or p (not q))))', 'p q', 0],
  ['(assert (= b #b0))', 'b', 0],
  ['(assert (distinct b #b0))', 'b', 0],
  ['(assert (= p (= b c)))', 'b', 0],
  ['(assert (= c (bvxor b (ite p #b1 #b0))))', 'b', 0],
  ['(assert (= c (ite p #b1 #b0)))', 'p', 0],
  ['(assert (= x y))', 'x', 0],
  ['(assert (= y x))', 'x', 0],
  ['(assert (= x (bvudiv y z)))', 'x', 0],
  ['(assert (= (bvnot x) (bvand y z)))', 'x', 0],
  ['(assert (= (bvneg x) (bvand y z)))', 'x', 0],
  ['(assert (= (bvadd y x) z))', 'x', 0],
  ['(assert (= (bvsub y x) z))', 'x', 0],
  ['(assert (= (bvsub x y) z))', 'x', 0],
  ['(assert (= (bvxor y x) z))', 'x', 0],
  ['(assert (= (bvmul #b011 x) z))', 'x', 0],
  ['(assert (= (bvmul (bvadd x y) #b101) z))', 'x', 0],
  ['(assert (= ((_ rotate_left 2) x) z))', 'x', 0],
  ['(assert (= ((_ rotate_right 1) (bvnot x)) z))', 'x', 0],
  ['(assert (= (concat u v) z))', 'u v', 0],
  ['(assert (= (concat u v) z))', 'u', 1],
  ['(assert (= (concat v u) (bvadd y z)))', 'u', 1],
  ['(assert (= (bvadd y (concat (bvneg u) v)) z))', 'u v', 0],
  ['(assert (= ((_ zero_extend 1) u) z))', 'u', 1],
  ['(assert (= ((_ sign_extend 1) u) z))', 'u', 1],
  ['(assert (= ((_ zero_extend 1) u) #b010))', 'u', 0],
  ['(assert (= ((_ sign_extend 1) u) #b110))', 'u', 0],
  ['(assert (= ((_ repeat 3) v) z))', 'v', 1],
  ['(assert (= ((_ extract 1 0) x) #b10))', 'x', 0],
  ['(assert (= ((_ extract 1 1) x) #b1)) (assert (= ((_ extract 0 0) x) v))', 'x', 0],
  ['(assert (= ((_ extract 2 1) x) w)) (assert (not (= ((_ extract 0 0) x) #b1)))', 'x', 0],
  ['(assert (= m (store n v b)))', 'm', 0],
  ['(assert (= x (bvadd x y)))', 'y', 0],
  ['(assert (= (bvadd x y) (bvand x z)))', 'y', 0],
  ['(assert (= x (bvadd y #b001))) (assert (= x (bvadd z #b010)))', 'x y', 0],
  ['(assert (= x (bvand y z))) (assert (= y (bvor x z)))', 'x', 1],
  ['(assert (= x #b101)) (assert (= y (bvmul x z))) (assert (bvult y (bvadd x #b001)))', 'x y', 1],
];

t.test('each form is solved for its variables', t => {
  for (const [assertions, free, left] of SOLVED) {
    const { terms, session, variables, named } = example(free, assertions);
    const gone = session.eliminated();
    const what = `${assertions} for ${free}`;
    t.ok(
      free.split(' ').every(name => gone.includes(named(name))),
      `${what} eliminates`,
    );
    t.equal(
      session.returned.length,
      left,
      `${what} leaves ${session.returned.map(f => printTerm(terms, f))}`,
    );
    t.type(session.check(variables, variables), 'boolean', what);
  }
  t.end();
});

t.test('where one variable occurs twice, another is solved for', t => {
  const small = example('x y', '(assert (= (bvadd x y) (bvand x z)))');
  t.same(small.session.eliminated(), [small.named('y')]);
  // Too large for its occurrences to be counted: that x occurs twice is found out as a cycle.
  let sum = '(bvand x z)';
  for (let i = 0; i < 300; i++) sum = `(bvor z (bvmul y ${sum}))`;
  const large = example('x u', `(assert (= (bvadd x (concat u v)) ${sum}))`);
  t.same(large.session.eliminated(), [large.named('u')]);
  t.equal(large.session.check(large.variables, large.variables), true);
  t.end();
});

t.test('what cannot be solved, or must not be, stays', t => {
  for (const [assertions, free] of [
    ['(assert (= x (bvand x y)))', 'x'],
    ['(assert (= (bvmul #b010 x) y))', 'x'],
    ['(assert (= (bvadd x y) (bvand x z)))', 'x'],
    ['(assert (= ((_ extract 1 0) x) ((_ extract 2 1) x)))', 'x'],
    ['(assert (or p (= x y)))', 'x p'],
    ['(assert (distinct x y))', 'x y'],
    ['(assert (= x y)) (assert p)', ''],
  ] as const) {
    const { session, variables } = example(free, assertions);
    t.same(session.eliminated(), [], assertions);
    t.type(session.check(variables, variables), 'boolean', assertions);
  }
  t.end();
});

t.test('asserted formulas simplify one another and never themselves', t => {
  const left = (assertions: string) => {
    const { terms, session, variables } = example('', assertions);
    t.type(session.check(variables, variables), 'boolean', assertions);
    return session.returned.map(f => printTerm(terms, f)).sort();
  };
  t.same(left('(assert (or p q)) (assert (=> (or p q) r))'), ['(or p q)', 'r']);
  t.same(left('(assert (not (= x y))) (assert (= r (= x y)))'), ['(not (= x y))', '(not r)']);
  t.same(left('(assert (bvult x y)) (assert (bvult x y))'), ['(bvult x y)']);
  t.same(left('(assert (bvult x y)) (assert (bvuge x y))'), ['false']);
  t.same(left('(assert (= x #b010)) (assert (= x #b011))'), ['false']);
  t.same(left('(assert (= x #b010)) (assert (= y (bvadd x #b001)))'), ['(= #b010 x)', '(= #b011 y)']);
  t.same(left('(assert (or p q)) (assert (or r (not (or p q))))'), ['(or p q)', 'r']);
  t.same(left('(assert (or (= x y) p)) (assert (= q (or p (= x y)))) (assert q)').length, 2);
  t.end();
});

t.test('definitions are kept unless they are circular, and come in order', t => {
  const random = seeded(t);
  const counts = { kept: 0, cyclic: 0 };
  for (let round = 0; round < 500; round++) {
    const terms = new TermStore();
    const sort = terms.sorts.bitVec(8);
    const variables = Array.from({ length: 2 + random.below(12) }, (_, i) => terms.variable(`v${i}`, sort));
    const pool = [...variables]; // terms that bodies share
    for (let i = random.below(20); i > 0; i--) {
      pool.push(terms.app(Op.BVUDIV, [random.pick(pool), random.pick(pool)]));
    }
    const bodies = new Map(
      variables.filter(() => random.chance(0.8)).map(v => [v, random.pick(pool.slice(round % 2))]),
    );
    const mentions = (v: TermId) => variablesOf(terms, [bodies.get(v) as TermId]);
    const { order, cyclic } = new DefinitionGraph(terms).order(bodies);
    t.same(new Set([...order, ...cyclic]), new Set(bodies.keys()));
    const taken = new Set<TermId>();
    for (const v of order) {
      const early = mentions(v).find(w => order.includes(w) && !taken.has(w));
      if (early !== undefined) t.fail(`round ${round}: ${printTerm(terms, v)} comes before what it needs`);
      taken.add(v);
    }
    for (const v of cyclic) {
      // Given up for a reason: with all definitions in force, v leads back to itself.
      const reached = new Set(mentions(v));
      for (const w of reached) if (bodies.has(w)) for (const x of mentions(w)) reached.add(x);
      if (!reached.has(v)) t.fail(`round ${round}: ${printTerm(terms, v)} was given up for nothing`);
    }
    counts.kept += order.length;
    counts.cyclic += cyclic.length;
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.kept > 100 && counts.cyclic > 100);
  t.end();
});

t.test('a term shared by two definitions on one cycle', t => {
  // y and z both lead to x through the same term, so giving up one of them breaks only one of two cycles.
  const { session, variables } = example(
    'x y z',
    `(assert (= x (bvand y (bvor z #b001)))) (assert (= y (bvudiv (bvmul x x) #b011)))
     (assert (= z (bvurem (bvmul x x) #b101)))`,
  );
  t.ok(session.eliminated().length > 0);
  t.equal(session.check(variables, variables), true);
  t.end();
});

t.test('uninterpreted sorts and functions', t => {
  const terms = new TermStore();
  const assertions = assertionsOf(
    terms,
    `(declare-sort S 0) (declare-const a S) (declare-const b S) (declare-const c S) (declare-fun f (S) S)
     (assert (= (f b) a)) (assert (= c (f c))) (assert (= (f (f a)) (f b)))`,
  );
  const [a] = variablesOf(terms, assertions).filter(v => printTerm(terms, v) === 'a');
  const preprocessor = new Preprocessor(terms, () => true);
  const left = preprocessor.simplify(assertions).map(f => printTerm(terms, f));
  t.same(
    preprocessor.definitions().map(d => [d.variable, printTerm(terms, d.body)]),
    [[a, '(f b)']],
    'only variables are eliminated',
  );
  t.same(left.length, 2);
  t.ok(left.includes('(= c (f c))'));
  t.end();
});

t.test('what holds is used later, until its scope is popped', t => {
  const { terms, session, named } = example(
    'x z',
    '(assert (= x (bvadd y #b001))) (assert (bvult y z)) (assert p)',
  );
  const [x, y, z, p] = ['x', 'y', 'z', 'p'].map(named);
  const { preprocessor } = session;
  const one = terms.bv(3, 1);
  t.same(session.eliminated(), [x]);
  t.equal(preprocessor.rewrite(terms.app(Op.BVSUB, [x, one])), y, 'x is y + 1');
  t.equal(preprocessor.rewrite(p), terms.true);
  const less = terms.app(Op.BVULT, [y, z]);
  t.equal(preprocessor.rewrite(less), terms.true, 'what is asserted is true');
  session.push();
  t.same(session.assert([terms.eq(y, one)]).length, 1, 'y is in use, so its value is a formula');
  t.equal(preprocessor.rewrite(x), terms.bv(3, 2));
  session.pop();
  t.equal(preprocessor.rewrite(x), preprocessor.rewrite(terms.app(Op.BVADD, [y, one])));
  t.not(preprocessor.rewrite(x), terms.bv(3, 2));
  t.throws(() => session.preprocessor.pop(), /no open scope/);
  t.end();
});

t.test('a formula handed out keeps its variables, encoded or not', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(name => terms.variable(name, terms.sorts.bitVec(8)));
  const preprocessor = new Preprocessor(terms, () => true);
  const less = terms.app(Op.BVULT, [x, y]);
  t.same(preprocessor.simplify([less]), [less]);
  preprocessor.push();
  const values = [terms.eq(terms.bv(8, 5), x), terms.eq(terms.bv(8, 3), y)];
  t.same(new Set(preprocessor.simplify(values)), new Set(values), 'x < y says nothing of x = 5 and y = 3');
  preprocessor.pop();
  preprocessor.push();
  t.same(preprocessor.definitions(), []);
  preprocessor.pop();
  t.end();
});

t.test('a variable of an outer definition may be eliminated inside', t => {
  const { terms, session, variables, named } = example('x y', '(assert (= x (bvmul y z)))');
  const [x, y] = ['x', 'y'].map(named);
  session.push();
  t.same(session.assert([terms.eq(y, terms.bv(3, 0))]), []);
  t.same(session.eliminated(), [y, x], 'what is needed comes first');
  t.equal(session.preprocessor.rewrite(x), terms.bv(3, 0));
  t.equal(session.check(variables, variables), true);
  session.pop();
  t.same(session.eliminated(), [x]);
  t.equal(session.preprocessor.rewrite(y), y);
  t.equal(session.check(variables, variables), true);
  t.end();
});

t.test('asking again and again declares no new symbols', t => {
  const terms = new TermStore();
  const x = terms.variable('x', terms.sorts.bitVec(3));
  const slice = terms.eq(terms.app(Op.EXTRACT, [x], [1, 1]), terms.bv(1, 1));
  const preprocessor = new Preprocessor(terms, () => true);
  const ask = () => {
    preprocessor.push();
    t.same(preprocessor.simplify([slice]), []);
    preprocessor.pop();
  };
  ask();
  const { size } = terms;
  for (let i = 0; i < 5; i++) ask();
  t.equal(terms.size, size);
  t.end();
});

/** Is every assertion true in the extension of a model that gives all survivors the value 1? */
function holdsWithOnes(terms: TermStore, preprocessor: Preprocessor, assertions: readonly TermId[]): boolean {
  const values = new Map<FunctionId, Value>();
  const model = new Evaluator(terms, f => values.get(f) ?? 1);
  for (const { variable, body } of preprocessor.definitions()) {
    values.set(terms.functionOf(variable), model.value(body));
  }
  return assertions.every(a => model.value(a) === true);
}

t.test('long chains of definitions and deep terms', t => {
  const length = 100_000;
  const byName = ['downwards', 'upwards', 'shuffled'] as const;
  const random = seeded(t);
  for (const name of byName) {
    const terms = new TermStore();
    const sort = terms.sorts.bitVec(32);
    const v = Array.from({ length }, (_, i) => terms.variable(`v${i}`, sort));
    const chain = v.slice(3).map((x, i) => terms.eq(x, terms.app(Op.BVADD, [v[i + 2], v[i]])));
    if (name === 'downwards') chain.reverse();
    if (name === 'shuffled') {
      for (let i = chain.length - 1; i > 0; i--) {
        const j = random.below(i + 1);
        [chain[i], chain[j]] = [chain[j], chain[i]];
      }
    }
    const preprocessor = new Preprocessor(terms, () => true);
    const start = performance.now();
    t.same(preprocessor.simplify(chain), [], name);
    t.comment(`${name}: ${Math.round(performance.now() - start)} ms`);
    t.equal(preprocessor.definitions().length, chain.length);
    t.ok(holdsWithOnes(terms, preprocessor, chain), 'and the model is carried back');
  }

  const terms = new TermStore();
  const sort = terms.sorts.bitVec(32);
  const [x, y, z] = ['x', 'y', 'z'].map(name => terms.variable(name, sort));
  let deep = x;
  for (let i = 0; i < length; i++) deep = terms.app(i % 2 === 0 ? Op.BVMUL : Op.BVAND, [deep, i % 3 ? y : x]);
  const assertions = [
    terms.eq(z, deep),
    terms.eq(y, terms.app(Op.BVNOT, [terms.app(Op.BVADD, [deep, y])])),
    terms.app(Op.BVULT, [z, terms.bv(32, 7)]),
  ];
  const preprocessor = new Preprocessor(terms, () => true);
  const start = performance.now();
  const left = preprocessor.simplify(assertions);
  t.comment(`deep: ${Math.round(performance.now() - start)} ms`);
  t.same(
    preprocessor.definitions().map(d => d.variable),
    [z],
    'y occurs deep inside its own equation',
  );
  t.equal(left.length, 2);
  t.end();
});
