/**
 * An abstract solver that holds what some of the questions of IC3 are about: definitions, relations and constraints, for
 * good, and all lemmas. Frames are sets of clauses behind activation variables: R_i is what the variables of the frames
 * i, i + 1, … and the clauses of F∞ say; R_0 is the initial states. There is one part for the whole system, or one for
 * each of its slices (`division.ts`).
 */
import { ArrayAxioms } from '../../euf/arrays.ts';
import type { EufModel } from '../../euf/model.ts';
import { EufSolver } from '../../euf/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { Result } from '../../sat/solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { EngineOptions } from '../env/options.ts';
import { OutOfBudget } from '../env/out-of-budget.ts';
import type { Profile } from '../env/profile.ts';
import type { Formulas } from '../system/slices.ts';
import { type Cube, clauseOf } from './cube.ts';
import { type Projection, Projector } from './projection.ts';

/** F∞: clauses that hold in every reachable state, whatever the depth. */
export const INFINITY = Number.POSITIVE_INFINITY;

/** A question that takes more propagations than this pauses. */
const PAUSE = 200_000;

export interface QueryOptions extends EngineOptions {
  readonly budget: Budget;
  readonly profile: Profile;
  /** Called now and then while a question is open. */
  readonly onPause: () => void;
}

/** What all parts share: switches, activation variables, and what the questions have cost. */
export class Common {
  readonly terms: TermStore;
  readonly options: QueryOptions;
  readonly budget: Budget; // of a question until it pauses
  readonly isInitial: TermId; // assumed, the state is an initial one
  readonly isBad: TermId; // assumed, the property fails
  readonly isStep: TermId; // assumed, there is a step to the next state
  readonly counts = { bad: 0, relative: 0, initial: 0 };
  /** Instances of array axioms that questions needed. */
  readonly axioms = new Set<TermId>();
  readonly projector: Projector;
  private readonly asked = new Set<Part>(); // since work was last counted
  private counted = 0;
  private readonly activations: TermId[] = []; // of the frames 1, 2, …

  constructor(terms: TermStore, options: QueryOptions) {
    this.terms = terms;
    this.options = options;
    this.budget = { ...options.budget, propagations: PAUSE };
    this.isInitial = terms.variable('initial', terms.sorts.bool);
    this.isBad = terms.variable('bad', terms.sorts.bool);
    this.isStep = terms.variable('step', terms.sorts.bool);
    this.projector = new Projector(terms);
  }

  /** A part has worked on a question. */
  worked(part: Part): void {
    this.asked.add(part);
  }

  /** Propagations of all parts so far. */
  get work(): number {
    for (const part of this.asked) this.counted += part.newWork();
    this.asked.clear();
    return this.counted;
  }

  activation(level: number): TermId {
    const { terms, activations } = this;
    while (activations.length < level) {
      activations.push(terms.variable(`frame${activations.length + 1}`, terms.sorts.bool));
    }
    return activations[level - 1];
  }
}

/** What an impossible question rests on. */
export interface Core {
  readonly uses: ReadonlySet<TermId>;
  /** The first frame at or after the one asked about whose clauses it needs; 0 for the initial states. */
  readonly frame: number;
}

export class Part {
  readonly formulas: Formulas;
  /** Valid formulas that the part knows. */
  readonly valid: TermId[] = [];
  private readonly common: Common;
  private readonly terms: TermStore;
  private readonly solver: EufSolver;
  private readonly arrays: ArrayAxioms | undefined;
  private readonly levels: number[] = []; // of the frames with clauses here, in ascending order
  private seen = 0; // propagations that have been counted
  private spent: TermId | undefined; // switches a clause on that only the last model still needs

