/**
 * The plain road to `unsat`, on which evidence is checked, against enumeration: bits, small arrays and functions of bits, and
 * that what the abstract reading refutes has no model. Some facts must be refuted in the abstract reading, too.
 */
import { type Reading, refute } from '../../src/core/evidence/plain/refute.ts';
import { complete } from '../../src/sat/work.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { allEvaluators, assertionsOf, variablesOf } from '../support/smtlib.ts';
import { growPool, randomPool } from '../support/terms.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const random = probeRandom();
const heavy = await lightOnly();

function answer(terms: TermStore, formulas: readonly TermId[], reading: Reading): string {
  const result = complete(refute(terms, formulas, reading, { heavy, budget: {} }));
  return result.kind === 'unknown' ? result.text : result.kind;
}

function compare(terms: TermStore, formulas: readonly TermId[], name: string): void {
  let isPossible = false;
  for (const evaluator of allEvaluators(terms, variablesOf(terms, formulas))) {
    isPossible = formulas.every(f => evaluator.value(f) === true);
    if (isPossible) break;
  }
  const bits = answer(terms, formulas, 'bits');
  if (bits !== (isPossible ? 'sat' : 'unsat')) caught(`${name}: ${bits}`);
  const abstract = answer(terms, formulas, 'abstract');
  if (isPossible && abstract !== 'sat') caught(`${name}, read abstractly: ${abstract}`);
}

/** Every operator on words and every comparison, wrong somewhere: that has no model. */
function checkOperators(): void {
  const words = [
    Op.BVADD,
    Op.BVSUB,
    Op.BVMUL,
    Op.BVUDIV,
    Op.BVUREM,
    Op.BVSDIV,
    Op.BVSREM,
    Op.BVSMOD,
    Op.BVSHL,
  ];
  const others = [Op.BVLSHR, Op.BVASHR, Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE];
  for (const op of [...words, ...others]) {
    const terms = new TermStore();
    const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(2)));
    const term = terms.app(op, [x, y]);
    const result = terms.variable('r', terms.sort(term));
    const rows: TermId[] = [];
    for (const evaluator of allEvaluators(terms, [x, y])) {
      const value = evaluator.value(term);
      const constant = typeof value === 'boolean' ? terms.bool(value) : terms.bv(2, value as number);
      const elsewhere = [x, y].map(v => terms.not(terms.eq(v, terms.bv(2, evaluator.value(v) as number))));
      rows.push(terms.or([...elsewhere, terms.eq(result, constant)]));
    }
    if (answer(terms, [...rows, terms.not(terms.eq(result, term))], 'bits') !== 'unsat')
      caught(`operator ${op} has another value`);
    if (answer(terms, [...rows, terms.eq(result, term)], 'bits') !== 'sat')
      caught(`operator ${op} has no value`);
  }
}

const DECLARED = `(declare-sort S 0) (declare-const s S) (declare-const t S) (declare-const u S) (declare-fun h (S) S)
  (declare-const a (Array (_ BitVec 2) (_ BitVec 2))) (declare-const b (Array (_ BitVec 2) (_ BitVec 2)))
  (declare-const i (_ BitVec 2)) (declare-const j (_ BitVec 2)) (declare-const e (_ BitVec 2)) (declare-const p Bool)
  (declare-const m (_ BitVec 2)) (declare-const n (_ BitVec 2))
  (declare-fun f ((_ BitVec 2)) (_ BitVec 2))
  (declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (declare-const z (_ BitVec 64))
  (define-fun k ((c (_ BitVec 2))) (Array (_ BitVec 2) (_ BitVec 2)) ((as const (Array (_ BitVec 2) (_ BitVec 2))) c)) `;

/** Each of some numbers is one or two, and what it is shows in its double. */
const DOUBLED = [...'ijmn']
  .map((v, n) => `(or (= ${v} #b01) (= ${v} #b10)) (= (bvadd ${v} ${v}) ${n % 2 === 0 ? '#b10' : '#b00'})`)
  .join(' ');

/** The sum of i and j is no longer three times m when they have gone on by two and by something, and m by one. */
function notAfterStep(by: string): string {
  return `(not (= (bvadd (bvadd i #b10) (bvadd j ${by})) (bvmul #b11 (bvadd m #b01))))`;
}

function squared(factor: string): string {
  const [one, square] = [
    '#x0000000000000001',
    '(bvmul (bvadd x #x0000000000000001) (bvadd #x0000000000000001 x))',
  ];
  return `(= ${square} (bvadd (bvmul x x) (bvadd (bvmul ${factor} x) ${one})))`;
}

