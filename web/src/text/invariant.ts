/**
 * The parts of the text of an invariant, whichever format worded it: formulas about states, by the place that they are about,
 * and lemmas, which are true of all values.
 */
import { conjuncts, expanded, isApplication, isList, type Tree, treesOf } from './tree.ts';

export interface Section {
  /** What it is about, if that needs to be said. */
  readonly title: string | undefined;
  /** `lemma`: true whatever the values are; `state`: true whenever a run is there. */
  readonly kind: 'state' | 'lemma';
  readonly name: string;
  readonly formulas: readonly Tree[];
}

export interface Invariant {
  readonly sections: readonly Section[];
  /** It holds by induction over so many steps. */
  readonly k: number;
  /** What was assumed on the way. */
  readonly notes: readonly string[];
}

/** Formulas with shared parts are written out up to this size. */
const MOST_ATOMS = 5000;

/** Undefined if the text is not of the kind that is known here. */
export function readInvariant(text: string): Invariant | undefined {
  try {
    const blocks = blocksOf(text);
    const sections = blocks.flatMap(({ title, body }) =>
      treesOf(body).flatMap(tree => sectionsOf(tree, title)),
    );
    const k = Number(/\(set-info :k-induction (\d+)\)/.exec(text)?.[1] ?? 0);
    const notes = [...text.matchAll(/^; assumed: (.*)$/gm)].map(m => m[1]);
    return { sections, k, notes };
  } catch {
    return undefined;
  }
}

/** Where formulas stand by themselves, a comment before them says what they are about. */
function blocksOf(text: string): { readonly title: string | undefined; readonly body: string }[] {
  const parts = text.split(/^; in (.*)$/m);
  const titles = [undefined, ...parts.filter((_, i) => i % 2 === 1)];
  return titles.map((title, i) => ({ title: title && placeName(title), body: parts[2 * i] }));
}

function sectionsOf(tree: Tree, title: string | undefined): Section[] {
  if (!isList(tree)) return title === undefined ? [] : [state(title, tree)];
  const [head, name, parameters, , body] = tree;
  if (head === 'define-fun') {
    if (isApplication(body, '!') && body.includes(':lemma'))
      return [
        { title: undefined, kind: 'lemma', name: String(name), formulas: [expanded(body[1], MOST_ATOMS)] },
      ];
    const places = (parameters as readonly (readonly Tree[])[]).map(p => String(p[0]));
    return [state(places.length === 0 ? undefined : `${name}(${places.join(', ')})`, body, String(name))];
  }
  if (typeof head === 'string' && /^(?:declare|set)-/.test(head)) return [];
  if (title !== undefined) return [state(title, tree)];
  return tree.flatMap(part => sectionsOf(part, undefined)); // a model is a list of definitions
}

function state(title: string | undefined, formula: Tree, name = title ?? ''): Section {
  return { title, kind: 'state', name, formulas: conjuncts(expanded(formula, MOST_ATOMS)) };
}

/** `main, main:21#0` is line 21 of main. */
function placeName(title: string): string {
  const match = /^(.*), .*?(?::(\d+))?#\d+$/.exec(title);
  if (match === null) return title;
  const [, name, line] = match;
  return line === undefined ? name : `${name}, line ${line}`;
}
