/**
 * Inductive interpolant sequences from cores alone. A path F_0 ∧ F_1 ∧ … ∧ F_n is infeasible; p_k is to follow from
 * p_(k-1) ∧ F_(k-1) and to contradict F_k ∧ … ∧ F_n (dissertation Definition 4.4). For each k, states from which the
 * rest of the path goes on are taken one by one: what the step before it cannot reach of such a state, by an
 * unsatisfiable core over candidate literals, is excluded by p_k. The candidates are the path's own literals, bounds
 * and values. Each such core is at once a lemma of equation (13) of the array paper:
 *
 *   ¬ (p_(k-1) ∧ body ∧ ¬ clause of p_k')
 */
import type { ConcreteSolver } from '../../bv/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import { termOfValue } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import { SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Renaming } from '../system/renaming.ts';
import type { Copies } from './copies.ts';

/** States of the rest of the path that are looked at for one interpolant. */
const MAX_STATES = 64;

export interface PathStep {
  /** Over current variables, inputs and next variables. */
  readonly literals: readonly TermId[];
}

export class Interpolation {
  private readonly terms: TermStore;
  private readonly solver: ConcreteSolver; // holds nothing for good
  private readonly copies: Copies;
  private readonly prime: Renaming;
  private readonly states: readonly TermId[];
  private readonly budget: Budget;
  private readonly isOfNow: (t: TermId) => boolean;

  constructor(
    terms: TermStore,
    solver: ConcreteSolver,
    copies: Copies,
    prime: Renaming,
    states: readonly TermId[],
    isOfNow: (t: TermId) => boolean,
    budget: Budget,
  ) {
    this.terms = terms;
    this.solver = solver;
    this.copies = copies;
    this.prime = prime;
    this.states = states;
    this.isOfNow = isOfNow;
    this.budget = budget;
  }

  /** Sets of formulas over a step that cannot hold together, enough to make the path impossible; or nothing. */
  impossibleSets(steps: readonly PathStep[]): TermId[][] | undefined {
    const found: TermId[][] = [];
    let before: TermId[] = []; // p_(k-1), as clauses over current variables
    for (let k = 1; k < steps.length; k++) {
      const clauses = this.interpolant(before, steps, k, found);
      if (clauses === undefined) return undefined;
      before = clauses;
    }
    const last = [...before, ...steps[steps.length - 1].literals];
    if (this.solver.solve(last, this.budget) !== 'unsat') return undefined;
    found.push(this.solver.minimalCore(this.budget));
    return found;
  }

  /** The clauses of p_k. */
  private interpolant(
    before: readonly TermId[],
    steps: readonly PathStep[],
    k: number,
    found: TermId[][],
  ): TermId[] | undefined {
    const { terms, solver, copies, prime } = this;
    const body = [...before, ...steps[k - 1].literals];
    const rest = steps.slice(k).flatMap((s, i) => s.literals.map(l => copies.at(l, k + i)));
    const clauses: TermId[] = [];
    for (let states = 0; states < MAX_STATES; states++) {
      const answer = solver.solve([...rest, ...clauses.map(c => copies.at(c, k))], this.budget);
      if (answer === 'unsat') return clauses;
      if (answer !== 'sat') return undefined;
      const candidates = this.candidates(steps[k], k);
      const primed = candidates.map(c => prime.apply(c));
      if (solver.solve([...primed, ...body], this.budget) !== 'unsat') return undefined;
      const core = solver.minimalCore(this.budget);
      found.push(core);
      const used = new Set(core);
      const excluded = candidates.filter((_, i) => used.has(primed[i]));
      clauses.push(terms.or(excluded.map(l => terms.not(l))));
    }
    return undefined;
  }

  /** What holds in the state at step k of the last model, what should rather be left out of cores first. */
  private candidates(step: PathStep, k: number): TermId[] {
    const { terms, copies, solver } = this;
    const model = solver.model();
    const values: TermId[] = [];
    const bounds: TermId[] = [];
    for (const x of this.states) {
      const value = model.value(copies.variable(x, k));
      if (terms.sorts.kind(terms.sort(x)) === SortKind.UNINTERPRETED) continue;
      const constant = termOfValue(terms, terms.sort(x), value);
      if (terms.sort(x) === terms.sorts.bool) {
        values.push(value === true ? x : terms.not(x));
        continue;
      }
      values.push(terms.eq(constant, x));
      if (terms.width(x) > 1) {
        bounds.push(
          terms.not(terms.app(Op.BVULT, [x, constant])),
          terms.not(terms.app(Op.BVULT, [constant, x])),
        );
      }
    }
    const own = step.literals.filter(l => this.isOfNow(l));
    return [...values, ...bounds, ...own];
  }
}
