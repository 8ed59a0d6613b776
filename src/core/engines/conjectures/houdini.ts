/**
 * The conjectures that hold: of those about all locations, the most that are inductive together (Flanagan and Leino, "Houdini, an
 * annotation assistant for ESC/Java", FME 2001). A step from where all conjectures hold to where some do not refutes
 * these; what is left when there is no such step holds of everything derivable. Each location has a solver for the steps that
 * lead there.
 *
 * Questions have bounds: sums with factors are hard for SAT solvers, and there are many conjectures. Conjectures about which a question
 * together takes too long are asked about in two halves, and a single one is given up as if it were refuted.
 */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, isQuery, type Location, type Problem } from '../../problem/problem.ts';
import { Encoding, type Shared } from '../bit-steps/encoding.ts';
import { Steps } from '../bit-steps/steps.ts';

/** Propagations for a question. */
export interface Bounds {
  readonly refuting: number;
  /** About violations, which is worth more. */
  readonly sufficing: number;
}

const BOUNDS: Bounds = { refuting: 150_000, sufficing: 3_000_000 };

/** Conjectures of each location. */
export type Conjectures = ReadonlyMap<Location, readonly TermId[]>;

export class Houdini {
  /** What has been refuted, of each location. */
  readonly refuted = new Map<Location, Set<TermId>>();
  private readonly shared: Shared;
  private readonly bounds: Bounds;
  private readonly edges: EdgeTable;
  private readonly queries: readonly Edge[];
  private readonly held: Map<Location, Set<TermId>>;
  private readonly solvers = new Map<Location | undefined, Inward>(); // of nowhere: the violations

  constructor({ edges }: Problem, conjectures: Conjectures, shared: Shared, bounds = BOUNDS) {
    this.shared = shared;
    this.bounds = bounds;
    this.edges = new EdgeTable(edges);
    this.queries = edges.filter(e => isQuery(e.head));
    this.held = new Map([...conjectures].map(([l, own]) => [l, new Set(own)]));
    for (const l of conjectures.keys()) this.refuted.set(l, new Set());
  }

  /** More conjectures about a location. */
  add(location: Location, formulas: readonly TermId[]): void {
    const refuted = this.refuted.get(location);
    for (const f of formulas) if (refuted?.has(f) === false) this.held.get(location)?.add(f);
  }

  /** Refutes until what is left is inductive. */
  *refute(): Work<void> {
    const waiting = new Set(this.held.keys());
    for (const location of waiting) {
      waiting.delete(location);
      const own = this.held.get(location) as Set<TermId>;
      const before = own.size;
      yield* this.refuteAt(location, own);
      if (own.size === before) continue;
      for (const e of this.edges.outOf(location)) {
        const head = headOf(e);
        if (head !== undefined) waiting.add(head);
      }
    }
  }

  /** Refutes until no step by itself refutes any of those about one location. */
  private *refuteAt(location: Location, own: Set<TermId>): Work<void> {
    const solver = this.solver(location);
    let parts = [own as ReadonlySet<TermId>];
    for (let isLeft = false; !isLeft; ) {
      // What was asked about first rested on what has been refuted since.
      isLeft = true;
      const done: ReadonlySet<TermId>[] = [];
      const waiting = [...parts].reverse();
      for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
        const asked: TermId[] = [...part].filter(f => own.has(f));
        if (asked.length === 0) continue;
        const found = yield* solver.refuted(this.held, asked, this.bounds.refuting);
        if (found === undefined && asked.length > 1) {
          const half = asked.length >> 1;
          waiting.push(new Set(asked.slice(half)), new Set(asked.slice(0, half)));
          continue;
        }
        const wrong = found ?? asked;
        if (wrong.length === 0) done.push(part);
        else waiting.push(part);
        for (const f of wrong) {
          isLeft = false;
          own.delete(f);
          this.refuted.get(location)?.add(f);
        }
      }
      parts = done;
    }
  }

  /** What is left. */
  get conjectures(): Conjectures {
    return new Map([...this.held].map(([l, own]) => [l, [...own]]));
  }

  /** Those of what is left that suffice to exclude all violations, and are inductive by themselves; nothing if they do not. */
  *sufficient(): Work<Conjectures | undefined> {
    const needed = new Map<Location, Set<TermId>>([...this.held.keys()].map(l => [l, new Set()]));
    const waiting: { readonly location: Location; readonly formula: TermId }[] = [];
    const need = (uses: Conjectures) => {
      for (const [location, formulas] of uses) {
        const own = needed.get(location) as Set<TermId>;
        for (const formula of formulas) {
          if (own.has(formula)) continue;
          own.add(formula);
          waiting.push({ location, formula });
        }
      }
    };
    const uses = yield* this.solver(undefined).impossible(this.held, undefined, this.bounds.sufficing);
    if (uses === undefined) return undefined;
    need(uses);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { location, formula } = next;
      // What is needed already is preferred to what would be needed for this one alone.
      const solver = this.solver(location);
      const known = yield* solver.impossible(needed, formula, this.bounds.refuting);
      const all = known ?? (yield* solver.impossible(this.held, formula, Number.POSITIVE_INFINITY));
      if (all === undefined) throw new Error('what is left is not inductive');
      need(all);
    }
    return new Map([...needed].map(([l, own]) => [l, [...own]]));
  }

  private solver(location: Location | undefined): Inward {
    let solver = this.solvers.get(location);
    if (solver === undefined) {
      solver = new Inward(this.shared, location === undefined ? this.queries : this.edges.into(location));
      this.solvers.set(location, solver);
    }
    return solver;
  }
}

