/**
 * What the names of a module mean to other modules: some are its own business (`static` in C, and string literals), and some
 * definitions give way to others (`inline` functions of a header, which every module has).
 */
export interface Linkage {
  readonly local: ReadonlySet<string>;
  readonly replaceable: ReadonlySet<string>;
}

const VARIABLE = /^@([-\w$.]+) = ([a-z_ ]*)(?:global|constant) /gm;
const FUNCTION = /^define ([^@(]*)[^@\n]*@([-\w$.]+)\(/gm;
const LOCAL = /\b(?:internal|private)\b/;
const REPLACEABLE = /\b(?:available_externally|linkonce|linkonce_odr|weak|weak_odr|common)\b/;

export function linkageOf(text: string): Linkage {
  const local = new Set<string>();
  const replaceable = new Set<string>();
  const note = (name: string, words: string) => {
    if (LOCAL.test(words)) local.add(name);
    if (REPLACEABLE.test(words)) replaceable.add(name);
  };
  for (const [, name, words] of text.matchAll(VARIABLE)) note(name, words);
  for (const [, words, name] of text.matchAll(FUNCTION)) note(name, words);
  return { local, replaceable };
}
