/**
 * Terms as SMT-LIB text. Subterms that occur more than once are named by `let`, so that the text is as
 * long as the graph and not as the tree it unfolds to. Deep terms are printed without recursion.
 */
import { SMALL_WIDTH } from './bitvector.ts';
import { OPERATORS, Op } from './operators.ts';
import { quoteSymbol } from './sort.ts';
import type { TermId, TermStore } from './store.ts';

/** Names for shared subterms must not capture a symbol of the term: this prefix is grown until none starts so. */
const SHARED_PREFIX = '?';

export function printTerm(terms: TermStore, root: TermId): string {
  const order = terms.postorder([root]);
  const uses = new Map<TermId, number>();
  let prefix = SHARED_PREFIX;
  for (const t of order) {
    for (let i = 0; i < terms.arity(t); i++) {
      const a = terms.arg(t, i);
      uses.set(a, (uses.get(a) ?? 0) + 1);
    }
    if (terms.op(t) === Op.APPLY) {
      while (terms.nameOf(t).startsWith(prefix)) prefix += SHARED_PREFIX;
    }
  }
  const names = new Map<TermId, string>();
  const out: string[] = [];
  for (const t of order) {
    if (t === root || terms.arity(t) === 0 || uses.get(t) === 1) continue;
    const name = `${prefix}${names.size}`;
    out.push(`(let ((${name} `);
    printTree(terms, t, names, out);
    out.push(')) ');
    names.set(t, name);
  }
  printTree(terms, root, names, out);
  out.push(')'.repeat(names.size));
  return out.join('');
}

/** Prints one term, with the names of those of its subterms that have one. */
function printTree(terms: TermStore, root: TermId, names: ReadonlyMap<TermId, string>, out: string[]): void {
  const path: TermId[] = []; // applications whose closing parenthesis is still to come
  const next: number[] = []; // and for each the next argument to print
  const enter = (t: TermId) => {
    const name = names.get(t);
    if (name !== undefined) {
      out.push(name);
    } else if (terms.arity(t) === 0) {
      out.push(printLeaf(terms, t));
    } else {
      out.push(`(${head(terms, t)}`);
      path.push(t);
      next.push(0);
    }
  };
  enter(root);
  while (path.length > 0) {
    const t = path[path.length - 1];
    const i = next[next.length - 1]++;
    if (i === terms.arity(t)) {
      out.push(')');
      path.pop();
      next.pop();
    } else {
      out.push(' ');
      enter(terms.arg(t, i));
    }
  }
}

function head(terms: TermStore, t: TermId): string {
  const op = terms.op(t);
  if (op === Op.APPLY) return quoteSymbol(terms.nameOf(t));
  if (op === Op.CONST_ARRAY) return `(as const ${terms.sorts.name(terms.sort(t))})`;
  const { name } = OPERATORS[op];
  const indices = terms.indices(t);
  return indices.length > 0 ? `(_ ${name} ${indices.join(' ')})` : name;
}

function printLeaf(terms: TermStore, t: TermId): string {
  return terms.op(t) === Op.BV_CONST ? printBitVector(terms.bvValue(t), terms.width(t)) : head(terms, t);
}

/** Hexadecimal where the width is a multiple of four, binary elsewhere. */
export function printBitVector(value: number | bigint, width: number): string {
  const exact = width <= SMALL_WIDTH ? Number(value) : value;
  return width % 4 === 0
    ? `#x${exact.toString(16).padStart(width / 4, '0')}`
    : `#b${exact.toString(2).padStart(width, '0')}`;
}
