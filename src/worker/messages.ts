/**
 * What a page and its worker say to each other. A worker does one call at a time, so answers need no number. Messages are
 * copied, and a copy has no class: errors are taken apart here and put together again on the other side.
 */
import { CompileError } from '../formats/c/messages.ts';
import { InputError } from '../formats/diagnostic.ts';
import { NotExpressible } from '../formats/not-expressible.ts';
import { Unknown, type UnknownReason } from '../sat/unknown.ts';

/** Asks for a call of a function. */
export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  /** The options that are functions which the page wants to be called, such as `onProgress`. */
  readonly heard: readonly string[];
  readonly surroundings: Surroundings;
}

/** Where the worker finds what is not part of it, as absolute addresses. */
export interface Surroundings {
  /** The file `cadical.wasm`, in place of the bytes that are built in. */
  readonly wasm?: string | undefined;
  /** The module of the package `@yowasp/clang`; without it C is refused. */
  readonly compiler?: string | undefined;
}

export type Answer =
  | { readonly kind: 'heard'; readonly option: string; readonly args: readonly unknown[] }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failure'; readonly error: PackedError };

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export type PackedError =
  | { readonly kind: 'input'; readonly places: readonly [Place, ...Place[]]; readonly isCompilers: boolean }
  | { readonly kind: 'limit'; readonly reason: UnknownReason; readonly message: string }
  | { readonly kind: 'other'; readonly name: string; readonly message: string };

export function packed(error: unknown): PackedError {
  if (error instanceof CompileError) {
    const [first, ...more] = error.errors;
    return { kind: 'input', places: [placeOf(first), ...more.map(placeOf)], isCompilers: true };
  }
  if (error instanceof InputError) return { kind: 'input', places: [placeOf(error)], isCompilers: false };
  if (error instanceof Unknown) return { kind: 'limit', reason: error.reason, message: error.message };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message };
}

export function unpacked(error: PackedError): Error {
  if (error.kind === 'input') {
    const errors = error.places.map(p => new InputError(p.file, p.line, p.column, p.reason));
    return error.isCompilers ? new CompileError(errors) : errors[0];
  }
  if (error.kind === 'limit') return new Unknown(error.reason, error.message);
  const { name, message } = error;
  const same = new (CLASSES.get(name) ?? Error)(message);
  same.name = name;
  return same;
}

const CLASSES = new Map<string, new (message: string) => Error>(
  [TypeError, RangeError].map(type => [type.name, type]),
).set('NotExpressible', NotExpressible);

function placeOf({ file, line, column, reason }: Place): Place {
  return { file, line, column, reason };
}
