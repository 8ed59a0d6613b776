/** The engine of `src/sat` as a back end. */
import type { Budget } from '../sat/budget.ts';
import type { Lit } from '../sat/literals.ts';
import type { Options } from '../sat/options.ts';
import { type Result, Solver } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';
import type { SatBackEnd } from './back-end.ts';

export class OwnEngine implements SatBackEnd {
  // Trying true first keeps unknown vectors from all being zero, and thus arrays from being read at one index only.
  private readonly solver: Solver;

  constructor(options: Partial<Options> = {}) {
    this.solver = new Solver({ initialPhase: true, ...options });
  }

  newVar(): number {
    return this.solver.newVar();
  }

  addClause(lits: readonly Lit[]): void {
    this.solver.addClause(lits);
  }

  solve(assumptions: readonly Lit[], budget?: Budget): Result {
    return this.solver.solve(assumptions, budget);
  }

  value(lit: Lit): boolean {
    return this.solver.value(lit) ?? false;
  }

  isFailed(lit: Lit): boolean {
    return this.solver.isFailed(lit);
  }

  get unknownReason(): UnknownReason | undefined {
    return this.solver.unknownReason;
  }

  /** What it has done so far. */
  get propagations(): number {
    return this.solver.stats.propagations;
  }

  get work(): { readonly conflicts: number; readonly propagations: number } {
    const { conflicts, propagations } = this.solver.stats;
    return { conflicts, propagations };
  }

  dispose(): void {}
}
