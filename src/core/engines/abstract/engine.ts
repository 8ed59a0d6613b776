/**
 * IC3 over EUF with refinement, the engine that the project is named after (dissertation, Figure 3.4): search for an
 * invariant in the abstraction, in which every operation on data is an uninterpreted function; if an abstract counterexample
 * turns up instead, find out whether it is real, and if it is not, make the abstraction finer and go on. Frames are kept
 * across refinements: lemmas only make the transition relation stronger.
 *
 *   frame-solver.ts    what one solver holds     projection.ts    from a model to a cube
 *   frame-solvers.ts   which solver is asked     derivations.ts   edges with several sources
 *   fact.ts            what is derived           refine/          is it real, and if not, why
 *
 * A counterexample is a derivation, which is a run where every edge has one source at most, and a tree where there are calls.
 */
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import { SortKind } from '../../../term/sort.ts';
import type { TermId } from '../../../term/store.ts';
import type { Derivation } from '../../problem/derivation.ts';
import { isLinear, type Location, type Problem } from '../../problem/problem.ts';
import { lemmasOfEdges, type Proof } from '../../problem/proof.ts';
import type { FlatView } from '../../problem/transition-system.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Evidence, Finding, LearntLemma, Outcome, Views } from '../engine.ts';
import { FOREVER, Frames } from '../ic3/frames.ts';
import { Search } from '../ic3/search.ts';
import { type Cube, Cubes, clauseOf, subsumes } from './cube.ts';
import { Derivations, type Deriving } from './derivations.ts';
import { derivationOf, type Fact, factOf, type Ground, inOrder } from './fact.ts';
import { Shared } from './frame-solver.ts';
import { type FrameSolvers, LocationSolvers, WholeSolver } from './frame-solvers.ts';
import { AbstractQueries } from './queries.ts';
import { type GroundRefinement, type Lemma, type Refinement, Refiner } from './refine/refiner.ts';
import { Signature } from './signature.ts';

export const ABSTRACT: EngineKind = {
  name: 'abstract',
  help: 'IC3 over uninterpreted functions, refined on demand',
  proves: true,
  refutes: true,
  obstacle: ({ problem }) => obstacleOf(problem),
  start: (views, env) => new AbstractEngine(views, env),
};

/** Where derivations are trees, facts come from models of different questions, and must mean the same in all of them. */
function obstacleOf(problem: Problem): string | undefined {
  if (isLinear(problem)) return undefined;
  const { terms, locations, edges } = problem;
  const besides = 'beside edges with several sources (non-linear clauses)';
  if (locations.some(l => l.constraints.length > 0)) return `it takes no constraints ${besides}`;
  const all = terms.postorder([
    ...locations.flatMap(l => l.places),
    ...edges.flatMap(e => [e.guard, ...e.values]),
  ]);
  const isForeign = (t: TermId) =>
    (terms.op(t) === Op.APPLY && terms.arity(t) > 0) ||
    terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED;
  return all.some(isForeign) ? `it takes no declared functions and sorts ${besides}` : undefined;
}

/**
 * On runs counterexamples to generalisation are worth their questions: cubes are expensive to come by. Pushing cores, and asking
 * at once how far a cube can be pushed, is what bits do; see docs/performance.md for what they bring here, and for trees.
 */
const COUNTEREXAMPLES = 3;
const OPTIONS = { pushFurther: false, requeueBlocked: false, pushCores: false };

export class AbstractEngine implements Engine {
  readonly lemmas: LearntLemma[] = [];
  private readonly views: Views;
  private readonly env: Env;
  private readonly view: FlatView | undefined; // if there is one location
  private readonly problem: Problem; // what is searched: as it was given, or in the form that has the flat view
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly shared: Shared;
  private readonly solvers: FrameSolvers;
  private readonly frames = new Frames<Cube>(subsumes);
  private readonly derivations: Derivations;
  private readonly search: Search<Cube, TermId, Deriving>;
  private readonly refiner: Refiner;
  private refinements = 0;
  private readonly learnt: Lemma[] = [];

