/**
 * The meaning of the bit-vector operators on numbers (SMT-LIB 2.7, theory FixedSizeBitVectors and the
 * abbreviations of logic QF_BV; bvredand and bvredor are a common extension). Each is written twice: on unsigned 32-bit numbers, which is what nearly
 * every program uses and is fast, and on BigInts for any width, in the words of the standard's definition.
 * Tests hold the two against each other.
 *
 * Every function has the shape (a, b, w, r, k): operands a and b (b is 0 for unary operators), w the width
 * of a, r the width of the result (0 for predicates), k the operator's index (0 if it has none). Operands
 * are canonical, that is unsigned and below 2^width; results are canonical too.
 */
export type SmallMeaning = (a: number, b: number, w: number, r: number, k: number) => number | boolean;
export type BigMeaning = (a: bigint, b: bigint, w: number, r: number, k: number) => bigint | boolean;

export interface BitVectorMeaning {
  readonly small: SmallMeaning;
  readonly big: BigMeaning;
}

/** Widths up to this are kept as numbers, larger ones as BigInts. */
export const SMALL_WIDTH = 32;

export function smallMask(w: number): number {
  return 0xffffffff >>> (32 - w);
}

export function bigMask(w: number): bigint {
  return (1n << BigInt(w)) - 1n;
}

function small(x: number, w: number): number {
  return (x & smallMask(w)) >>> 0;
}

/** Two's complement reading. */
export function smallSigned(x: number, w: number): number {
  return (x << (32 - w)) >> (32 - w);
}

function big(x: bigint, w: number): bigint {
  return BigInt.asUintN(w, x);
}

export function bigSigned(x: bigint, w: number): bigint {
  return BigInt.asIntN(w, x);
}

function isNegative(x: bigint, w: number): boolean {
  return ((x >> BigInt(w - 1)) & 1n) === 1n;
}

function smallUdiv(a: number, b: number, w: number): number {
  return b === 0 ? smallMask(w) : (a / b) >>> 0;
}

function smallUrem(a: number, b: number): number {
  return b === 0 ? a : a % b;
}

function bigUdiv(a: bigint, b: bigint, w: number): bigint {
  return b === 0n ? bigMask(w) : a / b;
}

function bigUrem(a: bigint, b: bigint): bigint {
  return b === 0n ? a : a % b;
}

function bigNeg(a: bigint, w: number): bigint {
  return big(-a, w);
}

function bigAbs(a: bigint, w: number): bigint {
  return isNegative(a, w) ? bigNeg(a, w) : a;
}

function outOfSignedRange(x: bigint, w: number): boolean {
  return x !== bigSigned(x, w);
}

function smallOutOfSignedRange(x: number, w: number): boolean {
  const half = 2 ** (w - 1);
  return x < -half || x >= half;
}

