/** A toy format: `count to 9 avoid 12` is a counter that starts again at zero after its last number. */

import { InputError } from '../../src/formats/diagnostic.ts';
import type { Question } from '../../src/formats/question.ts';
import { systemQuestion } from '../../src/formats/system-question.ts';
import { Op } from '../../src/term/operators.ts';
import { TermStore } from '../../src/term/store.ts';

export function countQuestion(file: string, text: string): Question {
  const words = /^count to (\d+) avoid (\d+)\s*$/.exec(text);
  if (words === null) throw new InputError(file, 1, 1, "expected 'count to N avoid M'");
  const terms = new TermStore();
  const [last, avoided] = words.slice(1).map(word => terms.bv(8, Number(word)));
  const sort = terms.sorts.bitVec(8);
  const [count, next] = ['count', 'count.next'].map(name => terms.variable(name, sort));
  const more = terms.app(Op.BVADD, [count, terms.bv(8, 1)]);
  return systemQuestion(file, 'vmt', {
    terms,
    states: [{ current: count, next }],
    inputs: [],
    init: terms.eq(count, terms.bv(8, 0)),
    trans: terms.eq(next, terms.ite(terms.eq(count, last), terms.bv(8, 0), more)),
    constraints: [],
    properties: [{ index: 0, formula: terms.not(terms.eq(count, avoided)), name: 'avoided' }],
  });
}
