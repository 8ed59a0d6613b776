/**
 * Variables and literals as branded integers. A variable is an index from 0; the literals of variable `v`
 * are `2v` (positive) and `2v + 1` (negative), so that negation is `^ 1`, the variable is `>> 1`, and an
 * array indexed by literal has no gaps (Eén and Sörensson, "An Extensible SAT-solver", 2003).
 */
export type Var = number & { readonly __brand: 'Var' };
export type Lit = number & { readonly __brand: 'Lit' };

/** "No literal", where a literal is optional. */
export const NO_LIT = -1 as Lit;

export function positive(v: Var): Lit {
  return (v << 1) as Lit;
}

export function negative(v: Var): Lit {
  return ((v << 1) | 1) as Lit;
}

export function literal(v: Var, isNegative: boolean): Lit {
  return ((v << 1) | (isNegative ? 1 : 0)) as Lit;
}

export function negate(lit: Lit): Lit {
  return (lit ^ 1) as Lit;
}

/** DIMACS counts variables from 1 and writes negation as a minus sign. */
export function toDimacs(lit: Lit): number {
  const v = (lit >> 1) + 1;
  return (lit & 1) !== 0 ? -v : v;
}

export function fromDimacs(number: number): Lit {
  return (number > 0 ? (number - 1) << 1 : ((-number - 1) << 1) | 1) as Lit;
}
