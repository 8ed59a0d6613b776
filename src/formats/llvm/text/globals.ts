/** Global variables and aliases: everything that begins with `@x =`. */

import type { Constant, GlobalVariable } from '../module.ts';
import { skipAttribute } from './attributes.ts';
import type { ModuleContext } from './context.ts';
import { Token } from './lexer.ts';
import { readMetadata } from './metadata.ts';

/** Another name for a global. */
export interface Alias {
  readonly target: string;
  readonly offset: number; // where the target stands
}

export type GlobalDefinition = { readonly name: string; readonly offset: number } & (
  | { readonly kind: 'variable'; readonly variable: GlobalVariable }
  | { readonly kind: 'alias'; readonly alias: Alias }
);

/** Linkage of what another module defines. */
const EXTERNAL: ReadonlySet<string> = new Set(['external', 'extern_weak']);
/** Linkage of what no other module can name. */
const LOCAL: ReadonlySet<string> = new Set(['internal', 'private']);

/** From the name on. */
export function readGlobal(context: ModuleContext): GlobalDefinition {
  const { lexer, types } = context;
  const { start: offset, value: name } = lexer;
  lexer.next();
  lexer.expect(Token.EQUALS, "'='");
  let [isExternal, isLocal] = [false, false];
  for (;;) {
    const isWord = lexer.kind === Token.WORD;
    const word = isWord ? lexer.value : '';
    if (word === 'ifunc') throw lexer.error(`@${name} is an ifunc, which is not supported`);
    if (word === 'externally_initialized') throw lexer.error(`${word} is not supported`);
    if (word === 'alias') return { kind: 'alias', name, offset, alias: readAlias(context, name) };
    if (word === 'global' || word === 'constant') break;
    isExternal ||= EXTERNAL.has(word);
    isLocal ||= LOCAL.has(word);
    if (!skipAttribute(lexer, types)) throw lexer.expected("'global', 'constant' or 'alias'");
  }
  const isConstant = lexer.value === 'constant';
  lexer.next();
  const type = types.readObject();
  const initializer = isExternal ? undefined : context.constants.read(type);
  const debug = readProperties(context);
  return {
    kind: 'variable',
    name,
    offset,
    variable: { name, type, initializer, isConstant, isLocal, debug },
  };
}

/** Section, alignment and the like, and the attachment that says how the user calls it. */
function readProperties({ lexer, types, debug }: ModuleContext): GlobalVariable['debug'] {
  let named: GlobalVariable['debug'];
  while (!lexer.isFirst) {
    lexer.accept(Token.COMMA);
    if (lexer.kind === Token.NAMED_METADATA) {
      const isDebug = lexer.value === 'dbg';
      lexer.next();
      const value = readMetadata(lexer);
      if (isDebug) named ??= debug.globalVariable(value);
    } else if (!skipAttribute(lexer, types)) {
      break;
    }
  }
  lexer.expectLineEnd();
  return named;
}

/** From the word `alias` on. Only another name for a whole global can be told from it by nobody. */
function readAlias({ lexer, types, constants }: ModuleContext, name: string): Alias {
  lexer.next();
  types.read();
  lexer.expect(Token.COMMA, "','");
  const { start: offset } = lexer;
  let target: Constant = constants.readTyped();
  while (target.kind === 'expression' && target.operator === 'bitcast') target = target.operands[0];
  if (target.kind !== 'global') {
    throw lexer.error(`the alias @${name} is not supported: it is not the name of a global`, offset);
  }
  while (!lexer.isFirst && (lexer.accept(Token.COMMA) || skipAttribute(lexer, types)));
  lexer.expectLineEnd();
  return { target: target.name, offset };
}
