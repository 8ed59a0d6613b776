/** Checks a property of a problem as the front end read it, without any pass before the engines. */
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import type { Verdict } from '../../src/check.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/core/env/options.ts';
import { Profile } from '../../src/core/env/profile.ts';
import { Scheduler } from '../../src/core/portfolio/scheduler.ts';
import { PORTFOLIO } from '../../src/core/portfolio/table.ts';
import { viewsOf } from '../../src/core/portfolio/views.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { restrictedTo } from '../../src/core/problem/problem.ts';
import type { PropertyName, Question } from '../../src/formats/question.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { complete } from '../../src/sat/work.ts';
import type { Options } from './checking.ts';

/** The evidence is not checked yet. */
export function verdictWithoutPasses(
  question: Question,
  heavy: HeavyBackEnd,
  options: Pick<Options, 'budget' | 'engine'> = {},
  property: PropertyName = question.properties[0],
): Verdict {
  const problem = restrictedTo(question.problem, property.index);
  const env = {
    options: { ...DEFAULT_ENGINE_OPTIONS, ...options.engine },
    budget: options.budget ?? {},
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
  const found = complete(new Scheduler(PORTFOLIO, viewsOf(problem, undefined, new Checkpoint()), env).run());
  if (found.kind === 'executed') throw new Error('nothing is executed here');
  return found.kind === 'unsafe'
    ? { kind: 'unsafe', derivation: completed(problem.terms, found.derivation) }
    : found;
}
