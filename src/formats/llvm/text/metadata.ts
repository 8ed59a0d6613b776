/**
 * The nodes of a module's metadata (`!12 = !DILocation(...)`), which stand behind all functions and in large modules are most
 * of the text: only where each begins is looked up at first, and a node is read when somebody asks for it.
 */
import { decodeText } from './escapes.ts';
import { type Lexer, Token } from './lexer.ts';

/** `!DILocation(line: 1)` or, without a name, the tuple `!{!1, !2}`. */
export interface MetadataNode {
  readonly name: string;
  readonly fields: ReadonlyMap<string, MetadataValue>;
  readonly items: readonly MetadataValue[];
}

export type MetadataValue =
  | { readonly kind: 'reference'; readonly id: number }
  | { readonly kind: 'node'; readonly node: MetadataNode }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'word'; readonly text: string } // DW_TAG_member, true, A | B, null
  | { readonly kind: 'other' };

const DEEPEST = 100; // nodes written inside of each other
const LONGEST_INTEGER = 50; // digits
const BANG = 33;
const BLANKS: ReadonlySet<number> = new Set([9, 13, 32]);

const NO_FIELDS: ReadonlyMap<string, MetadataValue> = new Map();
const NO_ITEMS: readonly MetadataValue[] = [];

export class Metadata {
  private readonly lexer: Lexer; // its own, which jumps about
  private readonly offsets = new Map<number, number>(); // where each definition begins
  private readonly nodes = new Map<number, MetadataNode>();

  constructor(lexer: Lexer) {
    this.lexer = lexer.fork();
    this.index(lexer);
  }

  /** A node by its number. */
  get(id: number): MetadataNode | undefined {
    let node = this.nodes.get(id);
    if (node === undefined && this.goTo(id)) {
      node = readNode(this.lexer, 0);
      this.nodes.set(id, node);
    }
    return node;
  }

  /** Line, column and scope of a DILocation: there is one for nearly every instruction, so they are not kept as nodes. */
  location(
    id: number,
  ): { readonly line: number; readonly column: number; readonly scope: number } | undefined {
    if (!this.goTo(id)) return undefined;
    const { lexer } = this;
    if (lexer.source() !== '!DILocation') return undefined;
    let line = 0;
    let column = 0;
    let scope = -1;
    lexer.next();
    lexer.expect(Token.OPEN, "'('");
    while (lexer.at(Token.LABEL)) {
      const field = lexer.value;
      lexer.next();
      const { kind, number } = lexer;
      if (field === 'line' && kind === Token.INTEGER) line = number;
      else if (field === 'column' && kind === Token.INTEGER) column = number;
      else if (field === 'scope' && kind === Token.METADATA) scope = number;
      lexer.next();
      if (!lexer.accept(Token.COMMA)) break;
    }
    return { line, column, scope };
  }

  /** The node that a field or an item is. */
  resolve(value: MetadataValue | undefined): MetadataNode | undefined {
    if (value?.kind === 'reference') return this.get(value.id);
    return value?.kind === 'node' ? value.node : undefined;
  }

  /** Finds the lines that define a node. */
  private index({ text, checkpoint }: Lexer): void {
    for (let next = 0; next >= 0; ) {
      checkpoint.pass();
      let i = next;
      const end = text.indexOf('\n', i);
      next = end < 0 ? end : end + 1;
      while (BLANKS.has(text.charCodeAt(i))) i++;
      if (text.charCodeAt(i) !== BANG) continue;
      let id = 0;
      let digit = text.charCodeAt(++i) - 48;
      if (!(digit >= 0 && digit <= 9)) continue;
      for (; digit >= 0 && digit <= 9; digit = text.charCodeAt(++i) - 48) id = 10 * id + digit;
      this.offsets.set(id, i);
    }
  }

  /** Goes to where the node of this number begins. */
  private goTo(id: number): boolean {
    const offset = this.offsets.get(id);
    if (offset === undefined) return false;
    this.lexer.seek(offset);
    this.lexer.expect(Token.EQUALS, "'='");
    this.lexer.acceptWord('distinct');
    return true;
  }
}

