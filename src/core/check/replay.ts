/**
 * Is a trace a run of the system that violates the property? Decided by the evaluator alone: every formula that a
 * run must satisfy is evaluated in every step. No trace is shown to anybody that has not passed here.
 */
import { Evaluator } from '../../term/evaluator.ts';
import { printTerm } from '../../term/printer.ts';
import type { FunctionId, TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { conjuncts } from '../system/conjuncts.ts';
import type { Property, System } from '../system/system.ts';
import type { Step, Trace } from '../system/trace.ts';
import { isValueOf } from '../system/value-text.ts';

/** A formula in a complaint is cut off here. */
const SHOWN_LENGTH = 120;

/** What is wrong with the trace, in one sentence with the number of the step; undefined if nothing is. */
export function replay(system: System, property: Property, trace: Trace): string | undefined {
  const { steps } = trace;
  if (steps.length === 0) return 'the trace has no steps';
  const formulas = [system.init, system.trans, ...system.constraints, property.formula];
  const stray = strayVariable(system, formulas);
  if (stray !== undefined) return `'${nameOf(system, stray)}' is neither a state variable nor an input`;
  return (
    firstComplaint(steps.keys(), i => checkValues(system, steps[i], i)) ?? checkRun(system, property, trace)
  );
}

function checkRun(system: System, property: Property, trace: Trace): string | undefined {
  const { init, trans, constraints } = system;
  const last = trace.steps.length - 1;
  return firstComplaint(trace.steps.keys(), i => {
    const evaluator = evaluatorAt(system, trace, i);
    const expect = (formula: TermId, what: string) =>
      checkFormula(system, evaluator, formula, `step ${i}: ${what}`);
    return (
      (i === 0 ? expect(init, 'this is no initial state') : undefined) ??
      firstComplaint(constraints, c => expect(c, 'a constraint is violated')) ??
      (i < last ? expect(trans, `there is no transition from here to step ${i + 1}`) : undefined) ??
      (i === last && evaluator.value(property.formula) !== false
        ? `step ${i}: the property holds here, in the last step`
        : undefined)
    );
  });
}

/** The first false conjunct of a formula that should be true. */
function checkFormula(
  { terms }: System,
  evaluator: Evaluator,
  formula: TermId,
  complaint: string,
): string | undefined {
  if (evaluator.value(formula) === true) return undefined;
  const culprit = conjuncts(terms, formula).find(c => evaluator.value(c) !== true) ?? formula;
  const text = printTerm(terms, culprit);
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return `${complaint}, for this is false: ${shown}`;
}

function checkValues(system: System, step: Step, i: number): string | undefined {
  const { terms, states, inputs } = system;
  return firstComplaint([...states.map(s => s.current), ...inputs], v => {
    const value = step.get(v);
    const name = `'${nameOf(system, v)}'`;
    if (value === undefined) return `step ${i}: ${name} has no value`;
    if (isValueOf(terms.sorts, terms.sort(v), value)) return undefined;
    return `step ${i}: ${name} has a value that is not of its sort ${terms.sorts.name(terms.sort(v))}`;
  });
}

/** Evaluates over step i, and over the states of the one after it. */
function evaluatorAt(
  { terms, states, inputs }: System,
  { steps, functionValue }: Trace,
  i: number,
): Evaluator {
  const values = new Map<FunctionId, Value>();
  const enter = (variable: TermId, value: Value | undefined) => {
    if (value !== undefined) values.set(terms.functionOf(variable), value);
  };
  for (const { current, next } of states) {
    enter(current, steps[i].get(current));
    enter(next, steps[i + 1]?.get(current));
  }
  for (const input of inputs) enter(input, steps[i].get(input));
  return new Evaluator(terms, (f, args) =>
    args.length > 0 ? functionValue(f, args) : (values.get(f) as Value),
  );
}

/** A variable of the system that no trace has a value for. */
function strayVariable({ terms, states, inputs }: System, formulas: readonly TermId[]): TermId | undefined {
  const known = new Set([...states.flatMap(s => [s.current, s.next]), ...inputs]);
  return terms.postorder(formulas).find(t => terms.isVariable(t) && !known.has(t));
}

function nameOf({ terms }: System, variable: TermId): string {
  return terms.symbol(terms.functionOf(variable)).name;
}

function firstComplaint<T>(items: Iterable<T>, check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const complaint = check(item);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
