/** What scripts that we write have in common: names that are told apart, and the logic that is claimed. */
import t from 'tap';
import { declarations, logicOf, nameApart, namePortably } from '../../../src/formats/smtlib/script-text.ts';
import { Op } from '../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';

t.test('symbols of one name are told apart', t => {
  const terms = new TermStore();
  const { bool } = terms.sorts;
  const [x, y, z, and] = ['x', 'x', 'x!1', 'and'].map(name => terms.variable(name, bool));
  const bar = terms.variable('a|b\\c', bool);
  const f = terms.apply(terms.declare('x', [bool], bool), [y]);
  const formulas = [terms.app(Op.AND, [x, terms.not(y)]), z, and, bar, f];
  const renamed = nameApart(terms, formulas);
  const functions = terms.postorder(renamed).filter(s => terms.op(s) === Op.APPLY);
  t.same(
    functions.map(s => terms.nameOf(s)),
    ['x', 'x!1', 'x!1!1', 'and!1', 'a_b_c', 'x!2'],
  );
  t.equal(terms.arg(renamed[0], 0), x, 'the first keeps its name');
  t.end();
});

t.test('names that solvers keep to themselves, and those of commands', t => {
  const terms = new TermStore();
  const [dot, at, x, reset] = ['.def', '@0', 'x.def', 'reset'].map(n => terms.variable(n, terms.sorts.bool));
  const { named, remarks } = namePortably(terms, [dot, at, x, reset]);
  t.same(declarations(terms, named), [
    '(declare-fun x.def () Bool)',
    '(declare-fun x@0 () Bool)',
    '(declare-fun x.def!1 () Bool)',
    '(declare-fun |reset| () Bool)',
  ]);
  t.same(remarks, [
    '; .def is called x.def here',
    '; @0 is called x@0 here',
    '; x.def is called x.def!1 here',
  ]);
  t.end();
});

t.test('logics', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const p = terms.variable('p', sorts.bool);
  const x = terms.variable('x', sorts.bitVec(2));
  const s = terms.variable('s', sorts.declare('S'));
  const a = terms.variable('a', sorts.array(sorts.bitVec(2), sorts.bitVec(1)));
  const b = terms.variable('b', sorts.array(sorts.bool, sorts.bool));
  const f = terms.apply(terms.declare('f', [sorts.bool], sorts.bool), [p]);
  const logic = (...formulas: TermId[]) => logicOf(terms, formulas);
  t.equal(logic(p), 'QF_BV');
  t.equal(logic(x), 'QF_BV');
  t.equal(logic(f), 'QF_UF');
  t.equal(logic(s), 'QF_UF');
  t.equal(logic(f, x), 'QF_UFBV');
  t.equal(logic(a), 'QF_ABV');
  t.equal(logic(a, s), 'QF_AUFBV');
  t.equal(logic(b), 'ALL');
  t.equal(logic(a, terms.constArray(terms.sort(b), p)), 'ALL');
  t.end();
});
