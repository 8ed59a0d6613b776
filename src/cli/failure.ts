/**
 * What went wrong, in one line (or a line for each of the compiler's errors), and whose fault it is: status 2 means that the input or
 * the call was wrong, 3 that this program failed. Plain data, since threads send it.
 */
import { CompileError } from '../formats/c/messages.ts';
import { InputError } from '../formats/diagnostic.ts';
import { NotExpressible } from '../formats/not-expressible.ts';
import { MissingCompiler } from './clang.ts';
import { FileError } from './files.ts';
import { UsageError } from './usage-error.ts';

export interface Failure {
  readonly kind: 'failure';
  readonly status: 2 | 3;
  readonly text: string;
  /** What is wrong, and where that is known. */
  readonly messages: readonly Message[];
  /** For those who look for the fault in this program. */
  readonly stack: string | undefined;
}

export interface Message {
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A failure that is known already, from another thread. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.text);
    this.failure = failure;
  }
}

const EXPECTED = [InputError, NotExpressible, UsageError, FileError, MissingCompiler];

export function failureOf(error: unknown): Failure {
  if (error instanceof Failed) return error.failure;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!EXPECTED.some(kind => error instanceof kind)) {
    const text = `internal failure: ${message}; please report this`;
    return { kind: 'failure', status: 3, text, messages: [{ text }], stack };
  }
  const text = error instanceof CompileError ? error.errors.map(e => e.message).join('\n') : message;
  return { kind: 'failure', status: 2, text, messages: messagesOf(error, message), stack };
}

function messagesOf(error: unknown, text: string): Message[] {
  if (error instanceof CompileError) return error.errors.flatMap(e => messagesOf(e, e.message));
  if (!(error instanceof InputError)) return [{ text }];
  const { reason, file, line, column } = error;
  return [{ text: reason, file, line, column }];
}

/** Says it on standard error. */
export function say({ text, stack }: Failure): void {
  process.stderr.write(`${text}\n`);
  if (process.env.EUFORIA_DEBUG !== undefined) process.stderr.write(`${stack}\n`);
}
