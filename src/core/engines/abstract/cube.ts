/** Cubes: conjunctions of literals over current state variables, as sorted lists without repetitions. */
import type { TermId, TermStore } from '../../../term/store.ts';
import { negated } from '../../problem/literals.ts';
import type { CubeOperations } from '../ic3/queries.ts';

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

/** What IC3 does with cubes. A literal's activity is how often it was part of a blocked cube. */
export class Cubes implements CubeOperations<Cube, TermId> {
  readonly subsumes = subsumes;
  private readonly activity = new Map<TermId, number>();

  size(cube: Cube): number {
    return cube.length;
  }

  has(cube: Cube, literal: TermId): boolean {
    return cube.includes(literal);
  }

  without(cube: Cube, literal: TermId): Cube {
    return cube.filter(l => l !== literal);
  }

  union(a: Cube, b: Cube): Cube {
    return cubeOf([...a, ...b]);
  }

  ascending(cube: Cube): readonly TermId[] {
    const rank = (l: TermId) => this.activity.get(l) ?? 0;
    return [...cube].sort((a, b) => rank(a) - rank(b) || b - a);
  }

  bump(cube: Cube): void {
    for (const l of cube) this.activity.set(l, (this.activity.get(l) ?? 0) + 1);
  }
}
