/**
 * Equations between sums of products: brought into the form of polynomials modulo 2^w, so that what stands on both
 * sides cancels and laws of arithmetic need no multiplier. An equation is replaced only if that decides it or
 * leaves fewer products and not more summands, since multiplying out can also make terms larger.
 *
 * A polynomial is a map from monomials to coefficients other than zero; a monomial is a product of atoms, that is of
 * terms that are neither sums nor products.
 */
import { bigMask } from '../../term/bitvector.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';

/** Beyond so many monomials a term is taken as an atom. */
const MAX_MONOMIALS = 48;

/** And beyond so many factors in one monomial: squares of squares, as unrolled loops have them, double it each time. */
const MAX_DEGREE = 16;

interface Monomial {
  readonly atoms: readonly TermId[]; // in ascending order, repeated as often as they are factors
  readonly coefficient: bigint;
}

/** By the atoms, written as text. */
type Polynomial = ReadonlyMap<string, Monomial>;

const ARITHMETIC: ReadonlySet<Op> = new Set([Op.BVADD, Op.BVSUB, Op.BVNEG, Op.BVNOT, Op.BVMUL, Op.BVSHL]);

export class Polynomials {
  private readonly rewriter: Rewriter;
  private readonly terms: TermStore;
  private readonly polynomials = new Map<TermId, Polynomial>();
  private readonly earlier = new Map<TermId, TermId>(); // equations by what they are when multiplied out

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
    this.terms = rewriter.terms;
  }

  /** The formulas with simpler equations in them; nothing if no equation gets simpler. */
  simplifyAll(formulas: readonly TermId[]): TermId[] | undefined {
    const { terms, rewriter } = this;
    const simpler = new Map<TermId, TermId>();
    for (const t of terms.postorder(formulas)) {
      const result = terms.op(t) === Op.EQ ? this.simplify(t) : undefined;
      if (result !== undefined && result !== t) simpler.set(t, result);
    }
    if (simpler.size === 0) return undefined;
    return substituteAll(terms, formulas, simpler).map(f => rewriter.rewrite(f));
  }

  /** What an equation is equivalent to, if that is simpler. */
  simplify(equation: TermId): TermId | undefined {
    const { terms } = this;
    const [left, right] = terms.args(equation);
    if (terms.width(left) === 0 || !this.hasProduct(left, right)) return undefined;
    const width = terms.width(left);
    const [p, q] = [this.polynomial(left), this.polynomial(right)];
    const difference = combined(p, q, -1n, width);
    if (difference.size === 0) return terms.true;
    if (isNeverZero(difference)) return terms.false;
    const products = [...difference.values()].filter(m => m.atoms.length > 1).length;
    const isSmaller = products < this.productCount(equation) && difference.size < p.size + q.size;
    return isSmaller ? this.equation(difference, width) : undefined;
  }

  /** a - b, multiplied out: what stands in both cancels. */
  difference(a: TermId, b: TermId): TermId {
    const width = this.terms.width(a);
    const monomials = combined(this.polynomial(a), this.polynomial(b), -1n, width);
    return this.sum([...monomials.values()], width);
  }

  /** A formula whose equations are earlier ones of other formulas, where they differ from these in nothing but what cancels. */
  withEarlierEquations(formula: TermId): TermId {
    const { terms, rewriter, earlier } = this;
    const images = new Map<TermId, TermId>();
    for (const t of terms.postorder([formula])) {
      if (terms.op(t) !== Op.EQ || terms.width(terms.arg(t, 0)) <= 1) continue;
      const normal = this.normalEquation(t);
      const known = terms.isConstant(normal) ? normal : earlier.get(normal);
      if (known === undefined) earlier.set(normal, t);
      else if (known !== t) images.set(t, known);
    }
    return images.size === 0 ? formula : rewriter.rewrite(substitute(terms, formula, images));
  }

  private normalEquation(equation: TermId): TermId {
    const { terms } = this;
    const [left, right] = terms.args(equation);
    if (![left, right].some(t => ARITHMETIC.has(terms.op(t)))) return equation;
    const width = terms.width(left);
    const difference = combined(this.polynomial(left), this.polynomial(right), -1n, width);
    if (difference.size === 0) return terms.true;
    if (isNeverZero(difference)) return terms.false;
    const inOrder = [...difference].sort(([a], [b]) => (a < b ? -1 : 1));
    // Of a polynomial and its negation, that which begins with a smaller coefficient.
    const isNegative = inOrder[0][1].coefficient > 1n << BigInt(width - 1);
    const polynomial: Polynomial = new Map(inOrder);
    return this.equation(isNegative ? combined(new Map(), polynomial, -1n, width) : polynomial, width);
  }

  private hasProduct(...sides: readonly TermId[]): boolean {
    return this.arithmeticTerms(sides).some(t => this.terms.op(t) === Op.BVMUL);
  }

  private productCount(equation: TermId): number {
    const { terms } = this;
    const products = this.arithmeticTerms(terms.args(equation)).filter(t => terms.op(t) === Op.BVMUL);
    return products.filter(t => !terms.isConstant(terms.arg(t, 0))).length;
  }

  /** The sums and products below some terms, down to their atoms. */
  private arithmeticTerms(roots: readonly TermId[]): TermId[] {
    const { terms } = this;
    return terms.postorder(roots, { has: t => !ARITHMETIC.has(terms.op(t)) });
  }

  private polynomial(root: TermId): Polynomial {
    const { polynomials } = this;
    for (const t of this.arithmeticTerms([root])) {
      if (!polynomials.has(t)) polynomials.set(t, this.step(t));
    }
    return this.known(root);
  }

  private known(t: TermId): Polynomial {
    return this.polynomials.get(t) ?? this.atom(t);
  }

  private step(t: TermId): Polynomial {
    const { terms } = this;
    const width = terms.width(t);
    const [p, q] = terms.args(t).map(a => this.known(a));
    const sum = this.sumOrProduct(t, p, q, width);
    return sum === undefined || sum.size > MAX_MONOMIALS ? this.atom(t) : sum;
  }

  private sumOrProduct(t: TermId, p: Polynomial, q: Polynomial, width: number): Polynomial | undefined {
    const { terms } = this;
    const nothing: Polynomial = new Map();
    switch (terms.op(t)) {
      case Op.BVADD:
        return combined(p, q, 1n, width);
      case Op.BVSUB:
        return combined(p, q, -1n, width);
      case Op.BVNEG:
        return combined(nothing, p, -1n, width);
      case Op.BVNOT: // -x - 1
        return combined(constant(-1n, width), p, -1n, width);
      case Op.BVMUL:
        if (p.size * q.size > MAX_MONOMIALS || degree(p) + degree(q) > MAX_DEGREE) return undefined;
        return product(p, q, width);
      default: {
        const by = terms.arg(t, 1);
        if (!terms.isConstant(by) || BigInt(terms.bvValue(by)) >= BigInt(width)) return undefined;
        return combined(nothing, p, 1n << BigInt(terms.bvValue(by)), width);
      }
    }
  }

  private atom(t: TermId): Polynomial {
    const { terms } = this;
    if (terms.isConstant(t)) return constant(BigInt(terms.bvValue(t)), terms.width(t));
    return new Map([[`${t}`, { atoms: [t], coefficient: 1n }]]);
  }

  /** The polynomial equals zero, written with coefficients below half of 2^w on the left and the others on the right. */
  private equation(p: Polynomial, width: number): TermId {
    const half = 1n << BigInt(width - 1);
    const [left, right]: Monomial[][] = [[], []];
    for (const { atoms, coefficient } of p.values()) {
      if (coefficient < half) left.push({ atoms, coefficient });
      else right.push({ atoms, coefficient: bigMask(width) + 1n - coefficient });
    }
    return this.rewriter.mk(Op.EQ, [this.sum(left, width), this.sum(right, width)]);
  }

  private sum(monomials: readonly Monomial[], width: number): TermId {
    const { rewriter, terms } = this;
    const products = monomials.map(({ atoms, coefficient }) => {
      const factors = atoms.reduce<TermId | undefined>(
        (p, a) => (p === undefined ? a : rewriter.mk(Op.BVMUL, [p, a])),
        undefined,
      );
      const scale = terms.bv(width, coefficient);
      return factors === undefined ? scale : rewriter.mk(Op.BVMUL, [scale, factors]);
    });
    return products.reduce((s, p) => rewriter.mk(Op.BVADD, [s, p]), terms.bv(width, 0));
  }
}

