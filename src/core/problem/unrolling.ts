/**
 * The steps of a flat system one after another, with variables of their own for each: x@0, x@1, … They live in a term store
 * of their own, since there may be many of them, and what others keep for every term of a store must not grow with that.
 */
import { type FunctionId, type TermId, TermStore } from '../../term/store.ts';
import { Transfer } from '../../term/transfer.ts';
import type { TransitionSystem } from './transition-system.ts';

export class Unrolling {
  /** Has the terms of all steps. */
  readonly terms = new TermStore();
  /** How many terms a step has. */
  readonly size: number;
  private readonly system: TransitionSystem;
  private readonly transfer: Transfer;
  private readonly order: readonly TermId[]; // all terms of the system, arguments first
  private readonly index: ReadonlyMap<TermId, number>; // of these
  private readonly args: readonly (readonly number[])[]; // of each, by index
  private readonly currentOf: ReadonlyMap<TermId, TermId>; // of next state variables
  private readonly variables: Map<TermId, TermId>[] = []; // by step, the copies of current variables and inputs
  private readonly steps: Int32Array[] = []; // by step, the copy of each term

  constructor(system: TransitionSystem) {
    const { terms, init, definitions, relations, constraints, property, states, inputs } = system;
    this.system = system;
    this.transfer = new Transfer(terms, this.terms);
    const variables = [...states.flatMap(s => [s.current, s.next]), ...inputs];
    const formulas = [...init, ...definitions.values(), ...relations, ...constraints, property];
    this.order = terms.postorder([...variables, ...formulas]);
    this.size = this.order.length;
    this.index = new Map(this.order.map((t, i) => [t, i]));
    this.args = this.order.map(t => terms.args(t).map(a => this.index.get(a) as number));
    this.currentOf = new Map(states.map(s => [s.next, s.current]));
  }

  /** A term of the system, over current variables, inputs and next variables, in a step. */
  at(t: TermId, step: number): TermId {
    while (this.steps.length <= step) this.unroll();
    return this.steps[step][this.index.get(t) as number] as TermId;
  }

  /** The copy of a current state variable or input in a step. */
  variable(v: TermId, step: number): TermId {
    const { system, terms, transfer } = this;
    const source = system.terms;
    while (this.variables.length <= step) {
      const number = this.variables.length;
      const all = [...system.states.map(s => s.current), ...system.inputs];
      const copy = (x: TermId) =>
        terms.variable(`${source.nameOf(x)}@${number}`, transfer.sort(source.sort(x)));
      this.variables.push(new Map(all.map(x => [x, copy(x)])));
    }
    return this.variables[step].get(v) as TermId;
  }

  /** What a declared function of the system is called here. */
  function(f: FunctionId): FunctionId {
    return this.transfer.function(f);
  }

  private unroll(): void {
    const { order, args, currentOf, transfer } = this;
    const step = this.steps.length;
    const images = new Int32Array(order.length);
    for (let i = 0; i < order.length; i++) {
      const t = order[i];
      images[i] = this.system.terms.isVariable(t)
        ? this.variable(currentOf.get(t) ?? t, currentOf.has(t) ? step + 1 : step)
        : transfer.node(
            t,
            args[i].map(a => images[a] as TermId),
          );
    }
    this.steps.push(images);
  }
}
