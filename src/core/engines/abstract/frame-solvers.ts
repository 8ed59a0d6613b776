/**
 * How the questions of IC3 are divided among frame solvers. Where there is one location, one solver answers all of them.
 * Otherwise there is one for the steps into each location and one for the violations: the dissertation (4.6) puts twelve of
 * its losses to Spacer down to queries about a monolithic transition relation. Then a cube is about one location, whose literal
 * it always has. Steps into the cube are asked about in its location's solver alone, and the clause that excludes it
 * goes to the solvers of the locations that an edge leads to from there. A state at a location is never initial, so that
 * this needs no question.
 */
import type { EufModel } from '../../../euf/model.ts';
import { ready, type Work } from '../../../sat/work.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, isQuery, type Location, type Problem, sourceOf } from '../../problem/problem.ts';
import type { FlatView } from '../../problem/transition-system.ts';
import { stepsBy, violationsBy } from '../../problem/transitions.ts';
import type { ProvedClause } from '../proved.ts';
import { type Cube, cubeOf } from './cube.ts';
import { FrameSolver, type Shared } from './frame-solver.ts';
import type { Signature } from './signature.ts';

export interface FrameSolvers {
  /** What answers questions about states that violate the property. */
  readonly violations: FrameSolver;
  /** What answers questions about steps into a cube. */
  into(cube: Cube): FrameSolver;
  /** The literals of a cube that say more about the state after a step than its solver says anyway. */
  target(cube: Cube): Cube;
  /** May a step that its solver knows lead from the cube into it? */
  isLoop(cube: Cube): boolean;
  addLemma(lemma: TermId): void;
  /** Excludes a cube from the frames up to the level. */
  exclude(cube: Cube, level: number): void;
  /** Those of the literals that no initial state satisfies together; nothing if some initial state does. */
  initialCore(cube: Cube): Work<Cube | undefined>;
  /** A cube of a model, with where it is, and what keeps out initial states if the model's state is none. */
  separated(cube: Cube, model: EufModel, edge: Edge): Work<Cube>;
  /** The clauses that exclude cubes, as a formula for each location. */
  invariants(clauses: readonly (readonly [Cube, TermId])[]): Map<Location, TermId[]>;
}

export class WholeSolver implements FrameSolvers {
  readonly violations: FrameSolver;
  private readonly view: FlatView;
  private readonly location: Location;
  private readonly shared: Shared;

  /** The flat view is that of a problem with this one location. */
  constructor(view: FlatView, location: Location, shared: Shared) {
    this.view = view;
    this.location = location;
    this.shared = shared;
    this.violations = new FrameSolver(view.transitions, shared);
  }

  into(): FrameSolver {
    return this.violations;
  }

  target(cube: Cube): Cube {
    return cube;
  }

  isLoop(): boolean {
    return true;
  }

  addLemma(lemma: TermId): void {
    this.violations.addLemma(lemma);
  }

  exclude(cube: Cube, level: number): void {
    this.violations.exclude(cube, level);
  }

  *initialCore(cube: Cube): Work<Cube | undefined> {
    this.shared.counts.initial++;
    const answer = yield* this.violations.ask('initial state', 0, cube);
    return 'uses' in answer ? cube.filter(l => answer.uses.has(l)) : undefined;
  }

  *separated(cube: Cube, model: EufModel): Work<Cube> {
    const { init } = this.view.system;
    const { terms, projector } = this.shared;
    const violated = init.find(f => !model.isTrue(f));
    if (violated === undefined) return cube;
    const { literals } = projector.project(model, [terms.not(violated)], new Map());
    // The projection may have lost what keeps the state from being an initial one; then it is said again.
    return (yield* this.initialCore(cube)) === undefined ? cubeOf([...cube, ...literals]) : cube;
  }

  invariants(clauses: readonly (readonly [Cube, TermId])[]): Map<Location, TermId[]> {
    return new Map([[this.location, clauses.map(([, clause]) => clause)]]);
  }
}

/**
 * A solver takes memory for every term of the store, used or not. Solvers that are together above this many terms make room
 * for others; they are made anew when needed.
 */
const MAX_TERMS = 2 ** 24;
const MIN_SOLVERS = 16;

interface Exclusion {
  readonly cube: Cube;
  readonly level: number;
}

export class LocationSolvers implements FrameSolvers {
  readonly violations: FrameSolver;
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly shared: Shared;
  private readonly edges: EdgeTable;
  private readonly literalOf: ReadonlyMap<Location, TermId>; // that a state is there
  private readonly locationOf: ReadonlyMap<TermId, Location>; // by literal
  private readonly successors = new Map<Location, Set<Location>>();
  private readonly signature: Signature;
  private readonly solvers = new Map<Location, FrameSolver>(); // made when first asked
  private readonly places = new WeakMap<FrameSolver, ReadonlySet<TermId>>(); // that it knows
  private readonly lemmas: TermId[] = [];
  private readonly exclusions = new Map<Location, Exclusion[]>();

