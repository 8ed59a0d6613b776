/**
 * Operations that are refined again and again are made concrete (dissertation 6.2): from then on the abstraction knows
 * the operation's bits. What it learns are valid formulas that say what each bit of the result is, in terms of the bits
 * of the arguments; a bit of a term is an extraction from it, which is a term like any other. Nothing else in the
 * abstraction changes, and the evidence stays what it was: an invariant with valid lemmas.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { type Renaming, unpriming } from '../system/renaming.ts';
import type { StateVariable } from '../system/system.ts';

/** Products wider than this stay abstract: their circuits are too large. */
const MAX_PRODUCT = 16;

export class Concretizer {
  readonly concrete = new Set<TermId>(); // operations, over current variables where possible
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly unprime: Renaming;
  private readonly threshold: number;
  private readonly counts = new Map<TermId, number>(); // of lemmas that speak of an operation

  constructor(rewriter: Rewriter, states: readonly StateVariable[], threshold: number) {
    this.terms = rewriter.terms;
    this.rewriter = rewriter;
    this.unprime = unpriming(rewriter.terms, states);
    this.threshold = threshold;
  }

  /** Takes note of a lemma; formulas about the operations that it was one lemma too many for. */
  note(lemma: TermId): TermId[] {
    const { terms, counts, threshold, concrete } = this;
    if (threshold === 0) return [];
    const formulas: TermId[] = [];
    for (const t of terms.postorder([this.unprime.apply(lemma)])) {
      if (concrete.has(t) || !isOperation(terms, t)) continue;
      const count = (counts.get(t) ?? 0) + 1;
      counts.set(t, count);
      if (count < threshold) continue;
      concrete.add(t);
      formulas.push(...this.meaning(t));
    }
    return formulas;
  }

  /** What each bit of an operation, or its truth, is. */
  private meaning(t: TermId): TermId[] {
    const { terms, rewriter } = this;
    const circuit = new Circuit(rewriter);
    if (terms.sort(t) === terms.sorts.bool) return [terms.eq(t, circuit.truth(t))];
    const formulas = circuit.result(t).map((value, i) => terms.eq(circuit.bit(t, i), value));
    return formulas.filter(f => f !== terms.true); // an extraction may be its own circuit in normal form
  }
}

const PREDICATES: ReadonlySet<Op> = new Set([Op.BVULT, Op.BVSLT]);
const FUNCTIONS: ReadonlySet<Op> = new Set([
  Op.BVADD,
  Op.BVNEG,
  Op.BVMUL,
  Op.BVNOT,
  Op.BVAND,
  Op.BVOR,
  Op.BVXOR,
  Op.BVSHL,
  Op.BVLSHR,
  Op.BVASHR,
]);

function isOperation(terms: TermStore, t: TermId): boolean {
  const op = terms.op(t);
  if (op === Op.EQ) return terms.width(terms.arg(t, 0)) > 1;
  if (op === Op.BVMUL && terms.width(t) > MAX_PRODUCT) return false;
  return PREDICATES.has(op) || FUNCTIONS.has(op);
}

/** Boolean formulas over bits. */
class Circuit {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;

  constructor(rewriter: Rewriter) {
    this.terms = rewriter.terms;
    this.rewriter = rewriter;
  }

  /** A bit of a term: what the term's wiring says it is, or that its extraction is one. */
  bit(t: TermId, i: number): TermId {
    const { terms, rewriter } = this;
    const extracted = terms.width(t) === 1 ? t : rewriter.mk(Op.EXTRACT, [t], [i, i]);
    return rewriter.mk(Op.EQ, [terms.bv(1, 1), extracted]);
  }

  bits(t: TermId): TermId[] {
    return Array.from({ length: this.terms.width(t) }, (_, i) => this.bit(t, i));
  }

