/**
 * Variables of uninterpreted sorts that formulas say are pairwise different. Elements of such a sort have no names,
 * so the first of these variables may be taken to be element 0, the next to be element 1, and so on: any model can be
 * renumbered that way. Without this, the SAT solver tries all ways of numbering them.
 */
import { Op } from '../term/operators.ts';
import { type SortId, SortKind } from '../term/sort.ts';
import type { TermId, TermStore } from '../term/store.ts';

/** For each uninterpreted sort, variables that are pairwise different if the formulas hold. */
export function distinctElements(terms: TermStore, formulas: readonly TermId[]): Map<SortId, TermId[]> {
  const differ = new Map<TermId, Set<TermId>>();
  const isElement = (t: TermId) =>
    terms.isVariable(t) && terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED;
  const add = (a: TermId, b: TermId) => {
    if (!isElement(a) || !isElement(b)) return;
    for (const [x, y] of [
      [a, b],
      [b, a],
    ]) {
      const others = differ.get(x);
      if (others === undefined) differ.set(x, new Set([y]));
      else others.add(y);
    }
  };
  for (const f of formulas) {
    const args = terms.arity(f) === 0 ? [] : terms.args(f);
    if (terms.op(f) === Op.DISTINCT) {
      for (const [i, a] of args.entries()) for (const b of args.slice(0, i)) add(a, b);
    } else if (terms.op(f) === Op.NOT && terms.op(args[0]) === Op.EQ) {
      add(terms.arg(args[0], 0), terms.arg(args[0], 1));
    }
  }
  return cliques(terms, differ);
}

/** A set of pairwise neighbours for each sort, greedily from the variables with most neighbours. */
function cliques(terms: TermStore, differ: ReadonlyMap<TermId, ReadonlySet<TermId>>): Map<SortId, TermId[]> {
  const degree = (t: TermId) => differ.get(t)?.size ?? 0;
  const found = new Map<SortId, TermId[]>();
  for (const t of [...differ.keys()].sort((a, b) => degree(b) - degree(a) || a - b)) {
    const clique = found.get(terms.sort(t));
    if (clique === undefined) found.set(terms.sort(t), [t]);
    else if (clique.every(c => differ.get(t)?.has(c))) clique.push(t);
  }
  return found;
}
