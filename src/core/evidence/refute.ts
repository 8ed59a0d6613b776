/**
 * Several attempts at one question: do some formulas have no model? The abstract reading (`plain/`) has more models than the
 * bits have, so what it refutes is refuted, and it refutes at once what takes bits too long. The first attempt that refutes
 * the question settles it.
 */
import type { Budget } from '../../sat/budget.ts';
import type { Work } from '../../sat/work.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { type PlainOptions, type Reading, type Refutation, refute } from './plain/refute.ts';

export interface Attempt {
  readonly reading: Reading;
  /** Made only if it comes to that. */
  readonly formulas: () => Work<readonly TermId[]>;
}

export function* refuteSomehow(
  terms: TermStore,
  attempts: readonly Attempt[],
  options: PlainOptions,
): Work<Refutation> {
  let result: Refutation = { kind: 'sat', model: undefined };
  for (const [i, { reading, formulas }] of attempts.entries()) {
    const isLast = i === attempts.length - 1;
    const budget = isLast ? options.budget : halfOf(options.budget);
    result = yield* refute(terms, yield* formulas(), reading, { ...options, budget });
    if (result.kind === 'unsat') return result;
  }
  return result;
}

/** The time that is left is shared: an attempt that is not the last may use half of it. */
function halfOf(budget: Budget): Budget {
  if (budget.deadline === undefined) return budget;
  const now = Date.now();
  return { ...budget, deadline: now + (budget.deadline - now) / 2 };
}
