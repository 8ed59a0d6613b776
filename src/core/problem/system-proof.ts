/**
 * A proof about a transition system, as people and other tools know it: an inductive invariant, and lemmas with whose help
 * the conditions hold even if nothing is known about bit-vector and array operators. Lemmas are valid formulas.
 *
 * The invariant speaks of current state variables only. If it might mention inputs, the conditions would not suffice: a
 * step takes new inputs, and the invariant would be about the old ones.
 */
import type { TermId } from '../../term/store.ts';
import type { System } from './system.ts';

export interface SystemProof {
  /** Over current state variables, and bound ones. */
  readonly invariant: TermId;
  /** Variables for all of whose values it holds, if there are any. */
  readonly bound?: readonly TermId[];
  /** Formulas over any variables that are true whatever these are. */
  readonly lemmas: readonly TermId[];
  /** 0 if the invariant implies the property; otherwise it does so after k states without a violation. */
  readonly k: number;
}

/** What an invariant mentions besides current state variables and bound ones: it must be nothing. */
export function foreignVariables(
  { terms, states }: System,
  invariant: TermId,
  bound: readonly TermId[] = [],
): TermId[] {
  const own = new Set([...states.map(s => s.current), ...bound]);
  return terms.postorder([invariant]).filter(t => terms.isVariable(t) && !own.has(t));
}
