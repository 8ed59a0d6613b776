/**
 * Which format is a text in? Known by what only the format has, outside of comments, strings and quoted symbols: BTOR2
 * begins with a number, Horn clauses have commands of their own, and VMT has its annotations. The first such thing decides.
 */
export type Format = 'vmt' | 'horn' | 'btor2';

/** Commands that only Horn clauses have. */
const HORN_COMMANDS = new Set(['declare-rel', 'declare-var', 'rule', 'query']);
const VMT_ANNOTATIONS = new Set([':next', ':init', ':trans', ':invar-property', ':live-property']);

/** Comments, strings, quoted symbols, parentheses, and anything else that is one token. */
const TOKEN = /;[^\n]*|"(?:[^"]|"")*"?|\|[^|]*\|?|[()]|[^\s()";|]+/g;

export function formatOf(file: string, text: string): Format | undefined {
  if (/\.btor2?$/i.test(file)) return 'btor2';
  if (/\.vmt$/i.test(file)) return 'vmt';
  let [depth, position] = [0, 0]; // of the token in its list, at the top level
  let command = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token[0] === ';') continue;
    if (token === '(') {
      if (depth++ === 0) position = 0;
      continue;
    }
    if (token === ')') {
      depth--;
      continue;
    }
    if (depth === 0) return /^[0-9]/.test(token) ? 'btor2' : undefined;
    if (depth === 1 && position++ === 0) command = token;
    if (command === 'set-info') continue;
    if (VMT_ANNOTATIONS.has(token)) return 'vmt';
    if (depth === 1 && position === 1 && HORN_COMMANDS.has(token)) return 'horn';
    if (command === 'set-logic' && token === 'HORN') return 'horn';
  }
  return undefined;
}
