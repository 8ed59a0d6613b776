/** What was heard of the progress of a search, thinned out so that there are never too many points to draw. */
import type { Progress } from '../../../src/core/portfolio/share.ts';

export interface Sample {
  /** Seconds since the start. */
  readonly time: number;
  readonly phase: string;
  readonly stats: Readonly<Record<string, number>>;
}

const MOST_SAMPLES = 240;

export class Samples {
  private kept: Sample[] = [];
  private interval = 0; // seconds between two samples of one phase

  add(time: number, { phase, stats }: Progress): void {
    const last = this.kept.at(-1);
    if (last !== undefined && last.phase === phase && time - last.time < this.interval) {
      this.kept[this.kept.length - 1] = { time: last.time, phase, stats };
      return;
    }
    this.kept.push({ time, phase, stats });
    if (this.kept.length <= MOST_SAMPLES) return;
    this.kept = this.kept.filter((_, i) => i % 2 === 0);
    this.interval = Math.max(2 * this.interval, (2 * time) / MOST_SAMPLES);
  }

  get all(): readonly Sample[] {
    return this.kept;
  }
}

/** How a number of an engine's statistics went, for each engine that has it. */
export function courses(
  samples: readonly Sample[],
  stat: string,
): ReadonlyMap<string, readonly { readonly time: number; readonly value: number }[]> {
  const byEngine = new Map<string, { time: number; value: number }[]>();
  for (const { time, phase, stats } of samples) {
    const value = stats[stat];
    if (value === undefined) continue;
    const own = byEngine.get(phase);
    if (own === undefined) byEngine.set(phase, [{ time, value }]);
    else own.push({ time, value });
  }
  return byEngine;
}
