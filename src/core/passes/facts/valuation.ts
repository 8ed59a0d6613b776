/**
 * What is known of the values of terms on an edge: arcs of variables, arcs of terms that follow from these, and what
 * formulas that hold say about both. A formula is taken in by what it says of the terms that it compares, and what a
 * sum, a difference or an extension is told is told to its parts. All of it is sound and none of it complete.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { application, bitsOf, truth } from './interval-operators.ts';
import { WrappedInterval } from './wrapped-interval.ts';

/** What one conjunct says can make another one say more; so often they are gone through. */
const MAX_ROUNDS = 3;

/** A disjunction is taken in case by case if it has no more cases, and none within cases. */
const MAX_CASES = 8;

/** How far down what is said of a term is told to its parts. */
const MAX_DEPTH = 6;

export class Valuation {
  private readonly rewriter: Rewriter;
  private readonly terms: TermStore;
  private readonly known: Map<TermId, WrappedInterval>;
  private derived = new Map<TermId, WrappedInterval | undefined>(); // not always by the latest of what is known
  private isStale = false; // not all of it is
  private isPossible = true;
  private readonly outer: Valuation | undefined; // of which this is a case

  constructor(rewriter: Rewriter, known: ReadonlyMap<TermId, WrappedInterval>, outer?: Valuation) {
    this.rewriter = rewriter;
    this.terms = rewriter.terms;
    this.known = new Map(known);
    this.outer = outer;
  }

  /** Has nothing been said that cannot be? */
  get isAlive(): boolean {
    return this.isPossible;
  }

  /** The arc of a term; undefined if its sort has none. */
  value(term: TermId): WrappedInterval | undefined {
    const { terms, derived, known, outer } = this;
    if (outer !== undefined) return known.get(term) ?? outer.value(term);
    if (derived.has(term)) return derived.get(term);
    for (const t of terms.postorder([term], derived)) {
      const bits = bitsOf(terms, t);
      if (bits === 0) {
        derived.set(t, undefined);
        continue;
      }
      const said = known.get(t);
      const computed = terms.isApplication(t)
        ? WrappedInterval.all(bits)
        : application(
            terms,
            t,
            terms.args(t).map(a => derived.get(a)),
          );
      derived.set(t, said === undefined ? computed : said.meet(computed));
      if (derived.get(t)?.isEmpty) return this.die(bits);
    }
    return derived.get(term);
  }

  private die(bits: number): WrappedInterval {
    this.isPossible = false;
    return WrappedInterval.none(bits);
  }

  /** These conjuncts hold. To derive all terms anew whenever something is said would be quadratic: this is done by rounds. */
  assume(conjuncts: readonly TermId[]): void {
    for (let round = 0; round < MAX_ROUNDS && this.isPossible; round++) {
      for (const f of conjuncts) this.take(f, true, 0);
      for (const f of conjuncts) this.takeCases(f);
      if (!this.isStale) return; // nothing was said that was not known
      this.isStale = false;
      this.derived = new Map();
    }
  }

  private take(formula: TermId, holds: boolean, depth: number): void {
    const { terms } = this;
    if (!this.isPossible || depth > MAX_DEPTH) return;
    const op = terms.op(formula);
    if (op === Op.NOT) {
      this.take(terms.arg(formula, 0), !holds, depth);
      return;
    }
    if ((op === Op.AND && holds) || (op === Op.OR && !holds)) {
      for (const part of terms.args(formula)) this.take(part, holds, depth + 1);
      return;
    }
    this.tell(formula, truth(holds), depth + 1);
    if (op === Op.EQ) this.takeEquality(terms.arg(formula, 0), terms.arg(formula, 1), holds, depth);
    if (op === Op.BVULT || op === Op.BVSLT) {
      const [a, b] = terms.args(formula);
      if (holds) this.takeOrder(a, b, 1n, op === Op.BVSLT, depth);
      else this.takeOrder(b, a, 0n, op === Op.BVSLT, depth);
    }
  }

  private takeEquality(a: TermId, b: TermId, holds: boolean, depth: number): void {
    const [x, y] = [this.value(a), this.value(b)];
    if (x === undefined || y === undefined || !this.isPossible) return;
    if (holds) {
      this.tell(a, y, depth);
      this.tell(b, x, depth);
      return;
    }
    this.tellOther(a, x, y, depth);
    this.tellOther(b, y, x, depth);
  }

