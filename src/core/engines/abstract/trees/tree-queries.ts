/**
 * The questions of the search about frames: which use of an edge derives a state of a cube from facts of a frame? What a model
 * says of each source is what term projection leaves of it over that source's places alone. What it says across sources is
 * lost, unless an equal term of the source takes the other's place; whether the sources fit together is for refinement
 * to say.
 */
import type { EufModel } from '../../../../euf/model.ts';
import { ready, type Work } from '../../../../sat/work.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { conjuncts } from '../../../problem/conjuncts.ts';
import { type FreeOf, onlyOver } from '../../../problem/literals.ts';
import type { NextVariables } from '../../../problem/next-variables.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
} from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Queries, Reached, Unreachable } from '../../ic3/queries.ts';
import { type Cube, cubeOf } from '../cube.ts';
import type { FrameSolver, Shared } from '../frame-solver.ts';
import { modelAssertion } from '../model-assertion.ts';
import type { Signature } from '../signature.ts';
import type { TreeSolvers } from './tree-solvers.ts';

/** A use of an edge in the abstraction. */
export interface AbstractUse {
  /** That of the first source, for those who look at one state only. */
  readonly cube: Cube;
  /** One for each source. */
  readonly cubes: readonly Cube[];
  readonly edge: Edge;
  readonly justification: readonly TermId[];
}

/** What is known of an edge: which terms are over which source, and which lemmas are about it. */
interface EdgeView {
  readonly sources: readonly { readonly own: FreeOf; readonly toPlaces: Renaming }[];
  readonly variables: ReadonlySet<TermId>;
  readonly about: TermId[]; // of the solver's lemmas
  seen: number; // so many of them have been looked at
}

export class TreeQueries implements Queries<Cube, AbstractUse> {
  readonly shared: Shared;
  private readonly terms: TermStore;
  private readonly next: NextVariables;
  private readonly signature: Signature;
  private readonly solvers: TreeSolvers;
  private readonly views = new Map<Edge, EdgeView>();

  constructor({ terms, next }: Problem, shared: Shared, signature: Signature, solvers: TreeSolvers) {
    this.shared = shared;
    this.terms = terms;
    this.next = next;
    this.signature = signature;
    this.solvers = solvers;
  }

  exclude(cube: Cube, level: number): void {
    this.solvers.exclude(cube, level);
  }

  /** No fact is there without an edge; but a cube is of one location. */
  initialCore(cube: Cube): Work<Cube | undefined> {
    const literal = this.solvers.ownLiteral(cube);
    return ready(literal === undefined ? undefined : [literal]);
  }

  *bad(level: number): Work<Reached<AbstractUse> | undefined> {
    const { shared, solvers } = this;
    shared.counts.bad++;
    const answer = yield* solvers.queries.ask('query', level, [], [shared.isStep]);
    return 'uses' in answer ? undefined : this.reached(answer, solvers.queries, []);
  }

  *relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<AbstractUse> | Unreachable<Cube>> {
    const { shared, solvers, signature } = this;
    shared.counts.relative++;
    const location = solvers.location(cube);
    const solver = solvers.solver(location);
    const primed = solvers.states(cube).map(l => signature.prime.apply(l));
    const target = new Set(primed);
    const copies = isExcluded ? [] : solvers.copies(cube, solver);
    const question = ['use of an edge', level - 1, [...target], [shared.isStep]] as const;
    const answer =
      copies.length > 0 ? yield* solver.askOutside(copies, ...question) : yield* solver.ask(...question);
    if (!('uses' in answer)) return this.reached(answer, solver, primed);
    const literal = solvers.literal(location);
    const core = cube.filter(l => l === literal || answer.uses.has(signature.prime.apply(l)));
    return { core, level: answer.frame + 1 };
  }

  private reached(model: EufModel, solver: FrameSolver, target: readonly TermId[]): Reached<AbstractUse> {
    return { state: () => ready(this.before(model, solver, target)) };
  }

  /** What a model says of the sources of the edge that it uses. */
  private before(model: EufModel, solver: FrameSolver, target: readonly TermId[]): AbstractUse {
    const { shared, terms, next, solvers } = this;
    const edge = solver.taken(model, 'steps');
    const view = this.view(edge, solver);
    return shared.env.profile.measure('projection', () => {
      const formulas = [...target, ...conjuncts(terms, edge.guard), ...view.about];
      const places = headOf(edge)?.places ?? [];
      const definitions = new Map(
        places.map((p, i) => [next.of(p), edge.values[i]] as const).filter(([v, value]) => v !== value),
      );
      const { literals, terms: values } = shared.projector.project(model, formulas, definitions);
      const cubes = edge.sources.map(({ location }, j) => {
        const { own, toPlaces } = view.sources[j];
        const cube = modelAssertion(terms, model, literals, values, t => own.has(t));
        return cubeOf([solvers.literal(location), ...cube.map(l => toPlaces.apply(l))]);
      });
      return { cube: cubes[0] ?? [], cubes, edge, justification: literals };
    });
  }

  private view(edge: Edge, solver: FrameSolver): EdgeView {
    const { terms, next } = this;
    let view = this.views.get(edge);
    if (view === undefined) {
      const after = (headOf(edge)?.places ?? []).map(p => next.of(p));
      const back = (location: Location, places: readonly TermId[]) =>
        new Renaming(
          terms,
          places.map((p, i) => [p, location.places[i]] as const),
        );
      view = {
        sources: edge.sources.map(({ location, places }) => ({
          own: onlyOver(terms, new Set(places)),
          toPlaces: back(location, places),
        })),
        variables: new Set([...placesOf(edge), ...inputsOf(terms, edge), ...after]),
        about: [],
        seen: 0,
      };
      this.views.set(edge, view);
    }
    const { variables } = view;
    for (; view.seen < solver.valid.length; view.seen++) {
      const lemma = solver.valid[view.seen];
      const isAbout = terms.postorder([lemma]).every(t => !terms.isVariable(t) || variables.has(t));
      if (isAbout) view.about.push(lemma);
    }
    return view;
  }
}
