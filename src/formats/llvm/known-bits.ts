/**
 * Puts what a conjunction says about single bits of a word together, since engines that think in bits say one thing at a time:
 * that bits 3 to 31 of x are 0 is that x is less than 8.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** The same conjuncts, with those about single bits of one term in one. */
export function bitsTogether(terms: TermStore, conjuncts: readonly TermId[]): TermId[] {
  const known = new Map<TermId, { mask: bigint; ones: bigint }>();
  const others: TermId[] = [];
  for (const conjunct of conjuncts) {
    const bit = bitOf(terms, conjunct);
    const own = (bit && known.get(bit.word)) ?? { mask: 0n, ones: 0n };
    const at = bit === undefined ? 0n : 1n << BigInt(bit.index);
    // A bit that is said to be both is left to contradict itself.
    if (bit === undefined || ((own.mask & at) !== 0n && ((own.ones & at) !== 0n) !== bit.isOne)) {
      others.push(conjunct);
      continue;
    }
    own.mask |= at;
    if (bit.isOne) own.ones |= at;
    known.set(bit.word, own);
  }
  const together = [...known].map(([word, { mask, ones }]) => {
    const width = terms.width(word);
    const below = (1n << BigInt(width)) - mask; // if the mask is all upper bits, the number of values below them
    if (ones === 0n && (below & (below - 1n)) === 0n && below <= 1n << BigInt(width - 1))
      return terms.app(Op.BVULT, [word, terms.bv(width, below)]);
    if (mask === (1n << BigInt(width)) - 1n) return terms.eq(word, terms.bv(width, ones));
    return terms.eq(terms.app(Op.BVAND, [word, terms.bv(width, mask)]), terms.bv(width, ones));
  });
  return [...together, ...others];
}

/** A conjunct that says what one bit of a word is. */
function bitOf(
  terms: TermStore,
  conjunct: TermId,
): { readonly word: TermId; readonly index: number; readonly isOne: boolean } | undefined {
  const isNegated = terms.op(conjunct) === Op.NOT;
  const equation = isNegated ? terms.arg(conjunct, 0) : conjunct;
  if (terms.op(equation) !== Op.EQ || terms.arity(equation) !== 2) return undefined;
  const [a, b] = terms.args(equation);
  const [constant, bit] = terms.op(a) === Op.BV_CONST ? [a, b] : [b, a];
  if (terms.op(constant) !== Op.BV_CONST || terms.op(bit) !== Op.EXTRACT || terms.width(bit) !== 1)
    return undefined;
  const isOne = BigInt(terms.bvValue(constant)) === 1n;
  return { word: terms.arg(bit, 0), index: terms.indices(bit)[1], isOne: isOne !== isNegated };
}
