/**
 * Which variable of the user's text lies where, as functions say it: in records (`#dbg_declare(...)`) or, up to version 18,
 * in calls (`call void @llvm.dbg.declare(...)`). Only declarations of whole variables matter.
 */

import type { Place } from '../module.ts';
import type { FunctionContext, ModuleContext } from './context.ts';
import { Token } from './lexer.ts';
import { isAtMetadata, type MetadataValue, readMetadata } from './metadata.ts';

/** The name of a local value, or a piece of metadata. */
export type MetadataOperand = string | MetadataValue;

/** `!12`, `!DIExpression()`, or a value with its type. */
export function readMetadataOperand({ lexer, types, constants }: ModuleContext): MetadataOperand {
  if (isAtMetadata(lexer)) return readMetadata(lexer);
  const type = types.read();
  const { kind, value } = lexer;
  if (kind === Token.LOCAL) {
    lexer.next();
    return value;
  }
  constants.read(type);
  return { kind: 'other' };
}

/** A record at the current token. */
export function readDebugRecord(context: FunctionContext): void {
  const { lexer, debug } = context;
  if (!lexer.value.startsWith('dbg_')) throw lexer.expected('an instruction');
  const isDeclaration = lexer.value === 'dbg_declare';
  lexer.next();
  if (!isDeclaration) {
    lexer.skipBrackets();
    return;
  }
  lexer.expect(Token.OPEN, "'('");
  const address = readMetadataOperand(context);
  context.comma();
  const variable = readMetadata(lexer);
  context.comma();
  const expression = readMetadata(lexer);
  context.comma();
  const location = readMetadata(lexer);
  lexer.expect(Token.CLOSE, "')'");
  declare(context, [address, variable, expression], debug.place(location));
}

/** A call of one of the functions that only say such things, from its arguments on. */
export function readDebugCall(context: FunctionContext, name: string): void {
  const { lexer } = context;
  const args: MetadataOperand[] = [];
  lexer.expect(Token.OPEN, "'('");
  do {
    lexer.expectWord('metadata');
    args.push(readMetadataOperand(context));
  } while (lexer.accept(Token.COMMA));
  lexer.expect(Token.CLOSE, "')'");
  context.skipAttributes();
  const place = context.readAttachments();
  if (name === 'llvm.dbg.declare') declare(context, args, place);
}

function declare(context: FunctionContext, args: readonly MetadataOperand[], place: Place | undefined): void {
  const [address, variable, expression] = args;
  if (typeof address !== 'string' || typeof variable !== 'object' || typeof expression !== 'object') return;
  if (expression.kind === 'node' && expression.node.items.length > 0) return;
  const named = context.debug.localVariable(variable);
  if (named === undefined) return;
  context.variables.push({ ...named, address, place: place ?? named.place });
}
