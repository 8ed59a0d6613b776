/**
 * Places of a program as its files have them. What the preprocessor leaves says with markers (`# 12 "file.c"`) which line of which other
 * file a line comes from, and compilers speak of those; whoever reads a witness counts the lines that are there.
 */
import type { Place } from '../llvm/module.ts';
import type { NamedText } from './includes.ts';

const MARKER = /^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?/;

export class SourcePlaces {
  private readonly lines = new Map<string, readonly string[]>(); // by file
  private readonly physical = new Map<string, Place>(); // by file and line, as compilers have them

  constructor(files: readonly NamedText[]) {
    for (const { name, text } of files) {
      const lines = text.split('\n');
      this.lines.set(name, lines);
      let file = name;
      let line = 1;
      lines.forEach((content, i) => {
        const marker = MARKER.exec(content);
        if (marker !== null) {
          line = Number(marker[1]);
          file = marker[2] === undefined ? file : unescaped(marker[2]);
          return;
        }
        const key = `${file}:${line++}`;
        if (!this.physical.has(key)) this.physical.set(key, { file: name, line: i + 1, column: 1 });
      });
    }
  }

  /** Where something stands in the files as they are; undefined if it does not. */
  find({ file, line, column }: Place): Place | undefined {
    const start = this.physical.get(`${file}:${line}`);
    return start && { ...start, column };
  }

  /** Where the call ends that begins at a place of the files: its closing parenthesis. */
  endOfCall({ file, line, column }: Place, name: string): Place | undefined {
    const lines = this.lines.get(file) ?? [];
    const start = lines[line - 1]?.slice(column - 1) ?? '';
    if (!start.startsWith(name) || /\w/.test(start.charAt(name.length))) return undefined;
    let depth = 0;
    let quote = '';
    for (let i = line - 1, at = column - 1 + name.length; i < lines.length; i++, at = 0) {
      for (; at < lines[i].length; at++) {
        const c = lines[i][at];
        if (quote !== '') {
          if (c === '\\') at++;
          else if (c === quote) quote = '';
        } else if (c === '"' || c === "'") quote = c;
        else if (c === '(') depth++;
        else if (c === ')' && --depth === 0) return { file, line: i + 1, column: at + 1 };
        else if (depth === 0 && !/\s/.test(c)) return undefined;
      }
    }
    return undefined;
  }

  /** The word that begins at a place of the files. */
  wordAt({ file, line, column }: Place): string {
    const rest = this.lines.get(file)?.[line - 1]?.slice(column - 1) ?? '';
    return /^\w*/.exec(rest)?.[0] ?? '';
  }
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}
