/**
 * Expensive operators on demand: products, quotients and remainders of wide vectors are read as unknowns, and get
 * lemmas only when a model breaks their meaning: first schemas that hold for all values (units, powers of two,
 * bounds), then the value at the model's arguments, and after some of those the whole circuit (after Niemetz,
 * Preiner and Zohar, "Scalable Bit-Blasting with Abstractions", CAV 2024). Signed division is defined through
 * unsigned division by its first lemma.
 */
import { bigMask } from '../term/bitvector.ts';
import { applyOperator } from '../term/evaluator.ts';
import { Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { sameValue } from '../term/value.ts';
import type { Reading } from './lemmas/lemmas.ts';

/** Lemmas about one value each before the circuit is built. */
const VALUE_LEMMAS = 4;

const ABSTRACTED: ReadonlySet<Op> = new Set([
  Op.BVMUL,
  Op.BVUDIV,
  Op.BVUREM,
  Op.BVSDIV,
  Op.BVSREM,
  Op.BVSMOD,
]);

export interface Refinement {
  readonly lemmas: TermId[];
  /** Terms whose unknown has to be equated with their circuit. */
  readonly expanded: TermId[];
}

export class Abstraction {
  readonly stats = { schemaLemmas: 0, valueLemmas: 0, circuits: 0 };
  private readonly terms: TermStore;
  private readonly width: number;
  private readonly learnt = new Set<TermId>(); // schema instances that are lemmas already
  private readonly valueLemmas = new Map<TermId, number>(); // how many each term has had
  private readonly expanded = new Set<TermId>();

  /** Operators on vectors of at least this width are abstracted. */
  constructor(terms: TermStore, width: number) {
    this.terms = terms;
    this.width = width;
  }

  isAbstract(t: TermId): boolean {
    const { terms } = this;
    if (!ABSTRACTED.has(terms.op(t)) || terms.width(t) < this.width) return false;
    return !terms.isConstant(terms.arg(t, 0)) && !terms.isConstant(terms.arg(t, 1));
  }

  /** What the reading breaks about the abstracted terms among the unknowns. */
  check(unknowns: readonly TermId[], reading: Reading): Refinement {
    const refinement: Refinement = { lemmas: [], expanded: [] };
    for (const t of unknowns) {
      if (!this.isAbstract(t) || this.expanded.has(t)) continue;
      const args = this.terms.args(t).map(reading);
      const value = applyOperator(this.terms, t, args);
      if (!sameValue(value, reading(t))) this.refine(t, reading, refinement);
    }
    return refinement;
  }

  /** The unknown of a term has been equated with its circuit: nothing is left to be said about it. */
  markExpanded(t: TermId): void {
    this.stats.circuits++;
    this.expanded.add(t);
  }

  private refine(t: TermId, reading: Reading, { lemmas, expanded }: Refinement): void {
    const { terms, stats } = this;
    const schemas = this.schemas(t, reading).filter(lemma => !this.learnt.has(lemma));
    if (schemas.length > 0) {
      for (const lemma of schemas) this.learnt.add(lemma);
      stats.schemaLemmas += schemas.length;
      lemmas.push(...schemas);
      return;
    }
    const count = (this.valueLemmas.get(t) ?? 0) + 1;
    this.valueLemmas.set(t, count);
    if (count > VALUE_LEMMAS) {
      expanded.push(t);
      return;
    }
    stats.valueLemmas++;
    const width = terms.width(t);
    const [a, b] = terms.args(t);
    const [x, y] = [a, b].map(arg => terms.bv(width, reading(arg) as number | bigint));
    const result = terms.bv(width, applyOperator(terms, t, [a, b].map(reading)) as number | bigint);
    lemmas.push(this.implies([terms.eq(a, x), terms.eq(b, y)], terms.eq(t, result)));
  }

  /** Instances of schemas that speak about the model at hand, valid for all values. */
  private schemas(t: TermId, reading: Reading): TermId[] {
    const [a, b] = this.terms.args(t);
    const [x, y] = [a, b].map(arg => BigInt(reading(arg) as number | bigint));
    switch (this.terms.op(t)) {
      case Op.BVMUL:
        return [...this.factor(t, a, b, x), ...this.factor(t, b, a, y), this.lowestBit(t, a, b)];
      case Op.BVUDIV:
        return this.quotient(t, a, b, x, y);
      case Op.BVUREM:
        return this.remainder(t, a, b, x, y);
      default:
        return [this.signedDefinition(t, a, b)];
    }
  }

  /** About a product whose factor a has the value x. */
  private factor(t: TermId, a: TermId, b: TermId, x: bigint): TermId[] {
    const { terms } = this;
    const width = terms.width(t);
    const constant = (value: bigint) => terms.bv(width, value);
    // The product has at least as many trailing zeros as the factor: a | -a has ones from its lowest one upwards.
    const upwards = terms.app(Op.BVOR, [a, terms.app(Op.BVNEG, [a])]);
    const lemmas = [terms.eq(terms.app(Op.BVAND, [t, upwards]), t)];
    if (x === 0n) lemmas.push(this.implies([terms.eq(a, constant(0n))], terms.eq(t, constant(0n))));
    if (x === bigMask(width)) {
      lemmas.push(this.implies([terms.eq(a, constant(x))], terms.eq(t, terms.app(Op.BVNEG, [b]))));
    }
    const exponent = exponentOf(x);
    if (exponent !== undefined) {
      const shifted = terms.app(Op.BVSHL, [b, constant(BigInt(exponent))]);
      lemmas.push(this.implies([terms.eq(a, constant(x))], terms.eq(t, shifted)));
    }
    return lemmas;
  }

  /** A product is odd exactly if both factors are. */
  private lowestBit(t: TermId, a: TermId, b: TermId): TermId {
    const { terms } = this;
    const lowest = (of: TermId) => terms.app(Op.EXTRACT, [of], [0, 0]);
    return terms.eq(lowest(t), terms.app(Op.BVAND, [lowest(a), lowest(b)]));
  }

  private quotient(t: TermId, a: TermId, b: TermId, x: bigint, y: bigint): TermId[] {
    const { terms } = this;
    const width = terms.width(t);
    const constant = (value: bigint) => terms.bv(width, value);
    const isZero = terms.eq(b, constant(0n));
    if (y === 0n) return [this.implies([isZero], terms.eq(t, constant(-1n)))];
    const lemmas = [terms.or([isZero, terms.app(Op.BVULE, [t, a])])];
    if (x < y) lemmas.push(this.implies([terms.app(Op.BVULT, [a, b])], terms.eq(t, constant(0n))));
    if (x === y) lemmas.push(terms.or([isZero, terms.not(terms.eq(a, b)), terms.eq(t, constant(1n))]));
    const exponent = exponentOf(y);
    if (exponent !== undefined) {
      const shifted = terms.app(Op.BVLSHR, [a, constant(BigInt(exponent))]);
      lemmas.push(this.implies([terms.eq(b, constant(y))], terms.eq(t, shifted)));
    }
    return lemmas;
  }

  private remainder(t: TermId, a: TermId, b: TermId, x: bigint, y: bigint): TermId[] {
    const { terms } = this;
    const width = terms.width(t);
    const constant = (value: bigint) => terms.bv(width, value);
    const isZero = terms.eq(b, constant(0n));
    if (y === 0n) return [this.implies([isZero], terms.eq(t, a))];
    const lemmas = [terms.app(Op.BVULE, [t, a]), terms.or([isZero, terms.app(Op.BVULT, [t, b])])];
    if (x < y) lemmas.push(this.implies([terms.app(Op.BVULT, [a, b])], terms.eq(t, a)));
    if (exponentOf(y) !== undefined) {
      const low = terms.app(Op.BVAND, [a, constant(y - 1n)]);
      lemmas.push(this.implies([terms.eq(b, constant(y))], terms.eq(t, low)));
    }
    return lemmas;
  }

  /** Signed division and its kin through unsigned division, as SMT-LIB defines them. */
  private signedDefinition(t: TermId, a: TermId, b: TermId): TermId {
    const { terms } = this;
    const zero = terms.bv(terms.width(t), 0);
    const negative = (of: TermId) => terms.app(Op.BVSLT, [of, zero]);
    const negated = (of: TermId) => terms.app(Op.BVNEG, [of]);
    const absolute = (of: TermId) => terms.ite(negative(of), negated(of), of);
    const op = terms.op(t) === Op.BVSDIV ? Op.BVUDIV : Op.BVUREM;
    const unsigned = terms.app(op, [absolute(a), absolute(b)]);
    if (terms.op(t) === Op.BVSDIV) {
      const differ = terms.app(Op.XOR, [negative(a), negative(b)]);
      return terms.eq(t, terms.ite(differ, negated(unsigned), unsigned));
    }
    const remainder = terms.ite(negative(a), negated(unsigned), unsigned);
    if (terms.op(t) === Op.BVSREM) return terms.eq(t, remainder);
    const keep = terms.or([terms.eq(unsigned, zero), terms.eq(negative(a), negative(b))]);
    return terms.eq(t, terms.ite(keep, remainder, terms.app(Op.BVADD, [remainder, b])));
  }

  private implies(premises: readonly TermId[], conclusion: TermId): TermId {
    const { terms } = this;
    return terms.or([...premises.map(p => terms.not(p)), conclusion]);
  }
}

/** n where the value is 2^n. */
function exponentOf(value: bigint): number | undefined {
  if (value === 0n || (value & (value - 1n)) !== 0n) return undefined;
  return value.toString(2).length - 1;
}