function constant(value: bigint, width: number): Polynomial {
  const coefficient = BigInt.asUintN(width, value);
  return coefficient === 0n ? new Map() : new Map([['', { atoms: [], coefficient }]]);
}

/** p + factor · q */
function combined(p: Polynomial, q: Polynomial, factor: bigint, width: number): Polynomial {
  const sum = new Map(p);
  for (const [key, { atoms, coefficient }] of q) {
    const total = BigInt.asUintN(width, (sum.get(key)?.coefficient ?? 0n) + factor * coefficient);
    if (total === 0n) sum.delete(key);
    else sum.set(key, { atoms, coefficient: total });
  }
  return sum;
}

function degree(p: Polynomial): number {
  let highest = 0;
  for (const { atoms } of p.values()) highest = Math.max(highest, atoms.length);
  return highest;
}

function product(p: Polynomial, q: Polynomial, width: number): Polynomial {
  let sum: Polynomial = new Map();
  for (const { atoms, coefficient } of p.values()) {
    const row = new Map<string, Monomial>();
    for (const m of q.values()) {
      const merged = [...atoms, ...m.atoms].sort((a, b) => a - b);
      const total = BigInt.asUintN(width, coefficient * m.coefficient);
      if (total !== 0n) row.set(merged.join(' '), { atoms: merged, coefficient: total });
    }
    sum = combined(sum, row, 1n, width);
  }
  return sum;
}

/** All coefficients but the constant one are divisible by some power of two that the constant is not. */
function isNeverZero(p: Polynomial): boolean {
  const rest = p.get('')?.coefficient;
  if (rest === undefined) return false;
  const lowest = rest & -rest;
  return [...p].every(([key, { coefficient }]) => key === '' || coefficient % (2n * lowest) === 0n);
}
