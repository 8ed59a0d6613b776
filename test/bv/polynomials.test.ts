/** Equations as polynomials: laws of arithmetic are decided, and what is replaced means the same. */
import t from 'tap';
import { Polynomials } from '../../src/bv/preprocess/polynomials.ts';
import { Op } from '../../src/term/operators.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { substitute } from '../../src/term/substitute.ts';
import { seeded } from '../support/random.ts';
import { assertionsOf, sameMeaning } from '../support/smtlib.ts';

function simplified(
  width: number,
  formula: string,
): { terms: TermStore; equation: TermId; result?: TermId | undefined } {
  const terms = new TermStore();
  const names = ['x', 'y', 'z'].map(n => `(declare-const ${n} (_ BitVec ${width}))`).join('');
  const [assertion] = assertionsOf(terms, `${names}(assert ${formula})`);
  const rewriter = new Rewriter(terms);
  const equation = rewriter.rewrite(assertion);
  return { terms, equation, result: new Polynomials(rewriter).simplify(equation) };
}

t.test('laws of arithmetic need no multiplier', t => {
  for (const law of [
    '(= (bvmul x (bvadd y z)) (bvadd (bvmul y x) (bvmul z x)))',
    '(= (bvmul (bvadd x y) (bvadd x y)) (bvadd (bvmul x x) (bvmul y (bvadd y (bvadd x x)))))',
    '(= (bvmul x (bvmul y z)) (bvmul (bvmul x z) y))',
    '(= (bvmul (bvsub x y) (bvadd x y)) (bvsub (bvmul x x) (bvmul y y)))',
    '(= (bvmul (bvneg x) y) (bvneg (bvmul x y)))',
    '(= (bvmul (bvnot x) y) (bvsub (bvneg (bvmul y x)) y))',
  ]) {
    const { terms, result } = simplified(64, law);
    t.equal(result, terms.true, law);
  }
  const { terms, result } = simplified(
    32,
    '(= (bvmul x (bvadd y #x00000002)) (bvadd (bvmul x y) (bvadd x (bvadd x #x00000001))))',
  );
  t.equal(result, terms.false, 'they differ by one');
  const parity = simplified(16, '(= (bvmul (bvmul x #x0004) y) (bvadd (bvmul z (bvmul x #x0008)) #x0006))');
  t.equal(parity.result, parity.terms.false, 'modulo 4, nothing but 2 is left');
  t.end();
});

t.test('squares of squares stay small', t => {
  // multiplied out, the last would be a product of 2^40 factors
  let power = 'x';
  const squares = Array.from({ length: 40 }, (_, i) => {
    const binding = `(let ((s${i} (bvmul ${power} ${power}))) `;
    power = `s${i}`;
    return binding;
  });
  const { result } = simplified(8, `${squares.join('')}(= y (bvmul ${power} z))${')'.repeat(40)}`);
  t.equal(result, undefined, 'it is left as it is');
  t.end();
});

t.test('what is replaced means the same', t => {
  const random = seeded(t);
  let replaced = 0;
  for (let round = 0; round < 5000; round++) {
    const terms = new TermStore();
    const width = 1 + random.below(3);
    const pool = [
      ...['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(width))),
      ...[0, 1, 2, 3, 5].map(c => terms.bv(width, c)),
    ];
    for (let i = 0; i < 12; i++) {
      const op = random.pick([
        Op.BVADD,
        Op.BVMUL,
        Op.BVMUL,
        Op.BVSUB,
        Op.BVNEG,
        Op.BVNOT,
        Op.BVSHL,
        Op.BVAND,
      ]);
      const args =
        op === Op.BVNEG || op === Op.BVNOT ? [random.pick(pool)] : [random.pick(pool), random.pick(pool)];
      pool.push(terms.app(op, args));
    }
    const rewriter = new Rewriter(terms);
    const equation = rewriter.rewrite(
      terms.eq(pool[pool.length - 1], pool[pool.length - 2 - random.below(4)]),
    );
    if (terms.op(equation) !== Op.EQ) continue;
    const result = new Polynomials(rewriter).simplify(equation);
    if (result === undefined) continue;
    replaced++;
    if (!sameMeaning(terms, equation, result)) t.fail(`round ${round}: the meaning has changed`);
  }
  t.ok(replaced > 50, `${replaced} equations`);
  t.end();
});

t.test('an equation is the earlier one that it differs from in what cancels', t => {
  const terms = new TermStore();
  const polynomials = new Polynomials(new Rewriter(terms));
  const declared = [...'xyz'].map(n => `(declare-const ${n} (_ BitVec 32))`).join('');
  const read = (formula: string) => assertionsOf(terms, `${declared}(assert ${formula})`)[0];
  const first = read('(= (bvadd x y) (bvmul #x00000003 z))');
  t.equal(polynomials.withEarlierEquations(first), first);
  // Each script declares variables of its own.
  const mine = new Map(
    terms.postorder([first]).flatMap(v => (terms.isVariable(v) ? [[terms.nameOf(v), v]] : [])),
  );
  const again = (formula: string) => {
    const other = read(formula);
    const images = new Map(
      terms.postorder([other]).flatMap(v => {
        const known = terms.isVariable(v) ? mine.get(terms.nameOf(v)) : undefined;
        return known === undefined ? [] : [[v, known] as const];
      }),
    );
    return polynomials.withEarlierEquations(substitute(terms, other, images));
  };
  const step =
    '(= (bvadd (bvadd x #x00000002) (bvadd y #x00000001)) (bvmul #x00000003 (bvadd z #x00000001)))';
  t.equal(again(step), first, 'after a step');
  t.equal(again(`(not ${step})`), terms.not(first), 'inside of a formula');
  t.equal(again('(= (bvsub (bvmul #x00000003 z) x) y)'), first, 'on the other side');
  t.equal(again('(= (bvadd x #x00000001) (bvadd #x00000001 x))'), terms.true);
  t.equal(again('(= (bvadd x #x00000001) (bvadd #x00000002 x))'), terms.false);
  t.not(again('(= (bvadd x y) (bvmul #x00000004 z))'), first, 'another one stays what it is');
  t.end();
});

t.test('earlier equations mean the same', t => {
  const random = seeded(t);
  let replaced = 0;
  for (let round = 0; round < 60; round++) {
    const terms = new TermStore();
    const rewriter = new Rewriter(terms);
    const polynomials = new Polynomials(rewriter);
    const sort = terms.sorts.bitVec(2);
    const leaves = [...['x', 'y'].map(n => terms.variable(n, sort)), terms.bv(2, 1), terms.bv(2, 3)];
    const sum = (depth: number): TermId => {
      if (depth === 0) return random.pick(leaves);
      return terms.app(random.pick([Op.BVADD, Op.BVSUB, Op.BVMUL]), [sum(depth - 1), sum(depth - 1)]);
    };
    for (let i = 0; i < 40; i++) {
      const formula = rewriter.rewrite(
        terms.or([terms.eq(sum(2), sum(2)), terms.not(terms.eq(sum(1), sum(2)))]),
      );
      const image = polynomials.withEarlierEquations(formula);
      if (image !== formula) replaced++;
      if (!sameMeaning(terms, formula, image)) t.fail(`round ${round}: ${i}`);
    }
  }
  t.ok(replaced > 200, `${replaced} were replaced`);
  t.end();
});
