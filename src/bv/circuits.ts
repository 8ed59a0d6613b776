/**
 * Circuits for the arithmetic of bit-vectors over an and-inverter graph. A vector is an array of edges, least
 * significant bit first.
 */
import { type Aig, complement, type Edge, FALSE, TRUE } from './aig.ts';

export type Bits = readonly Edge[];

export class Circuits {
  private readonly aig: Aig;
  private readonly checkpoint: () => void;

  /** `checkpoint` is called for each row of a large circuit; it may throw. */
  constructor(aig: Aig, checkpoint: () => void) {
    this.aig = aig;
    this.checkpoint = checkpoint;
  }

  constant(width: number, value: number | bigint): Edge[] {
    const bits: Edge[] = [];
    if (typeof value === 'number') {
      for (let i = 0; i < width; i++) bits.push(i < 32 && ((value >>> i) & 1) !== 0 ? TRUE : FALSE);
      return bits;
    }
    const text = value.toString(2);
    for (let i = 0; i < width; i++) bits.push(text[text.length - 1 - i] === '1' ? TRUE : FALSE);
    return bits;
  }

  not(a: Bits): Edge[] {
    return a.map(complement);
  }

  ite(c: Edge, a: Bits, b: Bits): Edge[] {
    return a.map((bit, i) => this.aig.ite(c, bit, b[i]));
  }

  equal(a: Bits, b: Bits): Edge {
    const { aig } = this;
    let result = TRUE;
    for (let i = a.length - 1; i >= 0; i--) {
      result = aig.and(result, aig.iff(a[i], b[i]));
      if (result === FALSE) break;
    }
    return result;
  }

  isZero(a: Bits): Edge {
    return complement(this.aig.any(a));
  }

  /** a + b + carry, and the carry that leaves the top. */
  sum(a: Bits, b: Bits, carryIn: Edge): { bits: Edge[]; carry: Edge } {
    const { aig } = this;
    const bits: Edge[] = [];
    let carry = carryIn;
    for (let i = 0; i < a.length; i++) {
      const half = aig.xor(a[i], b[i]);
      bits.push(aig.xor(half, carry));
      carry = aig.or(aig.and(a[i], b[i]), aig.and(half, carry));
    }
    return { bits, carry };
  }

  add(a: Bits, b: Bits): Edge[] {
    return this.sum(a, b, FALSE).bits;
  }

  subtract(a: Bits, b: Bits): Edge[] {
    return this.sum(a, this.not(b), TRUE).bits;
  }

  negate(a: Bits): Edge[] {
    return this.sum(
      this.not(a),
      a.map(() => FALSE),
      TRUE,
    ).bits;
  }

  /** |a| in two's complement. */
  absolute(a: Bits): Edge[] {
    return this.ite(a[a.length - 1], this.negate(a), a);
  }

  /** Unsigned a < b, or a ≤ b. */
  less(a: Bits, b: Bits, orEqual: boolean): Edge {
    const { aig } = this;
    let result = orEqual ? TRUE : FALSE;
    for (let i = 0; i < a.length; i++) result = aig.ite(aig.xor(a[i], b[i]), b[i], result);
    return result;
  }

  signedLess(a: Bits, b: Bits, orEqual: boolean): Edge {
    return this.less(flippedSign(a), flippedSign(b), orEqual);
  }

  /**
   * The product, as wide as the factors: a row of partial products for each bit of one factor. Rows of constant
   * zeros cost nothing, so the factor with fewer unknown or set bits gives the rows; and in a constant factor
   * a run of ones is read as a difference of two powers (Booth), which needs two rows.
   */
  multiply(a: Bits, b: Bits): Edge[] {
    const [rows, factor] = rowCount(a) <= rowCount(b) ? [a, b] : [b, a];
    if (rows.every(bit => bit <= TRUE)) return this.multiplyByConstant(factor, rows);
    const width = factor.length;
    let result: Edge[] = factor.map(bit => this.aig.and(bit, rows[0]));
    for (let i = 1; i < width; i++) {
      if (rows[i] === FALSE) continue;
      this.checkpoint();
      const partial = factor.slice(0, width - i).map(bit => this.aig.and(bit, rows[i]));
      result = [...result.slice(0, i), ...this.add(result.slice(i), partial)];
    }
    return result;
  }

  private multiplyByConstant(factor: Bits, constant: Bits): Edge[] {
    const { length: width } = factor;
    let result: Edge[] = factor.map(() => FALSE);
    for (const { shift, isNegative } of signedDigits(constant)) {
      const row = factor.slice(0, width - shift);
      const high = result.slice(shift);
      const next = isNegative ? this.subtract(high, row) : this.add(high, row);
      result = [...result.slice(0, shift), ...next];
    }
    return result;
  }

  /** Quotient and remainder of unsigned division by shifting and subtracting; x / 0 is all ones, x mod 0 is x. */
  divide(a: Bits, b: Bits): { quotient: Edge[]; remainder: Edge[] } {
    const { length: width } = a;
    const quotient: Edge[] = a.map(() => FALSE);
    let remainder: Edge[] = a.map(() => FALSE);
    const notB = [...this.not(b), TRUE]; // of b with a zero on top
    for (let i = width - 1; i >= 0; i--) {
      this.checkpoint();
      const shifted = [a[i], ...remainder]; // one bit wider: it is less than 2b
      const { bits: difference, carry } = this.sum(shifted, notB, TRUE);
      quotient[i] = carry; // no borrow: shifted ≥ b
      remainder = this.ite(carry, difference, shifted).slice(0, width);
    }
    // For b = 0 each step has no borrow and takes nothing away: the quotient is all ones and the remainder a.
    return { quotient, remainder };
  }

  /** Shifts by a vector of bits: a stage for each bit that matters, and `fill` everywhere if any other is set. */
  shift(a: Bits, by: Bits, direction: 'left' | 'right', fill: Edge): Edge[] {
    const { aig } = this;
    const { length: width } = a;
    const stages = Math.ceil(Math.log2(width));
    let result: Edge[] = [...a];
    for (let stage = 0; stage < Math.min(stages, by.length); stage++) {
      const distance = 2 ** stage;
      const current = result;
      result = current.map((bit, i) => {
        const from = direction === 'left' ? i - distance : i + distance;
        return aig.ite(by[stage], from >= 0 && from < width ? current[from] : fill, bit);
      });
    }
    const tooFar = aig.any(by.slice(stages));
    return result.map(bit => aig.ite(tooFar, fill, bit));
  }
}

function flippedSign(a: Bits): Edge[] {
  return a.map((bit, i) => (i === a.length - 1 ? complement(bit) : bit));
}

function rowCount(a: Bits): number {
  return a.filter(bit => bit !== FALSE).length;
}

/** A constant as a sum of signed powers of two with no two neighbours (non-adjacent form). */
function signedDigits(constant: Bits): { shift: number; isNegative: boolean }[] {
  const digits: { shift: number; isNegative: boolean }[] = [];
  let carry = 0;
  for (let i = 0; i < constant.length; i++) {
    const bit = (constant[i] === TRUE ? 1 : 0) + carry;
    const next = i + 1 < constant.length && constant[i + 1] === TRUE ? 1 : 0;
    if ((bit & 1) === 0) {
      carry = bit >> 1;
      continue;
    }
    const isNegative = next === 1;
    digits.push({ shift: i, isNegative });
    carry = isNegative ? 1 : 0;
  }
  return digits;
}
