/** The operators that instructions and constant expressions share, and which types they take. */

import type { BinaryOperator, CastOperator, IntPredicate, Type } from '../module.ts';
import { type Lexer, Token } from './lexer.ts';
import { describe } from './types.ts';

export const BINARY: ReadonlySet<string> = new Set<BinaryOperator>([
  'add',
  'sub',
  'mul',
  'udiv',
  'sdiv',
  'urem',
  'srem',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
]);

export const PREDICATES: ReadonlySet<string> = new Set<IntPredicate>([
  'eq',
  'ne',
  'ugt',
  'uge',
  'ult',
  'ule',
  'sgt',
  'sge',
  'slt',
  'sle',
]);

export const CASTS: ReadonlyMap<string, CastOperator> = new Map([
  ['trunc', 'trunc'],
  ['zext', 'zext'],
  ['sext', 'sext'],
  ['ptrtoint', 'ptrtoint'],
  ['ptrtoaddr', 'ptrtoint'], // they differ only for pointers that are more than an address
  ['inttoptr', 'inttoptr'],
  ['bitcast', 'bitcast'],
  ['addrspacecast', 'addrspacecast'],
  ['fptrunc', 'fptrunc'],
  ['fpext', 'fpext'],
  ['fptoui', 'fptoui'],
  ['fptosi', 'fptosi'],
  ['uitofp', 'uitofp'],
  ['sitofp', 'sitofp'],
]);

/** Words behind an operator that promise something, or allow to compute less exactly. */
const FLAGS: ReadonlySet<string> = new Set([
  'nsw',
  'nuw',
  'exact',
  'inbounds',
  'nusw',
  'inrange',
  'disjoint',
  'samesign',
  'nneg',
  'nnan',
  'ninf',
  'nsz',
  'arcp',
  'contract',
  'afn',
  'reassoc',
  'fast',
  'volatile',
]);

const CAST_KINDS: { readonly [operator in CastOperator]: readonly [from: Type['kind'], to: Type['kind']] } = {
  trunc: ['int', 'int'],
  zext: ['int', 'int'],
  sext: ['int', 'int'],
  ptrtoint: ['pointer', 'int'],
  inttoptr: ['int', 'pointer'],
  bitcast: ['pointer', 'pointer'],
  addrspacecast: ['pointer', 'pointer'],
  fptrunc: ['float', 'float'],
  fpext: ['float', 'float'],
  fptoui: ['float', 'int'],
  fptosi: ['float', 'int'],
  uitofp: ['int', 'float'],
  sitofp: ['int', 'float'],
};

export function skipFlags(lexer: Lexer): void {
  while (lexer.at(Token.WORD) && FLAGS.has(lexer.value)) {
    const isRange = lexer.value === 'inrange';
    lexer.next();
    if (isRange && lexer.at(Token.OPEN)) lexer.skipBrackets();
  }
}

/** Throws unless there is such a cast. */
export function checkCast(lexer: Lexer, operator: CastOperator, from: Type, to: Type, offset: number): void {
  if (isCast(operator, from, to)) return;
  throw lexer.error(`there is no ${operator} from ${describe(from)} to ${describe(to)}`, offset);
}

/** Those of vectors are not looked at. */
function isCast(operator: CastOperator, from: Type, to: Type): boolean {
  if (from.kind === 'vector' || to.kind === 'vector') return true;
  if (operator === 'bitcast' && from.kind !== 'pointer') return isNumber(from) && isNumber(to);
  const [wantedFrom, wantedTo] = CAST_KINDS[operator];
  if (from.kind !== wantedFrom || to.kind !== wantedTo) return false;
  if (from.kind !== 'int' || to.kind !== 'int') return true;
  return operator === 'trunc' ? from.width > to.width : from.width < to.width;
}

function isNumber(type: Type): boolean {
  return type.kind === 'int' || type.kind === 'float';
}
