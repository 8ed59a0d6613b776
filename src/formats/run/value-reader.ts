/** Values as people type them: numbers in decimal, negative ones too, in hexadecimal or in binary; of an array, what all its elements are. */
import { SMALL_WIDTH } from '../../term/bitvector.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import { ArrayValue, domain, type Value } from '../../term/value.ts';

/** What is wrong with a text. */
export interface NoValue {
  readonly complaint: string;
}

export function isValue(read: Value | NoValue): read is Value {
  return typeof read !== 'object' || read instanceof ArrayValue;
}

export function readValue(sorts: SortStore, sort: SortId, text: string): Value | NoValue {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      if (/^(true|1)$/.test(text)) return true;
      return /^(false|0)$/.test(text) ? false : { complaint: `expected true or false, not '${text}'` };
    case SortKind.BITVEC:
      return readVector(sorts.width(sort), text);
    case SortKind.UNINTERPRETED:
      return /^\d{1,9}$/.test(text)
        ? Number(text)
        : { complaint: `expected the number of an element, not '${text}'` };
    case SortKind.ARRAY: {
      const element = readValue(sorts, sorts.elementSort(sort), text);
      return isValue(element) ? ArrayValue.constant(element, domain(sorts, sorts.indexSort(sort))) : element;
    }
  }
}

function readVector(width: number, text: string): Value | NoValue {
  const number = /^(-?)(\d+|0x[\da-f]+|0b[01]+)$/i.exec(text.replace(/^#([xb])/, '0$1'));
  if (number === null) return { complaint: `expected a number, not '${text}'` };
  const value = number[1] === '-' ? -BigInt(number[2]) : BigInt(number[2]);
  if (value >= 1n << BigInt(width) || value < -(1n << BigInt(width - 1)))
    return { complaint: `${text} does not fit ${width} bits` };
  const bits = BigInt.asUintN(width, value);
  return width > SMALL_WIDTH ? bits : Number(bits);
}
