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

export interface Proof {
  readonly model: Model;
  /** If the formulas have bound variables. Such a proof is not k-inductive. */
  readonly forAll?: Quantified;
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

/** The bound variables that a location's formula really has. */
export function boundIn(terms: TermStore, { model, forAll }: Proof, location: Location): TermId[] {
  const bound = forAll?.bound.get(location) ?? [];
  const mentioned = new Set(terms.postorder([model.get(location) as TermId]));
  return bound.filter(v => mentioned.has(v));
}

/** The same proof as people like to read it: each formula of the model says what it says once. */
export function tidied(terms: TermStore, proof: Proof): Proof {
  const said = (f: TermId) => terms.and(conjuncts(terms, withoutConstants(terms, f)));
  // What passes say of elements is full of what they say besides. Other models are checked sooner with all that search has found.
  const tidy = proof.forAll === undefined ? said : (f: TermId) => inContext(terms, said(f));
  return { ...proof, model: new Map([...proof.model].map(([l, f]) => [l, tidy(f)])) };
}
