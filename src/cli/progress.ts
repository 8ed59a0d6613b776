/** A line on the terminal that says how far the search is; nothing when standard error is no terminal. */
import type { CheckerProgress } from '../core/checker.ts';

const INTERVAL = 100; // ms

export class ProgressLine {
  private readonly isShown: boolean;
  private readonly start = Date.now();
  private last = Date.now();
  private length = 0; // of the line on the screen

  constructor(isQuiet: boolean) {
    this.isShown = !isQuiet && process.stderr.isTTY === true;
  }

  /** Now and then lets the event loop turn, so that an interrupt is heard. */
  show({ depth, cubes, queries, lemmas }: CheckerProgress): Promise<void> | undefined {
    const now = Date.now();
    if (now - this.last < INTERVAL) return undefined;
    this.last = now;
    if (this.isShown) {
      const seconds = (now - this.start) / 1000;
      const rate = Math.round(queries / seconds);
      const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
      const text = `${seconds.toFixed(1)} s  depth ${depth}  cubes ${cubes}  lemmas ${lemmas}  ${rate} queries/s  ${memory} MB`;
      process.stderr.write(`\r${text.padEnd(this.length)}`);
      this.length = text.length;
    }
    return new Promise(resolve => setImmediate(resolve));
  }

  clear(): void {
    if (this.length > 0) process.stderr.write(`\r${' '.repeat(this.length)}\r`);
    this.length = 0;
  }
}
