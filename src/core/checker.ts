/**
 * The loop of Figure 3.4: search for an invariant in the abstraction; if an abstract counterexample turns up instead, find
 * out whether it is real, and if it is not, make the abstraction finer and go on. Evidence is checked before it is called
 * a verdict: a run by the evaluator, an invariant by code that knows nothing of this engine.
 */
import type { HeavyBackEnd } from '../bv/tiered.ts';
import type { Budget } from '../sat/budget.ts';
import type { TermId } from '../term/store.ts';
import { checkProof, isWaiting, type Proof } from './check/invariant.ts';
import { replay } from './check/replay.ts';
import { Companions, type Finding } from './companions/companions.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './env/options.ts';
import { OutOfBudget } from './env/out-of-budget.ts';
import { Profile } from './env/profile.ts';
import { Ic3, type Progress } from './ic3/engine.ts';
import { type Lemma, Refiner } from './refine/refiner.ts';
import { functionalSystem } from './system/functional.ts';
import type { Property, System } from './system/system.ts';
import type { Trace } from './system/trace.ts';

export interface CheckerOptions extends Partial<EngineOptions> {
  readonly budget: Budget;
  readonly heavy: HeavyBackEnd;
  /** Hears of progress; what it returns is waited for. */
  readonly onProgress: (progress: CheckerProgress) => Promise<void> | undefined;
  /** Takes down where the time goes. */
  readonly profile?: Profile;
}

export interface CheckerProgress extends Progress {
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
  readonly stateRefinements: number;
  readonly stepRefinements: number;
  readonly pathRefinements: number;
  readonly lemmas: number;
  readonly constraintLemmas: number;
  readonly expansionLemmas: number;
  readonly arrayLemmas: number;
  readonly dataLemmas: number;
  readonly mixedLemmas: number;
  readonly lawLemmas: number;
  readonly concreteOperations: number;
  readonly arrayAxioms: number;
  readonly badQueries: number;
  readonly relativeQueries: number;
  readonly initialQueries: number;
}

/** A lemma and what it took to find it. */
export interface LearntLemma extends Lemma {
  readonly milliseconds: number;
}

/** A companion of the main search has settled the question. */
class Settled extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super('settled');
    this.finding = finding;
  }
}

/** Checks one property of a system. */
export class Checker {
  private readonly system: System;
  private readonly property: Property;
  private readonly options: CheckerOptions;
  private readonly profile: Profile;
  private readonly ic3: Ic3;
  private readonly refiner: Refiner;
  private readonly companions: Companions;
  private readonly given: readonly TermId[]; // lemmas that the system's normal form rests on
  private readonly implied: readonly TermId[]; // what it takes for constraints
  private readonly learnt: LearntLemma[] = [];
  private refinements = 0;

  constructor(system: System, property: Property, options: CheckerOptions) {
    this.system = system;
    this.property = property;
    this.options = options;
    const profile = options.profile ?? new Profile();
    this.profile = profile;
    const common = { ...DEFAULT_ENGINE_OPTIONS, ...options, profile };
    const functional = profile.measure('normal form', () => functionalSystem(system, property));
    this.given = functional.lemmas;
    this.implied = functional.implied;
    const { backEnd } = options.heavy;
    this.companions = new Companions(functional, { ...common, backEnd });
    this.refiner = new Refiner(functional, { ...common, backEnd });
    this.ic3 = new Ic3(functional, {
      ...common,
      onPause: () => this.takeTurns(),
      onProgress: p => {
        this.takeTurns();
        return this.report(p);
      },
    });
  }

  async run(): Promise<Verdict> {
    try {
      for (;;) {
        const result = await this.profile.measureAsync('search', () => this.ic3.check());
        if (result.kind === 'invariant') {
          const lemmas = [...this.given, ...this.learnt.map(l => l.formula), ...this.ic3.queries.axioms];
          return await this.safe({ invariant: result.invariant, lemmas });
        }
        this.refinements++;
        const start = performance.now();
        const refinement = await this.afterLoading(
          'refinement',
          () => this.refiner.refine(result.steps),
          r => r.kind === 'stuck' && r.reason === 'load',
        );
        if (refinement.kind === 'trace') return this.unsafe(refinement.trace);
        if (refinement.kind === 'stuck') return await this.lastResort(refinement.reason);
        const milliseconds = (performance.now() - start) / refinement.lemmas.length;
        for (const lemma of refinement.lemmas) {
          this.learnt.push({ ...lemma, milliseconds });
          this.ic3.addLemma(lemma.formula);
        }
      }
    } catch (error) {
      if (error instanceof Settled) return await this.settled(error.finding);
      if (!(error instanceof OutOfBudget)) throw error;
      return { kind: 'unknown', reason: error.reason };
    }
  }

