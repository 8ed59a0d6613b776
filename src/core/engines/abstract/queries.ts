/**
 * The questions that IC3 asks, each put to the frame solver that can answer it: is there a state of a frame that violates the
 * property, can a cube be reached in a step, has a cube an initial state? What a model says of the states before a step is
 * what term projection leaves of it, of each state by itself: what it says of several is lost, unless an equal term of one takes
 * the other's place. That may say less than the step needs, so an abstract counterexample is a derivation by uses of edges, each
 * justified on its own; whether they fit together is for refinement to say.
 */
import type { EufModel } from '../../../euf/model.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { conjuncts } from '../../problem/conjuncts.ts';
import { type FreeOf, onlyOver } from '../../problem/literals.ts';
import { type Edge, headOf, inputsOf, placesOf, type Source } from '../../problem/problem.ts';
import { Renaming } from '../../problem/renaming.ts';
import type { State } from '../ic3/obligations.ts';
import type { Reached, Unreachable } from '../ic3/queries.ts';
import { type Cube, cubeOf } from './cube.ts';
import type { Fact, Use } from './fact.ts';
import type { Core, FrameSolver, Shared } from './frame-solver.ts';
import type { FrameSolvers } from './frame-solvers.ts';
import { modelAssertion } from './model-assertion.ts';
import type { Signature } from './signature.ts';

/** A use of an edge whose sources are derived one after the other. */
export interface OpenUse extends Use, State<Cube> {
  /** What is derived next: with where it is, what is asked of the first source without a premise. Nothing if there is none. */
  readonly cube: Cube;
  /** What each source is, by and by. */
  readonly premises: (Fact | undefined)[];
  /** What each source is asked, with where it is. */
  readonly cubes: readonly Cube[];
  /** So many lemmas were known when it was found. */
  readonly lemmas: number;
}

export class AbstractQueries {
  readonly shared: Shared;
  private readonly signature: Signature;
  private readonly solvers: FrameSolvers;
  private readonly lemmas = new WeakMap<FrameSolver, Map<Edge, KnownLemmas>>();
  private readonly views = new Map<Source, SourceView>();

  constructor(shared: Shared, signature: Signature, solvers: FrameSolvers) {
    this.shared = shared;
    this.signature = signature;
    this.solvers = solvers;
  }

  exclude(cube: Cube, level: number): void {
    this.solvers.exclude(cube, level);
  }

  initialCore(cube: Cube): Work<Cube | undefined> {
    return this.solvers.initialCore(cube);
  }

  *bad(level: number): Work<Reached<OpenUse> | undefined> {
    const { shared, solvers } = this;
    shared.counts.bad++;
    const solver = solvers.violations;
    const answer = yield* solver.ask('bad state', level, [shared.isBad]);
    return 'uses' in answer ? undefined : this.reached(answer, solver, 'queries', []);
  }

  *relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<OpenUse> | Unreachable<Cube>> {
    const { solvers } = this;
    this.shared.counts.relative++;
    const solver = solvers.into(cube);
    const primed = solvers.target(cube).map(l => this.signature.prime.apply(l));
    const target = new Set(primed);
    const answer = yield* this.ask(solver, [...target], level - 1, isExcluded ? [] : [cube]);
    if (!('uses' in answer)) return this.reached(answer, solver, 'steps', primed);
    // A literal that the solver says anyway is one that it needs.
    const core = cube.filter(l => {
      const after = this.signature.prime.apply(l);
      return !target.has(after) || answer.uses.has(after);
    });
    return { core, level: answer.frame + 1 };
  }

  private ask(
    solver: FrameSolver,
    formulas: readonly TermId[],
    level: number,
    outside: readonly Cube[],
  ): Work<EufModel | Core> {
    const copies = outside.flatMap(c => this.solvers.copies(c, solver));
    const question = ['step into cube', level, formulas, [this.shared.isStep]] as const;
    return copies.length > 0 ? solver.askOutside(copies, ...question) : solver.ask(...question);
  }

