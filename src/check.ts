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
import { Proved } from './core/engines/proved.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './core/env/options.ts';
import { Profile } from './core/env/profile.ts';
import { checkDerivation } from './core/evidence/check-derivation.ts';
import { checkProof } from './core/evidence/check-proof.ts';
import { checkRounds } from './core/evidence/check-rounds.ts';
import { replayed } from './core/evidence/replay.ts';
import { joinQueries } from './core/passes/join-queries.ts';
import { type Back, composed } from './core/passes/pass.ts';
import type { Encoding } from './core/passes/pipeline.ts';
import { Scheduler } from './core/portfolio/scheduler.ts';
import type { Progress, Share } from './core/portfolio/share.ts';
import { ON_VARIANTS, PORTFOLIO } from './core/portfolio/table.ts';
import { Variants } from './core/portfolio/variants.ts';
import { completed, type Derivation } from './core/problem/derivation.ts';
import { type Execution, executionBack } from './core/problem/execution.ts';
import { Listing } from './core/problem/listing.ts';
import { type Edge, type Problem, restrictedTo } from './core/problem/problem.ts';
import { type Proof, tidied } from './core/problem/proof.ts';
import { isShortened } from './core/problem/repetition.ts';
import { type PropertyName, type Question, queriesOf } from './formats/question.ts';
import type { Budget } from './sat/budget.ts';
import { Checkpoint } from './sat/checkpoint.ts';
import { isFinal, Unknown, type UnknownReason } from './sat/unknown.ts';
import type { Work } from './sat/work.ts';

export type Verdict =
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly derivation: Derivation }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly text: string };

/** There is a violation, but the run that shows it cannot be listed. */
interface Unlisted {
  readonly kind: 'unlisted';
  readonly text: string;
}

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

  /** A violation that only a run too long to list would show may have shorter ones, which are found round by round. */
  private *checkProblem(problem: Problem): Work<Verdict> {
    const options = { ...DEFAULT_ENGINE_OPTIONS, ...this.options.engine };
    const verdict = yield* this.search(problem, options);
    if (verdict.kind !== 'unlisted') return verdict;
    const other = yield* this.search(problem, { ...options, accelerate: false });
    if (other.kind === 'safe' || other.kind === 'unsafe') return other;
    return { kind: 'unknown', reason: 'size', text: verdict.text };
  }

  private *search(problem: Problem, engineOptions: EngineOptions): Work<Verdict | Unlisted> {
    const { profile, options } = this;
    const checkpoint = new Checkpoint(options.budget);
    yield 'turn';
    const encoding = options.encoding ?? 'sliced';
    const asked = joinQueries(problem);
    const env: Env = {
      options: engineOptions,
      budget: options.budget,
      profile,
      backEnd: options.heavy.backEnd,
      proved: new Proved(),
    };
    const { engines } = options;
    const rows = [...PORTFOLIO, ...ON_VARIANTS].filter(
      r => engines === undefined || engines.includes(r.kind.name),
    );
    const variants = profile.measure(
      'preparation',
      () =>
        new Variants(
          asked.problem,
          rows.flatMap(r => r.variant ?? []),
          encoding,
          env.options,
          checkpoint,
        ),
    );
    this.scheduler = new Scheduler(rows, variants.plain, env, variants);
    this.phase = 'search';
    const found = yield* this.scheduler.run();
    this.phase = 'checking';
    if (found.kind === 'unknown') return found;
    const { back } = composed(problem, [asked, variants.passTo(found.about)], checkpoint);
    if (found.kind === 'executed')
      return yield* profile.during('checking', this.executed(problem, back, found.execution, checkpoint));
    if (found.kind === 'safe')
      return yield* profile.during('checking', this.safe(problem, back, found.proof));
    return yield* profile.during('checking', this.unsafe(problem, back, found.derivation, checkpoint));
  }

  private *unsafe(
    problem: Problem,
    back: Back,
    found: Derivation,
    checkpoint: Checkpoint,
  ): Work<Verdict | Unlisted> {
    const { heavy, budget } = this.options;
    let derivation: Derivation;
    try {
      derivation = completed(problem.terms, back.derivation(found));
    } catch (error) {
      if (!(error instanceof Unknown) || error.reason !== 'size') throw error;
      return { kind: 'unlisted', text: error.message };
    }
    const { nameOf } = this.question.words;
    const complaint = checkDerivation(problem, queriesOf(this.property), derivation, nameOf, checkpoint);
    if (isShortened(derivation.steps)) {
      // What passes have left out need not go on as it began: then the run is one, but cannot be shown.
      const reason = complaint ?? (yield* checkRounds(problem, derivation, { heavy, budget }));
      const text = `there is a violation, but its run is too long to list (${reason})`;
      if (reason !== undefined) return { kind: 'unlisted', text };
    }
    if (complaint === undefined) return { kind: 'unsafe', derivation };
    return failure(`the run fails its check: ${complaint}`);
  }

  private *executed(problem: Problem, back: Back, found: Execution, checkpoint: Checkpoint): Work<Verdict> {
    const execution = yield* paused(executionBack(problem.terms, found, d => back.derivation(d)));
    // Which rounds are alike is told by what is chosen, and not by what follows from it.
    const listing = new Listing(problem.terms, found);
    const queries = queriesOf(this.property);
    const outcome = yield* paused(replayed(problem, queries, execution, listing, checkpoint));
    if (typeof outcome !== 'string') return { kind: 'unsafe', derivation: outcome };
    return failure(`the run fails its check: ${outcome}`);
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

/** Work that pauses without saying why. */
function* paused<T>(work: Generator<undefined, T>): Work<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    yield 'turn';
  }
}

function failure(text: string): Verdict {
  return { kind: 'unknown', reason: 'incomplete', text: `internal failure: ${text}` };
}
