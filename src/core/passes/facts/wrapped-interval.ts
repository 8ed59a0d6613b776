/**
 * Wrapped intervals (Navas, Schachte, Søndergaard, Stuckey, "Signedness-agnostic program analysis: precise integer bounds
 * for low-level code", APLAS 2012): arcs of the circle of numbers modulo 2^width. An arc is a first number and how many
 * follow each other from there, so that it is neither signed nor unsigned: [-3, 5] and [0, 8] are the same to it, and
 * a sum of arcs is an arc. Each operation gives an arc that contains all results of numbers of its arguments.
 */
import { bigSigned } from '../../../term/bitvector.ts';

/** A range of integers, both ends included. */
export type Range = readonly [least: bigint, greatest: bigint];

export class WrappedInterval {
  readonly width: number;
  /** The first number; 0 if there is none, or if it is every number. */
  readonly low: bigint;
  /** How many there are. */
  readonly size: bigint;
  readonly isAll: boolean;

  private constructor(width: number, low: bigint, size: bigint) {
    const most = 1n << BigInt(width);
    this.width = width;
    this.isAll = size >= most;
    this.low = this.isAll || size <= 0n ? 0n : BigInt.asUintN(width, low);
    this.size = this.isAll ? most : size < 0n ? 0n : size;
  }

  static all(width: number): WrappedInterval {
    return new WrappedInterval(width, 0n, 1n << BigInt(width));
  }

  static none(width: number): WrappedInterval {
    return new WrappedInterval(width, 0n, 0n);
  }

  static of(width: number, value: bigint): WrappedInterval {
    return new WrappedInterval(width, value, 1n);
  }

  /** What integers of a range are modulo 2^width. */
  static range(width: number, [least, greatest]: Range): WrappedInterval {
    return new WrappedInterval(width, least, greatest - least + 1n);
  }

  get isEmpty(): boolean {
    return this.size === 0n;
  }

  /** The last number. */
  get high(): bigint {
    return this.mod(this.low + this.size - 1n);
  }

  /** The number, if there is but one. */
  get constant(): bigint | undefined {
    return this.size === 1n ? this.low : undefined;
  }

  has(value: bigint): boolean {
    return this.mod(value - this.low) < this.size;
  }

  contains(other: WrappedInterval): boolean {
    if (other.isEmpty || this.isAll) return true;
    if (this.isEmpty || other.isAll) return false;
    return this.mod(other.low - this.low) + other.size <= this.size;
  }

  equals(other: WrappedInterval): boolean {
    return this.low === other.low && this.size === other.size;
  }

  /** As unsigned numbers; of an arc that is not empty. */
  get unsigned(): Range {
    const last = this.low + this.size - 1n;
    const greatest = (1n << BigInt(this.width)) - 1n;
    return last > greatest ? [0n, greatest] : [this.low, last];
  }

  /** As signed numbers; of an arc that is not empty. */
  get signed(): Range {
    const low = bigSigned(this.low, this.width);
    const half = 1n << BigInt(this.width - 1);
    return low + this.size > half ? [-half, half - 1n] : [low, low + this.size - 1n];
  }

  // ---- the lattice ----

  /** The smaller of the two arcs that contain both; neither order is monotone, but each is an upper bound. */
  join(other: WrappedInterval): WrappedInterval {
    if (this.contains(other)) return this;
    if (other.contains(this)) return other;
    const [upwards, onwards] = [this.upTo(other), other.upTo(this)];
    return onwards.size < upwards.size ? onwards : upwards;
  }

  /** From the beginning of this arc clockwise to the end of the other one, which this one does not contain. */
  private upTo(other: WrappedInterval): WrappedInterval {
    const size = this.mod(other.low - this.low) + other.size;
    return new WrappedInterval(this.width, this.low, size);
  }

  /** An arc that contains what both do. Two arcs can have two arcs in common: then it is the smaller one of them. */
  meet(other: WrappedInterval): WrappedInterval {
    if (this.contains(other)) return other;
    if (other.contains(this)) return this;
    const startsHere = this.has(other.low);
    const startsThere = other.has(this.low);
    if (startsHere && startsThere) return this.size <= other.size ? this : other;
    if (startsHere) return this.from(other.low);
    return startsThere ? other.from(this.low) : WrappedInterval.none(this.width);
  }

  /** What of the arc comes at this number of it or later. */
  private from(value: bigint): WrappedInterval {
    return new WrappedInterval(this.width, value, this.size - this.mod(value - this.low));
  }

  /**
   * An upper bound of both that lets no chain of such be long: an end that moves goes on to the next threshold, and where
   * there is none, to every number.
   */
  widen(other: WrappedInterval, thresholds: readonly bigint[]): WrappedInterval {
    const both = this.join(other);
    if (both.equals(this) || this.isEmpty) return both;
    const nearest = (distance: (threshold: bigint) => bigint) =>
      thresholds.map(distance).reduce((a, b) => (b < a ? b : a), 1n << BigInt(this.width));
    const below = both.low === this.low ? 0n : nearest(t => this.mod(both.low - t));
    const above = both.high === this.high ? 0n : nearest(t => this.mod(t - both.high));
    return new WrappedInterval(this.width, both.low - below, both.size + below + above);
  }

  // ---- arithmetic ----

  add(other: WrappedInterval): WrappedInterval {
    if (this.isEmpty || other.isEmpty) return WrappedInterval.none(this.width);
    return new WrappedInterval(this.width, this.low + other.low, this.size + other.size - 1n);
  }

  neg(): WrappedInterval {
    return new WrappedInterval(this.width, -(this.low + this.size - 1n), this.size);
  }

  sub(other: WrappedInterval): WrappedInterval {
    return this.add(other.neg());
  }

  not(): WrappedInterval {
    return this.neg().add(WrappedInterval.of(this.width, -1n));
  }

  /** By signed or by unsigned numbers, whatever is the smaller arc. */
  mul(other: WrappedInterval): WrappedInterval {
    if (this.isEmpty || other.isEmpty) return WrappedInterval.none(this.width);
    const product = (a: Range, b: Range) => {
      const ends = a.flatMap(x => b.map(y => x * y));
      return WrappedInterval.range(this.width, [least(ends), greatest(ends)]);
    };
    const unsigned = product(this.unsigned, other.unsigned);
    const signed = product(this.signed, other.signed);
    return signed.size < unsigned.size ? signed : unsigned;
  }

  // ---- other widths ----

  zeroExtend(width: number): WrappedInterval {
    return this.isEmpty ? WrappedInterval.none(width) : WrappedInterval.range(width, this.unsigned);
  }

  signExtend(width: number): WrappedInterval {
    return this.isEmpty ? WrappedInterval.none(width) : WrappedInterval.range(width, this.signed);
  }

  /** The lower bits. */
  truncate(width: number): WrappedInterval {
    return new WrappedInterval(width, this.low, this.size);
  }

  private mod(value: bigint): bigint {
    return BigInt.asUintN(this.width, value);
  }
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b < a ? b : a));
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b > a ? b : a));
}
