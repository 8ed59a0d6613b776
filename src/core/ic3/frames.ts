/**
 * The frames F_1 … F_D, F∞ of blocked cubes: a cube in F_i has no state that is reachable in at most i steps. R_i, the
 * over-approximation of the states reachable in at most i steps, excludes the cubes of F_i and all later frames.
 */
import { type Cube, subsumes } from './cube.ts';
import { INFINITY } from './part.ts';
import type { Queries } from './queries.ts';

export class Frames {
  depth = 0; // D
  added = 0; // cubes, over all
  private readonly queries: Queries;
  private readonly cubes: Cube[][] = [[]]; // of F_1 … F_D; F_0 stays empty, the initial states are no cubes
  private readonly forever: Cube[] = []; // F∞

  constructor(queries: Queries) {
    this.queries = queries;
  }

  newFrame(): void {
    this.depth++;
    this.cubes.push([]);
  }

  at(level: number): readonly Cube[] {
    return level === INFINITY ? this.forever : this.cubes[level];
  }

  /** Blocks a cube up to a level and forgets cubes that it makes superfluous. */
  add(cube: Cube, level: number): void {
    const to = level === INFINITY ? INFINITY : Math.min(level, this.depth);
    this.added++;
    for (let i = 1; i <= Math.min(to, this.depth); i++) {
      if (this.cubes[i].some(c => subsumes(cube, c)))
        this.cubes[i] = this.cubes[i].filter(c => !subsumes(cube, c));
    }
    (to === INFINITY ? this.forever : this.cubes[to]).push(cube);
    this.queries.addClause(cube, to);
  }

  /** Is the cube inside one that is blocked at the level? */
  isBlocked(cube: Cube, level: number): boolean {
    for (let i = Math.max(level, 1); i <= this.depth; i++) {
      if (this.cubes[i].some(c => subsumes(c, cube))) return true;
    }
    return this.forever.some(c => subsumes(c, cube));
  }

  /** All cubes excluded from R_level. */
  excluded(level: number): Cube[] {
    return [...this.cubes.slice(level).flat(), ...this.forever];
  }

  get size(): number {
    return this.cubes.reduce((n, f) => n + f.length, this.forever.length);
  }
}