  /** What an equation or a comparison says. */
  truth(t: TermId): TermId {
    const { terms } = this;
    const [a, b] = terms.args(t).map(x => this.bits(x));
    if (terms.op(t) === Op.EQ) return this.and(a.map((x, i) => this.same(x, b[i])));
    if (terms.op(t) === Op.BVSLT) {
      const top = a.length - 1; // the sign: compared the other way round
      [a[top], b[top]] = [b[top], a[top]];
    }
    return this.isLess(a, b);
  }

  /** The bits of the result of an operation. */
  result(t: TermId): TermId[] {
    const { terms } = this;
    const [a, b] = terms.args(t).map(x => this.bits(x));
    switch (terms.op(t)) {
      case Op.BVNOT:
        return a.map(x => this.not(x));
      case Op.BVAND:
        return a.map((x, i) => this.and([x, b[i]]));
      case Op.BVOR:
        return a.map((x, i) => this.or([x, b[i]]));
      case Op.BVXOR:
        return a.map((x, i) => this.not(this.same(x, b[i])));
      case Op.BVADD:
        return this.sum(a, b, terms.false);
      case Op.BVNEG:
        return this.sum(
          a.map(x => this.not(x)),
          a.map(() => terms.false),
          terms.true,
        );
      case Op.BVMUL:
        return this.product(a, b);
      case Op.BVSHL:
        return this.shifted([...a].reverse(), b, terms.false).reverse();
      case Op.BVLSHR:
        return this.shifted(a, b, terms.false);
      case Op.BVASHR:
        return this.shifted(a, b, a[a.length - 1]);
      default:
        throw new Error('this operation has no circuit');
    }
  }

  private isLess(a: readonly TermId[], b: readonly TermId[]): TermId {
    let less: TermId = this.terms.false;
    for (const [i, x] of a.entries()) {
      const y = b[i];
      less = this.or([this.and([this.not(x), y]), this.and([this.same(x, y), less])]);
    }
    return less;
  }

  private sum(a: readonly TermId[], b: readonly TermId[], carryIn: TermId): TermId[] {
    let carry = carryIn;
    return a.map((x, i) => {
      const y = b[i];
      const result = this.not(this.same(this.not(this.same(x, y)), carry));
      carry = this.or([this.and([x, y]), this.and([x, carry]), this.and([y, carry])]);
      return result;
    });
  }

  private product(a: readonly TermId[], b: readonly TermId[]): TermId[] {
    const { terms } = this;
    let total: TermId[] = a.map(() => terms.false);
    for (const [i, y] of b.entries()) {
      const row = a.map((_, j) => (j < i ? terms.false : this.and([a[j - i], y])));
      total = this.sum(total, row, terms.false);
    }
    return total;
  }

  /** Bits moved down by an amount, the place of those that are missing taken by a filling. */
  private shifted(a: readonly TermId[], amount: readonly TermId[], fill: TermId): TermId[] {
    const width = a.length;
    const isTooFar: TermId[] = [];
    let current = [...a];
    for (const [k, isSet] of amount.entries()) {
      const distance = 2 ** k;
      if (distance >= width) {
        isTooFar.push(isSet);
        continue;
      }
      current = current.map((x, i) => this.choice(isSet, current[i + distance] ?? fill, x));
    }
    const empty = this.or(isTooFar);
    return current.map(x => this.choice(empty, fill, x));
  }

  private not(x: TermId): TermId {
    return this.rewriter.not(x);
  }

  private and(xs: readonly TermId[]): TermId {
    return this.rewriter.mk(Op.AND, xs);
  }

  private or(xs: readonly TermId[]): TermId {
    return this.rewriter.mk(Op.OR, xs);
  }

  private same(x: TermId, y: TermId): TermId {
    return this.rewriter.mk(Op.EQ, [x, y]);
  }

  private choice(c: TermId, x: TermId, y: TermId): TermId {
    return this.rewriter.mk(Op.ITE, [c, x, y]);
  }
}
