/**
 * Which format is a text in? Known by what only the format has, outside of comments, strings and quoted symbols: BTOR2
 * begins with a number, Horn clauses have commands of their own, VMT has its annotations, and LLVM IR has neither lists nor
 * numbers at its top level. The first such thing decides.
 */
import { Checkpoint } from '../sat/checkpoint.ts';

export type Format = 'vmt' | 'horn' | 'btor2' | 'llvm';

/** Commands that only Horn clauses have. */
const HORN_COMMANDS = new Set(['declare-rel', 'declare-var', 'rule', 'query']);
/** Annotations that only VMT has. */
export const VMT_ANNOTATIONS: ReadonlySet<string> = new Set([
  ':next',
  ':init',
  ':trans',
  ':invar-property',
  ':live-property',
]);

/** Comments, strings (one with quotes inside is several), quoted symbols, parentheses, and any other token. */
const TOKEN = /;[^\n]*|"[^"]*"?|\|[^|]*\|?|[()]|[^\s()";|]+/g;

/** What LLVM IR may begin with: names of things, or a word about them. */
const LLVM_TOKEN = /^(?:[@%$!].*|source_filename|target|module|define|declare|attributes)$/;

/** Against that of a token of the readers, which need no regular expressions. */
const WORK_OF_A_TOKEN = 5;

/** Is a file C, as its name tells? The preprocessor's output counts. */
export function isC(file: string): boolean {
  return /\.[ci]$/i.test(file);
}

/** Is a file LLVM IR, as its name tells? */
export function isLlvm(file: string): boolean {
  return /\.ll$/i.test(file);
}

/** May a text without a name be C? It begins with a word, a comment or a directive that no other format begins with. */
export function looksLikeC(text: string): boolean {
  const start = /^\ufeff?\s*(\/[/*]|#|[a-z_]\w*)/i.exec(text)?.[1];
  return start !== undefined && !LLVM_TOKEN.test(start) && text.includes('{');
}

export function formatOf(file: string, text: string, checkpoint = new Checkpoint()): Format | undefined {
  if (/\.btor2?$/i.test(file)) return 'btor2';
  if (/\.vmt$/i.test(file)) return 'vmt';
  if (isLlvm(file)) return 'llvm';
  let [depth, position] = [0, 0]; // of the token in its list, at the top level
  let command = '';
  for (const [token] of text.matchAll(TOKEN)) {
    checkpoint.pass(WORK_OF_A_TOKEN);
    if (token[0] === ';') continue;
    if (token === '(') {
      if (depth++ === 0) position = 0;
      continue;
    }
    if (token === ')') {
      depth--;
      continue;
    }
    if (depth === 0) {
      if (LLVM_TOKEN.test(token)) return 'llvm';
      return /^[0-9]/.test(token) ? 'btor2' : undefined;
    }
    if (depth === 1 && position++ === 0) command = token;
    if (command === 'set-info') continue;
    if (VMT_ANNOTATIONS.has(token)) return 'vmt';
    if (depth === 1 && position === 1 && HORN_COMMANDS.has(token)) return 'horn';
    if (command === 'set-logic' && token === 'HORN') return 'horn';
  }
  return undefined;
}
