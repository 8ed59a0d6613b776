/**
 * What IC3 asks where edges have several sources, so that derivations are trees. Frames stand for all sources of an edge, as in
 * GPDR (Hoder and Bjørner, "Generalized Property Directed Reachability", SAT 2012). They are derived one after the other, by
 * a ground fact that is known where there is one: these are the must summaries of Spacer (Komuravelli, Gurfinkel and Chaki,
 * "SMT-Based Model Checking for Recursive Programs", CAV 2014). When a location that is a source beside others is reached,
 * bits are asked whether the facts fit together. If so, they make a new fact, which stays. If they do not, something is
 * learnt: about the derivation as a whole, or at least a lemma that excludes these very facts.
 *
 * Where edges have one source at most, all this is nothing: states are reached in runs, and no fact is kept.
 */
import { ready, type Work } from '../../../sat/work.ts';
import type { Location, Problem } from '../../problem/problem.ts';
import type { Obligation } from '../ic3/obligations.ts';
import type { Completion, Queries, Reached, Unreachable } from '../ic3/queries.ts';
import type { Cube } from './cube.ts';
import { type Fact, Facts, factOf } from './fact.ts';
import type { FrameSolvers } from './frame-solvers.ts';
import type { AbstractQueries, OpenUse } from './queries.ts';
import type { Refinement } from './refine/refiner.ts';

/** What derives the cube of an obligation: a use of an edge, as soon as its sources are derived, or a fact. */
export type Deriving = OpenUse | { readonly cube: Cube; readonly fact: Fact };

/** Is a fact one by bits, and what is learnt if not? */
export type Confirm = (fact: Fact) => Work<Refinement>;

export class Derivations implements Queries<Cube, Deriving> {
  readonly facts: Facts;
  private readonly queries: AbstractQueries;
  private readonly solvers: FrameSolvers;
  private readonly confirm: Confirm;
  private readonly isCalled: ReadonlySet<Location>; // beside others

  constructor({ terms, edges }: Problem, queries: AbstractQueries, solvers: FrameSolvers, confirm: Confirm) {
    this.facts = new Facts(terms);
    this.queries = queries;
    this.solvers = solvers;
    this.confirm = confirm;
    const calls = edges.filter(e => e.sources.length > 1);
    this.isCalled = new Set(calls.flatMap(e => e.sources.map(s => s.location)));
  }

  exclude(cube: Cube, level: number): void {
    this.queries.exclude(cube, level);
  }

  initialCore(cube: Cube): Work<Cube | undefined> {
    return this.queries.initialCore(cube);
  }

  bad(level: number): Work<Reached<Deriving> | undefined> {
    return this.queries.bad(level);
  }

  relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<Deriving> | Unreachable<Cube>> {
    return this.queries.relative(cube, level, isExcluded);
  }

  derive(cube: Cube, level: number): Work<Reached<Deriving> | Unreachable<Cube>> {
    const location = this.solvers.location(cube);
    const fact = location && this.facts.within(location, this.solvers.target(cube), level);
    if (fact === undefined) return this.queries.relative(cube, level, false);
    return ready({ state: () => ready({ cube: [], fact }) });
  }

  *complete({ state, successor }: Obligation<Deriving>): Work<Completion<Deriving>> {
    if (successor === undefined || 'fact' in successor.state) throw new Error('nothing is derived by this');
    const wanted = successor.state;
    const fact = 'fact' in state ? state.fact : yield* this.made(state, wanted.cube);
    if (fact === undefined) return { kind: 'again' };
    if (this.isStale(wanted)) return { kind: 'over' };
    wanted.premises[wanted.premises.indexOf(undefined)] = fact;
    const next = wanted.cubes[wanted.premises.indexOf(undefined)];
    return next === undefined ? { kind: 'complete' } : { kind: 'open', state: { ...wanted, cube: next } };
  }

  /** What a use derives of a cube, now that its sources are derived; nothing if something has been learnt, now or since it was found. */
  private *made(use: OpenUse, cube: Cube): Work<Fact | undefined> {
    const { solvers, facts, confirm } = this;
    if (this.isStale(use)) return undefined;
    const fact = factOf(use, solvers.target(cube), use.premises);
    const location = solvers.location(cube);
    if (location === undefined || !this.isCalled.has(location)) return fact;
    const refinement = yield* confirm(fact);
    if (refinement.kind === 'lemmas') return undefined;
    facts.add(location, refinement.fact);
    return refinement.fact;
  }

  /** Was it found when less was known? */
  private isStale(use: OpenUse): boolean {
    return use.lemmas < this.queries.shared.lemmas;
  }
}
