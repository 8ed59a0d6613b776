/**
 * Bounds in a clause of an interpolant. A state of the rest of a path says that a term is at least (or at most) the value
 * that it has there; the steps before cannot reach that. Other states of the rest have other values: the bound is moved
 * to where it covers all of them that the steps before cannot reach, and no further, since a bound that says just what
 * the rest of the path needs is more often true of other paths than one that says what this one did.
 */
import type { Work } from '../../../sat/work.ts';
import { bigSigned } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';

/** Wider terms are not worth a question for each bit. */
const MAX_WIDTH = 64;

export class Bound {
  private readonly terms: TermStore;
  private readonly term: TermId;
  private readonly isSigned: boolean;
  private readonly isLower: boolean;
  private readonly value: bigint;

  constructor(terms: TermStore, term: TermId, isSigned: boolean, isLower: boolean, value: Value) {
    this.terms = terms;
    this.term = term;
    this.isSigned = isSigned;
    this.isLower = isLower;
    const v = BigInt(value as number | bigint);
    this.value = isSigned ? bigSigned(v, terms.width(term)) : v;
  }

  /** All bounds that a value is one for. */
  static ofValue(terms: TermStore, term: TermId, value: Value, signedFirst: boolean): Bound[] {
    return [signedFirst, !signedFirst].flatMap(isSigned =>
      [true, false].map(isLower => new Bound(terms, term, isSigned, isLower, value)),
    );
  }

  /** The term is at least or at most the value. */
  get literal(): TermId {
    return this.beyond(this.value);
  }

  /**
   * The bound as far out as it may go: the steps before cannot reach any value beyond, which `isUnreachable` tells of
   * a literal, and the rest of the path has its first value there, which `isImpossible` tells of literals.
   */
  *moved(
    isUnreachable: (literal: TermId) => Work<boolean>,
    isImpossible: (literals: readonly TermId[]) => Work<boolean>,
  ): Work<TermId> {
    if (this.terms.width(this.term) > MAX_WIDTH) return this.literal;
    const outmost = yield* farthest(this.value, this.end, v => isUnreachable(this.beyond(v)));
    const limit = this.beyond(outmost);
    return this.beyond(yield* farthest(outmost, this.value, v => isImpossible([limit, this.before(v)])));
  }

  /** As far out as the steps before allow, or where the first of some values is on the way there. */
  *movedTo(values: readonly bigint[], isUnreachable: (literal: TermId) => Work<boolean>): Work<TermId> {
    const { terms, term, value, isLower, isSigned } = this;
    const width = terms.width(term);
    if (width > MAX_WIDTH) return this.literal;
    const outmost = yield* farthest(value, this.end, v => isUnreachable(this.beyond(v)));
    const [low, high] = isLower ? [outmost, value] : [value, outmost];
    const read = (v: bigint) =>
      isSigned ? bigSigned(BigInt.asUintN(width, v), width) : BigInt.asUintN(width, v);
    return this.beyond(values.map(read).find(v => low <= v && v <= high) ?? outmost);
  }

  /** The value towards which the bound can move. */
  private get end(): bigint {
    const width = BigInt(this.terms.width(this.term));
    const least = this.isSigned ? -(1n << (width - 1n)) : 0n;
    return this.isLower ? least : least + (1n << width) - 1n;
  }

  private beyond(value: bigint): TermId {
    const { terms, term, isLower } = this;
    const constant = this.constant(value);
    return terms.not(terms.app(this.less, isLower ? [term, constant] : [constant, term]));
  }

  private before(value: bigint): TermId {
    const { terms, term, isLower } = this;
    const constant = this.constant(value);
    return terms.app(this.less, isLower ? [term, constant] : [constant, term]);
  }

  private get less(): Op {
    return this.isSigned ? Op.BVSLT : Op.BVULT;
  }

  private constant(value: bigint): TermId {
    const width = this.terms.width(this.term);
    return this.terms.bv(width, BigInt.asUintN(width, value));
  }
}

/** The value farthest from the first one, towards the second, up to which the test succeeds; it does at the first. */
function* farthest(first: bigint, last: bigint, test: (value: bigint) => Work<boolean>): Work<bigint> {
  if (first === last || (yield* test(last))) return last;
  let [good, bad] = [first, last];
  for (;;) {
    const middle = (good + bad) / 2n;
    if (middle === good || middle === bad) return good;
    if (yield* test(middle)) good = middle;
    else bad = middle;
  }
}
