/**
 * What a script needs of a solver, and the two solvers that have it: the abstract one for QF_UF, the concrete one
 * for everything with bit-vectors or arrays.
 */

import { ConcreteSolver } from '../bv/solver.ts';
import type { HeavyBackEnd } from '../bv/tiered.ts';
import { EufSolver } from '../euf/solver.ts';
import type { Budget } from '../sat/budget.ts';
import type { Result } from '../sat/solver.ts';
import type { FunctionId, TermId, TermStore } from '../term/store.ts';
import { ElementPrinter, ValuePrinter } from './values.ts';

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
  readonly interruptReason: string | undefined;
  readonly stats: Readonly<Record<string, number>>;
  dispose(): void;
}

export class AbstractEngine implements Engine {
  private readonly terms: TermStore;
  private readonly solver: EufSolver;

  constructor(terms: TermStore) {
    this.terms = terms;
    this.solver = new EufSolver(terms);
  }

  assert(formula: TermId, guard?: TermId): void {
    this.solver.assert(formula, guard);
  }

  push(): void {
    this.solver.push();
  }

  pop(): void {
    this.solver.pop();
  }

  async solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result> {
    return this.solver.solve(assumptions, budget);
  }

  core(): TermId[] {
    return this.solver.core();
  }

  model(): ScriptModel {
    return new ElementPrinter(this.terms, this.solver.model());
  }

  get interruptReason(): string | undefined {
    return this.solver.interruptReason;
  }

  get stats(): Readonly<Record<string, number>> {
    return this.solver.stats;
  }

  dispose(): void {}
}

export class ConcreteEngine implements Engine {
  private readonly terms: TermStore;
  private readonly heavy: HeavyBackEnd;
  private readonly solver: ConcreteSolver;

  constructor(terms: TermStore, heavy: HeavyBackEnd) {
    this.terms = terms;
    this.heavy = heavy;
    this.solver = new ConcreteSolver(terms, { backEnd: heavy.backEnd });
  }

  assert(formula: TermId, guard?: TermId): void {
    this.solver.assert(formula, guard);
  }

  push(): void {
    this.solver.push();
  }

  pop(): void {
    this.solver.pop();
  }

  async solve(assumptions: readonly TermId[], budget?: Budget): Promise<Result> {
    const result = this.solver.solve(assumptions, budget);
    if (this.solver.interruptReason !== 'load') return result;
    await this.heavy.load();
    return this.solver.solve(assumptions, budget);
  }

  core(): TermId[] {
    return this.solver.core();
  }

  model(): ScriptModel {
    return new ValuePrinter(this.terms, this.solver.model());
  }

  get interruptReason(): string | undefined {
    return this.solver.interruptReason;
  }

  get stats(): Readonly<Record<string, number>> {
    return this.solver.stats;
  }

  dispose(): void {
    this.solver.dispose();
  }
}
