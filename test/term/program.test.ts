import t from 'tap';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { Program } from '../../src/term/program.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { sameValue, type Value } from '../../src/term/value.ts';
import { seeded } from '../support/random.ts';
import { randomPool } from '../support/terms.ts';

t.test('a program computes what the evaluator does', t => {
  const random = seeded(t);
  let compared = 0;
  for (const width of [2, 3, 8, 31, 32, 33, 40]) {
    const terms = new TermStore();
    const pool = randomPool(terms, random, width, 150, 80);
    const variables = pool.filter(v => terms.isVariable(v));
    const program = new Program(terms, variables);
    program.add(pool);
    for (let round = 0; round < 10; round++) {
      const values = new Map<TermId, Value>();
      const evaluator = new Evaluator(terms, f => values.get(terms.apply(f, [])) as Value);
      const constants = pool.filter(c => terms.postorder([c]).every(u => !terms.isVariable(u)));
      for (const v of variables) {
        const same = constants.filter(c => terms.sort(c) === terms.sort(v));
        values.set(
          v,
          same.length > 0 ? evaluator.value(random.pick(same)) : fallback(terms, v, random.below(8)),
        );
      }
      const computed = program.run(variables.map(v => values.get(v) as Value));
      compared += pool.length;
      const wrong = pool.find(u => !sameValue(computed[program.slot(u)], evaluator.value(u)));
      if (wrong !== undefined) t.fail(`width ${width}, round ${round}: ${terms.op(wrong)}`);
    }
  }
  t.ok(compared >= 7 * 10 * 150, `${compared} values`);
  t.end();

  /** For sorts of which the pool has no constant: an array that stores something. */
  function fallback(terms: TermStore, v: TermId, n: number): Value {
    const { sorts } = terms;
    const sort = terms.sort(v);
    const width = sorts.width(sorts.elementSort(sort));
    const bit = terms.bv(1, n & 1);
    const array = terms.constArray(sort, terms.bv(width, n >> 1));
    const stored = terms.app(Op.STORE, [array, bit, terms.bv(width, n)]);
    return new Evaluator(terms, () => false).value(stored);
  }
});

t.test('a variable may be defined by what is computed before', t => {
  const terms = new TermStore();
  const sort = terms.sorts.bitVec(8);
  const [x, y] = ['x', 'y'].map(name => terms.variable(name, sort));
  const body = terms.app(Op.BVADD, [x, terms.bv(8, 1)]);
  const product = terms.app(Op.BVMUL, [x, y]);
  const program = new Program(terms, [x]);
  program.add([body]);
  program.define(y, body);
  program.add([product]);
  t.equal(program.run([6])[program.slot(product)], 42);
  t.equal(program.run([7])[program.slot(product)], 56, 'anew with every run');
  t.equal(program.run([7])[program.slot(y)], 8);
  t.end();
});