  private reached(
    model: EufModel,
    solver: FrameSolver,
    kind: 'steps' | 'queries',
    target: readonly TermId[],
  ): Reached<OpenUse> {
    return { state: () => this.before(model, solver, solver.taken(model, kind), target) };
  }

  /** What a model says of the states before a step into the target, or of those that violate the property. */
  private *before(
    model: EufModel,
    solver: FrameSolver,
    edge: Edge,
    target: readonly TermId[],
  ): Work<OpenUse> {
    const { shared, signature, solvers } = this;
    const { terms, next } = signature;
    const { asked, justification } = shared.env.profile.measure('projection', () => {
      const constraints = edge.sources.flatMap(s => s.location.constraints);
      const lemmas = this.lemmasAbout(solver, edge);
      const formulas = [...target, ...conjuncts(terms, edge.guard), ...constraints, ...lemmas];
      const places = headOf(edge)?.places ?? [];
      const definitions = new Map(
        places.map((p, i) => [next.of(p), edge.values[i]] as const).filter(([v, value]) => v !== value),
      );
      const { literals, terms: values } = shared.projector.project(model, formulas, definitions);
      const asked = edge.sources.map(source => {
        const { own, toPlaces } = this.view(edge, source);
        const cube = modelAssertion(terms, model, literals, values, t => own.has(t));
        return toPlaces === undefined ? cube : cubeOf(cube.map(l => toPlaces.apply(l)));
      });
      return { asked, justification: literals };
    });
    const cubes: Cube[] = [];
    for (const [j, { location }] of edge.sources.entries())
      cubes.push(yield* solvers.separated(asked[j], model, location));
    const use = {
      edge,
      asked: cubes.map(c => solvers.target(c)),
      justification,
      cubes,
      lemmas: shared.lemmas,
    };
    return { ...use, cube: cubes[0] ?? [], premises: cubes.map(() => undefined) };
  }

  /** How a source is seen in an edge. */
  private view(edge: Edge, source: Source): SourceView {
    const { terms, ofNow } = this.signature;
    if (edge.sources.length === 1) return { own: ofNow, toPlaces: undefined };
    let view = this.views.get(source);
    if (view === undefined) {
      const { location, places } = source;
      const back = places.map((p, i) => [p, location.places[i]] as const);
      view = { own: onlyOver(terms, new Set(places)), toPlaces: new Renaming(terms, back) };
      this.views.set(source, view);
    }
    return view;
  }

  /** Those of a solver's lemmas that speak of nothing but an edge's ends and inputs: others are no part of its steps. */
  private lemmasAbout(solver: FrameSolver, edge: Edge): readonly TermId[] {
    let known = this.lemmas.get(solver)?.get(edge);
    if (known === undefined) {
      known = { seen: 0, about: [] };
      const ofSolver = this.lemmas.get(solver) ?? new Map<Edge, KnownLemmas>();
      this.lemmas.set(solver, ofSolver.set(edge, known));
    }
    const { signature } = this;
    const { terms, next } = signature;
    const after = (headOf(edge)?.places ?? []).map(p => next.of(p));
    const own = new Set([...placesOf(edge), ...inputsOf(terms, edge), ...after]);
    const isForeign = (t: TermId) => terms.isVariable(t) && !own.has(t);
    for (; known.seen < solver.valid.length; known.seen++) {
      const lemma = solver.valid[known.seen];
      if (!terms.postorder([lemma]).some(isForeign)) known.about.push(lemma);
    }
    return known.about;
  }
}

/** Which terms are over a source, and what they are over the places of its location, where these have other names. */
interface SourceView {
  readonly own: FreeOf;
  readonly toPlaces: Renaming | undefined;
}

/** How many of a solver's lemmas have been looked at, and which of them are about an edge. */
interface KnownLemmas {
  seen: number;
  readonly about: TermId[];
}
