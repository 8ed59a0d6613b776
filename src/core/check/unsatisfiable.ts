/**
 * Do some formulas have no model? Asked in two readings, neither of which shares anything with `src/euf`:
 *
 *   abstract   operators are uninterpreted but for their values on constants (purify.ts), congruence is added on
 *              demand by the concrete solver, which sees a problem of functions on small numbers (Ackermann's
 *              expansion, one instance at a time)
 *   concrete   every operator means what it means, bit by bit
 *
 * The abstract reading has more models, so what it refutes is refuted.
 */
import type { BackEndFactory, BackEndInterrupt, SatBackEnd } from '../../bv/back-end.ts';
import { UnsupportedError } from '../../bv/lemmas/unsupported.ts';
import type { ConcreteModel } from '../../bv/model.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { PureProblem } from './purify.ts';

export type Budget = NonNullable<Parameters<SatBackEnd['solve']>[1]>;

export interface CheckOptions {
  readonly backEnd: BackEndFactory;
  readonly budget?: Budget;
}

export type Answer =
  | { readonly kind: 'unsat' }
  | { readonly kind: 'sat' }
  | {
      readonly kind: 'open';
      readonly reason: string;
      /** `load`: the question can be decided once the heavy back end is loaded. */
      readonly interrupt: BackEndInterrupt | undefined;
    };

const SPARE_CONSTANTS = 64;

export function refuteAbstractly(
  terms: TermStore,
  formulas: readonly TermId[],
  options: CheckOptions,
): Answer {
  for (let spare = SPARE_CONSTANTS; ; spare *= 8) {
    const answer = refutePure(new PureProblem(terms, formulas, spare), options);
    if (answer !== undefined) return answer;
  }
}

/** Undefined if evaluation brought in more constants than there is room for. */
function refutePure(problem: PureProblem, { backEnd, budget }: CheckOptions): Answer | undefined {
  const solver = new ConcreteSolver(problem.terms, { backEnd });
  try {
    for (const f of problem.formulas) solver.assert(f);
    while (!problem.isFull) {
      const answer = ask(solver, budget);
      if (answer.kind !== 'sat') return answer;
      const model = solver.model();
      const instances = problem.instances(t => model.value(t));
      if (instances.length === 0) return answer;
      for (const instance of instances) solver.assert(instance);
    }
    return undefined;
  } finally {
    solver.dispose();
  }
}

/** `onModel` sees why the formulas are not refuted. */
export function refuteConcretely(
  terms: TermStore,
  formulas: readonly TermId[],
  { backEnd, budget }: CheckOptions,
  onModel: (model: ConcreteModel) => void = () => {},
): Answer {
  const solver = new ConcreteSolver(terms, { backEnd });
  try {
    for (const f of formulas) solver.assert(f);
    const answer = ask(solver, budget);
    if (answer.kind === 'sat') onModel(solver.model());
    return answer;
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return { kind: 'open', reason: error.message, interrupt: undefined };
  } finally {
    solver.dispose();
  }
}

function ask(solver: ConcreteSolver, budget: Budget | undefined): Answer {
  const result = solver.solve([], budget);
  if (result !== 'unknown') return { kind: result };
  const interrupt = solver.interruptReason;
  return { kind: 'open', reason: REASONS[interrupt ?? 'aborted'], interrupt };
}

const REASONS: Readonly<Record<BackEndInterrupt, string>> = {
  conflicts: 'the limit of conflicts is reached',
  propagations: 'the limit of propagations is reached',
  deadline: 'the time is up',
  aborted: 'the check was stopped',
  load: 'it needs a SAT solver that is not loaded',
};
