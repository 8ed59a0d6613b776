/**
 * How often, and how recently, latches were part of blocked cubes. Literals of high activity are likely to be what keeps
 * a cube from being reached: they are assumed first, so that cores consist of them, and dropped last (compare Eén,
 * Mishchenko and Brayton 2011, section VI).
 */
import type { Cube } from '../ic3/literal-cube.ts';

const GROWTH = 1.01;
const MAX_SCORE = 1e100;

export class Activity {
  /** By node of a latch. */
  readonly score: Float64Array;
  private step = 1;

  constructor(latchCount: number) {
    this.score = new Float64Array(latchCount + 1);
  }

  /** Counts a blocked cube. */
  bump({ literals }: Cube): void {
    const { score } = this;
    this.step *= GROWTH;
    for (const l of literals) score[l >> 1] += this.step;
    if (this.step < MAX_SCORE) return;
    for (let i = 0; i < score.length; i++) score[i] /= MAX_SCORE;
    this.step /= MAX_SCORE;
  }

  /** The literals of a cube, the least active first. */
  ascending({ literals }: Cube): number[] {
    const { score } = this;
    return Array.from(literals).sort((a, b) => score[a >> 1] - score[b >> 1] || b - a);
  }
}
