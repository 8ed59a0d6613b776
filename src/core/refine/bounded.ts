/**
 * Bounded model checking beside the search for an invariant: is the property violated after exactly k steps, for k = 0,
 * 1, 2, …? It is bit-precise and knows nothing of the abstraction, so it finds shallow violations that the abstraction
 * would reach only through many lemmas. Each depth may use a limited effort; one that is left open is passed over, since
 * only violations count here.
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Trace } from '../system/trace.ts';
import { Copies } from './copies.ts';
import { runOf } from './run.ts';

/** What one depth may cost: numbers and not times, so that runs can be repeated. */
const EFFORT: Budget = { conflicts: 1500, propagations: 1_000_000 };

export class BoundedSearch {
  depth = 0; // the next number of steps to ask about
  private readonly system: FunctionalSystem;
  private readonly solver: ConcreteSolver;
  private readonly copies: Copies;
  private readonly budget: Budget;

  constructor(system: FunctionalSystem, backEnd: BackEndFactory, budget: Budget) {
    this.system = system;
    this.budget = budget;
    this.copies = new Copies(system);
    this.solver = new ConcreteSolver(system.terms, { backEnd });
    for (const f of system.init) this.solver.assert(this.copies.at(f, 0));
    this.enter(0);
  }

  /** Asks about the next depth; the run if there is one. */
  next(): Trace | undefined {
    const { solver, copies, system } = this;
    const bad = copies.at(system.terms.not(system.property), this.depth);
    const answer = solver.solve([bad], { ...this.budget, ...EFFORT });
    if (answer === 'sat') return runOf(system, copies, solver.model(), this.depth + 1);
    this.step();
    return undefined;
  }

  /** How large the question about the next depth is, in clauses. */
  get size(): number {
    return this.solver.stats.clauses;
  }

  dispose(): void {
    this.solver.dispose();
  }

  /** One more step from the last state. */
  private step(): void {
    const { system, solver, copies, depth } = this;
    const { terms } = system;
    for (const [next, body] of system.definitions) solver.assert(copies.at(terms.eq(next, body), depth));
    for (const f of system.relations) solver.assert(copies.at(f, depth));
    this.depth++;
    this.enter(this.depth);
  }

  private enter(depth: number): void {
    for (const f of this.system.constraints) this.solver.assert(this.copies.at(f, depth));
  }
}
