/**
 * What everybody knows about orders, said where it may be needed. A loop that goes through an array with a counter i has dealt with
 * what is less than i: so what must be said of a foretold index p is whether p < i, and how that changes when i + 1 takes
 * the place of i. No edge of the program speaks of it, and the abstract search would have to find it all by refinement,
 * one round of the loop after the other. So edges are given valid formulas as further guards: for each place f that
 * keeps its value, and each constant f that is a counter's first value,
 *
 *   f < s ∧ s ≤ t ⇒ f < t,   s ≤ f ∧ t ≤ s ⇒ t ≤ f     for terms s and t that the edge compares or counts with
 *   f < s ∨ f = s ∨ s < f,   of which no two are true
 *   s = max ∨ s < f ∨ f < s + 1,   ¬ (s < f ∧ f < s + 1)    for counters s, and the like for s - 1
 *   s < t ⇒ s ≠ max
 *
 * in the order, signed or unsigned, that the program uses. Bits know all of it at once, so proofs do not name it among their
 * lemmas: hundreds of them would each be checked.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { frozenPlaces } from '../../problem/frozen-places.ts';
import { type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';
import { edgeByEdge, type Pass, unchanged } from '../pass.ts';

/** The number of facts grows with the first number and with the square of the second. */
const MAX_FIXED = 4;
const MAX_TERMS = 6;

type Less = typeof Op.BVULT | typeof Op.BVSLT;

export function orderFacts(problem: Problem): Pass {
  const { terms } = problem;
  const orders = new Orders(problem);
  const facts = new Map(problem.edges.map(e => [e, orders.factsOf(e)]));
  if ([...facts.values()].every(f => f.length === 0)) return unchanged(problem);
  const origins = new Map(
    problem.edges.map(e => {
      const own = facts.get(e) ?? [];
      return [own.length === 0 ? e : { ...e, guard: terms.and([e.guard, ...own]) }, e];
    }),
  );
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: edgeByEdge(terms, origins),
  };
}

class Orders {
  private readonly terms: TermStore;
  private readonly frozen: ReadonlyMap<Location, ReadonlySet<TermId>>;
  private readonly used = new Map<number, Set<Less>>(); // by the width of what is compared
  private readonly firsts = new Map<Location, Set<TermId>>(); // constants that counters begin with, at each location
  private readonly ordered = new Set<TermId>(); // what is counted or compared by an order somewhere

  constructor(problem: Problem) {
    this.terms = problem.terms;
    this.frozen = frozenPlaces(problem);
    const { terms } = this;
    for (const t of terms.postorder(problem.edges.flatMap(e => [e.guard, ...e.values]))) {
      const op = terms.op(t);
      if (op !== Op.BVULT && op !== Op.BVSLT) continue;
      const width = terms.width(terms.arg(t, 0));
      this.used.set(width, (this.used.get(width) ?? new Set()).add(op));
      for (const a of terms.args(t)) if (!terms.isConstant(a)) this.ordered.add(a);
    }
    for (const edge of problem.edges)
      for (const counter of this.countedBy(edge).keys()) this.ordered.add(counter);
    for (const edge of problem.edges) this.noteFirsts(edge);
  }

  /** Valid formulas about what an edge with one source speaks of. */
  factsOf(edge: Edge): TermId[] {
    const { terms } = this;
    if (edge.sources.length !== 1) return [];
    const found = new Set<TermId>();
    for (const [width, orders] of this.used) {
      const fixed = this.fixedAt(edge, width);
      const compared = this.comparedBy(edge, width, new Set(fixed));
      for (const less of orders) {
        for (const f of fixed) this.factsAbout(less, f, compared, found);
        for (const s of compared) this.factsOfEnds(less, s, compared, found);
      }
    }
    found.delete(terms.true);
    return [...found];
  }

  private noteFirsts(edge: Edge): void {
    const { terms } = this;
    const head = headOf(edge);
    if (head === undefined || edge.sources.some(s => s.location === head)) return;
    const own = edge.values.filter(v => terms.isConstant(v) && terms.width(v) > 1);
    this.firsts.set(head, new Set([...(this.firsts.get(head) ?? []), ...own]));
  }

  private fixedAt({ sources }: Edge, width: number): TermId[] {
    const { terms } = this;
    const [{ location }] = sources;
    const places = location.places.filter(p => this.frozen.get(location)?.has(p));
    const all = [...places.reverse(), ...(this.firsts.get(location) ?? [])];
    return all.filter(f => terms.width(f) === width).slice(0, MAX_FIXED);
  }

