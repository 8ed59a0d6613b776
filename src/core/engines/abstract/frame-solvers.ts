/**
 * How the questions of IC3 are divided among frame solvers. Where there is one location, one solver answers all of them.
 * Otherwise there is one for the steps into each location and one for the violations: the dissertation (4.6) puts twelve of
 * its losses to Spacer down to queries about a monolithic transition relation. Then a cube is about one location, whose literal
 * it always has. Steps into the cube are asked about in its location's solver alone, and the clause that excludes it
 * goes to the solvers of the locations that an edge leads to from there. A state at a location is never initial, so that
 * this needs no question.
 *
 * In an edge with several sources each has places of its own. So a clause is there once for each source that is at its
 * location, about that source's places, where that edge is taken.
 */
import type { EufModel } from '../../../euf/model.ts';
import { ready, type Work } from '../../../sat/work.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { headOf, isQuery, type Location, type Problem, type Source } from '../../problem/problem.ts';
import { Renaming } from '../../problem/renaming.ts';
import type { FlatView } from '../../problem/transition-system.ts';
import { stepsBy, type Transitions, violationsBy } from '../../problem/transitions.ts';
import type { ProvedClause } from '../proved.ts';
import { type Cube, cubeOf } from './cube.ts';
import { FrameSolver, type Shared } from './frame-solver.ts';
import type { Signature } from './signature.ts';

export interface FrameSolvers {
  /** What answers questions about states that violate the property. */
  readonly violations: FrameSolver;
  /** What answers questions about steps into a cube. */
  into(cube: Cube): FrameSolver;
  /** Where the states of a cube are; only what begins a run is nowhere. */
  location(cube: Cube): Location | undefined;
  /** The literals of a cube that say more about the state after a step than its solver says anyway. */
  target(cube: Cube): Cube;
  /** What the cube is to a solver whose steps begin there, once for each of the states that they begin from. */
  copies(cube: Cube, solver: FrameSolver): readonly Cube[];
  addLemma(lemma: TermId): void;
  /** Excludes a cube from the frames up to the level. */
  exclude(cube: Cube, level: number): void;
  /** Those of the literals that no initial state satisfies together; nothing if some initial state does. */
  initialCore(cube: Cube): Work<Cube | undefined>;
  /** A cube of a model, with where it is, and what keeps out initial states if the model's state is none. */
  separated(cube: Cube, model: EufModel, location: Location): Work<Cube>;
  /** The clauses that exclude cubes, as a formula for each location. */
  invariants(clauses: readonly (readonly [Cube, TermId])[]): Map<Location, TermId[]>;
}

export class WholeSolver implements FrameSolvers {
  readonly violations: FrameSolver;
  private readonly view: FlatView;
  private readonly only: Location;
  private readonly shared: Shared;

  /** The flat view is that of a problem with this one location. */
  constructor(view: FlatView, location: Location, shared: Shared) {
    this.view = view;
    this.only = location;
    this.shared = shared;
    this.violations = new FrameSolver(view.transitions, shared);
  }

  into(): FrameSolver {
    return this.violations;
  }

  location(): Location {
    return this.only;
  }

  target(cube: Cube): Cube {
    return cube;
  }

  copies(cube: Cube): readonly Cube[] {
    return [cube];
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
    return new Map([[this.only, clauses.map(([, clause]) => clause)]]);
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
  private readonly renamings = new Map<Source, Renaming>();

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
    this.places.set(this.violations, this.placesOf(this.violations.transitions, undefined));
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
    this.places.set(solver, this.placesOf(transitions, location));
    for (const lemma of this.lemmas) this.tell(solver, lemma);
    for (const source of transitions.sources) {
      for (const { cube, level } of this.exclusions.get(source) as Exclusion[])
        this.excludeFrom(solver, cube, level);
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

  copies(cube: Cube, { transitions: { origins, calls } }: FrameSolver): Cube[] {
    const location = this.location(cube) as Location;
    const states = this.target(cube);
    const inCalls = [...calls].flatMap(([{ sources }, call]) =>
      sources
        .filter(s => s.location === location)
        .map(s => cubeOf([call, ...states.map(l => this.renaming(s).apply(l))])),
    );
    return origins.has(location) ? [cube, ...inCalls] : inCalls;
  }

  /** From the places of a source's location to what stands for them. */
  private renaming(source: Source): Renaming {
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

  addLemma(lemma: TermId): void {
    this.lemmas.push(lemma);
    for (const solver of [this.violations, ...this.solvers.values()]) this.tell(solver, lemma);
  }

  /** A lemma about places that are none of the solver's locations says nothing to it. */
  private tell(solver: FrameSolver, lemma: TermId): void {
    const { terms, signature, places } = this;
    const own = places.get(solver) as ReadonlySet<TermId>;
    const isForeign = (t: TermId) => signature.standsForPlace(t) && !own.has(t);
    if (!terms.postorder([lemma]).some(isForeign)) solver.addLemma(lemma);
  }

  /** What stands for places before a step, and the next variables of the location after it. */
  private placesOf({ origins, calls }: Transitions, head: Location | undefined): Set<TermId> {
    const before = [...origins].flatMap(s => s.places);
    const ofCalls = [...calls.keys()].flatMap(e => e.sources.flatMap(s => s.places));
    const after = head?.places.map(p => this.problem.next.of(p)) ?? [];
    return new Set([...before, ...ofCalls, ...after]);
  }

  exclude(cube: Cube, level: number): void {
    const location = this.location(cube) as Location;
    this.exclusions.get(location)?.push({ cube, level });
    if (this.violations.transitions.sources.includes(location))
      this.excludeFrom(this.violations, cube, level);
    for (const s of this.successors.get(location) ?? []) {
      const solver = this.solvers.get(s);
      if (solver !== undefined) this.excludeFrom(solver, cube, level);
    }
  }

  private excludeFrom(solver: FrameSolver, cube: Cube, level: number): void {
    for (const copy of this.copies(cube, solver)) solver.exclude(copy, level);
  }

  initialCore(cube: Cube): Work<Cube | undefined> {
    const location = this.location(cube);
    return ready(location === undefined ? undefined : [this.literal(location)]);
  }

  separated(cube: Cube, _: EufModel, location: Location): Work<Cube> {
    return ready(cubeOf([this.literal(location), ...cube]));
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

  location(cube: Cube): Location | undefined {
    for (const l of cube) {
      const found = this.locationOf.get(l);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
