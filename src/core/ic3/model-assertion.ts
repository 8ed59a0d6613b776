/**
 * A model as a cube (dissertation, ModelAssertion): of the given terms, those that the model makes equal are said to
 * be equal, by a chain over each class, and classes are said to differ, by their representatives. What distinct
 * constants give anyway is left out. Only terms of the system and its lemmas enter cubes, so that there are
 * finitely many (section 3.5).
 */
import type { Element, EufModel } from '../../euf/model.ts';
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { type Cube, cubeOf, negated } from './cube.ts';

export function modelAssertion(
  terms: TermStore,
  model: EufModel,
  literals: readonly TermId[],
  values: readonly TermId[],
): Cube {
  const cube = [...literals];
  const classes = new Map<Element, TermId>(); // representative of each class: a constant if it has one
  const sorted = [...values].sort((a, b) => rank(terms, a) - rank(terms, b) || a - b);
  for (const t of sorted) {
    const element = model.value(t);
    const representative = classes.get(element);
    if (representative === undefined) classes.set(element, t);
    else cube.push(equality(terms, representative, t));
  }
  const bySort = new Map<SortId, TermId[]>();
  for (const t of classes.values()) {
    const others = bySort.get(terms.sort(t)) ?? [];
    for (const other of others) {
      if (terms.isConstant(t) && terms.isConstant(other)) continue;
      cube.push(negated(terms, equality(terms, other, t)));
    }
    others.push(t);
    bySort.set(terms.sort(t), others);
  }
  return cubeOf(cube);
}

/** Constants first, then variables. */
function rank(terms: TermStore, t: TermId): number {
  if (terms.isConstant(t)) return 0;
  return terms.arity(t) === 0 ? 1 : 2;
}

/** An equality in the normal form of the rewriter, as far as order goes, so that equal ones are the same term. */
function equality(terms: TermStore, a: TermId, b: TermId): TermId {
  const [x, y] = terms.isConstant(b) || (!terms.isConstant(a) && b < a) ? [b, a] : [a, b];
  return x === terms.bv(1, 0) ? terms.not(terms.eq(terms.bv(1, 1), y)) : terms.eq(x, y);
}
