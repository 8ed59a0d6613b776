/**
 * The tokens of LLVM's textual IR, one at a time: the reader looks at the current one and goes on with `next`. One pass over
 * the text, without a copy of it. Words and names are made once each, so that comparing them costs nothing.
 *
 * Line breaks mean nothing in this language but to who skips what it does not know: `isFirst` tells it where a line begins.
 */
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { type InputError, inputErrorAt } from '../../diagnostic.ts';
import { decodeText } from './escapes.ts';
import { Names } from './names.ts';

const code = (c: string) => c.charCodeAt(0);

/** Marks of one character are their own code; the rest have numbers above them. */
export const Token = {
  COMMA: code(','),
  EQUALS: code('='),
  STAR: code('*'),
  OPEN: code('('),
  CLOSE: code(')'),
  OPEN_BRACKET: code('['),
  CLOSE_BRACKET: code(']'),
  OPEN_BRACE: code('{'),
  CLOSE_BRACE: code('}'),
  LESS: code('<'),
  GREATER: code('>'),
  BANG: code('!'),
  BAR: code('|'),
  CARET: code('^'),
  END: 0x10000,
  WORD: 0x10001, // i32, add, ...
  LABEL: 0x10002, // entry: and the fields of metadata
  LOCAL: 0x10003, // %x
  GLOBAL: 0x10004, // @x
  METADATA: 0x10005, // !12
  NAMED_METADATA: 0x10006, // !dbg, !DILocation
  HASH: 0x10007, // #0, #dbg_value
  COMDAT: 0x10008, // $x
  INTEGER: 0x10009,
  FLOAT: 0x1000a,
  STRING: 0x1000b,
  BYTES: 0x1000c, // c"..."
} as const;
export type Token = (typeof Token)[keyof typeof Token];

const CharClass = { OTHER: 0, NAME: 1, DIGIT: 2 } as const;

/** The class of each ASCII character: what names may hold without quotes. */
const CLASSES = new Uint8Array(128);
for (const c of '-$._ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') CLASSES[code(c)] = CharClass.NAME;
for (const c of '0123456789') CLASSES[code(c)] = CharClass.DIGIT;

const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = code('"');
const HASH = code('#');
const DOLLAR = code('$');
const PERCENT = code('%');
const PLUS = code('+');
const MINUS = code('-');
const ZERO = code('0');
const COLON = code(':');
const SEMICOLON = code(';');
const AT = code('@');
const LOWER_C = code('c');

const LONGEST_QUOTE = 60; // characters of the text in a message
const LONGEST_EXACT = 15; // digits that a number surely holds

const DIGITS = /^[0-9]+$/;
const NUMBER = /[-+]?(0x[0-9A-Za-z]+|[0-9]+(\.[0-9]*([eE][-+]?[0-9]+)?)?)/y;

const CLOSING: ReadonlyMap<number, number> = new Map([
  [Token.OPEN, Token.CLOSE],
  [Token.OPEN_BRACKET, Token.CLOSE_BRACKET],
  [Token.OPEN_BRACE, Token.CLOSE_BRACE],
  [Token.LESS, Token.GREATER],
]);

export class Lexer {
  readonly file: string;
  readonly text: string;
  readonly checkpoint: Checkpoint;
  private readonly names: Names;
  /** The current token. */
  kind: number = Token.END;
  start = 0;
  /** Of words, labels and names: the name without its mark, unquoted; of strings what stands between the quotes, as it is. */
  value = '';
  /** Of integers that a number holds exactly, and of `!12`. */
  number = 0;
  /** Is it the first one of its line? */
  isFirst = true;
  private end = 0; // the character after the current token

  constructor(file: string, text: string, checkpoint: Checkpoint, names = new Names(text)) {
    this.file = file;
    this.text = text;
    this.checkpoint = checkpoint;
    this.names = names;
    this.next();
  }

  /** Another one over the same text, elsewhere. */
  fork(): Lexer {
    return new Lexer(this.file, this.text, this.checkpoint, this.names);
  }