/** The steps into one location, or the violations. */
class Inward {
  private readonly encoding: Encoding;
  private readonly steps: Steps;
  private readonly assumed = new Map<Location, Map<TermId, Lit>>(); // it holds before the step, if that comes from there
  private readonly after = new Map<TermId, Lit>();

  constructor(shared: Shared, edges: readonly Edge[]) {
    this.encoding = new Encoding(shared);
    this.steps = new Steps(shared.circuit, this.encoding, edges);
  }

  /**
   * Those of the formulas that fail after some step from where all of the conjectures hold; none if there is no such step, and nothing
   * if it takes too long to find out.
   */
  *refuted(
    held: ReadonlyMap<Location, Iterable<TermId>>,
    formulas: readonly TermId[],
    limit: number,
  ): Work<TermId[] | undefined> {
    const { encoding } = this;
    const own = formulas.map(f => [f, this.literalAfter(f)] as const);
    const assumptions = this.assumptions(held).map(a => a.lit);
    encoding.begin();
    const some = encoding.reserve(own.map(([, lit]) => negate(lit)));
    const isPossible = yield* encoding.attempt([...assumptions, some], limit);
    if (isPossible === undefined) return undefined;
    return isPossible ? own.filter(([, lit]) => !encoding.isTrue(lit)).map(([f]) => f) : [];
  }

  /**
   * The conjectures to which it is due that there is no step after which a formula fails, or no violation; nothing if there is one, or if
   * the limit does not suffice.
   */
  *impossible(
    held: ReadonlyMap<Location, Iterable<TermId>>,
    formula: TermId | undefined,
    limit: number,
  ): Work<Map<Location, TermId[]> | undefined> {
    const { encoding } = this;
    const target = formula === undefined ? [] : [negate(this.literalAfter(formula))];
    const assumptions = this.assumptions(held);
    encoding.begin();
    const isPossible = yield* encoding.attempt([...target, ...assumptions.map(a => a.lit)], limit);
    if (isPossible !== false) return undefined;
    const uses = new Map<Location, TermId[]>();
    for (const { location, formula: f, lit } of assumptions) {
      if (!encoding.isUsed(lit)) continue;
      const own = uses.get(location);
      if (own === undefined) uses.set(location, [f]);
      else own.push(f);
    }
    return uses;
  }

  private assumptions(
    held: ReadonlyMap<Location, Iterable<TermId>>,
  ): { readonly location: Location; readonly formula: TermId; readonly lit: Lit }[] {
    const found: { location: Location; formula: TermId; lit: Lit }[] = [];
    for (const location of this.steps.sources)
      for (const formula of held.get(location) ?? [])
        found.push({ location, formula, lit: this.literalBefore(location, formula) });
    return found;
  }

  private literalBefore(location: Location, formula: TermId): Lit {
    const { encoding, steps } = this;
    let own = this.assumed.get(location);
    if (own === undefined) this.assumed.set(location, (own = new Map()));
    let lit = own.get(formula);
    if (lit === undefined) {
      lit = encoding.newLiteral();
      encoding.require([negate(lit), negate(steps.from(location)), encoding.literal(formula)]);
      own.set(formula, lit);
    }
    return lit;
  }

  private literalAfter(formula: TermId): Lit {
    let lit = this.after.get(formula);
    if (lit === undefined) this.after.set(formula, (lit = this.encoding.literalAfter(formula)));
    return lit;
  }
}
