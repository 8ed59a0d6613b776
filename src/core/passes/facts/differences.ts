/**
 * Comparisons of differences as comparisons of terms: `n - x < 1` says `n ≤ x` wherever nothing wraps, and only that way
 * does it have a bearing on what else is said of n and x. A side of a comparison is read as a linear form over integers;
 * if its range, by the arcs of its variables, fits the order's range, the side is the integer that the form says, and
 * the comparison can be written in any way that fits, too. So the new formula says the same as long as the arcs are true.
 *
 * Likewise `4 i = 4 j`, as addresses of elements are, says `i = j` if the difference of both sides, as an integer, is less than
 * 2^w whatever i and j are.
 */
import { bigSigned } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { TermMap } from '../../../term/term-map.ts';
import type { Range, WrappedInterval } from './wrapped-interval.ts';

/** A sum within so many sums is a term like any other. */
const MAX_DEPTH = 8;

/** The arc of a term. */
export type ArcOf = (term: TermId) => WrappedInterval;

/** constant + Σ coefficient · term */
interface Linear {
  readonly constant: bigint;
  readonly coefficients: ReadonlyMap<TermId, bigint>;
}

/** Is there a comparison of a sum or difference in a formula, or an equation of multiples? */
export function comparesSums(terms: TermStore, formula: TermId): boolean {
  return terms
    .postorder([formula])
    .some(
      t => (isComparison(terms, t) && terms.args(t).some(a => isSum(terms, a))) || isOfMultiples(terms, t),
    );
}

/** The formula with comparisons of sums in simpler words, where the arcs allow it. */
export function withoutDifferences(terms: TermStore, formula: TermId, arcOf: ArcOf): TermId {
  const images = new TermMap();
  for (const t of terms.postorder([formula])) {
    const args = terms.args(t);
    const own = args.map(a => images.get(a));
    const same = own.every((a, i) => a === args[i]) ? t : terms.withArgs(t, own);
    const isCompared = isComparison(terms, t) || isOfMultiples(terms, t);
    images.set(t, isCompared ? (new Comparison(terms, t, arcOf).simpler() ?? same) : same);
  }
  return images.get(formula);
}

function isComparison(terms: TermStore, t: TermId): boolean {
  const op = terms.op(t);
  return op === Op.BVULT || op === Op.BVSLT;
}

/** Is it an equation with a multiple, or a sum of one and a constant, on a side? */
function isOfMultiples(terms: TermStore, t: TermId): boolean {
  if (terms.op(t) !== Op.EQ) return false;
  const isMultiple = (a: TermId) => terms.op(a) === Op.BVMUL && terms.isConstant(terms.arg(a, 0));
  return terms
    .args(t)
    .some(a => isMultiple(a) || (terms.op(a) === Op.BVADD && terms.args(a).some(isMultiple)));
}

function isSum(terms: TermStore, t: TermId): boolean {
  const op = terms.op(t);
  return op === Op.BVADD || op === Op.BVSUB || op === Op.BVNEG || op === Op.BVMUL;
}

class Comparison {
  private readonly terms: TermStore;
  private readonly atom: TermId;
  private readonly arcOf: ArcOf;
  private readonly isSigned: boolean;
  private readonly width: number;
  private readonly order: Range; // the numbers that the order compares

  constructor(terms: TermStore, atom: TermId, arcOf: ArcOf) {
    this.terms = terms;
    this.atom = atom;
    this.arcOf = arcOf;
    this.isSigned = terms.op(atom) !== Op.BVULT;
    this.width = terms.width(terms.arg(atom, 0));
    const half = 1n << BigInt(this.width - 1);
    this.order = this.isSigned ? [-half, half - 1n] : [0n, 2n * half - 1n];
  }

  /** Undefined if there are no simpler words, or something may wrap. */
  simpler(): TermId | undefined {
    const { terms, atom } = this;
    const sides = terms.args(atom);
    if (!sides.some(a => isSum(terms, a))) return undefined;
    const [a, b] = sides.map(s => this.linear(s));
    const difference = combined(a, b, -1n);
    if (terms.op(atom) === Op.EQ) return this.zero(difference);
    if (!this.fits(a) || !this.fits(b)) return undefined;
    return this.negative(difference);
  }

  /** That a form is a multiple of 2^width, if it is one as an integer only where it is 0, and its coefficients have a divisor. */
  private zero(form: Linear): TermId | undefined {
    const { terms } = this;
    const [least, greatest] = this.rangeOf(form);
    const limit = 1n << BigInt(this.width);
    const parts = [...form.coefficients];
    const divisor = parts.reduce((g, [, c]) => gcd(g, c), 0n);
    if (divisor <= 1n || least <= -limit || greatest >= limit) return undefined;
    if (form.constant % divisor !== 0n) return terms.false;
    const constant = form.constant / divisor;
    const [[p, c], second] = parts.map(([t, k]) => [t, k / divisor] as const);
    if (c !== 1n && c !== -1n) return undefined;
    if (second === undefined) return terms.eq(p, this.number(-c * constant));
    if (parts.length > 2 || second[1] !== -c) return undefined;
    return terms.eq(p, constant === 0n ? second[0] : this.plus(second[0], -c * constant));
  }

