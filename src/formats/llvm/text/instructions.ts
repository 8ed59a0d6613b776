/**
 * Instructions. Those that are known by name and outside of what can be treated (atomics, exceptions, vectors) are kept as
 * such: the text behind them is skipped, and whoever would have to execute one refuses it.
 */

import type {
  BinaryOperator,
  CastOperator,
  Incoming,
  Instruction,
  IntPredicate,
  Operand,
  Place,
  Type,
} from '../module.ts';
import { CallReader } from './calls.ts';
import { COMPARABLE, FLOATS, type FunctionContext, INTEGERS, POINTERS } from './context.ts';
import { isJump, readJump } from './jumps.ts';
import { type Lexer, Token } from './lexer.ts';
import { readMetadata } from './metadata.ts';
import { BINARY, CASTS, checkCast, PREDICATES, skipFlags } from './operators.ts';
import { canWalk, describe, elementOf, POINTER } from './types.ts';

const FLOAT_BINARY: ReadonlySet<string> = new Set(['fadd', 'fsub', 'fmul', 'fdiv', 'frem']);

const UNSUPPORTED: ReadonlySet<string> = new Set([
  'atomicrmw',
  'cmpxchg',
  'fence',
  'landingpad',
  'catchpad',
  'cleanuppad',
  'extractelement',
  'insertelement',
  'shufflevector',
]);

const UNSUPPORTED_JUMPS: ReadonlySet<string> = new Set([
  'invoke',
  'callbr',
  'resume',
  'catchswitch',
  'catchret',
  'cleanupret',
]);

/** Words that begin a further line of an instruction. */
const CONTINUATIONS: ReadonlySet<string> = new Set(['to', 'unwind', 'cleanup', 'catch', 'filter']);

export class InstructionReader {
  private readonly context: FunctionContext;
  private readonly lexer: Lexer;
  private readonly calls: CallReader;
  /** Does control leave the block with the instruction read last? */
  isTerminator = false;
  private result: string | undefined; // the name before the equals sign
  private resultAt = 0;

  constructor(context: FunctionContext) {
    this.context = context;
    this.lexer = context.lexer;
    this.calls = new CallReader(context);
  }

  /** The next instruction; undefined for one that only speaks of debug information. */
  read(): Instruction | undefined {
    const { lexer, context } = this;
    this.result = undefined;
    this.resultAt = lexer.start;
    if (lexer.kind === Token.LOCAL) {
      this.result = lexer.value;
      lexer.next();
      lexer.expect(Token.EQUALS, "'='");
    }
    if (lexer.kind !== Token.WORD) throw lexer.expected('an instruction');
    const { vectors } = context.types;
    const { start, value: name } = lexer;
    this.isTerminator = isJump(name) || UNSUPPORTED_JUMPS.has(name);
    lexer.next();
    const instruction = this.readNamed(name, start);
    if (!this.isAtEnd()) throw lexer.expected('the end of the line');
    if (context.types.vectors === vectors || instruction === undefined) return instruction;
    const result = 'result' in instruction ? instruction.result : undefined;
    return { op: 'unsupported', name: `${instruction.op} of a vector`, result, place: instruction.place };
  }

  private readNamed(name: string, start: number): Instruction | undefined {
    const { lexer } = this;
    switch (name) {
      case 'load':
        return this.readLoad();
      case 'store':
        return this.readStore();
      case 'alloca':
        return this.readAlloca();
      case 'getelementptr':
        return this.readGep();
      case 'icmp':
        return this.readComparison();
      case 'fcmp':
        return this.readFloatComparison();
      case 'fneg': {
        skipFlags(this.lexer);
        const a = this.context.operandOf(FLOATS);
        return this.float('fneg', [a], a.type);
      }
      case 'phi':
        return this.readPhi();
      case 'select':
        return this.readSelect();
      case 'freeze': {
        const value = this.context.operand();
        const place = this.context.readAttachments();
        return { op: 'freeze', result: this.define(value.type), value, place };
      }
      case 'extractvalue':
        return this.readExtract();
      case 'insertvalue':
        return this.readInsert();
      case 'va_arg': {
        const list = this.context.operand();
        this.context.comma();
        const type = this.context.types.readObject();
        const place = this.context.readAttachments();
        return { op: 'va_arg', result: this.define(type), list, type, place };
      }
      case 'tail':
      case 'musttail':
      case 'notail':
        lexer.expectWord('call');
        return this.calls.read(this.result, this.resultAt);
      case 'call':
        return this.calls.read(this.result, this.resultAt);
      default:
        return this.readOther(name, start);
    }
  }

