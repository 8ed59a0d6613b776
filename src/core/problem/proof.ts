/**
 * Evidence that a property holds: a formula over the places of each location, the model, such that no edge leads out of it
 * and no query is derivable from it:
 *
 *   model(sources) ∧ constraints ∧ guard ⇒ model(head)(values)
 *
 * A state that satisfies no constraint of its location, whatever the inputs, is part of no derivation; so the model need
 * not hold there, and the constraints of the head may be assumed with inputs of their own.
 *
 * Lemmas are valid formulas with whose help the conditions hold even if nothing is known about bit-vector and array
 * operators; they are what makes a 64-bit multiplier easy to check. Those of an edge speak of its sources' places, of its
 * inputs, and of the next variables of its head's places.
 *
 * A model may speak of all elements of arrays: then its formulas have bound variables besides the places, and hold for all of
 * their values. What an edge has to show is then about values that nothing is known of, and what it may assume are
 * instances of the sources' formulas: those that the proof names. Which ones is no matter of trust: each follows
 * from the formula, whatever its values are. So checking stays free of quantifiers.
 *
 * Or it may say that there are values of its bound variables for which its formulas hold. Then an edge assumes them of its sources with
 * variables that stand for such values, and has to show them of its head with values that the proof names, its witnesses; so checking
 * is free of quantifiers here, too.
 *
 * A proof may be k-inductive: then the model is inductive, but excludes a violation only after k states without one, and none is
 * among the first k states of any run.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { conjuncts } from './conjuncts.ts';
import { inContext } from './in-context.ts';
import { type Edge, headOf, inputsOf, type Location, type Problem, placesOf } from './problem.ts';
import { withoutConstants } from './without-constants.ts';

/** For each location a formula over its places. */
export type Model = ReadonlyMap<Location, TermId>;

export type EdgeLemmas = ReadonlyMap<Edge, readonly TermId[]>;

/** What makes a model one for all values of some variables. */
export interface Quantified {
  /** The bound variables of each location's formula; they are nobody's places or inputs. */
  readonly bound: ReadonlyMap<Location, readonly TermId[]>;
  /** What each edge assumes of its sources; nothing of a source with bound variables of which it has no instance. */
  readonly instances: ReadonlyMap<Edge, readonly Instance[]>;
}

/** The formula of an edge's source with terms in the place of its bound variables. */
export interface Instance {
  /** The number of the source. */
  readonly source: number;
  /** One for each bound variable, over the edge's variables and those that are bound in its head. */
  readonly values: readonly TermId[];
}

/** What makes a model one for some values of some variables. */
export interface Witnessed {
  /** The bound variables of each location's formula; they are no places of it. */
  readonly bound: ReadonlyMap<Location, readonly TermId[]>;
  /** By number of a source, the variables that stand for its values in an edge: one for each bound variable, all of them new there. */
  readonly assumed: ReadonlyMap<Edge, readonly (readonly TermId[])[]>;
  /** One for each bound variable of an edge's head, over the edge's variables and those that are assumed of its sources. */
  readonly witnesses: ReadonlyMap<Edge, readonly TermId[]>;
}

export interface Proof {
  readonly model: Model;
  /** If the formulas have bound variables; they are of one kind in all of them. Such a proof is not k-inductive. */
  readonly forAll?: Quantified;
  readonly exists?: Witnessed;
  readonly lemmas: EdgeLemmas;
  /** 0 if the model alone proves the property. */
  readonly k: number;
}

/** Of lemmas about places, inputs, next variables and bound ones, those of each edge that speak of nothing but what the edge has. */
export function lemmasOfEdges(
  { terms, edges, next }: Problem,
  lemmas: readonly TermId[],
  bound: readonly TermId[] = [],
): EdgeLemmas {
  const variables = new Map(lemmas.map(f => [f, terms.postorder([f]).filter(t => terms.isVariable(t))]));
  return new Map(
    edges.map(edge => {
      const own = new Set([
        ...placesOf(edge),
        ...inputsOf(terms, edge),
        ...bound,
        ...(headOf(edge)?.places ?? []).map(p => next.of(p)),
      ]);
      return [edge, lemmas.filter(f => variables.get(f)?.every(v => own.has(v)))];
    }),
  );
}

/** How variables are bound, where some are. */
export function quantifierOf({ exists }: Proof): 'forall' | 'exists' {
  return exists === undefined ? 'forall' : 'exists';
}

/** The bound variables of a location's formula, whichever kind they are of. */
export function boundOf({ forAll, exists }: Proof, location: Location): readonly TermId[] {
  return (forAll ?? exists)?.bound.get(location) ?? [];
}

/** Those that it really has. */
export function boundIn(terms: TermStore, proof: Proof, location: Location): TermId[] {
  const mentioned = new Set(terms.postorder([proof.model.get(location) as TermId]));
  return boundOf(proof, location).filter(v => mentioned.has(v));
}

/** What a location's formula says, part by part; what is said of the same values cannot be taken apart. */
export function partsOf(terms: TermStore, proof: Proof, location: Location): TermId[] {
  const parts = conjuncts(terms, proof.model.get(location) as TermId);
  if (proof.exists === undefined) return parts;
  const bound = new Set(boundOf(proof, location));
  const isBound = (f: TermId) => terms.postorder([f]).some(t => bound.has(t));
  const together = parts.filter(isBound);
  const others = parts.filter(f => !isBound(f));
  return together.length === 0 ? others : [...others, terms.and(together)];
}

/** The same proof as people like to read it: each formula of the model says what it says once. */
export function tidied(terms: TermStore, proof: Proof): Proof {
  const said = (f: TermId) => terms.and(conjuncts(terms, withoutConstants(terms, f)));
  // What passes say of elements is full of what they say besides. Other models are checked sooner with all that search has found.
  const tidy = proof.forAll === undefined ? said : (f: TermId) => inContext(terms, said(f));
  return { ...proof, model: new Map([...proof.model].map(([l, f]) => [l, tidy(f)])) };
}
