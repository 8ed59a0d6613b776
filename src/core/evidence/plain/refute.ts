/**
 * Do some formulas have no model? The plain way to find out, with which evidence is checked. It shares no decision with the
 * solvers that find evidence: nothing of the concrete solver but its raw SAT back end, nothing of the e-graph, no
 * rewriting. It is short and simple instead of fast and clever, and what our own SAT engine refutes is proved.
 *
 *   formulas ─▶ conjuncts.ts, graph.ts   definitions put in, what nobody mentions left out
 *            ─▶ bits.ts or abstract.ts   words and gates (encoding.ts, words.ts, gates.ts)
 *            ─▶ question.ts              clauses, solved with a proof
 *            ◀─ arrays.ts, congruence.ts what a solution violates, until there is none or nothing is violated
 *
 * The abstract reading has more models, so what it refutes is refuted.
 */
import type { HeavyBackEnd } from '../../../bv/tiered.ts';
import type { Budget } from '../../../sat/budget.ts';
import { Unknown, type UnknownReason } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { Evaluator } from '../../../term/evaluator.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { AbstractReading } from './abstract.ts';
import { BitReading } from './bits.ts';
import { Graph } from './graph.ts';
import { Pace } from './pace.ts';
import { Question } from './question.ts';

/** What operators mean: what they do to bits; or nothing but what they do to constants. */
export type Reading = 'bits' | 'abstract';

export interface PlainOptions {
  readonly heavy: HeavyBackEnd;
  readonly budget: Budget;
}

export type Refutation =
  | { readonly kind: 'unsat' }
  /** The model, in the reading of bits, is one that the evaluator has confirmed. */
  | { readonly kind: 'sat'; readonly model: Evaluator | undefined }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly text: string };

/** Constants that evaluation may bring in at first, for each sort. */
const SPARE_CONSTANTS = 64;

/** Do the formulas have no model? */
export function* refute(
  terms: TermStore,
  formulas: readonly TermId[],
  reading: Reading,
  { heavy, budget }: PlainOptions,
): Work<Refutation> {
  const pace = new Pace(budget);
  try {
    pace.look();
    const graph = yield* Graph.build(terms, formulas, pace);
    if (reading === 'bits') return yield* refuteInBits(graph, formulas, heavy, pace);
    return yield* refuteAbstractly(graph, heavy, pace);
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    return { kind: 'unknown', reason: error.reason, text: error.message };
  }
}

function* refuteInBits(
  graph: Graph,
  formulas: readonly TermId[],
  heavy: HeavyBackEnd,
  pace: Pace,
): Work<Refutation> {
  const question = new Question(heavy, pace);
  try {
    const model = yield* new BitReading(graph, question, pace).model(formulas);
    return model === undefined ? { kind: 'unsat' } : { kind: 'sat', model };
  } finally {
    question.dispose();
  }
}

function* refuteAbstractly(graph: Graph, heavy: HeavyBackEnd, pace: Pace): Work<Refutation> {
  for (let spare = SPARE_CONSTANTS; ; spare *= 8) {
    const question = new Question(heavy, pace);
    try {
      const answer = yield* new AbstractReading(graph, question, pace, spare).isSatisfiable();
      if (answer !== undefined) return answer ? { kind: 'sat', model: undefined } : { kind: 'unsat' };
    } finally {
      question.dispose();
    }
  }
}
