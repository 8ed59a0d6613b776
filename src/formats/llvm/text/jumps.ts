/** The instructions that end a block: jumps and returns. */

import type { Instruction, Loop, Place, SwitchCase } from '../module.ts';
import { type FunctionContext, INTEGERS, POINTERS } from './context.ts';
import { Token } from './lexer.ts';
import { describe, VOID } from './types.ts';

const READERS: ReadonlyMap<string, (context: FunctionContext) => Instruction> = new Map([
  ['br', readBranch],
  ['switch', readSwitch],
  ['indirectbr', readIndirectBranch],
  ['ret', readReturn],
  ['unreachable', context => ({ op: 'unreachable', place: context.readAttachments() })],
]);

export function isJump(name: string): boolean {
  return READERS.has(name);
}

/** From behind the name on. */
export function readJump(context: FunctionContext, name: string): Instruction {
  const read = READERS.get(name);
  if (read === undefined) throw new Error(`${name} is no jump`);
  return read(context);
}

function readBranch(context: FunctionContext): Instruction {
  if (context.lexer.isWord('label')) {
    return { op: 'br', target: context.label(), ...placed(context) };
  }
  const condition = context.condition();
  context.comma();
  const ifTrue = context.label();
  context.comma();
  return { op: 'condbr', condition, ifTrue, ifFalse: context.label(), ...placed(context) };
}

/** Where a jump stands, and the loop that it ends a round of. */
function placed(context: FunctionContext): { place: Place | undefined; loop?: Loop } {
  const place = context.readAttachments();
  return context.loop === undefined ? { place } : { place, loop: context.loop };
}

function readSwitch(context: FunctionContext): Instruction {
  const { lexer, constants } = context;
  const value = context.operandOf(INTEGERS);
  context.comma();
  const target = context.label();
  const cases: SwitchCase[] = [];
  lexer.expect(Token.OPEN_BRACKET, "'['");
  while (!lexer.accept(Token.CLOSE_BRACKET)) {
    const { start } = lexer;
    const constant = constants.readTyped();
    if (constant.kind !== 'integer' || constant.type !== value.type) {
      throw lexer.error(`expected a constant of type ${describe(value.type)}`, start);
    }
    context.comma();
    cases.push({ value: constant.value, target: context.label() });
  }
  return { op: 'switch', value, default: target, cases, place: context.readAttachments() };
}

function readIndirectBranch(context: FunctionContext): Instruction {
  const { lexer } = context;
  const address = context.operandOf(POINTERS);
  context.comma();
  const targets: string[] = [];
  lexer.expect(Token.OPEN_BRACKET, "'['");
  if (!lexer.accept(Token.CLOSE_BRACKET)) {
    do targets.push(context.label());
    while (lexer.accept(Token.COMMA));
    lexer.expect(Token.CLOSE_BRACKET, "']'");
  }
  return { op: 'indirectbr', address, targets, place: context.readAttachments() };
}

function readReturn(context: FunctionContext): Instruction {
  const { lexer, result } = context;
  const { start } = lexer;
  const value = lexer.acceptWord('void') ? undefined : context.operand();
  if ((value?.type ?? VOID) !== result) {
    throw lexer.error(`expected a value of type ${describe(result)}`, start);
  }
  return { op: 'ret', value, place: context.readAttachments() };
}
