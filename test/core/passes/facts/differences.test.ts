/** Comparisons and equations in simpler words, by enumeration: they say the same of all values within the arcs. */
import t from 'tap';
import { comparesSums, withoutDifferences } from '../../../../src/core/passes/facts/differences.ts';
import { WrappedInterval } from '../../../../src/core/passes/facts/wrapped-interval.ts';
import { Op } from '../../../../src/term/operators.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { seeded } from '../../../support/random.ts';
import { allEvaluators } from '../../../support/smtlib.ts';

const WIDTH = 4;

t.test('random comparisons', t => {
  const random = seeded(t);
  const counts = { orders: 0, equations: 0 };
  for (let round = 0; counts.orders < 100 || counts.equations < 100; round++) {
    const terms = new TermStore();
    const variables = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(WIDTH)));
    const arcs = new Map(
      variables.map(v => {
        const low = BigInt(random.below(16));
        return [v, WrappedInterval.range(WIDTH, [low, low + BigInt(random.below(8))])];
      }),
    );
    const number = () => terms.bv(WIDTH, random.below(16));
    const factor = () => terms.bv(WIDTH, random.pick([1, 2, 2, 3, 4, 6, -1, -2]));
    const side = (): TermId => {
      const v = random.pick(variables);
      const multiple = random.chance(0.5) ? terms.app(Op.BVMUL, [factor(), v]) : v;
      const sum = random.chance(0.5) ? terms.app(Op.BVADD, [number(), multiple]) : multiple;
      return random.chance(0.2) ? terms.app(Op.BVSUB, [sum, random.pick(variables)]) : sum;
    };
    const op = random.pick([Op.EQ, Op.BVULT, Op.BVSLT]);
    const atom = terms.app(op, [side(), random.chance(0.2) ? number() : side()]);
    if (!comparesSums(terms, atom)) continue;
    const simpler = withoutDifferences(terms, atom, v => arcs.get(v) ?? WrappedInterval.all(WIDTH));
    if (simpler === atom) continue;
    counts[op === Op.EQ ? 'equations' : 'orders']++;
    for (const evaluator of allEvaluators(terms, variables)) {
      if (variables.some(v => !arcs.get(v)?.has(BigInt(evaluator.value(v) as number)))) continue;
      if (evaluator.value(atom) !== evaluator.value(simpler))
        t.fail(`round ${round}: ${printTerm(terms, atom)} became ${printTerm(terms, simpler)}`);
    }
  }
  t.pass(JSON.stringify(counts));
  t.end();
});

t.test('addresses of elements are equal if their numbers are', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(8)));
  const address = (i: TermId, base: number) =>
    terms.app(Op.BVADD, [terms.bv(8, base), terms.app(Op.BVMUL, [terms.bv(8, 4), i])]);
  const upTo = (most: bigint) => () => WrappedInterval.range(8, [0n, most]);
  const equal = terms.eq(address(x, 16), address(y, 16));
  t.equal(withoutDifferences(terms, equal, upTo(63n)), terms.eq(x, y));
  t.equal(withoutDifferences(terms, equal, upTo(64n)), equal, 'unless they may wrap');
  const fields = terms.eq(address(x, 16), address(y, 18));
  t.equal(withoutDifferences(terms, fields, upTo(50n)), terms.false, 'fields of elements differ');
  t.end();
});
