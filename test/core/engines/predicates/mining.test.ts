/** Equations through points: what is found holds of the points, and of nothing else than it says. */
import t from 'tap';
import { kernelVector, Miner } from '../../../../src/core/engines/predicates/mining.ts';
import { evaluatorOf } from '../../../../src/core/problem/derivation.ts';
import type { Location } from '../../../../src/core/problem/problem.ts';
import { TermStore } from '../../../../src/term/store.ts';
import { seeded } from '../../../support/random.ts';

t.test('a vector of the kernel is orthogonal to all rows, and has no zeros', t => {
  const random = seeded(t);
  let found = 0;
  for (let round = 0; round < 500; round++) {
    const width = 2 + random.below(7);
    const columns = 2 + random.below(2);
    const rows = Array.from({ length: 1 + random.below(columns) }, () =>
      Array.from({ length: columns }, () => BigInt(random.below(2 ** width))),
    );
    const vector = kernelVector(rows, columns, width);
    if (vector === undefined) continue;
    found++;
    for (const row of rows) {
      const product = row.reduce((sum, v, i) => sum + v * vector[i], 0n);
      if (BigInt.asUintN(width, product) !== 0n) t.fail(`round ${round}: ${rows} by ${vector}`);
    }
    if (vector.some(v => v === 0n)) t.fail(`round ${round}: a zero in ${vector}`);
  }
  t.ok(found > 50, `${found} were found`);
  t.end();
});

t.test('what has an equation has a vector: differences of points of a line', t => {
  const random = seeded(t);
  for (let round = 0; round < 200; round++) {
    const width = 4 + random.below(5);
    const slope = BigInt(1 + random.below(2 ** width - 1));
    // y = slope · x + c; steps in x that are odd leave no other line.
    const rows = [1n, 3n].map(x => [x, BigInt.asUintN(width, slope * x)]);
    const vector = kernelVector(rows, 2, width);
    if (vector === undefined) t.fail(`round ${round}: no line of slope ${slope} modulo 2^${width}`);
  }
  t.end();
});

t.test('three refined states on a line are mined, two are not', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(8)));
  const location: Location = { name: 'l', places: [x, y], constraints: [] };
  const point = (a: number, b: number) =>
    new Map([
      [x, a],
      [y, b],
    ]);
  const miner = new Miner(terms);
  t.same(miner.mined(location, point(0, 1)), []);
  t.same(miner.mined(location, point(1, 3)), []);
  const [equation] = miner.mined(location, point(100, 201));
  for (let a = 0; a < 256; a++) {
    const on = evaluatorOf(terms, point(a, (2 * a + 1) % 256));
    const off = evaluatorOf(terms, point(a, (2 * a + 2) % 256));
    if (on.value(equation) !== true || off.value(equation) !== false) t.fail(`at ${a}`);
  }
  t.same(miner.mined(location, point(7, 15)), [], 'the points have been used');
  t.end();
});

t.test('points that lie on no line', t => {
  const terms = new TermStore();
  const [x, y] = ['x', 'y'].map(n => terms.variable(n, terms.sorts.bitVec(8)));
  const location: Location = { name: 'l', places: [x, y], constraints: [] };
  const miner = new Miner(terms);
  const mined = [
    [0, 0],
    [1, 0],
    [0, 1],
  ].flatMap(([a, b]) => miner.mined(location, new Map([...[[x, a] as const], ...[[y, b] as const]])));
  t.same(mined, []);
  t.end();
});
