/**
 * Refinement state mining (thesis, section 3.4): states that refinement had to tell apart, at one location, often lie on a line,
 * and one equation does away with all of them. Here numbers are bit-vectors, so an equation
 *
 *   a_1 · x_1 + … + a_n · x_n = c    modulo 2^w
 *
 * through some points is an element of the kernel of the matrix of their differences, over a ring in which only odd
 * numbers have inverses. Equations between few places are looked for first, and only those that fewer points would not have
 * given anyway.
 */
import { inverseModulo } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import type { Location } from '../../problem/problem.ts';

/** Two points always lie on a line. */
const MIN_POINTS = 3;

/** The latest points of a location; older ones have had their chance. */
const MAX_POINTS = 12;

/** Places that are looked at, and how many of them an equation may have. */
const MAX_PLACES = 8;
const MAX_TERMS = 3;

export class Miner {
  private readonly terms: TermStore;
  private readonly points = new Map<Location, ReadonlyMap<TermId, Value>[]>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** Takes in a state that was refined. Equations through it and states before, as formulas; these are forgotten then. */
  mined(location: Location, values: ReadonlyMap<TermId, Value>): TermId[] {
    const points = this.points.get(location) ?? [];
    this.points.set(location, points);
    points.push(values);
    if (points.length > MAX_POINTS) points.shift();
    if (points.length < MIN_POINTS) return [];
    const places = location.places.filter(p => this.terms.width(p) > 1).slice(0, MAX_PLACES);
    for (const subset of subsets(places, MAX_TERMS)) {
      const formula = this.equation(subset, points);
      if (formula === undefined) continue;
      points.length = 0;
      return formula;
    }
    return [];
  }

  /** An equation with all these places through the latest points, as it stands and as two inequalities. */
  private equation(
    places: readonly TermId[],
    points: readonly ReadonlyMap<TermId, Value>[],
  ): TermId[] | undefined {
    const { terms } = this;
    const width = terms.width(places[0]);
    const count = Math.max(MIN_POINTS, places.length + 1);
    if (points.length < count || places.some(p => terms.width(p) !== width)) return undefined;
    const rows = points.slice(-count).map(point => places.map(p => BigInt(point.get(p) as number | bigint)));
    // A place that is always the same would be an equation by itself: bounds do that.
    if (places.some((_, i) => rows.every(r => r[i] === rows[0][i]))) return undefined;
    const differences = rows.slice(1).map(r => r.map((v, i) => v - rows[0][i]));
    const coefficients = kernelVector(differences, places.length, width);
    if (coefficients === undefined) return undefined;
    const sum = places
      .map((p, i) => this.product(p, coefficients[i], width))
      .reduce((a, b) => terms.app(Op.BVADD, [a, b]));
    const constant = coefficients.reduce((c, a, i) => c + a * rows[0][i], 0n);
    const right = terms.bv(width, BigInt.asUintN(width, constant));
    return [terms.eq(sum, right), terms.app(Op.BVSLT, [sum, right]), terms.app(Op.BVSLT, [right, sum])];
  }

  private product(place: TermId, coefficient: bigint, width: number): TermId {
    const { terms } = this;
    return coefficient === 1n ? place : terms.app(Op.BVMUL, [terms.bv(width, coefficient), place]);
  }
}

/** All sets of at least two and at most so many of the elements, the small ones first. */
function* subsets<T>(elements: readonly T[], most: number): Generator<readonly T[]> {
  for (let size = 2; size <= Math.min(most, elements.length); size++) yield* choices(elements, size, 0);
}

function* choices<T>(elements: readonly T[], size: number, from: number): Generator<readonly T[]> {
  if (size === 0) yield [];
  else
    for (let i = from; i <= elements.length - size; i++)
      for (const rest of choices(elements, size - 1, i + 1)) yield [elements[i], ...rest];
}

/**
 * A vector without zeros, with an odd first entry brought to one if there is an odd one, that all rows are orthogonal to
 * modulo 2^width; nothing if there is none. Rows and columns are reduced to a diagonal: what divides all other entries is the one with
 * the fewest factors two, and with it row and column are cleared. A column without a pivot is in the kernel.
 */
export function kernelVector(
  matrix: readonly (readonly bigint[])[],
  columns: number,
  width: number,
): bigint[] | undefined {
  const ring = (v: bigint) => BigInt.asUintN(width, v);
  const rows = matrix.map(r => r.map(ring));
  // The columns of the matrix are combinations of the given ones: the columns of this one.
  const basis = Array.from({ length: columns }, (_, i) =>
    Array.from({ length: columns }, (_, j): bigint => (i === j ? 1n : 0n)),
  );
  const open = new Set(rows.keys());
  const free = new Set(basis.keys());
  for (;;) {
    const pivot = leastDivisible(rows, open, free);
    if (pivot === undefined) break;
    const { row, column } = pivot;
    const twos = valuation(rows[row][column]);
    const inverse = inverseModulo(rows[row][column] >> twos, width);
    for (const c of free) {
      if (c === column || rows[row][c] === 0n) continue;
      const factor = ring((rows[row][c] >> twos) * inverse);
      for (const r of rows) r[c] = ring(r[c] - factor * r[column]);
      for (const b of basis) b[c] = ring(b[c] - factor * b[column]);
    }
    for (const r of open) {
      if (r === row || rows[r][column] === 0n) continue;
      const factor = ring((rows[r][column] >> twos) * inverse);
      for (let c = 0; c < columns; c++) rows[r][c] = ring(rows[r][c] - factor * rows[row][c]);
    }
    open.delete(row);
    free.delete(column);
  }
  for (const c of free) {
    const vector = basis.map(b => b[c]);
    if (vector.every(v => v !== 0n)) return normalized(vector, width);
  }
  return undefined;
}

/** Equations that are multiples of each other by an odd number say the same: an entry that is odd becomes one. */
function normalized(vector: readonly bigint[], width: number): bigint[] {
  const odd = vector.find(v => (v & 1n) === 1n);
  if (odd === undefined) return [...vector];
  const inverse = inverseModulo(odd, width);
  return vector.map(v => BigInt.asUintN(width, v * inverse));
}

function leastDivisible(
  rows: readonly (readonly bigint[])[],
  open: ReadonlySet<number>,
  free: ReadonlySet<number>,
): { row: number; column: number } | undefined {
  let best: { row: number; column: number } | undefined;
  let least: bigint | undefined;
  for (const row of open) {
    for (const column of free) {
      const entry = rows[row][column];
      if (entry === 0n) continue;
      const twos = valuation(entry);
      if (least === undefined || twos < least) [best, least] = [{ row, column }, twos];
    }
  }
  return best;
}

/** How often a number that is not zero can be halved. */
function valuation(value: bigint): bigint {
  let twos = 0n;
  for (let v = value; (v & 1n) === 0n; v >>= 1n) twos++;
  return twos;
}
