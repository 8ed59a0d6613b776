/** A line on the terminal that says how far the search is; nothing when standard error is no terminal. */
import type { Progress } from '../core/portfolio/share.ts';

const INTERVAL = 100; // ms

export class ProgressLine {
  private readonly isShown: boolean;
  private readonly start = Date.now();
  private last = Date.now();
  private length = 0; // of the line on the screen

  constructor(isQuiet: boolean) {
    this.isShown = !isQuiet && process.stderr.isTTY === true;
  }

  /** Who is at work, and what it has done: the first few of its numbers. */
  show({ phase, stats }: Progress): void {
    const now = Date.now();
    if (!this.isShown || now - this.last < INTERVAL) return;
    this.last = now;
    const seconds = ((now - this.start) / 1000).toFixed(1);
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    const numbers = Object.entries(stats)
      .slice(0, SHOWN)
      .map(([name, value]) => `${name} ${value}`);
    const text = [`${seconds} s`, `${memory} MB`, phase, ...numbers].join('  ');
    process.stderr.write(`\r${text.padEnd(this.length)}`);
    this.length = text.length;
  }

  clear(): void {
    if (this.length > 0) process.stderr.write(`\r${' '.repeat(this.length)}\r`);
    this.length = 0;
  }
}

const SHOWN = 4; // numbers of an engine
