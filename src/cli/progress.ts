/** A line on the terminal that says how far the search is, cut to its width; nothing when standard error is no terminal. */
import type { Progress } from '../core/portfolio/share.ts';

const INTERVAL = 100; // ms
const SHOWN = 4; // numbers of an engine
const USUAL_WIDTH = 80; // of terminals

export class ProgressLine {
  /** What is being worked at, where there is more than one thing. */
  label = '';
  private readonly isShown: boolean;
  private readonly start = Date.now();
  private last = Date.now();
  private length = 0; // of the line on the screen

  constructor(isQuiet: boolean) {
    this.isShown = !isQuiet && process.stderr.isTTY === true;
  }

  /** Who is at work, and what it has done: the first few of its numbers. */
  show(progress: Progress): void {
    const now = Date.now();
    if (!this.isShown || now - this.last < INTERVAL) return;
    this.last = now;
    const seconds = ((now - this.start) / 1000).toFixed(1);
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    const parts = [`${seconds} s`, `${memory} MB`, this.label, ...wordsOf(progress)];
    const text = cut(parts, process.stderr.columns || USUAL_WIDTH);
    process.stderr.write(`\r${text.padEnd(this.length)}`);
    this.length = text.length;
  }

  clear(): void {
    if (this.length > 0) process.stderr.write(`\r${' '.repeat(this.length)}\r`);
    this.length = 0;
  }
}

function wordsOf({ phase, stats }: Progress): string[] {
  const numbers = Object.entries(stats).slice(0, SHOWN);
  return [phase, ...numbers.map(([name, value]) => `${name} ${value}`)];
}

/** As many parts as there is room for, and of the first what there is; the last column stays free, or some terminals begin a new line. */
export function cut(parts: readonly string[], columns: number): string {
  const room = Math.max(0, columns - 1);
  let text = '';
  for (const part of parts.filter(p => p !== '')) {
    const longer = text === '' ? part : `${text}  ${part}`;
    if (longer.length > room) return text === '' ? part.slice(0, room) : text;
    text = longer;
  }
  return text;
}
