/**
 * What laws of arithmetic say about sums and products: they are polynomials modulo 2^w over the nodes that are neither, so two of them with
 * the same coefficients are equal, and two equations say the same if the differences of their sides have the same coefficients,
 * or opposite ones. Programs and invariants put sums together in other orders, (b + 2) + (a + 1) and 3 (i + 1); as gates
 * that costs a SAT solver seconds, and in the abstract reading it is not true at all.
 *
 * Multiplying out is schoolbook work on BigInts, and has nothing of the polynomials with which the concrete solver simplifies.
 */
import { Op } from '../../../term/operators.ts';
import type { Graph } from './graph.ts';

/** With more summands, or more factors in one of them, a node is taken as it is. */
const MOST_SUMMANDS = 24;
const MOST_FACTORS = 4;

/** Coefficients other than zero, by the factors: nodes in ascending order, separated by spaces. */
type Polynomial = ReadonlyMap<string, bigint>;

export class Sums {
  private readonly graph: Graph;
  private readonly polynomials = new Map<number, Polynomial>(); // of sums and products, by node
  private readonly nodes = new Map<string, number>(); // by width and polynomial
  private readonly equations = new Map<string, number>();

  constructor(graph: Graph) {
    this.graph = graph;
  }

  /** The constant that a node is equal to, or an earlier node that was asked about; nodes are to be asked about in their order. */
  known(n: number): { readonly constant: bigint } | { readonly node: number } | undefined {
    const polynomial = this.isWord(n) ? this.multipliedOut(n) : undefined;
    if (polynomial === undefined) return undefined;
    this.polynomials.set(n, polynomial);
    const [[factors, coefficient] = ['', 0n], ...others] = polynomial;
    if (others.length === 0 && factors === '') return { constant: coefficient };
    if (others.length === 0 && coefficient === 1n && !factors.includes(' ')) return { node: Number(factors) };
    const key = `${this.width(n)}:${textOf(polynomial)}`;
    const node = this.nodes.get(key);
    if (node === undefined) this.nodes.set(key, n);
    return node === undefined ? undefined : { node };
  }

  /** Is an equation always true, or never, or the same as an earlier one that was asked about? */
  knownEquation(n: number): { readonly constant: boolean } | { readonly node: number } | undefined {
    const { graph } = this;
    const [a, b] = [graph.arg(n, 0), graph.arg(n, 1)];
    if (!this.isWord(a)) return undefined;
    const width = this.width(a);
    const difference = sum(this.polynomial(a), this.polynomial(b), -1n, width);
    const isConstant = [...difference.keys()].every(factors => factors === '');
    if (isConstant) return { constant: difference.size === 0 };
    const [key, opposite] = [difference, sum(new Map(), difference, -1n, width)].map(textOf);
    const name = `${width}:${key < opposite ? key : opposite}`;
    const node = this.equations.get(name);
    if (node === undefined) this.equations.set(name, n);
    return node === undefined ? undefined : { node };
  }

  private isWord(n: number): boolean {
    return this.width(n) > 1;
  }

  private width(n: number): number {
    return this.graph.terms.width(this.graph.term(n));
  }

  private polynomial(n: number): Polynomial {
    const { graph } = this;
    const known = this.polynomials.get(n);
    if (known !== undefined) return known;
    if (graph.op(n) !== Op.BV_CONST) return new Map([[String(n), 1n]]);
    const value = BigInt(graph.terms.bvValue(graph.term(n)));
    return value === 0n ? new Map() : new Map([['', value]]);
  }

  /** Of a sum or a product; undefined if the node is neither, or too large. */
  private multipliedOut(n: number): Polynomial | undefined {
    const { graph } = this;
    const width = this.width(n);
    const of = (i: number) => this.polynomial(graph.arg(n, i));
    const nothing: Polynomial = new Map();
    switch (graph.op(n)) {
      case Op.BVADD:
        return bounded(sum(of(0), of(1), 1n, width));
      case Op.BVSUB:
        return bounded(sum(of(0), of(1), -1n, width));
      case Op.BVNEG:
        return sum(nothing, of(0), -1n, width);
      case Op.BVNOT:
        return bounded(sum(sum(nothing, of(0), -1n, width), new Map([['', 1n]]), -1n, width));
      case Op.BVMUL:
        return product(of(0), of(1), width);
      default:
        return undefined;
    }
  }
}

function bounded(p: Polynomial): Polynomial | undefined {
  return p.size <= MOST_SUMMANDS ? p : undefined;
}

/** p + factor · q */
function sum(p: Polynomial, q: Polynomial, factor: bigint, width: number): Polynomial {
  const result = new Map(p);
  for (const [factors, coefficient] of q) {
    const total = BigInt.asUintN(width, (p.get(factors) ?? 0n) + factor * coefficient);
    if (total === 0n) result.delete(factors);
    else result.set(factors, total);
  }
  return result;
}

function product(p: Polynomial, q: Polynomial, width: number): Polynomial | undefined {
  if (p.size * q.size > MOST_SUMMANDS) return undefined;
  let result: Polynomial = new Map();
  for (const [a, coefficient] of p) {
    for (const [b, other] of q) {
      const factors = `${a} ${b}`.split(' ').filter(f => f !== '');
      if (factors.length > MOST_FACTORS) return undefined;
      const key = factors.sort((x, y) => Number(x) - Number(y)).join(' ');
      result = sum(result, new Map([[key, coefficient * other]]), 1n, width);
    }
  }
  return result;
}

function textOf(p: Polynomial): string {
  return [...p]
    .map(([factors, coefficient]) => `${coefficient}*${factors}`)
    .sort()
    .join('+');
}
