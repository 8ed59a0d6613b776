/**
 * Sets of vectors modulo 2^width that are closed under sums and multiples: modules over a ring in which even numbers have
 * no inverse. They are kept as rows in echelon form, in which a leading entry is a power of two, and with a row its multiple
 * by what makes the leading entry vanish is there, too (Howell's form; Müller-Olm and Seidl, "Analysis of modular
 * arithmetic", TOPLAS 2007). So a vector belongs to the module exactly if the rows, one after the other, reduce it to zero.
 */
import { inverseModulo } from './bitvector.ts';

export type Vector = readonly bigint[];

export class Module {
  private readonly width: number;
  private readonly byColumn: (Vector | undefined)[]; // the row whose first entry that is not zero stands there

  constructor(width: number, columns: number) {
    this.width = width;
    this.byColumn = new Array(columns).fill(undefined);
  }

  /** Does every vector belong to it? */
  get isAll(): boolean {
    return this.byColumn.every((row, i) => row !== undefined && row[i] === 1n);
  }

  get rows(): Vector[] {
    return this.byColumn.filter(r => r !== undefined);
  }

  /** Takes in a vector; false if it was there. */
  add(vector: Vector): boolean {
    const { width, byColumn } = this;
    let isNew = false;
    const waiting = [vector];
    for (let v = waiting.pop(); v !== undefined; v = waiting.pop()) {
      const column = v.findIndex(n => n !== 0n);
      if (column < 0) continue;
      const row = byColumn[column];
      const power = valuation(v[column]);
      if (row !== undefined && power >= valuation(row[column])) {
        waiting.push(plus(width, v, row, -v[column] / row[column]));
        continue;
      }
      isNew = true;
      const odd = v[column] >> power;
      const own = times(width, v, inverseModulo(odd, width));
      byColumn[column] = own;
      if (row !== undefined) waiting.push(row);
      if (power > 0n) waiting.push(times(width, own, 1n << (BigInt(width) - power)));
    }
    return isNew;
  }

  /** Rows in which later ones have left as little as they can: the same module. */
  reduced(): Vector[] {
    const { width, byColumn } = this;
    return this.rows.map(row => {
      const lead = row.findIndex(n => n !== 0n);
      let own = row;
      for (let column = lead + 1; column < row.length; column++) {
        const other = byColumn[column];
        if (other !== undefined) own = plus(width, own, other, -(own[column] / other[column]));
      }
      return own;
    });
  }
}

/** Of the module that some vectors span, what a linear form makes zero, again by vectors that span it. */
export function kernel(width: number, vectors: readonly Vector[], form: Vector): Vector[] {
  const values = vectors.map(v => BigInt.asUintN(width, dot(v, form)));
  let pivot = -1;
  values.forEach((s, i) => {
    if (s !== 0n && (pivot < 0 || valuation(s) < valuation(values[pivot]))) pivot = i;
  });
  if (pivot < 0) return [...vectors];
  const power = valuation(values[pivot]);
  const inverse = inverseModulo(values[pivot] >> power, width);
  return vectors.map((v, i) => {
    if (i === pivot) return times(width, v, 1n << (BigInt(width) - power));
    return plus(width, v, vectors[pivot], -(values[i] >> power) * inverse);
  });
}

/** All linear forms that make some vectors zero. */
export function annihilator(width: number, columns: number, vectors: readonly Vector[]): Vector[] {
  let forms: Vector[] = Array.from({ length: columns }, (_, i) => unit(columns, i));
  for (const v of vectors) forms = kernel(width, forms, v);
  return forms;
}

/** A form, and the column that it is solved for: its entry there is a power of two, 1 if that can be. */
export interface SolvedForm {
  readonly form: Vector;
  readonly column: number;
}

/**
 * Forms that say the same together as the given ones, solved for columns one after the other: first those with an odd entry,
 * which tell what the column is and are used to rid the others of it. Column 0 is a constant and comes last.
 */
export function solved(width: number, given: readonly Vector[]): SolvedForm[] {
  const found: SolvedForm[] = [];
  let open = [...given];
  for (;;) {
    const isOdd = (n: bigint, column: number) => column > 0 && n % 2n !== 0n;
    const form = open.find(f => f.some(isOdd));
    if (form === undefined) break;
    // Of several columns the last one: what is declared late is more often made of the others.
    const column = form.reduce((last, n, i) => (isOdd(n, i) ? i : last), 0);
    const own = times(width, form, inverseModulo(form[column], width));
    const without = (f: Vector) => plus(width, f, own, -f[column]);
    open = open.filter(f => f !== form).map(without);
    for (const [i, s] of found.entries()) found[i] = { ...s, form: without(s.form) };
    found.push({ form: own, column });
  }
  const columns = given[0]?.length ?? 0;
  const rest = new Module(width, columns);
  for (const [constant, ...others] of open) rest.add([...others, constant]);
  for (const row of rest.reduced()) {
    const lead = row.findIndex(n => n !== 0n);
    found.push({ form: [row[columns - 1], ...row.slice(0, -1)], column: (lead + 1) % columns });
  }
  return found;
}

export function unit(columns: number, column: number): Vector {
  return Array.from({ length: columns }, (_, i) => (i === column ? 1n : 0n));
}

export function dot(a: Vector, b: Vector): bigint {
  return a.reduce((sum, n, i) => sum + n * b[i], 0n);
}

/** How often a number that is not zero can be halved. */
export function valuation(n: bigint): bigint {
  let power = 0n;
  while (((n >> power) & 1n) === 0n) power++;
  return power;
}

function times(width: number, v: Vector, factor: bigint): Vector {
  return v.map(n => BigInt.asUintN(width, n * factor));
}

function plus(width: number, v: Vector, other: Vector, factor: bigint): Vector {
  return v.map((n, i) => BigInt.asUintN(width, n + factor * other[i]));
}