  private readOther(name: string, start: number): Instruction {
    const { lexer, context } = this;
    if (BINARY.has(name) || FLOAT_BINARY.has(name)) return this.readBinary(name);
    const cast = CASTS.get(name);
    if (cast !== undefined) return this.readCast(cast);
    if (UNSUPPORTED.has(name) || UNSUPPORTED_JUMPS.has(name)) return this.unsupported(name);
    if (!isJump(name)) throw lexer.error(`the instruction '${name}' is not supported`, start);
    this.noResult(name);
    return readJump(context, name);
  }

  // ---- memory ----

  private readLoad(): Instruction {
    const { lexer, context } = this;
    if (lexer.isWord('atomic')) return this.unsupported('load atomic');
    skipFlags(this.lexer);
    const type = context.types.readObject();
    this.context.comma();
    const pointer = this.context.operandOf(POINTERS);
    const place = this.context.readAttachments();
    return { op: 'load', result: this.define(type), pointer, type, place };
  }

  private readStore(): Instruction {
    const { lexer, context } = this;
    if (lexer.isWord('atomic')) return this.unsupported('store atomic');
    skipFlags(this.lexer);
    const value = this.context.operand();
    this.context.comma();
    const pointer = this.context.operandOf(POINTERS);
    this.noResult('store');
    const place = this.context.readAttachments();
    return { op: 'store', value, pointer, isUninitialized: context.isUninitialized, place };
  }

  private readAlloca(): Instruction {
    const { lexer, context } = this;
    if (lexer.isWord('inalloca')) throw lexer.error('the attribute inalloca is not supported');
    lexer.acceptWord('swifterror');
    const allocated = context.types.readObject();
    let count: Operand = context.constants.integer(1, context.types.i32);
    while (!context.isAtAttachment() && lexer.accept(Token.COMMA)) {
      if (lexer.acceptWord('align')) {
        lexer.expectCount('an alignment');
      } else if (lexer.acceptWord('addrspace')) {
        lexer.skipBrackets();
      } else {
        count = this.context.operand();
      }
    }
    const place = this.context.readAttachments();
    const result = this.define(POINTER);
    context.allocas.add(result);
    return { op: 'alloca', result, allocated, count, place };
  }

  private readGep(): Instruction {
    const { lexer, context } = this;
    skipFlags(this.lexer);
    const sourceType = context.types.readObject();
    this.context.comma();
    const { start } = lexer;
    const base = context.operandOf(POINTERS);
    const indices: Operand[] = [];
    while (!context.isAtAttachment() && lexer.accept(Token.COMMA)) indices.push(this.context.operand());
    const place = this.context.readAttachments();
    if (!canWalk(sourceType, indices))
      throw lexer.error(`${describe(sourceType)} has no such element`, start);
    const isVector = [base, ...indices].some(operand => operand.type.kind === 'vector');
    const result = this.define(isVector ? undefined : POINTER);
    return { op: 'gep', result, sourceType, base, indices, place };
  }

  // ---- computing ----

  private readBinary(operator: string): Instruction {
    skipFlags(this.lexer);
    const a = this.context.operandOf(FLOAT_BINARY.has(operator) ? FLOATS : INTEGERS);
    this.context.comma();
    const b = this.context.value(a.type);
    if (FLOAT_BINARY.has(operator)) return this.float(operator, [a, b], a.type);
    const place = this.context.readAttachments();
    return {
      op: 'binary',
      result: this.define(a.type),
      operator: operator as BinaryOperator,
      a,
      b,
      place,
    };
  }

  private readComparison(): Instruction {
    const { lexer, context } = this;
    skipFlags(this.lexer);
    const predicate = lexer.value;
    if (lexer.kind !== Token.WORD || !PREDICATES.has(predicate)) throw lexer.expected('a comparison');
    lexer.next();
    const a = this.context.operandOf(COMPARABLE);
    this.context.comma();
    const b = context.value(a.type);
    const place = this.context.readAttachments();
    const result = this.define(a.type.kind === 'vector' ? undefined : context.types.i1);
    return { op: 'icmp', result, predicate: predicate as IntPredicate, a, b, place };
  }

  private readFloatComparison(): Instruction {
    const { lexer, context } = this;
    skipFlags(this.lexer);
    const predicate = lexer.expect(Token.WORD, 'a comparison');
    const a = this.context.operandOf(FLOATS);
    this.context.comma();
    const b = context.value(a.type);
    return this.float(`fcmp ${predicate}`, [a, b], a.type.kind === 'vector' ? undefined : context.types.i1);
  }

