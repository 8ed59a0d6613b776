/**
 * An arc for the places of every location that contains all values which a place has in anything derivable. The analysis
 * goes from the starts along the edges until nothing new comes; where a cycle closes, arcs that keep growing are widened
 * to thresholds, numbers that guards compare with (Navas et al. 2012; Cousot and Cousot 1977). What widening has lost is
 * won back in part by going through the edges again.
 *
 * The arcs of all locations together are inductive: what an edge makes of its sources' arcs lies within the arcs of its
 * head. This is kept in the second part, too, since a location only takes what its edges make of arcs that are inductive.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { conditionsOf, type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';
import { WORK_OF_A_STEP } from '../pass.ts';
import { type AskedPlaces, OrderedPlaces } from './ordered-places.ts';
import { Valuation } from './valuation.ts';
import type { WrappedInterval } from './wrapped-interval.ts';

/** When arcs of a location have changed so often, they are widened, and when that did not end it, to the ends of the orders. */
const CHANGES_BEFORE_WIDENING = 3;
const CHANGES_BEFORE_ENDS = 12;

/** So often all edges are gone through to win back what widening lost. */
const MAX_NARROWINGS = 2;

/** More thresholds of a width would let arcs grow for too long. */
const MAX_THRESHOLDS = 40;

/** One for each place; undefined for an array, and for a place of which none is asked for. */
export type Arcs = readonly (WrappedInterval | undefined)[];

export class IntervalAnalysis {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly checkpoint: Checkpoint;
  private readonly problem: Problem;
  private readonly asked: AskedPlaces;
  private readonly table: EdgeTable;
  private readonly thresholds = new Map<number, readonly bigint[]>();
  private readonly conditions = new Map<Edge, readonly TermId[]>(); // as conjuncts
  private readonly arcs = new Map<Location, Arcs>(); // of locations that something leads to
  private readonly changes = new Map<Location, number>();

  constructor(
    problem: Problem,
    rewriter: Rewriter,
    checkpoint: Checkpoint,
    asked: AskedPlaces = new OrderedPlaces(problem, rewriter),
  ) {
    this.terms = problem.terms;
    this.rewriter = rewriter;
    this.checkpoint = checkpoint;
    this.problem = problem;
    this.asked = asked;
    this.table = new EdgeTable(problem.edges);
    this.collectThresholds();
    this.ascend();
    for (let i = 0; i < MAX_NARROWINGS; i++) this.descend();
  }

  /** Undefined if nothing leads to the location. */
  at(location: Location): Arcs | undefined {
    return this.arcs.get(location);
  }

  /** What is known at the beginning of an edge; undefined if it can never be taken from there. */
  before(edge: Edge): Valuation | undefined {
    const known = new Map<TermId, WrappedInterval>();
    for (const { location, places } of edge.sources) {
      const arcs = this.arcs.get(location);
      if (arcs === undefined) return undefined;
      arcs.forEach((arc, i) => {
        if (arc !== undefined) known.set(places[i], arc);
      });
    }
    return new Valuation(this.rewriter, known);
  }

  /** What is known where an edge is taken; undefined if it never is. */
  along(edge: Edge): Valuation | undefined {
    this.checkpoint.pass(WORK_OF_A_STEP);
    const valuation = this.before(edge);
    valuation?.assume(this.conjuncts(edge));
    return valuation?.isAlive ? valuation : undefined;
  }

  /** Those conditions that do not only speak of places without arcs. */
  private conjuncts(edge: Edge): readonly TermId[] {
    const { terms, rewriter, conditions, asked } = this;
    const known = conditions.get(edge);
    if (known !== undefined) return known;
    const others = asked.othersOn(edge);
    const all = conjunctsOf(
      rewriter,
      conditionsOf(edge).map(f => rewriter.rewrite(f)),
    );
    const conjuncts = all.filter(f => terms.postorder([f]).some(t => terms.isVariable(t) && !others.has(t)));
    conditions.set(edge, conjuncts);
    return conjuncts;
  }

  private post(edge: Edge): Arcs | undefined {
    const valuation = this.along(edge);
    const places = headOf(edge)?.places ?? [];
    const arcs = places.map((p, i) =>
      this.asked.has(p) ? valuation?.value(this.rewriter.rewrite(edge.values[i])) : undefined,
    );
    return valuation?.isAlive ? arcs : undefined;
  }

