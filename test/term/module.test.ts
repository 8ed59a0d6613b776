/** Modules modulo powers of two against enumeration: membership, kernels and the forms that make all vectors zero. */
import t from 'tap';
import { annihilator, dot, kernel, Module, solved, type Vector } from '../../src/term/module.ts';
import { seeded } from '../support/random.ts';

const COLUMNS = 3;

/** All vectors that are sums of multiples of some. */
function span(width: number, vectors: readonly Vector[]): Set<string> {
  const all = new Map<string, Vector>([['0,0,0', [0n, 0n, 0n]]]);
  for (const v of all.values()) {
    for (const w of vectors) {
      const sum = v.map((n, i) => BigInt.asUintN(width, n + w[i]));
      if (!all.has(sum.join())) all.set(sum.join(), sum);
    }
  }
  return new Set(all.keys());
}

function allVectors(width: number): Vector[] {
  const numbers = Array.from({ length: 2 ** width }, (_, i) => BigInt(i));
  return numbers.flatMap(a => numbers.flatMap(b => numbers.map(c => [a, b, c])));
}

t.test('random modules', t => {
  const random = seeded(t);
  for (let round = 0; round < 400; round++) {
    const width = 1 + random.below(3);
    const vectors: Vector[] = Array.from({ length: random.below(4) }, () =>
      Array.from({ length: COLUMNS }, () => BigInt(random.below(2 ** width))),
    );
    const text = `round ${round}: ${width} bits, ${vectors.map(v => `(${v})`).join(' ')}`;
    const members = span(width, vectors);
    const module = new Module(width, COLUMNS);
    for (const v of vectors) module.add(v);
    t.same(span(width, module.rows), members, `${text}, rows`);
    t.same(span(width, module.reduced()), members, `${text}, reduced`);
    for (const v of allVectors(width)) {
      const copy = new Module(width, COLUMNS);
      for (const w of vectors) copy.add(w);
      if (copy.add(v) === members.has(v.join())) t.fail(`${text}: membership of ${v}`);
    }
    const solutions = solved(width, vectors);
    t.same(
      span(
        width,
        solutions.map(s => s.form),
      ),
      members,
      `${text}, solved`,
    );
    for (const { form, column } of solutions)
      if (column > 0 && form[column] === 1n && solutions.some(s => s.form !== form && s.form[column] !== 0n))
        t.fail(`${text}: column ${column} is told and still asked for`);
    const form: Vector = Array.from({ length: COLUMNS }, () => BigInt(random.below(2 ** width)));
    const isZero = (a: Vector, b: Vector) => BigInt.asUintN(width, dot(a, b)) === 0n;
    const zeros = [...members].filter(m => isZero(m.split(',').map(BigInt), form));
    t.same(span(width, kernel(width, vectors, form)), new Set(zeros), `${text}, kernel of ${form}`);
    const forms = allVectors(width).filter(f => vectors.every(v => isZero(f, v)));
    t.same(
      span(width, annihilator(width, COLUMNS, vectors)),
      new Set(forms.map(f => f.join())),
      `${text}, forms`,
    );
  }
  t.end();
});