  /** That a form, as an integer, is below zero. */
  private negative({ constant, coefficients }: Linear): TermId | undefined {
    const { terms } = this;
    const of = (coefficient: bigint) =>
      [...coefficients].filter(([, c]) => c === coefficient).map(([t]) => t);
    const [plus, minus] = [of(1n), of(-1n)];
    if (plus.length + minus.length < coefficients.size || plus.length > 1 || minus.length > 1)
      return undefined;
    const [p, q] = [plus[0], minus[0]] as readonly (TermId | undefined)[];
    if (p === undefined && q === undefined) return terms.bool(constant < 0n);
    if (q === undefined) return this.isBelow(p as TermId, -constant);
    if (p === undefined) return this.isAbove(q, constant);
    if (constant === 0n) return this.less(p, q);
    if (constant === -1n) return terms.not(this.less(q, p));
    // p + constant < q, or p < q - constant
    if (this.fits({ constant, coefficients: new Map([[p, 1n]]) }))
      return this.less(this.plus(p, constant), q);
    if (this.fits({ constant: -constant, coefficients: new Map([[q, 1n]]) }))
      return this.less(p, this.plus(q, -constant));
    return undefined;
  }

  private isBelow(t: TermId, limit: bigint): TermId {
    const [least, greatest] = this.order;
    if (limit > greatest || limit <= least) return this.terms.bool(limit > greatest);
    return this.less(t, this.number(limit));
  }

  private isAbove(t: TermId, limit: bigint): TermId {
    const [least, greatest] = this.order;
    if (limit < least || limit >= greatest) return this.terms.bool(limit < least);
    return this.less(this.number(limit), t);
  }

  private less(a: TermId, b: TermId): TermId {
    return this.terms.app(this.terms.op(this.atom), [a, b]);
  }

  private plus(t: TermId, n: bigint): TermId {
    return this.terms.app(Op.BVADD, [this.number(n), t]);
  }

  private number(n: bigint): TermId {
    return this.terms.bv(this.width, BigInt.asUintN(this.width, n));
  }

  /** Has the form no value outside of the order's numbers? */
  private fits(form: Linear): boolean {
    const [least, greatest] = this.rangeOf(form);
    return least >= this.order[0] && greatest <= this.order[1];
  }

  private rangeOf({ constant, coefficients }: Linear): Range {
    let [least, greatest] = [constant, constant];
    for (const [t, c] of coefficients) {
      const arc = this.arcOf(t);
      const [low, high] = this.isSigned ? arc.signed : arc.unsigned;
      least += c > 0n ? c * low : c * high;
      greatest += c > 0n ? c * high : c * low;
    }
    return [least, greatest];
  }

  /** A form that a term is equal to modulo 2^width. */
  private linear(t: TermId, depth = 0): Linear {
    const { terms, width } = this;
    const args = terms.args(t);
    const of = (i: number) => this.linear(args[i], depth + 1);
    switch (depth < MAX_DEPTH || terms.isConstant(t) ? terms.op(t) : Op.APPLY) {
      case Op.BV_CONST: {
        const value = BigInt(terms.bvValue(t));
        return { constant: this.isSigned ? bigSigned(value, width) : value, coefficients: new Map() };
      }
      case Op.BVADD:
        // As an unsigned number, -1 is added where 1 is taken away.
        if (terms.isConstant(args[0]))
          return combined({ constant: this.added(args[0]), coefficients: new Map() }, of(1), 1n);
        return combined(of(0), of(1), 1n);
      case Op.BVSUB:
        return combined(of(0), of(1), -1n);
      case Op.BVNEG:
        return combined({ constant: 0n, coefficients: new Map() }, of(0), -1n);
      case Op.BVMUL:
        if (terms.isConstant(args[0]))
          return combined({ constant: 0n, coefficients: new Map() }, of(1), this.added(args[0]));
        break;
    }
    return { constant: 0n, coefficients: new Map([[t, 1n]]) };
  }

  private added(constant: TermId): bigint {
    return bigSigned(BigInt(this.terms.bvValue(constant)), this.width);
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** a + factor · b */
function combined(a: Linear, b: Linear, factor: bigint): Linear {
  const coefficients = new Map(a.coefficients);
  for (const [t, c] of b.coefficients) {
    const sum = (coefficients.get(t) ?? 0n) + factor * c;
    if (sum === 0n) coefficients.delete(t);
    else coefficients.set(t, sum);
  }
  return { constant: a.constant + factor * b.constant, coefficients };
}
