/** Cubes: conjunctions of literals over current state variables, as sorted lists without repetitions. */
import type { TermId, TermStore } from '../../term/store.ts';
import { negated } from '../system/literals.ts';

export type Cube = readonly TermId[];

export function cubeOf(literals: Iterable<TermId>): Cube {
  return [...new Set(literals)].sort((a, b) => a - b);
}

/** Does `a` have no literal that `b` lacks, so that it holds in all the states of `b`? */
export function subsumes(a: Cube, b: Cube): boolean {
  if (a.length > b.length) return false;
  let j = 0;
  for (const literal of a) {
    while (j < b.length && b[j] < literal) j++;
    if (j === b.length || b[j] !== literal) return false;
    j++;
  }
  return true;
}

/** The clause that excludes the states of a cube. */
export function clauseOf(terms: TermStore, cube: Cube): TermId {
  return terms.or(cube.map(l => negated(terms, l)));
}
