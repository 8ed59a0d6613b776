/**
 * Within what a foretold index need only be: the arc of what it foretells, by intervals of the problem as it is. With 0 ≤ p < 100000,
 * addresses 4 p and 4 i are equal only if p = i is. A model then says what it says of p within the arc, and besides it says the
 * intervals, from which it follows that whatever an edge reads at is within.
 */
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId } from '../../../term/store.ts';
import { conditionsOf, type Edge, type Location, type Problem } from '../../problem/problem.ts';
import { IntervalAnalysis } from '../facts/interval-analysis.ts';
import { UsedOrders } from '../facts/interval-facts.ts';
import { WrappedInterval } from '../facts/wrapped-interval.ts';

/** More terms than these are not worth the time that going round in them takes. */
const MAX_TERMS = 5_000;

export class Ranges {
  private readonly intervals: IntervalAnalysis;
  private readonly orders: UsedOrders;
  private readonly rewriter: Rewriter;

  private constructor(problem: Problem, checkpoint: Checkpoint) {
    const { terms, edges } = problem;
    this.rewriter = new Rewriter(terms);
    this.intervals = new IntervalAnalysis(problem, this.rewriter, checkpoint);
    this.orders = new UsedOrders(
      terms,
      edges.flatMap(e => conditionsOf(e).map(f => this.rewriter.rewrite(f))),
    );
  }

  /** Undefined of a problem that is too large. */
  static of(problem: Problem, checkpoint: Checkpoint): Ranges | undefined {
    const { terms, edges } = problem;
    const size = terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values])).length;
    return size > MAX_TERMS ? undefined : new Ranges(problem, checkpoint);
  }

  /** The arc of a term where an edge is taken; of an edge that never is, none. */
  arcOf(edge: Edge, term: TermId): WrappedInterval {
    const { rewriter, intervals } = this;
    const valuation = intervals.along(edge);
    return valuation?.value(rewriter.rewrite(term)) ?? WrappedInterval.none(rewriter.terms.width(term));
  }

  /** That a variable is within an arc, if that is known; if possible it is below what it is compared with elsewhere. */
  within(variable: TermId, arc: WrappedInterval | undefined): TermId[] {
    return arc === undefined ? [] : this.orders.within(variable, arc, 'below');
  }

  /** The first number of an arc; the variable itself where nothing is known of it. */
  first(variable: TermId, arc: WrappedInterval | undefined): TermId {
    const { terms } = this.rewriter;
    if (arc === undefined) return variable;
    return terms.sort(variable) === terms.sorts.bool
      ? terms.bool(arc.low === 1n)
      : terms.bv(arc.width, arc.low);
  }

  /** What intervals say of a location: all of them together are inductive. */
  facts(location: Location): TermId[] {
    const arcs = this.intervals.at(location);
    return arcs === undefined ? [this.rewriter.terms.false] : this.orders.facts(location, arcs);
  }
}
