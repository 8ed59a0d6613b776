/**
 * S-expressions of SMT-LIB 2.6 (section 3.1) as a flat tape: token i starts at character start[i], and
 * `after[i]` is the token that follows the whole expression that starts with i. So the children of a list
 * at i are i + 1, after[i + 1], and so on up to after[i]; closing parentheses need no token. Reading is
 * one pass over the text, linear in its size, and nesting costs no call stack.
 *
 * Symbols and keywords are interned: two are the same exactly when `symbol(i)` is the same number.
 */
import { Checkpoint } from '../../sat/checkpoint.ts';
import type { Brand } from '../../term/brand.ts';
import { withoutMark } from '../byte-order-mark.ts';
import { InputError, inputErrorAt } from '../diagnostic.ts';

/** A token of the tape, and with it the expression that starts there. */
export type Node = Brand<number, 'Node'>;
export type SymbolId = Brand<number, 'SymbolId'>;

export const Token = {
  LIST: 0,
  SYMBOL: 1,
  KEYWORD: 2,
  NUMERAL: 3,
  DECIMAL: 4,
  HEXADECIMAL: 5,
  BINARY: 6,
  STRING: 7,
} as const;
export type Token = (typeof Token)[keyof typeof Token];

/** How much of the tape and of the text is before a piece, and the line that it begins in. */
interface Piece {
  readonly tokens: number;
  readonly characters: number;
  readonly line: number;
}

const NOT_A_SYMBOL = -1;

const CharClass = { OTHER: 0, SPACE: 1, SYMBOL: 2, DIGIT: 3 } as const;

/** The class of each ASCII character. */
const CLASSES = new Uint8Array(128);
for (const c of ' \t\r\n') CLASSES[c.charCodeAt(0)] = CharClass.SPACE;
for (const c of '~!@$%^&*_-+=<>.?/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') {
  CLASSES[c.charCodeAt(0)] = CharClass.SYMBOL;
}
for (const c of '0123456789') CLASSES[c.charCodeAt(0)] = CharClass.DIGIT;

const code = (c: string) => c.charCodeAt(0);
const OPEN = code('(');
const CLOSE = code(')');
const SEMICOLON = code(';');
const LINE_FEED = code('\n');
const CARRIAGE_RETURN = code('\r');
const BAR = code('|');
const QUOTE = code('"');
const HASH = code('#');
const COLON = code(':');

export class SExprs {
  readonly file: string;
  private text: string;
  /** The limits under which the text is read; who walks over the tape passes it as well. */
  readonly checkpoint: Checkpoint;
  private count = 0; // tokens on the tape
  private tokens = new Uint8Array(1 << 12); // kind of each token
  private start = new Int32Array(1 << 12); // first character of each token
  private end = new Int32Array(1 << 12); // character after each token, of a list after its ')'
  private after = new Int32Array(1 << 12); // next sibling of each token
  private names = new Int32Array(1 << 12); // interned name of symbols and keywords
  /** Of a text that comes in pieces: what is kept of earlier ones, and where the present one begins. */
  private kept: Piece = { tokens: 0, characters: 0, line: 1 };
  private readonly interned = new Map<string, SymbolId>();
  private readonly spellings: string[] = [];

  constructor(file: string, text: string, checkpoint = new Checkpoint()) {
    this.file = file;
    this.text = withoutMark(file, text);
    this.checkpoint = checkpoint;
    this.read(0);
  }

  /** Reads the next piece of the text, whole expressions, in the place of the last one unless that is kept. */
  readOn(text: string, line: number): void {
    const { tokens, characters } = this.kept;
    this.kept = { tokens, characters, line };
    this.count = tokens;
    this.text = this.text.slice(0, characters) + text;
    this.read(characters);
  }

  /** What has been read stays on the tape, since somebody will look at it again. */
  keep(): void {
    this.kept = { ...this.kept, tokens: this.count, characters: this.text.length };
  }

  /** The top-level expressions, in order; of a text in pieces, those of the last one. */
  topLevel(): Node[] {
    const nodes: Node[] = [];
    for (let i = this.kept.tokens; i < this.count; i = this.after[i]) nodes.push(i as Node);
    return nodes;
  }

