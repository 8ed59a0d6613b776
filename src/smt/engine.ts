/**
 * What a script needs of a solver, and the two solvers that have it: the abstract one for QF_UF, the concrete one
 * for everything with bit-vectors or arrays.
 */

import { ConcreteSolver } from '../bv/solver.ts';
import type { HeavyBackEnd } from '../bv/tiered.ts';
import { EufSolver } from '../euf/solver.ts';
import type { Budget } from '../sat/budget.ts';
import type { Result } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';
import type { FunctionId, TermId, TermStore } from '../term/store.ts';
import { abstractModel, concreteModel } from './values.ts';

/** A model as a script sees it. */
export interface ScriptModel {
  isTrue(formula: TermId): boolean;
  /** The value of a term as SMT-LIB text. */
  show(term: TermId): string;
  /** The `define-fun` of a declared symbol. */
  definition(f: FunctionId): string;
}

export interface Engine {
  assert(formula: TermId, guard?: TermId): void;
  push(): void;
  pop(): void;
  solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result>;
  core(): TermId[];
  model(): ScriptModel;
  readonly unknownReason: UnknownReason | undefined;
  readonly stats: Readonly<Record<string, number>>;
  dispose(): void;
}

/** What the two solvers have in common. */
interface Solver {
  assert(formula: TermId, guard?: TermId): void;
  push(): void;
  pop(): void;
  core(): TermId[];
  readonly unknownReason: UnknownReason | undefined;
  readonly stats: Readonly<Record<string, number>>;
}

/** An engine over a solver, but for how it solves and what its models look like. */
abstract class SolverEngine<S extends Solver> implements Engine {
  protected readonly terms: TermStore;
  protected readonly solver: S;

  constructor(terms: TermStore, solver: S) {
    this.terms = terms;
    this.solver = solver;
  }

  abstract solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result>;
  abstract model(): ScriptModel;
  abstract dispose(): void;

  assert(formula: TermId, guard?: TermId): void {
    this.solver.assert(formula, guard);
  }

  push(): void {
    this.solver.push();
  }

  pop(): void {
    this.solver.pop();
  }

  core(): TermId[] {
    return this.solver.core();
  }

  get unknownReason(): UnknownReason | undefined {
    return this.solver.unknownReason;
  }

  get stats(): Readonly<Record<string, number>> {
    return this.solver.stats;
  }
}

export class AbstractEngine extends SolverEngine<EufSolver> {
  constructor(terms: TermStore) {
    super(terms, new EufSolver(terms));
  }

  async solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result> {
    return this.solver.solve(assumptions, budget);
  }

  model(): ScriptModel {
    return abstractModel(this.terms, this.solver.model());
  }

  dispose(): void {}
}

export class ConcreteEngine extends SolverEngine<ConcreteSolver> {
  private readonly heavy: HeavyBackEnd;

  constructor(terms: TermStore, heavy: HeavyBackEnd) {
    super(terms, new ConcreteSolver(terms, { backEnd: heavy.backEnd }));
    this.heavy = heavy;
  }

  async solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result> {
    const result = this.solver.solve(assumptions, budget);
    if (this.solver.unknownReason !== 'load') return result;
    await this.heavy.load();
    return this.solver.solve(assumptions, budget);
  }

  model(): ScriptModel {
    return concreteModel(this.terms, this.solver.model());
  }

  dispose(): void {
    this.solver.dispose();
  }
}
