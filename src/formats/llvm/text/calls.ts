/** Calls, whose text has more attributes than operands. Calls that only carry debug information are taken as such. */

import type { FunctionType, Instruction, Operand, Type } from '../module.ts';
import { readParameterAttributes } from './attributes.ts';
import type { FunctionContext } from './context.ts';
import { readDebugCall } from './debug-records.ts';
import { type Lexer, Token } from './lexer.ts';
import { METADATA, POINTER, VOID } from './types.ts';

const DEBUG_INTRINSIC = 'llvm.dbg.';

export class CallReader {
  private readonly context: FunctionContext;
  private readonly lexer: Lexer;

  constructor(context: FunctionContext) {
    this.context = context;
    this.lexer = context.lexer;
  }

  /** From behind the word `call` on; undefined for one that only speaks of debug information. */
  read(written: string | undefined, offset: number): Instruction | undefined {
    const { lexer, context } = this;
    context.skipAttributes();
    const type = context.types.read();
    const callee = this.readCallee();
    if (callee !== 'asm' && callee.kind === 'global' && callee.name.startsWith(DEBUG_INTRINSIC)) {
      readDebugCall(context, callee.name);
      return undefined;
    }
    const args = this.readArguments();
    context.skipAttributes();
    if (!lexer.isFirst && lexer.kind === Token.OPEN_BRACKET) lexer.skipBrackets(); // operand bundles
    const place = context.readAttachments();
    const { isUninitialized } = context;
    const functionType = this.functionType(type, args, offset);
    const isVoid = functionType.result === VOID;
    if (isVoid && written !== undefined) throw lexer.error('this call has no result', offset);
    const result = isVoid ? undefined : context.locals.define(written, functionType.result, offset);
    return { op: 'call', result, callee, type: functionType, args, isUninitialized, place };
  }

  /** Written out for variadic functions; for others only the type of the result is, and the arguments say the rest. */
  private functionType(written: Type, args: readonly Operand[], offset: number): FunctionType {
    const { lexer, context } = this;
    if (written.kind !== 'function') {
      const parameters = args.map(arg => arg.type);
      return context.types.functionType(written, parameters, false);
    }
    const { parameters, isVariadic } = written;
    const isRight = parameters.every((parameter, i) => args[i]?.type === parameter);
    if (!isRight || (args.length > parameters.length && !isVariadic)) {
      throw lexer.error('the arguments of this call do not fit its type', offset);
    }
    return written;
  }

  private readCallee(): Operand | 'asm' {
    const { lexer, context } = this;
    if (!lexer.isWord('asm')) return context.value(POINTER);
    lexer.next();
    while (lexer.kind === Token.WORD) lexer.next(); // sideeffect and the like
    lexer.expect(Token.STRING, 'the text of the assembly');
    lexer.expect(Token.COMMA, "','");
    lexer.expect(Token.STRING, 'the constraints of the assembly');
    return 'asm';
  }

  private readArguments(): Operand[] {
    const { lexer, context } = this;
    const args: Operand[] = [];
    lexer.expect(Token.OPEN, "'('");
    if (lexer.accept(Token.CLOSE)) return args;
    do {
      const type = context.types.read();
      if (type !== METADATA) readParameterAttributes(lexer, context.types);
      args.push(context.value(type));
    } while (lexer.accept(Token.COMMA));
    lexer.expect(Token.CLOSE, "')'");
    return args;
  }
}
