/**
 * The lower bits of terms. Sums, products and bitwise operators have the lower bits that they have of the lower bits of their
 * arguments, so that a counter whose values are kept in few bits is counted up in few bits.
 */
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId } from '../../../term/store.ts';

const LOWER_OF_LOWER: ReadonlySet<Op> = new Set([
  Op.BVADD,
  Op.BVSUB,
  Op.BVNEG,
  Op.BVMUL,
  Op.BVNOT,
  Op.BVAND,
  Op.BVOR,
  Op.BVXOR,
  Op.ITE,
]);

export class Truncation {
  private readonly rewriter: Rewriter;
  private readonly images = new Map<number, Map<TermId, TermId>>(); // by width

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /** So many lower bits of a term in normal form. */
  of(term: TermId, width: number): TermId {
    const known = this.images.get(width);
    const images = known ?? new Map<TermId, TermId>();
    if (known === undefined) this.images.set(width, images);
    const stack = [term];
    for (let t = stack.at(-1); t !== undefined; t = stack.at(-1)) {
      const open = images.has(t) ? [] : this.parts(t).filter(a => !images.has(a));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      stack.pop();
      if (!images.has(t)) images.set(t, this.made(t, width, images));
    }
    return images.get(term) as TermId;
  }

  /** The arguments of which the lower bits are asked for. */
  private parts(t: TermId): readonly TermId[] {
    const { terms } = this.rewriter;
    const op = terms.op(t);
    if (!LOWER_OF_LOWER.has(op)) return [];
    return op === Op.ITE ? terms.args(t).slice(1) : terms.args(t);
  }

  private made(t: TermId, width: number, images: ReadonlyMap<TermId, TermId>): TermId {
    const { rewriter } = this;
    const { terms } = rewriter;
    const parts = this.parts(t).map(a => images.get(a) as TermId);
    if (parts.length === 0) return rewriter.mk(Op.EXTRACT, [t], [width - 1, 0]);
    const op = terms.op(t);
    return rewriter.mk(op, op === Op.ITE ? [terms.arg(t, 0), ...parts] : parts);
  }
}
