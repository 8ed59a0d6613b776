/**
 * Constants: what an operand or an initial value may be without a function around it. The ones of globals are made once for
 * each name, so that an alias can be replaced by what it stands for when all names are known.
 */

import type { Constant, Type } from '../module.ts';
import { decodeBytes } from './escapes.ts';
import { type Lexer, Token } from './lexer.ts';
import { BINARY, CASTS, checkCast, skipFlags } from './operators.ts';
import { canWalk, describe, POINTER, type TypeReader } from './types.ts';

const DEEPEST = 500; // constants in each other: more would exhaust the stack
const LARGEST_SPLAT = 1 << 16; // elements

/** Words that begin a constant, but for those of operators. */
const WORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'none',
  'zeroinitializer',
  'undef',
  'poison',
  'blockaddress',
  'splat',
  'asm',
  'dso_local_equivalent',
  'no_cfi',
  'ptrauth',
  'fcmp',
]);

/** Constant expressions that are neither casts nor binary, with the number of their operands. */
const OTHER_EXPRESSIONS: ReadonlyMap<string, number> = new Map([
  ['getelementptr', Number.POSITIVE_INFINITY],
  ['icmp', 2],
  ['select', 3],
]);

type Global = Constant & { readonly kind: 'global' };
type Renamed<T> = { -readonly [K in keyof T]: T[K] };

export class ConstantReader {
  private readonly lexer: Lexer;
  private readonly types: TypeReader;
  private readonly integers = new Map<Type, Map<number, Constant>>(); // those that numbers hold
  private depth = 0;
  /** All globals that are mentioned, with the place of the first mention. */
  readonly globals = new Map<string, { readonly constant: Global; readonly offset: number }>();
  /** All `blockaddress`es, with their place. */
  readonly blockAddresses: { readonly function: string; readonly block: string; readonly offset: number }[] =
    [];

  constructor(lexer: Lexer, types: TypeReader) {
    this.lexer = lexer;
    this.types = types;
  }

  /** A type and a constant of it. */
  readTyped(): Constant {
    return this.read(this.types.read());
  }

  read(type: Type): Constant {
    const { lexer } = this;
    switch (lexer.kind) {
      case Token.GLOBAL: {
        if (type.kind !== 'pointer') throw this.mismatch(type);
        const { value, start } = lexer;
        lexer.next();
        return this.global(value, start);
      }
      case Token.INTEGER:
        return this.readInteger(type);
      case Token.FLOAT: {
        if (type.kind !== 'float') throw this.mismatch(type);
        const text = lexer.value;
        lexer.next();
        return { kind: 'float', text, type };
      }
      case Token.WORD:
        return this.readWord(type);
      case Token.BYTES:
        return this.readBytes(type);
      case Token.OPEN_BRACE:
      case Token.OPEN_BRACKET:
      case Token.LESS:
        return this.readAggregate(type);
      default:
        throw lexer.expected('a value');
    }
  }

  integer(value: number, type: Type): Constant {
    let known = this.integers.get(type);
    if (known === undefined) {
      known = new Map();
      this.integers.set(type, known);
    }
    let constant = known.get(value);
    if (constant === undefined) {
      constant = { kind: 'integer', value: BigInt(value), type };
      known.set(value, constant);
    }
    return constant;
  }

  global(name: string, offset: number): Global {
    let entry = this.globals.get(name);
    if (entry === undefined) {
      entry = { constant: { kind: 'global', name, type: POINTER }, offset };
      this.globals.set(name, entry);
    }
    return entry.constant;
  }

  /** Lets every mention of a global be one of another. */
  replaceGlobal(name: string, by: string): void {
    const constant: Renamed<Global> | undefined = this.globals.get(name)?.constant;
    if (constant !== undefined) constant.name = by;
  }

  private readInteger(type: Type): Constant {
    const { lexer } = this;
    if (type.kind !== 'int') throw this.mismatch(type);
    const { number } = lexer;
    const { width } = type;
    if (!this.fits(width)) throw lexer.error(`${lexer.shown()} does not fit into ${describe(type)}`);
    const constant: Constant = Number.isNaN(number)
      ? { kind: 'integer', value: lexer.integer(), type }
      : this.integer(number, type);
    lexer.next();
    return constant;
  }

  /** Does the integer here fit, with or without a sign? */
  private fits(width: number): boolean {
    const { lexer } = this;
    const { number } = lexer;
    if (!Number.isNaN(number)) return number < 2 ** width && number >= -(2 ** (width - 1));
    if (lexer.source().length > width) return false; // before it is made
    const value = lexer.integer();
    return value < 0n ? BigInt.asIntN(width, value) === value : BigInt.asUintN(width, value) === value;
  }

  private readWord(type: Type): Constant {
    const { lexer } = this;
    const { value: word } = lexer;
    switch (word) {
      case 'true':
      case 'false':
        if (type !== this.types.i1) throw this.mismatch(type);
        lexer.next();
        return this.integer(word === 'true' ? 1 : 0, type);
      case 'null':
        if (type.kind !== 'pointer') throw this.mismatch(type);
        lexer.next();
        return { kind: 'null', type };
      case 'zeroinitializer':
        lexer.next();
        return { kind: 'zero', type };
      case 'undef':
      case 'poison':
        lexer.next();
        return { kind: 'undefined', type };
      case 'blockaddress':
        return this.readBlockAddress(type);
      case 'splat':
        return this.readSplat(type);
      default:
        return this.readExpression(word, type);
    }
  }

