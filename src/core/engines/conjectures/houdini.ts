/**
 * The conjectures that hold: of those about all locations, the most that are inductive together (Flanagan and Leino, "Houdini, an
 * annotation assistant for ESC/Java", FME 2001). A step from where all conjectures hold to where some do not refutes
 * these; what is left when there is no such step holds of everything derivable. Each location has a solver for the steps that
 * lead there.
 *
 * Questions have bounds: sums with factors are hard for SAT solvers, and there are many conjectures. Conjectures about which a question
 * together takes too long are asked about in two halves, and a single one is given up as if it were refuted.
 */
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { headOf, type Location, type Problem } from '../../problem/problem.ts';
import type { Shared } from '../bit-steps/encoding.ts';
import { type Conjuncts, InwardSteps } from '../bit-steps/inward.ts';
import { type Bounds, sufficient } from '../bit-steps/sufficient.ts';

const BOUNDS: Bounds = { single: 800_000, all: 3_000_000 };

export class Houdini {
  /** What has been refuted, of each location. */
  readonly refuted = new Map<Location, Set<TermId>>();
  private readonly bounds: Bounds;
  private readonly steps: InwardSteps;
  private readonly held: Map<Location, Set<TermId>>;

  constructor(problem: Problem, conjectures: Conjuncts, shared: Shared, bounds = BOUNDS) {
    this.bounds = bounds;
    this.steps = new InwardSteps(problem, shared);
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
      for (const e of this.steps.edges.outOf(location)) {
        const head = headOf(e);
        if (head !== undefined) waiting.add(head);
      }
    }
  }

  /** Refutes until no step by itself refutes any of those about one location. */
  private *refuteAt(location: Location, own: Set<TermId>): Work<void> {
    const solver = this.steps.into(location);
    let parts = [own as ReadonlySet<TermId>];
    for (let isLeft = false; !isLeft; ) {
      // What was asked about first rested on what has been refuted since.
      isLeft = true;
      const done: ReadonlySet<TermId>[] = [];
      const waiting = [...parts].reverse();
      for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
        const asked: TermId[] = [...part].filter(f => own.has(f));
        if (asked.length === 0) continue;
        const found = yield* solver.refuted(this.held, asked, this.bounds.single);
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
  get conjectures(): Conjuncts {
    return new Map([...this.held].map(([l, own]) => [l, [...own]]));
  }

  /** Those of what is left that suffice to exclude all violations, and are inductive by themselves; nothing if they do not. */
  sufficient(): Work<Conjuncts | undefined> {
    return sufficient(this.steps, this.held, this.bounds);
  }
}