  kind(node: Node): Token {
    return this.tokens[node] as Token;
  }

  isList(node: Node): boolean {
    return this.tokens[node] === Token.LIST;
  }

  /** The expression that follows this one, or the end of the list that holds it. */
  next(node: Node): Node {
    return this.after[node] as Node;
  }

  children(list: Node): Node[] {
    const nodes: Node[] = [];
    const end = this.after[list];
    for (let i = list + 1; i < end; i = this.after[i]) nodes.push(i as Node);
    return nodes;
  }

  /** Is the node one of those that the list, if it is one, holds directly? */
  isChild(list: Node, node: Node): boolean {
    const end = this.after[list];
    let i = list + 1;
    while (i < node && i < end) i = this.after[i];
    return i === node && i < end;
  }

  isEmpty(list: Node): boolean {
    return this.after[list] === list + 1;
  }

  /** The interned name of a symbol or keyword, a negative number for every other token. */
  symbol(node: Node): SymbolId {
    return this.names[node] as SymbolId;
  }

  isSymbol(node: Node): boolean {
    return this.tokens[node] === Token.SYMBOL;
  }

  /** A symbol's name without bars, a keyword's with its colon. */
  spelling(symbol: SymbolId): string {
    return this.spellings[symbol];
  }

  intern(name: string): SymbolId {
    let id = this.interned.get(name);
    if (id === undefined) {
      id = (this.spellings.push(name) - 1) as SymbolId;
      this.interned.set(name, id);
    }
    return id;
  }

  /** An atom's text: of a symbol its name, of a string its characters, of the rest what is written. */
  atom(node: Node): string {
    if (this.names[node] !== NOT_A_SYMBOL) return this.spellings[this.names[node]];
    const source = this.source(node);
    return this.tokens[node] === Token.STRING ? source.slice(1, -1).replaceAll('""', '"') : source;
  }

  /** The text of an expression as the user wrote it. */
  source(node: Node): string {
    return this.text.slice(this.start[node], this.end[node]);
  }

  /** Where an expression stands, as `line:column`. */
  position(node: Node): { line: number; column: number } {
    const { line, column } = this.error(node, '');
    return { line, column };
  }

  error(node: Node, reason: string): InputError {
    return this.errorAt(node < this.count ? this.start[node] : this.text.length, reason);
  }

  /** The child of a list at a position, or an error that says what is missing. */
  expectChild(list: Node, position: number, what: string): Node {
    const end = this.after[list];
    let i = list + 1;
    for (let k = 0; k < position && i < end; k++) i = this.after[i];
    if (i >= end) throw this.error(list, `expected ${what} in this list`);
    return i as Node;
  }

  expectSymbol(node: Node, what: string): SymbolId {
    if (!this.isSymbol(node)) throw this.error(node, `expected ${what}, a symbol`);
    return this.symbol(node);
  }

  expectList(node: Node, what: string): Node[] {
    if (!this.isList(node)) throw this.error(node, `expected ${what}, a list in parentheses`);
    return this.children(node);
  }

  expectNumeral(node: Node, what: string): number {
    const value = this.kind(node) === Token.NUMERAL ? Number(this.atom(node)) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw this.error(node, `expected ${what}, a numeral`);
    return value;
  }

  // ---- reading ----

  private read(from: number): void {
    const { text, checkpoint } = this;
    const open: number[] = []; // lists whose end has not been seen
    let i = from;
    while ((i = this.skipBlanks(i, text.length)) < text.length) {
      checkpoint.pass();
      const c = text.charCodeAt(i);
      if (c === OPEN) {
        open.push(this.count);
        i = this.add(Token.LIST, i, i + 1, NOT_A_SYMBOL);
      } else if (c === CLOSE) {
        const list = open.pop();
        if (list === undefined) throw this.errorAt(i, "unexpected ')': no list is open here");
        this.after[list] = this.count;
        this.end[list] = ++i;
      } else {
        i = this.readAtom(c, i);
      }
    }
    const unclosed = open.pop();
    if (unclosed !== undefined) {
      throw this.errorAt(this.start[unclosed], "the list opened here is never closed: expected ')'");
    }
  }

