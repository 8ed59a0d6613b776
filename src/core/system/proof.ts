/**
 * Evidence that a property holds in all runs: an inductive invariant, and lemmas with whose help the three
 * conditions below hold even if nothing is known about bit-vector and array operators. Lemmas are valid formulas,
 * so they may be assumed anywhere; they are what makes a 64-bit multiplier easy to check.
 *
 * The invariant speaks of current state variables only. If it might mention inputs, the three conditions would not
 * suffice: a step takes new inputs, and the invariant would be about the old ones.
 */
import type { TermId } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import type { Property, System } from './system.ts';

export interface Proof {
  /** Over current state variables. */
  readonly invariant: TermId;
  /** Formulas over any variables that are true whatever these are. */
  readonly lemmas: readonly TermId[];
}

/** What must be unsatisfiable for the proof to be one. */
export interface Condition {
  readonly name: 'init' | 'step' | 'property';
  /** These together have no model: what the system says, and what the invariant says. */
  readonly ofSystem: readonly TermId[];
  readonly ofInvariant: readonly TermId[];
}

/** Initial states are in the invariant, steps do not leave it, and it implies the property. */
export function conditionsOf(system: System, property: Property, { invariant }: Proof): Condition[] {
  const { terms, states, init, trans, constraints } = system;
  const next = substitute(terms, invariant, new Map(states.map(s => [s.current, s.next])));
  const not = (f: TermId) => terms.not(f);
  return [
    { name: 'init', ofSystem: [init, ...constraints], ofInvariant: [not(invariant)] },
    { name: 'step', ofSystem: [...constraints, trans], ofInvariant: [invariant, not(next)] },
    { name: 'property', ofSystem: [...constraints, not(property.formula)], ofInvariant: [invariant] },
  ];
}

/** What an invariant mentions besides current state variables: it must be nothing. */
export function foreignVariables({ terms, states }: System, invariant: TermId): TermId[] {
  const own = new Set(states.map(s => s.current));
  return terms.postorder([invariant]).filter(t => terms.isVariable(t) && !own.has(t));
}
