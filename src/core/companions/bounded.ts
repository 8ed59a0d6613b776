/**
 * Bounded model checking: is the property violated within k steps, for larger and larger k? It is bit-precise and knows
 * nothing of the abstraction, so it finds violations that the abstraction would reach only through many lemmas.
 *
 * Only violations count here, and to find one is often easier than to show that there is none nearer. So depths are not
 * settled one after the other. A question is whether there is a violation at any depth from the first open one to some
 * horizon, and it may use a limited effort. If it is left open, the horizon moves on, by ever larger steps, for a few
 * questions; then it starts again at the first open depth, with twice the effort.
 *
 * A run may end in a violation because there is no step from there. So what constrains steps (relations and constraints) is
 * asserted only up to the first open depth, which every run in question reaches; further on it is part of the question.
 *
 * Invariant: no violation is at a depth below `open`, and the solver has been told.
 */
import { OwnEngine } from '../../bv/own-engine.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { TermId } from '../../term/store.ts';
import { Copies } from '../refine/copies.ts';
import { runOf } from '../refine/run.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Trace } from '../system/trace.ts';

/** What a question may cost at first, in propagations: numbers and not times, so that runs can be repeated. */
const FIRST_EFFORT = 1_000_000;
/** Questions of a round that may be left open, and by how much the horizon grows from one to the next. */
const QUESTIONS_OF_A_ROUND = 4;
const GROWTH = 1.4;
/** For finding a shorter run than the first. */
const EFFORT_TO_SHORTEN = 2_000_000;
/** Below this the horizon grows by one: the runs that are found are as short as they can be. */
const NEAR = 8;
/** At most so many steps are unrolled at once, and no more of them than have so many terms together, but one at least. */
const STEPS_AT_ONCE = 20;
const TERMS_AT_ONCE = 100_000;
/** What other work costs, in propagations: to make a clause, to copy and simplify a term, to ask the engine. */
const COST_OF_A_CLAUSE = 6;
const COST_OF_A_TERM = 20;
const COST_OF_A_ROUND = 1000;
/** With more clauses or terms than this, nothing is unrolled any further. */
const MAX_CLAUSES = 2_000_000;
const MAX_TERMS = 5_000_000;

export class BoundedSearch {
  private readonly system: FunctionalSystem;
  private readonly engine = new OwnEngine();
  private readonly solver: ConcreteSolver;
  private readonly copies: Copies;
  private readonly budget: Budget;
  private readonly size: number; // terms of one step
  private readonly violations: TermId[] = []; // for each depth so far, that the property is violated there
  private readonly steps: TermId[] = []; // for each depth but the last, that a step from there is allowed
  private termsLookedAt = 0; // for lemmas, in rounds after the first of a question
  private isOver = false; // there is no time any more, or nothing left to ask
  private open = 0; // the first depth that may have a violation
  private reached = 0; // the depth up to which steps are asserted to be allowed: `open`, as far as it is unrolled
  private horizon = 0; // the last depth that is asked about
  private leftOpen = 0; // questions of this round
  private effort = FIRST_EFFORT; // of a question of this round
  private rest = FIRST_EFFORT; // of it, for the present question

  constructor(system: FunctionalSystem, budget: Budget) {
    const { terms, definitions, relations, constraints, property } = system;
    this.system = system;
    this.budget = budget;
    this.size = terms.postorder([...definitions.values(), ...relations, ...constraints, property]).length;
    this.copies = new Copies(system);
    this.solver = new ConcreteSolver(terms, { backEnd: () => this.engine });
    for (const f of [...system.init, ...constraints]) this.solver.assert(this.copies.at(f, 0));
  }

  /** Searches until about so much more work is done; the run if there is one. Call again to go on. */
  run(effort: number): Trace | undefined {
    const end = this.work + effort;
    while (this.work < end && !this.isOver) {
      const run = this.ask(end - this.work);
      if (run !== undefined) return run;
    }
    return undefined;
  }

  /** What has been done so far, in propagations. */
  get work(): number {
    return (
      this.engine.propagations +
      COST_OF_A_CLAUSE * this.solver.clauseCount +
      COST_OF_A_TERM * (this.unrolledTerms + this.termsLookedAt) +
      COST_OF_A_ROUND * this.solver.roundCount
    );
  }

