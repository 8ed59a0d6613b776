/**
 * Refinement (dissertation 3.4 and 4.4, array paper IV): is an abstract counterexample real? If not, which lemmas does
 * the abstraction miss? Three stages, from local to global: is each cube possible, is each step, is the whole path?
 * Instead of the transition relation, the literals that justify each abstract step are asked about, so that every
 * lemma is a short formula that is valid by itself.
 */
import { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import { Unknown } from '../../../../sat/unknown.ts';
import type { Work } from '../../../../sat/work.ts';
import { Op } from '../../../../term/operators.ts';
import { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute } from '../../../../term/substitute.ts';
import type { Value } from '../../../../term/value.ts';
import { evaluatorOf, type FunctionValue } from '../../../problem/derivation.ts';
import { truthsOf } from '../../../problem/literals.ts';
import { type Edge, headOf, type Problem } from '../../../problem/problem.ts';
import type { Effort } from '../../effort.ts';
import type { Env } from '../../engine.ts';
import type { Signature } from '../signature.ts';
import { Classifier, type LemmaContent, type LemmaKind } from './classify.ts';
import { ConcreteQueries } from './concrete-queries.ts';
import { Copies } from './copies.ts';
import { Interpolation, type PathStep } from './interpolants.ts';
import { LemmaMaker } from './lemma.ts';
import { Orders } from './orders.ts';

/** A step of an abstract counterexample: states, the edge that is taken from there, and what justifies it. */
export interface PathEdge {
  readonly cube: readonly TermId[];
  readonly edge: Edge;
  readonly justification: readonly TermId[];
}

export type Stage = 'state' | 'step' | 'path';

export interface Lemma {
  readonly formula: TermId;
  readonly stage: Stage;
  readonly kind: LemmaKind;
  readonly content: LemmaContent;
}

/** The values of all variables of the edges along a real path, and what functions are. */
export interface RealPath {
  readonly steps: readonly ReadonlyMap<TermId, Value>[];
  readonly functionValue: FunctionValue;
}

export type Refinement =
  | { readonly kind: 'lemmas'; readonly lemmas: readonly Lemma[] }
  | { readonly kind: 'real'; readonly path: RealPath };

export class Refiner {
  readonly counts: Record<Stage, number> = { state: 0, step: 0, path: 0 };
  private readonly problem: Problem;
  private readonly signature: Signature;
  private readonly init: readonly TermId[];
  private readonly terms: TermStore;
  private readonly concrete: ConcreteQueries;
  private readonly rewriter: Rewriter;
  private readonly solver: EquationSolver;
  private readonly copies: Copies;
  private readonly env: Env;
  private readonly maker: LemmaMaker;
  private readonly classifier: Classifier;
  private orders: Orders | undefined; // made for the first path that needs interpolants
  private readonly known = new Set<TermId>();
  private readonly possible = new Set<string>(); // sets of literals that some bits satisfy: paths have parts in common

  /** `init`: what the first state of a path satisfies, if paths do not begin with a start. */
  constructor(problem: Problem, signature: Signature, init: readonly TermId[], env: Env, effort: Effort) {
    const { terms } = signature;
    this.problem = problem;
    this.signature = signature;
    this.init = init;
    this.terms = terms;
    this.env = env;
    this.concrete = new ConcreteQueries(terms, env, effort);
    this.rewriter = new Rewriter(terms);
    this.solver = new EquationSolver(this.rewriter);
    this.copies = new Copies(signature);
    this.maker = new LemmaMaker(signature);
    this.classifier = new Classifier(signature, problem);
  }

  /** Throws an Unknown where neither can be told, or no lemma is found. */
  *refine(path: readonly PathEdge[]): Work<Refinement> {
    const { profile } = this.env;
    try {
      const local = yield* profile.during('states and steps', this.localStages(path));
      return local ?? (yield* profile.during('whole path', this.wholePath(path)));
    } finally {
      this.concrete.dispose();
    }
  }

  /**
   * The first two stages. States come before steps, because a lemma about a state says more; but what a possible step
   * speaks of is possible, too, so states are asked about only if some step is impossible.
   */
  private *localStages(path: readonly PathEdge[]): Work<Refinement | undefined> {
    const step = yield* this.firstImpossible(this.pathSteps(path).map(s => s.literals));
    if (step === undefined) return undefined;
    const state = yield* this.firstImpossible(path.map(p => p.cube));
    return state === undefined ? this.learn([step], 'step') : this.learn([state], 'state');
  }

  /** A minimal core of the first of some sets of literals that is impossible. */
  private *firstImpossible(sets: readonly (readonly TermId[])[]): Work<TermId[] | undefined> {
    for (const literals of sets) {
      const key = literals.join(' ');
      if (this.possible.has(key)) continue;
      const core = yield* this.concrete.core(literals);
      if (core !== undefined) return core;
      this.possible.add(key);
    }
    return undefined;
  }

  private *wholePath(path: readonly PathEdge[]): Work<Refinement> {
    const { copies, concrete } = this;
    const steps = this.connectedSteps(path);
    const copied = steps.map(({ literals }, i) => literals.map(l => copies.at(l, i)));
    const impossiblePath = yield* concrete.core(copied.flat());
    if (impossiblePath === undefined) return { kind: 'real', path: this.realPath(path) };
    const core = new Set(impossiblePath);
    const needed = steps.map(({ literals }, i): PathStep => {
      return { literals: literals.filter((_, j) => core.has(copied[i][j])) };
    });
    const impossible = yield* this.env.profile.during('interpolants', this.impossibleSets(path, needed));
    if (impossible.length === 0)
      throw new Unknown('incomplete', 'no interpolants were found for a spurious path');
    return this.learn(impossible, 'path');
  }

  /**
   * By interpolants between the steps of an impossible path; where there are none, between steps that also say what becomes
   * of what the next one speaks of. The path is impossible without, but perhaps only because of all values of a variable:
   * between its steps there is nothing to say unless a step says that the variable stays. Only then may terms be put in
   * order: asked about on every path, the additional atoms cost proofs that are found without them.
   */
  private *impossibleSets(
    path: readonly PathEdge[],
    steps: readonly PathStep[],
  ): Work<readonly (readonly TermId[])[]> {
    const { concrete, copies, signature, solver } = this;
    const context = { signature, orders: undefined, solver, concrete, copies };
    const { sets, isPathImpossible } = yield* new Interpolation(context, steps).impossibleSets();
    if (isPathImpossible) return sets;
    this.orders ??= new Orders(this.problem, signature);
    const more = yield* new Interpolation(
      { ...context, orders: this.orders },
      this.definedSteps(path, steps) ?? steps,
    ).impossibleSets();
    return more.isPathImpossible ? more.sets : [...sets, ...more.sets];
  }

  /** The path that the concrete model describes: what has a definition by that, and by the model what has none. */
  private realPath(path: readonly PathEdge[]): RealPath {
    const { concrete, copies, signature, terms } = this;
    const model = concrete.model();
    const functionValue: FunctionValue = (f, args) => model.apply(f, args);
    const steps: ReadonlyMap<TermId, Value>[] = [];
    let state = new Map([...signature.current].map(v => [v, model.value(copies.variable(v, 0))]));
    path.forEach(({ edge }, i) => {
      const step = new Map(state);
      for (const y of signature.inputs) step.set(y, model.value(copies.variable(y, i)));
      steps.push(step);
      const evaluator = evaluatorOf(terms, step, functionValue);
      state = new Map(
        (headOf(edge)?.places ?? []).map((p, j) => {
          const value = edge.values[j];
          const isOpen = value === signature.next.of(p);
          return [p, isOpen ? model.value(copies.variable(p, i + 1)) : evaluator.value(value)];
        }),
      );
    });
    return { steps, functionValue };
  }

  /** What each step of the path says; the first one also that its state is initial. */
  private pathSteps(path: readonly PathEdge[]): PathStep[] {
    const { prime } = this.signature;
    return path.map(({ cube, justification }, i) => {
      const target = i + 1 < path.length ? path[i + 1].cube.map(l => prime.apply(l)) : [];
      const init = i === 0 ? this.init : [];
      return { literals: [...new Set([...init, ...cube, ...justification, ...target])] };
    });
  }

  /**
   * The same, with steps that fit together: a step may use a state variable, beside an input, that no cube speaks of,
   * so that nothing ties it to the step before. Its definition does.
   */
  private connectedSteps(path: readonly PathEdge[]): PathStep[] {
    const { terms } = this;
    const steps = this.pathSteps(path).map(s => [...s.literals]);
    for (let i = steps.length - 1; i > 0; i--)
      this.connect(steps[i - 1], path[i - 1].edge, new Set(terms.postorder(steps[i])));
    return steps.map(literals => ({ literals }));
  }

  /** The steps with a definition of whatever the next one uses; undefined if they have them all. */
  private definedSteps(path: readonly PathEdge[], given: readonly PathStep[]): PathStep[] | undefined {
    const { terms } = this;
    const steps = given.map(s => [...s.literals]);
    for (let i = steps.length - 1; i > 0; i--) {
      const equations = steps[i - 1].filter(l => terms.op(l) === Op.EQ);
      const defined = new Set(equations.flatMap(l => terms.args(l)));
      this.connect(steps[i - 1], path[i - 1].edge, new Set(terms.postorder(steps[i])), defined);
    }
    return steps.some((s, i) => s.length > given[i].literals.length)
      ? steps.map(literals => ({ literals }))
      : undefined;
  }

  /** Adds what places are after the step that the next one uses and this one is silent about. */
  private connect(
    step: TermId[],
    edge: Edge,
    usedNext: ReadonlySet<TermId>,
    said: ReadonlySet<TermId> = new Set(this.terms.postorder(step)),
  ): void {
    const { terms, signature } = this;
    const values = truthsOf(terms, step);
    headOf(edge)?.places.forEach((p, i) => {
      const variable = signature.next.of(p);
      if (!usedNext.has(p) || said.has(variable) || edge.values[i] === variable) return;
      // Under the literals of the step, only a part of the definition counts.
      const part = this.rewriter.rewrite(substitute(terms, edge.values[i], values));
      const isTruth = part === terms.true || part === terms.false;
      const equation = terms.eq(variable, part);
      step.push(isTruth ? this.rewriter.rewrite(equation) : equation);
    });
  }

  private learn(impossible: readonly (readonly TermId[])[], stage: Stage): Refinement {
    this.counts[stage]++;
    const { classifier, maker, known } = this;
    const lemmas: Lemma[] = [];
    for (const set of impossible) {
      for (const formula of maker.ofBothStates(maker.lemma(set))) {
        if (known.has(formula)) continue;
        known.add(formula);
        lemmas.push({ formula, stage, kind: classifier.kind(formula), content: classifier.content(formula) });
      }
    }
    if (lemmas.length === 0) throw new Unknown('incomplete', 'refinement found no new lemma');
    return { kind: 'lemmas', lemmas };
  }
}
