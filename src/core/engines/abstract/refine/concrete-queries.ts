/**
 * Bit-precise questions: can formulas hold together? Each question gets a solver of its own and is asserted as a whole,
 * because then the solver solves equations before it looks at bits, and what refinement asks about consists of equations
 * for the most part. Minimal cores are found by asking about parts (Junker, "QuickXplain", AAAI 2004).
 */
import type { ConcreteModel } from '../../../../bv/model.ts';
import { ConcreteSolver } from '../../../../bv/solver.ts';
import type { Budget } from '../../../../sat/budget.ts';
import type { Result } from '../../../../sat/solver.ts';
import { isPause, Unknown } from '../../../../sat/unknown.ts';
import type { Work } from '../../../../sat/work.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import type { Effort } from '../../effort.ts';
import type { Env } from '../../engine.ts';

/** What a question costs that has hardly any clauses, and what each clause adds, in propagations of the search. */
const WORK_PER_QUESTION = 2000;
const WORK_PER_CLAUSE = 1.5;

/**
 * A question is asked in portions of a tenth of a second or so, by counts: conflicts on many clauses take longer. To the
 * search a portion is worth as many propagations as it makes in that time.
 */
const PORTION_PROPAGATIONS = 1_000_000;
const CLAUSE_CONFLICTS_OF_A_PORTION = 10_000_000;
const MIN_CONFLICTS = 20;
const MAX_CONFLICTS = 500;
const WORK_PER_PORTION = 100_000;

/** So few formulas are looked at one by one. */
const FEW = 8;

export class ConcreteQueries {
  private readonly terms: TermStore;
  private readonly env: Pick<Env, 'backEnd' | 'budget'>;
  private readonly effort: Effort;
  private solver: ConcreteSolver | undefined; // of the last question

  constructor(terms: TermStore, env: Pick<Env, 'backEnd' | 'budget'>, effort: Effort) {
    this.terms = terms;
    this.env = env;
    this.effort = effort;
  }

  /** Throws an Unknown if the limits do not suffice. */
  *check(formulas: readonly TermId[]): Work<Exclude<Result, 'unknown'>> {
    this.solver?.dispose();
    const solver = new ConcreteSolver(this.terms, { backEnd: this.env.backEnd });
    this.solver = solver;
    for (const f of formulas) solver.assert(f);
    return yield* this.answer(solver, []);
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
  *core(formulas: readonly TermId[], background: readonly TermId[] = []): Work<TermId[] | undefined> {
    const all = [...new Set(formulas)];
    if ((yield* this.check([...background, ...all])) === 'sat') return undefined;
    const part = yield* this.assumed(all, background);
    return part.length === 0 ? [] : yield* this.explain(background, background.length > 0, part);
  }

  /** A part of impossible formulas that is impossible, by the SAT solver's own account: small, but not minimal. */
  private *assumed(formulas: readonly TermId[], background: readonly TermId[]): Work<readonly TermId[]> {
    if (formulas.length <= FEW) return formulas;
    const solver = new ConcreteSolver(this.terms, { backEnd: this.env.backEnd });
    try {
      for (const f of background) solver.assert(f);
      return (yield* this.answer(solver, formulas)) === 'unsat' ? solver.core() : formulas;
    } finally {
      solver.dispose();
    }
  }

  /** What of `part` is needed beside `background`; `isNew`: the background has grown since it was last asked about. */
  private *explain(background: readonly TermId[], isNew: boolean, part: readonly TermId[]): Work<TermId[]> {
    if (isNew && (yield* this.check(background)) === 'unsat') return [];
    if (part.length === 1) return [...part];
    const middle = Math.ceil(part.length / 2);
    const [early, late] = [part.slice(0, middle), part.slice(middle)];
    const ofLate = yield* this.explain([...background, ...early], true, late);
    const ofEarly = yield* this.explain([...background, ...ofLate], ofLate.length > 0, early);
    return [...ofEarly, ...ofLate];
  }

  private *answer(solver: ConcreteSolver, assumptions: readonly TermId[]): Work<Exclude<Result, 'unknown'>> {
    const { effort, env } = this;
    if (effort.left <= 0) yield 'turn';
    for (let isLoaded = false; ; ) {
      const result = solver.solve(assumptions, { ...env.budget, ...portionOf(solver.clauseCount) });
      if (result !== 'unknown') {
        effort.spend(WORK_PER_QUESTION + WORK_PER_CLAUSE * solver.clauseCount);
        return result;
      }
      if (isPause(solver.unknownReason)) {
        effort.spend(WORK_PER_PORTION);
        yield 'turn';
      } else if (solver.unknownReason === 'load' && !isLoaded) {
        yield 'load';
        isLoaded = true;
      } else throw new Unknown(solver.unknownReason ?? 'incomplete');
    }
  }

  dispose(): void {
    this.solver?.dispose();
    this.solver = undefined;
  }
}

function portionOf(clauses: number): Pick<Budget, 'conflicts' | 'propagations'> {
  const conflicts = Math.floor(CLAUSE_CONFLICTS_OF_A_PORTION / (1 + clauses));
  return {
    conflicts: Math.min(MAX_CONFLICTS, Math.max(MIN_CONFLICTS, conflicts)),
    propagations: PORTION_PROPAGATIONS,
  };
}
