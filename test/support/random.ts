/**
 * Random numbers for tests. The seed is new on every run and printed as a comment; EUFORIA_SEED=N runs
 * the same test again with the same numbers.
 */
import type { Test } from 'tap';

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 up to, not including, `limit` (mulberry32). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return Math.floor((((z ^ (z >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}

/** The seed of this run. */
export function chooseSeed(): number {
  return Number(process.env.EUFORIA_SEED ?? Date.now() % 1_000_000_007);
}

export function seeded(t: Test): Random {
  const seed = chooseSeed();
  t.comment(`seed ${seed} (EUFORIA_SEED=${seed} replays it)`);
  return new Random(seed);
}
