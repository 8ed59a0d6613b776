/**
 * What two analyses know of all that is derivable at a location, said where it helps: arcs of places (`interval-analysis`)
 * and affine equations between them (`affine-analysis`). Edges that no arcs let through are left out, comparisons
 * of differences that cannot wrap become comparisons of terms (`differences`), a place that another one tells is no longer
 * asked for, and guards gain what arcs say about what their edges use. Other equations only go into models: in guards
 * they were measured to cost more than they bring. Facts are inductive, so that a model of the new problem is one of the
 * old as soon as it says them, too.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import { conditionsOf, type Edge, type Location, type Problem } from '../../problem/problem.ts';
import { edgeByEdge, type Pass, unchanged, WORK_OF_A_LOCATION } from '../pass.ts';
import { AffineAnalysis, type Equation } from './affine-analysis.ts';
import { comparesSums, withoutDifferences } from './differences.ts';
import { IntervalAnalysis } from './interval-analysis.ts';
import { UsedOrders } from './interval-facts.ts';
import type { WrappedInterval } from './wrapped-interval.ts';

/** Which analyses are made. */
export interface FactKinds {
  readonly intervals: boolean;
  readonly equations: boolean;
}

export const ALL_FACTS: FactKinds = { intervals: true, equations: true };

/** More terms than these are not worth the time that going round in them takes. */
const MAX_TERMS = 20_000;

export function isTooLarge({ terms, edges }: Problem): boolean {
  return terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values])).length > MAX_TERMS;
}

const SUMS: ReadonlySet<Op> = new Set([Op.BVADD, Op.BVSUB, Op.BVNEG, Op.BVMUL]);

export function addFacts(
  problem: Problem,
  rewriter: Rewriter,
  checkpoint: Checkpoint,
  kinds: FactKinds = ALL_FACTS,
): Pass {
  if (isTooLarge(problem)) return unchanged(problem);
  const { terms, edges } = problem;
  const facts = new Facts(problem, rewriter, checkpoint, kinds);
  const origins = new Map<Edge, Edge>();
  let isChanged = false;
  for (const edge of edges) {
    const own = facts.edge(edge);
    if (own !== undefined) origins.set(own, edge);
    if (own !== edge) isChanged = true;
  }
  if (!isChanged) return unchanged(problem);
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: edgeByEdge(
      terms,
      origins,
      model => new Map([...model].map(([l, f]) => [l, terms.and([f, ...facts.all(l)])])),
    ),
  };
}

class Facts {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly intervals: IntervalAnalysis | undefined;
  private readonly orders: UsedOrders;
  private readonly ranges = new Map<Location, readonly TermId[]>();
  private readonly equations = new Map<Location, readonly Equation[]>();

  constructor(problem: Problem, rewriter: Rewriter, checkpoint: Checkpoint, kinds: FactKinds) {
    const { terms, locations, edges } = problem;
    this.terms = terms;
    this.rewriter = rewriter;
    this.orders = new UsedOrders(
      terms,
      edges.map(e => rewriter.rewrite(e.guard)),
    );
    if (kinds.intervals) {
      this.intervals = new IntervalAnalysis(problem, rewriter, checkpoint);
      for (const l of locations) {
        checkpoint.pass(WORK_OF_A_LOCATION);
        const arcs = this.intervals.at(l);
        this.ranges.set(l, arcs === undefined ? [terms.false] : this.orders.facts(l, arcs));
      }
    }
    if (!kinds.equations) return;
    for (const width of this.widthsOfSums(edges)) {
      const analysis = new AffineAnalysis(problem, width, rewriter, checkpoint);
      for (const l of locations) this.equations.set(l, [...this.equationsAt(l), ...analysis.facts(l)]);
    }
  }

  /** Where nothing is added, equations would only be about constants and copies, of which other passes know. */
  private widthsOfSums(edges: readonly Edge[]): Set<number> {
    const { terms, rewriter } = this;
    const values = edges.flatMap(e => e.values.map(v => rewriter.rewrite(v)));
    return new Set(
      terms
        .postorder(values)
        .filter(t => SUMS.has(terms.op(t)))
        .map(t => terms.width(t)),
    );
  }

  /** All that is known of a location. */
  all(location: Location): TermId[] {
    return [...(this.ranges.get(location) ?? []), ...this.equationsAt(location).map(e => e.formula)];
  }

  private equationsAt(location: Location): readonly Equation[] {
    return this.equations.get(location) ?? [];
  }

