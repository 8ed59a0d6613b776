/**
 * A verdict about the system as an answer about the clauses: its evidence is carried back and checked there. Evidence
 * that fails its check is no evidence, and the answer is unknown, with the reason.
 */
import type { HeavyBackEnd } from '../bv/tiered.ts';
import { isWaiting } from '../core/check/invariant.ts';
import type { CheckOptions } from '../core/check/unsatisfiable.ts';
import type { Proof } from '../core/system/proof.ts';
import type { Trace } from '../core/system/trace.ts';
import { Checkpoint, LimitReached } from '../sat/checkpoint.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import { checkDerivation, checkModel, type LemmasOf } from './check.ts';
import type { ClauseDerivation, HornProblem, Model } from './problem.ts';
import type { HornSystem } from './system.ts';

export type HornAnswer =
  | { readonly kind: 'safe'; readonly model: Model }
  | { readonly kind: 'unsafe'; readonly derivation: ClauseDerivation }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What a checker says of the property of a query. */
export type SystemVerdict =
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly trace: Trace }
  | { readonly kind: 'unknown'; readonly reason: string };

export async function hornAnswer(
  problem: HornProblem,
  horn: HornSystem,
  query: number,
  verdict: SystemVerdict,
  heavy: HeavyBackEnd,
  budget: NonNullable<CheckOptions['budget']> = {},
): Promise<HornAnswer> {
  try {
    return await carriedBack(problem, horn, query, verdict, heavy, budget);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return { kind: 'unknown', reason: error.reason };
  }
}

async function carriedBack(
  problem: HornProblem,
  horn: HornSystem,
  query: number,
  verdict: SystemVerdict,
  heavy: HeavyBackEnd,
  budget: NonNullable<CheckOptions['budget']>,
): Promise<HornAnswer> {
  const checkpoint = new Checkpoint(budget);
  switch (verdict.kind) {
    case 'unknown':
      return verdict;
    case 'unsafe': {
      const derivation = horn.derivation(verdict.trace, query, checkpoint);
      const complaint = checkDerivation(problem, query, derivation, checkpoint);
      if (complaint === undefined) return { kind: 'unsafe', derivation };
      return { kind: 'unknown', reason: `internal failure: the derivation fails its check: ${complaint}` };
    }
    case 'safe': {
      const model = simplified(problem, horn.model(verdict.proof, query, checkpoint));
      const lemmasOf = lemmasFor(horn, verdict.proof);
      const check = () => checkModel(problem, query, model, lemmasOf, { backEnd: heavy.backEnd, budget });
      const outcome = await heavy.afterLoading(check, isWaiting);
      if (outcome.kind === 'valid') return { kind: 'safe', model };
      const failure =
        outcome.kind === 'open' ? 'checking the model' : 'internal failure: the model fails its check';
      return { kind: 'unknown', reason: `${failure}: ${outcome.reason}` };
    }
  }
}

/** What is shown is what is checked, so models are made simple before they are checked. */
function simplified({ terms }: HornProblem, model: Model): Model {
  const rewriter = new Rewriter(terms);
  return new Map([...model].map(([relation, formula]) => [relation, rewriter.rewrite(formula)]));
}

/** The lemmas of a proof, about the arguments of a clause's body and head instead of the system's states. */
function lemmasFor({ instantiate }: HornSystem, { lemmas }: Proof): LemmasOf {
  return clause => instantiate(lemmas, clause);
}