  /** Asks the present question, or goes on with it. */
  private ask(effort: number): Trace | undefined {
    const { solver, engine } = this;
    const { terms } = this.system;
    this.unroll();
    const question = this.violationUpTo(this.horizon);
    const start = engine.propagations;
    const rounds = solver.roundCount;
    // The search starts anew after a pause, so it must get somewhere before the next one.
    const propagations = Math.min(this.rest, Math.max(effort, solver.clauseCount));
    const answer = solver.solve([question], { ...this.budget, propagations });
    this.rest -= engine.propagations - start;
    this.termsLookedAt += (solver.roundCount - rounds - 1) * this.unrolledTerms;
    if (answer === 'sat') return this.shortest();
    if (answer === 'unsat') {
      solver.assert(terms.not(question));
      this.open = this.horizon + 1;
      this.turnTo(this.further(), 0);
    } else if (solver.interruptReason !== 'propagations') this.isOver = true;
    else if (this.rest <= 0) this.leave();
    return undefined;
  }

  /** The present question is left open. */
  private leave(): void {
    if (this.leftOpen + 1 < QUESTIONS_OF_A_ROUND) {
      this.turnTo(this.further(), this.leftOpen + 1);
    } else {
      this.effort *= 2;
      this.turnTo(this.open, 0);
    }
  }

  /** The horizon after the present one. */
  private further(): number {
    const { horizon, size } = this;
    if (horizon < NEAR) return horizon + 1;
    const steps = Math.min(STEPS_AT_ONCE, Math.floor(TERMS_AT_ONCE / size));
    return Math.min(Math.floor(horizon * GROWTH), horizon + Math.max(1, steps));
  }

  private turnTo(horizon: number, leftOpen: number): void {
    const isFull = this.solver.clauseCount > MAX_CLAUSES || this.unrolledTerms > MAX_TERMS;
    this.horizon = isFull ? Math.min(horizon, this.violations.length - 1) : horizon;
    this.isOver ||= this.horizon < this.open;
    this.leftOpen = leftOpen;
    this.rest = Math.max(this.effort, this.solver.clauseCount);
  }

  private get unrolledTerms(): number {
    return this.size * this.violations.length;
  }

  /** The path up to the horizon. */
  private unroll(): void {
    const { system, solver, copies, violations } = this;
    const { terms } = system;
    for (let depth = violations.length; depth <= this.horizon; depth++) {
      violations.push(copies.at(terms.not(system.property), depth));
      if (depth === 0) continue;
      const before = depth - 1;
      for (const [next, body] of system.definitions) solver.assert(copies.at(terms.eq(next, body), before));
      const isAllowed = [
        ...system.relations.map(f => copies.at(f, before)),
        ...system.constraints.map(f => copies.at(f, depth)),
      ];
      this.steps.push(terms.and(isAllowed));
    }
    const end = Math.min(this.open, this.steps.length);
    for (; this.reached < end; this.reached++) solver.assert(this.steps[this.reached]);
  }

  /** There is a violation at the first open depth, or it can be left and there is one later, up to a depth. */
  private violationUpTo(last: number): TermId {
    const { violations, steps, open } = this;
    const { terms } = this.system;
    let question = violations[last];
    for (let depth = last - 1; depth >= open; depth--)
      question = terms.or([violations[depth], terms.and([steps[depth], question])]);
    return question;
  }

  /** The run that the solver has found, or a shorter one if it finds that with little effort. */
  private shortest(): Trace {
    const { solver, engine, system } = this;
    const end = engine.propagations + EFFORT_TO_SHORTEN;
    for (;;) {
      const model = solver.model();
      const depth = this.violations.findIndex((v, i) => i >= this.open && model.isTrue(v));
      const run = runOf(system, this.copies, model, depth + 1);
      const propagations = end - engine.propagations;
      if (depth === this.open || propagations <= 0) return run;
      const shorter = this.violationUpTo(depth - 1);
      if (solver.solve([shorter], { ...this.budget, propagations }) !== 'sat') return run;
    }
  }
}