  constructor(problem: Problem, signature: Signature, shared: Shared) {
    const { terms } = problem;
    this.problem = problem;
    this.terms = terms;
    this.shared = shared;
    this.edges = new EdgeTable(problem.edges);
    this.literalOf = new Map(problem.locations.map(l => [l, terms.variable(l.name, terms.sorts.bool)]));
    this.locationOf = new Map([...this.literalOf].map(([l, literal]) => [literal, l]));
    this.signature = signature;
    for (const l of problem.locations) {
      this.exclusions.set(l, []);
      this.successors.set(l, new Set(this.edges.outOf(l).flatMap(e => headOf(e) ?? [])));
    }
    const queries = problem.edges.filter(e => isQuery(e.head));
    this.violations = new FrameSolver(
      violationsBy(problem, queries, l => this.literal(l)),
      shared,
    );
    this.places.set(this.violations, this.placesOf(this.violations.transitions.sources, undefined));
  }

  into(cube: Cube): FrameSolver {
    const location = this.location(cube);
    if (location === undefined) throw new Error('a step into a cube without a location');
    const solver = this.solvers.get(location) ?? this.solverFor(location);
    // The last in the map is the one that was used last.
    this.solvers.delete(location);
    this.solvers.set(location, solver);
    return solver;
  }

  private solverFor(location: Location): FrameSolver {
    this.makeRoom();
    const transitions = stepsBy(this.problem, this.edges.into(location), location, l => this.literal(l));
    const solver = new FrameSolver(transitions, this.shared);
    this.places.set(solver, this.placesOf(transitions.sources, location));
    for (const lemma of this.lemmas) this.tell(solver, lemma);
    for (const source of transitions.sources) {
      for (const { cube, level } of this.exclusions.get(source) as Exclusion[]) solver.exclude(cube, level);
    }
    return solver;
  }

  /** Forgets the solvers that have not been used for the longest time, if there are too many. */
  private makeRoom(): void {
    const most = Math.max(MIN_SOLVERS, MAX_TERMS / this.shared.terms.size);
    for (const location of this.solvers.keys()) {
      if (this.solvers.size < most) return;
      this.solvers.delete(location);
    }
  }

  target(cube: Cube): Cube {
    return cube.filter(l => !this.locationOf.has(l));
  }

  isLoop(cube: Cube): boolean {
    const location = this.location(cube) as Location;
    return this.successors.get(location)?.has(location) === true;
  }

  addLemma(lemma: TermId): void {
    this.lemmas.push(lemma);
    for (const solver of [this.violations, ...this.solvers.values()]) this.tell(solver, lemma);
  }

  /** A lemma about places that are none of the solver's locations says nothing to it. */
  private tell(solver: FrameSolver, lemma: TermId): void {
    const { terms, signature, places } = this;
    const own = places.get(solver) as ReadonlySet<TermId>;
    const isForeign = (t: TermId) => (signature.current.has(t) || signature.after.has(t)) && !own.has(t);
    if (!terms.postorder([lemma]).some(isForeign)) solver.addLemma(lemma);
  }

  /** The places of the locations before a step, and the next variables of the one after it. */
  private placesOf(sources: readonly Location[], head: Location | undefined): Set<TermId> {
    const after = head?.places.map(p => this.problem.next.of(p)) ?? [];
    return new Set([...sources.flatMap(s => s.places), ...after]);
  }

  exclude(cube: Cube, level: number): void {
    const location = this.location(cube) as Location;
    this.exclusions.get(location)?.push({ cube, level });
    if (this.violations.transitions.sources.includes(location)) this.violations.exclude(cube, level);
    for (const s of this.successors.get(location) ?? []) this.solvers.get(s)?.exclude(cube, level);
  }

  initialCore(cube: Cube): Work<Cube | undefined> {
    const location = this.location(cube);
    return ready(location === undefined ? undefined : [this.literal(location)]);
  }

  separated(cube: Cube, _: EufModel, edge: Edge): Work<Cube> {
    const source = sourceOf(edge);
    return ready(source === undefined ? cube : cubeOf([this.literal(source), ...cube]));
  }

  invariants(clauses: readonly (readonly [Cube, TermId])[]): Map<Location, TermId[]> {
    const found = new Map<Location, TermId[]>(this.problem.locations.map(l => [l, []]));
    const { terms } = this;
    for (const [cube, clause] of clauses) {
      const location = this.location(cube) as Location;
      const literal = terms.not(this.literal(location));
      // Where the state is goes without saying there.
      const own = terms.or(cube.length === 1 ? [] : terms.args(clause).filter(l => l !== literal));
      found.get(location)?.push(own);
    }
    return found;
  }

  private literal(location: Location): TermId {
    return this.literalOf.get(location) as TermId;
  }

  /** That a cube is unreachable, for others. */
  proved(cube: Cube): ProvedClause {
    return { location: this.location(cube) as Location, cube: this.target(cube) };
  }

  /** Where the states of a cube are; only what begins a run is nowhere. */
  private location(cube: Cube): Location | undefined {
    for (const l of cube) {
      const found = this.locationOf.get(l);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