  /** Without a type it is a vector. */
  private float(operator: string, operands: readonly Operand[], type: Type | undefined): Instruction {
    const place = this.context.readAttachments();
    const result = this.define(type);
    return { op: 'float', result, operator, operands, type: type ?? this.context.types.i1, place };
  }

  private readCast(operator: CastOperator): Instruction {
    skipFlags(this.lexer);
    const { start } = this.lexer;
    const value = this.context.operand();
    this.lexer.expectWord('to');
    const type = this.context.types.read();
    checkCast(this.lexer, operator, value.type, type, start);
    const place = this.context.readAttachments();
    return { op: 'cast', result: this.define(type), operator, value, type, place };
  }

  private readPhi(): Instruction {
    const { lexer, context } = this;
    skipFlags(this.lexer);
    const type = context.types.readObject();
    const incoming: Incoming[] = [];
    do {
      lexer.expect(Token.OPEN_BRACKET, "'['");
      const value = context.value(type);
      this.context.comma();
      const block = this.context.block();
      lexer.expect(Token.CLOSE_BRACKET, "']'");
      incoming.push({ value, block });
    } while (!context.isAtAttachment() && lexer.accept(Token.COMMA));
    const place = this.context.readAttachments();
    return { op: 'phi', result: this.define(type), type, incoming, place };
  }

  private readSelect(): Instruction {
    skipFlags(this.lexer);
    const condition = this.context.condition();
    this.context.comma();
    const a = this.context.operand();
    this.context.comma();
    const { start } = this.lexer;
    const b = this.context.operand();
    if (a.type !== b.type) throw this.lexer.error(`expected a value of type ${describe(a.type)}`, start);
    const place = this.context.readAttachments();
    return { op: 'select', result: this.define(a.type), condition, a, b, place };
  }

  private readExtract(): Instruction {
    const value = this.context.operand();
    const { indices, type } = this.readIndices(value.type);
    const place = this.context.readAttachments();
    return { op: 'extractvalue', result: this.define(type), value, indices, type, place };
  }

  private readInsert(): Instruction {
    const value = this.context.operand();
    this.context.comma();
    const { start } = this.lexer;
    const element = this.context.operand();
    const { indices, type } = this.readIndices(value.type);
    if (element.type !== type) throw this.lexer.error(`expected a value of type ${describe(type)}`, start);
    const place = this.context.readAttachments();
    return { op: 'insertvalue', result: this.define(value.type), value, element, indices, place };
  }

  /** The way into an aggregate, and what is there. */
  private readIndices(from: Type): { indices: number[]; type: Type } {
    const { lexer, context } = this;
    const indices: number[] = [];
    let type = from;
    while (!context.isAtAttachment() && lexer.accept(Token.COMMA)) {
      const { start } = lexer;
      const index = lexer.expectCount('an index');
      const inner = elementOf(type, index);
      if (inner === undefined || (type.kind === 'array' && index >= type.count)) {
        throw lexer.error(`${describe(type)} has no element ${index}`, start);
      }
      indices.push(index);
      type = inner;
    }
    if (indices.length === 0) throw lexer.expected("','");
    return { indices, type };
  }

  /** Skips the rest of an instruction, but for where it stands. */
  private unsupported(name: string): Instruction {
    const { lexer, context } = this;
    let place: Place | undefined;
    while (!this.isAtEnd()) {
      if (lexer.at(Token.OPEN) || lexer.at(Token.OPEN_BRACKET) || lexer.at(Token.OPEN_BRACE)) {
        lexer.skipBrackets();
        continue;
      }
      const isPlace = lexer.at(Token.NAMED_METADATA) && lexer.value === 'dbg';
      lexer.next();
      if (isPlace) place = context.debug.place(readMetadata(lexer));
    }
    const result = this.result === undefined ? undefined : this.define(undefined);
    return { op: 'unsupported', name, result, place };
  }

  private isAtEnd(): boolean {
    const { lexer } = this;
    if (lexer.kind === Token.END || lexer.kind === Token.CLOSE_BRACE) return true;
    return lexer.isFirst && !(lexer.kind === Token.WORD && CONTINUATIONS.has(lexer.value));
  }

  // ---- parts ----

  private noResult(name: string): void {
    if (this.result !== undefined) throw this.lexer.error(`${name} has no result`, this.resultAt);
  }

  private define(type: Type | undefined): string {
    return this.context.locals.define(this.result, type, this.resultAt);
  }
}
