/**
 * An abstract solver that holds what some of the questions of IC3 are about: definitions, relations and constraints, for
 * good, and all lemmas. Frames are sets of clauses behind activation variables: R_i is what the variables of the frames
 * i, i + 1, … and the clauses of F∞ say; R_0 is the initial states. There is one frame solver for the whole problem, or one
 * for each location (`frame-solvers.ts`).
 */
import { ArrayAxioms } from '../../../euf/arrays.ts';
import type { EufModel } from '../../../euf/model.ts';
import { EufSolver } from '../../../euf/solver.ts';
import { isPause, Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Edge } from '../../problem/problem.ts';
import type { Transitions } from '../../problem/transitions.ts';
import type { Effort } from '../effort.ts';
import type { Env } from '../engine.ts';
import { FOREVER } from '../ic3/frames.ts';
import { type Cube, clauseOf } from './cube.ts';
import { Projector } from './projection.ts';

/** A question that takes more propagations than this pauses. */
const PAUSE = 200_000;

/** What all frame solvers share: switches, activation variables, and what the questions have cost. */
export class Shared {
  readonly terms: TermStore;
  readonly env: Env;
  readonly effort: Effort;
  readonly isInitial: TermId; // assumed, the state is an initial one
  readonly isBad: TermId; // assumed, the property fails
  readonly isStep: TermId; // assumed, there is a step to the next state
  readonly counts = { bad: 0, relative: 0, initial: 0 };
  /** So many have been learnt. */
  lemmas = 0;
  /** Instances of array axioms that questions needed. */
  readonly axioms = new Set<TermId>();
  readonly projector: Projector;
  private readonly activations: TermId[] = []; // of the frames 1, 2, …

  constructor(terms: TermStore, env: Env, effort: Effort) {
    this.terms = terms;
    this.env = env;
    this.effort = effort;
    this.isInitial = terms.variable('initial', terms.sorts.bool);
    this.isBad = terms.variable('bad', terms.sorts.bool);
    this.isStep = terms.variable('step', terms.sorts.bool);
    this.projector = new Projector(terms);
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

export class FrameSolver {
  readonly transitions: Transitions;
  /** Valid formulas that the solver knows. */
  readonly valid: TermId[] = [];
  private readonly shared: Shared;
  private readonly terms: TermStore;
  private readonly solver: EufSolver;
  private readonly arrays: ArrayAxioms | undefined;
  private readonly levels: number[] = []; // of the frames with clauses here, in ascending order
  private spent: TermId | undefined; // switches a clause on that only the last model still needs

  constructor(transitions: Transitions, shared: Shared) {
    const { terms, env } = shared;
    const { options } = env;
    this.transitions = transitions;
    this.shared = shared;
    this.terms = terms;
    this.solver = new EufSolver(terms, {
      evaluateConstants: options.evaluateConstants,
      search: { seed: options.seed },
    });
    this.arrays = options.arrays === 'lazy' ? new ArrayAxioms(terms) : undefined;
    // Definitions come first: the solver leaves those alone that a question does not need.
    for (const [variable, body] of transitions.definitions) this.assert(terms.eq(variable, body));
    // The last state of a run needs no successor, so relations hold only where a step is asked about.
    for (const f of transitions.relations) this.assert(f, shared.isStep);
    for (const f of transitions.constraints) this.assert(f);
    for (const f of transitions.init) this.assert(f, shared.isInitial);
    this.assert(transitions.bad, shared.isBad);
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
  exclude(cube: Cube, level: number): void {
    const clause = clauseOf(this.terms, cube);
    if (level === FOREVER) {
      this.assert(clause);
      return;
    }
    this.assert(clause, this.shared.activation(level));
    const at = this.levels.findIndex(l => l >= level);
    if (at < 0) this.levels.push(level);
    else if (this.levels[at] !== level) this.levels.splice(at, 0, level);
  }

  /**
   * A model of a state of R_level in which the formulas hold, or why there is none. What is kept from the question before
   * goes as far as the assumptions are the same, so `first` is for formulas that many questions share.
   */
  *ask(
    kind: string,
    level: number,
    formulas: readonly TermId[],
    first: readonly TermId[] = [],
  ): Work<EufModel | Core> {
    const { shared } = this;
    const levels = level === 0 ? [] : this.levels.filter(l => l >= level);
    const frame = level === 0 ? [shared.isInitial] : levels.map(l => shared.activation(l));
    if (yield* this.isPossible(kind, [...first, ...frame, ...formulas])) return this.solver.model();
    const uses = new Set(this.solver.core());
    const lowest = frame.findIndex(a => uses.has(a));
    if (lowest < 0) return { uses, frame: FOREVER };
    return { uses, frame: level === 0 ? 0 : levels[lowest] };
  }

  /** The same, of states outside some cubes. */
  *askOutside(
    cubes: readonly Cube[],
    kind: string,
    level: number,
    formulas: readonly TermId[],
    first: readonly TermId[],
  ): Work<EufModel | Core> {
    const { terms, solver } = this;
    const outside = terms.variable('outside', terms.sorts.bool);
    for (const cube of cubes) solver.assert(clauseOf(terms, cube), outside);
    const answer = yield* this.ask(kind, level, [outside, ...formulas], first);
    if ('uses' in answer) solver.assert(terms.not(outside));
    else this.spent = outside;
    return answer;
  }

  /** The edge by which a model of a question is one: a step if the question had a target, a query if not. */
  taken(model: EufModel, kind: 'steps' | 'queries'): Edge {
    const cases = this.transitions[kind];
    const found = cases.length === 1 ? cases[0] : cases.find(c => model.isTrue(c.selection));
    if (found === undefined) throw new Error('a model takes no edge');
    return found.edge;
  }

  private *isPossible(kind: string, assumptions: readonly TermId[]): Work<boolean> {
    if (this.spent !== undefined) {
      this.solver.assert(this.terms.not(this.spent));
      this.spent = undefined;
    }
    const { effort, env } = this.shared;
    const { profile, budget } = env;
    // The solver looks at limits as it works, but an answer that it knows takes no work.
    effort.checkpoint();
    if (effort.left <= 0) yield 'turn';
    for (;;) {
      const before = this.solver.stats.propagations;
      const result = profile.measure(kind, () =>
        this.solver.solve(assumptions, { ...budget, propagations: PAUSE }),
      );
      effort.spend(this.solver.stats.propagations - before);
      if (result === 'unknown') {
        if (!isPause(this.solver.unknownReason)) throw new Unknown(this.solver.unknownReason ?? 'incomplete');
        yield 'turn';
      } else if (result !== 'sat' || this.axiomsHold(assumptions)) return result === 'sat';
    }
  }

  /** Adds the array axioms that the model violates; were there none? */
  private axiomsHold(assumptions: readonly TermId[]): boolean {
    const { arrays, solver, shared } = this;
    if (arrays === undefined) return true;
    for (const a of assumptions) arrays.note(a);
    const instances = arrays.violated(solver.model());
    for (const f of instances) {
      shared.axioms.add(f);
      this.addLemma(f);
    }
    return instances.length === 0;
  }
}
