/** Floating-point numbers as bits: the formats of IEEE 754 that LLVM has names for, and how its text writes constants. */
import type { FloatName } from './module.ts';

/** Is arithmetic computed, or does it give any result? */
export const FLOATS = ['exact', 'any'] as const;

/** Beside the sign; the leading one of a fraction is not counted. */
export interface FloatFormat {
  readonly exponentBits: number;
  readonly fractionBits: number;
}

export const FLOAT_OPERATORS = ['fadd', 'fsub', 'fmul', 'fdiv'] as const;
export type FloatOperator = (typeof FLOAT_OPERATORS)[number];

/** Ordered: neither is "not a number", and so on; unordered: or one is. */
export const FLOAT_PREDICATES = [
  ...(['oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord'] as const),
  ...(['ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno'] as const),
  ...(['true', 'false'] as const),
] as const;
export type FloatPredicate = (typeof FLOAT_PREDICATES)[number];

/** What is done with numbers; fractions are cut off where an integer is made, and all else is rounded to the nearest. */
export type FloatOperation =
  | { readonly kind: 'arithmetic'; readonly operator: FloatOperator; readonly format: FloatFormat }
  | { readonly kind: 'compare'; readonly predicate: FloatPredicate; readonly format: FloatFormat }
  | { readonly kind: 'to-integer'; readonly format: FloatFormat; readonly isSigned: boolean }
  | { readonly kind: 'from-integer'; readonly format: FloatFormat; readonly isSigned: boolean }
  | { readonly kind: 'convert'; readonly from: FloatFormat; readonly to: FloatFormat }
  /** Whether it is in one of LLVM's ten classes, of which the mask has a bit each. */
  | { readonly kind: 'classify'; readonly format: FloatFormat; readonly mask: number };

const FORMATS: { readonly [name in FloatName]: FloatFormat | undefined } = {
  half: { exponentBits: 5, fractionBits: 10 },
  float: { exponentBits: 8, fractionBits: 23 },
  double: { exponentBits: 11, fractionBits: 52 },
  fp128: { exponentBits: 15, fractionBits: 112 },
  x86_fp80: undefined, // its leading one is written
};

export function formatOf(name: FloatName): FloatFormat | undefined {
  return FORMATS[name];
}

/** A constant, as the text writes it: in decimal, or the bits; those of a float are written as those of a double. */
export function floatBits(text: string, name: FloatName): bigint | undefined {
  const [, letter, digits] = /^0x([KLMHR]?)([0-9A-Fa-f]+)$/.exec(text) ?? [];
  if (digits === undefined) return bitsOfNumber(Number(text), name);
  const bits = BigInt(`0x${digits}`);
  if (letter === 'L') return ((bits & ((1n << 64n) - 1n)) << 64n) | (bits >> 64n); // the lower half comes first
  if (letter !== '') return bits;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return name === 'double' ? bits : bitsOfNumber(view.getFloat64(0), name);
}

function bitsOfNumber(value: number, name: FloatName): bigint | undefined {
  const view = new DataView(new ArrayBuffer(8));
  if (name === 'float') {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return name === 'double' ? view.getBigUint64(0) : undefined;
}

/** The number that a word of 32 or 64 bits is. */
export function numberOfBits(bits: bigint, width: 32 | 64): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return width === 32 ? view.getFloat32(4) : view.getFloat64(0);
}

/** With as many digits as tell it from its neighbours, such as `0.1` or `-inf`. */
export function floatText(bits: bigint, width: 32 | 64): string {
  const value = numberOfBits(bits, width);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0';
  if (width === 64) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** An expression of C with this value. */
export function floatExpression(bits: bigint, width: 32 | 64): string {
  const value = numberOfBits(bits, width);
  const sign = bits >> BigInt(width - 1) === 1n ? '-' : '';
  if (Number.isNaN(value)) return `${sign}__builtin_nan("")`;
  if (!Number.isFinite(value)) return `${sign}__builtin_inf()`;
  return `${sign}${Math.abs(value).toExponential()}`;
}
