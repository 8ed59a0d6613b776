/**
 * Lemmas on demand for arrays and functions. Random questions over tiny sorts are decided twice: by trying
 * all arrays and functions, and by a toy solver in a loop with the lemmas. Of every lemma on the way it is
 * checked that it is valid, that the reading violates it and that it speaks of nothing new; of every model,
 * that each term has the value that the reading says.
 */
import t from 'tap';
import { Lemmas, type Reading } from '../../src/bv/lemmas/lemmas.ts';
import { concernsLemmas, isArrayEquality, isArrayTerm } from '../../src/bv/lemmas/occurrences.ts';
import { type Lit, negate, positive } from '../../src/sat/literals.ts';
import { Solver } from '../../src/sat/solver.ts';
import { Unknown } from '../../src/sat/unknown.ts';
import { applyOperator, Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { type SortId, SortKind } from '../../src/term/sort.ts';
import { type FunctionId, type TermId, TermStore } from '../../src/term/store.ts';
import { ArrayValue, allValues, domain, sameValue, type Value } from '../../src/term/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { assertionsOf } from '../support/smtlib.ts';

/** Elements of an uninterpreted sort that the toy solver chooses from: more than any test here can need. */
const ELEMENTS = 6;

/** So many interpretations are tried at most. */
const BRUTE_FORCE = 10_000;

// ---- all interpretations ----

function functionsOf(terms: TermStore, roots: readonly TermId[]): FunctionId[] {
  const applications = terms.postorder(roots).filter(t => terms.op(t) === Op.APPLY);
  return [...new Set(applications.map(t => terms.functionOf(t)))];
}

/**
 * All that a function with at most one parameter can be, written down as an array, or a choice of it where
 * an uninterpreted sort makes it infinite.
 */
function allMeanings(terms: TermStore, f: FunctionId, random: Random): Value[] {
  const { parameters, result } = terms.symbol(f);
  const { sorts } = terms;
  const sort = parameters.length === 0 ? result : sorts.array(parameters[0], result);
  const isInfinite = isUninterpreted(terms, sort) || (sorts.isArray(sort) && sorts.size(sort) === Infinity);
  if (!isInfinite) return [...allValues(sorts, sort)];
  return Array.from({ length: 4 * ELEMENTS }, () => randomValue(terms, sort, random));
}

function isUninterpreted({ sorts }: TermStore, sort: SortId): boolean {
  return sorts.kind(sort) === SortKind.UNINTERPRETED;
}

function randomValue(terms: TermStore, sort: SortId, random: Random): Value {
  const { sorts } = terms;
  if (!sorts.isArray(sort)) return random.pick(valuesOf(terms, sort));
  const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
  const value = (s: SortId) => random.pick(valuesOf(terms, s));
  let array = ArrayValue.constant(value(element), domain(sorts, index));
  for (let n = random.below(ELEMENTS); n > 0; n--) array = array.store(value(index), value(element));
  return array;
}

function evaluatorOf(terms: TermStore, meaning: (f: FunctionId) => Value): Evaluator {
  return new Evaluator(terms, (f, args) =>
    args.length === 0 ? meaning(f) : (meaning(f) as ArrayValue).select(args[0]),
  );
}

/** An evaluator for each interpretation, or for `limit` of them drawn at random where there are more. */
function* interpretations(
  terms: TermStore,
  roots: readonly TermId[],
  random: Random,
  limit: number,
): Generator<Evaluator> {
  const functions = functionsOf(terms, roots);
  const domains = functions.map(f => allMeanings(terms, f, random));
  const slot = new Map(functions.map((f, i) => [f, i]));
  const total = domains.reduce((n, d) => n * d.length, 1);
  const choice = domains.map(() => 0);
  const evaluator = () =>
    evaluatorOf(terms, f => domains[slot.get(f) as number][choice[slot.get(f) as number]]);
  for (let count = 0; count < Math.min(total, limit); count++) {
    yield evaluator();
    if (total > limit) domains.forEach((d, i) => void (choice[i] = random.below(d.length)));
    else for (let i = 0; i < choice.length && ++choice[i] === domains[i].length; i++) choice[i] = 0;
  }
}

function countInterpretations(terms: TermStore, roots: readonly TermId[], random: Random): number {
  return functionsOf(terms, roots).reduce((n, f) => n * allMeanings(terms, f, random).length, 1);
}

// ---- the toy solver ----

/** One variable for each value of each term that is not an array; operators by the table of their values. */
class Toy {
  readonly solver = new Solver();
  private readonly terms: TermStore;
  private readonly literals = new Map<TermId, Map<Value, Lit>>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  assert(formula: TermId): void {
    const { terms } = this;
    for (const t of terms.postorder([formula])) this.encode(t);
    const parts = terms.op(formula) === Op.OR ? terms.args(formula) : [formula];
    this.solver.addClause(parts.map(p => this.literal(p, true)));
  }

  solve(): Reading | undefined {
    if (this.solver.solve() === 'unsat') return undefined;
    const reading = new Map<TermId, Value>();
    for (const [t, values] of this.literals) {
      for (const [value, lit] of values) if (this.solver.value(lit) === true) reading.set(t, value);
    }
    return t => {
      const value = reading.get(t);
      if (value === undefined) throw new Error(`the reading was asked for ${printTerm(this.terms, t)}`);
      return value;
    };
  }

  private literal(t: TermId, value: Value): Lit {
    return this.literals.get(t)?.get(value) as Lit;
  }

  private encode(t: TermId): void {
    const { terms, solver } = this;
    if (this.literals.has(t) || isArrayTerm(terms, t)) return;
    const values = valuesOf(terms, terms.sort(t));
    const literals = values.map(() => positive(solver.newVar()));
    this.literals.set(t, new Map(values.map((v, i) => [v, literals[i]])));
    solver.addClause(literals);
    literals.forEach((a, i) => {
      for (const b of literals.slice(i + 1)) solver.addClause([negate(a), negate(b)]);
    });
    if (!isUnknown(terms, t)) this.encodeMeaning(t);
  }

  private encodeMeaning(t: TermId): void {
    const { terms, solver } = this;
    const args = terms.args(t);
    const [isOr, isAnd] = [terms.op(t) === Op.OR, terms.op(t) === Op.AND];
    if (isOr || isAnd) {
      const parts = args.map(a => this.literal(a, isOr));
      solver.addClause([this.literal(t, !isOr), ...parts]);
      for (const p of parts) solver.addClause([this.literal(t, isOr), negate(p)]);
      return;
    }
    let rows: Value[][] = [[]];
    for (const a of args) rows = rows.flatMap(row => valuesOf(terms, terms.sort(a)).map(v => [...row, v]));
    for (const row of rows) {
      const result = this.literal(t, meaning(terms, t, row));
      solver.addClause([result, ...row.map((v, i) => negate(this.literal(args[i], v)))]);
    }
  }
}

function valuesOf(terms: TermStore, sort: SortId): Value[] {
  if (!isUninterpreted(terms, sort)) return [...allValues(terms.sorts, sort)];
  return Array.from({ length: ELEMENTS }, (_, i) => i);
}

function meaning(terms: TermStore, t: TermId, args: readonly Value[]): Value {
  return terms.op(t) === Op.BV_CONST ? terms.bvValue(t) : applyOperator(terms, t, args);
}

/** Is the term read off as an unknown? */
function isUnknown(terms: TermStore, t: TermId): boolean {
  const op = terms.op(t);
  return op === Op.APPLY || op === Op.SELECT || isArrayEquality(terms, t);
}

// ---- the checks ----

/** Checks lemmas and models for one store of terms; says what is wrong. */
class Judge {
  private readonly terms: TermStore;
  private readonly lemmas: Lemmas;
  private readonly random: Random;
  private readonly isWitness = new Set<TermId>();
  private readonly judged = new Set<TermId>();

  constructor(terms: TermStore, lemmas: Lemmas, random: Random) {
    this.terms = terms;
    this.lemmas = lemmas;
    this.random = random;
  }

  /** One check; returns its lemmas, or throws with what is wrong about them or about the model. */
  check(relevant: readonly TermId[], reading: Reading): TermId[] {
    const { terms } = this;
    const before = this.lemmas.stats.extensionality;
    // What does not concern the lemmas may be left out.
    const given = this.random.chance(0.5) ? relevant : relevant.filter(t => concernsLemmas(terms, t));
    const lemmas = this.lemmas.check(given, reading);
    // The formulas that introduce witnesses come first, and are not valid by themselves.
    const witnesses = this.lemmas.stats.extensionality - before;
    lemmas.forEach((lemma, i) => {
      if (i < witnesses) this.isWitness.add(lemma);
      else this.judge(lemma, new Set(relevant), reading);
    });
    if (new Set(lemmas).size < lemmas.length) throw new Error('a lemma is repeated');
    if (lemmas.length === 0) this.judgeModel(relevant, reading);
    return lemmas;
  }

  private judge(lemma: TermId, relevant: ReadonlySet<TermId>, reading: Reading): void {
    const { terms } = this;
    const fail = (what: string) => {
      throw new Error(`lemma ${printTerm(terms, lemma)} ${what}`);
    };
    for (const t of terms.postorder([lemma])) {
      const isNew = !relevant.has(t) && !terms.isConstant(t);
      const isForm = [Op.OR, Op.NOT, Op.EQ].some(op => op === terms.op(t));
      if (isNew && !isForm) fail(`speaks of ${printTerm(terms, t)}`);
    }
    const literals = terms.op(lemma) === Op.OR && !relevant.has(lemma) ? terms.args(lemma) : [lemma];
    if (literals.some(literal => this.isSatisfied(literal, relevant, reading))) fail('is not violated');
    if (this.judged.has(lemma)) return;
    this.judged.add(lemma);
    for (const evaluator of interpretations(terms, [lemma], this.random, 200)) {
      if (evaluator.value(lemma) !== true) fail('is not valid');
    }
  }

  /** Does a literal of a lemma hold? An equality of arrays that is new counts as what the lemma needs. */
  private isSatisfied(literal: TermId, relevant: ReadonlySet<TermId>, reading: Reading): boolean {
    const { terms } = this;
    if (relevant.has(literal)) return reading(literal) === true;
    const isNegated = terms.op(literal) === Op.NOT;
    const atom = isNegated ? terms.arg(literal, 0) : literal;
    if (relevant.has(atom)) return reading(atom) !== isNegated;
    if (terms.op(atom) !== Op.EQ) throw new Error(`${printTerm(terms, atom)} is new and no equality`);
    if (isArrayEquality(terms, atom)) return false;
    const [a, b] = terms.args(atom).map(x => (terms.isConstant(x) ? meaning(terms, x, []) : reading(x)));
    return (a === b) !== isNegated;
  }

  private judgeModel(relevant: readonly TermId[], reading: Reading): void {
    const { terms, lemmas } = this;
    const evaluator = new Evaluator(terms, (f, args) =>
      args.length > 0 || terms.sorts.isArray(terms.symbol(f).result)
        ? lemmas.apply(f, args)
        : reading(terms.apply(f, [])),
    );
    for (const t of relevant) {
      const said = isArrayTerm(terms, t) ? lemmas.arrayValue(t) : reading(t);
      if (!sameValue(evaluator.value(t), said)) throw new Error(`the model is wrong: ${printTerm(terms, t)}`);
    }
    for (const f of functionsOf(terms, relevant)) {
      for (const { args, result } of lemmas.entries(f)) {
        if (!sameValue(lemmas.apply(f, args), result)) throw new Error('a function is not what it says');
      }
    }
  }
}

interface Answer {
  readonly isSat: boolean;
  readonly rounds: number;
  readonly lemmas: Lemmas;
}

/** The toy solver and the lemmas in a loop. */
function decide(terms: TermStore, formulas: readonly TermId[], random: Random, isEager: boolean): Answer {
  const lemmas = new Lemmas(terms);
  const judge = new Judge(terms, lemmas, random);
  const toy = new Toy(terms);
  const asserted: TermId[] = [];
  const assert = (added: readonly TermId[]) => {
    const known = new Set(asserted);
    const all = isEager ? withWitnesses(terms, lemmas, added) : added;
    for (const f of all.filter(f => !known.has(f))) {
      asserted.push(f);
      toy.assert(f);
    }
    if (asserted.length === known.size) throw new Error('only lemmas that are asserted already');
  };
  assert(formulas);
  for (let rounds = 1; rounds < 500; rounds++) {
    const reading = toy.solve();
    if (reading === undefined) return { isSat: false, rounds, lemmas };
    const found = judge.check(terms.postorder(asserted), reading);
    if (found.length === 0) return { isSat: true, rounds, lemmas };
    assert(found);
  }
  throw new Error('the loop does not end');
}

/** The formulas and the witness formulas that they need. */
function withWitnesses(terms: TermStore, lemmas: Lemmas, formulas: readonly TermId[]): TermId[] {
  const equalities = terms.postorder(formulas).filter(t => isArrayEquality(terms, t));
  return [...formulas, ...equalities.map(e => lemmas.witness(e))];
}

// ---- random questions ----

/** Random terms over one array sort. */
class QuestionMaker {
  readonly terms = new TermStore();
  private readonly random: Random;
  private readonly index: SortId;
  private readonly element: SortId;
  private readonly array: SortId;
  private readonly pools = new Map<SortId, TermId[]>();
  private readonly functions: FunctionId[] = [];
  private readonly favourite: number; // a kind of term that occurs more often

  constructor(random: Random) {
    this.random = random;
    this.favourite = random.pick([1, 4, 5, 5]);
    const { terms } = this;
    const { sorts } = terms;
    const [bit, two] = [sorts.bitVec(1), sorts.bitVec(2)];
    this.index = random.pick([sorts.bool, bit, two, two]);
    this.element = random.pick([sorts.bool, bit, this.index === two ? bit : two]);
    this.array = sorts.array(this.index, this.element);
    for (const sort of [sorts.bool, this.index, this.element, this.array]) this.pools.set(sort, []);
    this.declareAll();
    const size = 4 + random.below(12);
    for (let i = 0; i < size; i++) this.add(this.grow());
  }

  /** A conjunction of literals, mostly about arrays. */
  question(): TermId[] {
    const { terms, random } = this;
    return Array.from({ length: 1 + random.below(5) }, () => {
      const atom = () => (random.chance(0.7) ? this.equation() : this.pick(terms.sorts.bool));
      const literal = () => (random.chance(0.4) ? terms.not(atom()) : atom());
      return random.chance(0.25) ? terms.or([literal(), literal()]) : literal();
    });
  }

  private declareAll(): void {
    const { terms, random, index, element, array } = this;
    const { sorts } = terms;
    const variables = (name: string, sort: SortId, count: number) => {
      for (let i = 0; i < count; i++) this.add(terms.variable(`${name}${i}`, sort));
    };
    variables('a', array, 1 + random.below(2));
    variables('i', index, 1 + random.below(2));
    variables('e', element, 1);
    if (random.chance(0.5)) variables('p', sorts.bool, 1);
    for (const sort of [index, element]) {
      for (const v of allValues(sorts, sort)) {
        if (random.chance(0.5))
          this.add(typeof v === 'boolean' ? terms.bool(v) : terms.bv(sorts.width(sort), v as number));
      }
    }
    this.add(terms.true);
    if (this.favourite === 4 || random.chance(0.3)) this.functions.push(terms.declare('f', [index], element));
    if (random.chance(0.5) && sorts.size(array) <= 4) {
      this.functions.push(terms.declare('g', [array], element));
      this.functions.push(terms.declare('h', [index], array));
    }
  }

  private grow(): TermId {
    const { terms, random, index, element, array } = this;
    const [a, b] = [this.pick(array), this.pick(array)];
    switch (random.chance(0.3) ? this.favourite : random.below(6)) {
      case 0:
        return terms.ite(this.pick(terms.sorts.bool), a, b);
      case 1:
        return terms.constArray(array, this.pick(element));
      case 2:
        return terms.app(Op.SELECT, [a, this.pick(index)]);
      case 3:
        return this.equation();
      case 4:
        return this.functions.length > 0 ? this.application(random.pick(this.functions)) : terms.true;
      default:
        return terms.app(Op.STORE, [a, this.pick(index), this.pick(element)]);
    }
  }

  private application(f: FunctionId): TermId {
    return this.terms.apply(f, [this.pick(this.terms.symbol(f).parameters[0])]);
  }

  private equation(): TermId {
    if (this.favourite === 4 && this.random.chance(0.4)) {
      const f = this.random.pick(this.functions);
      return this.terms.eq(this.application(f), this.application(f));
    }
    const sort = this.random.pick([this.index, this.element, this.array, this.array, this.array]);
    return this.terms.eq(this.pick(sort), this.pick(sort));
  }

  private pick(sort: SortId): TermId {
    return this.random.pick(this.pools.get(sort) as TermId[]);
  }

  private add(t: TermId): void {
    this.pools.get(this.terms.sort(t))?.push(t);
  }
}

t.test('random questions have the answer that trying all arrays gives', t => {
  const random = seeded(t);
  const answers = { sat: 0, unsat: 0, unchecked: 0 };
  const counts: Record<string, number> = {};
  for (let i = 0; i < 800; i++) {
    const maker = new QuestionMaker(random);
    const question = maker.question();
    const { terms } = maker;
    const { isSat, lemmas } = decide(terms, question, random, random.chance(0.5));
    for (const [kind, n] of Object.entries(lemmas.stats)) counts[kind] = (counts[kind] ?? 0) + n;
    if (isSat) {
      answers.sat++; // the model was evaluated
      continue;
    }
    answers.unsat++;
    if (countInterpretations(terms, question, random) > BRUTE_FORCE) {
      answers.unchecked++;
      continue;
    }
    for (const evaluator of interpretations(terms, question, random, BRUTE_FORCE)) {
      if (!question.every(f => evaluator.value(f) === true)) continue;
      t.fail(`has a model: ${question.map(f => printTerm(terms, f)).join(' ')}`);
      break;
    }
  }
  t.comment(JSON.stringify({ ...answers, ...counts }));
  t.ok(answers.sat > 50 && answers.unsat - answers.unchecked > 50, 'both answers occur');
  for (const [kind, n] of Object.entries(counts)) t.ok(n > 0, `lemmas of kind ${kind} occur`);
  t.end();
});

/** Values drawn for the unknowns, with a chance for each equality of arrays to be true, and what follows. */
function randomValues(
  terms: TermStore,
  relevant: readonly TermId[],
  random: Random,
  chance: number,
): Map<TermId, Value> {
  const values = new Map<TermId, Value>();
  for (const t of relevant.filter(t => !isArrayTerm(terms, t))) {
    const args = () => terms.args(t).map(a => values.get(a) as Value);
    const drawn = () =>
      isArrayEquality(terms, t) ? random.chance(chance) : random.pick(valuesOf(terms, terms.sort(t)));
    values.set(t, isUnknown(terms, t) ? drawn() : meaning(terms, t, args()));
  }
  return values;
}

t.test('lemmas against random readings are valid and violated', t => {
  const random = seeded(t);
  let models = 0;
  for (let i = 0; i < 1000; i++) {
    const maker = new QuestionMaker(random);
    const { terms } = maker;
    const lemmas = new Lemmas(terms);
    const judge = new Judge(terms, lemmas, random);
    const question = withWitnesses(terms, lemmas, maker.question());
    const relevant = terms.postorder(question);
    let values = randomValues(terms, relevant, random, random.pick([0.2, 0.8]));
    // The witness formulas must hold, and do so if all arrays are equal.
    const isBroken = question.some(f => terms.op(f) === Op.OR && values.get(f) === false);
    if (isBroken) values = randomValues(terms, relevant, random, 1);
    if (judge.check(relevant, t => values.get(t) as Value).length === 0) models++;
  }
  t.comment(`${models} of 1000 readings extend to models`);
  t.ok(models > 20);
  t.end();
});

// ---- cases by hand ----

const DECLARATIONS = `
  (declare-sort I 0)
  (declare-sort E 0)
  (define-sort A () (Array (_ BitVec 2) (_ BitVec 1)))
  (define-sort B () (Array Bool Bool))
  (define-sort N () (Array (_ BitVec 1) (_ BitVec 2)))
  (define-sort U () (Array I E))
  (declare-fun a () A) (declare-fun b () A) (declare-fun c () A) (declare-fun d () A)
  (declare-fun i () (_ BitVec 2)) (declare-fun j () (_ BitVec 2)) (declare-fun k () (_ BitVec 2))
  (declare-fun x () (_ BitVec 1)) (declare-fun y () (_ BitVec 1))
  (declare-fun p () Bool) (declare-fun q () Bool) (declare-fun r () Bool)
  (declare-fun m () B) (declare-fun n () B) (declare-fun o () B) (declare-fun s () B) (declare-fun t () B)
  (declare-fun x2 () (_ BitVec 2)) (declare-fun y2 () (_ BitVec 2))
  (declare-fun u () U) (declare-fun v () U) (declare-fun ui () I) (declare-fun uj () I)
  (declare-fun ue () E) (declare-fun uf () E)
  (declare-fun f ((_ BitVec 2)) (_ BitVec 1))
  (declare-fun g (B) (_ BitVec 3))
  (declare-fun h ((_ BitVec 2)) B)
  (declare-fun w (B) B)
`;

const CASES: readonly (readonly [name: string, expected: 'sat' | 'unsat', formulas: string])[] = [
  ['a read over its write', 'unsat', '(distinct (select (store a i x) i) x)'],
  ['a read past a write', 'unsat', '(distinct i j) (distinct (select (store a i x) j) (select a j))'],
  ['a read that may hit the write', 'sat', '(distinct (select (store a i x) j) (select a j))'],
  ['two reads', 'unsat', '(= i j) (distinct (select a i) (select a j))'],
  [
    'reads below equal stores',
    'unsat',
    '(= (store a i x) (store b i y)) (distinct i j) (distinct (select a j) (select b j))',
  ],
  [
    'reads below equal stores, at their index',
    'sat',
    '(= (store a i x) (store b i y)) (distinct (select a i) (select b i))',
  ],
  ['equal stores hold the same', 'unsat', '(= (store a i x) (store b i y)) (distinct x y)'],
  [
    'up, across and down again',
    'unsat',
    `(= (store (store a i x) j y) (store (store b j y) i x)) (distinct k i) (distinct k j)
     (distinct (select a k) (select b k))`,
  ],
  ['equality is transitive', 'unsat', '(= a b) (= b c) (= c d) (not (= a d))'],
  ['a chain with a gap', 'sat', '(= a b) (= c d) (not (= a d))'],
  [
    'stores to different indices commute',
    'unsat',
    '(distinct i j) (not (= (store (store a i x) j y) (store (store a j y) i x)))',
  ],
  [
    'stores to one index do not',
    'sat',
    '(= i j) (not (= (store (store a i x) j y) (store (store a j y) i x)))',
  ],
  ['storing what is there', 'unsat', '(not (= (store a i (select a i)) a))'],
  ['an array that equals its own store', 'unsat', '(= a (store a i x)) (distinct (select a i) x)'],
  [
    'definitions in a circle',
    'unsat',
    '(= a (store b i x)) (= b (store a j y)) (distinct i j) (distinct (select a i) (select b i))',
  ],
  ['a circle with room', 'sat', '(= a (store b i x)) (= b (store a j y)) (distinct x y)'],
  ['a long circle', 'unsat', '(= a (store (store a i x) j y)) (distinct i j) (distinct (select a i) x)'],
  [
    'four indices and no more',
    'unsat',
    `(= (select a #b00) (select b #b00)) (= (select a #b01) (select b #b01)) (= (select a #b10) (select b #b10))
     (= (select a #b11) (select b #b11)) (not (= a b))`,
  ],
  ['an element of a constant array', 'unsat', '(distinct (select ((as const A) x) i) x)'],
  ['a constant array by another name', 'unsat', '(= a ((as const A) x)) (distinct (select a i) x)'],
  ['different constant arrays', 'unsat', '(= ((as const A) x) ((as const A) y)) (distinct x y)'],
  ['a constant array with a store', 'unsat', '(= ((as const A) #b0) (store ((as const A) #b1) i x))'],
  [
    'three stores do not cover four indices',
    'unsat',
    '(= ((as const A) #b0) (store (store (store ((as const A) #b1) i x) j y) k x))',
  ],
  [
    'four stores cover four indices',
    'sat',
    '(= ((as const A) #b0) (store (store (store (store ((as const A) #b1) i x) j y) k x) ((_ extract 1 0) x2) y))',
  ],
  [
    'four stores with two to one index do not',
    'unsat',
    '(= i j) (= ((as const A) #b0) (store (store (store (store ((as const A) #b1) i x) j y) k x) x2 y))',
  ],
  [
    'constant arrays under covering stores',
    'sat',
    `(= (store (store ((as const N) #b00) #b0 x2) #b1 y2) (store (store ((as const N) #b01) #b0 y2) #b1 x2))`,
  ],
  [
    'constant arrays under covering stores that differ',
    'unsat',
    `(= (store (store ((as const N) #b00) #b0 x2) #b1 y2) (store (store ((as const N) #b01) #b0 y2) #b1 x2))
     (distinct x2 y2)`,
  ],
  [
    'a covered constant array is felt where the store is not',
    'unsat',
    `(= (store ((as const N) #b00) #b0 x2) (store ((as const N) #b01) #b1 y2))
     (distinct (select (store ((as const N) #b00) #b0 x2) #b0) #b01)`,
  ],
  [
    'each constant array on its own index',
    'sat',
    `(= (store ((as const N) #b00) #b0 x2) (store ((as const N) #b01) #b1 y2))`,
  ],
  ['the chosen branch', 'unsat', 'p (distinct (select (ite p a b) i) (select a i))'],
  ['the other branch', 'unsat', '(not p) (distinct (select (ite p a b) i) (select b i))'],
  ['some branch', 'unsat', '(not (= (ite p a b) a)) (not (= (ite p a b) b))'],
  [
    'branches under stores',
    'unsat',
    '(= (ite p (store a i x) b) (ite p (store c j y) d)) p (distinct x y) (= i j)',
  ],
  ['Boolean elements', 'unsat', '(select (store m p false) p)'],
  [
    'Boolean indices',
    'unsat',
    '(= (select m true) (select n true)) (= (select m false) (select n false)) (not (= m n))',
  ],
  [
    'three Boolean indices',
    'unsat',
    '(distinct (select m p) (select m q)) (distinct (select m q) (select m r)) (distinct (select m p) (select m r))',
  ],
  [
    'covering by Booleans',
    'sat',
    '(= ((as const B) true) (store (store ((as const B) false) p q) (not p) r))',
  ],
  [
    'not covering by Booleans',
    'unsat',
    '(= ((as const B) true) (store (store ((as const B) false) p q) p r))',
  ],
  ['uninterpreted sorts', 'unsat', '(= u v) (= ui uj) (distinct (select u ui) (select v uj))'],
  ['uninterpreted sorts with room', 'sat', '(= u (store v ui ue)) (distinct (select u uj) (select v uj))'],
  [
    'constant arrays over an infinite sort',
    'unsat',
    '(= ((as const U) ue) (store (store ((as const U) uf) ui ue) uj ue)) (distinct ue uf)',
  ],
  ['congruence', 'unsat', '(= i j) (distinct (f i) (f j))'],
  ['no injectivity', 'sat', '(distinct i j) (= (f i) (f j))'],
  [
    'functions and arrays',
    'unsat',
    '(= (f i) (f j)) (= (select a i) #b1) (= (select a j) #b0) (= (f (concat #b0 (select a i))) #b0) (= (f (concat #b0 (select a j))) #b0) (= i (concat #b0 (f i))) (= j (concat #b0 (f j)))',
  ],
  ['functions of arrays', 'unsat', '(= m n) (distinct (g m) (g n))'],
  [
    'functions of stores',
    'unsat',
    '(distinct p q) (distinct (g (store (store m p r) q r)) (g ((as const B) r)))',
  ],
  ['there are four such arrays', 'sat', '(distinct (g m) (g n) (g o) (g s))'],
  ['there are no five', 'unsat', '(distinct (g m) (g n) (g o) (g s) (g t))'],
  ['functions to arrays', 'unsat', '(= i j) (distinct (select (h i) p) (select (h j) p))'],
  ['functions from arrays to arrays', 'unsat', '(= m n) (distinct (select (w m) p) (select (w n) p))'],
  [
    'a function that is its own inverse',
    'sat',
    '(= (w m) n) (= (w n) m) (not (= m n)) (= (w o) o) (not (= o m))',
  ],
  [
    'functions of elements of equal arrays',
    'unsat',
    '(= a (store b i x)) (= b (store a i x)) (distinct (select (h (concat #b0 (select a j))) p) (select (h (concat #b0 (select b j))) p))',
  ],
];

t.test('cases by hand', t => {
  const random = seeded(t);
  for (const [name, expected, formulas] of CASES) {
    for (const isEager of [true, false]) {
      const terms = new TermStore();
      const text = formulas.replace(/^\s*/, '(and true ');
      const assertions = assertionsOf(terms, `${DECLARATIONS}(assert ${text}))`);
      const { isSat } = decide(terms, assertions, random, isEager);
      t.equal(isSat ? 'sat' : 'unsat', expected, name);
    }
  }
  t.end();
});

const WIDE = `
  (define-sort W () (Array (_ BitVec 64) (_ BitVec 40)))
  (declare-fun a () W) (declare-fun b () W) (declare-fun c () W)
  (declare-fun i () (_ BitVec 64)) (declare-fun j () (_ BitVec 64)) (declare-fun k () (_ BitVec 64))
  (declare-fun x () (_ BitVec 40)) (declare-fun y () (_ BitVec 40)) (declare-fun z () (_ BitVec 40))
  (declare-fun p () Bool) (declare-fun q () Bool)
  (define-fun one () (_ BitVec 64) #x0000000000000001)
  (define-fun seven () (_ BitVec 64) #x0000000000000007)
`;

/** What variables are. Reads are all different, and all arrays that are compared are equal. */
const VALUES: Readonly<Record<string, Value>> = {
  ...{ i: 1n, j: 2n, k: 7n, x: 5n, y: 3n, z: 5n },
  ...{ p: true, q: false },
};

const LEMMAS: readonly (readonly [name: string, formula: string, lemma: string])[] = [
  [
    'a write is met behind others; different constants are no premise',
    '(= x (select (store (store (store a seven x) i y) one z) k))',
    '(or (= k one) (= k i) (not (= k seven)) (= x (select (store (store (store a seven x) i y) one z) k)))',
  ],
  [
    'equal terms are no premise',
    '(= x (select (store (store a i x) j y) i))',
    '(or (= i j) (= x (select (store (store a i x) j y) i)))',
  ],
  [
    'reads meet where their ways do',
    '(= (bvadd (select (store (store a i x) j y) k) (select (store (store a i x) j z) seven)) y)',
    `(or (= k j) (= j seven) (not (= k seven)) (= (select (store (store a i x) j y) k)
      (select (store (store a i x) j z) seven)))`,
  ],
  [
    'conditions and equalities that are crossed',
    '(and (= a (ite p b c)) (= b (ite q a ((as const W) x))) (= y (select a k)))',
    `(or (not p) (not (= a (ite p b c))) (not (= b (ite q a ((as const W) x)))) q (= x (select a k)))`,
  ],
  [
    'constant arrays with too few stores between them to differ',
    '(= (store (store ((as const W) x) i x) j y) (ite p (store (store ((as const W) y) i x) k y) b))',
    `(or (not p) (not (= (store (store ((as const W) x) i x) j y)
      (ite p (store (store ((as const W) y) i x) k y) b))) (= x y))`,
  ],
];

/** A clause as a set of literals, without regard to the sides of equalities. */
function literalsOf(terms: TermStore, clause: TermId): string[] {
  const text = (t: TermId): string => {
    if (terms.op(t) === Op.NOT) return `not ${text(terms.arg(t, 0))}`;
    return terms.op(t) === Op.EQ ? terms.args(t).sort().join(' = ') : String(t);
  };
  return terms.args(clause).map(text).sort();
}

t.test('lemmas have the premises along the way and no others', t => {
  for (const [name, formula, lemma] of LEMMAS) {
    const terms = new TermStore();
    const [question, expected] = assertionsOf(terms, `${WIDE}(assert ${formula})(assert ${lemma})`);
    const reading = (t: TermId): Value => {
      if (isArrayEquality(terms, t)) return true;
      if (terms.op(t) === Op.SELECT) return BigInt(terms.arg(t, 1)) + 100n;
      return terms.isVariable(t) ? VALUES[printTerm(terms, t)] : meaning(terms, t, []);
    };
    const found = new Lemmas(terms).check(terms.postorder([question]), reading);
    const texts = found.map(l => literalsOf(terms, l));
    t.ok(
      texts.some(l => l.join() === literalsOf(terms, expected).join()),
      name,
    );
  }
  t.end();
});

t.test('nested arrays are refused by name', t => {
  const terms = new TermStore();
  const [a] = assertionsOf(
    terms,
    `(declare-fun a () (Array Bool (Array Bool Bool))) (assert (select (select a true) true))`,
  );
  const check = () => new Lemmas(terms).check(terms.postorder([a]), () => false);
  t.throws(check, Unknown);
  t.throws(check, /the sort \(Array Bool \(Array Bool Bool\)\) is outside the supported fragment/);
  t.end();
});

t.test('a model is there after a check without lemmas only', t => {
  const terms = new TermStore();
  const [a] = assertionsOf(
    terms,
    `(declare-fun a () (Array Bool Bool)) (declare-fun p () Bool)
     (assert (distinct (select (store a p p) p) p))`,
  );
  const lemmas = new Lemmas(terms);
  const relevant = terms.postorder([a]);
  const isRead = (t: TermId) => terms.op(t) === Op.SELECT;
  t.equal(lemmas.check(relevant, isRead).length, 1);
  t.throws(() => lemmas.arrayValue(terms.arg(relevant[0], 0)), /no model/);
  t.equal(lemmas.check(relevant, () => true).length, 0);
  const other = terms.variable('other', terms.sort(relevant[0]));
  t.equal(lemmas.arrayValue(other).select(true), false, 'what does not occur may be anything');
  const unseen = terms.constArray(terms.sort(other), terms.true);
  t.throws(() => lemmas.arrayValue(unseen), /was not checked/);
  t.throws(() => lemmas.witness(a), TypeError);
  t.end();
});

t.test('a chain of 20,000 stores with reads at both ends', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const word = sorts.bitVec(32);
  const values = new Map<TermId, Value>();
  const variable = (name: string, value: number) => {
    const v = terms.variable(name, word);
    values.set(v, value);
    return v;
  };
  const base = terms.variable('a', sorts.array(word, word));
  const length = 20_000;
  let top = base;
  for (let i = 0; i < length; i++) {
    top = terms.app(Op.STORE, [top, variable(`i${i}`, i), variable(`x${i}`, 2 * i)]);
  }
  const reads: TermId[] = [];
  const read = (array: TermId, index: number, element: number) => {
    const r = terms.app(Op.SELECT, [array, variable(`r${reads.length}`, index)]);
    values.set(r, element);
    reads.push(r);
    return r;
  };
  for (let i = 0; i < length; i += 10) read(top, i, 2 * i); // hit a store each
  for (let i = 0; i < 1000; i++) read(top, length + i, 7); // reach the base
  for (let i = 0; i < 1000; i++) read(base, length + i, 7);
  const lemmas = new Lemmas(terms);
  const check = (what: string) => {
    const relevant = terms.postorder(reads);
    const start = performance.now();
    const found = lemmas.check(relevant, t => values.get(t) as Value);
    t.comment(`${what}: ${(performance.now() - start).toFixed(0)} ms, ${found.length} lemmas`);
    return found;
  };
  t.same(check('a model'), []);
  t.equal(lemmas.arrayValue(base).select(length + 5), 7);

  const wrong = read(base, length + 1500, 1);
  read(top, length + 1500, 2);
  t.equal(check('one conflict')[0], check('the same')[0]);
  const [lemma] = check('the same');
  t.equal(
    terms.arity(lemma),
    length + 2,
    'a premise for each store, one for the indices, and the conclusion',
  );
  values.set(wrong, 2);
  t.same(check('repaired'), []);
  for (let i = 0; i < 1000; i++) values.set(reads[length / 10 + i], 8);
  t.ok(check('a thousand conflicts').length > 0);
  t.end();
});