  private readAtom(c: number, from: number): number {
    const { text } = this;
    if (c === BAR) {
      const end = text.indexOf('|', from + 1);
      if (end < 0) throw this.errorAt(from, "the quoted symbol opened here is never closed: expected '|'");
      const name = text.slice(from + 1, end);
      const backslash = name.indexOf('\\');
      if (backslash >= 0) throw this.errorAt(from + 1 + backslash, "a quoted symbol may not contain '\\'");
      return this.add(Token.SYMBOL, from, end + 1, this.intern(name));
    }
    if (c === QUOTE) {
      return this.add(Token.STRING, from, this.stringEnd(from), NOT_A_SYMBOL);
    }
    const end = this.wordEnd(c === HASH || c === COLON ? from + 1 : from);
    if (c === HASH) {
      const word = text.slice(from, end);
      const kind = /^#x[0-9a-fA-F]+$/.test(word) ? Token.HEXADECIMAL : Token.BINARY;
      if (kind === Token.BINARY && !/^#b[01]+$/.test(word)) {
        throw this.errorAt(
          from,
          `'${word}' is no constant: expected #b and binary or #x and hexadecimal digits`,
        );
      }
      return this.add(kind, from, end, NOT_A_SYMBOL);
    }
    if (c === COLON) {
      if (end === from + 1) throw this.errorAt(from, "expected a keyword after ':'");
      return this.add(Token.KEYWORD, from, end, this.intern(text.slice(from, end)));
    }
    if (CLASSES[c] === CharClass.DIGIT) {
      const word = text.slice(from, end);
      if (!/^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(word)) {
        throw this.errorAt(
          from,
          `'${word}' is neither a number nor a symbol: a symbol may not start with a digit`,
        );
      }
      const kind = word.includes('.') ? Token.DECIMAL : Token.NUMERAL;
      return this.add(kind, from, end, NOT_A_SYMBOL);
    }
    if (end === from) {
      const name = JSON.stringify(String.fromCodePoint(text.codePointAt(from) as number));
      throw this.errorAt(from, `the character ${name} may not stand here`);
    }
    return this.add(Token.SYMBOL, from, end, this.intern(text.slice(from, end)));
  }

  private wordEnd(from: number): number {
    const { text } = this;
    let i = from;
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c >= 128 || CLASSES[c] < CharClass.SYMBOL) break;
    }
    return i;
  }

  private stringEnd(from: number): number {
    const { text } = this;
    for (let i = from + 1; ; i += 2) {
      i = text.indexOf('"', i);
      if (i < 0) throw this.errorAt(from, "the string opened here is never closed: expected '\"'");
      if (text.charCodeAt(i + 1) !== QUOTE) return i + 1;
    }
  }

  private skipBlanks(from: number, limit: number): number {
    const { text } = this;
    let i = from;
    for (; i < limit; i++) {
      const c = text.charCodeAt(i);
      if (c === SEMICOLON) {
        while (i < limit && text.charCodeAt(i) !== LINE_FEED && text.charCodeAt(i) !== CARRIAGE_RETURN) i++;
      } else if (c >= 128 || CLASSES[c] !== CharClass.SPACE) {
        break;
      }
    }
    return Math.min(i, limit);
  }

  /** Adds a token and returns where the text goes on. */
  private add(kind: Token, from: number, end: number, name: number): number {
    const i = this.count;
    if (i === this.tokens.length) this.grow();
    this.tokens[i] = kind;
    this.start[i] = from;
    this.end[i] = end;
    this.names[i] = name;
    this.after[i] = ++this.count;
    return end;
  }

  private grow(): void {
    const size = 2 * this.count;
    const grown = (from: Int32Array) => {
      const to = new Int32Array(size);
      to.set(from);
      return to;
    };
    const tokens = new Uint8Array(size);
    tokens.set(this.tokens);
    this.tokens = tokens;
    this.start = grown(this.start);
    this.end = grown(this.end);
    this.after = grown(this.after);
    this.names = grown(this.names);
  }

  private errorAt(offset: number, reason: string): InputError {
    const { characters, line } = this.kept;
    const within = inputErrorAt(
      this.file,
      this.text.slice(characters),
      Math.max(0, offset - characters),
      reason,
    );
    return new InputError(this.file, within.line + line - 1, within.column, reason);
  }
}
