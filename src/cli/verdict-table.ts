/** Tables of verdicts, about properties or about files: what, verdict, time, and who found it or why nobody did; then the totals. */
import type { Paint, VerdictWord } from './colour.ts';
import { durationText } from './profile-text.ts';

export interface VerdictRow {
  readonly name: string;
  readonly word: VerdictWord;
  readonly milliseconds: number;
  /** The engines that found it, or in a few words why there is no answer. */
  readonly by: string;
}

export interface Noun {
  readonly one: string;
  readonly many: string;
}

const VERDICT_WIDTH = 'verdict'.length;
const TIME_WIDTH = 8;
/** A longer name pushes its own row to the right, not all of them. */
const MOST_NAME_WIDTH = 60;
const WORDS: readonly VerdictWord[] = ['safe', 'unsafe', 'unknown', 'error'];

/** Rows can be printed as they come, since the width of the table depends on the names alone. */
export class VerdictTable {
  private readonly noun: Noun;
  private readonly width: number;
  private readonly paint: Paint;
  private readonly rows: VerdictRow[] = [];

  /** `noun` is what the rows are about, and `names` what they are called. */
  constructor(noun: Noun, names: readonly string[], paint: Paint) {
    this.noun = noun;
    this.width = Math.min(MOST_NAME_WIDTH, Math.max(noun.one.length, ...names.map(n => n.length)));
    this.paint = paint;
  }

  get head(): string {
    return this.line(this.noun.one, 'verdict'.padEnd(VERDICT_WIDTH), 'time', 'engine');
  }

  /** The line of a row, which counts from now on. */
  row(row: VerdictRow): string {
    this.rows.push(row);
    const { name, word, milliseconds, by } = row;
    const verdict = this.paint(word, word.padEnd(VERDICT_WIDTH));
    return this.line(name, verdict, durationText(milliseconds), by);
  }

  /** How many rows there are of each verdict. */
  get totals(): string {
    const counts = WORDS.map(word => [word, this.rows.filter(r => r.word === word).length] as const);
    const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
    const { length } = this.rows;
    return `${length} ${length === 1 ? this.noun.one : this.noun.many}: ${parts.join(', ')}`;
  }

  private line(name: string, verdict: string, time: string, by: string): string {
    return `${name.padEnd(this.width)}  ${verdict}  ${time.padStart(TIME_WIDTH)}  ${by}`.trimEnd();
  }
}
