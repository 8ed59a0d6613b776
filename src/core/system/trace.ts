/**
 * A run of a system with values: every state and every input of every step, and what declared functions are. The
 * last step is the one in which a property fails.
 */
import type { FunctionId, TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';

/** Values of the current state variables and inputs in one step. */
export type Step = ReadonlyMap<TermId, Value>;

export interface Trace {
  readonly steps: readonly Step[];
  /** The value of a declared function with parameters; nothing is known of other functions. */
  readonly functionValue: (f: FunctionId, args: readonly Value[]) => Value;
}
