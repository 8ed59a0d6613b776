/** What reading the body of one function needs: the readers of its parts, its names, and what instructions consist of. */

import type { DeclaredVariable, Loop, Operand, Place, Type } from '../module.ts';
import { skipAttributes } from './attributes.ts';
import type { ConstantReader } from './constants.ts';
import type { DebugInfo } from './debug-info.ts';
import { readMetadataOperand } from './debug-records.ts';
import { type Lexer, Token } from './lexer.ts';
import type { Locals } from './locals.ts';
import { readMetadata } from './metadata.ts';
import { METADATA, type TypeReader } from './types.ts';

/** Kinds of types that an operand may have. */
type Kinds = readonly Type['kind'][];

export const INTEGERS: Kinds = ['int'];
export const POINTERS: Kinds = ['pointer'];
export const COMPARABLE: Kinds = ['int', 'pointer'];
export const FLOATS: Kinds = ['float'];

const NAMES: ReadonlyMap<Type['kind'], string> = new Map([
  ['int', 'an integer'],
  ['pointer', 'a pointer'],
  ['float', 'a floating-point number'],
]);

/** The readers that a whole module shares. */
export interface ModuleContext {
  readonly lexer: Lexer;
  readonly types: TypeReader;
  readonly constants: ConstantReader;
  readonly debug: DebugInfo;
}

export class FunctionContext implements ModuleContext {
  readonly lexer: Lexer;
  readonly types: TypeReader;
  readonly constants: ConstantReader;
  readonly debug: DebugInfo;
  readonly locals: Locals;
  /** What the function returns. */
  readonly result: Type;
  readonly allocas = new Set<string>();
  readonly variables: DeclaredVariable[] = [];
  /** Do the attachments read last say that a store or memset only marks the beginning of a variable? */
  isUninitialized = false;
  /** The loop that the attachments read last name. */
  loop: Loop | undefined;

  constructor({ lexer, types, constants, debug }: ModuleContext, locals: Locals, result: Type) {
    this.lexer = lexer;
    this.types = types;
    this.constants = constants;
    this.debug = debug;
    this.locals = locals;
    this.result = result;
  }

  /** A type and a value of it. */
  operand(): Operand {
    return this.value(this.types.read());
  }

  /** The same, of one of these kinds, or a vector, with which no instruction is executed. */
  operandOf(kinds: Kinds): Operand {
    const { start } = this.lexer;
    const operand = this.operand();
    const { kind } = operand.type;
    if (kind !== 'vector' && !kinds.includes(kind)) {
      throw this.lexer.error(`expected ${kinds.map(k => NAMES.get(k)).join(' or ')}`, start);
    }
    return operand;
  }

  condition(): Operand {
    const { start } = this.lexer;
    const operand = this.operand();
    if (operand.type !== this.types.i1 && operand.type.kind !== 'vector') {
      throw this.lexer.error('expected a condition, of type i1', start);
    }
    return operand;
  }

  value(type: Type): Operand {
    const { lexer } = this;
    if (lexer.kind === Token.LOCAL) {
      const { value, start } = lexer;
      lexer.next();
      return this.locals.use(value, type, start);
    }
    if (type !== METADATA) return this.constants.read(type);
    readMetadataOperand(this);
    return { kind: 'undefined', type };
  }

  comma(): void {
    this.lexer.expect(Token.COMMA, "','");
  }

  /** `label %x` */
  label(): string {
    this.lexer.expectWord('label');
    return this.block();
  }

  block(): string {
    const { start } = this.lexer;
    return this.locals.useBlock(this.lexer.expect(Token.LOCAL, 'a block'), start);
  }

  /** Goes past attributes on this line, up to a type. */
  skipAttributes(): void {
    skipAttributes(this.lexer, this.types);
  }

  /** Is the comma here the one before an attachment? */
  isAtAttachment(): boolean {
    const { lexer } = this;
    if (lexer.kind !== Token.COMMA) return false;
    const { text } = lexer;
    let i = lexer.start + 1;
    while (text.charCodeAt(i) === 32) i++;
    return text.charCodeAt(i) === Token.BANG;
  }

  /** Alignment and attachments at the end of an instruction; its place. */
  readAttachments(): Place | undefined {
    const { lexer, debug } = this;
    let place: Place | undefined;
    this.isUninitialized = false;
    this.loop = undefined;
    while (lexer.accept(Token.COMMA)) {
      if (lexer.acceptWord('align')) {
        lexer.expectCount('an alignment');
        continue;
      }
      const name = lexer.expect(Token.NAMED_METADATA, 'an attachment');
      const value = readMetadata(lexer);
      if (name === 'dbg') place = debug.place(value);
      else if (name === 'annotation') this.isUninitialized = debug.marksUninitialized(value);
      else if (name === 'llvm.loop') this.loop = debug.loop(value);
    }
    return place;
  }
}
