/**
 * What stands around types, functions and calls and changes nothing about what they do: linkage, calling conventions,
 * attributes of parameters and functions, sections. All of it is words, some with something in brackets after them.
 */

import type { Type } from '../module.ts';
import { isConstantWord } from './constants.ts';
import { type Lexer, Token } from './lexer.ts';
import type { TypeReader } from './types.ts';

/** Words that a number or a string follows. */
const WITH_ARGUMENT: ReadonlySet<string> = new Set([
  'align',
  'alignstack',
  'cc',
  'section',
  'partition',
  'gc',
  'code_model',
]);

/** Ways to pass an argument that need more than its value. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['inalloca', 'preallocated']);

/** Goes past attributes on this line, up to a type. */
export function skipAttributes(lexer: Lexer, types: TypeReader): void {
  while (!lexer.isFirst && skipAttribute(lexer, types));
}

/** The same for one parameter or argument; the type of the object if a copy of it is what is passed. */
export function readParameterAttributes(lexer: Lexer, types: TypeReader): Type | undefined {
  let byValue: Type | undefined;
  for (;;) {
    if (lexer.kind === Token.WORD && UNSUPPORTED.has(lexer.value)) {
      throw lexer.error(`the attribute ${lexer.value} is not supported`);
    }
    if (lexer.acceptWord('byval')) {
      lexer.expect(Token.OPEN, "'('");
      byValue = types.read();
      lexer.expect(Token.CLOSE, "')'");
    } else if ((lexer.at(Token.WORD) && isConstantWord(lexer.value)) || !skipAttribute(lexer, types)) {
      return byValue;
    }
  }
}

/** Goes past one attribute; false if there is none. */
export function skipAttribute(lexer: Lexer, types: TypeReader): boolean {
  if (lexer.kind === Token.HASH) {
    lexer.next();
    return true;
  }
  if (lexer.kind === Token.STRING) {
    lexer.next();
    if (lexer.accept(Token.EQUALS)) lexer.expect(Token.STRING, 'a string');
    return true;
  }
  if (lexer.kind !== Token.WORD || types.isAtType()) return false;
  const hasArgument = WITH_ARGUMENT.has(lexer.value);
  lexer.next();
  if (lexer.at(Token.OPEN)) lexer.skipBrackets();
  else if (hasArgument && (lexer.at(Token.INTEGER) || lexer.at(Token.STRING))) lexer.next();
  return true;
}
