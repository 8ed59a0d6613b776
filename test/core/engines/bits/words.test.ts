import t from 'tap';
import { bitObstacle, Words } from '../../../../src/core/engines/bits/words.ts';
import { Evaluator } from '../../../../src/term/evaluator.ts';
import { Op } from '../../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { allValues, type Value } from '../../../../src/term/value.ts';
import { questionOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { growPool } from '../../../support/terms.ts';
import { HandMade } from '../../hand-made.ts';
import { viewsOfForm } from '../one-engine.ts';

t.test('arrays as words mean what they meant', t => {
  const random = seeded(t);
  const terms = new TermStore();
  const { sorts } = terms;
  const array = sorts.array(sorts.bitVec(2), sorts.bitVec(2));
  const flags = sorts.array(sorts.bool, sorts.bool);
  const kinds = [array, array, flags, flags, sorts.bitVec(2), sorts.bool];
  const variables = kinds.map((sort, i) => terms.variable(`v${i}`, sort));
  const [a, b, c, d, index, flag] = variables;
  const written = [
    terms.app(Op.STORE, [a, index, terms.app(Op.SELECT, [b, index])]),
    terms.app(Op.STORE, [terms.constArray(array, index), terms.bv(2, 2), index]),
    terms.app(Op.STORE, [c, flag, terms.app(Op.SELECT, [d, terms.not(flag)])]),
  ];
  const pool = growPool(terms, random, [...variables, ...written, ...written], 400, 6);
  const compared = [
    ...pool.filter(p => !sorts.isArray(terms.sort(p))),
    ...[a, a, c].map((array, i) => terms.eq(array, written[i])),
  ];
  const words = new Words(terms);
  const arrayOperators = new Set<number>([Op.STORE, Op.CONST_ARRAY]);
  for (const term of compared) {
    const image = words.formula(term);
    const strange = terms.postorder([image]).find(s => arrayOperators.has(terms.op(s)));
    if (strange !== undefined) t.fail('a write is left');
  }
  let differences = 0;
  for (let round = 0; round < 200; round++) {
    const values = new Map(
      variables.map(v => [terms.functionOf(v), random.pick([...allValues(sorts, terms.sort(v))])]),
    );
    const evaluator = new Evaluator(terms, f => values.get(f) as Value);
    const differ = (term: TermId) => evaluator.value(term) !== evaluator.value(words.formula(term));
    differences += compared.filter(differ).length;
  }
  t.equal(differences, 0);
  t.end();
});

t.test('what has no bits is refused by name', t => {
  const obstacle = (text: string) => {
    const views = viewsOfForm(questionOf(new HandMade(text).system), 'normal');
    return bitObstacle(views.flat.system) ?? '';
  };
  const rest = '(assert (! true :named trans)) (assert (! true :named init))';
  t.match(
    obstacle(`(declare-sort Thing 0) (declare-const x Thing) (declare-const x.next Thing) ${rest}
      (assert (! (= x x.next) :named property))`),
    /Thing/,
  );
  t.match(
    obstacle(`(declare-fun twice ((_ BitVec 4)) (_ BitVec 4)) (declare-const x (_ BitVec 4))
      (declare-const x.next (_ BitVec 4)) ${rest} (assert (! (= (twice x) x) :named property))`),
    /twice/,
  );
  t.match(
    obstacle(`(declare-const m (Array (_ BitVec 16) Bool)) (declare-const m.next (Array (_ BitVec 16) Bool)) ${rest}
      (assert (! (select m #x0000) :named property))`),
    /Array/,
  );
  t.end();
});
