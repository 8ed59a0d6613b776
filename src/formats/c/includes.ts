/**
 * Finds the files that a program includes. The compiler gets all files before it starts, so they are looked for here, by the
 * lines that name them: beside the file that has the line, then in the folders that the user named. Which lines are in force is
 * the preprocessor's business; a file too many does no harm, so conditions are ignored, and a macro that is defined as the name of
 * a file counts as an inclusion.
 */
import { InputError } from '../diagnostic.ts';
import { folderOf, joined, normalized } from './paths.ts';

/** A text and the path by which messages and the compiler know it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface IncludeOptions {
  /** Where to look for included files that are not beside the file that includes them, in this order. */
  readonly folders: readonly string[];
  /** The text of a file, if there is such a file. */
  readonly lookUp: (path: string) => string | undefined;
}

/** More than this is a mistake. */
const MOST_FILES = 10_000;
const MOST_CHARACTERS = 100_000_000;

/** Lines that may name a file; a line may be continued on the next. */
const DIRECTIVE = /^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import|define|if|elif)\b(?:\\\r?\n|[^\n])*/gm;
const NAME = /"([^"\n]+)"|<([^>\n]+)>/g;

/** The files that a text includes, and those that they include; the text itself is not among them. */
export function includedFiles(source: NamedText, { folders, lookUp }: IncludeOptions): NamedText[] {
  const known = new Set([normalized(source.name)]);
  const found: NamedText[] = [];
  let characters = 0;
  const waiting = [source];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const path of candidates(file, folders)) {
      const key = normalized(path);
      if (known.has(key)) continue;
      known.add(key);
      const text = lookUp(path);
      if (text === undefined) continue;
      characters += text.length;
      if (found.length >= MOST_FILES || characters > MOST_CHARACTERS)
        throw new InputError(source.name, 1, 1, `it includes too many files, the last one is ${path}`);
      const included = { name: path, text };
      found.push(included);
      waiting.push(included);
    }
  }
  return found;
}

/** Where the files may be that a text names. */
function* candidates({ name, text }: NamedText, folders: readonly string[]): Generator<string> {
  const own = folderOf(name);
  for (const [line] of text.matchAll(DIRECTIVE)) {
    for (const [, quoted, angled] of line.matchAll(NAME)) {
      if (quoted !== undefined) yield joined(own, quoted);
      for (const folder of folders) yield joined(folder, quoted ?? angled);
    }
  }
}