  /** Goes to the token that begins at a character or after it. */
  seek(offset: number): void {
    this.end = offset;
    this.next();
  }

  /** Goes to the first token of the next line. */
  skipLine(): void {
    const lineEnd = this.text.indexOf('\n', this.end);
    this.seek(lineEnd < 0 ? this.text.length : lineEnd);
  }

  next(): void {
    const { text } = this;
    this.checkpoint.pass();
    let i = this.end;
    this.isFirst = i === 0;
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === LINE_FEED) {
        this.isFirst = true;
      } else if (c === SEMICOLON) {
        i = text.indexOf('\n', i) - 1;
        if (i < 0) i = text.length;
      } else if (c !== SPACE && c !== TAB && c !== RETURN) {
        break;
      }
    }
    this.start = i;
    if (i >= text.length) {
      this.start = this.end = text.length;
      this.kind = Token.END;
      return;
    }
    const c = text.charCodeAt(i);
    if (c === PERCENT) this.readName(i, Token.LOCAL);
    else if (c === AT) this.readName(i, Token.GLOBAL);
    else if (c === QUOTE) this.readString(i, i);
    else if (c === Token.BANG || c === HASH) this.readMarked(c, i);
    else if (isNameChar(c)) this.readWord(c, i);
    else if (c === PLUS) this.readNumber(i);
    else {
      this.kind = c;
      this.end = i + 1;
    }
  }

  /** Is the current token of this kind? */
  at(kind: number): boolean {
    return this.kind === kind;
  }

  isWord(word: string): boolean {
    return this.kind === Token.WORD && this.value === word;
  }

  /** Goes past the token if it is of this kind. */
  accept(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.next();
    return true;
  }

  acceptWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.next();
    return true;
  }

  /** Goes past a token that must be of this kind, and returns its value. */
  expect(kind: number, what: string): string {
    if (this.kind !== kind) throw this.expected(what);
    const { value } = this;
    this.next();
    return value;
  }

  expectWord(word: string): void {
    if (!this.acceptWord(word)) throw this.expected(`'${word}'`);
  }

  /** An integer that counts something. */
  expectCount(what: string): number {
    const { number } = this;
    if (this.kind !== Token.INTEGER || !(number >= 0)) throw this.expected(what);
    this.next();
    return number;
  }

  /** The value of the current token, an integer. */
  integer(): bigint {
    return Number.isNaN(this.number) ? BigInt(this.text.slice(this.start, this.end)) : BigInt(this.number);
  }

  /** Nothing may follow on this line. */
  expectLineEnd(): void {
    if (!this.isFirst && this.kind !== Token.END) throw this.expected('the end of the line');
  }

  /** Goes past an opening bracket, what it holds and its closing one. */
  skipBrackets(): void {
    const { start } = this;
    if (!CLOSING.has(this.kind)) throw this.expected('a bracket');
    const open: number[] = [];
    do {
      const closing = CLOSING.get(this.kind);
      if (closing !== undefined) open.push(closing);
      else if (this.kind === open.at(-1)) open.pop();
      else if (this.kind === Token.END) throw this.error('the bracket opened here is never closed', start);
      this.next();
    } while (open.length > 0);
  }

  /** The current token as the text has it. */
  source(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The same for messages, which need not repeat long ones. */
  shown(): string {
    return shorten(this.source());
  }

  expected(what: string): InputError {
    const found = this.kind === Token.END ? 'the end of the file' : `'${this.shown()}'`;
    return this.error(`expected ${what}, found ${found}`);
  }

  error(reason: string, offset = this.start): InputError {
    return inputErrorAt(this.file, this.text, offset, reason);
  }

  // ---- kinds of tokens ----

  /** %x, @x, %"x y" and the like. */
  private readName(from: number, kind: Token): void {
    const { text } = this;
    this.kind = kind;
    if (text.charCodeAt(from + 1) === QUOTE) {
      this.end = this.stringEnd(from + 1);
      this.value = this.quotedName(from + 2, this.end - 1);
      return;
    }
    this.value = this.run(from + 1);
    if (this.end === from + 1) throw this.error(`expected a name after '${text[from]}'`, from);
  }

  /** !12, !dbg, #0 and #dbg_declare; a ! may also stand alone. */
  private readMarked(c: number, from: number): void {
    this.value = this.run(from + 1);
    if (c === HASH) {
      this.kind = Token.HASH;
    } else if (this.end === from + 1) {
      this.kind = Token.BANG;
    } else if (isDigit(this.text.charCodeAt(from + 1))) {
      this.kind = Token.METADATA;
      this.number = Number(this.value);
    } else {
      this.kind = Token.NAMED_METADATA;
    }
  }

  private readWord(c: number, from: number): void {
    const { text } = this;
    if (isDigit(c) || (c === MINUS && isDigit(text.charCodeAt(from + 1)))) {
      this.readNumber(from);
      return;
    }
    if (c === LOWER_C && text.charCodeAt(from + 1) === QUOTE) {
      this.readString(from, from + 1);
      return;
    }
    this.value = this.run(from);
    if (text.charCodeAt(this.end) === COLON) {
      this.kind = Token.LABEL;
      this.end++;
    } else if (c === DOLLAR) {
      this.kind = Token.COMDAT;
    } else {
      this.kind = Token.WORD;
    }
  }

  private readNumber(from: number): void {
    const { text } = this;
    const isNegative = text.charCodeAt(from) === MINUS;
    let i = isNegative ? from + 1 : from;
    const first = i;
    let value = 0;
    let c = text.charCodeAt(i);
    for (; isDigit(c); c = text.charCodeAt(++i)) value = 10 * value + (c - ZERO);
    if (i > first && !isNameChar(c)) {
      this.end = i;
      this.number = i - first > LONGEST_EXACT ? Number.NaN : isNegative ? -value : value;
      this.kind = Token.INTEGER;
      if (c === COLON) {
        this.kind = Token.LABEL;
        this.value = text.slice(from, this.end++);
      }
      return;
    }
    NUMBER.lastIndex = from;
    const match = NUMBER.exec(text);
    if (match === null) throw this.error(`the character '${text[from]}' may not stand here`, from);
    this.end = NUMBER.lastIndex;
    this.value = match[0];
    this.kind = Token.FLOAT;
  }

  /** A string, whose quote may have a c before it, or a label in quotes. */
  private readString(from: number, quote: number): void {
    this.end = this.stringEnd(quote);
    if (from === quote && this.text.charCodeAt(this.end) === COLON) {
      this.kind = Token.LABEL;
      this.value = this.quotedName(quote + 1, this.end - 1);
      this.end++;
      return;
    }
    this.kind = from === quote ? Token.STRING : Token.BYTES;
    this.value = this.text.slice(quote + 1, this.end - 1);
  }

  private stringEnd(quote: number): number {
    const end = this.text.indexOf('"', quote + 1);
    if (end < 0) throw this.error("the string opened here is never closed: expected '\"'", quote);
    return end + 1;
  }

  /** A name of digits in quotes is not the number. */
  private quotedName(from: number, to: number): string {
    const name = decodeText(this.text.slice(from, to));
    return DIGITS.test(name) ? `"${name}"` : name;
  }

  /** The characters of a name from here on; sets the end. */
  private run(from: number): string {
    const { text } = this;
    let i = from;
    let hash = 0;
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (!isNameChar(c)) break;
      hash = (Math.imul(hash, 31) + c) | 0;
    }
    this.end = i;
    return this.names.get(from, i, hash);
  }
}

/** A piece of the text as a message quotes it. */
export function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
}

function isNameChar(c: number): boolean {
  return c < 128 && CLASSES[c] !== CharClass.OTHER;
}

function isDigit(c: number): boolean {
  return c < 128 && CLASSES[c] === CharClass.DIGIT;
}
