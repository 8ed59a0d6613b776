/** Arcs against enumeration: every operation, for all arcs of three bits, contains all that it has to, and a join no more. */
import t from 'tap';
import { application } from '../../../../src/core/passes/facts/interval-operators.ts';
import { WrappedInterval } from '../../../../src/core/passes/facts/wrapped-interval.ts';
import { applyOperator } from '../../../../src/term/evaluator.ts';
import { Op } from '../../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';

const WIDTH = 3;
const NUMBERS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];

/** All arcs of three bits, that of nothing included. */
const ARCS = [
  WrappedInterval.none(WIDTH),
  WrappedInterval.all(WIDTH),
  ...NUMBERS.flatMap(low =>
    [0n, 1n, 2n, 3n, 4n, 5n, 6n].map(n => WrappedInterval.range(WIDTH, [low, low + n])),
  ),
];

const numbersOf = (arc: WrappedInterval) => {
  const all = Array.from({ length: 2 ** arc.width }, (_, i) => BigInt(i));
  return all.filter(n => arc.has(n));
};
const nameOf = (arc: WrappedInterval) => `{${numbersOf(arc)}}`;
const signed = (n: bigint) => BigInt.asIntN(WIDTH, n);

t.test('an arc is what it says', t => {
  for (const arc of ARCS) {
    const own = numbersOf(arc);
    t.equal(BigInt(own.length), arc.size, nameOf(arc));
    if (own.length === 0) continue;
    t.ok(own.includes(arc.low) && own.includes(arc.high), `the ends of ${nameOf(arc)}`);
    for (const [range, numbers] of [
      [arc.unsigned, own],
      [arc.signed, own.map(signed)],
    ] as const) {
      t.equal(
        range[0],
        numbers.reduce((a, b) => (b < a ? b : a)),
        `the least of ${nameOf(arc)}`,
      );
      t.equal(
        range[1],
        numbers.reduce((a, b) => (b > a ? b : a)),
        `the greatest of ${nameOf(arc)}`,
      );
    }
  }
  t.end();
});

t.test('joins, meets and widenings', t => {
  for (const a of ARCS) {
    for (const b of ARCS) {
      const [as, bs] = [numbersOf(a), numbersOf(b)];
      const text = `${nameOf(a)} and ${nameOf(b)}`;
      const union = new Set([...as, ...bs]);
      const join = a.join(b);
      const bounds = ARCS.filter(c => [...union].every(n => c.has(n)));
      const smallest = bounds.reduce((s, c) => (c.size < s ? c.size : s), 8n);
      if (![...union].every(n => join.has(n))) t.fail(`the join of ${text} is ${nameOf(join)}`);
      if (join.size !== smallest) t.fail(`the join of ${text} is as large as ${nameOf(join)}`);
      const meet = a.meet(b);
      const common = as.filter(n => b.has(n));
      if (!common.every(n => meet.has(n))) t.fail(`the meet of ${text} is ${nameOf(meet)}`);
      if (common.length === 0 && !meet.isEmpty) t.fail(`the meet of ${text} is ${nameOf(meet)}`);
      if (!a.contains(meet) && !b.contains(meet)) t.fail(`the meet of ${text} is ${nameOf(meet)}`);
      if (a.contains(b) !== bs.every(n => a.has(n))) t.fail(`${text}: contains`);
      for (const thresholds of [[], [0n], [3n, 4n], [0n, 7n, 3n, 4n], [1n, 6n]]) {
        const wide = a.widen(b, thresholds);
        if (!wide.contains(a) || !wide.contains(b)) t.fail(`${text} are widened to ${nameOf(wide)}`);
        const isGrown = !wide.equals(a) && !a.isEmpty && !wide.isAll;
        const moved = [wide.low === a.low ? [] : [wide.low], wide.high === a.high ? [] : [wide.high]].flat();
        if (isGrown && !moved.every(n => thresholds.includes(n)))
          t.fail(`${text} are widened to ${nameOf(wide)}, whose ends are no thresholds`);
      }
    }
  }
  t.end();
});

t.test('widening comes to an end', t => {
  for (const a of ARCS.filter(arc => !arc.isEmpty)) {
    for (const step of NUMBERS) {
      let arc = a;
      let changes = 0;
      for (let isChanged = true; isChanged; changes++) {
        const next = arc.widen(arc.add(WrappedInterval.of(WIDTH, step)), [0n, 3n, 4n, 7n]);
        isChanged = !next.equals(arc);
        arc = next;
      }
      if (changes > 9) t.fail(`${nameOf(a)} and steps of ${step}: ${changes} changes`);
      if (!arc.contains(arc.add(WrappedInterval.of(WIDTH, step)))) t.fail('the end is no end');
    }
  }
  t.end();
});

const BINARY: readonly Op[] = [
  Op.BVADD,
  Op.BVSUB,
  Op.BVMUL,
  Op.BVAND,
  Op.BVOR,
  Op.BVXOR,
  Op.BVUDIV,
  Op.BVUREM,
  Op.BVSDIV,
  Op.BVSREM,
  Op.BVSHL,
  Op.BVLSHR,
  Op.BVASHR,
  Op.BVULT,
  Op.BVSLT,
  Op.EQ,
  Op.CONCAT,
];

/** Whatever numbers of the arcs the arguments are, the value lies in the arc of the application. */
function complaint(terms: TermStore, term: TermId, arcs: readonly WrappedInterval[]): string | undefined {
  const arc = application(terms, term, arcs);
  const choices = arcs.reduce<number[][]>(
    (all, a) => all.flatMap(c => numbersOf(a).map(n => [...c, Number(n)])),
    [[]],
  );
  for (const args of choices) {
    const value = applyOperator(terms, term, args);
    if (!arc.has(BigInt(value as number | boolean)))
      return `operator ${terms.op(term)} of ${args} is ${value}, which ${nameOf(arc)} does not have`;
  }
  return undefined;
}

t.test('operators', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(WIDTH)));
  const filled = ARCS.filter(a => !a.isEmpty);
  const unary = [
    terms.app(Op.BVNEG, [x]),
    terms.app(Op.BVNOT, [x]),
    terms.app(Op.ZERO_EXTEND, [x], [2]),
    terms.app(Op.SIGN_EXTEND, [x], [2]),
    ...[
      [0, 0],
      [1, 0],
      [2, 1],
      [2, 2],
    ].map(indices => terms.app(Op.EXTRACT, [x], indices)),
  ];
  for (const a of filled) {
    for (const term of unary) {
      const wrong = complaint(terms, term, [a]);
      if (wrong !== undefined) t.fail(wrong);
    }
    for (const b of filled) {
      for (const op of BINARY) {
        const wrong = complaint(terms, terms.app(op, [x, y]), [a, b]);
        if (wrong !== undefined) t.fail(wrong);
      }
    }
  }
  // Where nothing is lost, nothing is: sums of arcs are arcs.
  const sum = application(terms, terms.app(Op.BVADD, [x, y]), [
    WrappedInterval.range(WIDTH, [6n, 9n]),
    WrappedInterval.range(WIDTH, [1n, 2n]),
  ]);
  t.same(numbersOf(sum), [0n, 1n, 2n, 3n, 7n]);
  t.end();
});