  /** A term differs from another one: this says something if that is an end of its arc. */
  private tellOther(term: TermId, own: WrappedInterval, other: WrappedInterval, depth: number): void {
    const value = other.constant;
    if (value === undefined || !own.has(value)) return;
    const { width } = own;
    // The circle without the number is an arc, too.
    const rest = WrappedInterval.range(width, [value + 1n, value - 1n + (1n << BigInt(width))]);
    if (own.isAll || value === own.low || value === own.high) this.tell(term, own.meet(rest), depth);
  }

  /** One term and a distance are at most another term. */
  private takeOrder(a: TermId, b: TermId, distance: bigint, isSigned: boolean, depth: number): void {
    const [x, y] = [this.value(a), this.value(b)];
    if (x === undefined || y === undefined || !this.isPossible) return;
    const half = 1n << BigInt(x.width - 1);
    const [least, greatest] = isSigned ? [-half, half - 1n] : [0n, 2n * half - 1n];
    const [lower] = isSigned ? x.signed : x.unsigned;
    const [, upper] = isSigned ? y.signed : y.unsigned;
    this.tell(a, WrappedInterval.range(x.width, [least, upper - distance]), depth);
    this.tell(b, WrappedInterval.range(x.width, [lower + distance, greatest]), depth);
  }

  /** What all cases of a disjunction say that are possible. A case knows what is said in it, and takes the rest as it is outside. */
  private takeCases(formula: TermId): void {
    const { terms } = this;
    if (!this.isPossible || terms.op(formula) !== Op.OR || terms.arity(formula) > MAX_CASES) return;
    const cases = terms.args(formula).flatMap(part => {
      const valuation = new Valuation(this.rewriter, new Map(), this);
      for (const f of conjunctsOf(this.rewriter, [part])) valuation.take(f, true, 0);
      return valuation.isPossible ? [valuation] : [];
    });
    if (cases.length === 0) {
      this.isPossible = false;
      return;
    }
    const [first, ...others] = cases;
    for (const [term, arc] of first.known) {
      const joined = others.reduce((sum, c) => sum.join(c.value(term) as WrappedInterval), arc);
      if (this.isPossible) this.tell(term, joined, 0);
    }
  }

  /** A term has a value of this arc. */
  private tell(term: TermId, arc: WrappedInterval, depth: number): void {
    if (!this.isPossible || depth > MAX_DEPTH) return;
    const old = this.value(term);
    if (old === undefined || !this.isPossible) return;
    const now = old.meet(arc);
    if (now.isEmpty) this.isPossible = false;
    if (now.isEmpty || now.equals(old) || !old.contains(now)) return;
    this.known.set(term, now);
    this.derived.set(term, now);
    this.isStale = true;
    this.tellParts(term, now, depth + 1);
  }

  private tellParts(term: TermId, arc: WrappedInterval, depth: number): void {
    const { terms } = this;
    const [a, b, c] = terms.args(term);
    const [x, y, z] = terms.args(term).map(t => this.value(t));
    if (!this.isPossible || x === undefined) return;
    const narrowed = (image: WrappedInterval) => arc.meet(image).truncate(x.width);
    switch (terms.op(term)) {
      case Op.BVADD:
        this.tell(a, arc.sub(y as WrappedInterval), depth);
        this.tell(b, arc.sub(x), depth);
        break;
      case Op.BVSUB:
        this.tell(a, arc.add(y as WrappedInterval), depth);
        this.tell(b, x.sub(arc), depth);
        break;
      case Op.BVNEG:
        this.tell(a, arc.neg(), depth);
        break;
      case Op.BVNOT:
        this.tell(a, arc.not(), depth);
        break;
      case Op.ZERO_EXTEND:
        this.tell(a, narrowed(x.zeroExtend(arc.width)), depth);
        break;
      case Op.SIGN_EXTEND:
        this.tell(a, narrowed(x.signExtend(arc.width)), depth);
        break;
      case Op.ITE:
        if (y === undefined || z === undefined) break;
        if (arc.meet(y).isEmpty) {
          this.take(a, false, depth);
          this.tell(c, arc, depth);
        } else if (arc.meet(z).isEmpty) {
          this.take(a, true, depth);
          this.tell(b, arc, depth);
        }
        break;
      case Op.NOT:
      case Op.AND:
      case Op.OR:
      case Op.EQ:
      case Op.BVULT:
      case Op.BVSLT:
        if (arc.constant !== undefined) this.take(term, arc.constant === 1n, depth);
        break;
    }
  }
}