/** What cannot be and what can, in bits and abstractly. */
const FACTS: readonly (readonly [bits: string, abstract: string, formula: string])[] = [
  ['unsat', 'sat', '(not (= (select (store a i e) i) e))'],
  ['unsat', 'sat', '(and (not (= i j)) (not (= (select (store a i e) j) (select a j))))'],
  ['sat', 'sat', '(not (= (select (store a i e) j) (select a j)))'],
  ['unsat', 'sat', '(and (not (= a b)) (= (store a i e) (store b i e)) (= (select a i) (select b i)))'],
  ['sat', 'sat', '(and (not (= a b)) (= (store a i e) (store b i e)))'],
  ['sat', 'sat', '(and (not (= a b)) (= (select a #b00) (select b #b00)))'],
  ['unsat', 'unsat', '(and (= a b) (not (= (select a i) (select b i))))'],
  ['unsat', 'unsat', '(not (= (select (ite p a b) i) (ite p (select a i) (select b i))))'],
  ['unsat', 'sat', '(not (= (select (k e) i) e))'],
  ['unsat', 'sat', '(and (= (store (k #b00) i #b01) (k e)) (not (= e #b00)))'],
  ['sat', 'sat', '(and (= (select a i) #b01) (= (select a j) #b10))'],
  ['unsat', 'unsat', '(and (= i j) (not (= (f i) (f j))))'],
  ['sat', 'sat', '(not (= (f i) (f j)))'],
  ['unsat', 'unsat', '(and (= s t) (not (= (h s) (h t))))'],
  ['sat', 'sat', '(and (distinct s t u) (= (h s) t) (= (h t) u) (= (h u) s))'],
  ['unsat', 'unsat', '(and (= (f #b00) #b01) (= (f #b00) #b10))'],
  ['sat', 'sat', '(and (= (f #b00) #b01) (= (f #b01) #b10))'],
  ['unsat', 'unsat', '(and (= i #b01) (= j #b10) (= i j))'],
  ['unsat', 'unsat', '(and (= i #b01) (= (bvadd i #b01) #b11))'],
  ['sat', 'sat', '(and (= i #b01) (= (bvadd i #b01) #b10))'],
  ['sat', 'sat', '(and (or (= i #b01) (= i #b11)) (= (bvadd i i) #b10))'],
  ['sat', 'sat', `(and ${DOUBLED})`],
  ['unsat', 'sat', '(not (= (bvor i #b00) i))'],
  ['unsat', 'sat', '(not (= (bvudiv i #b01) i))'],
  ['unsat', 'unsat', '(not (= (bvmul i #b11) (bvneg i)))'],
  ['unsat', 'unsat', '(not (= (bvnot (bvadd i #b01)) (bvsub #b10 i)))'],
  ['unsat', 'unsat', '(not (= (bvadd (bvadd i #b10) (bvadd j #b01)) (bvadd (bvadd #b11 j) i)))'],
  ['unsat', 'unsat', `(and (= (bvadd i j) (bvmul #b11 m)) ${notAfterStep('#b01')})`],
  ['sat', 'sat', `(and (= (bvadd i j) (bvmul #b11 m)) ${notAfterStep('#b10')})`],
  ['unsat', 'unsat', '(and (= (bvsub i j) n) (not (= (bvadd n j j) (bvadd j i))))'],
  ['unsat', 'unsat', `(not ${squared('#x0000000000000002')})`],
  ['sat', 'sat', `(not ${squared('#x0000000000000003')})`],
  ['sat', 'sat', '(not (= (bvsub i j) (bvsub j i)))'],
  ['unsat', 'unsat', '(and (= i #b01) (= i #b10))'],
  ['unsat', 'unsat', '(and (= x y) (not (= (bvmul x z) (bvmul z y))))'],
  ['sat', 'sat', '(not (= (bvmul x z) (bvmul z y)))'],
  ['unsat', 'sat', '(not (= ((_ extract 0 0) (bvadd x x)) #b0))'],
  ['sat', 'sat', '(not (= ((_ extract 1 0) x) ((_ extract 3 2) x)))'],
  ['sat', 'sat', '(and (= i (bvadd j #b01)) (= j (bvadd i #b11)))'],
  ['unsat', 'unsat', '(and (= i (bvadd j #b01)) (= j (bvadd i #b01)))'],
];

function checkFacts(): void {
  for (const [bits, abstract, fact] of FACTS) {
    const terms = new TermStore();
    const [formula] = assertionsOf(terms, `${DECLARED} (assert ${fact})`);
    for (const [reading, expected] of [
      ['bits', bits],
      ['abstract', abstract],
    ] as const) {
      const given = answer(terms, [formula], reading);
      if (given !== expected) caught(`${fact}, ${reading}: ${given}`);
    }
  }
}

function checkRandomFormulas(): void {
  for (let round = 0; round < 120; round++) {
    const terms = new TermStore();
    const { sorts } = terms;
    const array = sorts.array(sorts.bitVec(1), sorts.bitVec(2));
    const leaves = [
      ...['a', 'b'].map(n => terms.variable(n, array)),
      terms.variable('i', sorts.bitVec(1)),
      terms.bv(2, 1),
    ];
    const pool =
      round % 2 === 0 ? randomPool(terms, random, 2, 60, 4) : growPool(terms, random, leaves, 40, 2);
    const formulas = pool.filter(f => terms.sort(f) === sorts.bool);
    const literal = () => (random.chance(0.5) ? random.pick(formulas) : terms.not(random.pick(formulas)));
    compare(terms, Array.from({ length: 1 + random.below(5) }, literal), `round ${round}`);
  }
}

checkOperators();
checkFacts();
checkRandomFormulas();
