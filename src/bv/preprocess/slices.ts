/**
 * Variables of which some bits are said to equal something: they are put together from these values and
 * fresh variables for the bits between them.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';

export interface Slice {
  readonly high: number;
  readonly low: number;
  readonly value: TermId;
}

export class Slicer {
  private readonly rewriter: Rewriter;
  /** Made once: asking the same question again and again must not declare symbols without end. */
  private readonly pieces = new Map<string, TermId>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /** What the variable is, if its bits are as the slices say; no two of these overlap. */
  assemble(variable: TermId, slices: readonly Slice[]): TermId {
    const { rewriter } = this;
    const parts: TermId[] = []; // from the lowest to the highest
    let low = 0;
    for (const slice of [...slices].sort((a, b) => a.low - b.low)) {
      if (slice.low > low) parts.push(this.piece(variable, slice.low - 1, low));
      parts.push(slice.value);
      low = slice.high + 1;
    }
    const width = rewriter.terms.width(variable);
    if (low < width) parts.push(this.piece(variable, width - 1, low));
    return parts.reduce((right, left) => rewriter.mk(Op.CONCAT, [left, right]));
  }

  /** The variable for some bits of a variable. */
  private piece(variable: TermId, high: number, low: number): TermId {
    const { terms } = this.rewriter;
    const key = `${variable} ${high} ${low}`;
    let piece = this.pieces.get(key);
    if (piece === undefined) {
      const name = terms.nameOf(variable);
      piece = terms.variable(`${name}[${high}:${low}]`, terms.sorts.bitVec(high - low + 1));
      this.pieces.set(key, piece);
    }
    return piece;
  }
}

/** As many of the slices as do not overlap, those that were there first; and the others. */
export function withoutOverlaps<S extends Slice>(slices: readonly S[]): { taken: S[]; left: S[] } {
  const taken: S[] = [];
  const left: S[] = [];
  const bits = new Set<number>(); // those of the slices taken
  for (const slice of slices) {
    let isClear = true;
    for (let i = slice.low; i <= slice.high && isClear; i++) isClear = !bits.has(i);
    if (isClear) for (let i = slice.low; i <= slice.high; i++) bits.add(i);
    (isClear ? taken : left).push(slice);
  }
  return { taken, left };
}