  /** Counters before and after the edge, and what is compared in it. */
  private comparedBy(edge: Edge, width: number, fixed: ReadonlySet<TermId>): TermId[] {
    const { terms } = this;
    const found = new Set<TermId>();
    for (const [counter, value] of this.countedBy(edge))
      if (terms.width(value) === width) found.add(counter).add(value);
    for (const t of terms.postorder([edge.guard])) {
      const op = terms.op(t);
      if (terms.arity(t) !== 2 || terms.width(terms.arg(t, 0)) !== width) continue;
      // That elements or addresses are equal has nothing to do with orders.
      const isOfOrder = op === Op.EQ && terms.args(t).some(a => this.ordered.has(a));
      if (op === Op.BVULT || op === Op.BVSLT || isOfOrder) for (const a of terms.args(t)) found.add(a);
    }
    return [...found].filter(t => !fixed.has(t) || terms.isVariable(t)).slice(0, MAX_TERMS);
  }

  /** Places that an edge adds something to, and what they are then. */
  private countedBy({ sources, values }: Edge): Map<TermId, TermId> {
    const { terms } = this;
    const own = new Set(sources.flatMap(s => s.places));
    const found = new Map<TermId, TermId>();
    for (const value of values) {
      if (terms.op(value) !== Op.BVADD) continue;
      const counted = terms.args(value).filter(a => own.has(a));
      if (counted.length === 1) found.set(counted[0], value);
    }
    return found;
  }

  private factsAbout(less: Less, f: TermId, compared: readonly TermId[], found: Set<TermId>): void {
    const { terms } = this;
    const lt = (a: TermId, b: TermId) => terms.app(less, [a, b]);
    const no = (a: TermId) => terms.not(a);
    const others = compared.filter(s => s !== f);
    for (const s of others) {
      found.add(terms.or([lt(f, s), terms.eq(f, s), lt(s, f)]));
      found.add(terms.or([no(lt(f, s)), no(terms.eq(f, s))]));
      found.add(terms.or([no(lt(s, f)), no(terms.eq(f, s))]));
      found.add(terms.or([no(lt(s, f)), no(lt(f, s))]));
      for (const t of others) {
        if (s === t) continue;
        found.add(terms.or([no(lt(f, s)), lt(t, s), lt(f, t)]));
        found.add(terms.or([lt(f, s), lt(s, t), no(lt(f, t))]));
      }
      const step = this.stepOf(s);
      if (step === undefined) continue;
      const [counter, amount] = step;
      // From the counter to the next value there is nothing between.
      const end = this.end(less, amount, terms.width(s));
      const [after, before] = amount === 1n ? [lt(f, s), lt(counter, f)] : [lt(s, f), lt(f, counter)];
      found.add(terms.or([terms.eq(counter, end), after, before]));
      found.add(terms.or([no(after), no(before)]));
    }
  }

  /** What is less than something is not the greatest. */
  private factsOfEnds(less: Less, s: TermId, compared: readonly TermId[], found: Set<TermId>): void {
    const { terms } = this;
    const step = this.stepOf(s);
    if (step === undefined) return;
    const [counter, amount] = step;
    const end = this.end(less, amount, terms.width(s));
    for (const t of compared) {
      if (t === s || t === counter) continue;
      const isOnTheWay = terms.app(less, amount === 1n ? [counter, t] : [t, counter]);
      found.add(terms.or([terms.not(isOnTheWay), terms.not(terms.eq(counter, end))]));
    }
  }

  /** Of a counter plus or minus one: the counter, and 1 or -1. */
  private stepOf(t: TermId): readonly [TermId, bigint] | undefined {
    const { terms } = this;
    if (terms.op(t) !== Op.BVADD || terms.arity(t) !== 2) return undefined;
    const [constant, counter] = terms.args(t); // constants come first in normal forms
    if (!terms.isConstant(constant)) return undefined;
    const amount = BigInt.asIntN(terms.width(t), BigInt(terms.bvValue(constant)));
    return amount === 1n || amount === -1n ? [counter, amount] : undefined;
  }

  /** The last value on the way up, or down. */
  private end(less: Less, amount: bigint, width: number): TermId {
    const half = 1n << BigInt(width - 1);
    const [least, most] = less === Op.BVULT ? [0n, 2n * half - 1n] : [half, half - 1n];
    return this.terms.bv(width, amount === 1n ? most : least);
  }
}
