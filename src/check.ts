/**
 * Checks one property of a question: the one way from a problem to a verdict, for the command line and the library alike.
 *
 *   problem ─passes─▶ problem' ─▶ engines in turn ─▶ finding ─back─▶ evidence about the problem ─▶ its check ─▶ verdict
 *
 * Evidence is checked on what the user wrote before it is called a verdict; if that fails, the verdict is unknown and there
 * is a bug.
 */
import type { HeavyBackEnd } from './bv/tiered.ts';
import type { Env, LearntLemma } from './core/engines/engine.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './core/env/options.ts';
import { Profile } from './core/env/profile.ts';
import { checkDerivation } from './core/evidence/check-derivation.ts';
import { checkProof } from './core/evidence/check-proof.ts';
import { joinQueries } from './core/passes/join-queries.ts';
import { type Back, composed } from './core/passes/pass.ts';
import { type Encoding, preprocess } from './core/passes/pipeline.ts';
import { Scheduler } from './core/portfolio/scheduler.ts';
import type { Progress, Share } from './core/portfolio/share.ts';
import { PORTFOLIO } from './core/portfolio/table.ts';
import { viewsOf } from './core/portfolio/views.ts';
import { completed, type Derivation } from './core/problem/derivation.ts';
import { type Edge, type Problem, restrictedTo } from './core/problem/problem.ts';
import { type Proof, tidied } from './core/problem/proof.ts';
import { type PropertyName, type Question, queriesOf } from './formats/question.ts';
import type { Budget } from './sat/budget.ts';
import { Checkpoint } from './sat/checkpoint.ts';
import { isFinal, Unknown, type UnknownReason } from './sat/unknown.ts';
import type { Work } from './sat/work.ts';

export type Verdict =
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly derivation: Derivation }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly text: string };

export interface CheckOptions {
  readonly budget: Budget;
  readonly heavy: HeavyBackEnd;
  readonly engine?: Partial<EngineOptions>;
  /** The names of the engines that may run; all of them otherwise. */
  readonly engines?: readonly string[] | undefined;
  readonly encoding?: Encoding | undefined;
  /** Takes down where the time goes. */
  readonly profile?: Profile;
}

export const ENGINE_NAMES: readonly string[] = PORTFOLIO.map(row => row.kind.name);

export class PropertyCheck {
  readonly profile: Profile;
  private readonly question: Question;
  private readonly property: PropertyName;
  private readonly options: CheckOptions;
  private scheduler: Scheduler | undefined;
  private phase = 'preparation';

  constructor(question: Question, property: PropertyName, options: CheckOptions) {
    this.question = question;
    this.property = property;
    this.options = options;
    this.profile = options.profile ?? new Profile();
  }

  *run(): Work<Verdict> {
    try {
      return yield* this.check();
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return { kind: 'unknown', reason: error.reason, text: error.message };
    }
  }

  get progress(): Progress {
    const current = this.scheduler?.current;
    if (this.phase !== 'search' || current === undefined) return { phase: this.phase, stats: {} };
    return { phase: current.name, stats: current.stats };
  }

  /** What each engine has done. */
  get shares(): readonly Share[] {
    return this.scheduler?.shares ?? [];
  }

  /** The engine that found what was found. */
  get foundBy(): string | undefined {
    return this.scheduler?.current?.name;
  }

  /** The lemmas of refinement in the order in which they were learnt. */
  get lemmas(): readonly LearntLemma[] {
    return (this.scheduler?.engines ?? []).flatMap(e => e.lemmas ?? []);
  }

  private *check(): Work<Verdict> {
    const problem = restrictedTo(this.question.problem, queriesOf(this.property));
    const verdict = yield* this.checkProblem(problem);
    const { traps } = this.question;
    if (verdict.kind !== 'unsafe' || traps === undefined) return verdict;
    const trap = traps.get(verdict.derivation.steps.at(-1)?.edge as Edge);
    if (trap === undefined) return verdict;
    // There may be a violation that no trap is on the way to.
    const edges = problem.edges.filter(e => !traps.has(e));
    const other = yield* this.checkProblem({ ...problem, edges });
    if (other.kind === 'unsafe' || (other.kind === 'unknown' && isFinal(other.reason))) return other;
    return { kind: 'unknown', reason: 'unsupported', text: trap };
  }

  private *checkProblem(problem: Problem): Work<Verdict> {
    const { profile, options } = this;
    const checkpoint = new Checkpoint(options.budget);
    yield 'turn';
    const encoding = options.encoding ?? 'sliced';
    const asked = joinQueries(problem);
    const { all, early } = profile.measure('preparation', () =>
      preprocess(asked.problem, encoding, checkpoint),
    );
    const env: Env = {
      options: { ...DEFAULT_ENGINE_OPTIONS, ...options.engine },
      budget: options.budget,
      profile,
      backEnd: options.heavy.backEnd,
    };
    const { engines } = options;
    const rows = PORTFOLIO.filter(r => engines === undefined || engines.includes(r.kind.name));
    this.scheduler = new Scheduler(rows, viewsOf(all.problem, early, checkpoint), env);
    this.phase = 'search';
    const found = yield* this.scheduler.run();
    this.phase = 'checking';
    if (found.kind === 'unknown') return found;
    const { back } = composed(problem, [asked, found.about === early?.problem ? early : all], checkpoint);
    return found.kind === 'safe'
      ? yield* profile.during('checking', this.safe(problem, back, found.proof))
      : profile.measure('checking', () => this.unsafe(problem, back, found.derivation, checkpoint));
  }

  private unsafe(problem: Problem, back: Back, found: Derivation, checkpoint: Checkpoint): Verdict {
    const derivation = completed(problem.terms, back.derivation(found));
    const { nameOf } = this.question.words;
    const complaint = checkDerivation(problem, queriesOf(this.property), derivation, nameOf, checkpoint);
    if (complaint === undefined) return { kind: 'unsafe', derivation };
    return failure(`the run fails its check: ${complaint}`);
  }

  private *safe(problem: Problem, back: Back, found: Proof): Work<Verdict> {
    const { heavy, budget } = this.options;
    const proof = tidied(problem.terms, back.proof(found));
    const { nameOf } = this.question.words;
    const outcome = yield* checkProof(problem, proof, { heavy, budget, nameOf });
    switch (outcome.kind) {
      case 'valid':
        return { kind: 'safe', proof };
      case 'unknown':
        return { ...outcome, text: `checking the proof: ${outcome.text}` };
      case 'invalid':
        return failure(`the proof fails its check: ${outcome.text}`);
    }
  }
}

function failure(text: string): Verdict {
  return { kind: 'unknown', reason: 'incomplete', text: `internal failure: ${text}` };
}
