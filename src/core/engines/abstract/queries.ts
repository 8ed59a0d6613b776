/**
 * The questions that IC3 asks, each put to the frame solver that can answer it: is there a state of a frame that violates the
 * property, can a cube be reached in a step, has a cube an initial state? What a model says of the state before a step is
 * what term projection leaves of it. That may say less than the step needs, so an abstract counterexample is a sequence of
 * cubes with a justification for each step on its own; whether the steps fit together is for refinement to say.
 */
import type { EufModel } from '../../../euf/model.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { conjuncts } from '../../problem/conjuncts.ts';
import { type Edge, headOf, placesOf } from '../../problem/problem.ts';
import type { Queries, Reached, Unreachable } from '../ic3/queries.ts';
import type { Cube } from './cube.ts';
import type { FrameSolver, Shared } from './frame-solver.ts';
import type { FrameSolvers } from './frame-solvers.ts';
import { modelAssertion } from './model-assertion.ts';
import type { Signature } from './signature.ts';

/** A cube of an abstract counterexample, the edge that leads from there to the next one, and what justifies the step. */
export interface AbstractStep {
  readonly cube: Cube;
  readonly edge: Edge;
  /** Over places, inputs and next variables; in the last step, that the property fails. */
  readonly justification: readonly TermId[];
}

export class AbstractQueries implements Queries<Cube, AbstractStep> {
  readonly shared: Shared;
  private readonly signature: Signature;
  private readonly solvers: FrameSolvers;
  private readonly lemmas = new WeakMap<FrameSolver, Map<Edge, KnownLemmas>>();

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

  *bad(level: number): Work<Reached<AbstractStep> | undefined> {
    const { shared, solvers } = this;
    shared.counts.bad++;
    const solver = solvers.violations;
    const answer = yield* solver.ask('bad state', level, [shared.isBad]);
    return 'uses' in answer ? undefined : this.reached(answer, solver, 'queries', []);
  }

  *relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<AbstractStep> | Unreachable<Cube>> {
    const { shared, solvers } = this;
    shared.counts.relative++;
    const solver = solvers.into(cube);
    const primed = solvers.target(cube).map(l => this.signature.prime.apply(l));
    const target = new Set(primed);
    const question = ['step into cube', level - 1, [...target], [shared.isStep]] as const;
    const answer =
      !isExcluded && solvers.isLoop(cube)
        ? yield* solver.askOutside([cube], ...question)
        : yield* solver.ask(...question);
    if (!('uses' in answer)) return this.reached(answer, solver, 'steps', primed);
    // A literal that the solver says anyway is one that it needs.
    const core = cube.filter(l => {
      const after = this.signature.prime.apply(l);
      return !target.has(after) || answer.uses.has(after);
    });
    return { core, level: answer.frame + 1 };
  }

  private reached(
    model: EufModel,
    solver: FrameSolver,
    kind: 'steps' | 'queries',
    target: readonly TermId[],
  ): Reached<AbstractStep> {
    return { state: () => this.before(model, solver, solver.taken(model, kind), target) };
  }

  /** What a model says of the state before a step into the target, or of one that violates the property. */
  private *before(
    model: EufModel,
    solver: FrameSolver,
    edge: Edge,
    target: readonly TermId[],
  ): Work<AbstractStep> {
    const { shared, signature, solvers } = this;
    const { terms, next, ofNow } = signature;
    const { cube, justification } = shared.env.profile.measure('projection', () => {
      const constraints = edge.sources.flatMap(s => s.location.constraints);
      const lemmas = this.lemmasAbout(solver, edge);
      const formulas = [...target, ...conjuncts(terms, edge.guard), ...constraints, ...lemmas];
      const places = headOf(edge)?.places ?? [];
      const definitions = new Map(
        places.map((p, i) => [next.of(p), edge.values[i]] as const).filter(([v, value]) => v !== value),
      );
      const { literals, terms: values } = shared.projector.project(model, formulas, definitions);
      return {
        cube: modelAssertion(terms, model, literals, values, t => ofNow.has(t)),
        justification: literals,
      };
    });
    return { cube: yield* solvers.separated(cube, model, edge), edge, justification };
  }

  /** Those of a solver's lemmas that speak of no places but those of an edge's ends: others are no part of its steps. */
  private lemmasAbout(solver: FrameSolver, edge: Edge): readonly TermId[] {
    let known = this.lemmas.get(solver)?.get(edge);
    if (known === undefined) {
      known = { seen: 0, about: [] };
      const ofSolver = this.lemmas.get(solver) ?? new Map<Edge, KnownLemmas>();
      this.lemmas.set(solver, ofSolver.set(edge, known));
    }
    const { terms, current, after, next } = this.signature;
    const own = new Set([...placesOf(edge), ...(headOf(edge)?.places ?? []).map(p => next.of(p))]);
    const isForeign = (t: TermId) => (current.has(t) || after.has(t)) && !own.has(t);
    for (; known.seen < solver.valid.length; known.seen++) {
      const lemma = solver.valid[known.seen];
      if (!terms.postorder([lemma]).some(isForeign)) known.about.push(lemma);
    }
    return known.about;
  }
}

/** How many of a solver's lemmas have been looked at, and which of them are about an edge. */
interface KnownLemmas {
  seen: number;
  readonly about: TermId[];
}
