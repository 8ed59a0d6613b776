/** Copies of the variables of a system for the steps of a path: x@0, x@1, … for each state variable and input. */
import type { TermId, TermStore } from '../../term/store.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { Renaming } from '../system/renaming.ts';

export class Copies {
  private readonly terms: TermStore;
  private readonly system: FunctionalSystem;
  private readonly variables: Map<TermId, TermId>[] = []; // for each step, the copy of each current variable and input
  private readonly renamings: Renaming[] = [];

  constructor(system: FunctionalSystem) {
    this.terms = system.terms;
    this.system = system;
  }

  /** The copy of a current state variable or input in a step. */
  variable(v: TermId, step: number): TermId {
    return this.step(step).get(v) as TermId;
  }

  /** A formula over current variables, inputs and next variables, about the given step. */
  at(formula: TermId, step: number): TermId {
    const { terms, system, renamings } = this;
    while (renamings.length <= step) {
      const i = renamings.length;
      const [now, next] = [this.step(i), this.step(i + 1)];
      const pairs: [TermId, TermId][] = [...now];
      for (const s of system.states) pairs.push([s.next, next.get(s.current) as TermId]);
      renamings.push(new Renaming(terms, pairs));
    }
    return renamings[step].apply(formula);
  }

  private step(i: number): Map<TermId, TermId> {
    const { terms, system, variables } = this;
    while (variables.length <= i) {
      const number = variables.length;
      const copy = (v: TermId) =>
        terms.variable(`${terms.symbol(terms.functionOf(v)).name}@${number}`, terms.sort(v));
      const all = [...system.states.map(s => s.current), ...system.inputs];
      variables.push(new Map(all.map(v => [v, copy(v)])));
    }
    return variables[i];
  }
}
