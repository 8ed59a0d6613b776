/** Reads a transition system from a file in whatever format it is. */
import { readFileSync } from 'node:fs';
import type { Property, System } from '../core/system/system.ts';
import { hornSystem } from '../horn/system.ts';
import { readBtor2 } from '../input/btor2.ts';
import { InputError } from '../input/diagnostic.ts';
import { isHorn, readHorn } from '../input/horn.ts';
import { readVmt } from '../input/vmt.ts';
import { TermStore } from '../term/store.ts';

/** What every BTOR2 file has, whatever it is called. */
const BTOR2_SORT = /^[ \t]*[0-9]+[ \t]+sort[ \t]+(bitvec|array)[ \t]/m;

/** What only VMT has, whatever the file is called. */
const VMT_ANNOTATION = /:(next|init|trans|invar-property)\s/;

/** `strict`: are wrong sorts that are otherwise only worth a warning an error? */
export function readSystem(path: string, strict: boolean): System {
  const text = readFileSync(path, 'utf8');
  if (/\.btor2?$/i.test(path) || BTOR2_SORT.test(text)) return readBtor2(new TermStore(), path, text);
  if (isHorn(text)) return hornSystem(readHorn(new TermStore(), path, text)).system;
  if (!/\.vmt$/i.test(path) && !VMT_ANNOTATION.test(text)) {
    throw new InputError(path, 1, 1, 'expected a VMT file, with annotations such as :init and :trans');
  }
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  return readVmt(new TermStore(), path, text, { strict, warn });
}

/** The property with a number, or all of them. */
export function selectProperties(
  path: string,
  system: System,
  index: number | undefined,
): readonly Property[] {
  if (index === undefined) return system.properties;
  const chosen = system.properties.filter(p => p.index === index);
  if (chosen.length > 0) return chosen;
  const known = system.properties.map(p => p.index).join(', ');
  throw new InputError(path, 1, 1, `there is no property ${index}: the file has ${known}`);
}
