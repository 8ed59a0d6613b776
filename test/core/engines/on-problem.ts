/** One engine on a problem as it is, and what is wrong with what it answers, by enumeration and by the evaluator. */
import type { BackEndFactory } from '../../../src/bv/back-end.ts';
import type { Engine, EngineKind, Env, Outcome } from '../../../src/core/engines/engine.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { viewsOf } from '../../../src/core/portfolio/views.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import type { Problem } from '../../../src/core/problem/problem.ts';
import type { Budget } from '../../../src/sat/budget.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complaintAboutModel } from '../explicit-problem.ts';

export interface Setting {
  readonly backEnd: BackEndFactory;
  readonly options?: Partial<EngineOptions>;
  readonly budget?: Budget;
}

export function envOf({ backEnd, options = {}, budget = {} }: Setting): Env {
  return { options: { ...DEFAULT_ENGINE_OPTIONS, ...options }, budget, profile: new Profile(), backEnd };
}

/** The engine, though it may not want to take the problem. */
export function startedOn(problem: Problem, kind: EngineKind, setting: Setting): Engine {
  return kind.start(viewsOf(problem, undefined, new Checkpoint()), envOf(setting));
}

/** Why the engine does not take the problem, if it does not. */
export function obstacleOn(problem: Problem, kind: EngineKind, setting: Setting): string | undefined {
  return kind.obstacle(viewsOf(problem, undefined, new Checkpoint()), envOf(setting));
}

/** What comes of it in so many portions, if anything does. */
export function outcomeWithin(engine: Engine, portion: number, portions: number): Outcome | undefined {
  for (let i = 0; i < portions; i++) {
    const outcome = engine.run(portion);
    if (outcome.kind !== 'working') return outcome;
  }
  return undefined;
}

/** What is wrong with an answer about the first property. */
export function complaintAboutOutcome(
  problem: Problem,
  isDerivable: boolean,
  outcome: Outcome,
): string | undefined {
  if (outcome.kind !== 'safe' && outcome.kind !== 'unsafe') return undefined;
  if (isDerivable !== (outcome.kind === 'unsafe')) return `the answer ${outcome.kind} is wrong`;
  if (outcome.kind === 'safe') return complaintAboutModel(problem, outcome.proof.model);
  return checkDerivation(problem, 0, completed(problem.terms, outcome.derivation), e =>
    String(problem.edges.indexOf(e)),
  );
}
