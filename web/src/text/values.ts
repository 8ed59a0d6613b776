/** Values of SMT-LIB as people like to read them. */
import { isList, type Tree } from './tree.ts';

/** Up to this width numbers are shown in decimal. */
const DECIMAL_BITS = 16;
/** Numbers up to this are, whatever their width. */
const SMALL = 1024n;

/** The text of a constant of any kind; undefined of any other term. */
export function constantText(tree: Tree): string | undefined {
  if (tree === 'true' || tree === 'false') return tree;
  const number = numberOf(tree);
  if (number !== undefined) return numberText(number.value, number.width);
  if (isList(tree) && tree[0] === 'as' && typeof tree[1] === 'string') return tree[1].replace(/^@/, '');
  return undefined;
}

export function numberText(value: bigint, width: number): string {
  if (width <= DECIMAL_BITS || value <= SMALL) return String(value);
  const below = (1n << BigInt(width)) - value; // −1 and its like
  return below <= SMALL ? `−${below}` : `0x${value.toString(16)}`;
}

function numberOf(tree: Tree): { readonly value: bigint; readonly width: number } | undefined {
  if (isList(tree)) {
    const match = tree[0] === '_' && typeof tree[1] === 'string' ? /^bv(\d+)$/.exec(tree[1]) : null;
    return match === null ? undefined : { value: BigInt(match[1]), width: Number(tree[2]) };
  }
  if (/^#x[0-9a-f]+$/i.test(tree))
    return { value: BigInt(`0x${tree.slice(2)}`), width: 4 * (tree.length - 2) };
  if (/^#b[01]+$/.test(tree)) return { value: BigInt(`0b${tree.slice(2)}`), width: tree.length - 2 };
  return undefined;
}

/** An array as its default element and those that differ from it. */
export function valueText(tree: Tree): string {
  const elements: string[] = [];
  let rest = tree;
  while (isList(rest) && rest[0] === 'store') {
    elements.unshift(`[${valueText(rest[2])}] = ${valueText(rest[3])}`);
    rest = rest[1];
  }
  if (isList(rest) && isList(rest[0]) && rest[0][0] === 'as')
    return [`all ${valueText(rest[1])}`, ...elements].join(', ');
  return constantText(rest) ?? String(rest);
}
