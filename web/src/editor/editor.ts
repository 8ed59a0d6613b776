/**
 * The editor: CodeMirror, with only what the page needs of it. It lives in a shadow tree, where its styles are sheets and not
 * elements; so it works under a policy that allows no styles within the page.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Kind } from '../text/kind.ts';
import { languageOf } from './languages.ts';
import { look } from './look.ts';

/** Something wrong with the text; line and column are counted from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface Marks {
  readonly lines: readonly number[];
  readonly className: string;
}

const setMarks = StateEffect.define<Marks>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { effects, docChanged, changes, newDoc }) {
    let now = docChanged ? old.map(changes) : old;
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue;
      const { lines, className } = effect.value;
      const known = [...new Set(lines)].filter(l => l >= 1 && l <= newDoc.lines).sort((a, b) => a - b);
      now = Decoration.set(known.map(l => Decoration.line({ class: className }).range(newDoc.line(l).from)));
    }
    return now;
  },
  provide: field => EditorView.decorations.from(field),
});

export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private kind: Kind | undefined;

  constructor(host: HTMLElement, onChange: () => void) {
    const root = host.attachShadow({ mode: 'open' });
    this.view = new EditorView({
      root,
      parent: root,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        indentUnit.of('  '),
        keymap.of([...defaultKeymap.filter(k => k.key !== 'Mod-Enter'), ...historyKeymap, ...lintKeymap]),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({
          'aria-label': 'Input',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) onChange();
        }),
        this.language.of([]),
        marks,
        look,
      ],
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  highlightAs(kind: Kind | undefined): void {
    if (kind === this.kind) return;
    this.kind = kind;
    this.view.dispatch({ effects: this.language.reconfigure(languageOf(kind)) });
  }

  /** Underlines what is wrong, and nothing else. */
  complain(problems: readonly Problem[]): void {
    const { state } = this.view;
    const diagnostics = problems.map(({ line, column, message }): Diagnostic => {
      const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
      const start = Math.min(from + column - 1, to);
      const word = /^(?:[\w.#:@$-]+|.)/.exec(state.sliceDoc(start, to))?.[0].length ?? 0;
      // At the end of a line there is nothing to underline but what comes before.
      const begin = word === 0 ? Math.max(from, start - 1) : start;
      return { from: begin, to: Math.max(start + word, begin), severity: 'error', message };
    });
    this.view.dispatch(setDiagnostics(state, diagnostics));
    this.mark({ lines: problems.map(p => p.line), className: 'cm-bad-line' });
  }

  /** Marks the lines that a run goes through. */
  markLines(lines: readonly number[]): void {
    this.mark({ lines, className: 'cm-marked-line' });
  }

  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.view.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  private mark(value: Marks): void {
    this.view.dispatch({ effects: setMarks.of(value) });
  }
}
