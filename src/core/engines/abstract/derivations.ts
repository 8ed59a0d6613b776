/**
 * What IC3 asks where edges have several sources, so that derivations are trees. First frames stand for all sources of an
 * edge, as in GPDR (Hoder and Bjørner, "Generalized Property Directed Reachability", SAT 2012). They are derived one after
 * the other, by a ground fact that is known where there is one; and when a location that is a source beside others is reached, bits are
 * asked whether the facts fit together. If so, they make a new fact, which stays. If they do not, the edge is looked at again source by source, as
 * Spacer does: earlier sources are their facts, and what is asked of the next one is what fits these (Komuravelli, Gurfinkel
 * and Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014). Only if there is nothing that fits, or that
 * does not fit either, a lemma excludes these very facts.
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
import { type AbstractQueries, type OpenUse, withPremises } from './queries.ts';
import type { Refinement } from './refine/refiner.ts';

/** What derives the cube of an obligation: a use of an edge, as soon as its sources are derived, or a fact. */
export type Deriving = OpenUse | { readonly cube: Cube; readonly fact: Fact };

/** Is a fact one by bits, and what is learnt if not? Of `isLast`, it is told what excludes it in any case. */
export type Confirm = (fact: Fact, isLast: boolean) => Work<Refinement>;

export class Derivations implements Queries<Cube, Deriving> {
  readonly facts: Facts;
  private readonly queries: AbstractQueries;
  private readonly solvers: FrameSolvers;
  private readonly confirm: Confirm;
  private readonly isCalled: ReadonlySet<Location>; // beside others
  private readonly refitted = new WeakSet<Deriving>();

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
    const made = 'fact' in state ? { kind: 'fact' as const, ...state } : yield* this.made(state, successor);
    if (made.kind !== 'fact') return made;
    if (this.isStale(wanted)) return { kind: 'over' };
    wanted.premises[wanted.premises.indexOf(undefined)] = made.fact;
    if (!wanted.premises.includes(undefined)) return { kind: 'complete' };
    return { kind: 'open', state: yield* this.next(wanted, successor.successor) };
  }

  /** What a use derives, now that its sources are derived, for the cube of an obligation; or what else is to be tried. */
  private *made(use: OpenUse, wanted: Obligation<Deriving>): Work<Made> {
    const { solvers, facts, confirm, refitted, queries } = this;
    const { cube } = wanted.state;
    if (this.isStale(use)) return { kind: 'again' };
    const fact = factOf(use, solvers.target(cube), use.premises);
    const location = solvers.location(cube);
    if (location === undefined || !this.isCalled.has(location)) return { kind: 'fact', fact };
    const isLast = use.premises.length < 2 || refitted.has(use);
    const refinement = yield* confirm(fact, isLast);
    if (refinement.kind === 'lemmas') return { kind: 'again' };
    if (refinement.kind === 'fact') {
      facts.add(location, refinement.fact);
      return { kind: 'fact', fact: refinement.fact };
    }
    const [first, ...others] = use.premises;
    const kept = [first, ...others.map(() => undefined)];
    const fitting = yield* queries.beside(use.edge, kept, cube, wanted.level);
    if (fitting === undefined) {
      yield* confirm(fact, true);
      return { kind: 'again' };
    }
    refitted.add(fitting);
    return { kind: 'instead', state: fitting };
  }

  /** A use, the next of whose sources is to be derived; `wanted`: for whose cube. */
  private *next(use: OpenUse, wanted: Obligation<Deriving> | undefined): Work<OpenUse> {
    const { refitted, queries } = this;
    if (refitted.has(use) && wanted !== undefined) {
      const fitting = yield* queries.beside(use.edge, use.premises, wanted.state.cube, wanted.level);
      if (fitting !== undefined) {
        refitted.add(fitting);
        return fitting;
      }
    }
    const same = withPremises(use, use.premises);
    if (refitted.has(use)) refitted.add(same);
    return same;
  }

  /** Was it found when less was known? */
  private isStale(use: OpenUse): boolean {
    return use.lemmas < this.queries.shared.lemmas;
  }
}

type Made =
  | { readonly kind: 'fact'; readonly fact: Fact }
  | Extract<Completion<Deriving>, { kind: 'again' | 'instead' }>;
