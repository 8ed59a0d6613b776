/**
 * Which solver answers what: one for the steps into each location, made when it is first asked, and one for the violations.
 * Clauses of answered questions pile up in a solver; when there are too many it is made anew, with what the frames hold.
 */
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, isQuery, type Location, type Problem } from '../../problem/problem.ts';
import { FOREVER, type Frames } from '../ic3/frames.ts';
import type { Cube } from '../ic3/literal-cube.ts';
import type { Shared } from './encoding.ts';
import { StepSolver } from './step-solver.ts';

/** So many clauses may be dead before a solver is made anew. */
const MAX_DEAD = 1500;

/** Solvers that have not been used for the longest time make room for others. */
const MAX_SOLVERS = 400;

export class Solvers {
  private readonly shared: Shared;
  private readonly frames: Frames<Cube>;
  private readonly edges: EdgeTable;
  private readonly queries: readonly Edge[];
  private readonly solvers = new Map<Location | undefined, StepSolver>(); // of nowhere: the violations
  private readonly successors = new Map<Location, ReadonlySet<Location>>();

  constructor({ edges, locations }: Problem, frames: Frames<Cube>, shared: Shared) {
    this.shared = shared;
    this.frames = frames;
    this.edges = new EdgeTable(edges);
    this.queries = edges.filter(e => isQuery(e.head));
    for (const l of locations)
      this.successors.set(l, new Set(this.edges.outOf(l).flatMap(e => headOf(e) ?? [])));
  }

  /** The solver of the steps into a location, or of the violations. */
  into(location: Location | undefined): StepSolver {
    const { solvers } = this;
    let solver = solvers.get(location);
    if (solver === undefined || solver.encoding.dead > MAX_DEAD) solver = this.fresh(location);
    // The last in the map is the one that was used last.
    solvers.delete(location);
    solvers.set(location, solver);
    if (solvers.size > MAX_SOLVERS) solvers.delete(solvers.keys().next().value);
    return solver;
  }

  /** A solver for whoever wants to fill one with questions of its own. */
  fresh(location: Location | undefined): StepSolver {
    const { frames, shared } = this;
    const edges = location === undefined ? this.queries : this.edges.into(location);
    const solver = new StepSolver(shared, edges);
    const exclude = (level: number) => {
      for (const cube of frames.at(level)) {
        if (solver.sources.has(shared.domain.locationOf(cube) as Location)) solver.exclude(cube, level);
      }
    };
    for (let level = 1; level <= frames.depth; level++) exclude(level);
    exclude(FOREVER);
    return solver;
  }

  /** May a step lead from a location to itself? */
  isLoop(location: Location): boolean {
    return this.successors.get(location)?.has(location) === true;
  }

  exclude(cube: Cube, level: number): void {
    const location = this.shared.domain.locationOf(cube) as Location;
    for (const [, solver] of this.solvers) if (solver.sources.has(location)) solver.exclude(cube, level);
  }
}