export const meanings = {
  bvnot: {
    small: (a, _b, w) => small(~a, w),
    big: (a, _b, w) => big(~a, w),
  },
  bvneg: {
    small: (a, _b, w) => small(-a, w),
    big: (a, _b, w) => bigNeg(a, w),
  },
  bvand: {
    small: (a, b) => (a & b) >>> 0,
    big: (a, b) => a & b,
  },
  bvor: {
    small: (a, b) => (a | b) >>> 0,
    big: (a, b) => a | b,
  },
  bvxor: {
    small: (a, b) => (a ^ b) >>> 0,
    big: (a, b) => a ^ b,
  },
  bvnand: {
    small: (a, b, w) => small(~(a & b), w),
    big: (a, b, w) => big(~(a & b), w),
  },
  bvnor: {
    small: (a, b, w) => small(~(a | b), w),
    big: (a, b, w) => big(~(a | b), w),
  },
  bvxnor: {
    small: (a, b, w) => small(~(a ^ b), w),
    big: (a, b, w) => big(~(a ^ b), w),
  },
  bvadd: {
    small: (a, b, w) => small(a + b, w),
    big: (a, b, w) => big(a + b, w),
  },
  bvsub: {
    small: (a, b, w) => small(a - b, w),
    big: (a, b, w) => big(a - b, w),
  },
  bvmul: {
    small: (a, b, w) => small(Math.imul(a, b), w),
    big: (a, b, w) => big(a * b, w),
  },
  bvudiv: {
    small: (a, b, w) => smallUdiv(a, b, w),
    big: (a, b, w) => bigUdiv(a, b, w),
  },
  bvurem: {
    small: (a, b) => smallUrem(a, b),
    big: (a, b) => bigUrem(a, b),
  },
  bvsdiv: {
    small: (a, b, w) => {
      const s = smallSigned(a, w);
      const t = smallSigned(b, w);
      if (t === 0) return s < 0 ? 1 : smallMask(w);
      return small(Math.trunc(s / t), w);
    },
    big: (a, b, w) => {
      const quotient = bigUdiv(bigAbs(a, w), bigAbs(b, w), w);
      return isNegative(a, w) === isNegative(b, w) ? quotient : bigNeg(quotient, w);
    },
  },
  bvsrem: {
    small: (a, b, w) => {
      const t = smallSigned(b, w);
      return t === 0 ? a : small(smallSigned(a, w) % t, w);
    },
    big: (a, b, w) => {
      const remainder = bigUrem(bigAbs(a, w), bigAbs(b, w));
      return isNegative(a, w) ? bigNeg(remainder, w) : remainder;
    },
  },
  bvsmod: {
    small: (a, b, w) => {
      const t = smallSigned(b, w);
      if (t === 0) return a;
      const s = smallSigned(a, w);
      return small(s - t * Math.floor(s / t), w);
    },
    big: (a, b, w) => {
      const u = bigUrem(bigAbs(a, w), bigAbs(b, w));
      const negativeA = isNegative(a, w);
      const negativeB = isNegative(b, w);
      if (u === 0n) return u;
      if (!negativeA && !negativeB) return u;
      if (negativeA && !negativeB) return big(bigNeg(u, w) + b, w);
      if (!negativeA && negativeB) return big(u + b, w);
      return bigNeg(u, w);
    },
  },
  bvshl: {
    small: (a, b, w) => (b >= w ? 0 : small(a << b, w)),
    big: (a, b, w) => (b >= BigInt(w) ? 0n : big(a << b, w)),
  },
  bvlshr: {
    small: (a, b, w) => (b >= w ? 0 : a >>> b),
    big: (a, b, w) => (b >= BigInt(w) ? 0n : a >> b),
  },
  bvashr: {
    small: (a, b, w) => small(smallSigned(a, w) >> Math.min(b, w - 1), w),
    big: (a, b, w) => big(bigSigned(a, w) >> (b >= BigInt(w) ? BigInt(w) : b), w),
  },
  bvcomp: {
    small: (a, b) => (a === b ? 1 : 0),
    big: (a, b) => (a === b ? 1n : 0n),
  },
  bvredand: {
    small: (a, _b, w) => (a === smallMask(w) ? 1 : 0),
    big: (a, _b, w) => (a === bigMask(w) ? 1n : 0n),
  },
  bvredor: {
    small: a => (a === 0 ? 0 : 1),
    big: a => (a === 0n ? 0n : 1n),
  },
  concat: {
    small: (a, b, w, r) => ((a << (r - w)) | b) >>> 0,
    big: (a, b, w, r) => (a << BigInt(r - w)) | b,
  },
  extract: {
    small: (a, _b, _w, r, k) => small(a >>> k, r),
    big: (a, _b, _w, r, k) => big(a >> BigInt(k), r),
  },
  zero_extend: {
    small: a => a,
    big: a => a,
  },
  sign_extend: {
    small: (a, _b, w, r) => small(smallSigned(a, w), r),
    big: (a, _b, w, r) => big(bigSigned(a, w), r),
  },
  repeat: {
    small: (a, _b, w, r) => {
      let x = a;
      for (let done = w; done < r; done += w) x = ((x << w) | a) >>> 0;
      return x;
    },
    big: (a, _b, w, r) => a * (bigMask(r) / bigMask(w)),
  },
  rotate_left: {
    small: (a, _b, w, _r, k) => {
      const by = k % w;
      return by === 0 ? a : small((a << by) | (a >>> (w - by)), w);
    },
    big: (a, _b, w, _r, k) => big((a << BigInt(k % w)) | (a >> BigInt(w - (k % w))), w),
  },
  rotate_right: {
    small: (a, _b, w, _r, k) => {
      const by = k % w;
      return by === 0 ? a : small((a >>> by) | (a << (w - by)), w);
    },
    big: (a, _b, w, _r, k) => big((a >> BigInt(k % w)) | (a << BigInt(w - (k % w))), w),
  },
  bvult: { small: (a, b) => a < b, big: (a, b) => a < b },
  bvule: { small: (a, b) => a <= b, big: (a, b) => a <= b },
  bvugt: { small: (a, b) => a > b, big: (a, b) => a > b },
  bvuge: { small: (a, b) => a >= b, big: (a, b) => a >= b },
  bvslt: {
    small: (a, b, w) => smallSigned(a, w) < smallSigned(b, w),
    big: (a, b, w) => bigSigned(a, w) < bigSigned(b, w),
  },
  bvsle: {
    small: (a, b, w) => smallSigned(a, w) <= smallSigned(b, w),
    big: (a, b, w) => bigSigned(a, w) <= bigSigned(b, w),
  },
  bvsgt: {
    small: (a, b, w) => smallSigned(a, w) > smallSigned(b, w),
    big: (a, b, w) => bigSigned(a, w) > bigSigned(b, w),
  },
  bvsge: {
    small: (a, b, w) => smallSigned(a, w) >= smallSigned(b, w),
    big: (a, b, w) => bigSigned(a, w) >= bigSigned(b, w),
  },
  bvnego: {
    small: (a, _b, w) => a === 2 ** (w - 1),
    big: (a, _b, w) => outOfSignedRange(-bigSigned(a, w), w),
  },
  bvuaddo: {
    small: (a, b, w) => a + b >= 2 ** w,
    big: (a, b, w) => a + b > bigMask(w),
  },
  bvsaddo: {
    small: (a, b, w) => smallOutOfSignedRange(smallSigned(a, w) + smallSigned(b, w), w),
    big: (a, b, w) => outOfSignedRange(bigSigned(a, w) + bigSigned(b, w), w),
  },
  bvumulo: {
    small: (a, b, w) => a * b >= 2 ** w,
    big: (a, b, w) => a * b > bigMask(w),
  },
  bvsmulo: {
    small: (a, b, w) => smallOutOfSignedRange(smallSigned(a, w) * smallSigned(b, w), w),
    big: (a, b, w) => outOfSignedRange(bigSigned(a, w) * bigSigned(b, w), w),
  },
  bvusubo: {
    small: (a, b) => a < b,
    big: (a, b) => a - b < 0n,
  },
  bvssubo: {
    small: (a, b, w) => smallOutOfSignedRange(smallSigned(a, w) - smallSigned(b, w), w),
    big: (a, b, w) => outOfSignedRange(bigSigned(a, w) - bigSigned(b, w), w),
  },
  bvsdivo: {
    small: (a, b, w) => a === 2 ** (w - 1) && b === smallMask(w),
    big: (a, b, w) => b !== 0n && outOfSignedRange(bigSigned(a, w) / bigSigned(b, w), w),
  },
} satisfies Record<string, BitVectorMeaning>;

/** The inverse of an odd number modulo 2^width, by Newton's iteration: each step doubles the correct bits. */
export function inverseModulo(odd: bigint, width: number): bigint {
  let inverse = odd; // right in the lowest three bits
  for (let correct = 3; correct < width; correct *= 2) {
    inverse = BigInt.asUintN(width, inverse * (2n - odd * inverse));
  }
  return inverse;
}
