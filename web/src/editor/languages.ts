/** Highlighting for what the checker reads. */
import { StreamLanguage } from '@codemirror/language';
import { c } from '@codemirror/legacy-modes/mode/clike';
import { simpleMode } from '@codemirror/legacy-modes/mode/simple-mode';
import type { Extension } from '@codemirror/state';
import type { Kind } from '../text/kind.ts';

/** Commands and binders, after an opening parenthesis. */
const COMMAND =
  /(?:assert|check-sat|declare-(?:const|fun|sort|rel|var|datatypes?)|define-(?:fun|const|sort)(?:-rec)?|set-(?:logic|info|option)|rule|query|forall|exists|let|exit|push|pop)(?=[\s()])/;
const OPERATOR =
  /(?:=>|=|not|and|or|xor|ite|distinct|select|store|concat|bv[a-z]+|extract|(?:zero|sign)_extend)(?=[\s()])/;

const smtlib = simpleMode({
  start: [
    { regex: /;.*/, token: 'comment' },
    { regex: /"(?:[^"]|"")*"?/, token: 'string' },
    { regex: /\|[^|]*\|?/, token: 'variable' },
    { regex: /#x[0-9a-fA-F]+|#b[01]+|bv\d+(?=[\s()])|\d[\d.]*(?=[\s()])/, token: 'number' },
    { regex: /(?:true|false)(?=[\s()])/, token: 'atom' },
    { regex: /(?:Bool|BitVec|Array|Int|Real)(?=[\s()])/, token: 'type' },
    { regex: /:[^\s()]+/, token: 'meta' },
    { regex: /\(/, token: 'bracket', next: 'head' },
    { regex: /\)/, token: 'bracket' },
    { regex: /[^\s()";|]+/, token: 'variable' },
  ],
  head: [
    { regex: COMMAND, token: 'keyword', next: 'start' },
    { regex: OPERATOR, token: 'operator', next: 'start' },
    { regex: /\s*/, next: 'start' },
  ],
  languageData: { commentTokens: { line: ';' } },
});

const btor2 = simpleMode({
  start: [
    { regex: /;.*/, token: 'comment' },
    { regex: /-?\d+/, token: 'number', sol: true, next: 'node' },
    { regex: /\S+/, token: 'variable' },
  ],
  node: [
    { regex: /(?:sort|bitvec|array)\b/, token: 'type' },
    {
      regex: /(?:input|state|init|next|bad|constraint|fair|output|justice)\b/,
      token: 'keyword',
      next: 'rest',
    },
    { regex: /(?:zero|ones|one|constd|consth|const)\b/, token: 'atom', next: 'rest' },
    { regex: /[a-z]\w*/, token: 'operator', next: 'rest' },
    { regex: /-?\d+/, token: 'number' },
  ],
  rest: [
    { regex: /;.*/, token: 'comment' },
    { regex: /-?\d+(?=\s|$)/, token: 'number', sol: true, next: 'node' },
    { regex: /-?\d+(?=\s|$)/, token: null },
    { regex: /[^\s;]+/, token: 'variable' },
  ],
  languageData: { commentTokens: { line: ';' } },
});

const llvm = simpleMode({
  start: [
    { regex: /;.*/, token: 'comment' },
    { regex: /c?"[^"]*"?/, token: 'string' },
    { regex: /[%@][\w.$-]+/, token: 'variable' },
    { regex: /[!#][\w.]+/, token: 'meta' },
    { regex: /\b(?:i\d+|ptr|void|label|float|double|metadata)\b/, token: 'type' },
    { regex: /\b(?:true|false|null|undef|poison|zeroinitializer)\b/, token: 'atom' },
    { regex: /\b(?:define|declare|target|global|constant|attributes|source_filename)\b/, token: 'keyword' },
    { regex: /-?\b\d+\b/, token: 'number' },
    { regex: /[a-z_]\w*/, token: 'operator' },
  ],
  languageData: { commentTokens: { line: ';' } },
});

const LANGUAGES: Readonly<Record<Kind, Extension>> = {
  c: StreamLanguage.define(c),
  vmt: StreamLanguage.define(smtlib),
  horn: StreamLanguage.define(smtlib),
  btor2: StreamLanguage.define(btor2),
  llvm: StreamLanguage.define(llvm),
};

export function languageOf(kind: Kind | undefined): Extension {
  return kind === undefined ? [] : LANGUAGES[kind];
}
