/**
 * Refinement (dissertation 3.4 and 4.4, array paper IV): is an abstract counterexample real? If not, which lemmas does
 * the abstraction miss? Three stages, from local to global: is each cube possible, is each step, is the whole path?
 * Instead of the transition relation, the literals that justify each abstract step are asked about, so that every
 * lemma is a short formula that is valid by itself.
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import type { Budget } from '../../sat/budget.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { FreeOf } from '../system/literals.ts';
import { priming, type Renaming } from '../system/renaming.ts';
import type { Trace } from '../system/trace.ts';
import { Copies } from './copies.ts';
import { Interpolation, type PathStep } from './interpolants.ts';
import { LemmaMaker } from './lemma.ts';
import { LeftOpen, Possibility } from './possibility.ts';
import { runOf } from './run.ts';
import { valuesOfBooleans } from './vocabulary.ts';

/** What refinement needs to know of an abstract counterexample. */
export interface AbstractPath {
  readonly cube: readonly TermId[];
  readonly justification: readonly TermId[];
}

export type Stage = 'state' | 'step' | 'path';

export type Refinement =
  | { readonly kind: 'lemmas'; readonly stage: Stage; readonly lemmas: readonly TermId[] }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'stuck'; readonly reason: string };

export class Refiner {
  readonly counts: Record<Stage, number> = { state: 0, step: 0, path: 0 };
  private readonly system: FunctionalSystem;
  private readonly terms: TermStore;
  private readonly possibility: Possibility;
  private readonly rewriter: Rewriter;
  private readonly prime: Renaming;
  private readonly copies: Copies;
  private readonly maker: LemmaMaker;
  private readonly known = new Set<TermId>();
  private readonly ofNow: FreeOf; // terms over current state variables only
  private readonly next: ReadonlySet<TermId>; // next state variables

  constructor(system: FunctionalSystem, backEnd: BackEndFactory, budget: Budget) {
    this.system = system;
    this.terms = system.terms;
    this.possibility = new Possibility(system.terms, backEnd, budget);
    this.rewriter = new Rewriter(system.terms);
    this.prime = priming(system.terms, system.states);
    this.copies = new Copies(system);
    this.maker = new LemmaMaker(system);
    this.next = new Set(system.states.map(s => s.next));
    this.ofNow = new FreeOf(system.terms, new Set([...system.inputs, ...this.next]));
  }

  refine(path: readonly AbstractPath[]): Refinement {
    try {
      return this.states(path) ?? this.steps(path) ?? this.wholePath(path);
    } catch (error) {
      if (!(error instanceof LeftOpen)) throw error;
      return { kind: 'stuck', reason: error.reason };
    } finally {
      this.possibility.dispose();
    }
  }

  private states(path: readonly AbstractPath[]): Refinement | undefined {
    for (const { cube } of path) {
      const refinement = this.learnIfImpossible(cube, 'state');
      if (refinement !== undefined) return refinement;
    }
    return undefined;
  }

  private steps(path: readonly AbstractPath[]): Refinement | undefined {
    for (const { literals } of this.pathSteps(path)) {
      const refinement = this.learnIfImpossible(literals, 'step');
      if (refinement !== undefined) return refinement;
    }
    return undefined;
  }

  private learnIfImpossible(literals: readonly TermId[], stage: Stage): Refinement | undefined {
    const core = this.possibility.core(literals);
    return core === undefined ? undefined : this.learn([core], stage);
  }

  private wholePath(path: readonly AbstractPath[]): Refinement {
    const { copies, possibility } = this;
    const steps = this.connectedSteps(path);
    const copied = steps.map(({ literals }, i) => literals.map(l => copies.at(l, i)));
    const impossiblePath = possibility.core(copied.flat());
    if (impossiblePath === undefined)
      return { kind: 'trace', trace: runOf(this.system, copies, possibility.model(), path.length) };
    const core = new Set(impossiblePath);
    const needed = steps.map(({ literals }, i): PathStep => {
      return { literals: literals.filter((_, j) => core.has(copied[i][j])) };
    });
    const context = {
      terms: this.terms,
      rewriter: this.rewriter,
      possibility,
      copies,
      prime: this.prime,
      isOfNow: (t: TermId) => this.ofNow.has(t),
      isNext: (t: TermId) => this.next.has(t),
    };
    const impossible = new Interpolation(context, needed).impossibleSets();
    if (impossible === undefined) {
      return { kind: 'stuck', reason: 'no interpolants were found for a spurious path' };
    }
    return this.learn(impossible, 'path');
  }

  /** What each step of the path says; the first one also that its state is initial. */
  private pathSteps(path: readonly AbstractPath[]): PathStep[] {
    return path.map(({ cube, justification }, i) => {
      const target = i + 1 < path.length ? path[i + 1].cube.map(l => this.prime.apply(l)) : [];
      const init = i === 0 ? this.system.init : [];
      return { literals: [...new Set([...init, ...cube, ...justification, ...target])] };
    });
  }

  /**
   * The same, with steps that fit together: a step may use a state variable, beside an input, that no cube speaks of,
   * so that nothing ties it to the step before. Its definition does.
   */
  private connectedSteps(path: readonly AbstractPath[]): PathStep[] {
    const { terms, system } = this;
    const steps = this.pathSteps(path).map(s => [...s.literals]);
    for (let i = steps.length - 1; i > 0; i--) {
      const used = new Set(terms.postorder(steps[i]));
      const defined = new Set(terms.postorder(steps[i - 1]));
      const values = valuesOfBooleans(terms, steps[i - 1]);
      for (const { current, next } of system.states) {
        const body = system.definitions.get(next);
        if (body === undefined || !used.has(current) || defined.has(next)) continue;
        // Under the literals of the step, only a part of the definition counts.
        steps[i - 1].push(terms.eq(next, this.rewriter.rewrite(substitute(terms, body, values))));
      }
    }
    return steps.map(literals => ({ literals }));
  }

  private learn(impossible: readonly (readonly TermId[])[], stage: Stage): Refinement {
    this.counts[stage]++;
    const lemmas = impossible.flatMap(set => this.maker.lemmas(set)).filter(l => !this.known.has(l));
    if (lemmas.length === 0) return { kind: 'stuck', reason: 'refinement found no new lemma' };
    for (const l of lemmas) this.known.add(l);
    return { kind: 'lemmas', stage, lemmas };
  }
}
