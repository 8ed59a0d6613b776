/** An S-expression on as many lines as it takes: what fits on a line stands on one, else each argument has its own. */
import { isList, type Tree } from './tree.ts';

export function indented(tree: Tree, columns = 72): string {
  return lines(tree, 0, columns);
}

function lines(tree: Tree, indent: number, columns: number): string {
  const flat = flatText(tree, columns - indent);
  if (flat !== undefined) return flat;
  if (!isList(tree)) return tree;
  const [head, ...rest] = tree;
  const inner = indent + 2;
  const parts = rest.map(part => `\n${' '.repeat(inner)}${lines(part, inner, columns)}`);
  return `(${lines(head, indent + 1, columns)}${parts.join('')})`;
}

/** On one line, if it is not longer than that. */
function flatText(tree: Tree, columns: number): string | undefined {
  if (!isList(tree)) return tree;
  let text = '(';
  for (const part of tree) {
    const piece = flatText(part, columns - text.length);
    if (piece === undefined) return undefined;
    text += text === '(' ? piece : ` ${piece}`;
    if (text.length >= columns) return undefined;
  }
  return `${text})`;
}
