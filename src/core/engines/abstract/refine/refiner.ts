/**
 * Refinement (dissertation 3.4 and 4.4, array paper IV): do bits confirm what the abstraction has derived? If not, which lemmas
 * does the abstraction miss? Three stages, from local to global: is what is asked of each state possible, is each use
 * of an edge, is the whole derivation? Instead of the transition relation, the literals that justify each abstract step are
 * asked about, so that every lemma is a short formula that is valid by itself.
 *
 * A derivation may rest on facts that are ground already. Then it is first asked about with these very facts; only if it is not
 * possible with them, it is with any others that are derived by the same edges, if there are not too many.
 */
import type { ConcreteModel } from '../../../../bv/model.ts';
import { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import { Unknown } from '../../../../sat/unknown.ts';
import type { Work } from '../../../../sat/work.ts';
import { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId } from '../../../../term/store.ts';
import type { Value } from '../../../../term/value.ts';
import { evaluatorOf, type FunctionValue } from '../../../problem/derivation.ts';
import { headOf, type Problem } from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Effort } from '../../effort.ts';
import type { Env } from '../../engine.ts';
import { type Fact, factOf, inOrder } from '../fact.ts';
import type { Signature } from '../signature.ts';
import { Classifier, type LemmaContent, type LemmaKind } from './classify.ts';
import { ConcreteQueries } from './concrete-queries.ts';
import { Copies, type Node, type Saying } from './copies.ts';
import { Interpolation } from './interpolants.ts';
import { LemmaMaker } from './lemma.ts';
import { Orders } from './orders.ts';

/** Larger derivations are not asked about as a whole if there are ground facts in them. */
const MAX_NODES = 300;

export type Stage = 'state' | 'step' | 'path';

export interface Lemma {
  readonly formula: TermId;
  readonly stage: Stage;
  readonly kind: LemmaKind;
  readonly content: LemmaContent;
}

/** A fact that bits have confirmed, and what functions are then. */
export interface GroundRefinement {
  readonly kind: 'fact';
  readonly fact: Fact;
  readonly functionValue: FunctionValue;
}

export type Refinement = GroundRefinement | { readonly kind: 'lemmas'; readonly lemmas: readonly Lemma[] };

export class Refiner {
  readonly counts: Record<Stage, number> = { state: 0, step: 0, path: 0 };
  private readonly problem: Problem;
  private readonly signature: Signature;
  private readonly concrete: ConcreteQueries;
  private readonly solver: EquationSolver;
  private readonly copies: Copies;
  private readonly env: Env;
  private readonly maker: LemmaMaker;
  private readonly classifier: Classifier;
  private orders: Orders | undefined; // made for the first derivation that needs interpolants
  private readonly known = new Set<TermId>();
  private readonly possible = new Set<string>(); // sets of literals that some bits satisfy: derivations have parts in common

  /** `init`: what states satisfy that nothing derives, if runs begin in such. */
  constructor(problem: Problem, signature: Signature, init: readonly TermId[], env: Env, effort: Effort) {
    const { terms } = signature;
    this.problem = problem;
    this.signature = signature;
    this.env = env;
    this.concrete = new ConcreteQueries(terms, env, effort);
    const rewriter = new Rewriter(terms);
    this.solver = new EquationSolver(rewriter);
    this.copies = new Copies(signature, init, rewriter);
    this.maker = new LemmaMaker(signature, problem);
    this.classifier = new Classifier(signature, problem);
  }

  /** Throws an Unknown where nothing can be told, or no lemma is found. */
  *refine(fact: Fact): Work<Refinement> {
    const { profile } = this.env;
    try {
      const restsOnGround = inOrder(fact).some(f => f.ground !== undefined);
      const nodes = this.copies.nodes(fact, premise => premise.ground === undefined);
      const ground = restsOnGround ? yield* profile.during('ground facts', this.byGround(nodes)) : undefined;
      if (ground !== undefined) return ground;
      const local = yield* profile.during('states and steps', this.localStages(nodes));
      if (local !== undefined) return local;
      if (!restsOnGround) return yield* profile.during('whole path', this.wholePath(nodes));
      const whole = yield* profile.during('whole path', this.withoutGround(fact));
      return whole ?? (yield* this.excluded(fact));
    } finally {
      this.concrete.dispose();
    }
  }

