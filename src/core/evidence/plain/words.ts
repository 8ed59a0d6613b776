/**
 * Circuits for words: adders, multipliers, dividers, shifters, comparators, in the way that schoolbooks have them. A word is
 * a range of literals in one pool, the lowest bit first; it is named by where it starts, and its width is said with it.
 *
 * Nothing here is clever, so that it can be read and believed: carries ripple, products are sums of shifted rows, and
 * division restores (subtract where it goes). Division needs no case for the divisor zero: each subtraction of zero goes, so
 * all bits of the quotient are one and the remainder is the dividend, as SMT-LIB wants it.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import type { Work } from '../../../sat/work.ts';
import { FALSE, type Gates, Pool, TRUE } from './gates.ts';
import type { Pace } from './pace.ts';

export class Words {
  readonly gates: Gates;
  readonly pool = new Pool();
  private readonly list = new IntStack();

  constructor(gates: Gates) {
    this.gates = gates;
  }

  bit(word: number, i: number): number {
    return this.pool.data[word + i];
  }

  // ---- making words ----

  fresh(width: number): number {
    const word = this.pool.take(width);
    for (let i = 0; i < width; i++) this.pool.data[word + i] = this.gates.fresh();
    return word;
  }

  single(literal: number): number {
    const word = this.pool.take(1);
    this.pool.data[word] = literal;
    return word;
  }

  constant(value: number | bigint, width: number): number {
    const word = this.pool.take(width);
    const { data } = this.pool;
    if (typeof value === 'number') {
      for (let i = 0; i < width; i++) data[word + i] = i < 32 && ((value >>> i) & 1) === 1 ? TRUE : FALSE;
      return word;
    }
    const digits = value.toString(2); // shifting a wide value once for each bit would take quadratic time
    for (let i = 0; i < width; i++)
      data[word + i] = digits.charCodeAt(digits.length - 1 - i) === 49 ? TRUE : FALSE;
    return word;
  }

  /** `count` literals of a word from bit `low` on, and then `fill`. */
  part(word: number, low: number, count: number, width: number, fill: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = i < count ? data[word + low + i] : fill;
    return out;
  }

  extended(word: number, width: number, to: number, isSigned: boolean): number {
    return this.part(word, 0, width, to, isSigned ? this.bit(word, width - 1) : FALSE);
  }

  concat(high: number, highWidth: number, low: number, lowWidth: number): number {
    const out = this.pool.take(highWidth + lowWidth);
    const { data } = this.pool;
    data.copyWithin(out, low, low + lowWidth);
    data.copyWithin(out + lowWidth, high, high + highWidth);
    return out;
  }

  repeated(word: number, width: number, to: number): number {
    const out = this.pool.take(to);
    const { data } = this.pool;
    for (let i = 0; i < to; i++) data[out + i] = data[word + (i % width)];
    return out;
  }

  /** The word turned left. */
  rotated(word: number, width: number, by: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + ((i + by) % width)] = data[word + i];
    return out;
  }

  // ---- bit by bit ----

  not(a: number, width: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = data[a + i] ^ 1;
    return out;
  }

  and(a: number, b: number, width: number, invert: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = this.gates.and(data[a + i], data[b + i]) ^ invert;
    return out;
  }

  or(a: number, b: number, width: number, invert: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = this.gates.or(data[a + i], data[b + i]) ^ invert;
    return out;
  }

  xor(a: number, b: number, width: number, invert: number): number {
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = this.gates.xor(data[a + i], data[b + i]) ^ invert;
    return out;
  }

  mux(c: number, a: number, b: number, width: number): number {
    if (c === TRUE || a === b) return a;
    if (c === FALSE) return b;
    const out = this.pool.take(width);
    const { data } = this.pool;
    for (let i = 0; i < width; i++) data[out + i] = this.gates.mux(c, data[a + i], data[b + i]);
    return out;
  }

  // ---- questions ----

  equal(a: number, b: number, width: number): number {
    return a === b ? TRUE : this.gates.equal(this.pool.data, a, b, width);
  }

  /** Are the bits of a word from `low` on all as given? */
  all(word: number, low: number, width: number, sign: number): number {
    const { list } = this;
    list.clear();
    for (let i = low; i < width; i++) list.push(this.pool.data[word + i] ^ sign);
    return this.gates.conjunction(list);
  }

  isZero(word: number, width: number): number {
    return this.all(word, 0, width, 1);
  }

  /** Is it the least signed number, a one and then zeros? */
  isLeast(word: number, width: number): number {
    const { list } = this;
    list.clear();
    for (let i = 0; i < width; i++) list.push(this.pool.data[word + i] ^ (i === width - 1 ? 0 : 1));
    return this.gates.conjunction(list);
  }

  /** a < b: the borrow of a - b. */
  less(a: number, b: number, width: number, isSigned: boolean): number {
    const { gates } = this;
    const { data } = this.pool;
    let borrow = FALSE;
    for (let i = 0; i < width; i++) {
      const flip = isSigned && i === width - 1 ? 1 : 0; // the sign bit counts the other way round
      borrow = gates.majority(data[a + i] ^ 1 ^ flip, data[b + i] ^ flip, borrow);
    }
    return borrow;
  }

  /** The carry out of a + b. */
  carry(a: number, b: number, width: number): number {
    const { data } = this.pool;
    let carry = FALSE;
    for (let i = 0; i < width; i++) carry = this.gates.majority(data[a + i], data[b + i], carry);
    return carry;
  }

  // ---- arithmetic ----

  /** a + b, or a - b, which is a + not b + 1. */
  sum(a: number, b: number, width: number, isDifference: boolean): number {
    const { gates } = this;
    const out = this.pool.take(width);
    const { data } = this.pool;
    const flip = isDifference ? 1 : 0;
    let carry = isDifference ? TRUE : FALSE;
    for (let i = 0; i < width; i++) {
      const x = data[a + i];
      const y = data[b + i] ^ flip;
      data[out + i] = gates.parity(x, y, carry);
      if (i + 1 < width) carry = gates.majority(x, y, carry);
    }
    return out;
  }

  negated(a: number, width: number): number {
    const { gates } = this;
    const out = this.pool.take(width);
    const { data } = this.pool;
    let carry = TRUE;
    for (let i = 0; i < width; i++) {
      const x = data[a + i] ^ 1;
      data[out + i] = gates.xor(x, carry);
      if (i + 1 < width) carry = gates.and(x, carry);
    }
    return out;
  }

  negatedIf(c: number, a: number, width: number): number {
    return c === FALSE ? a : this.mux(c, this.negated(a, width), a, width);
  }

  absolute(a: number, width: number): number {
    return this.negatedIf(this.bit(a, width - 1), a, width);
  }

  /**
   * a * b: for each bit of one factor a row, the other factor shifted. A factor that is a constant is written with the digits
   * 1, 0 and -1, no two of them in a row other than 0 (Reitwiesner, "Binary Arithmetic", 1960), so that 30 or -2 take one
   * or two rows, some of them to be subtracted.
   */
  *product(a: number, b: number, width: number, pace: Pace): Work<number> {
    const { gates, pool } = this;
    const isSwapped = this.constantBits(a, width) > this.constantBits(b, width);
    const factor = isSwapped ? b : a;
    const rows = isSwapped ? a : b;
    const digits = this.constantBits(rows, width) === width ? this.signedDigits(rows, width) : undefined;
    const out = pool.take(width);
    pool.data.fill(FALSE, out, out + width);
    for (let row = 0; row < width; row++) {
      const { data } = pool;
      const chosen = digits === undefined ? data[rows + row] : digits[row] !== 0 ? TRUE : FALSE;
      if (chosen === FALSE) continue;
      const flip = digits !== undefined && digits[row] < 0 ? 1 : 0;
      let carry = flip === 1 ? TRUE : FALSE;
      for (let i = row; i < width; i++) {
        const x = data[out + i];
        const y = gates.and(data[factor + i - row], chosen) ^ flip;
        data[out + i] = gates.parity(x, y, carry);
        if (i + 1 < width) carry = gates.majority(x, y, carry);
      }
      if (pace.isDue) yield* pace.pause();
    }
    return out;
  }

  /** The digits of a constant, the lowest first. What would be carried out of the word is lost. */
  private signedDigits(word: number, width: number): Int8Array {
    const digits = new Int8Array(width);
    let carry = 0;
    for (let i = 0; i < width; i++) {
      const sum = carry + (this.bit(word, i) === TRUE ? 1 : 0);
      const isFollowed = i + 1 < width && this.bit(word, i + 1) === TRUE;
      digits[i] = sum !== 1 ? 0 : isFollowed ? -1 : 1;
      carry = sum === 2 || digits[i] < 0 ? 1 : 0;
    }
    return digits;
  }

  private constantBits(word: number, width: number): number {
    let count = 0;
    for (let i = 0; i < width; i++) if (this.pool.data[word + i] <= FALSE) count++;
    return count;
  }

  /** Quotient and then remainder, in one word of twice the width. */
  *division(a: number, b: number, width: number, pace: Pace): Work<number> {
    const { gates, pool } = this;
    const out = pool.take(2 * width);
    const remainder = out + width;
    pool.data.fill(FALSE, remainder, remainder + width);
    const difference = new Int32Array(width);
    for (let step = width - 1; step >= 0; step--) {
      const { data } = pool;
      // Twice the remainder and the next bit of the dividend. It is never more than what is written in the bits of the
      // dividend that have been looked at, so it has no more bits than these, and the ones above are zero.
      const bits = width - step;
      data.copyWithin(remainder + 1, remainder, remainder + width - 1);
      data[remainder] = data[a + step];
      let goes = TRUE; // the carry: the difference is not negative
      for (let i = 0; i < width; i++) {
        const x = data[remainder + i];
        const y = data[b + i] ^ 1;
        if (i < bits) difference[i] = gates.parity(x, y, goes);
        goes = gates.majority(x, y, goes);
      }
      for (let i = 0; i < bits; i++)
        data[remainder + i] = gates.mux(goes, difference[i], data[remainder + i]);
      data[out + step] = goes;
      if (pace.isDue) yield* pace.pause();
    }
    return out;
  }

  /**
   * Shifts by a number that is not known: for each bit of it, by 1, 2, 4, … or not at all. A shift by the width or more
   * leaves nothing but `fill`.
   */
  shifted(a: number, by: number, width: number, isLeft: boolean, fill: number): number {
    const { gates, pool } = this;
    const out = pool.take(width);
    const { data } = pool;
    data.copyWithin(out, a, a + width);
    let stage = 0;
    for (; stage < width && 2 ** stage < width; stage++) {
      const distance = 2 ** stage;
      const chosen = data[by + stage];
      for (let k = 0; k < width; k++) {
        // In the order in which no bit is overwritten that is still needed.
        const i = isLeft ? width - 1 - k : k;
        const from = isLeft ? i - distance : i + distance;
        const moved = from >= 0 && from < width ? data[out + from] : fill;
        data[out + i] = gates.mux(chosen, moved, data[out + i]);
      }
    }
    const isShort = this.all(by, stage, width, 1);
    for (let i = 0; i < width; i++) data[out + i] = gates.mux(isShort, data[out + i], fill);
    return out;
  }
}