  /** What becomes of an edge; undefined if it is never taken. */
  edge(edge: Edge): Edge | undefined {
    const { terms, rewriter, intervals } = this;
    if (intervals !== undefined && intervals.along(edge) === undefined) return undefined;
    const given = conjunctsOf(rewriter, [rewriter.rewrite(edge.guard)]);
    const simpler = intervals === undefined ? given : this.simpler(edge, given, intervals);
    const images = this.imagesFor(edge);
    const assigned = intervals === undefined ? edge.values : this.simplerValues(edge, intervals);
    const [guard, ...values] = substituteAll(terms, [terms.and(simpler), ...assigned], images).map(t =>
      images.size === 0 ? t : rewriter.rewrite(t),
    );
    const conjuncts = images.size === 0 ? simpler : conjunctsOf(rewriter, [guard]);
    const said = new Set(conjuncts);
    const added = this.factsFor({ ...edge, guard, values }).filter(f => !said.has(f));
    if (added.length === 0 && conjuncts === given && assigned === edge.values) return edge;
    return { ...edge, guard: terms.and([...conjuncts, ...added]), values };
  }

  /** Places that an edge need not ask for, since another one tells what they are. */
  private imagesFor({ sources }: Edge): Map<TermId, TermId> {
    const { terms } = this;
    const images = new Map<TermId, TermId>();
    for (const { location, places } of sources) {
      const names = new Map(location.places.map((p, i) => [p, places[i]]));
      for (const { place, value } of this.equationsAt(location)) {
        if (place !== undefined && value !== undefined && this.isNear(value))
          images.set(names.get(place) as TermId, substitute(terms, value, names));
      }
    }
    return images;
  }

  /** Comparisons of sums in other words, which mean the same by the arcs and the conjuncts that do not compare sums. */
  private simpler(edge: Edge, conjuncts: readonly TermId[], intervals: IntervalAnalysis): readonly TermId[] {
    const { terms, rewriter } = this;
    const sums = new Set(conjuncts.filter(f => comparesSums(terms, f)));
    if (sums.size === 0) return conjuncts;
    const valuation = intervals.before(edge);
    valuation?.assume(conjuncts.filter(f => !sums.has(f)));
    if (valuation === undefined || !valuation.isAlive) return conjuncts;
    const arcOf = (t: TermId) => valuation.value(t) as WrappedInterval;
    const now = conjuncts.map(f => (sums.has(f) ? rewriter.rewrite(withoutDifferences(terms, f, arcOf)) : f));
    return now.some((f, i) => f !== conjuncts[i]) ? conjunctsOf(rewriter, now) : conjuncts;
  }

  /** The same of what values compare, where the edge is taken. */
  private simplerValues(edge: Edge, intervals: IntervalAnalysis): readonly TermId[] {
    const { terms, rewriter } = this;
    if (!edge.values.some(v => comparesSums(terms, v))) return edge.values;
    const valuation = intervals.along(edge);
    if (valuation === undefined) return edge.values;
    const arcOf = (t: TermId) => valuation.value(t) as WrappedInterval;
    const now = edge.values.map(v =>
      comparesSums(terms, v) ? rewriter.rewrite(withoutDifferences(terms, v, arcOf)) : v,
    );
    return now.some((v, i) => v !== edge.values[i]) ? now : edge.values;
  }

  /**
   * What is known of what an edge uses: a place that only stays as it is is not used. What is said in an order that the program
   * does not use has no bearing on what it compares.
   */
  private factsFor(edge: Edge): TermId[] {
    const { terms } = this;
    const used = new Set(
      terms.postorder([...conditionsOf(edge), ...edge.values.filter(v => !terms.isVariable(v))]),
    );
    return edge.sources.flatMap(({ location, places }) => {
      const facts = (this.ranges.get(location) ?? []).filter(f => this.orders.isFamiliar(f));
      const names = new Map(location.places.map((p, i) => [p, places[i]]));
      return substituteAll(terms, facts, names).filter(f => this.places(f).some(p => used.has(p)));
    });
  }

  /** A constant, a place, or a sum of both: multiples would make all questions about the place harder. */
  private isNear(value: TermId): boolean {
    const { terms } = this;
    const isSum = terms.op(value) === Op.BVADD && terms.isConstant(terms.arg(value, 0));
    const rest = isSum ? terms.arg(value, 1) : value;
    return terms.isVariable(rest) || terms.isConstant(rest);
  }

  private places(f: TermId): TermId[] {
    return this.terms.postorder([f]).filter(t => this.terms.isVariable(t));
  }
}
