/**
 * What is known of a term's values: the least and the greatest that were seen, in the unsigned and in the signed order.
 * As long as there was but one, the term is said to equal it; later, to lie between the bounds.
 */
import { bigSigned } from '../../../../term/bitvector.ts';
import { Op } from '../../../../term/operators.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import type { Value } from '../../../../term/value.ts';

/** Extended so often, a range is given up: the term may well have any value. */
const MAX_EXTENSIONS = 8;

export class Range {
  readonly term: TermId;
  private readonly terms: TermStore;
  private readonly width: number;
  private extensions = 0;
  private least: bigint; // unsigned
  private greatest: bigint;
  private signedLeast: bigint;
  private signedGreatest: bigint;

  constructor(terms: TermStore, term: TermId, value: Value) {
    this.terms = terms;
    this.term = term;
    this.width = terms.width(term);
    const v = BigInt(value as number | bigint);
    this.least = this.greatest = v;
    this.signedLeast = this.signedGreatest = bigSigned(v, this.width);
  }

  /** Takes in another value; false if the range is no longer worth its while. */
  extend(value: Value): boolean {
    const v = BigInt(value as number | bigint);
    const s = bigSigned(v, this.width);
    const isInside =
      v >= this.least && v <= this.greatest && s >= this.signedLeast && s <= this.signedGreatest;
    if (isInside) return true;
    if (v < this.least) this.least = v;
    if (v > this.greatest) this.greatest = v;
    if (s < this.signedLeast) this.signedLeast = s;
    if (s > this.signedGreatest) this.signedGreatest = s;
    return ++this.extensions <= MAX_EXTENSIONS;
  }

  /** What the range says, as literals. */
  literals(): TermId[] {
    const { terms, term, width } = this;
    const constant = (value: bigint) => terms.bv(width, value);
    if (this.least === this.greatest) return [terms.eq(constant(this.least), term)];
    const within = (less: Op, low: bigint, high: bigint) => [
      terms.not(terms.app(less, [constant(high), term])),
      terms.not(terms.app(less, [term, constant(low)])),
    ];
    return [
      ...within(Op.BVULT, this.least, this.greatest),
      ...within(Op.BVSLT, this.signedLeast, this.signedGreatest),
    ];
  }
}
