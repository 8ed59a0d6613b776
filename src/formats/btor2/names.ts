/**
 * Names of variables: the symbol, if no other variable has it, and otherwise a name made of the number of the line. All
 * symbols must be known before the first variable is made, for which the text is looked through once.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';

const DECLARATION = /^[ \t]*[0-9]+[ \t]+(?:state|input)[ \t]+[0-9]+[ \t]+([^;\s]\S*)/gm;

const PIECE = 1 << 16; // characters looked through between two looks at the limits
const WORK_OF_A_PIECE = 1000;

export class VariableNames {
  private readonly uses = new Map<string, number>(); // how many variables have a symbol
  private readonly taken = new Set<string>(); // names that were made

  constructor(text: string, checkpoint: Checkpoint) {
    for (let from = 0; from < text.length; ) {
      checkpoint.pass(WORK_OF_A_PIECE);
      const end = text.indexOf('\n', from + PIECE);
      const to = end < 0 ? text.length : end + 1;
      for (const [, symbol] of text.slice(from, to).matchAll(DECLARATION)) {
        this.uses.set(symbol, (this.uses.get(symbol) ?? 0) + 1);
      }
      from = to;
    }
  }

  choose(symbol: string | undefined, byLine: string): string {
    if (symbol !== undefined && this.uses.get(symbol) === 1) return symbol;
    let name = byLine;
    while (this.uses.has(name) || this.taken.has(name)) name += '_';
    this.taken.add(name);
    return name;
  }
}
