/**
 * The loop of Figure 3.4: search for an invariant in the abstraction; if an abstract counterexample turns up instead, find
 * out whether it is real, and if it is not, make the abstraction finer and go on. Evidence is checked before it is called
 * a verdict: a run by the evaluator, an invariant by code that knows nothing of this engine.
 */
import type { HeavyBackEnd } from '../bv/tiered.ts';
import type { Budget } from '../sat/budget.ts';
import type { TermId } from '../term/store.ts';
import { checkProof, type Proof } from './check/invariant.ts';
import { replay } from './check/replay.ts';
import { Ic3 } from './ic3/engine.ts';
import { OutOfBudget } from './ic3/queries.ts';
import { BoundedSearch } from './refine/bounded.ts';
import { type Refinement, Refiner } from './refine/refiner.ts';
import { functionalSystem } from './system/functional.ts';
import type { Property, System } from './system/system.ts';
import type { Trace } from './system/trace.ts';

export interface CheckerOptions {
  /** Evaluate operators on constants in the abstraction. */
  readonly evaluateConstants: boolean;
  /** Drop literals from blocked cubes beyond what cores drop. */
  readonly generalize: boolean;
  readonly budget: Budget;
  readonly heavy: HeavyBackEnd;
  /** Hears of progress; what it returns is waited for. */
  readonly onProgress: (progress: CheckerProgress) => Promise<void> | undefined;
}

export interface CheckerProgress {
  readonly depth: number;
  readonly cubes: number;
  readonly queries: number;
  readonly lemmas: number;
}

export type Verdict =
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly trace: Trace }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface CheckerStats {
  readonly depth: number;
  readonly cubes: number;
  readonly refinements: number;
  readonly lemmas: number;
  readonly stateRefinements: number;
  readonly stepRefinements: number;
  readonly pathRefinements: number;
  readonly badQueries: number;
  readonly relativeQueries: number;
  readonly initialQueries: number;
}

/**
 * Bounded search has a turn, of one depth, whenever so many abstract queries have been answered, or more if it has so many
 * clauses: often enough to find shallow violations, seldom enough not to be in the way. These are numbers and not
 * times, so that runs can be repeated.
 */
const QUERIES_BETWEEN_TURNS = 100;
const CLAUSES_PER_QUERY = 150;

/** Depths that bounded search looks at when refinement is stuck. */
const LAST_TURNS = 30;

/** Bounded search has found a run that violates the property. */
class Violation extends Error {
  readonly trace: Trace;

  constructor(trace: Trace) {
    super('violation');
    this.trace = trace;
  }
}

/** Checks one property of a system. */
export class Checker {
  private readonly system: System;
  private readonly property: Property;
  private readonly options: CheckerOptions;
  private readonly ic3: Ic3;
  private readonly refiner: Refiner;
  private readonly bounded: BoundedSearch;
  private boundedTurn = QUERIES_BETWEEN_TURNS; // the number of queries at which it is next
  private readonly lemmas: TermId[] = [];
  private refinements = 0;

  constructor(system: System, property: Property, options: CheckerOptions) {
    this.system = system;
    this.property = property;
    this.options = options;
    const functional = functionalSystem(system, property);
    this.bounded = new BoundedSearch(functional, options.heavy.backEnd, options.budget);
    this.ic3 = new Ic3(functional, {
      ...options,
      onProgress: p => {
        this.searchBounded(p.queries);
        return options.onProgress({ ...p, lemmas: this.lemmas.length });
      },
    });
    this.lemmas.push(...functional.lemmas);
    this.refiner = new Refiner(functional, options.heavy.backEnd, options.budget);
  }

  async run(): Promise<Verdict> {
    try {
      for (;;) {
        const result = await this.ic3.check();
        if (result.kind === 'invariant') {
          return await this.safe({ invariant: result.invariant, lemmas: this.lemmas });
        }
        this.refinements++;
        const refinement = await this.refined(() => this.refiner.refine(result.steps));
        if (refinement.kind === 'trace') return this.unsafe(refinement.trace);
        if (refinement.kind === 'stuck') return this.lastResort(refinement.reason);
        for (const lemma of refinement.lemmas) {
          this.lemmas.push(lemma);
          this.ic3.addLemma(lemma);
        }
      }
    } catch (error) {
      if (error instanceof Violation) return this.unsafe(error.trace);
      if (!(error instanceof OutOfBudget)) throw error;
      return { kind: 'unknown', reason: error.reason };
    } finally {
      this.bounded.dispose();
    }
  }

  /** The abstraction cannot be made finer: bounded search goes on for a while, and may still find a violation. */
  private lastResort(reason: string): Verdict {
    if (reason === 'deadline' || reason === 'aborted') return { kind: 'unknown', reason };
    for (let i = 0; i < LAST_TURNS; i++) {
      const trace = this.bounded.next();
      if (trace !== undefined) return this.unsafe(trace);
    }
    return { kind: 'unknown', reason };
  }

  /** Gives bounded search its turn, now and then. Throws what it finds. */
  private searchBounded(queries: number): void {
    if (queries < this.boundedTurn) return;
    const trace = this.bounded.next();
    this.boundedTurn = queries + Math.max(QUERIES_BETWEEN_TURNS, this.bounded.size / CLAUSES_PER_QUERY);
    if (trace !== undefined) throw new Violation(trace);
  }

  get stats(): CheckerStats {
    const { frames, queries } = this.ic3;
    const { state, step, path } = this.refiner.counts;
    return {
      depth: frames.depth,
      cubes: frames.added,
      refinements: this.refinements,
      lemmas: this.lemmas.length,
      stateRefinements: state,
      stepRefinements: step,
      pathRefinements: path,
      badQueries: queries.counts.bad,
      relativeQueries: queries.counts.relative,
      initialQueries: queries.counts.initial,
    };
  }

  /** Refinement may find that it needs the heavy back end, which takes time to load. */
  private async refined(refine: () => Refinement): Promise<Refinement> {
    const refinement = refine();
    if (refinement.kind !== 'stuck' || refinement.reason !== 'load') return refinement;
    await this.options.heavy.load();
    return refine();
  }

  private unsafe(trace: Trace): Verdict {
    const complaint = replay(this.system, this.property, trace);
    if (complaint === undefined) return { kind: 'unsafe', trace };
    return { kind: 'unknown', reason: `internal failure: the run does not replay: ${complaint}` };
  }

  private async safe(proof: Proof): Promise<Verdict> {
    const { heavy, budget } = this.options;
    const check = () => checkProof(this.system, this.property, proof, { backEnd: heavy.backEnd, budget });
    let outcome = check();
    if (outcome.kind === 'open' && outcome.interrupt === 'load') {
      await heavy.load();
      outcome = check();
    }
    if (outcome.kind === 'valid') return { kind: 'safe', proof };
    if (outcome.kind === 'open')
      return { kind: 'unknown', reason: `checking the invariant: ${outcome.reason}` };
    return { kind: 'unknown', reason: `internal failure: the invariant fails its check: ${outcome.reason}` };
  }
}
