/**
 * Searches that run beside the main one and take turns with it: bounded model checking and random walks look for
 * violations, IC3 on single bits for either. They know nothing of the abstraction, so they are good where it is not:
 * violations near the start or very deep, and properties that hang on arithmetic (dissertation 6.2 asks to concretise
 * what is refined again and again; bits are that idea taken to its end).
 *
 * Turns are given by how much work the main search has done, counted in propagations, never by the clock: two runs of
 * one input are the same run.
 */
import type { BackEndFactory } from '../bv/back-end.ts';
import { ConcreteSolver } from '../bv/solver.ts';
import type { Budget } from '../sat/budget.ts';
import type { TermId } from '../term/store.ts';
import { BitIc3, bitObstacle } from './bits/engine.ts';
import type { EngineOptions } from './env/options.ts';
import type { Profile } from './env/profile.ts';
import { BoundedSearch } from './refine/bounded.ts';
import { Walks } from './refine/walks.ts';
import type { FunctionalSystem } from './system/functional.ts';
import type { Trace } from './system/trace.ts';

export interface CompanionOptions extends EngineOptions {
  readonly backEnd: BackEndFactory;
  readonly budget: Budget;
  readonly profile: Profile;
}

export type Finding =
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'invariant'; readonly invariant: TermId };

/** Main work between two turns of bounded search: so much, or more if it has many clauses. */
const BOUNDED_EVERY = 40_000;
const BOUNDED_PER_CLAUSE = 25;
/** Walks start late, because their runs are long; main work between two turns, and how many nodes a turn evaluates. */
const WALK_START = 600_000;
const WALK_EVERY = 60_000;
const WALK_EFFORT = 300_000;
/** Bits start when the main search has done so much work, and then do about as much in each turn. */
const BITS_START = 250_000;
const BITS_EVERY = 200_000;
const BITS_EFFORT = 1.6; // propagations of bits per unit of main work: theirs are cheaper

/** Of what has no turn any more. */
const NEVER = Number.POSITIVE_INFINITY;

/** When the main search is stuck, bounded search may go so many steps further. */
const LAST_DEPTHS = 30;

export class Companions {
  private readonly system: FunctionalSystem;
  private readonly options: CompanionOptions;
  private bounded: BoundedSearch | undefined;
  private walks: Walks | undefined;
  private bits: BitIc3 | undefined;
  private boundedAt = BOUNDED_EVERY; // the main work at which each is next
  private walksAt = WALK_START;
  private bitsAt = BITS_START;

  constructor(system: FunctionalSystem, options: CompanionOptions) {
    this.system = system;
    this.options = options;
    if (!options.bounded) this.boundedAt = NEVER;
    if (!options.walks) this.walksAt = NEVER;
    if (!options.bits) this.bitsAt = NEVER;
  }

  /** Gives those their turn that are due when the main search has done so much work. */
  turn(work: number): Finding | undefined {
    if (work >= this.boundedAt) {
      const found = this.unroll();
      const size = this.bounded?.size ?? 0;
      this.boundedAt = work + Math.max(BOUNDED_EVERY, BOUNDED_PER_CLAUSE * size);
      if (found !== undefined) return found;
    }
    if (work >= this.walksAt) {
      this.walksAt = work + WALK_EVERY;
      const found = this.walk(WALK_EFFORT);
      if (found !== undefined) return found;
    }
    if (work >= this.bitsAt) {
      const effort = BITS_EFFORT * (work - this.bitsAt + BITS_EVERY);
      this.bitsAt = work + BITS_EVERY;
      return this.searchBits(effort);
    }
    return undefined;
  }

  /**
   * The main search is stuck: the others go on alone. Nothing if they cannot settle it either. `rest` is waited for now
   * and then, so that whoever wants to end this can be heard.
   */
  async alone(rest: () => Promise<void> | undefined): Promise<Finding | undefined> {
    let depths = 0;
    while (depths < LAST_DEPTHS || this.bitsAt !== NEVER) {
      await rest();
      if (this.isOver()) return undefined;
      depths++;
      const mayUnroll = this.options.bounded && depths <= LAST_DEPTHS;
      const found = (mayUnroll ? this.unroll() : undefined) ?? this.furtherAlone();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private furtherAlone(): Finding | undefined {
    const found = this.walksAt === NEVER ? undefined : this.walk(WALK_EFFORT);
    return found ?? (this.bitsAt === NEVER ? undefined : this.searchBits(BITS_START));
  }

  private isOver(): boolean {
    const { deadline, signal } = this.options.budget;
    return signal?.aborted === true || (deadline !== undefined && Date.now() >= deadline);
  }

  dispose(): void {
    this.bounded?.dispose();
  }

  private unroll(): Finding | undefined {
    const { backEnd, budget, profile } = this.options;
    return profile.measure('bounded search', () => {
      this.bounded ??= new BoundedSearch(this.system, backEnd, budget);
      return found(this.bounded.next());
    });
  }

  private walk(effort: number): Finding | undefined {
    return this.options.profile.measure('random walks', () => {
      this.walks ??= this.newWalks();
      if (this.walks === undefined) this.walksAt = NEVER;
      return found(this.walks?.next(effort));
    });
  }

  /** Walks begin in one initial state, whichever the solver finds. */
  private newWalks(): Walks | undefined {
    const { system, options } = this;
    if (!Walks.canWalk(system)) return undefined;
    const solver = new ConcreteSolver(system.terms, { backEnd: options.backEnd });
    for (const f of system.init) solver.assert(f);
    const answer = solver.solve([], options.budget);
    const model = answer === 'sat' ? solver.model() : undefined;
    const initial = model === undefined ? undefined : system.states.map(s => model.value(s.current));
    solver.dispose();
    return initial === undefined ? undefined : new Walks(system, initial, options.seed);
  }

  private searchBits(effort: number): Finding | undefined {
    const { budget, seed, profile } = this.options;
    if (this.bits === undefined && bitObstacle(this.system) !== undefined) {
      this.bitsAt = NEVER;
      return undefined;
    }
    const result = profile.measure('bits', () => {
      this.bits ??= new BitIc3(this.system, { budget, seed });
      return this.bits.run(effort);
    });
    if (result === undefined) return undefined;
    if (result.kind !== 'open') return result;
    this.bitsAt = NEVER;
    return undefined;
  }
}

function found(trace: Trace | undefined): Finding | undefined {
  return trace === undefined ? undefined : { kind: 'trace', trace };
}
