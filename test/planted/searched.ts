/** What one engine finds of a problem as it is, without passes, and whether the evidence for it is any. */
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../src/core/env/options.ts';
import { Profile } from '../../src/core/env/profile.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import { Scheduler } from '../../src/core/portfolio/scheduler.ts';
import { PORTFOLIO } from '../../src/core/portfolio/table.ts';
import { viewsOf } from '../../src/core/portfolio/views.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { isQuery, type Problem } from '../../src/core/problem/problem.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { complete } from '../../src/sat/work.ts';

export type Searched =
  | { readonly kind: 'safe' | 'unsafe' | 'unknown' }
  | { readonly kind: 'wrong'; readonly text: string };

export function searched(
  problem: Problem,
  engine: string,
  heavy: HeavyBackEnd,
  options: Partial<EngineOptions>,
): Searched {
  const env = {
    options: { ...DEFAULT_ENGINE_OPTIONS, ...options },
    budget: { deadline: Date.now() + 30_000 },
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
  const rows = PORTFOLIO.filter(r => r.kind.name === engine);
  const found = complete(new Scheduler(rows, viewsOf(problem, undefined, new Checkpoint()), env).run());
  if (found.kind === 'unknown' || found.kind === 'executed') return { kind: 'unknown' };
  const nameOf = () => 'an edge';
  if (found.kind === 'safe') {
    const outcome = complete(checkProof(problem, found.proof, { heavy, budget: {}, nameOf }));
    return outcome.kind === 'valid' ? { kind: 'safe' } : { kind: 'wrong', text: outcome.text };
  }
  const derivation = completed(problem.terms, found.derivation);
  const last = derivation.steps.at(-1)?.edge.head;
  const property = last !== undefined && isQuery(last) ? last.property : -1;
  const complaint = checkDerivation(problem, property, derivation, nameOf);
  return complaint === undefined ? { kind: 'unsafe' } : { kind: 'wrong', text: complaint };
}
