/**
 * The frames F_1 … F_D, F∞ of blocked cubes, each cube in the last frame for which it is known to be unreachable (Eén,
 * Mishchenko and Brayton, "Efficient Implementation of Property Directed Reachability", FMCAD 2011). R_i, which contains
 * all states that are reachable in at most i steps, excludes the cubes of F_i and of all later frames.
 */

/** The level of F∞. */
export const FOREVER = Number.POSITIVE_INFINITY;

export class Frames<Cube extends object> {
  depth = 0; // D
  added = 0; // cubes, over all
  /** Superseded clauses that a solver may still hold. */
  dead = 0;
  private readonly subsumes: (a: Cube, b: Cube) => boolean;
  private readonly cubes: Cube[][] = [[]]; // F_0 stays empty: the initial states are no cubes
  private readonly forever: Cube[] = []; // F∞
  private readonly superseded = new WeakSet<Cube>();

  /** `subsumes(a, b)`: does every state of b belong to a? */
  constructor(subsumes: (a: Cube, b: Cube) => boolean) {
    this.subsumes = subsumes;
  }

  newFrame(): void {
    this.depth++;
    this.cubes.push([]);
  }

  at(level: number): readonly Cube[] {
    return level === FOREVER ? this.forever : this.cubes[level];
  }

  /** Blocks a cube up to a level and forgets the cubes that it makes superfluous. The level where it is kept. */
  add(cube: Cube, level: number): number {
    const to = level === FOREVER ? FOREVER : Math.min(level, this.depth);
    this.added++;
    for (let i = 1; i <= Math.min(to, this.depth); i++) this.forgetSubsumed(this.cubes[i], cube);
    (to === FOREVER ? this.forever : this.cubes[to]).push(cube);
    return to;
  }

  private forgetSubsumed(cubes: Cube[], by: Cube): void {
    const { subsumes } = this;
    let kept = 0;
    for (let i = 0; i < cubes.length; i++) {
      if (!subsumes(by, cubes[i])) cubes[kept++] = cubes[i];
      else if (cubes[i] !== by) this.superseded.add(cubes[i]); // itself it takes along
    }
    this.dead += cubes.length - kept;
    cubes.length = kept;
  }

  /** Has another cube made this one superfluous? */
  isSuperseded(cube: Cube): boolean {
    return this.superseded.has(cube);
  }

  /** The last level at which the cube is inside a blocked one; undefined if it is not blocked at the given level. */
  blockedAt(cube: Cube, level: number): number | undefined {
    const { subsumes } = this;
    if (this.forever.some(c => subsumes(c, cube))) return FOREVER;
    for (let i = this.depth; i >= Math.max(level, 1); i--) {
      if (this.cubes[i].some(c => subsumes(c, cube))) return i;
    }
    return undefined;
  }

  /** All cubes excluded from R_level. */
  excluded(level: number): Cube[] {
    return [...this.cubes.slice(level).flat(), ...this.forever];
  }

  get size(): number {
    return this.cubes.reduce((sum, cubes) => sum + cubes.length, this.forever.length);
  }
}
