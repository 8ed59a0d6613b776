/**
 * The runs of a flat system from its initial states, unrolled step by step into a concrete solver: is there a violation at
 * some depth? Bounded search asks that for many depths at once, k-induction for one after the other.
 *
 * A run may end in a violation because there is no step from there. So what constrains steps (relations and constraints) is
 * asserted only up to the first open depth, which every run in question reaches; further on it is part of the question.
 *
 * Invariant: no violation is at a depth below `open`, and the solver has been told.
 */
import { OwnEngine } from '../../../bv/own-engine.ts';
import { ConcreteSolver } from '../../../bv/solver.ts';
import type { TermId } from '../../../term/store.ts';
import { type Trace, traceAlong } from '../../problem/trace.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';
import { Unrolling } from '../../problem/unrolling.ts';

/** What work other than the SAT engine's costs, in propagations: to make a clause, to copy and simplify a term, to ask. */
const COST_OF_A_CLAUSE = 6;
const COST_OF_A_TERM = 20;
const COST_OF_A_ROUND = 1000;

export class InitialRuns {
  readonly solver: ConcreteSolver;
  readonly unrolling: Unrolling;
  /** The first depth that may have a violation. */
  open = 0;
  private readonly system: TransitionSystem;
  private readonly sat = new OwnEngine();
  private readonly violations: TermId[] = []; // for each depth so far, that the property is violated there
  private readonly steps: TermId[] = []; // for each depth but the last, that a step from there is allowed
  private termsLookedAt = 0; // for lemmas, in rounds after the first of a question
  private reached = 0; // the depth up to which steps are asserted to be allowed: `open`, as far as it is unrolled

  constructor(system: TransitionSystem) {
    this.system = system;
    this.unrolling = new Unrolling(system);
    this.solver = new ConcreteSolver(this.unrolling.terms, { backEnd: () => this.sat });
    for (const f of [...system.init, ...system.constraints]) this.solver.assert(this.unrolling.at(f, 0));
  }

  /** How many depths are unrolled. */
  get depth(): number {
    return this.violations.length;
  }

  get propagations(): number {
    return this.sat.propagations;
  }

  /** How many terms have been copied. */
  get unrolledTerms(): number {
    return this.unrolling.size * this.violations.length;
  }

  /** What has been done so far, in propagations. */
  get work(): number {
    const { solver } = this;
    return (
      this.sat.propagations +
      COST_OF_A_CLAUSE * solver.clauseCount +
      COST_OF_A_TERM * (this.unrolledTerms + this.termsLookedAt) +
      COST_OF_A_ROUND * solver.roundCount
    );
  }

  /** One depth more. */
  unroll(): void {
    const { system, solver, unrolling, violations } = this;
    const { terms } = unrolling;
    const depth = violations.length;
    violations.push(terms.not(unrolling.at(system.property, depth)));
    if (depth === 0) return;
    const before = depth - 1;
    for (const [next, body] of system.definitions)
      solver.assert(terms.eq(unrolling.at(next, before), unrolling.at(body, before)));
    const isAllowed = [
      ...system.relations.map(f => unrolling.at(f, before)),
      ...system.constraints.map(f => unrolling.at(f, depth)),
    ];
    this.steps.push(terms.and(isAllowed));
  }

  /** There is a violation at the first open depth, or it can be left and there is one later, up to a depth. */
  violationUpTo(last: number): TermId {
    const { violations, steps, open, solver } = this;
    const { terms } = this.unrolling;
    const end = Math.min(open, steps.length);
    for (; this.reached < end; this.reached++) solver.assert(steps[this.reached]);
    let question = violations[last];
    for (let depth = last - 1; depth >= open; depth--)
      question = terms.or([violations[depth], terms.and([steps[depth], question])]);
    return question;
  }

  /** Asks a question of that kind with at most so many propagations. */
  ask(question: TermId, budget: Parameters<ConcreteSolver['solve']>[1]): ReturnType<ConcreteSolver['solve']> {
    const rounds = this.solver.roundCount;
    const answer = this.solver.solve([question], budget);
    this.termsLookedAt += (this.solver.roundCount - rounds - 1) * this.unrolledTerms;
    return answer;
  }

  /** There is none up to a depth. */
  settle(question: TermId, last: number): void {
    this.solver.assert(this.unrolling.terms.not(question));
    this.open = last + 1;
  }

  /** After `sat`: the depth of the first violation of the model. */
  firstViolation(): number {
    const model = this.solver.model();
    return this.violations.findIndex((v, i) => i >= this.open && model.isTrue(v));
  }

  /** After `sat`: the model's run up to a depth. */
  trace(depth: number): Trace {
    const { unrolling, system, solver } = this;
    const model = solver.model();
    const value = (v: TermId, i: number) => model.value(unrolling.variable(v, i));
    return traceAlong(system, {
      length: depth + 1,
      initial: v => value(v, 0),
      input: value,
      after: (s, i) => value(s.current, i + 1),
      functionValue: (f, args) => model.apply(unrolling.function(f), args),
    });
  }
}
