/**
 * What every reader throws on bad input: one message that names the file, the line and the column (both
 * counted from 1), and says what was expected. The command line prints it as it stands and exits with 2.
 */
export class InputError extends Error {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;

  constructor(file: string, line: number, column: number, reason: string) {
    const shown = printable(reason);
    super(`${file}:${line}:${column}: ${shown}`);
    this.name = 'InputError';
    this.file = file;
    this.line = line;
    this.column = column;
    this.reason = shown;
  }
}

/** Messages quote the input, which may have control characters that a terminal would obey. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Finds line and column of a character offset; only errors need them, so only errors pay for the scan. */
export function inputErrorAt(file: string, text: string, offset: number, reason: string): InputError {
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return new InputError(file, line, offset - lineStart + 1, reason);
}