/** `!12`, `!{...}`, `!DIExpression()` or `!"text"` at the current token. */
export function readMetadata(lexer: Lexer): MetadataValue {
  if (!isAtMetadata(lexer)) throw lexer.expected('metadata');
  return readValue(lexer, 0);
}

export function isAtMetadata({ kind }: Lexer): boolean {
  return kind === Token.METADATA || kind === Token.NAMED_METADATA || kind === Token.BANG;
}

function readNode(lexer: Lexer, depth: number): MetadataNode {
  if (depth > DEEPEST) throw lexer.error('this metadata is nested too deeply');
  if (lexer.accept(Token.BANG)) {
    if (lexer.kind !== Token.OPEN_BRACE) throw lexer.expected("'{'");
    return { name: '', fields: NO_FIELDS, items: readList(lexer, Token.CLOSE_BRACE, depth).items };
  }
  const name = lexer.expect(Token.NAMED_METADATA, 'metadata');
  if (lexer.kind !== Token.OPEN) throw lexer.expected("'('");
  return { name, ...readList(lexer, Token.CLOSE, depth) };
}

/** What brackets hold, from the opening one to behind the closing one. */
function readList(
  lexer: Lexer,
  close: number,
  depth: number,
): { fields: ReadonlyMap<string, MetadataValue>; items: readonly MetadataValue[] } {
  let fields: Map<string, MetadataValue> | undefined;
  let items: MetadataValue[] | undefined;
  lexer.next();
  while (lexer.kind !== close) {
    if (lexer.kind === Token.LABEL) {
      const field = lexer.value;
      lexer.next();
      fields ??= new Map();
      fields.set(field, readValue(lexer, depth));
    } else {
      items ??= [];
      items.push(readValue(lexer, depth));
    }
    if (lexer.kind !== close) lexer.expect(Token.COMMA, "','");
  }
  lexer.next();
  return { fields: fields ?? NO_FIELDS, items: items ?? NO_ITEMS };
}

function readValue(lexer: Lexer, depth: number): MetadataValue {
  switch (lexer.kind) {
    case Token.METADATA: {
      const id = lexer.number;
      lexer.next();
      return { kind: 'reference', id };
    }
    case Token.NAMED_METADATA:
      return { kind: 'node', node: readNode(lexer, depth + 1) };
    case Token.BANG:
      return readBang(lexer, depth);
    case Token.STRING: {
      const text = decodeText(lexer.value);
      lexer.next();
      return { kind: 'string', text };
    }
    case Token.INTEGER: {
      if (lexer.source().length > LONGEST_INTEGER) return skipValue(lexer);
      const value = lexer.integer();
      lexer.next();
      return { kind: 'integer', value };
    }
    case Token.WORD:
      return readWords(lexer);
    default:
      return skipValue(lexer);
  }
}

/** A tuple, or a string with a ! before it. */
function readBang(lexer: Lexer, depth: number): MetadataValue {
  const { start } = lexer;
  lexer.next();
  if (lexer.kind === Token.STRING) {
    const text = decodeText(lexer.value);
    lexer.next();
    return { kind: 'string', text };
  }
  lexer.seek(start);
  return { kind: 'node', node: readNode(lexer, depth + 1) };
}

/** A word, words with bars between them, or a constant with its type. */
function readWords(lexer: Lexer): MetadataValue {
  let text = lexer.value;
  lexer.next();
  while (lexer.accept(Token.BAR)) text += ` | ${lexer.expect(Token.WORD, 'a flag')}`;
  if (lexer.kind === Token.INTEGER) return readValue(lexer, 0);
  return lexer.kind === Token.COMMA || lexer.kind === Token.CLOSE || lexer.kind === Token.CLOSE_BRACE
    ? { kind: 'word', text }
    : skipValue(lexer);
}

/** Goes to the end of a value that nobody asks for. */
function skipValue(lexer: Lexer): MetadataValue {
  for (;;) {
    switch (lexer.kind) {
      case Token.COMMA:
      case Token.CLOSE:
      case Token.CLOSE_BRACE:
        return { kind: 'other' };
      case Token.OPEN:
      case Token.OPEN_BRACE:
      case Token.OPEN_BRACKET:
      case Token.LESS:
        lexer.skipBrackets();
        break;
      case Token.END:
        throw lexer.expected('the end of the metadata');
      default:
        lexer.next();
    }
  }
}
