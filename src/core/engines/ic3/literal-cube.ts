/**
 * Cubes of literals that are numbers, in ascending order. A signature of 32 bits, one for each literal by hash, tells most pairs
 * apart that do not subsume one another without looking at the literals (Eén and Biere, "Effective Preprocessing in SAT
 * through Variable and Clause Elimination", SAT 2005).
 */
export interface Cube {
  readonly literals: Int32Array;
  readonly signature: number;
}

/** The cube of some literals, which need not be in order. */
export function cubeOf(literals: Iterable<number>): Cube {
  const sorted = Int32Array.from(literals).sort();
  let signature = 0;
  for (let i = 0; i < sorted.length; i++) signature |= 1 << (Math.imul(sorted[i], 0x9e3779b1) >>> 27);
  return { literals: sorted, signature };
}

/** Does every state of `b` belong to `a`, because the literals of `a` are among those of `b`? */
export function subsumes(a: Cube, b: Cube): boolean {
  if ((a.signature & ~b.signature) !== 0) return false;
  const x = a.literals;
  const y = b.literals;
  if (x.length > y.length) return false;
  let j = 0;
  for (let i = 0; i < x.length; i++) {
    const literal = x[i];
    while (j < y.length && y[j] < literal) j++;
    if (j === y.length || y[j] !== literal) return false;
    j++;
  }
  return true;
}

/** The cube without one of its literals. */
export function without({ literals }: Cube, literal: number): Cube {
  return cubeOf(literals.filter(l => l !== literal));
}
