/** Formulas without what is said around them mean the same, have no other atoms, and say nothing twice. */
import t from 'tap';
import { inContext } from '../../../src/core/problem/in-context.ts';
import { Op } from '../../../src/term/operators.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { seeded } from '../../support/random.ts';
import { assertionsOf, sameMeaning } from '../../support/smtlib.ts';

t.test('random formulas', t => {
  const random = seeded(t);
  const terms = new TermStore();
  const atoms = [...'pqrs'].map(n => terms.variable(n, terms.sorts.bool));
  let shorter = 0;
  for (let round = 0; round < 400; round++) {
    const formula = (depth: number): TermId => {
      if (depth === 0 || random.chance(0.2)) return random.pick(atoms);
      const op = random.pick([Op.AND, Op.OR, Op.AND, Op.OR, Op.NOT, Op.ITE]);
      const count = op === Op.NOT ? 1 : op === Op.ITE ? 3 : 2 + random.below(2);
      return terms.app(
        op,
        Array.from({ length: count }, () => formula(depth - 1)),
      );
    };
    const f = formula(4);
    const image = inContext(terms, f);
    if (!sameMeaning(terms, f, image)) t.fail(`${printTerm(terms, f)} has become ${printTerm(terms, image)}`);
    if (printTerm(terms, image).length < printTerm(terms, f).length) shorter++;
    if (inContext(terms, image) !== image) t.comment(`${printTerm(terms, image)} can be made shorter`);
  }
  t.ok(shorter > 100, `${shorter} are shorter`);
  t.end();
});

t.test('what is left', t => {
  for (const [given, expected] of [
    ['(and p (or (not p) q))', '(and p q)'],
    ['(and p (or p q))', 'p'],
    ['(or (not (and p q)) (and p r))', '(or (not (and p q)) r)'],
    ['(or p (and q (not p) r))', '(or p (and q r))'],
    ['(and (or p q) (or p q))', '(or p q)'],
    ['(and (or (not p) r) (or (not q) (and (or (not p) r) s)))', '(and (or (not p) r) (or (not q) s))'],
    ['(and p (not p))', 'false'],
  ]) {
    const terms = new TermStore();
    const declared =
      '(declare-const p Bool) (declare-const q Bool) (declare-const r Bool) (declare-const s Bool)';
    const [formula] = assertionsOf(terms, `${declared} (assert ${given})`);
    t.equal(printTerm(terms, inContext(terms, formula)), expected, given);
  }
  t.end();
});
