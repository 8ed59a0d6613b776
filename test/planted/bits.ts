/**
 * What bit-vector operators mean, by definitions written down here from SMT-LIB's; that circuits, rewriting and lemmas about arrays
 * mean the same; all of it on small widths.
 */
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { applyOperator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';
import { allEvaluators, assertionsOf, sameMeaning, variablesOf } from '../support/smtlib.ts';
import { growPool, randomPool } from '../support/terms.ts';
import { backEnd, caught, probeRandom } from './probe.ts';

const random = probeRandom();

type Meaning = (a: bigint, b: bigint, w: number) => bigint | boolean;
const signed = (x: bigint, w: number) => BigInt.asIntN(w, x);
const abs = (x: bigint) => (x < 0n ? -x : x);

/** SMT-LIB defines signed division through unsigned division of absolute values, division by zero as all ones. */
const udiv: (a: bigint, b: bigint) => bigint = (a, b) => (b === 0n ? -1n : a / b);
const urem: (a: bigint, b: bigint) => bigint = (a, b) => (b === 0n ? a : a % b);
const MEANINGS: readonly (readonly [Op, Meaning])[] = [
  [Op.BVADD, (a, b) => a + b],
  [Op.BVSUB, (a, b) => a - b],
  [Op.BVMUL, (a, b) => a * b],
  [Op.BVUDIV, udiv],
  [Op.BVUREM, urem],
  [
    Op.BVSDIV,
    (a, b, w) => {
      const [s, t] = [signed(a, w), signed(b, w)];
      const quotient = BigInt.asUintN(w, udiv(abs(s), abs(t)));
      return s < 0n === t < 0n ? quotient : -quotient;
    },
  ],
  [
    Op.BVSREM,
    (a, b, w) => {
      const [s, t] = [signed(a, w), signed(b, w)];
      return s < 0n ? -urem(abs(s), abs(t)) : urem(s, abs(t));
    },
  ],
  [Op.BVSHL, (a, b, w) => (b >= w ? 0n : a << b)],
  [Op.BVLSHR, (a, b, w) => (b >= w ? 0n : a >> b)],
  [Op.BVASHR, (a, b, w) => signed(a, w) >> (b >= w ? BigInt(w - 1) : b)],
  [Op.BVULT, (a, b) => a < b],
  [Op.BVULE, (a, b) => a <= b],
  [Op.BVSLT, (a, b, w) => signed(a, w) < signed(b, w)],
];

/** The evaluator and the circuits, for all arguments of a width. */
function checkOperators(width: number): void {
  for (const [op, meaning] of MEANINGS) {
    const terms = new TermStore();
    const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(width)));
    const application = terms.app(op, [x, y]);
    const solver = new ConcreteSolver(terms, { backEnd });
    for (let pair = 0; pair < 4 ** width; pair++) {
      const [a, b] = [pair % 2 ** width, Math.floor(pair / 2 ** width)];
      const defined = meaning(BigInt(a), BigInt(b), width);
      const value: Value = typeof defined === 'boolean' ? defined : Number(BigInt.asUintN(width, defined));
      const text = `operator ${op} on ${a} and ${b} of ${width} bits`;
      if (applyOperator(terms, application, [a, b]) !== value) caught(`${text}: the evaluator is wrong`);
      const result = typeof value === 'boolean' ? terms.bool(value) : terms.bv(width, value as number);
      const wrong = terms.not(terms.eq(application, result));
      const given = [terms.eq(x, terms.bv(width, a)), terms.eq(y, terms.bv(width, b))];
      if (solver.solve([...given, wrong]) !== 'unsat') caught(`${text}: the circuit is wrong`);
      if (solver.solve(given) !== 'sat') caught(`${text}: the circuit has no value`);
    }
  }
}

function checkRewriting(): void {
  for (let round = 0; round < 12; round++) {
    const terms = new TermStore();
    const rewriter = new Rewriter(terms);
    for (const t of randomPool(terms, random, 2, 90, 4)) {
      if (!sameMeaning(terms, t, rewriter.rewrite(t)))
        caught(`round ${round}: a term is rewritten to another one`);
    }
  }
}

/** Is the solver's answer about a formula right, and its model one? */
function checkFormula(terms: TermStore, formula: TermId, text: string): void {
  const variables = variablesOf(terms, [formula]);
  let isPossible = false;
  for (const evaluator of allEvaluators(terms, variables)) {
    isPossible = evaluator.value(formula) === true;
    if (isPossible) break;
  }
  const solver = new ConcreteSolver(terms, { backEnd });
  solver.assert(formula);
  const answer = solver.solve();
  if ((answer === 'sat') !== isPossible) caught(`${text}: ${answer}`);
  if (answer === 'sat' && !solver.model().isTrue(formula)) caught(`${text}: the model is none`);
}

const ARRAYS = `(declare-const a (Array (_ BitVec 2) (_ BitVec 1))) (declare-const e (_ BitVec 1))
  (declare-const b (Array (_ BitVec 2) (_ BitVec 1)))
  (declare-const i (_ BitVec 2)) (declare-const j (_ BitVec 2)) `;

/** Facts about arrays that hold, and others that do not. */
const FACTS = [
  '(= (select (store a i e) i) e)',
  '(=> (not (= i j)) (= (select (store a i e) j) (select a j)))',
  '(= (select (store a i e) j) (select a j))',
  '(= (select (store (store a i e) j #b0) i) e)',
  '(=> (= (store a i e) (store b i e)) (= (select a j) (select b j)))',
  '(=> (= (store a i e) (store b i e)) (or (= i j) (= (select a j) (select b j))))',
  '(= (store (store a i e) i #b0) (store a i #b0))',
];

function checkArrays(): void {
  for (const fact of FACTS) {
    const terms = new TermStore();
    const [formula] = assertionsOf(terms, `${ARRAYS} (assert (not ${fact}))`);
    checkFormula(terms, formula, fact);
  }
  for (let round = 0; round < 150; round++) {
    const terms = new TermStore();
    const { sorts } = terms;
    const sort = sorts.array(sorts.bitVec(1), sorts.bitVec(2));
    const leaves = [
      terms.variable('a', sort),
      terms.variable('b', sort),
      terms.bv(2, 1),
      terms.variable('e', sorts.bitVec(2)),
    ];
    for (const name of ['i', 'j']) leaves.push(terms.variable(name, sorts.bitVec(1)));
    const formulas = growPool(terms, random, leaves, 40, 2).filter(t => terms.sort(t) === sorts.bool);
    checkFormula(
      terms,
      terms.and([random.pick(formulas), terms.not(random.pick(formulas))]),
      `arrays, round ${round}`,
    );
  }
}

for (const width of [1, 2, 3]) checkOperators(width);
checkRewriting();
checkArrays();
