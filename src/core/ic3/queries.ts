/**
 * The questions that IC3 asks, each put to the part of the system that can answer it (`division.ts`): is there a state of
 * a frame that violates the property, can a cube be reached in a step, has a cube an initial state?
 */
import type { EufModel } from '../../euf/model.ts';
import type { TermId } from '../../term/store.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { priming, type Renaming } from '../system/renaming.ts';
import type { Cube } from './cube.ts';
import { type Division, divisionOf } from './division.ts';
import { Common, type Part, type QueryOptions } from './part.ts';
import type { Projection } from './projection.ts';

/** The cube cannot be reached in one step: which of its literals the proof used, and from which frame on. */
export interface Unreachable {
  readonly core: Cube;
  /** It cannot be reached from this frame either, which may be later than the one asked about. */
  readonly level: number;
}

/** What a model is of: a part's formulas, and those of the question. */
export interface Question {
  readonly part: Part;
  readonly formulas: readonly TermId[];
}

export class Queries {
  private readonly system: FunctionalSystem;
  private readonly common: Common;
  private readonly division: Division;
  private readonly prime: Renaming;

  constructor(system: FunctionalSystem, options: QueryOptions) {
    this.system = system;
    this.common = new Common(system.terms, options);
    this.division = divisionOf(system, this.common);
    this.prime = priming(system.terms, system.states);
  }

  get counts(): Readonly<Record<'bad' | 'relative' | 'initial', number>> {
    return this.common.counts;
  }

  /** How much the questions have cost so far: a number and not a time, so that runs can be repeated. */
  get work(): number {
    return this.common.work;
  }

  /** Instances of array axioms that questions needed; none if arrays are abstract. */
  get axioms(): ReadonlySet<TermId> {
    return this.common.axioms;
  }

  /** A valid formula, about steps or states. */
  addLemma(lemma: TermId): void {
    this.division.addLemma(lemma);
  }

  /** Excludes a cube from the frames up to the level. */
  addClause(cube: Cube, level: number): void {
    this.division.addClause(cube, level);
  }

  /** A model of a state of R_level in which the property fails. */
  bad(level: number): EufModel | undefined {
    const { common, division } = this;
    common.counts.bad++;
    const answer = division.violations.ask('bad state', level, [common.isBad]);
    return 'uses' in answer ? undefined : answer;
  }

  /** What a model of a bad state is of. */
  get badQuestion(): Question {
    const { violations: part } = this.division;
    const { property, constraints } = part.formulas;
    return { part, formulas: [this.system.terms.not(property), ...constraints, ...part.valid] };
  }

  /** Those of the literals that no initial state satisfies together; nothing if some initial state does. */
  initialCore(cube: Cube): Cube | undefined {
    return this.division.initialCore(cube);
  }

  /** What of formulas a model of a part needs to be one. */
  project({ part, formulas }: Question, model: EufModel): Projection {
    const { literals, terms } = part.project(model, formulas);
    return { literals: this.division.needed(literals), terms };
  }

  /** The cube with all that is known of its location, which questions need not mention. */
  explicit(cube: Cube): Cube {
    return this.division.explicit(cube);
  }

  /** The cube with literals that keep initial states out, if the state of its model is none. */
  separated(cube: Cube, model: EufModel, part: Part): Cube {
    return this.division.separated(cube, model, part);
  }

  /**
   * Can the cube be reached in a step from a state of R_(level-1) outside the cube? If so, a model of the step. The
   * initial states need no clause to keep them outside, since no cube that is asked about has one.
   */
  relative(cube: Cube, level: number): EufModel | Unreachable {
    const { common, division } = this;
    common.counts.relative++;
    const part = division.into(cube);
    const target = new Set(division.target(cube).map(l => this.prime.apply(l)));
    const question = ['step into cube', level - 1, [...target], [common.isStep]] as const;
    const answer = division.isLoop(cube) ? part.askOutside(cube, ...question) : part.ask(...question);
    if (!('uses' in answer)) return answer;
    // A literal that the part says anyway is one that it needs.
    const core = cube.filter(l => {
      const primed = this.prime.apply(l);
      return !target.has(primed) || answer.uses.has(primed);
    });
    return { core, level: answer.frame + 1 };
  }

  /** What a model of a step into a cube is of. */
  stepQuestion(cube: Cube): Question {
    const part = this.division.into(cube);
    const { relations, constraints } = part.formulas;
    const target = this.division.target(cube).map(l => this.prime.apply(l));
    return { part, formulas: [...target, ...relations, ...constraints, ...part.valid] };
  }
}
