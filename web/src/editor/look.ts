/**
 * What the editor looks like, in the page's own colours. The underlining of errors is drawn by the browser: the pictures that
 * come with the editor are data addresses, which the page's security policy forbids.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const UNDERLINED = {
  backgroundImage: 'none',
  textDecoration: 'underline wavy 1.5px',
  textUnderlineOffset: '3px',
};

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--faint)',
    border: 'none',
    paddingLeft: '6px',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&:not(.cm-focused) .cm-activeLine, &:not(.cm-focused) .cm-activeLineGutter': {
    backgroundColor: 'transparent',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--faint)',
  },
  '.cm-lintRange-error': { ...UNDERLINED, textDecorationColor: 'var(--unsafe)' },
  '.cm-lintRange-warning': { ...UNDERLINED, textDecorationColor: 'var(--unknown)' },
  '.cm-lintPoint:after': { display: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', padding: '6px 10px', maxWidth: '32em' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--unsafe)' },
  '.cm-bad-line': { backgroundColor: 'var(--unsafe-soft)' },
  '.cm-marked-line': { backgroundColor: 'var(--accent-soft)' },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.controlKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--code-type)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'var(--code-number)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.operatorKeyword, tags.operator], color: 'var(--code-operator)' },
  { tag: [tags.meta, tags.processingInstruction], color: 'var(--code-type)' },
  { tag: tags.bracket, color: 'var(--muted)' },
]);

export const look = [theme, syntaxHighlighting(colours)];
