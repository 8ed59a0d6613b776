/**
 * Refinement (dissertation 3.4 and 4.4, array paper IV): is an abstract counterexample real? If not, which lemmas does
 * the abstraction miss? Three stages, from local to global: is each cube possible, is each step, is the whole path?
 * Instead of the transition relation, the literals that justify each abstract step are asked about, so that every
 * lemma is a short formula that is valid by itself.
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { Budget } from '../../sat/budget.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import type { EngineOptions } from '../env/options.ts';
import type { Profile } from '../env/profile.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { FreeOf } from '../system/literals.ts';
import { priming, type Renaming, unpriming } from '../system/renaming.ts';
import type { Trace } from '../system/trace.ts';
import { Classifier, type LemmaContent, type LemmaKind } from './classify.ts';
import { Concretizer } from './concretize.ts';
import { Copies } from './copies.ts';
import { Interpolation, type PathStep } from './interpolants.ts';
import { Laws } from './laws.ts';
import { LemmaMaker } from './lemma.ts';
import { LeftOpen, Possibility } from './possibility.ts';
import { runOf } from './run.ts';
import { Simulation } from './simulation.ts';
import { valuesOfBooleans } from './vocabulary.ts';

/** What refinement needs to know of an abstract counterexample. */
export interface AbstractPath {
  readonly cube: readonly TermId[];
  readonly justification: readonly TermId[];
}

export type Stage = 'state' | 'step' | 'path';

/** Where a lemma's formula comes from: a counterexample, a law, or the bits of an operation. */
export type LemmaOrigin = 'core' | 'law' | 'bits';

export interface Lemma {
  readonly formula: TermId;
  readonly stage: Stage;
  readonly kind: LemmaKind;
  readonly content: LemmaContent;
  readonly origin: LemmaOrigin;
}

export interface RefinerOptions extends EngineOptions {
  readonly backEnd: BackEndFactory;
  readonly budget: Budget;
  readonly profile: Profile;
}

export type Refinement =
  | { readonly kind: 'lemmas'; readonly lemmas: readonly Lemma[] }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'stuck'; readonly reason: string };

export class Refiner {
  readonly counts: Record<Stage, number> = { state: 0, step: 0, path: 0 };
  private readonly system: FunctionalSystem;
  private readonly terms: TermStore;
  private readonly possibility: Possibility;
  private readonly rewriter: Rewriter;
  private readonly solver: EquationSolver;
  private readonly prime: Renaming;
  private readonly unprime: Renaming;
  private readonly copies: Copies;
  private readonly options: RefinerOptions;
  private readonly maker: LemmaMaker;
  private readonly laws: Laws;
  private readonly concretizer: Concretizer;
  private readonly classifier: Classifier;
  private readonly known = new Set<TermId>();
  private readonly possible = new Set<string>(); // sets of literals that some bits satisfy: paths have parts in common
  private readonly ofNow: FreeOf; // terms over current state variables only
  private readonly next: ReadonlySet<TermId>; // next state variables

  constructor(system: FunctionalSystem, options: RefinerOptions) {
    this.system = system;
    this.terms = system.terms;
    this.options = options;
    this.possibility = new Possibility(system.terms, options.backEnd, options.budget);
    this.rewriter = new Rewriter(system.terms);
    this.solver = new EquationSolver(this.rewriter);
    this.prime = priming(system.terms, system.states);
    this.unprime = unpriming(system.terms, system.states);
    this.copies = new Copies(system);
    this.maker = new LemmaMaker(system);
    this.laws = new Laws(system.terms, options.evaluateConstants, options.budget);
    this.concretizer = new Concretizer(this.rewriter, system.states, options.concretize);
    this.classifier = new Classifier(system);
    this.next = new Set(system.states.map(s => s.next));
    this.ofNow = new FreeOf(system.terms, new Set([...system.inputs, ...this.next]));
  }

  /** How many operations are read bit by bit. */
  get concreteOperations(): number {
    return this.concretizer.concrete.size;
  }

  /** What bit-precise questions have cost so far. */
  get work(): number {
    return this.possibility.work;
  }

