/**
 * Can formulas hold together, bit by bit? Each question gets a solver of its own and is asserted as a whole, because then
 * the solver solves equations before it looks at bits, and what refinement asks about consists of equations for the
 * most part. Minimal cores are found by asking about parts (Junker, "QuickXplain", AAAI 2004).
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import type { ConcreteModel } from '../../bv/model.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { Result } from '../../sat/solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** A question was left open. */
export class LeftOpen extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** What a question costs that has hardly any clauses, and what each clause adds, in propagations of the search. */
const WORK_PER_QUESTION = 2000;
const WORK_PER_CLAUSE = 1.5;

/** So few formulas are looked at one by one. */
const FEW = 8;

export class Possibility {
  /** What the questions have cost so far, by a rough measure that is the same in every run. */
  work = 0;
  private readonly terms: TermStore;
  private readonly backEnd: BackEndFactory;
  private readonly budget: Budget;
  private solver: ConcreteSolver | undefined; // of the last question

  constructor(terms: TermStore, backEnd: BackEndFactory, budget: Budget) {
    this.terms = terms;
    this.backEnd = backEnd;
    this.budget = budget;
  }

  /** Throws LeftOpen if the budget does not suffice. */
  check(formulas: readonly TermId[]): Exclude<Result, 'unknown'> {
    this.solver?.dispose();
    const solver = new ConcreteSolver(this.terms, { backEnd: this.backEnd });
    this.solver = solver;
    for (const f of formulas) solver.assert(f);
    const result = solver.solve([], this.budget);
    this.work += WORK_PER_QUESTION + WORK_PER_CLAUSE * solver.stats.clauses;
    if (result === 'unknown') throw new LeftOpen(solver.interruptReason ?? 'limit');
    return result;
  }

  /** After `sat`, until the next question. */
  model(): ConcreteModel {
    if (this.solver === undefined) throw new Error('nothing has been asked yet');
    return this.solver.model();
  }

  /**
   * A minimal part of the formulas that cannot hold together; nothing if all of them can. Of several such parts, one
   * that does with the formulas that come early, as far as possible. The background holds in any case.
   */
  core(formulas: readonly TermId[], background: readonly TermId[] = []): TermId[] | undefined {
    const all = [...new Set(formulas)];
    if (this.check([...background, ...all]) === 'sat') return undefined;
    const part = this.assumed(all, background);
    return part.length === 0 ? [] : this.explain(background, background.length > 0, part);
  }

  /** A part of impossible formulas that is impossible, by the SAT solver's own account: small, but not minimal. */
  private assumed(formulas: readonly TermId[], background: readonly TermId[]): readonly TermId[] {
    if (formulas.length <= FEW) return formulas;
    const solver = new ConcreteSolver(this.terms, { backEnd: this.backEnd });
    for (const f of background) solver.assert(f);
    const result = solver.solve(formulas, this.budget);
    const core = result === 'unsat' ? solver.core() : undefined;
    solver.dispose();
    if (result === 'unknown') throw new LeftOpen(solver.interruptReason ?? 'limit');
    return core ?? formulas;
  }

  /** What of `part` is needed beside `background`; `isNew`: the background has grown since it was last asked about. */
  private explain(background: readonly TermId[], isNew: boolean, part: readonly TermId[]): TermId[] {
    if (isNew && this.check(background) === 'unsat') return [];
    if (part.length === 1) return [...part];
    const middle = Math.ceil(part.length / 2);
    const [early, late] = [part.slice(0, middle), part.slice(middle)];
    const ofLate = this.explain([...background, ...early], true, late);
    const ofEarly = this.explain([...background, ...ofLate], ofLate.length > 0, early);
    return [...ofEarly, ...ofLate];
  }

  dispose(): void {
    this.solver?.dispose();
    this.solver = undefined;
  }
}
