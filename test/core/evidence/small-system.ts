/** Random systems of up to six bits, and all there is to know about them, by evaluating their formulas for all values. */
import type { Property, System } from '../../../src/core/problem/system.ts';
import { SystemProblem } from '../../../src/core/problem/system-problem.ts';
import { Evaluator, termOfValue } from '../../../src/term/evaluator.ts';
import { type FunctionId, type TermId, TermStore } from '../../../src/term/store.ts';
import { allValues, type Value } from '../../../src/term/value.ts';
import type { Random } from '../../support/random.ts';
import { randomPool } from '../../support/terms.ts';

/** A state is the values of the state variables, an index into all of them. */
export interface Small {
  readonly system: System;
  readonly posed: SystemProblem;
  readonly property: Property;
  /** All states. */
  readonly states: readonly (readonly Value[])[];
  /** Initial states in which the constraints allow some input. */
  readonly initial: readonly boolean[];
  /** Of these, too, only those in which the constraints allow some input: no run goes through others. */
  readonly successors: readonly (readonly number[])[];
  /** The steps that an input which does not violate the property allows. */
  readonly successorsIfGood: readonly (readonly number[])[];
  /** Some input that the constraints allow violates the property. */
  readonly bad: readonly boolean[];
}

export function smallSystem(random: Random): Small {
  const terms = new TermStore();
  const pool = randomPool(terms, random, 2, 50, 4);
  const variables = pool.filter(v => terms.isVariable(v) && !terms.sorts.isArray(terms.sort(v)));
  const withArrays = (f: TermId) => terms.postorder([f]).some(a => terms.sorts.isArray(terms.sort(a)));
  const usable = pool.filter(f => !withArrays(f));
  // p, x, y and b make six bits of state; q is the input, and may be x's companion in relational systems.
  const states = variables
    .filter(v => terms.nameOf(v) !== 'q')
    .map(current => ({
      current,
      next: terms.variable(`${terms.nameOf(current)}.next`, terms.sort(current)),
    }));
  const inputs = variables.filter(v => states.every(s => s.current !== v));
  const ofSort = (v: TermId) => usable.filter(u => terms.sort(u) === terms.sort(v));
  const formulas = usable.filter(u => terms.sort(u) === terms.sorts.bool);
  const overStates = (f: TermId) => terms.postorder([f]).every(v => !inputs.includes(v));
  const equations = states.map(s => {
    const chosen = terms.eq(s.next, random.pick(ofSort(s.current)));
    return random.chance(0.2) ? terms.or([chosen, terms.eq(s.next, random.pick(ofSort(s.current)))]) : chosen;
  });
  if (random.chance(0.2)) equations.push(random.pick(formulas));
  const init = [...states.map(s => s.current)]
    .filter(() => random.chance(0.8))
    .map(v => terms.eq(v, random.pick(ofSort(v).filter(overStates))));
  const property = { index: 0, formula: random.pick(formulas), name: undefined };
  const system: System = {
    terms,
    states,
    inputs,
    init: terms.and(init),
    trans: terms.and(equations),
    constraints: random.chance(0.4) ? [random.pick(formulas)] : [],
    properties: [property],
  };
  return enumerated(system, property);
}

function enumerated(system: System, property: Property): Small {
  const { terms, inputs } = system;
  const tuples = (variables: readonly TermId[]) =>
    variables.reduce<Value[][]>(
      (all, v) => all.flatMap(tuple => [...allValues(terms.sorts, terms.sort(v))].map(x => [...tuple, x])),
      [[]],
    );
  const current = system.states.map(s => s.current);
  const next = system.states.map(s => s.next);
  const states = tuples(current);
  const choices = tuples(inputs);
  const evaluator = (...parts: readonly (readonly [readonly TermId[], readonly Value[]])[]) => {
    const values = new Map<FunctionId, Value>();
    for (const [variables, tuple] of parts)
      for (const [i, v] of variables.entries()) values.set(terms.functionOf(v), tuple[i]);
    return new Evaluator(terms, f => values.get(f) as Value);
  };
  const now = (s: readonly Value[], i: readonly Value[]) => evaluator([current, s], [inputs, i]);
  const allowed = states.map(s =>
    choices.filter(i => system.constraints.every(c => now(s, i).value(c) === true)),
  );
  const good = states.map((s, k) => allowed[k].filter(i => now(s, i).value(property.formula) === true));
  const successors = (inputsOf: readonly (readonly (readonly Value[])[])[]) =>
    states.map((s, k) =>
      [...states.keys()].filter(
        j =>
          allowed[j].length > 0 &&
          inputsOf[k].some(
            i => evaluator([current, s], [inputs, i], [next, states[j]]).value(system.trans) === true,
          ),
      ),
    );
  return {
    system,
    posed: new SystemProblem(system),
    property,
    states,
    initial: states.map(
      (s, k) => allowed[k].length > 0 && evaluator([current, s]).value(system.init) === true,
    ),
    successors: successors(allowed),
    successorsIfGood: successors(good),
    bad: states.map((_, k) => good[k].length < allowed[k].length),
  };
}

export function reachableStates({ initial, successors }: Small): boolean[] {
  const reached = [...initial];
  const stack = [...initial.keys()].filter(i => initial[i]);
  for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
    for (const n of successors[s]) {
      if (reached[n]) continue;
      reached[n] = true;
      stack.push(n);
    }
  }
  return reached;
}

/** The formula that is true of exactly these states. */
export function formulaOf({ system, states }: Small, set: readonly boolean[]): TermId {
  const { terms } = system;
  const cubes = states
    .filter((_, i) => set[i])
    .map(values =>
      terms.and(
        system.states.map(({ current }, i) =>
          terms.eq(current, termOfValue(terms, terms.sort(current), values[i])),
        ),
      ),
    );
  return terms.or(cubes);
}
