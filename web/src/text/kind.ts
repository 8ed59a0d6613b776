/** What kind of text there is in the editor: found by its content, so that one may paste whatever one has, then by its name. */
import { type Format, formatOf, isC, isLlvm } from '../../../src/formats/format.ts';

export type Kind = Format | 'c';

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  c: 'C program',
  llvm: 'LLVM IR',
  vmt: 'VMT',
  horn: 'Horn clauses',
  btor2: 'BTOR2',
};

const EXTENSIONS: Readonly<Record<Kind, string>> = {
  c: 'c',
  llvm: 'll',
  vmt: 'vmt',
  horn: 'smt2',
  btor2: 'btor2',
};

/** Reading a beginning tells as much as reading it all. */
const LOOKED_AT = 100_000;
const C_WORD =
  /^\s*(?:#\s*(?:include|define|if)\b|(?:extern|static|int|void|char|unsigned|long|struct|enum|typedef|_Bool)\s)/m;

export function kindOf(name: string, text: string): Kind | undefined {
  const start = text.slice(0, LOOKED_AT);
  const byContent = formatOf('', start);
  if (byContent !== undefined) return byContent;
  if (C_WORD.test(start) && start.includes('{')) return 'c';
  if (isC(name)) return 'c';
  return isLlvm(name) ? 'llvm' : formatOf(name, '');
}

/** A name for the text that agrees with its kind: its own unless that says otherwise. */
export function nameFor(name: string, kind: Kind | undefined): string {
  if (kind === undefined || agrees(name, kind)) return name;
  return `input.${EXTENSIONS[kind]}`;
}

function agrees(name: string, kind: Kind): boolean {
  if (isC(name)) return kind === 'c';
  const byName = isLlvm(name) ? 'llvm' : formatOf(name, '');
  return kind !== 'c' && (byName === undefined || byName === kind);
}
