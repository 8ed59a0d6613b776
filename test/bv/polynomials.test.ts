/** Equations as polynomials: laws of arithmetic are decided, and what is replaced means the same. */
import t from 'tap';
import { Polynomials } from '../../src/bv/preprocess/polynomials.ts';
import { Op } from '../../src/term/operators.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
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
