/**
 * Finds a variable for which an asserted formula can be solved. The formula is read as the equation
 * `formula = true`; from there the search goes down, breadth first, through operators that can be inverted,
 * so a variable that is a side of an equality is found before one that is deeper inside.
 *
 * The search is bounded: files are full of equations, and each may be as large as the whole file. Where
 * a variable occurs twice in a large formula, this is found out later, by the search for cycles.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { invert, invertibleArguments } from './invert.ts';

/** How many nodes of a formula are looked at in search of a variable. */
const MAX_NODES = 32;
/** Up to this size, as a tree, the occurrences of variables in a formula are counted. */
const MAX_COUNTED = 256;

/** A formula is equivalent to `variable = body` together with the residuals. */
export interface Solution {
  readonly kind: 'variable';
  readonly variable: TermId;
  readonly body: TermId;
  readonly residuals: readonly TermId[];
}

/** A formula is equivalent to `bits high to low of variable = value` together with the residuals. */
export interface SliceSolution {
  readonly kind: 'slice';
  readonly variable: TermId;
  readonly high: number;
  readonly low: number;
  readonly value: TermId;
  readonly residuals: readonly TermId[];
}

/** A node of the formula that is reached through invertible operators only. */
interface Reached {
  readonly node: TermId;
  readonly from: Reached | undefined;
  readonly argument: number; // which argument of `from` it is
}

/** `mayEliminate`: is this variable one to solve for? */
export function solve(
  rewriter: Rewriter,
  formula: TermId,
  mayEliminate: (variable: TermId) => boolean,
): Solution | SliceSolution | undefined {
  const { terms } = rewriter;
  const reached = reachable(terms, formula);
  const variables = reached.filter(({ node }) => terms.isVariable(node) && mayEliminate(node));
  const slices = reached.filter(({ node }) => isSlice(terms, node) && mayEliminate(terms.arg(node, 0)));
  if (variables.length + slices.length === 0) return undefined;
  const counts = occurrences(terms, formula);
  const occursOnce = (v: TermId) => counts === undefined || counts.get(v) === 1;

  const best = variables.find(({ node }) => occursOnce(node));
  if (best !== undefined) {
    const { value, residuals } = valueAt(rewriter, best);
    return { kind: 'variable', variable: best.node, body: value, residuals };
  }
  for (const slice of slices) {
    const variable = terms.arg(slice.node, 0);
    if (!occursOnce(variable)) continue;
    const { value, residuals } = valueAt(rewriter, slice);
    // Taking a variable to pieces pays where a piece becomes simple.
    if (!terms.isConstant(value) && !terms.isVariable(value)) continue;
    const [high, low] = terms.indices(slice.node);
    return { kind: 'slice', variable, high, low, value, residuals };
  }
  return undefined;
}

function isSlice(terms: TermStore, node: TermId): boolean {
  return terms.op(node) === Op.EXTRACT && terms.isVariable(terms.arg(node, 0));
}

function reachable(terms: TermStore, formula: TermId): Reached[] {
  const reached: Reached[] = [{ node: formula, from: undefined, argument: 0 }];
  for (let next = 0; next < reached.length && reached.length < MAX_NODES; next++) {
    const from = reached[next];
    for (const argument of invertibleArguments(terms, from.node, from.from === undefined)) {
      reached.push({ node: terms.arg(from.node, argument), from, argument });
    }
  }
  return reached;
}

/** What a reached node must equal for the formula to be true. */
function valueAt(rewriter: Rewriter, reached: Reached): { value: TermId; residuals: TermId[] } {
  const path: Reached[] = [];
  for (let r: Reached | undefined = reached; r !== undefined; r = r.from) path.push(r);
  const residuals: TermId[] = [];
  let value = rewriter.terms.true;
  for (let i = path.length - 1; i > 0; i--) {
    value = invert(rewriter, path[i].node, path[i - 1].argument, value, residuals);
  }
  return { value, residuals };
}

/** How often each variable occurs in a term; undefined if the term is too large to tell. */
function occurrences(terms: TermStore, root: TermId): Map<TermId, number> | undefined {
  const counts = new Map<TermId, number>();
  const nodes = [root];
  for (let next = 0; next < nodes.length; next++) {
    const t = nodes[next];
    if (nodes.length + terms.arity(t) > MAX_COUNTED) return undefined;
    if (terms.isVariable(t)) counts.set(t, (counts.get(t) ?? 0) + 1);
    for (let i = 0; i < terms.arity(t); i++) nodes.push(terms.arg(t, i));
  }
  return counts;
}
