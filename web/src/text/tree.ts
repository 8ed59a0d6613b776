/** S-expressions as trees that are easy to walk: an atom is a string, a list an array. */
import { type Node, SExprs } from '../../../src/formats/smtlib/sexpr.ts';

export type Tree = string | readonly Tree[];

/** Throws an InputError if the text is none. */
export function treesOf(text: string): Tree[] {
  const expressions = new SExprs('', text);
  const tree = (node: Node): Tree =>
    expressions.isList(node) ? expressions.children(node).map(tree) : expressions.source(node);
  return expressions.topLevel().map(tree);
}

export function isList(tree: Tree): tree is readonly Tree[] {
  return typeof tree !== 'string';
}

/** Is it a list that begins with this atom? */
export function isApplication(tree: Tree, head: string): tree is readonly Tree[] {
  return isList(tree) && tree[0] === head;
}

/** The number of atoms, counted no further than a limit. */
export function sizeOf(tree: Tree, limit = Number.POSITIVE_INFINITY): number {
  if (!isList(tree)) return 1;
  let size = 1;
  for (const part of tree) {
    size += sizeOf(part, limit - size);
    if (size > limit) break;
  }
  return size;
}

/** With the definitions of `let` in their places, unless that makes it larger than a limit: then it stays as it is. */
export function expanded(tree: Tree, limit: number): Tree {
  let left = limit;
  const expand = (t: Tree, known: ReadonlyMap<string, Tree>): Tree => {
    if (!isList(t)) {
      const meaning = known.get(t) ?? t;
      left -= sizeOf(meaning, left);
      return meaning;
    }
    left--;
    if (left < 0) return t;
    const [head, bindings, body] = t;
    if (head !== 'let') return t.map(part => expand(part, known));
    const inner = new Map(known);
    for (const [name, value] of bindings as readonly [string, Tree][]) inner.set(name, expand(value, known));
    return expand(body, inner);
  };
  const result = expand(tree, new Map());
  return left < 0 ? tree : result;
}

/** The parts of a conjunction, or of one that a `let` is around, each with what it needs of it. */
export function conjuncts(tree: Tree): readonly Tree[] {
  return isApplication(tree, 'and') ? tree.slice(1).flatMap(conjuncts) : [tree];
}
