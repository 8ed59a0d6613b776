/**
 * The names inside of one function: its values and its blocks. They may be used before they are defined, so that everything
 * is in order can be said only at its end. What has no name is numbered in order, values and blocks together.
 */

import type { Operand, Type } from '../module.ts';
import type { Lexer } from './lexer.ts';
import { describe } from './types.ts';

type Local = Operand & { readonly kind: 'local' };

interface Value {
  use: Local | undefined;
  usedAt: number;
  isDefined: boolean;
  type: Type | undefined; // where it is defined, if known there
}

interface Label {
  usedAt: number;
  isDefined: boolean;
}

export class Locals {
  private readonly lexer: Lexer;
  private readonly values = new Map<string, Value>();
  private readonly labels = new Map<string, Label>();
  private nextNumber = 0;

  constructor(lexer: Lexer) {
    this.lexer = lexer;
  }

  /** The use of a value. */
  use(name: string, type: Type, offset: number): Local {
    let value = this.values.get(name);
    if (value === undefined) {
      value = { use: undefined, usedAt: offset, isDefined: false, type: undefined };
      this.values.set(name, value);
    }
    const known = value.type ?? value.use?.type;
    if (known !== undefined && known !== type) throw this.mismatch(name, type, known, offset);
    value.use ??= { kind: 'local', name, type };
    return value.use;
  }

  /** The definition of a value; without a name it gets the next number. The type is undefined if it is not known. */
  define(written: string | undefined, type: Type | undefined, offset: number): string {
    const name = written ?? String(this.nextNumber);
    this.count(name, '%', offset);
    const value = this.values.get(name);
    if (value === undefined) {
      this.values.set(name, { use: undefined, usedAt: offset, isDefined: true, type });
      return name;
    }
    if (value.isDefined) throw this.lexer.error(`%${name} is defined a second time`, offset);
    if (value.use !== undefined && type !== undefined && value.use.type !== type) {
      throw this.mismatch(name, value.use.type, type, value.usedAt);
    }
    value.isDefined = true;
    value.type = type;
    return name;
  }

  /** A block as the target of a jump. */
  useBlock(name: string, offset: number): string {
    if (!this.labels.has(name)) this.labels.set(name, { usedAt: offset, isDefined: false });
    return name;
  }

  /** The beginning of a block; without a label it gets the next number. */
  defineBlock(written: string | undefined, offset: number): string {
    const name = written ?? String(this.nextNumber);
    this.count(name, '', offset);
    if (this.labels.get(name)?.isDefined) {
      throw this.lexer.error(`the block ${name} is defined a second time`, offset);
    }
    this.labels.set(name, { usedAt: offset, isDefined: true });
    return name;
  }

  hasBlock(name: string): boolean {
    return this.labels.get(name)?.isDefined ?? false;
  }

  /** To be called at the end of the function. */
  check(): void {
    for (const [name, { isDefined, usedAt }] of this.values) {
      if (!isDefined) throw this.lexer.error(`%${name} is not defined`, usedAt);
    }
    for (const [name, { isDefined, usedAt }] of this.labels) {
      if (!isDefined) throw this.lexer.error(`there is no block %${name}`, usedAt);
    }
  }

  /** Numbers must come in order, though some may be left out. */
  private count(name: string, mark: string, offset: number): void {
    if (!isNumber(name)) return;
    const number = Number(name);
    if (number < this.nextNumber) {
      const shown = mark === '' ? `the label ${this.nextNumber}` : `%${this.nextNumber}`;
      throw this.lexer.error(`expected ${shown} or a larger number, found ${mark}${name}`, offset);
    }
    this.nextNumber = number + 1;
  }

  private mismatch(name: string, used: Type, defined: Type, offset: number) {
    return this.lexer.error(
      `%${name} is used as ${describe(used)}, but its type is ${describe(defined)}`,
      offset,
    );
  }
}

/** Quoted names of digits have their quotes, so the first character tells. */
function isNumber(name: string): boolean {
  const c = name.charCodeAt(0);
  return c >= 48 && c <= 57;
}
