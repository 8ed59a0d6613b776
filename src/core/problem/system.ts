/**
 * A symbolic transition system, as VMT and BTOR2 describe it. Its runs are sequences of
 * states and inputs s0 i0 s1 i1 … sk ik, with
 *
 *   init(s0)    constraint(sj, ij) for every j ≤ k    trans(sj, ij, sj+1) for every j < k
 *
 * and a run violates a property if the property is false of (sk, ik): properties and constraints may mention inputs,
 * and are taken in the same step. Initial states need not be constants, the transition relation may be partial or
 * have several successors, and declared functions and their uninterpreted sorts stay the same throughout a run.
 */
import type { TermId, TermStore } from '../../term/store.ts';

/** A state variable: the variable that stands for its value now, and the one for its value after a step. */
export interface StateVariable {
  readonly current: TermId;
  readonly next: TermId;
}

/** What must hold in every reachable state: one question of its own. */
export interface Property {
  /** As the file counts it. */
  readonly index: number;
  /** Over current state variables and inputs. */
  readonly formula: TermId;
  /** What the file calls it, if it has a name. */
  readonly name: string | undefined;
}

export interface System {
  readonly terms: TermStore;
  readonly states: readonly StateVariable[];
  /** Variables that have a new value in every step, whatever they were before. */
  readonly inputs: readonly TermId[];
  /** Over current state variables. */
  readonly init: TermId;
  /** Over current state variables, inputs and next state variables. */
  readonly trans: TermId;
  /** Over current state variables and inputs; each holds in every step of a run. */
  readonly constraints: readonly TermId[];
  readonly properties: readonly Property[];
}