  constructor(formulas: Formulas, common: Common) {
    const { terms, options } = common;
    this.formulas = formulas;
    this.common = common;
    this.terms = terms;
    this.solver = new EufSolver(terms, {
      evaluateConstants: options.evaluateConstants,
      search: { seed: options.seed },
    });
    this.arrays = options.arrays === 'lazy' ? new ArrayAxioms(terms) : undefined;
    // Definitions come first: the solver leaves those alone that a question does not need.
    for (const [variable, body] of formulas.definitions) this.assert(terms.eq(variable, body));
    // The last state of a run needs no successor, so relations hold only where a step is asked about.
    for (const f of formulas.relations) this.assert(f, common.isStep);
    for (const f of formulas.constraints) this.assert(f);
    for (const f of formulas.init) this.assert(f, common.isInitial);
    this.assert(terms.not(formulas.property), common.isBad);
  }

  /** A valid formula, about steps or states. */
  addLemma(lemma: TermId): void {
    this.valid.push(lemma);
    this.assert(lemma);
  }

  private assert(formula: TermId, guard?: TermId): void {
    this.arrays?.note(formula);
    this.solver.assert(formula, guard);
  }

  /** Excludes a cube from the frames up to the level. */
  addClause(cube: Cube, level: number): void {
    const clause = clauseOf(this.terms, cube);
    if (level === INFINITY) {
      this.assert(clause);
      return;
    }
    this.assert(clause, this.common.activation(level));
    const at = this.levels.findIndex(l => l >= level);
    if (at < 0) this.levels.push(level);
    else if (this.levels[at] !== level) this.levels.splice(at, 0, level);
  }

  /**
   * A model of a state of R_level in which the formulas hold, or why there is none. What is kept from the question before
   * goes as far as the assumptions are the same, so `first` is for formulas that many questions share.
   */
  ask(
    kind: string,
    level: number,
    formulas: readonly TermId[],
    first: readonly TermId[] = [],
  ): EufModel | Core {
    const { common } = this;
    const levels = level === 0 ? [] : this.levels.filter(l => l >= level);
    const frame = level === 0 ? [common.isInitial] : levels.map(l => common.activation(l));
    if (this.answer(kind, [...first, ...frame, ...formulas])) return this.solver.model();
    const uses = new Set(this.solver.core());
    const lowest = frame.findIndex(a => uses.has(a));
    if (lowest < 0) return { uses, frame: INFINITY };
    return { uses, frame: level === 0 ? 0 : levels[lowest] };
  }

  /** The same, of states outside a cube. */
  askOutside(
    cube: Cube,
    kind: string,
    level: number,
    formulas: readonly TermId[],
    first: readonly TermId[],
  ): EufModel | Core {
    const { terms, solver } = this;
    const outside = terms.variable('outside', terms.sorts.bool);
    solver.assert(clauseOf(terms, cube), outside);
    const answer = this.ask(kind, level, [outside, ...formulas], first);
    if ('uses' in answer) solver.assert(terms.not(outside));
    else this.spent = outside;
    return answer;
  }

  /** What of formulas a model needs to be one. */
  project(model: EufModel, formulas: readonly TermId[]): Projection {
    return this.common.projector.project(model, formulas, this.formulas.definitions);
  }

  /** Propagations since this was last called. */
  newWork(): number {
    const { propagations } = this.solver.stats;
    const before = this.seen;
    this.seen = propagations;
    return propagations - before;
  }

  private answer(kind: string, assumptions: readonly TermId[]): boolean {
    if (this.spent !== undefined) {
      this.solver.assert(this.terms.not(this.spent));
      this.spent = undefined;
    }
    const result = this.common.options.profile.measure(kind, () => this.solve(assumptions));
    if (result === 'unknown') throw new OutOfBudget(this.solver.interruptReason ?? 'limit');
    return result === 'sat';
  }

  /** Asks, and asks again with the array axioms that a model violates, until there are none. */
  private solve(assumptions: readonly TermId[]): Result {
    const { solver, arrays, common } = this;
    for (;;) {
      const result = solver.solve(assumptions, common.budget);
      common.worked(this);
      if (result === 'unknown' && solver.interruptReason === 'propagations') {
        common.options.onPause();
        continue;
      }
      if (result !== 'sat' || arrays === undefined) return result;
      for (const a of assumptions) arrays.note(a);
      const instances = arrays.violated(solver.model());
      if (instances.length === 0) return result;
      for (const f of instances) {
        common.axioms.add(f);
        this.addLemma(f);
      }
    }
  }
}