  // ---- from local to global ----

  /** Is it possible with the ground facts that it rests on? */
  private *byGround(nodes: readonly Node[]): Work<Refinement | undefined> {
    const { copies, concrete } = this;
    const said = copies.connected(nodes);
    const copied = nodes.flatMap(n => [
      ...(said.get(n) as TermId[]).map(l => n.copied.apply(l)),
      ...copies.known(n),
    ]);
    return (yield* concrete.check(copied)) === 'sat' ? this.real(nodes) : undefined;
  }

  /**
   * The first two stages. States come before steps, because a lemma about a state says more; but what a possible step
   * speaks of is possible, too, so states are asked about only if some step is impossible.
   */
  private *localStages(nodes: readonly Node[]): Work<Refinement | undefined> {
    const step = yield* this.firstImpossible(nodes.map(n => n.said));
    if (step === undefined) return undefined;
    const states = nodes.flatMap(n => n.fact.asked);
    const state = yield* this.firstImpossible([...states, nodes[nodes.length - 1].fact.cube]);
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

  private *wholePath(nodes: readonly Node[]): Work<Refinement> {
    const sets = yield* this.impossibleSets(nodes);
    if (sets === undefined) return this.real(nodes);
    if (sets.length === 0) throw new Unknown('incomplete', 'no interpolants were found for a spurious path');
    return this.learn(sets, 'path');
  }

  /** The same with all that ground facts were derived by; undefined if that is too much, or nothing new is learnt. */
  private *withoutGround(fact: Fact): Work<Refinement | undefined> {
    if (fact.size > MAX_NODES) return undefined;
    const nodes = this.copies.nodes(fact, () => true);
    const sets = yield* this.impossibleSets(nodes);
    if (sets === undefined) return this.real(nodes);
    return this.areNew(sets) ? this.learn(sets, 'path') : undefined;
  }

  /** What excludes the first fact that the ground facts which it rests on do not derive. */
  private *excluded(fact: Fact): Work<Refinement> {
    const { copies, concrete } = this;
    const renewed = new Map<Fact | undefined, Fact>();
    for (const old of inOrder(fact)) {
      if (old.ground !== undefined) continue;
      const premises = old.premises.map(p => renewed.get(p) ?? p);
      const nodes = copies.nodes(factOf(old, old.cube, premises), () => false);
      const [node] = nodes;
      const copied = [...node.said.map(l => node.copied.apply(l)), ...copies.known(node)];
      const core = yield* concrete.core(copied);
      if (core !== undefined) {
        const back = this.back(node);
        return this.learn([core.map(l => back.apply(l))], 'step');
      }
      renewed.set(old, this.real(nodes).fact);
    }
    throw new Unknown('incomplete', 'facts fit together one by one, and not as a whole');
  }

  /** From the copies of a use's variables to these. */
  private back({ fact, own, derived }: Node): Renaming {
    const { terms, next } = this.signature;
    const places = headOf(fact.edge)?.places ?? [];
    return new Renaming(terms, [
      ...own.map(([v, copy]) => [copy, v] as const),
      ...places.map((p, i) => [derived[i], next.of(p)] as const),
    ]);
  }

  // ---- what is real ----

  /** The derivation that the last concrete model describes. */
  private real(nodes: readonly Node[]): GroundRefinement {
    const model = this.concrete.model();
    const functionValue: FunctionValue = (f, args) => model.apply(f, args);
    const facts = new Map<Node, Fact>();
    for (const node of nodes) {
      const premises = node.premises.map((n, j) => (n && facts.get(n)) ?? node.fact.premises[j]);
      facts.set(node, this.ground(node, premises, model, functionValue));
    }
    return { kind: 'fact', fact: facts.get(nodes[nodes.length - 1]) as Fact, functionValue };
  }

  /** What has a definition is what that says, and what has none what the model says. */
  private ground(
    { fact, own, derived }: Node,
    premises: readonly (Fact | undefined)[],
    model: ConcreteModel,
    functionValue: FunctionValue,
  ): Fact {
    const { terms, next } = this.signature;
    const { edge } = fact;
    const values = new Map<TermId, Value>();
    for (const [j, { location, places }] of edge.sources.entries()) {
      const known = premises[j]?.ground?.derived;
      if (known !== undefined)
        for (const [i, p] of location.places.entries()) values.set(places[i], known.get(p) as Value);
    }
    for (const [v, copy] of own) if (!values.has(v)) values.set(v, model.value(copy));
    const head = headOf(edge)?.places ?? [];
    head.forEach((p, i) => {
      if (edge.values[i] === next.of(p)) values.set(next.of(p), model.value(derived[i]));
    });
    const evaluator = evaluatorOf(terms, values, functionValue);
    const result = new Map(head.map((p, i) => [p, evaluator.value(edge.values[i])]));
    return factOf(fact, fact.cube, premises, { values, derived: result });
  }

  // ---- interpolants ----

  /**
   * Sets of formulas about one use of an edge each that cannot hold together, and that exclude the derivation if all is well;
   * undefined if it is possible.
   */
  private *impossibleSets(nodes: readonly Node[]): Work<Sets | undefined> {
    const said = this.copies.connected(nodes);
    const copied = new Map([...said].map(([n, literals]) => [n, literals.map(l => n.copied.apply(l))]));
    const core = yield* this.concrete.core(nodes.flatMap(n => copied.get(n) as TermId[]));
    if (core === undefined) return undefined;
    const isNeeded = new Set(core);
    const needed = new Map(
      [...said].map(([n, literals]) => [
        n,
        literals.filter((_, i) => isNeeded.has((copied.get(n) as TermId[])[i])),
      ]),
    );
    return yield* this.env.profile.during('interpolants', this.interpolated(nodes, needed));
  }

  /**
   * By interpolants between the uses of an impossible derivation; where there are none, between uses that also say what becomes
   * of what the one above speaks of. The derivation is impossible without, but perhaps only because of all values of a variable:
   * between its uses there is nothing to say unless a use says that the variable stays. Only then may terms be put in
   * order: asked about everywhere, the additional atoms cost proofs that are found without them.
   */
  private *interpolated(nodes: readonly Node[], needed: Saying): Work<Sets> {
    const { concrete, copies, signature, solver } = this;
    const context = { signature, orders: undefined, solver, concrete };
    const { sets, isPathImpossible } = yield* new Interpolation(context, nodes, needed).impossibleSets();
    if (isPathImpossible) return sets;
    this.orders ??= new Orders(this.problem, signature);
    const more = yield* new Interpolation(
      { ...context, orders: this.orders },
      nodes,
      copies.defined(nodes, needed) ?? needed,
    ).impossibleSets();
    return more.isPathImpossible ? more.sets : [...sets, ...more.sets];
  }

  // ---- lemmas ----

  private areNew(impossible: Sets): boolean {
    return impossible.some(set => !this.known.has(this.maker.lemma(set)));
  }

  private learn(impossible: Sets, stage: Stage): Refinement {
    this.counts[stage]++;
    const { classifier, maker, known } = this;
    const lemmas: Lemma[] = [];
    for (const set of impossible) {
      for (const formula of maker.ofAllStates(maker.lemma(set))) {
        if (known.has(formula)) continue;
        known.add(formula);
        lemmas.push({ formula, stage, kind: classifier.kind(formula), content: classifier.content(formula) });
      }
    }
    if (lemmas.length === 0) throw new Unknown('incomplete', 'refinement found no new lemma');
    return { kind: 'lemmas', lemmas };
  }
}

type Sets = readonly (readonly TermId[])[];
