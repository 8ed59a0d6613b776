/** Formulas without `true` and `false` inside mean the same, and their atoms are the ones that they had. */
import t from 'tap';
import { withoutConstants } from '../../../src/core/problem/without-constants.ts';
import { Op } from '../../../src/term/operators.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { seeded } from '../../support/random.ts';
import { sameMeaning } from '../../support/smtlib.ts';

t.test('random formulas', t => {
  const random = seeded(t);
  const terms = new TermStore();
  const { sorts } = terms;
  const [x, y] = ['x', 'y'].map(name => terms.variable(name, sorts.bitVec(2)));
  const [p, q] = ['p', 'q'].map(name => terms.variable(name, sorts.bool));
  const sum = terms.app(Op.BVADD, [terms.bv(2, 0), x]); // which must stay as it is
  const nine = terms.app(Op.BVULT, [terms.app(Op.BVADD, [terms.bv(2, 1), terms.bv(2, 1)]), terms.bv(2, 3)]);
  const pool: TermId[] = [nine, p, q, terms.true, terms.false, terms.eq(sum, y), terms.app(Op.BVULT, [x, y])];
  for (let i = 0; i < 400; i++) {
    const op = random.pick([Op.NOT, Op.AND, Op.OR, Op.EQ, Op.ITE, Op.IMPLIES]);
    const count = op === Op.NOT ? 1 : op === Op.ITE ? 3 : 2;
    const args = Array.from({ length: count }, () => random.pick(pool));
    pool.push(terms.app(op, args));
  }
  const connectives = new Set<Op>([Op.NOT, Op.AND, Op.OR]);
  const isConstant = (f: TermId) => f === terms.true || f === terms.false;
  for (const f of pool) {
    const image = withoutConstants(terms, f);
    if (!sameMeaning(terms, f, image)) t.fail(`${printTerm(terms, f)} has become ${printTerm(terms, image)}`);
    const all = terms.postorder([image]);
    const isSimple = (c: TermId) => !connectives.has(terms.op(c)) || !terms.args(c).some(isConstant);
    if (!all.every(isSimple)) t.fail(`there is a constant in ${printTerm(terms, image)}`);
    const before = new Set(terms.postorder([f]));
    const atoms = all.filter(a => terms.sort(a) !== sorts.bool || terms.op(a) === Op.BVULT);
    if (!atoms.every(a => before.has(a))) t.fail(`atoms of ${printTerm(terms, f)} have changed`);
  }
  t.end();
});