  private readBlockAddress(type: Type): Constant {
    const { lexer } = this;
    const { start: offset } = lexer;
    lexer.next();
    lexer.expect(Token.OPEN, "'('");
    const name = lexer.expect(Token.GLOBAL, 'a function');
    lexer.expect(Token.COMMA, "','");
    const block = lexer.expect(Token.LOCAL, 'a block');
    lexer.expect(Token.CLOSE, "')'");
    this.blockAddresses.push({ function: name, block, offset });
    return { kind: 'blockaddress', function: name, block, type };
  }

  private readSplat(type: Type): Constant {
    const { lexer } = this;
    if (type.kind !== 'vector') throw this.mismatch(type);
    if (type.count > LARGEST_SPLAT) throw lexer.error(`a splat of ${type.count} elements is not supported`);
    lexer.next();
    lexer.expect(Token.OPEN, "'('");
    const element = this.readTyped();
    if (element.type !== type.element) throw lexer.error('the element of the splat has another type');
    lexer.expect(Token.CLOSE, "')'");
    return { kind: 'aggregate', elements: new Array<Constant>(type.count).fill(element), type };
  }

  private readBytes(type: Type): Constant {
    const { lexer } = this;
    if (type.kind !== 'array' || type.element !== this.types.integer(8)) throw this.mismatch(type);
    const bytes = decodeBytes(lexer.value);
    if (bytes.length !== type.count) {
      throw lexer.error(`the string has ${bytes.length} bytes, but its type ${type.count}`);
    }
    lexer.next();
    return { kind: 'bytes', bytes, type };
  }

  private readAggregate(type: Type): Constant {
    const { lexer } = this;
    const { start } = lexer;
    if (++this.depth > DEEPEST) throw lexer.error('this constant is nested too deeply');
    const isAngled = lexer.accept(Token.LESS);
    const isStruct = lexer.kind === Token.OPEN_BRACE;
    const isBracketed = isStruct || lexer.kind === Token.OPEN_BRACKET;
    const expected = isStruct ? 'struct' : isAngled ? 'vector' : 'array';
    if (type.kind !== expected || (type.kind === 'struct' && type.isPacked !== isAngled)) {
      throw lexer.error(`this constant is not of the type ${describe(type)}`, start);
    }
    const close = isStruct ? Token.CLOSE_BRACE : isBracketed ? Token.CLOSE_BRACKET : Token.GREATER;
    if (isBracketed) lexer.next();
    const elements: Constant[] = [];
    if (lexer.kind !== close) {
      do {
        const offset = lexer.start;
        const element = this.readTyped();
        const wanted = type.kind === 'struct' ? type.fields[elements.length] : type.element;
        if (wanted !== undefined && element.type !== wanted) {
          throw lexer.error(`expected an element of type ${describe(wanted)}`, offset);
        }
        elements.push(element);
      } while (lexer.accept(Token.COMMA));
    }
    lexer.expect(close, `'${String.fromCharCode(close)}'`);
    if (isAngled && isStruct) lexer.expect(Token.GREATER, "'>'");
    const count = type.kind === 'struct' ? type.fields.length : type.count;
    if (elements.length !== count) {
      throw lexer.error(`this constant has ${elements.length} elements, but its type ${count}`, start);
    }
    this.depth--;
    return { kind: 'aggregate', elements, type };
  }

  /** `add (i32 1, i32 2)` and the like. */
  private readExpression(word: string, type: Type): Constant {
    const { lexer } = this;
    const { start } = lexer;
    const cast = CASTS.get(word);
    const arity = cast !== undefined ? 1 : BINARY.has(word) ? 2 : OTHER_EXPRESSIONS.get(word);
    if (arity === undefined) throw lexer.error(`the constant '${lexer.shown()}' is not supported`);
    if (++this.depth > DEEPEST) throw lexer.error('this constant is nested too deeply');
    lexer.next();
    skipFlags(lexer);
    let operator = cast ?? word;
    if (word === 'icmp') operator += ` ${lexer.expect(Token.WORD, 'a comparison')}`;
    lexer.expect(Token.OPEN, "'('");
    const sourceType = word === 'getelementptr' ? this.types.readObject() : undefined;
    if (sourceType !== undefined) lexer.expect(Token.COMMA, "','");
    const operands: Constant[] = [];
    do {
      skipFlags(lexer);
      operands.push(this.readTyped());
    } while (operands.length < arity && lexer.accept(Token.COMMA));
    if (cast !== undefined) {
      lexer.expectWord('to');
      if (this.types.read() !== type) throw lexer.error(`expected a value of type ${describe(type)}`, start);
      checkCast(lexer, cast, operands[0].type, type, start);
    }
    lexer.expect(Token.CLOSE, "')'");
    if (operands.length < arity && arity < Number.POSITIVE_INFINITY) {
      throw lexer.error(`${word} has ${arity} operands`, start);
    }
    const isRight =
      !BINARY.has(word) || (type.kind !== 'pointer' && operands.every(operand => operand.type === type));
    if (!isRight) throw lexer.error(`expected a value of type ${describe(type)}`, start);
    if (sourceType !== undefined && !canWalk(sourceType, operands.slice(1))) {
      throw lexer.error(`${describe(sourceType)} has no such element`, start);
    }
    this.depth--;
    return { kind: 'expression', operator, operands, sourceType, type };
  }

  private mismatch(type: Type) {
    return this.lexer.expected(`a value of type ${describe(type)}`);
  }
}

/** May a constant begin with this word? */
export function isConstantWord(word: string): boolean {
  return WORDS.has(word) || CASTS.has(word) || BINARY.has(word) || OTHER_EXPRESSIONS.has(word);
}
