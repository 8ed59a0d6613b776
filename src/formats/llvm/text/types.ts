/**
 * Types of a module. Each is made once, so that two are the same exactly when they are the same object; named structs are
 * made where they are first mentioned and filled where they are defined, which may be later.
 *
 * Pointers that say what they point to, as Clang wrote them up to version 14, are pointers.
 */

import type { FloatName, FunctionType, Operand, StructType, Type } from '../module.ts';
import { type Lexer, shorten, Token } from './lexer.ts';

const WIDEST_INTEGER = 1 << 23; // LLVM's own limit
const DEEPEST = 500; // brackets in each other: more would exhaust the stack

/** What a named type is until it is known. */
interface NamedType {
  kind: 'struct' | 'opaque';
  name: string;
  fields?: readonly Type[];
  isPacked?: boolean;
}

interface Mention {
  readonly type: NamedType;
  readonly offset: number; // of the definition once there is one, and of the first use before
  readonly isDefined: boolean;
}

export const VOID: Type = { kind: 'void' };
export const POINTER: Type = { kind: 'pointer' };
export const METADATA: Type = { kind: 'metadata' };

const FLOATS: readonly FloatName[] = ['half', 'float', 'double', 'x86_fp80', 'fp128'];

/** Types that there are, and that nothing here knows how to treat. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'bfloat',
  'ppc_fp128',
  'x86_amx',
  'x86_mmx',
  'target',
  'token',
  'label',
]);

const LOWER_I = 105;
const INTEGER = /^i[1-9][0-9]{0,7}$/;

export class TypeReader {
  private readonly lexer: Lexer;
  /** The types that are one word. */
  private readonly words = new Map<string, Type>([
    ['void', VOID],
    ['ptr', POINTER],
    ['metadata', METADATA],
    ...FLOATS.map(name => [name, { kind: 'float', name }] as const),
  ]);
  private readonly named = new Map<string, Mention>();
  private readonly made = new Map<string, Type>(); // by the numbers of their parts
  private readonly numbers = new Map<Type, number>();
  private depth = 0;
  /** How many vectors were read so far: who wants to know whether there was one compares. */
  vectors = 0;
  readonly i1: Type;
  readonly i32: Type;

  constructor(lexer: Lexer) {
    this.lexer = lexer;
    this.i1 = this.integer(1);
    this.i32 = this.integer(32);
  }

  integer(width: number): Type {
    const name = `i${width}`;
    let type = this.words.get(name);
    if (type === undefined) {
      type = { kind: 'int', width };
      this.words.set(name, type);
    }
    return type;
  }

  functionType(result: Type, parameters: readonly Type[], isVariadic: boolean): FunctionType {
    const key = `f${this.number(result)}(${parameters.map(p => this.number(p)).join()}${isVariadic ? '.' : ''}`;
    const make = () => ({ kind: 'function', result, parameters, isVariadic }) as const;
    return this.make(key, make) as FunctionType;
  }

  /** Does a type begin with the current token? */
  isAtType(): boolean {
    const { kind, value } = this.lexer;
    if (kind === Token.WORD) return this.wordType(value) !== undefined || UNSUPPORTED.has(value);
    return (
      kind === Token.LOCAL || kind === Token.OPEN_BRACE || kind === Token.OPEN_BRACKET || kind === Token.LESS
    );
  }

  read(): Type {
    const { lexer } = this;
    const { kind, start } = lexer;
    let type: Type;
    if (kind === Token.WORD) type = this.readWord();
    else if (kind === Token.LOCAL) type = this.mention(lexer.value, start);
    else type = this.readBracketed();
    if (kind === Token.WORD || kind === Token.LOCAL) lexer.next();
    return this.readSuffixes(type);
  }

  /** The type of something that is computed or stored. */
  readObject(): Type {
    const { start } = this.lexer;
    const type = this.read();
    if (type.kind === 'void' || type.kind === 'function' || type.kind === 'metadata') {
      throw this.lexer.error(`a value may not be of type ${describe(type)}`, start);
    }
    return type;
  }

  /** `%x = type ...`, from the name on. */
  readDefinition(): void {
    const { lexer } = this;
    const { start: offset, value: name } = lexer;
    lexer.next();
    lexer.expect(Token.EQUALS, "'='");
    lexer.expectWord('type');
    const known = this.named.get(name);
    if (known?.isDefined) throw lexer.error(`%${name} is defined a second time`, offset);
    const type: NamedType = known?.type ?? { kind: 'opaque', name };
    this.named.set(name, { type, offset, isDefined: true });
    if (lexer.acceptWord('opaque')) {
      lexer.expectLineEnd();
      return;
    }
    const isPacked = lexer.accept(Token.LESS);
    if (lexer.kind !== Token.OPEN_BRACE) throw lexer.expected('a struct or opaque');
    type.fields = this.readFields();
    type.isPacked = isPacked;
    type.kind = 'struct';
    if (isPacked) lexer.expect(Token.GREATER, "'>'");
    lexer.expectLineEnd();
  }

  /** To be called at the end: every name that was used must have been defined, and no struct may hold itself. */
  check(): void {
    for (const [name, { offset, isDefined }] of this.named) {
      if (!isDefined) throw this.lexer.error(`the type %${name} is not defined`, offset);
    }
    const state = new Map<Type, 'open' | 'done'>();
    for (const { type, offset } of this.named.values()) this.checkFinite(type as Type, state, offset, 0);
  }

  private checkFinite(type: Type, state: Map<Type, 'open' | 'done'>, offset: number, depth: number): void {
    if (type.kind === 'array' || type.kind === 'vector') {
      this.checkFinite(type.element, state, offset, depth + 1);
    }
    if (type.kind !== 'struct' || state.get(type) === 'done') return;
    const shown = type.name === undefined ? 'a struct' : `%${type.name}`;
    if (state.get(type) === 'open') throw this.lexer.error(`${shown} holds itself`, offset);
    if (depth > DEEPEST) throw this.lexer.error(`${shown} is nested too deeply`, offset);
    state.set(type, 'open');
    for (const field of type.fields) this.checkFinite(field, state, offset, depth + 1);
    state.set(type, 'done');
  }

  private readWord(): Type {
    const { lexer } = this;
    const type = this.wordType(lexer.value);
    if (type !== undefined) return type;
    if (UNSUPPORTED.has(lexer.value)) throw lexer.error(`the type ${lexer.value} is not supported`);
    throw lexer.expected('a type');
  }

  private wordType(word: string): Type | undefined {
    const type = this.words.get(word);
    if (type !== undefined || word.charCodeAt(0) !== LOWER_I || !INTEGER.test(word)) return type;
    const width = Number(word.slice(1));
    return width <= WIDEST_INTEGER ? this.integer(width) : undefined;
  }

  private mention(name: string, offset: number): Type {
    let mention = this.named.get(name);
    if (mention === undefined) {
      mention = { type: { kind: 'opaque', name }, offset, isDefined: false };
      this.named.set(name, mention);
    }
    return mention.type as Type;
  }

  private readBracketed(): Type {
    const { lexer } = this;
    if (lexer.kind === Token.OPEN_BRACE) return this.struct(this.readFields(), false);
    if (lexer.kind !== Token.OPEN_BRACKET && lexer.kind !== Token.LESS) throw lexer.expected('a type');
    const isArray = lexer.kind === Token.OPEN_BRACKET;
    lexer.next();
    if (!isArray && lexer.at(Token.OPEN_BRACE)) {
      const fields = this.readFields();
      lexer.expect(Token.GREATER, "'>'");
      return this.struct(fields, true);
    }
    if (lexer.isWord('vscale')) throw lexer.error('vectors of unknown length are not supported');
    const count = lexer.expectCount('how many elements there are');
    lexer.expectWord('x');
    const element = this.nested();
    lexer.expect(isArray ? Token.CLOSE_BRACKET : Token.GREATER, isArray ? "']'" : "'>'");
    if (!isArray) this.vectors++;
    const kind = isArray ? 'array' : 'vector';
    return this.make(`${kind}${count}x${this.number(element)}`, () => ({ kind, count, element }));
  }

  /** What follows a type and makes another one of it: a list of parameters, or the star of a pointer. */
  private readSuffixes(from: Type): Type {
    const { lexer } = this;
    let type = from;
    for (;;) {
      if (lexer.kind === Token.OPEN) {
        type = this.readFunction(type);
      } else if (lexer.kind === Token.STAR) {
        lexer.next();
        type = POINTER;
      } else if (lexer.isWord('addrspace')) {
        lexer.next();
        lexer.skipBrackets();
      } else {
        return type;
      }
    }
  }

  private readFunction(result: Type): Type {
    const { lexer } = this;
    const parameters: Type[] = [];
    let isVariadic = false;
    lexer.next();
    if (!lexer.accept(Token.CLOSE)) {
      do {
        isVariadic = lexer.acceptWord('...');
        if (!isVariadic) parameters.push(this.nested());
      } while (!isVariadic && lexer.accept(Token.COMMA));
      lexer.expect(Token.CLOSE, "')'");
    }
    return this.functionType(result, parameters, isVariadic);
  }

  /** The fields of a struct, from the opening brace to behind the closing one. */
  private readFields(): Type[] {
    const { lexer } = this;
    const fields: Type[] = [];
    lexer.next();
    if (lexer.accept(Token.CLOSE_BRACE)) return fields;
    do fields.push(this.nested());
    while (lexer.accept(Token.COMMA));
    lexer.expect(Token.CLOSE_BRACE, "'}'");
    return fields;
  }

  private nested(): Type {
    if (++this.depth > DEEPEST) throw this.lexer.error('this type is nested too deeply');
    const type = this.read();
    this.depth--;
    return type;
  }

  private struct(fields: readonly Type[], isPacked: boolean): Type {
    const key = `${isPacked ? '<' : '{'}${fields.map(field => this.number(field)).join()}`;
    const make = (): StructType => ({ kind: 'struct', name: undefined, fields, isPacked });
    return this.make(key, make);
  }

  private make(key: string, create: () => Type): Type {
    let type = this.made.get(key);
    if (type === undefined) {
      type = create();
      this.made.set(key, type);
    }
    return type;
  }

  private number(type: Type): number {
    let number = this.numbers.get(type);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(type, number);
    }
    return number;
  }
}

