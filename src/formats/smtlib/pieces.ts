/**
 * Cuts a text that comes bit by bit, as from somebody who waits for answers, into commands: each is handed on with its closing
 * parenthesis. What stands outside of parentheses is handed on with its line, for the reader to complain about.
 */

export interface Piece {
  readonly text: string;
  /** The line that it begins in. */
  readonly line: number;
}

type State = 'code' | 'comment' | 'string' | 'symbol';

const ENDS: Readonly<Record<Exclude<State, 'code'>, string>> = { comment: '\n', string: '"', symbol: '|' };

export class Pieces {
  private rest = ''; // of the text, which no piece is made of yet
  private at = 0; // as far as it has been looked at
  private line = 1; // of the rest
  private depth = 0;
  private state: State = 'code';

  /** The pieces that are complete with some more text. */
  *add(text: string): Generator<Piece> {
    this.rest += text;
    for (; this.at < this.rest.length; this.at++) {
      const c = this.rest[this.at];
      if (this.state !== 'code') {
        if (c === ENDS[this.state] || (this.state === 'comment' && c === '\r')) this.state = 'code';
        else continue;
      } else if (c === ';') this.state = 'comment';
      else if (c === '"') this.state = 'string';
      else if (c === '|') this.state = 'symbol';
      else if (c === '(') this.depth++;
      else if (c === ')') this.depth = Math.max(0, this.depth - 1);
      else if (c !== '\n') continue;
      if (this.depth === 0 && this.state === 'code' && (c === ')' || c === '\n')) {
        const piece = this.cut(this.at + 1);
        if (piece.text.trim() !== '') yield piece;
        this.at = -1;
      }
    }
  }

  /** What is left when the text is over, if that is more than blanks. */
  end(): Piece | undefined {
    const piece = this.cut(this.rest.length);
    return piece.text.trim() === '' ? undefined : piece;
  }

  private cut(length: number): Piece {
    const piece = { text: this.rest.slice(0, length), line: this.line };
    this.rest = this.rest.slice(length);
    this.line += piece.text.split('\n').length - 1;
    return piece;
  }
}
