/** IEEE arithmetic in terms, against that of the machine that runs the tests. */
import t from 'tap';
import {
  FLOAT_OPERATORS,
  FLOAT_PREDICATES,
  type FloatFormat,
  floatBits,
  formatOf,
} from '../../../src/formats/llvm/float-format.ts';
import { Floats } from '../../../src/formats/llvm/floats.ts';
import { Operations } from '../../../src/formats/llvm/operations.ts';
import { Evaluator } from '../../../src/term/evaluator.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import type { Value } from '../../../src/term/value.ts';
import { type Random, seeded } from '../../support/random.ts';

const HALF = formatOf('half') as FloatFormat;
const SINGLE = formatOf('float') as FloatFormat;
const DOUBLE = formatOf('double') as FloatFormat;

const view = new DataView(new ArrayBuffer(8));

function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

function singleOf(bits: bigint): number {
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
}

/** A word with many runs of equal bits and exponents that are near each other, or are the first and last. */
function numberBits(random: Random, { exponentBits, fractionBits }: FloatFormat): bigint {
  const last = 2 ** exponentBits - 1;
  const middle = 2 ** (exponentBits - 1) - 1;
  const exponent = random.pick([
    0,
    0,
    1,
    last,
    last - 1,
    middle,
    middle + random.below(40),
    middle - random.below(40),
    random.below(last),
  ]);
  let fraction = 0n;
  for (let i = 0; i < fractionBits; ) {
    const run = 1 + random.below(random.pick([2, fractionBits]));
    const bit = BigInt(random.below(2));
    for (let j = 0; j < run && i < fractionBits; j++, i++) fraction = (fraction << 1n) | bit;
  }
  if (random.below(5) === 0) fraction = BigInt(random.below(3));
  return (
    (((BigInt(random.below(2)) << BigInt(exponentBits)) | BigInt(exponent)) << BigInt(fractionBits)) |
    fraction
  );
}

function wordValue(bits: bigint, width: number): Value {
  return width <= 32 ? Number(bits) : bits;
}

/** Functions of words, as terms that are made once and evaluated for each argument. */
class Machine {
  readonly terms = new TermStore();
  readonly operations = new Operations(this.terms, new Rewriter(this.terms));
  readonly floats = new Floats(this.operations);

  of(
    widths: readonly number[],
    make: (args: readonly TermId[]) => TermId,
  ): (...args: readonly bigint[]) => bigint {
    const { terms } = this;
    const variables = widths.map((w, i) => terms.variable(`v${i}_${w}`, terms.sorts.bitVec(w)));
    const result = make(variables);
    return (...args) => {
      const values = new Map(variables.map((v, i) => [terms.functionOf(v), wordValue(args[i], widths[i])]));
      return BigInt(
        new Evaluator(terms, f => values.get(f) as Value).value(result) as number | bigint | boolean,
      );
    };
  }
}

t.test('arithmetic', t => {
  const random = seeded(t);
  const machine = new Machine();
  const calculate = {
    fadd: (a: number, b: number) => a + b,
    fsub: (a: number, b: number) => a - b,
    fmul: (a: number, b: number) => a * b,
    fdiv: (a: number, b: number) => a / b,
  };
  for (const [name, format, numberOf] of [
    ['float', SINGLE, singleOf],
    ['double', DOUBLE, doubleOf],
  ] as const) {
    const width = 1 + format.exponentBits + format.fractionBits;
    for (const operator of FLOAT_OPERATORS) {
      const f = machine.of([width, width], ([a, b]) => machine.floats.arithmetic(operator, format, a, b));
      let wrong = '';
      for (let round = 0; round < 2000 && wrong === ''; round++) {
        const [a, b] = [numberBits(random, format), numberBits(random, format)];
        const wanted = calculate[operator](numberOf(a), numberOf(b)); // once more rounded to a float, it is the same as rounded at once
        const got = f(a, b);
        const isRight = Number.isNaN(wanted)
          ? Number.isNaN(numberOf(got))
          : got === floatBits(Object.is(wanted, -0) ? '-0.0' : String(wanted), name);
        if (!isRight) wrong = `${numberOf(a)} ${operator} ${numberOf(b)} is not ${numberOf(got)}`;
      }
      t.equal(wrong, '', `${operator} of ${name}`);
    }
  }
  t.end();
});

t.test('comparisons', t => {
  const random = seeded(t);
  const machine = new Machine();
  const holds = {
    eq: (a: number, b: number) => a === b,
    gt: (a: number, b: number) => a > b,
    ge: (a: number, b: number) => a >= b,
    lt: (a: number, b: number) => a < b,
    le: (a: number, b: number) => a <= b,
    ne: (a: number, b: number) => a < b || a > b,
    rd: () => true,
  };
  for (const predicate of FLOAT_PREDICATES) {
    const f = machine.of([64, 64], ([a, b]) => machine.floats.compare(predicate, DOUBLE, a, b));
    let wrong = '';
    for (let round = 0; round < 500 && wrong === ''; round++) {
      const a = numberBits(random, DOUBLE);
      const b = random.below(4) === 0 ? a ^ (BigInt(random.below(2)) << 63n) : numberBits(random, DOUBLE);
      const [x, y] = [doubleOf(a), doubleOf(b)];
      const isUnordered = Number.isNaN(x) || Number.isNaN(y);
      const relation = predicate === 'uno' ? 'rd' : predicate.slice(1);
      const isRelated = relation in holds && holds[relation as keyof typeof holds](x, y);
      const isOrdered = predicate.startsWith('o') && !isUnordered && isRelated;
      const isAnyway = predicate.startsWith('u') && (isUnordered || (predicate !== 'uno' && isRelated));
      const wanted = predicate === 'true' || isOrdered || isAnyway;
      if ((f(a, b) === 1n) !== wanted) wrong = `${x} ${predicate} ${y} is ${wanted}`;
    }
    t.equal(wrong, '', predicate);
  }
  t.end();
});