  constructor(views: Views, env: Env) {
    this.views = views;
    this.env = env;
    this.view = wholeView(views);
    this.problem = this.view === undefined ? views.problem : this.view.problem;
    const { problem, view, frames } = this;
    this.effort = new Effort(env.budget);
    this.shared = new Shared(problem.terms, env, this.effort);
    const signature = new Signature(problem);
    if (view === undefined) {
      const solvers = new LocationSolvers(problem, signature, this.shared);
      env.proved?.offer(problem, from =>
        frames
          .at(FOREVER)
          .slice(from)
          .map(cube => solvers.proved(cube)),
      );
      this.solvers = solvers;
    } else this.solvers = new WholeSolver(view, problem.locations[0], this.shared);
    const queries = new AbstractQueries(this.shared, signature, this.solvers);
    this.derivations = new Derivations(problem, queries, this.solvers, fact => this.refined(fact));
    const options = {
      ...OPTIONS,
      dropLiterals: env.options.generalize,
      counterexamples: isLinear(problem) ? COUNTEREXAMPLES : 0,
      looksAhead: isLinear(problem),
    };
    this.search = new Search(this.derivations, this.frames, new Cubes(), options);
    this.refiner = new Refiner(problem, signature, view?.system.init ?? [], env, this.effort);
    this.portions = new Portions(this.effort, this.check());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { frames, shared, refiner, derivations } = this;
    const { state, step, path } = refiner.counts;
    const count = (test: (l: Lemma) => boolean) => this.learnt.filter(test).length;
    return {
      depth: frames.depth,
      cubes: frames.added,
      facts: derivations.facts.count,
      refinements: this.refinements,
      stateRefinements: state,
      stepRefinements: step,
      pathRefinements: path,
      lemmas: this.lemmas.length,
      constraintLemmas: count(l => l.kind === 'constraint'),
      expansionLemmas: count(l => l.kind === 'expansion'),
      arrayLemmas: count(l => l.content === 'array'),
      dataLemmas: count(l => l.content === 'data'),
      mixedLemmas: count(l => l.content === 'mixed'),
      arrayAxioms: shared.axioms.size,
      badQueries: shared.counts.bad,
      relativeQueries: shared.counts.relative,
      initialQueries: shared.counts.initial,
    };
  }

  private *check(): Work<Outcome> {
    const { profile } = this.env;
    for (;;) {
      const result = yield* profile.during('search', this.search.run());
      if (result.kind === 'fixpoint') return this.found({ kind: 'safe', proof: this.proof(result.level) });
      const violation = result.path[result.path.length - 1];
      if ('fact' in violation) throw new Error('a violation is no fact');
      const refinement = yield* this.refined(factOf(violation, [], violation.premises));
      if (refinement.kind === 'fact')
        return this.found({ kind: 'unsafe', derivation: this.derivation(refinement) });
    }
  }

  /** What bits say of a derivation; what is learnt is told to all. */
  private *refined(fact: Fact): Work<Refinement> {
    const start = performance.now();
    const refinement = yield* this.env.profile.during('refinement', this.refiner.refine(fact));
    if (refinement.kind !== 'lemmas') return refinement;
    this.refinements++;
    const milliseconds = (performance.now() - start) / refinement.lemmas.length;
    for (const lemma of refinement.lemmas) {
      const { formula, stage, kind, content } = lemma;
      this.learnt.push(lemma);
      const words = `${stage}, ${kind}, ${content}`;
      this.lemmas.push({ terms: this.problem.terms, formula, kind: words, milliseconds });
      this.solvers.addLemma(formula);
    }
    this.shared.lemmas = this.lemmas.length;
    return refinement;
  }

  private found(evidence: Evidence): Finding {
    const { views, view } = this;
    return view === undefined ? { about: views.problem, ...evidence } : views.fromFlat(evidence);
  }

  /** R_level is inductive: the clauses that exclude cubes from it. */
  private proof(level: number): Proof {
    const { problem, shared } = this;
    const { terms } = problem;
    const clauses = this.frames.excluded(level).map(c => [c, clauseOf(terms, c)] as const);
    const model = new Map<Location, TermId>();
    for (const [l, own] of this.solvers.invariants(clauses)) model.set(l, terms.and(own));
    const lemmas = [...this.lemmas.map(l => l.formula), ...shared.axioms];
    return { model, lemmas: lemmasOfEdges(problem, lemmas), k: 0 };
  }

  private derivation({ fact, functionValue }: GroundRefinement): Derivation {
    const { view } = this;
    if (view === undefined) return derivationOf(fact, functionValue);
    const path = inOrder(fact);
    const steps = path.map(f => (f.ground as Ground).values);
    return view.derivationAlong(
      path.map(f => f.edge),
      { steps, functionValue },
    );
  }
}

/** The flat view, where there is one location or none. */
function wholeView(views: Views): FlatView | undefined {
  try {
    const { problem } = views;
    return problem.locations.length < 2 && isLinear(problem) ? views.flat : undefined;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}
