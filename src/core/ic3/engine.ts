/**
 * IC3 over EUF (dissertation, Figures 2.1, 2.2, 3.4 and 3.5; Bradley 2011; Eén, Mishchenko and Brayton 2011). Frames
 * over-approximate the states reachable in at most i steps; states of the last frame that violate the property are
 * traced back step by step and excluded, or lead to an initial state: then there is an abstract counterexample, which
 * may or may not be real. Excluded cubes are pushed forward; when a frame runs empty, the one after it is an
 * inductive invariant.
 *
 * The pre-image of a cube is what term projection leaves of the model of the step. It may say less than the step
 * needs, so an abstract counterexample is a sequence of cubes with a justification for each step on its own; whether
 * the steps fit together is for refinement to say. Frames are kept across refinements: lemmas only make the
 * transition relation stronger.
 */
import type { EufModel } from '../../euf/model.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { FreeOf } from '../system/literals.ts';
import { type Cube, clauseOf } from './cube.ts';
import { Frames } from './frames.ts';
import { Generalizer } from './generalize.ts';
import { modelAssertion } from './model-assertion.ts';
import { type Obligation, Obligations } from './obligations.ts';
import type { QueryOptions } from './part.ts';
import { Queries, type Question } from './queries.ts';

export interface Ic3Options extends QueryOptions {
  /**
   * Hears of progress between questions. What it returns is waited for, so that whoever runs the search can let other
   * things happen, or nothing at all.
   */
  readonly onProgress: (progress: Progress) => Promise<void> | undefined;
}

export interface Progress {
  readonly depth: number;
  readonly cubes: number;
  readonly queries: number;
}

/** A cube of an abstract counterexample and the literals that justify the step to the next one. */
export interface AbstractStep {
  readonly cube: Cube;
  /** Over current state variables, inputs and next state variables; in the last step, that the property fails. */
  readonly justification: readonly TermId[];
}

export type Ic3Result =
  | { readonly kind: 'invariant'; readonly invariant: TermId }
  | { readonly kind: 'counterexample'; readonly steps: readonly AbstractStep[] };

export class Ic3 {
  readonly queries: Queries;
  readonly frames: Frames;
  private readonly terms: TermStore;
  private readonly options: Ic3Options;
  private readonly generalizer: Generalizer;
  private readonly ofNow: FreeOf; // terms over current state variables only

  constructor(system: FunctionalSystem, options: Ic3Options) {
    this.terms = system.terms;
    this.options = options;
    this.queries = new Queries(system, options);
    this.frames = new Frames(this.queries);
    this.generalizer = new Generalizer(
      this.queries,
      this.frames,
      options.generalize,
      (model, successor) => this.preimage(model, successor).cube,
    );
    this.ofNow = new FreeOf(system.terms, new Set([...system.inputs, ...system.states.map(s => s.next)]));
  }

  /** Makes the abstraction finer: the formula is valid, or holds of every step and state of the system. */
  addLemma(lemma: TermId): void {
    this.queries.addLemma(lemma);
  }

  /** Searches until there is an invariant or an abstract counterexample. Throws OutOfBudget at a limit. */
  async check(): Promise<Ic3Result> {
    const { frames } = this;
    for (;;) {
      const bad = this.badObligation();
      if (bad !== undefined) {
        const counterexample = await this.block(bad);
        if (counterexample !== undefined) return { kind: 'counterexample', steps: counterexample };
        continue;
      }
      frames.newFrame();
      const fixpoint = await this.options.profile.measureAsync('propagation', () => this.propagate());
      if (fixpoint !== undefined) return { kind: 'invariant', invariant: this.invariant(fixpoint) };
    }
  }

  private badObligation(): Obligation | undefined {
    const { queries, frames } = this;
    const model = queries.bad(frames.depth);
    if (model === undefined) return undefined;
    const { cube, literals } = this.projected(model, queries.badQuestion);
    return { cube, level: frames.depth, successor: undefined, justification: literals };
  }

  /** Blocks an obligation and all that lead to it; or the way from an initial state to it. */
  private async block(first: Obligation): Promise<AbstractStep[] | undefined> {
    const { frames, queries } = this;
    const queue = new Obligations();
    queue.push(first);
    for (let o = queue.pop(); o !== undefined; o = queue.pop()) {
      const { cube, level } = o;
      await this.report();
      if (level === 0) return this.stepsFrom(o);
      if (frames.isBlocked(cube, level)) continue;
      if (queries.initialCore(cube) === undefined) return this.stepsFrom(o);
      const answer = queries.relative(cube, level);
      if ('core' in answer) {
        const blocked = this.options.profile.measure('generalisation', () =>
          this.generalizer.generalize(cube, answer),
        );
        frames.add(blocked.cube, blocked.level);
        if (blocked.level < frames.depth) queue.push({ ...o, level: Math.max(blocked.level, level) + 1 });
      } else {
        const { cube: before, literals } = this.preimage(answer, cube);
        queue.push(o);
        queue.push({ cube: before, level: level - 1, successor: o, justification: literals });
      }
    }
    return undefined;
  }

  /** Pushes cubes forward; the number of a frame that ran empty, if there is one. */
  private async propagate(): Promise<number | undefined> {
    const { frames, queries } = this;
    for (let i = 1; i < frames.depth; i++) {
      for (const cube of [...frames.at(i)]) {
        if (!frames.at(i).includes(cube)) continue; // subsumed by one that was pushed
        await this.report();
        const answer = queries.relative(cube, i + 1);
        if ('core' in answer) frames.add(cube, answer.level);
      }
      if (frames.at(i).length === 0) return i;
    }
    return undefined;
  }

  /** R_(i+1) where F_i is empty: it holds initially, is closed under steps and implies the property. */
  private invariant(i: number): TermId {
    const { terms, frames } = this;
    return terms.and(frames.excluded(i + 1).map(c => clauseOf(terms, c)));
  }

  /** What the model says of the state before a step into the cube. */
  private preimage(model: EufModel, successor: Cube): { cube: Cube; literals: readonly TermId[] } {
    return this.projected(model, this.queries.stepQuestion(successor));
  }

  private projected(model: EufModel, question: Question): { cube: Cube; literals: readonly TermId[] } {
    return this.options.profile.measure('projection', () => {
      const { literals, terms: values } = this.queries.project(question, model);
      const cube = modelAssertion(this.terms, model, literals, values, t => this.ofNow.has(t));
      return { cube: this.queries.separated(cube, model, question.part), literals };
    });
  }

  private stepsFrom(first: Obligation): AbstractStep[] {
    const steps: AbstractStep[] = [];
    for (let o: Obligation | undefined = first; o !== undefined; o = o.successor) {
      steps.push({ cube: this.queries.explicit(o.cube), justification: o.justification });
    }
    return steps;
  }

  get progress(): Progress {
    const { frames, queries } = this;
    const { bad, relative, initial } = queries.counts;
    return { depth: frames.depth, cubes: frames.size, queries: bad + relative + initial };
  }

  private report(): Promise<void> | undefined {
    return this.options.onProgress(this.progress);
  }
}
