/**
 * Frame solvers for edges with several sources (Hoder and Bjørner, "Generalized Property Directed Reachability", SAT 2012):
 * one for each location, which knows the edges that lead there, and one for the queries. In an edge each source has places of
 * its own, so a clause of a frame is there once for each edge and source that uses its location, where that edge is
 * chosen. R_i holds of all facts that trees of at most i edges' height derive; R_0 of none.
 *
 * A cube is about one location, whose literal it always has.
 */

import type { TermId, TermStore } from '../../../../term/store.ts';
import { EdgeTable } from '../../../problem/edge-table.ts';
import { inputsOf, isQuery, type Location, type Problem, type Source } from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Case } from '../../../problem/transitions.ts';
import { type Cube, clauseOf, cubeOf } from '../cube.ts';
import { FrameSolver, type Shared } from '../frame-solver.ts';
import { derivationsBy } from './derivations.ts';

/** Where a location is a source: in which use of an edge, and what its places are there. */
interface Use {
  readonly solver: FrameSolver;
  readonly selection: TermId;
  readonly source: Source;
}

export class TreeSolvers {
  readonly queries: FrameSolver;
  private readonly terms: TermStore;
  private readonly literalOf: ReadonlyMap<Location, TermId>;
  private readonly locationOf: ReadonlyMap<TermId, Location>;
  private readonly into = new Map<Location, FrameSolver>();
  private readonly uses = new Map<Location, Use[]>();
  private readonly variables = new Map<FrameSolver, ReadonlySet<TermId>>(); // that it knows
  private readonly renamings = new Map<Source, Renaming>();

  constructor(problem: Problem, shared: Shared) {
    const { terms, locations } = problem;
    this.terms = terms;
    this.literalOf = new Map(locations.map(l => [l, terms.variable(l.name, terms.sorts.bool)]));
    this.locationOf = new Map([...this.literalOf].map(([l, literal]) => [literal, l]));
    for (const l of locations) this.uses.set(l, []);
    const table = new EdgeTable(problem.edges);
    const solver = (head: Location | undefined) => {
      const edges = head === undefined ? problem.edges.filter(e => isQuery(e.head)) : table.into(head);
      const made = new FrameSolver(derivationsBy(problem, edges, head), shared);
      for (const c of made.transitions.steps) this.note(made, c);
      const own = edges.flatMap(e => [...e.sources.flatMap(s => s.places), ...inputsOf(terms, e)]);
      const after = (head?.places ?? []).map(p => problem.next.of(p));
      this.variables.set(made, new Set([...own, ...after]));
      return made;
    };
    this.queries = solver(undefined);
    for (const l of locations) this.into.set(l, solver(l));
  }

  private note(solver: FrameSolver, { edge, selection }: Case): void {
    for (const source of edge.sources) this.uses.get(source.location)?.push({ solver, selection, source });
  }

  solver(location: Location | undefined): FrameSolver {
    return location === undefined ? this.queries : (this.into.get(location) as FrameSolver);
  }

  literal(location: Location): TermId {
    return this.literalOf.get(location) as TermId;
  }

  /** The literal of a cube that says where it is; it may have been dropped. */
  ownLiteral(cube: Cube): TermId | undefined {
    return cube.find(l => this.locationOf.has(l));
  }

  location(cube: Cube): Location {
    return this.locationOf.get(this.ownLiteral(cube) as TermId) as Location;
  }

  /** A cube without the literal of its location. */
  states(cube: Cube): Cube {
    return cube.filter(l => !this.locationOf.has(l));
  }

  /** From the places of a source's location to what they are in the edge. */
  renaming(source: Source): Renaming {
    let known = this.renamings.get(source);
    if (known === undefined) {
      const { places } = source.location;
      known = new Renaming(
        this.terms,
        places.map((p, i) => [p, source.places[i]] as const),
      );
      this.renamings.set(source, known);
    }
    return known;
  }

  /** The cube on each copy of its location that a solver has, where the edge is chosen that the copy belongs to. */
  copies(cube: Cube, solver: FrameSolver): Cube[] {
    const states = this.states(cube);
    return (this.uses.get(this.location(cube)) ?? [])
      .filter(u => u.solver === solver)
      .map(({ selection, source }) =>
        cubeOf([selection, ...states.map(l => this.renaming(source).apply(l))]),
      );
  }

  exclude(cube: Cube, level: number): void {
    const users = new Set((this.uses.get(this.location(cube)) ?? []).map(u => u.solver));
    for (const solver of users) for (const copy of this.copies(cube, solver)) solver.exclude(copy, level);
  }

  /** Tells a valid formula to those who know what it speaks of. */
  addLemma(lemma: TermId): void {
    const { terms } = this;
    const spoken = terms.postorder([lemma]).filter(t => terms.isVariable(t));
    for (const [solver, known] of this.variables) if (spoken.every(v => known.has(v))) solver.addLemma(lemma);
  }

  /** The clauses that exclude cubes, as a formula for each location. */
  invariants(cubes: readonly Cube[]): Map<Location, TermId[]> {
    const found = new Map<Location, TermId[]>([...this.into.keys()].map(l => [l, []]));
    for (const cube of cubes) found.get(this.location(cube))?.push(clauseOf(this.terms, this.states(cube)));
    return found;
  }
}
