/**
 * Bounded model checking: is the property violated within k steps, for larger and larger k? It is bit-precise and knows
 * nothing of the abstraction, so it finds violations that the abstraction would reach only through many lemmas.
 *
 * Only violations count here, and to find one is often easier than to show that there is none nearer. So depths are not
 * settled one after the other. A question is whether there is a violation at any depth from the first open one to some
 * horizon, and it may use a limited effort. If it is left open, the horizon moves on, by ever larger steps, for a few
 * questions; then it starts again at the first open depth, with twice the effort.
 *
 * A bound counts the user's steps, so where there is one, the problem is searched in which these are steps.
 */
import { isPause, Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { plural } from '../../../term/plural.ts';
import type { Trace } from '../../problem/trace.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { InitialRuns } from '../unrolled/initial-runs.ts';

export const BOUNDED: EngineKind = {
  name: 'bounded',
  help: 'bounded model checking, for violations that are near',
  proves: false,
  refutes: true,
  obstacle: (views, env) => void searchedFor(views, env).flat,
  start: (views, env) => new BoundedSearch(searchedFor(views, env), env),
};

function searchedFor(views: Views, { options }: Pick<Env, 'options'>): Views {
  return options.bound === 0 ? views : (views.early?.views ?? views);
}

/** The last depth that a bound allows: where locations were merged, runs begin with a step from nowhere. */
function lastDepth({ problem, flat }: Views, bound: number): number {
  if (bound === 0) return Number.POSITIVE_INFINITY;
  return problem.locations.includes(flat.location) ? bound : bound + 1;
}

/** What a question may cost at first, in propagations: numbers and not times, so that runs can be repeated. */
const FIRST_EFFORT = 1_000_000;
/** Questions of a round that may be left open, and by how much the horizon grows from one to the next. */
const QUESTIONS_OF_A_ROUND = 4;
const GROWTH = 1.4;
/** For finding a shorter run than the first. */
const EFFORT_TO_SHORTEN = 2_000_000;
/** Below this the horizon grows by one: the runs that are found are as short as they can be. */
const NEAR = 8;
/** At most so many steps are unrolled at once, and no more of them than have so many terms together, but one at least. */
const STEPS_AT_ONCE = 20;
const TERMS_AT_ONCE = 100_000;
/** With more clauses or terms than this, nothing is unrolled any further. */
const MAX_CLAUSES = 2_000_000;
const MAX_TERMS = 5_000_000;

export class BoundedSearch implements Engine {
  private readonly views: Views;
  private readonly env: Pick<Env, 'budget' | 'options'>;
  private readonly runs: InitialRuns;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly last: number; // depth of all
  private horizon = 0; // the last depth that is asked about
  private leftOpen = 0; // questions of this round
  private perQuestion = FIRST_EFFORT; // effort of a question of this round
  private rest = FIRST_EFFORT; // of it, for the present question

  constructor(views: Views, env: Pick<Env, 'budget' | 'options'>) {
    this.views = views;
    this.env = env;
    this.runs = new InitialRuns(views.flat.system);
    this.effort = new Effort(env.budget);
    this.portions = new Portions(this.effort, this.search());
    this.last = lastDepth(views, env.options.bound);
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { runs, horizon } = this;
    return {
      depth: runs.open,
      horizon,
      clauses: runs.solver.clauseCount,
      propagations: runs.propagations,
    };
  }

  private *search(): Work<Outcome> {
    const { flat, fromFlat } = this.views;
    for (;;) {
      while (this.runs.depth <= this.horizon) {
        yield* this.pause();
        this.runs.unroll();
      }
      const trace = yield* this.ask();
      if (trace !== undefined) return fromFlat({ kind: 'unsafe', derivation: flat.derivation(trace) });
    }
  }

  /** Counts what was done since the last time, and pauses if it is time to. */
  private *pause(): Work<void> {
    this.effort.spend(this.runs.work - this.effort.spent);
    if (this.effort.left <= 0) yield 'turn';
  }

  /** Asks the present question, or goes on with it. */
  private *ask(): Work<Trace | undefined> {
    const { runs, env } = this;
    yield* this.pause();
    const { solver } = runs;
    const question = runs.violationUpTo(this.horizon);
    const start = runs.propagations;
    // The search starts anew after a pause, so it must get somewhere before the next one.
    const propagations = Math.min(this.rest, Math.max(this.effort.left, solver.clauseCount));
    const answer = runs.ask(question, { ...env.budget, propagations });
    this.rest -= runs.propagations - start;
    if (answer === 'sat') return this.shortest();
    if (answer === 'unsat') {
      runs.settle(question, this.horizon);
      this.turnTo(this.further(), 0);
    } else if (!isPause(solver.unknownReason)) throw new Unknown(solver.unknownReason ?? 'incomplete');
    else if (this.rest <= 0) this.leave();
    return undefined;
  }

  /** The present question is left open. */
  private leave(): void {
    if (this.leftOpen + 1 < QUESTIONS_OF_A_ROUND) {
      this.turnTo(this.further(), this.leftOpen + 1);
    } else {
      this.perQuestion *= 2;
      this.turnTo(this.runs.open, 0);
    }
  }

  /** The horizon after the present one. */
  private further(): number {
    const { horizon } = this;
    if (horizon < NEAR) return horizon + 1;
    const steps = Math.min(STEPS_AT_ONCE, Math.floor(TERMS_AT_ONCE / this.runs.unrolling.size));
    return Math.min(Math.floor(horizon * GROWTH), horizon + Math.max(1, steps));
  }

  private turnTo(horizon: number, leftOpen: number): void {
    const { runs, last, env } = this;
    const isFull = runs.solver.clauseCount > MAX_CLAUSES || runs.unrolledTerms > MAX_TERMS;
    this.horizon = Math.min(horizon, isFull ? runs.depth - 1 : last);
    if (runs.open > last) {
      const steps = plural(env.options.bound, 'step');
      throw new Unknown(
        'incomplete',
        `there is no violation within ${steps}, and further on nothing is known`,
      );
    }
    if (this.horizon < runs.open)
      throw new Unknown('size', `${plural(runs.open, 'step')} are too large to go on`);
    this.leftOpen = leftOpen;
    this.rest = Math.max(this.perQuestion, runs.solver.clauseCount);
  }

  /** The run that the solver has found, or a shorter one if it finds that with little effort. */
  private shortest(): Trace {
    const { runs, env } = this;
    const end = runs.propagations + EFFORT_TO_SHORTEN;
    for (;;) {
      const depth = runs.firstViolation();
      const run = runs.trace(depth);
      const propagations = end - runs.propagations;
      if (depth === runs.open || propagations <= 0) return run;
      const shorter = runs.violationUpTo(depth - 1);
      if (runs.ask(shorter, { ...env.budget, propagations }) !== 'sat') return run;
    }
  }
}