  /** The abstraction cannot be made finer: the others may still settle it. */
  private async lastResort(reason: string): Promise<Verdict> {
    if (reason === 'deadline' || reason === 'aborted') return { kind: 'unknown', reason };
    const finding = await this.companions.alone(() => this.report(this.ic3.progress));
    return finding === undefined ? { kind: 'unknown', reason } : this.settled(finding);
  }

  private settled(finding: Finding): Promise<Verdict> | Verdict {
    if (finding.kind === 'trace') return this.unsafe(finding.trace);
    return this.safe({ invariant: finding.invariant, lemmas: [] });
  }

  private report(progress: Progress): Promise<void> | undefined {
    return this.options.onProgress({ ...progress, lemmas: this.learnt.length });
  }

  /** Lets the companions have their turns. Throws what they find. */
  private takeTurns(): void {
    const finding = this.companions.turn(this.ic3.queries.work + this.refiner.work);
    if (finding !== undefined) throw new Settled(finding);
  }

  get stats(): CheckerStats {
    const { frames, queries } = this.ic3;
    const { state, step, path } = this.refiner.counts;
    const count = (test: (l: Lemma) => boolean) => this.learnt.filter(test).length;
    return {
      depth: frames.depth,
      cubes: frames.added,
      refinements: this.refinements,
      stateRefinements: state,
      stepRefinements: step,
      pathRefinements: path,
      lemmas: this.learnt.length,
      constraintLemmas: count(l => l.kind === 'constraint'),
      expansionLemmas: count(l => l.kind === 'expansion'),
      arrayLemmas: count(l => l.content === 'array'),
      dataLemmas: count(l => l.content === 'data'),
      mixedLemmas: count(l => l.content === 'mixed'),
      lawLemmas: count(l => l.origin === 'law'),
      concreteOperations: this.refiner.concreteOperations,
      arrayAxioms: queries.axioms.size,
      badQueries: queries.counts.bad,
      relativeQueries: queries.counts.relative,
      initialQueries: queries.counts.initial,
    };
  }

  /** Refinement and checking may find that they need the heavy back end, which takes time to load. */
  private afterLoading<T>(phase: string, ask: () => T, isWaiting: (answer: T) => boolean): Promise<T> {
    const { profile, options } = this;
    const load = () => profile.measureAsync('loading', () => options.heavy.load());
    return options.heavy.afterLoading(() => profile.measure(phase, ask), isWaiting, load);
  }

  /** The lemmas in the order in which they were learnt. */
  get lemmas(): readonly LearntLemma[] {
    return this.learnt;
  }

  private unsafe(trace: Trace): Verdict {
    const complaint = this.profile.measure('checking', () => replay(this.system, this.property, trace));
    if (complaint === undefined) return { kind: 'unsafe', trace };
    return { kind: 'unknown', reason: `internal failure: the run does not replay: ${complaint}` };
  }

  private async safe({ invariant, lemmas }: Proof): Promise<Verdict> {
    const { heavy, budget } = this.options;
    const proof = { invariant: this.system.terms.and([invariant, ...this.implied]), lemmas };
    const check = () => checkProof(this.system, this.property, proof, { backEnd: heavy.backEnd, budget });
    const outcome = await this.afterLoading('checking', check, isWaiting);
    if (outcome.kind === 'valid') return { kind: 'safe', proof };
    if (outcome.kind === 'open')
      return { kind: 'unknown', reason: `checking the invariant: ${outcome.reason}` };
    return { kind: 'unknown', reason: `internal failure: the invariant fails its check: ${outcome.reason}` };
  }
}
