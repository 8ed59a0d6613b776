/**
 * The words of a BTOR2 file: one node a line, words between blanks, `;` to the end of the line a comment. One pass over the
 * text, without a copy of it; errors point at the word that was read last.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { type InputError, inputErrorAt } from '../diagnostic.ts';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const SEMICOLON = 59;

const NUMBER = /^-?[0-9]+$/;

export class Btor2Lines {
  private readonly file: string;
  private readonly text: string;
  private readonly checkpoint: Checkpoint;
  private at = 0; // the next character
  private wordAt = 0; // where the last word began, or would have begun
  private isInLine = false; // rather than before the first one
  private ending: { readonly symbol: string | undefined } | undefined; // what stands at the end of the line, once read

  constructor(file: string, text: string, checkpoint: Checkpoint) {
    this.file = file;
    this.text = text;
    this.checkpoint = checkpoint;
  }

  /** Goes to the next line with a word on it, past the rest of this one; false at the end of the file. */
  nextLine(): boolean {
    if (this.isInLine) this.skipLine();
    this.isInLine = true;
    this.ending = undefined;
    while (this.at < this.text.length) {
      this.skipBlanks();
      if (!this.isAtEnd()) return true;
      this.skipLine();
    }
    this.wordAt = this.at;
    return false;
  }

  /** The next word of the line, up to a blank or a comment. */
  word(): string | undefined {
    return this.read(true);
  }

  /** The symbol at the end of the line, if there is one; it may have a semicolon inside. Nothing may follow it. */
  symbol(): string | undefined {
    if (this.ending === undefined) {
      this.ending = { symbol: this.read(false) };
      const more = this.word();
      if (more !== undefined) throw this.error(`expected the end of the line, found '${more}'`);
    }
    return this.ending.symbol;
  }

  /** The next word, which must be there. */
  expectWord(what: string): string {
    const word = this.word();
    if (word === undefined) throw this.error(`expected ${what}, found the end of the line`);
    return word;
  }

  /** The next word, which must be a whole number. */
  expectNumber(what: string): number {
    const word = this.expectWord(what);
    const value = Number(word);
    if (!NUMBER.test(word) || !Number.isSafeInteger(value)) {
      throw this.error(`expected ${what}, found '${word}'`);
    }
    return value;
  }

  /** The next word, which must be a number from 0. */
  expectNatural(what: string): number {
    const value = this.expectNumber(what);
    if (value < 0 || Object.is(value, -0)) throw this.error(`expected ${what}, found '${value}'`);
    return value;
  }

  /** The last word, to point at it again later. */
  get position(): number {
    return this.wordAt;
  }

  error(reason: string, position = this.wordAt): InputError {
    return inputErrorAt(this.file, this.text, position, reason);
  }

  private read(endsAtComment: boolean): string | undefined {
    const { text } = this;
    this.checkpoint.pass();
    this.skipBlanks();
    this.wordAt = this.at;
    if (this.isAtEnd()) return undefined;
    while (this.at < text.length) {
      const c = text.charCodeAt(this.at);
      if (isBlank(c) || c === NEWLINE || (endsAtComment && c === SEMICOLON)) break;
      this.at++;
    }
    return text.slice(this.wordAt, this.at);
  }

  private skipBlanks(): void {
    while (this.at < this.text.length && isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Are there no more words on this line? */
  private isAtEnd(): boolean {
    if (this.at === this.text.length) return true;
    const c = this.text.charCodeAt(this.at);
    return c === NEWLINE || c === SEMICOLON;
  }

  private skipLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }
}

function isBlank(c: number): boolean {
  return c === SPACE || c === TAB || c === RETURN;
}