/** The type of an element; undefined if the type has none, or none at this index. */
export function elementOf(type: Type, index: number): Type | undefined {
  if (type.kind === 'struct') return type.fields[index];
  return type.kind === 'array' || type.kind === 'vector' ? type.element : undefined;
}

/** Do these indices lead a getelementptr to something? Those of fields must be constants. */
export function canWalk(from: Type, indices: readonly Operand[]): boolean {
  let type: Type | undefined = from;
  for (const [i, index] of indices.entries()) {
    if (index.type.kind === 'vector') return true;
    if (index.type.kind !== 'int') return false;
    if (i === 0) continue;
    if (type.kind === 'struct' && index.kind !== 'integer') return false;
    type = elementOf(type, index.kind === 'integer' ? Number(index.value) : 0);
    if (type === undefined) return false;
  }
  return true;
}

/** A type as messages speak of it. */
export function describe(type: Type): string {
  return shorten(spell(type));
}

function spell(type: Type): string {
  switch (type.kind) {
    case 'int':
      return `i${type.width}`;
    case 'float':
      return type.name;
    case 'pointer':
      return 'ptr';
    case 'array':
      return `[${type.count} x ${spell(type.element)}]`;
    case 'vector':
      return `<${type.count} x ${spell(type.element)}>`;
    case 'struct':
      return type.name === undefined ? `{ ${type.fields.map(spell).join(', ')} }` : `%${type.name}`;
    case 'opaque':
      return `%${type.name}`;
    case 'function':
      return 'function';
    default:
      return type.kind;
  }
}
