/** What arcs say of places, as formulas: in the order that the program uses where an arc is a range of it. */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Location } from '../../problem/problem.ts';
import type { Arcs } from './interval-analysis.ts';
import type { Range, WrappedInterval } from './wrapped-interval.ts';

/** The orders that a program uses, by the width of what it compares. */
export class UsedOrders {
  private readonly terms: TermStore;
  private readonly signed = new Set<number>();
  private readonly unsigned = new Set<number>();

  /** `formulas`: all that the program says. */
  constructor(terms: TermStore, formulas: readonly TermId[]) {
    this.terms = terms;
    for (const t of terms.postorder(formulas)) {
      const op = terms.op(t);
      if (op === Op.BVSLT) this.signed.add(terms.width(terms.arg(t, 0)));
      if (op === Op.BVULT) this.unsigned.add(terms.width(terms.arg(t, 0)));
    }
  }

  /** Is a fact in the words of an order that the program uses for such numbers, unless it uses none? */
  isFamiliar(fact: TermId): boolean {
    const { terms } = this;
    const atom = terms.op(fact) === Op.NOT ? terms.arg(fact, 0) : fact;
    const op = terms.op(atom);
    if (op !== Op.BVULT && op !== Op.BVSLT) return true;
    const width = terms.width(terms.arg(atom, 0));
    const [own, other] = op === Op.BVSLT ? [this.signed, this.unsigned] : [this.unsigned, this.signed];
    return own.has(width) || !other.has(width);
  }

  /** What the arcs say of the places of their location, one formula after the other; nothing of arcs of all numbers. */
  facts({ places }: Location, arcs: Arcs): TermId[] {
    return places.flatMap((p, i) => {
      const arc = arcs[i];
      return arc === undefined || arc.isAll ? [] : this.within(p, arc);
    });
  }

  /** That a variable is within an arc which is not empty: at most its last number, or below the next one. */
  within(place: TermId, arc: WrappedInterval, end: 'at most' | 'below' = 'at most'): TermId[] {
    const { terms } = this;
    const { width, constant } = arc;
    if (terms.sort(place) === terms.sorts.bool) return [constant === 1n ? place : terms.not(place)];
    if (constant !== undefined) return [terms.eq(terms.bv(width, constant), place)];
    const half = 1n << BigInt(width - 1);
    const above = (less: Op, greatest: bigint) =>
      end === 'below'
        ? terms.app(less, [place, this.number(width, greatest + 1n)])
        : terms.not(terms.app(less, [this.number(width, greatest), place]));
    const between = (less: Op, [least, greatest]: Range, [first, last]: Range): TermId[] => [
      ...(least > first ? [terms.not(terms.app(less, [place, this.number(width, least)]))] : []),
      ...(greatest < last ? [above(less, greatest)] : []),
    ];
    const signed = () => between(Op.BVSLT, arc.signed, [-half, half - 1n]);
    const unsigned = () => between(Op.BVULT, arc.unsigned, [0n, 2n * half - 1n]);
    const [first, second] = this.signed.has(width) ? [signed, unsigned] : [unsigned, signed];
    const said = first();
    const other = said.length > 0 ? said : second();
    if (other.length > 0) return other;
    // Not a range of either order: counted from its first number, it is one.
    const counted = terms.app(Op.BVADD, [this.number(width, -arc.low), place]);
    return [terms.not(terms.app(Op.BVULT, [this.number(width, arc.size - 1n), counted]))];
  }

  private number(width: number, value: bigint): TermId {
    return this.terms.bv(width, BigInt.asUintN(width, value));
  }
}