t.test('conversions', t => {
  const random = seeded(t);
  const machine = new Machine();
  const { floats } = machine;
  const toSingle = machine.of([64], ([a]) => floats.convert(DOUBLE, SINGLE, a));
  const toDouble = machine.of([32], ([a]) => floats.convert(SINGLE, DOUBLE, a));
  const fromWord = (isSigned: boolean) => machine.of([64], ([a]) => floats.fromInteger(SINGLE, a, isSigned));
  const fromInt = machine.of([32], ([a]) => floats.fromInteger(DOUBLE, a, true));
  const toInt = machine.of([64], ([a]) => floats.toInteger(DOUBLE, a, 32, true));
  const toByte = machine.of([32], ([a]) => floats.toInteger(SINGLE, a, 8, false));
  const [fromSigned, fromUnsigned] = [fromWord(true), fromWord(false)];
  const wrong: string[] = [];
  const expect = (got: number | bigint, wanted: number | bigint, what: string) => {
    if (!Object.is(got, wanted)) wrong.push(`${what}: ${got}, not ${wanted}`);
  };
  for (let round = 0; round < 3000; round++) {
    const double = numberBits(random, DOUBLE);
    const single = numberBits(random, SINGLE);
    expect(singleOf(toSingle(double)), Math.fround(doubleOf(double)), `${doubleOf(double)} as a float`);
    expect(doubleOf(toDouble(single)), singleOf(single), 'as a double');
    const word = numberBits(random, DOUBLE) >> BigInt(random.below(64));
    expect(singleOf(fromUnsigned(word)), nearestSingle(word), `${word} as a float`);
    const signed = BigInt.asIntN(64, word);
    expect(singleOf(fromSigned(word)), nearestSingle(signed), `${signed} as a float`);
    const int = BigInt.asUintN(32, word);
    expect(doubleOf(fromInt(int)), Number(BigInt.asIntN(32, int)), `${int} as a double`);
    const whole = Math.trunc(doubleOf(double));
    const fits = whole >= -(2 ** 31) && whole < 2 ** 31;
    const wanted = fits ? BigInt.asUintN(32, BigInt(whole)) : 2n ** 31n;
    expect(toInt(double), wanted, `${doubleOf(double)} as an int`);
    const small = Math.trunc(singleOf(single));
    expect(toByte(single), small >= 0 && small < 256 ? BigInt(small) : 128n, `${singleOf(single)} as a byte`);
  }
  t.strictSame(wrong.slice(0, 3), []);

  const fromHalf = machine.of([16], ([a]) => floats.convert(HALF, DOUBLE, a));
  const toHalf = machine.of([64], ([a]) => floats.convert(DOUBLE, HALF, a));
  const changed: number[] = [];
  for (let bits = 0; bits < 65536; bits += 7) {
    const isSignalling = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0 && (bits & 0x200) === 0;
    const back = Number(toHalf(fromHalf(BigInt(bits))));
    if (back !== (isSignalling ? bits | 0x200 : bits)) changed.push(bits);
  }
  t.strictSame(changed, [], 'there and back again');
  t.equal(doubleOf(fromHalf(0x0001n)), 2 ** -24, 'the least half');
  t.equal(doubleOf(fromHalf(0x7bffn)), 65504, 'the greatest');
  t.end();
});

/** An integer as a float. By way of a double it may be rounded twice, so what decides is kept in the last bit. */
function nearestSingle(word: bigint): number {
  const magnitude = word < 0n ? -word : word;
  const rest = magnitude & 0x7ffn;
  const sticky = magnitude >> 52n === 0n ? magnitude : (magnitude - rest) | (rest === 0n ? 0n : 0x400n);
  return Math.fround(Number(word < 0n ? -sticky : sticky));
}

t.test('constants as the text has them', t => {
  t.equal(floatBits('1.000000e+00', 'float'), 0x3f800000n);
  t.equal(floatBits('0x3FF8000000000000', 'double'), 0x3ff8000000000000n);
  t.equal(floatBits('0x3FF8000000000000', 'float'), 0x3fc00000n, 'a float in the digits of a double');
  t.equal(floatBits('0xH3C00', 'half'), 0x3c00n);
  t.equal(floatBits('0xK3FFF8000000000000000', 'x86_fp80'), 0x3fff8000000000000000n);
  t.equal(floatBits('-0.000000e+00', 'double'), 1n << 63n);
  t.end();
});
