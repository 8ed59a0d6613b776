/** Random terms of all operators, for tests that hold one meaning of terms against another. */
import { OPERATORS, Op } from '../../src/term/operators.ts';
import { SortError, type TermId, type TermStore } from '../../src/term/store.ts';
import type { Random } from './random.ts';

/** Terms over a few variables of width w, Booleans and small arrays, none wider than the limit. */
export function randomPool(
  terms: TermStore,
  random: Random,
  w: number,
  size: number,
  maxWidth = 8,
): TermId[] {
  const { sorts } = terms;
  const bv = sorts.bitVec(w);
  const arraySort = sorts.array(sorts.bitVec(1), sorts.bitVec(w <= 2 ? w : 1));
  const pool = [
    ...['p', 'q'].map(n => terms.variable(n, sorts.bool)),
    ...['x', 'y'].map(n => terms.variable(n, bv)),
    terms.variable('b', sorts.bitVec(1)),
    terms.variable('a', arraySort),
    terms.true,
    terms.false,
    ...[0, 1, 2, -1, -2, 2 ** (w - 1), 2 ** (w - 1) - 1].map(n => terms.bv(w, n)),
    terms.bv(1, 0),
    terms.bv(1, 1),
  ];
  return growPool(terms, random, pool, size, maxWidth);
}

/** Adds random terms over those of a pool until it has a size, none wider than the limit. */
export function growPool(
  terms: TermStore,
  random: Random,
  leaves: readonly TermId[],
  size: number,
  maxWidth: number,
): TermId[] {
  const pool = [...leaves];
  const arraySorts = [...new Set(leaves.map(t => terms.sort(t)))].filter(s => terms.sorts.isArray(s));
  const kinds = OPERATORS.filter(o => o.op > Op.APPLY);
  for (let tries = 0; pool.length < size && tries < 50 * size; tries++) {
    const { op, arity, reading, indexCount } = random.pick(kinds);
    const count = reading === 'nary' ? arity + 1 + random.below(2) : arity;
    const first = random.pick(pool);
    const same = pool.filter(x => terms.sort(x) === terms.sort(first));
    const args = Array.from({ length: count }, (_, i) =>
      i === 0 ? first : random.chance(0.8) ? random.pick(same) : random.pick(pool),
    );
    const width = terms.width(first);
    const low = random.below(Math.max(width, 1));
    const high = low + random.below(Math.max(width - low, 1));
    const indices = indexCount === 2 ? [high, low] : indexCount === 1 ? [random.below(4)] : [];
    try {
      if (op === Op.CONST_ARRAY && arraySorts.length === 0) continue;
      const term =
        op === Op.CONST_ARRAY
          ? terms.constArray(random.pick(arraySorts), first)
          : terms.app(op, args, indices);
      if (terms.width(term) <= maxWidth) pool.push(term);
    } catch (error) {
      if (!(error instanceof SortError)) throw error;
    }
  }
  return pool;
}
