/** The run that a model of a path describes: what has a definition by that, and by the model what has none. */
import type { ConcreteModel } from '../../bv/model.ts';
import { Evaluator } from '../../term/evaluator.ts';
import type { FunctionId, TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Step, Trace } from '../system/trace.ts';
import type { Copies } from './copies.ts';

export function runOf(system: FunctionalSystem, copies: Copies, model: ConcreteModel, length: number): Trace {
  const { terms } = system;
  const valueAt = (v: TermId, i: number) => model.value(copies.variable(v, i));
  const functionValue = (f: FunctionId, args: readonly Value[]) => model.apply(f, args);
  const steps: Step[] = [];
  let state = new Map(system.states.map(s => [s.current, valueAt(s.current, 0)]));
  for (let i = 0; i < length; i++) {
    const step = new Map(state);
    for (const y of system.inputs) step.set(y, valueAt(y, i));
    steps.push(step);
    const evaluator = new Evaluator(terms, (f, args) =>
      args.length > 0 ? functionValue(f, args) : (step.get(terms.apply(f, [])) as Value),
    );
    for (const [v, body] of system.definitions) if (step.has(v)) step.set(v, evaluator.value(body));
    state = new Map(
      system.states.map(s => {
        const body = system.definitions.get(s.next);
        return [s.current, body === undefined ? valueAt(s.current, i + 1) : evaluator.value(body)];
      }),
    );
  }
  return { steps, functionValue };
}
