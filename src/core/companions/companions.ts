/**
 * Searches that run beside the main one and take turns with it: bounded model checking and random walks look for
 * violations, IC3 on single bits for either. They know nothing of the abstraction, so they are good where it is not:
 * violations near the start or very deep, and properties that hang on arithmetic (dissertation 6.2 asks to concretise
 * what is refined again and again; bits are that idea taken to its end).
 *
 * Turns are given by how much work the main search has done, counted in propagations, never by the clock: two runs of
 * one input are the same run.
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import type { TermId } from '../../term/store.ts';
import { BitIc3, bitObstacle } from '../bits/engine.ts';
import type { EngineOptions } from '../env/options.ts';
import type { Profile } from '../env/profile.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Trace } from '../system/trace.ts';
import { Allowance } from './allowance.ts';
import { BoundedSearch } from './bounded.ts';
import { Walks } from './walks.ts';

export interface CompanionOptions extends EngineOptions {
  readonly backEnd: BackEndFactory;
  readonly budget: Budget;
  readonly profile: Profile;
}

export type Finding =
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'invariant'; readonly invariant: TermId };

/**
 * What companions spend for each unit of main work: bounded search and bits in propagations, which cost less than those of
 * the main search, walks in nodes that they evaluate, which cost less still. The abstraction is at its best where there
 * is control and data are words; a state of few bits, of which more is said than of words, is rather for the others.
 */
const RATES = { bounded: 0.4, bits: 1, walks: 3 };
const RATES_IF_FEW_BITS = { bounded: 3, bits: 12, walks: 5 };
const FEW_BITS = 600;
const FEW_BITS_A_VARIABLE = 8;

/** The main work after which each has its first pay, and what a turn is worth. Runs of walks are long, so they start late. */
const BOUNDED = { start: 0, portion: 40_000 };
const WALKS = { start: 200_000, portion: 300_000 };
const BITS = { start: 100_000, portion: 320_000 };

/** When the main search is stuck, the others have turns with this effort, so many of them unless bits have more to do. */
const EFFORT_ALONE = 400_000;
const TURNS_ALONE = 60;

export class Companions {
  private readonly system: FunctionalSystem;
  private readonly options: CompanionOptions;
  private bounded: BoundedSearch | undefined;
  private walks: Walks | undefined;
  private bits: BitIc3 | undefined;
  private readonly forBounded: Allowance;
  private readonly forWalks: Allowance;
  private readonly forBits: Allowance;

  constructor(system: FunctionalSystem, options: CompanionOptions) {
    this.system = system;
    this.options = options;
    const hasObstacle = bitObstacle(system) !== undefined;
    const rates = hasObstacle ? RATES : ratesFor(system);
    this.forBounded = new Allowance({ ...BOUNDED, rate: rates.bounded });
    this.forWalks = new Allowance({ ...WALKS, rate: rates.walks });
    this.forBits = new Allowance({ ...BITS, rate: rates.bits });
    if (!options.bounded) this.forBounded.end();
    if (!options.walks || !Walks.canWalk(system)) this.forWalks.end();
    if (!options.bits || hasObstacle) this.forBits.end();
  }

  /** Gives those their turn that are due when the main search has done so much work. */
  turn(work: number): Finding | undefined {
    return (
      this.turnOf(this.forBounded, work, effort => this.unroll(effort)) ??
      this.turnOf(this.forWalks, work, effort => this.walk(effort)) ??
      this.turnOf(this.forBits, work, effort => this.searchBits(effort))
    );
  }

  private turnOf(
    allowance: Allowance,
    work: number,
    take: (effort: number) => Finding | undefined,
  ): Finding | undefined {
    const effort = allowance.due(work);
    return effort === undefined ? undefined : take(effort);
  }

  /**
   * The main search is stuck: the others go on alone. Nothing if they cannot settle it either. `rest` is waited for now
   * and then, so that whoever wants to end this can be heard.
   */
  async alone(rest: () => Promise<void> | undefined): Promise<Finding | undefined> {
    for (let turns = 0; turns < TURNS_ALONE || !this.forBits.hasEnded; turns++) {
      await rest();
      if (this.isOver()) return undefined;
      const found =
        (this.forBounded.hasEnded ? undefined : this.unroll(EFFORT_ALONE)) ??
        (this.forWalks.hasEnded ? undefined : this.walk(EFFORT_ALONE)) ??
        (this.forBits.hasEnded ? undefined : this.searchBits(EFFORT_ALONE));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private isOver(): boolean {
    const { deadline, signal } = this.options.budget;
    return signal?.aborted === true || (deadline !== undefined && Date.now() >= deadline);
  }

  private unroll(effort: number): Finding | undefined {
    const { budget, profile } = this.options;
    return profile.measure('bounded search', () => {
      this.bounded ??= new BoundedSearch(this.system, budget);
      const start = this.bounded.work;
      const trace = this.bounded.run(effort);
      this.forBounded.spend(this.bounded.work - start);
      return found(trace);
    });
  }

  private walk(effort: number): Finding | undefined {
    return this.options.profile.measure('random walks', () => {
      this.walks ??= this.newWalks();
      this.forWalks.spend(effort);
      if (this.walks === undefined) this.forWalks.end();
      return found(this.walks?.next(effort));
    });
  }

  /** Walks begin in one initial state, whichever the solver finds. */
  private newWalks(): Walks | undefined {
    const { system, options } = this;
    const solver = new ConcreteSolver(system.terms, { backEnd: options.backEnd });
    for (const f of system.init) solver.assert(f);
    const answer = solver.solve([], options.budget);
    const model = answer === 'sat' ? solver.model() : undefined;
    const initial = model === undefined ? undefined : system.states.map(s => model.value(s.current));
    solver.dispose();
    return initial === undefined ? undefined : new Walks(system, initial, options);
  }

  private searchBits(effort: number): Finding | undefined {
    const { system, options } = this;
    this.bits ??= new BitIc3(system, options);
    const { bits } = this;
    const result = options.profile.measure('bits', () => bits.run(effort));
    this.forBits.spend(effort);
    if (result?.kind !== 'open') return result;
    this.forBits.end();
    return undefined;
  }
}

function found(trace: Trace | undefined): Finding | undefined {
  return trace === undefined ? undefined : { kind: 'trace', trace };
}

function ratesFor(system: FunctionalSystem): typeof RATES {
  const { terms, states, control, definitions, relations, constraints, property } = system;
  const bits = states.reduce((sum, s) => sum + Math.max(1, terms.width(s.current)), 0);
  const isFew = bits <= Math.min(FEW_BITS, FEW_BITS_A_VARIABLE * states.length);
  if (control !== undefined || !isFew) return RATES;
  const all = terms.postorder([...definitions.values(), ...relations, ...constraints, property]);
  const words = all.filter(t => terms.width(t) > 1);
  return 2 * words.length > all.length ? RATES : RATES_IF_FEW_BITS;
}
