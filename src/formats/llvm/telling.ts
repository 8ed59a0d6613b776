/**
 * A derivation in the order in which the program executes it. Where calls are kept, a derivation is a graph: a step rests on the one
 * before it in the same function, and on the summaries of what it calls. What is called is told where it is called, as
 * often as that is, whether or not the derivation has it only once; so there may be much more to tell than there are steps.
 */
import { type Derivation, evaluatorOf } from '../../core/problem/derivation.ts';
import type { Evaluator } from '../../term/evaluator.ts';
import type { Event } from './execution.ts';
import type { ProgramGraph } from './graph.ts';

/** A step begins, or something happens in it. */
export interface Moment {
  /** The number of the step. */
  readonly step: number;
  readonly event: Event | undefined;
  readonly evaluator: Evaluator;
}

/** A function that is being executed. */
interface Activation {
  readonly steps: readonly number[];
  at: number;
  /** Of the events of the present step, those that are still to come; undefined before it has begun. */
  events: readonly Event[] | undefined;
  next: number;
}

/** Events that do not happen on the way are left out. */
export function* inOrder(graph: ProgramGraph, derivation: Derivation): Generator<Moment, void> {
  const { steps, functionValue } = derivation;
  const evaluators = new Map<number, Evaluator>();
  const evaluatorAt = (step: number): Evaluator => {
    let known = evaluators.get(step);
    if (known === undefined) {
      known = evaluatorOf(graph.problem.terms, steps[step].values, functionValue);
      evaluators.set(step, known);
    }
    return known;
  };
  const begun = (last: number): Activation => ({
    steps: pathTo(graph, derivation, last),
    at: 0,
    events: undefined,
    next: 0,
  });
  const stack = steps.length === 0 ? [] : [begun(steps.length - 1)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const step = top.steps[top.at];
    if (step === undefined) {
      stack.pop();
      continue;
    }
    const passage = graph.passages.get(steps[step].edge);
    const evaluator = evaluatorAt(step);
    if (top.events === undefined) {
      top.events = passage?.events ?? [];
      yield { step, event: undefined, evaluator };
    }
    const event = top.events[top.next++];
    if (event === undefined) {
      top.at++;
      top.events = undefined;
      top.next = 0;
      continue;
    }
    if (event.guard !== undefined && evaluator.value(event.guard) !== true) continue;
    yield { step, event, evaluator };
    const source = event.call === undefined ? undefined : passage?.calls.get(event.call);
    if (source !== undefined) stack.push(begun(steps[step].premises[source]));
  }
}

/** The steps of one function that lead to one of them: summaries are of others. */
function pathTo({ summaries }: ProgramGraph, { steps }: Derivation, last: number): number[] {
  const path = [last];
  for (let step = steps[last]; ; ) {
    const [source] = step.edge.sources;
    if (source === undefined || summaries.has(source.location)) return path.reverse();
    path.push(step.premises[0]);
    step = steps[step.premises[0]];
  }
}