  /** Until what the edges make lies within what is known of their heads. */
  private ascend(): void {
    const { table, problem, arcs } = this;
    const heads = cycleHeads(problem, table);
    const waiting = new Set<Edge>(problem.edges.filter(e => e.sources.length === 0));
    for (const edge of waiting) {
      waiting.delete(edge);
      const head = headOf(edge);
      const post = head === undefined ? undefined : this.post(edge);
      if (head === undefined || post === undefined) continue;
      const old = arcs.get(head);
      const now = old === undefined ? post : this.grown(head, old, post, heads.has(head));
      if (now === old) continue;
      arcs.set(head, now);
      for (const next of table.outOf(head)) waiting.add(next);
    }
  }

  private grown(head: Location, old: Arcs, post: Arcs, isCycleHead: boolean): Arcs {
    if (isWithin(post, old)) return old;
    const changes = (this.changes.get(head) ?? 0) + 1;
    this.changes.set(head, changes);
    const isWidened = isCycleHead && changes > CHANGES_BEFORE_WIDENING;
    return old.map((arc, i) => {
      const more = post[i];
      if (arc === undefined || more === undefined) return arc;
      return isWidened ? arc.widen(more, this.thresholdsOf(arc, changes)) : arc.join(more);
    });
  }

  private thresholdsOf({ width }: WrappedInterval, changes: number): readonly bigint[] {
    const ends = endsOf(width);
    return changes > CHANGES_BEFORE_ENDS ? ends : (this.thresholds.get(width) ?? ends);
  }

  private descend(): void {
    const { arcs, table } = this;
    for (const location of this.problem.locations) {
      const old = arcs.get(location);
      if (old === undefined) continue;
      const posts = table.into(location).flatMap(e => {
        const post = this.post(e);
        return post === undefined ? [] : [post];
      });
      if (posts.length === 0) {
        arcs.delete(location);
        continue;
      }
      const joined = posts.reduce((sum, post) => sum.map((arc, i) => joinOf(arc, post[i])));
      if (isWithin(joined, old)) arcs.set(location, joined);
    }
  }

  /** Numbers that something is compared with, those next to them, and the ends of both orders. */
  private collectThresholds(): void {
    const { terms, rewriter } = this;
    const guards = this.problem.edges.flatMap(e => conditionsOf(e).map(f => rewriter.rewrite(f)));
    const found = new Map<number, Set<bigint>>();
    const thresholds = (width: number) => {
      const known = found.get(width);
      const own = known ?? new Set(endsOf(width));
      if (known === undefined) found.set(width, own);
      return own;
    };
    for (const t of terms.postorder(guards)) {
      const op = terms.op(t);
      if (op !== Op.EQ && op !== Op.BVULT && op !== Op.BVSLT) continue;
      for (const a of terms.args(t)) {
        if (terms.op(a) !== Op.BV_CONST) continue;
        const width = terms.width(a);
        const value = BigInt(terms.bvValue(a));
        const own = thresholds(width);
        if (own.size > MAX_THRESHOLDS) continue;
        for (const v of [value - 1n, value, value + 1n]) own.add(BigInt.asUintN(width, v));
      }
    }
    for (const [width, own] of found) this.thresholds.set(width, [...own]);
  }
}

/** The least and the greatest number in both orders. */
function endsOf(width: number): bigint[] {
  const half = 1n << BigInt(width - 1);
  return [0n, 2n * half - 1n, half, half - 1n];
}

function joinOf(a: WrappedInterval | undefined, b: WrappedInterval | undefined): WrappedInterval | undefined {
  return a === undefined || b === undefined ? undefined : a.join(b);
}

function isWithin(arcs: Arcs, others: Arcs): boolean {
  return arcs.every((arc, i) => arc === undefined || others[i]?.contains(arc));
}

/** Locations at which a cycle closes: each cycle has one of them. */
function cycleHeads({ locations }: Problem, table: EdgeTable): Set<Location> {
  const heads = new Set<Location>();
  const open = new Set<Location>();
  const done = new Set<Location>();
  for (const root of locations) {
    const stack = [{ location: root, edges: table.outOf(root) }];
    if (done.has(root)) continue;
    open.add(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = top.edges.pop();
      if (edge === undefined) {
        open.delete(top.location);
        done.add(top.location);
        stack.pop();
        continue;
      }
      const head = headOf(edge);
      if (head === undefined || done.has(head)) continue;
      if (open.has(head)) heads.add(head);
      else {
        open.add(head);
        stack.push({ location: head, edges: table.outOf(head) });
      }
    }
  }
  return heads;
}
