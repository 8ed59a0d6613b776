/** What the compiler says on standard error, a line a message, and the error that becomes of it. */
import { plural } from '../../term/plural.ts';
import { InputError } from '../diagnostic.ts';
import { normalized } from './paths.ts';

export interface Messages {
  readonly errors: readonly InputError[];
  /** As the compiler words them. */
  readonly warnings: readonly string[];
}

/** A text that is no C: the first error is its place and message, and all of them are here. */
export class CompileError extends InputError {
  readonly errors: readonly InputError[];

  constructor(errors: readonly InputError[]) {
    const [first] = errors;
    const more = errors.length - 1;
    const { file, line, column, reason } = first;
    super(file, line, column, more === 0 ? reason : `${reason} (and ${plural(more, 'more error')})`);
    this.errors = errors;
  }
}

const MESSAGE = /^(?:(.+?):(\d+):(\d+): )?(fatal error|error|warning|note): (.*)$/;
/** Notes that only repeat where the error is. */
const EXPANSION = /^expanded from /;
/** The compiler gives up there; what it said before is what matters. */
const TOO_MANY = 'too many errors emitted';

export function readMessages(file: string, text: string): Messages {
  const errors: InputError[] = [];
  const warnings: string[] = [];
  let last: { readonly place: [string, number, number]; readonly reason: string; note?: string } | undefined;
  const finish = () => {
    if (last === undefined) return;
    const { place, reason, note } = last;
    errors.push(new InputError(...place, note === undefined ? reason : `${reason} (${note})`));
    last = undefined;
  };
  for (const line of text.split('\n')) {
    const match = MESSAGE.exec(line);
    if (match === null) continue;
    const [, path, lineNumber, column, kind, said] = match;
    const where = path === undefined ? undefined : normalized(path); // it may be `./a.h` or `a/../b.h`
    const at = where === undefined ? '' : `${where}:${lineNumber}:${column}: `;
    if (kind === 'note') {
      if (last !== undefined && !EXPANSION.test(said)) last.note ??= `${at}${said}`;
      continue;
    }
    finish();
    if (kind === 'warning') warnings.push(`${at}${kind}: ${said}`);
    else if (!said.startsWith(TOO_MANY))
      last = { place: [where ?? file, Number(lineNumber ?? 1), Number(column ?? 1)], reason: said };
  }
  finish();
  return { errors, warnings };
}
