/**
 * k-induction (Sheeran, Singh and Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver", FMCAD 2000): no
 * violation within the first k states of any run, and none after k states without one. It needs no invariant, so it answers at
 * once where wide data paths hold their values for a few steps and IC3 would learn lemma after lemma.
 *
 * The step is asked in both readings for growing k, the base bit by bit, only as far as a step has succeeded, or one depth
 * at a time beside them, so that short violations are found on the way.
 */
import type { Result } from '../../../sat/solver.ts';
import { isPause, Unknown, type UnknownReason } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { Location } from '../../problem/problem.ts';
import { Effort, Portions } from '../effort.ts';
import type { Early, Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { InitialRuns } from '../unrolled/initial-runs.ts';
import { StepCase } from './step-case.ts';

export const K_INDUCTION: EngineKind = {
  name: 'k-induction',
  help: 'k-induction, for proofs that are shallow however wide the data',
  proves: true,
  refutes: true,
  obstacle: obstacleOf,
  start: ({ early }, env) => new KInduction(early as Early, env),
};

function obstacleOf({ early }: Views): string | undefined {
  const locations = early?.views.problem.locations;
  // Where no location is left, what is to be shown is no matter of steps.
  const isOne =
    locations?.length === 0 || locations?.includes(early?.views.flat.location as Location) === true;
  return isOne ? undefined : 'it takes problems with one location only';
}

/** Longer inductions are hopeless, or somebody else's business. */
const MAX_K = 40;
/** With more terms than this, nothing is unrolled any further. */
const MAX_TERMS = 3_000_000;
/** What a step may cost bit by bit before the next k is tried, in propagations; it grows with k. */
const EFFORT_OF_A_STEP = 300_000;

export class KInduction implements Engine {
  private readonly views: Views;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly base: InitialRuns;
  private readonly abstract: StepCase;
  private readonly bits: StepCase;

  /** The views are of a problem with one location, or none. */
  constructor({ views, joinsStates }: Early, env: Pick<Env, 'budget'>) {
    const { system } = views.flat;
    this.views = views;
    this.effort = new Effort(env.budget);
    this.base = new InitialRuns(system);
    this.abstract = new StepCase(system, 'abstract', !joinsStates);
    this.bits = new StepCase(system, 'bits', !joinsStates);
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { abstract, bits, base } = this;
    return { k: abstract.k, depth: base.open, distinctStates: abstract.pairs + bits.pairs };
  }

  private *search(): Work<Outcome> {
    const { abstract, bits, base } = this;
    for (let k = 1; k <= MAX_K; k++) {
      if (k * base.unrolling.size > MAX_TERMS) throw new Unknown('size', `${k} steps are too large to go on`);
      for (const step of [abstract, bits]) {
        step.extend();
        if (yield* this.isInductive(step)) return yield* this.proved(k);
      }
      const violation = yield* this.baseUpTo(k);
      if (violation !== undefined) return violation;
    }
    throw new Unknown('incomplete', `the property is not ${MAX_K}-inductive`);
  }

  /** Does the step succeed, as far as that is found out with limited effort? */
  private *isInductive(step: StepCase): Work<boolean> {
    const end = step.work + EFFORT_OF_A_STEP * step.k;
    for (;;) {
      yield* this.pause();
      const answer = step.ask(this.effort.allowance);
      if (answer === 'unsat') return true;
      if (answer === 'sat') return false;
      if (!isPause(step.unknownReason)) throw new Unknown(step.unknownReason ?? 'incomplete');
      if (step.work > end) return false;
    }
  }

  private *proved(k: number): Work<Outcome> {
    const { flat, fromFlat, problem } = this.views;
    const violation = yield* this.baseUpTo(k);
    const proof = flat.proof(flat.system.terms.true, problem.locations.length === 0 ? 0 : k);
    return violation ?? fromFlat({ kind: 'safe', proof });
  }

  /** No violation in the first k states of a run; or the run, if there is one. */
  private *baseUpTo(k: number): Work<Outcome | undefined> {
    const { base } = this;
    const { flat, fromFlat } = this.views;
    while (base.open < k) {
      while (base.depth <= base.open) base.unroll();
      const depth = base.open;
      const question = base.violationUpTo(depth);
      const answer = yield* this.answer(() => base.ask(question, this.effort.allowance), base.solver);
      if (answer === 'sat')
        return fromFlat({ kind: 'unsafe', derivation: flat.derivation(base.trace(depth)) });
      base.settle(question, depth);
    }
    return undefined;
  }

  /** Asks again and again until there is an answer. */
  private *answer(
    ask: () => Result,
    solver: { readonly unknownReason: UnknownReason | undefined },
  ): Work<Exclude<Result, 'unknown'>> {
    for (;;) {
      yield* this.pause();
      const answer = ask();
      if (answer !== 'unknown') return answer;
      if (!isPause(solver.unknownReason)) throw new Unknown(solver.unknownReason ?? 'incomplete');
    }
  }

  /** Counts what was done since the last time, and pauses if it is time to. */
  private *pause(): Work<void> {
    const { base, abstract, bits } = this;
    this.effort.spend(base.work + abstract.work + bits.work - this.effort.spent);
    if (this.effort.left <= 0) yield 'turn';
  }
}
