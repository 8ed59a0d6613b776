/**
 * The constants of BTOR2: `zero`, `one`, `ones`, and digits to the bases 2, 10 and 16. As in btor2tools, the reference
 * parser of the format, a binary constant has exactly as many digits as its sort has bits, so that a digit lost or doubled
 * is noticed; the others must fit, whatever zeros stand before them.
 */

interface ConstantReader {
  readonly hasDigits: boolean;
  /** The value of digits in a vector of a width, or what is wrong with them. */
  readonly value: (digits: string, width: number) => bigint | string;
}

const BINARY = /^[01]+$/;
const DECIMAL = /^-?[0-9]+$/;
const HEXADECIMAL = /^[0-9a-fA-F]+$/;

/** How a constant with this name is read; undefined if no constant has it. */
export function btor2Constant(keyword: string): ConstantReader | undefined {
  switch (keyword) {
    case 'zero':
      return { hasDigits: false, value: () => 0n };
    case 'one':
      return { hasDigits: false, value: () => 1n };
    case 'ones':
      return { hasDigits: false, value: (_, width) => (1n << BigInt(width)) - 1n };
    case 'const':
      return { hasDigits: true, value: bits };
    case 'constd':
      return digits(DECIMAL, 'decimal', '');
    case 'consth':
      return digits(HEXADECIMAL, 'hexadecimal', '0x');
    default:
      return undefined;
  }
}

function bits(word: string, width: number): bigint | string {
  if (!BINARY.test(word)) return `expected a binary number, found '${word}'`;
  if (word.length === width) return BigInt(`0b${word}`);
  return `expected as many binary digits as the sort has bits, ${width}, not ${word.length}`;
}

function digits(pattern: RegExp, base: string, prefix: string): ConstantReader {
  const value = (word: string, width: number) => {
    if (!pattern.test(word)) return `expected a ${base} number, found '${word}'`;
    const isNegative = word.startsWith('-');
    const magnitude = BigInt(`${prefix}${isNegative ? word.slice(1) : word}`);
    const size = 1n << BigInt(width);
    // A negative number must fit as a signed one, any other as an unsigned one.
    if (isNegative ? magnitude > size / 2n : magnitude >= size)
      return `${word} needs more than ${width} bits`;
    return isNegative ? -magnitude : magnitude;
  };
  return { hasDigits: true, value };
}