  refine(path: readonly AbstractPath[]): Refinement {
    try {
      const { profile, refine } = this.options;
      return (
        profile.measure('states and steps', () => this.localStages(path)) ??
        (refine === 'forward' ? profile.measure('simulation', () => this.simulate(path)) : undefined) ??
        profile.measure('whole path', () => this.wholePath(path))
      );
    } catch (error) {
      if (!(error instanceof LeftOpen)) throw error;
      return { kind: 'stuck', reason: error.reason };
    } finally {
      this.possibility.dispose();
    }
  }

  /**
   * The first two stages. States come before steps, because a lemma about a state says more; but what a possible step
   * speaks of is possible, too, so states are asked about only if some step is impossible.
   */
  private localStages(path: readonly AbstractPath[]): Refinement | undefined {
    const step = this.firstImpossible(this.pathSteps(path).map(s => s.literals));
    if (step === undefined) return undefined;
    const state = this.firstImpossible(path.map(p => p.cube));
    return state === undefined ? this.learn([step], 'step') : this.learn([state], 'state');
  }

  /** A minimal core of the first of some sets of literals that is impossible. */
  private firstImpossible(sets: readonly (readonly TermId[])[]): TermId[] | undefined {
    for (const literals of sets) {
      const key = literals.join(' ');
      if (this.possible.has(key)) continue;
      const core = this.possibility.core(literals);
      if (core !== undefined) return core;
      this.possible.add(key);
    }
    return undefined;
  }

  private simulate(path: readonly AbstractPath[]): Refinement | undefined {
    const simulation = new Simulation(this.system, this.copies, this.possibility);
    const impossible = simulation.impossibleSet(this.pathSteps(path));
    return impossible === undefined ? undefined : this.learn([impossible], 'path');
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
      solver: this.solver,
      possibility,
      copies,
      prime: this.prime,
      unprime: this.unprime,
      isOfNow: (t: TermId) => this.ofNow.has(t),
      isNext: (t: TermId) => this.next.has(t),
    };
    const impossible = this.options.profile.measure('interpolants', () =>
      new Interpolation(context, needed).impossibleSets(),
    );
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
    const { terms } = this;
    const steps = this.pathSteps(path).map(s => [...s.literals]);
    for (let i = steps.length - 1; i > 0; i--) this.connect(steps[i - 1], new Set(terms.postorder(steps[i])));
    return steps.map(literals => ({ literals }));
  }

  /** Adds the definitions of what the next step uses and this one is silent about, and of what these speak of in turn. */
  private connect(step: TermId[], usedNext: ReadonlySet<TermId>): void {
    const { terms, system } = this;
    const defined = new Set(terms.postorder(step));
    const values = valuesOfBooleans(terms, step);
    const seen = new Set<TermId>();
    const used = new Set(system.states.filter(s => usedNext.has(s.current)).map(s => s.next));
    for (const [variable, body] of [...system.definitions].reverse()) {
      if (defined.has(variable) || !used.has(variable)) continue;
      // Under the literals of the step, only a part of the definition counts.
      const part = this.rewriter.rewrite(substitute(terms, body, values));
      const isTruth = part === terms.true || part === terms.false;
      const equation = terms.eq(variable, part);
      step.push(isTruth ? this.rewriter.rewrite(equation) : equation);
      for (const t of terms.postorder([part], seen)) {
        seen.add(t);
        used.add(t);
      }
    }
  }

  private learn(impossible: readonly (readonly TermId[])[], stage: Stage): Refinement {
    this.counts[stage]++;
    const lemmas: Lemma[] = [];
    const add = (origin: LemmaOrigin, formulas: readonly TermId[]) => {
      for (const formula of formulas.flatMap(f => this.maker.ofBothStates(f))) {
        if (this.known.has(formula)) continue;
        this.known.add(formula);
        const { classifier } = this;
        const [kind, content] = [classifier.kind(formula), classifier.content(formula)];
        lemmas.push({ formula, stage, kind, content, origin });
      }
    };
    for (const set of impossible) {
      const lemma = this.maker.lemma(set);
      const laws = this.options.laws ? this.laws.implying(lemma) : undefined;
      const before = lemmas.length;
      if (laws !== undefined) add('law', laws);
      // Laws that are known imply the lemma, and yet the counterexample slipped through a projection: say it outright.
      if (lemmas.length === before) add('core', [lemma]);
      add('bits', this.concretizer.note(lemma));
    }
    if (lemmas.length === 0) return { kind: 'stuck', reason: 'refinement found no new lemma' };
    return { kind: 'lemmas', lemmas };
  }
}
