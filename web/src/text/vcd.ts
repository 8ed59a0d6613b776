/** Reads a value change dump as far as this library writes them (IEEE 1364-2005, section 18). */
import { numberText } from './values.ts';

export interface Wire {
  /** With the scopes that it is in, but for the outermost. */
  readonly name: string;
  /** In each unit of time; of one bit `bit 0` or `bit 1`. */
  readonly values: readonly string[];
}

export function readVcd(text: string): { readonly wires: readonly Wire[]; readonly times: number } {
  const wires = new Map<string, { name: string; width: number; values: string[] }>();
  const scopes: string[] = [];
  const current = new Map<string, string>();
  let time = -1;
  const advance = (to: number) => {
    for (; time >= 0 && time < to; time++)
      for (const [code, wire] of wires) wire.values.push(current.get(code) ?? '');
    time = to;
  };
  for (const line of text.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === '$scope') scopes.push(rest[1]);
    else if (word === '$upscope') scopes.pop();
    else if (word === '$var') {
      const [, width, code, name] = rest;
      wires.set(code, { name: [...scopes.slice(1), name].join('.'), width: Number(width), values: [] });
    } else if (/^#\d+$/.test(word)) advance(Number(word.slice(1)));
    else if (/^b[01]+$/.test(word)) {
      const width = wires.get(rest[0])?.width ?? 1;
      current.set(rest[0], numberText(BigInt(`0b${word.slice(1)}`), width));
    } else if (/^[01]\S/.test(word)) current.set(word.slice(1), `bit ${word[0]}`);
  }
  return {
    wires: [...wires.values()].map(({ name, values }) => ({ name, values })),
    times: Math.max(0, time),
  };
}
