/**
 * The functions that Clang's sanitizers call where the source does something undefined (`__ubsan_handle_…`): errors if the check is
 * asked for. Otherwise the program goes on with what a machine computes, or ends where the function is one that does not return.
 */
import type { Check } from '../checks.ts';
import type { CallInstruction, Operand } from './module.ts';
import type { ModuleBuilder } from './module-builder.ts';

interface Handler {
  readonly checks: readonly Check[];
  readonly text: string;
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  add_overflow: { checks: ['overflow'], text: 'signed overflow in +' },
  sub_overflow: { checks: ['overflow'], text: 'signed overflow in -' },
  mul_overflow: { checks: ['overflow'], text: 'signed overflow in *' },
  negate_overflow: { checks: ['overflow'], text: 'signed overflow in unary -' },
  divrem_overflow: { checks: ['div', 'overflow'], text: 'division by zero' },
  shift_out_of_bounds: { checks: ['shift'], text: 'shift by too much or of what does not fit' },
};

const HANDLER_NAME = /^__ubsan_handle_(\w+?)(_abort)?$/;

/** What a call of a sanitizer's function does; undefined if it is none. */
export function sanitizerCall(b: ModuleBuilder, name: string, call: CallInstruction): 'done' | undefined {
  const [, kind, aborts] = HANDLER_NAME.exec(name) ?? [];
  const handler = HANDLERS[kind];
  if (handler === undefined) return undefined;
  if (handler.checks.some(c => b.checks.has(c))) b.error(textOf(b, kind, handler, call));
  else if (aborts !== undefined) b.stop();
  return 'done';
}

/** A division may be wrong in two ways; which of them are possible depends on the type and on what is checked. */
function textOf(b: ModuleBuilder, kind: string, { text }: Handler, { args }: CallInstruction): string {
  if (kind !== 'divrem_overflow' || !isSigned(b, args[0])) return text;
  return b.checks.has('div') ? 'division by zero, or signed overflow in a division' : 'signed overflow in /';
}

/** The first argument is the place with a description of the type, whose second number is odd if it has a sign. */
function isSigned({ module }: ModuleBuilder, data: Operand): boolean {
  const fieldsOf = (o: Operand | undefined) => {
    const value = o?.kind === 'global' ? module.variables.get(o.name)?.initializer : undefined;
    return value?.kind === 'aggregate' ? value.elements : [];
  };
  const information = fieldsOf(fieldsOf(data)[1])[1];
  return information?.kind !== 'integer' || (information.value & 1n) === 1n;
}
