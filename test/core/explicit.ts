/** Explicit-state search over small systems: every state, every input, every step, by the evaluator and the standard's words. */
import type { Property, System } from '../../src/core/problem/system.ts';
import { applyByDefinition, Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import type { FunctionId, TermId } from '../../src/term/store.ts';
import { allValues, type Value, valueKey } from '../../src/term/value.ts';

type Assignment = readonly Value[];

/** Is there a run of the system that violates the property? */
export function isUnsafe(system: System, property: Property): boolean {
  return shortestViolation(system, property) !== undefined;
}

/** How many steps lead from an initial state to the nearest violation, if there is one. */
export function shortestViolation(system: System, property: Property): number | undefined {
  return new Search(system, property).run();
}

class Search {
  private readonly system: System;
  private readonly property: Property;
  private readonly current: readonly TermId[];
  private readonly inputs: readonly Assignment[];
  /** Next state variables that the transition relation gives as terms; only the others have to be tried out. */
  private readonly bodies: readonly (TermId | undefined)[];

  constructor(system: System, property: Property) {
    this.system = system;
    this.property = property;
    this.current = system.states.map(s => s.current);
    this.inputs = this.assignments(system.inputs);
    this.bodies = system.states.map(s => this.bodyOf(s.next));
  }

  /** Breadth first. */
  run(): number | undefined {
    const { system } = this;
    const isInitial = (state: Assignment) => this.evaluator(state, []).value(system.init) === true;
    let level: Assignment[] = this.assignments(this.current).filter(isInitial);
    const seen = new Set(level.map(key));
    for (let depth = 0; level.length > 0; depth++) {
      const after: Assignment[] = [];
      for (const state of level) {
        for (const input of this.inputs) {
          const evaluator = this.evaluator(state, input);
          if (!system.constraints.every(c => evaluator.value(c) === true)) continue;
          if (evaluator.value(this.property.formula) !== true) return depth;
          for (const next of this.successors(state, input, evaluator)) {
            if (seen.has(key(next))) continue;
            seen.add(key(next));
            after.push(next);
          }
        }
      }
      level = after;
    }
    return undefined;
  }

  private successors(state: Assignment, input: Assignment, evaluator: Evaluator): Assignment[] {
    const { system, bodies } = this;
    let nexts: Value[][] = [[]];
    system.states.forEach((s, i) => {
      const body = bodies[i];
      const values =
        body === undefined ? this.assignments([s.next]).map(([v]) => v) : [evaluator.value(body)];
      nexts = nexts.flatMap(n => values.map(v => [...n, v]));
    });
    return nexts.filter(next => this.evaluator(state, input, next).value(system.trans) === true);
  }

  private evaluator(state: Assignment, input: Assignment, next: Assignment = []): Evaluator {
    const { system } = this;
    const { terms } = system;
    const values = new Map<FunctionId, Value>();
    const enter = (variables: readonly TermId[], of: Assignment) => {
      for (const [i, value] of of.entries()) values.set(terms.functionOf(variables[i]), value);
    };
    enter(this.current, state);
    enter(system.inputs, input);
    enter(
      system.states.map(s => s.next),
      next,
    );
    return new Evaluator(terms, f => values.get(f) as Value, applyByDefinition);
  }

  private assignments(variables: readonly TermId[]): Value[][] {
    const { terms } = this.system;
    return variables.reduce<Value[][]>(
      (all, v) => all.flatMap(a => [...allValues(terms.sorts, terms.sort(v))].map(x => [...a, x])),
      [[]],
    );
  }

  /** The term t where the transition relation is a conjunction with next = t in it, for t without next variables. */
  private bodyOf(next: TermId): TermId | undefined {
    const { terms, trans, states } = this.system;
    const conjuncts = terms.op(trans) === Op.AND ? terms.args(trans) : [trans];
    const isNext = new Set(states.map(s => s.next));
    for (const c of conjuncts) {
      if (terms.op(c) !== Op.EQ || terms.arg(c, 0) !== next) continue;
      const body = terms.arg(c, 1);
      if (!terms.postorder([body]).some(t => isNext.has(t))) return body;
    }
    return undefined;
  }
}

function key(state: Assignment): string {
  return state.map(v => String(valueKey(v))).join(' ');
}
