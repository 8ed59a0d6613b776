/**
 * A run of a flat system with values: every state and every input of every step, and what declared functions are. The
 * last step is the one in which a property fails.
 */
import { Evaluator } from '../../term/evaluator.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import type { FunctionValue } from './derivation.ts';
import type { StateVariable } from './system.ts';
import type { TransitionSystem } from './transition-system.ts';

/** Values of the current state variables and inputs in one step. */
export type TraceStep = ReadonlyMap<TermId, Value>;

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** The value of a declared function with parameters; nothing is known of other functions. */
  readonly functionValue: FunctionValue;
  /** By the number of a step, how many rounds of a loop are left out before it (repetition.ts). */
  readonly skipped?: ReadonlyMap<number, bigint>;
}

/** What whoever has found a run knows of it. */
export interface Course {
  readonly length: number;
  /** In the initial state. */
  readonly initial: (variable: TermId) => Value;
  readonly input: (input: TermId, step: number) => Value;
  /** After a step, for a state variable whose next value has no definition. */
  readonly after: (state: StateVariable, step: number) => Value;
  readonly functionValue: FunctionValue;
}

/** The run that takes its course: what has a definition by that, step by step. */
export function traceAlong(system: TransitionSystem, course: Course): Trace {
  const { terms, states, inputs, definitions } = system;
  const { functionValue } = course;
  const steps: TraceStep[] = [];
  let state = new Map(states.map(s => [s.current, course.initial(s.current)]));
  for (let i = 0; i < course.length; i++) {
    const step = new Map(state);
    for (const y of inputs) step.set(y, course.input(y, i));
    steps.push(step);
    const evaluator = new Evaluator(terms, (f, args) =>
      args.length > 0 ? functionValue(f, args) : (step.get(terms.apply(f, [])) as Value),
    );
    state = new Map(
      states.map(s => {
        const body = definitions.get(s.next);
        return [s.current, body === undefined ? course.after(s, i) : evaluator.value(body)];
      }),
    );
  }
  return { steps, functionValue };
}
