/**
 * The questions that IC3 asks, over one abstract solver that holds the transition relation, the constraints and all
 * lemmas for good. Frames are sets of clauses behind activation variables: R_i is what the variables of the frames
 * i, i + 1, … and the clauses of F∞ say; R_0 is the initial states.
 */
import { ArrayAxioms } from '../../euf/arrays.ts';
import type { EufModel } from '../../euf/model.ts';
import { EufSolver } from '../../euf/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { Result } from '../../sat/solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { EngineOptions } from '../env/options.ts';
import type { Profile } from '../env/profile.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { priming, type Renaming } from '../system/renaming.ts';
import { type Cube, clauseOf } from './cube.ts';

/** F∞: clauses that hold in every reachable state, whatever the depth. */
export const INFINITY = Number.POSITIVE_INFINITY;

/** A limit was reached in the middle of a question. */
export class OutOfBudget extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** A question that takes more propagations than this pauses. */
const PAUSE = 200_000;

export interface QueryOptions extends EngineOptions {
  readonly budget: Budget;
  readonly profile: Profile;
  /** Called now and then while a question is open. */
  readonly onPause: () => void;
}

/** The cube cannot be reached in one step: which of its literals the proof used, and from which frame on. */
export interface Unreachable {
  readonly core: Cube;
  /** It cannot be reached from this frame either, which may be later than the one asked about. */
  readonly level: number;
}

export class Queries {
  readonly counts = { bad: 0, relative: 0, initial: 0 };
  /** Instances of array axioms that questions needed; none if arrays are abstract. */
  readonly axioms: TermId[] = [];
  private readonly terms: TermStore;
  private readonly solver: EufSolver;
  private readonly arrays: ArrayAxioms | undefined;
  private readonly budget: Budget;
  private readonly profile: Profile;
  private readonly onPause: () => void;
  private readonly prime: Renaming;
  private readonly isInitial: TermId; // assumed, the state is an initial one
  private readonly isBad: TermId; // assumed, the property fails
  private readonly isStep: TermId; // assumed, there is a step to the next state
  private readonly activations: TermId[] = []; // of the frames 1, 2, …
  private temporary = 0; // number of clauses that were used once

  constructor(system: FunctionalSystem, options: QueryOptions) {
    const { terms } = system;
    this.terms = terms;
    this.budget = { ...options.budget, propagations: PAUSE };
    this.profile = options.profile;
    this.onPause = options.onPause;
    this.solver = new EufSolver(terms, {
      evaluateConstants: options.evaluateConstants,
      search: { seed: options.seed },
    });
    this.arrays = options.arrays === 'lazy' ? new ArrayAxioms(terms) : undefined;
    this.prime = priming(terms, system.states);
    this.isInitial = terms.variable('initial', terms.sorts.bool);
    this.isBad = terms.variable('bad', terms.sorts.bool);
    this.isStep = terms.variable('step', terms.sorts.bool);
    // Definitions come first: the solver leaves those alone that a question does not need.
    for (const [variable, body] of system.definitions) this.assert(terms.eq(variable, body));
    // The last state of a run needs no successor, so relations hold only where a step is asked about.
    for (const f of system.relations) this.assert(f, this.isStep);
    for (const f of system.constraints) this.assert(f);
    for (const f of system.init) this.assert(f, this.isInitial);
    this.assert(terms.not(system.property), this.isBad);
  }

  /** How much the questions have cost so far: a number and not a time, so that runs can be repeated. */
  get work(): number {
    return this.solver.stats.propagations;
  }

  /** A valid formula, about steps or states. */
  addLemma(lemma: TermId): void {
    this.assert(lemma);
  }

  private assert(formula: TermId, guard?: TermId): void {
    this.arrays?.note(formula);
    this.solver.assert(formula, guard);
  }

  /** Excludes a cube from the frames up to the level. */
  addClause(cube: Cube, level: number): void {
    const clause = clauseOf(this.terms, cube);
    if (level === INFINITY) this.assert(clause);
    else this.assert(clause, this.activation(level));
  }

  /** A model of a state of R_level in which the property fails. */
  bad(level: number): EufModel | undefined {
    this.counts.bad++;
    return this.ask('bad state', [...this.frame(level), this.isBad]) ? this.solver.model() : undefined;
  }

  /** Those of the literals that no initial state satisfies together; nothing if some initial state does. */
  initialCore(cube: Cube): Cube | undefined {
    this.counts.initial++;
    if (this.ask('initial state', [this.isInitial, ...cube])) return undefined;
    const core = new Set(this.solver.core());
    return cube.filter(l => core.has(l));
  }

  /**
   * Can the cube be reached in a step from a state of R_(level-1) outside the cube? If so, a model of the step. The
   * initial states need no clause to keep them outside, since no cube that is asked about has one.
   */
  relative(cube: Cube, level: number): EufModel | Unreachable {
    this.counts.relative++;
    const { terms, solver } = this;
    const frame = this.frame(level - 1);
    const outside = terms.variable(`outside${this.temporary++}`, terms.sorts.bool);
    solver.assert(clauseOf(terms, cube), outside);
    const primed = cube.map(l => this.prime.apply(l));
    const isReachable = this.ask('step into cube', [this.isStep, ...frame, outside, ...primed]);
    const answer = isReachable ? solver.model() : this.unreachable(cube, primed, level);
    if (!isReachable) solver.assert(terms.not(outside));
    else this.spent = outside;
    return answer;
  }

  private spent: TermId | undefined; // the clause that the last model still needs

  private unreachable(cube: Cube, primed: readonly TermId[], level: number): Unreachable {
    const core = new Set(this.solver.core());
    const used = cube.filter((_, i) => core.has(primed[i]));
    if (level === 1 && core.has(this.isInitial)) return { core: used, level };
    const first = this.activations.findIndex((a, i) => i + 1 >= level - 1 && core.has(a));
    return { core: used, level: first < 0 ? INFINITY : first + 2 };
  }

  private ask(kind: string, assumptions: readonly TermId[]): boolean {
    if (this.spent !== undefined) {
      this.solver.assert(this.terms.not(this.spent));
      this.spent = undefined;
    }
    const result = this.profile.measure(kind, () => this.solve(assumptions));
    if (result === 'unknown') throw new OutOfBudget(this.solver.interruptReason ?? 'limit');
    return result === 'sat';
  }

  /** Asks, and asks again with the array axioms that a model violates, until there are none. */
  private solve(assumptions: readonly TermId[]): Result {
    const { solver, arrays } = this;
    for (;;) {
      const result = solver.solve(assumptions, this.budget);
      if (result === 'unknown' && solver.interruptReason === 'propagations') {
        this.onPause();
        continue;
      }
      if (result !== 'sat' || arrays === undefined) return result;
      for (const a of assumptions) arrays.note(a);
      const instances = arrays.violated(solver.model());
      if (instances.length === 0) return result;
      for (const f of instances) {
        this.axioms.push(f);
        this.assert(f);
      }
    }
  }

  /** Assumptions that make the current state one of R_level. */
  private frame(level: number): TermId[] {
    if (level === 0) return [this.isInitial];
    if (level === INFINITY) return [];
    if (this.activations.length < level) this.activation(level);
    return this.activations.slice(level - 1);
  }

  private activation(level: number): TermId {
    const { terms, activations } = this;
    while (activations.length < level) {
      activations.push(terms.variable(`frame${activations.length + 1}`, terms.sorts.bool));
    }
    return activations[level - 1];
  }
}
