/**
 * Reads CNF in DIMACS format, in one pass over the text.
 *
 *     c a comment, anywhere
 *     p cnf VARIABLES CLAUSES
 *     1 -3 0        literals up to the terminating 0, on one line or several
 *
 * As in other tools: the header is required, and no literal may lie outside it; fewer clauses than announced are
 * an error, since the file is probably cut off, and so are more. A line that starts with `%` ends the file (the
 * SATLIB collection has such tails).
 */
import { Checkpoint } from '../../sat/checkpoint.ts';
import { fromDimacs, type Lit } from '../../sat/literals.ts';
import { withoutMark } from '../byte-order-mark.ts';
import { inputErrorAt } from '../diagnostic.ts';

export interface Cnf {
  readonly varCount: number;
  readonly clauseCount: number;
  readonly literals: Int32Array; // all clauses in a row
  readonly ends: Int32Array; // by clause: where it ends in `literals`
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const PERCENT = 37;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const LETTER_C = 99;
const LETTER_P = 112;
const MAX_VARIABLES = 2 ** 29;

/** Parses `text`; errors are `InputError`s that name `file`. */
export function readDimacs(text: string, file: string, checkpoint = new Checkpoint()): Cnf {
  return new DimacsReader(withoutMark(file, text), file, checkpoint).read();
}

/** The literals of one clause. */
export function clauseOf(cnf: Cnf, index: number): Lit[] {
  const start = index === 0 ? 0 : cnf.ends[index - 1];
  return Array.from(cnf.literals.subarray(start, cnf.ends[index])) as Lit[];
}

class DimacsReader {
  private readonly text: string;
  private readonly file: string;
  private readonly checkpoint: Checkpoint;
  private at = 0;
  private varCount = 0;
  private clauseCount = 0;
  private literals = new Int32Array(1 << 10);
  private size = 0;

  constructor(text: string, file: string, checkpoint: Checkpoint) {
    this.text = text;
    this.file = file;
    this.checkpoint = checkpoint;
  }

  read(): Cnf {
    this.readHeader();
    const ends = new Int32Array(Math.min(this.clauseCount, this.text.length));
    let clauses = 0;
    let clauseAt = -1; // where the open clause began
    while (this.skipBlanks()) {
      this.checkpoint.pass();
      const start = this.at;
      const lit = this.readLiteral();
      if (clauses === this.clauseCount) {
        throw this.error(start, `the header announces ${this.clauseCount} clauses, but here is another one`);
      }
      if (lit !== 0) {
        if (clauseAt < 0) clauseAt = start;
        if (this.size === this.literals.length) this.growLiterals();
        this.literals[this.size++] = fromDimacs(lit);
        continue;
      }
      ends[clauses++] = this.size;
      clauseAt = -1;
    }
    if (clauseAt >= 0)
      throw this.error(clauseAt, 'expected a 0 at the end of this clause, found the end of the file');
    if (clauses < this.clauseCount) {
      throw this.error(this.at, `expected ${this.clauseCount} clauses as announced, found ${clauses}`);
    }
    const literals = this.literals.slice(0, this.size);
    return { varCount: this.varCount, clauseCount: clauses, literals, ends };
  }

  private readHeader(): void {
    if (!this.skipBlanks() || this.text.charCodeAt(this.at) !== LETTER_P) {
      throw this.error(this.at, "expected the header 'p cnf VARIABLES CLAUSES'");
    }
    const start = this.at;
    let end = this.text.indexOf('\n', start);
    if (end < 0) end = this.text.length;
    const header = /^p[ \t]+cnf[ \t]+(\d+)[ \t]+(\d+)[ \t\r]*$/.exec(this.text.slice(start, end));
    if (header === null) throw this.error(start, "expected the header 'p cnf VARIABLES CLAUSES'");
    this.varCount = Number(header[1]);
    this.clauseCount = Number(header[2]);
    if (this.varCount > MAX_VARIABLES) throw this.error(start, `expected at most ${MAX_VARIABLES} variables`);
    this.at = end;
  }

  /** Skips white space and comments; false at the end of the file or at a `%` tail. */
  private skipBlanks(): boolean {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === SPACE || code === TAB || code === NEWLINE || code === RETURN) {
        this.at++;
      } else if (code === LETTER_C && this.isLineStart()) {
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end;
      } else {
        return this.at < text.length && !(code === PERCENT && this.isLineStart());
      }
    }
  }

  private isLineStart(): boolean {
    return this.at === 0 || this.text.charCodeAt(this.at - 1) === NEWLINE;
  }

  private readLiteral(): number {
    const { text } = this;
    const start = this.at;
    const isNegative = text.charCodeAt(start) === MINUS;
    let at = isNegative ? start + 1 : start;
    const digits = at;
    let number = 0;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (!(code >= ZERO && code <= NINE)) break;
      number = number * 10 + code - ZERO;
    }
    if (at === digits || !this.isBlank(at) || (isNegative && number === 0)) {
      throw this.error(start, `expected a literal or 0, found '${this.wordAt(start)}'`);
    }
    if (number > this.varCount) {
      throw this.error(
        start,
        `literal ${this.wordAt(start)} is out of range, the header announces ${this.varCount} variables`,
      );
    }
    this.at = at;
    return isNegative ? -number : number;
  }

  private isBlank(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return at >= this.text.length || code === SPACE || code === TAB || code === NEWLINE || code === RETURN;
  }

  private wordAt(start: number): string {
    let end = start;
    while (!this.isBlank(end) && end < start + 20) end++;
    return this.text.slice(start, end);
  }

  private growLiterals(): void {
    const bigger = new Int32Array(this.literals.length * 2);
    bigger.set(this.literals);
    this.literals = bigger;
  }

  private error(offset: number, reason: string): Error {
    return inputErrorAt(this.file, this.text, offset, reason);
  }
}
