/** Types and constants as C writes them: what a compiler for the same data model needs to pass a value of LLVM's type. */
import type { DebugType, Type } from './module.ts';
import { stripped } from './source-names.ts';

/** The C type of a scalar, or of a struct that is so many bytes; undefined for void. */
export interface CType {
  readonly text: string;
  readonly isSigned: boolean;
  /** How a value is written: a number, an address, or the bytes of something else. */
  readonly kind: 'integer' | 'pointer' | 'float' | 'bytes';
  /** In bits. */
  readonly width: number;
}

/** What a function returns, as the user wrote it where that is known. */
export function resultType(
  type: Type,
  written: DebugType | undefined,
  pointerWidth: 32 | 64,
): CType | undefined {
  const known = stripped(written);
  if ((known?.kind === 'struct' || known?.kind === 'union') && known.bits > 0)
    return bytesType(known.bits / 8);
  switch (type.kind) {
    case 'int': {
      const isWritten = known?.kind === 'basic' && known.encoding !== 'float';
      const isEnum = known?.kind === 'enum';
      // A Boolean is one bit there, and a byte here.
      const width = type.width === 1 ? 8 : type.width;
      const isSigned =
        (isWritten && (known.encoding === 'signed' || known.encoding === 'char')) ||
        (isEnum && known.isSigned);
      const text = isWritten && known.bits === width ? known.name : integerType(type.width, isSigned);
      return { text, isSigned, kind: 'integer', width: type.width };
    }
    case 'pointer':
      return { text: 'void *', isSigned: false, kind: 'pointer', width: pointerWidth };
    case 'float':
      return { ...(FLOATS[type.name] ?? { text: 'long double', width: 0 }), isSigned: false, kind: 'float' };
    case 'void':
      return undefined;
    default:
      return bytesType(16);
  }
}

const FLOATS: Readonly<Record<string, { readonly text: string; readonly width: number }>> = {
  float: { text: 'float', width: 32 },
  double: { text: 'double', width: 64 },
};

function bytesType(bytes: number): CType {
  return {
    text: `struct { unsigned char bytes[${bytes}]; }`,
    isSigned: false,
    kind: 'bytes',
    width: 8 * bytes,
  };
}

/** An integer type that holds so many bits. */
export function integerType(width: number, isSigned: boolean): string {
  if (width === 1) return '_Bool';
  if (width <= 8) return isSigned ? 'signed char' : 'unsigned char';
  if (width <= 16) return isSigned ? 'short' : 'unsigned short';
  if (width <= 32) return isSigned ? 'int' : 'unsigned int';
  if (width <= 64) return isSigned ? 'long long' : 'unsigned long long';
  return isSigned ? '__int128' : 'unsigned __int128';
}

/** A constant whose value is this number, whatever the size of `long`; its type is `int` or wider, or unsigned. */
export function integerText(value: bigint): string {
  if (value < 0n) {
    if (value === -(1n << 31n)) return '(-2147483647 - 1)';
    if (value === -(1n << 63n)) return '(-9223372036854775807LL - 1)';
    return `-${integerText(-value)}`;
  }
  if (value < 1n << 31n) return String(value);
  if (value < 1n << 32n) return `${value}u`;
  if (value < 1n << 63n) return `${value}LL`;
  if (value < 1n << 64n) return `${value}ull`;
  return `((unsigned __int128)${integerText(value >> 64n)} << 64 | ${integerText(BigInt.asUintN(64, value))})`;
}
