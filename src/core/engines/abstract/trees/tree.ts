/**
 * Derivation trees: uses of edges, one for each source of the one above. A tree has two readings. The abstract one is what
 * justifies each use in the abstraction, and which states it is to derive. The concrete one is a fact: values that bits have
 * confirmed, with facts as premises. Facts are true for good, whatever is learnt later, and they are shared: what is
 * a tree to the one who asks is a graph without cycles to the one who keeps it.
 */
import { termOfValue } from '../../../../term/evaluator.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import type { Value } from '../../../../term/value.ts';
import { type Derivation, NO_FUNCTIONS, type Step } from '../../../problem/derivation.ts';
import type { Edge } from '../../../problem/problem.ts';

export interface Tree {
  readonly edge: Edge;
  /** What was asked for, over the places of the edge's head. */
  readonly cube: readonly TermId[];
  /** Over the places of the sources, inputs, and next variables of the head. */
  readonly justification: readonly TermId[];
  /** What was asked of each source, over the places of its location. */
  readonly asked: readonly (readonly TermId[])[];
  readonly children: readonly Tree[];
}

export interface Fact {
  readonly tree: Tree;
  /** Of all variables of the edge. */
  readonly values: ReadonlyMap<TermId, Value>;
  /** What is derived: the values of the head's places, by place. */
  readonly derived: ReadonlyMap<TermId, Value>;
  readonly premises: readonly Fact[];
  /** So many edges one after the other lead to it. */
  readonly height: number;
}

/** How many uses of edges a tree has, each counted as often as it is there. */
export function sizeOf(tree: Tree): number {
  return tree.children.reduce((sum, c) => sum + sizeOf(c), 1);
}

export function heightAbove(premises: readonly Fact[]): number {
  return 1 + Math.max(0, ...premises.map(p => p.height));
}

/** That a variable has a value. */
export function valueLiteral(terms: TermStore, variable: TermId, value: Value): TermId {
  if (typeof value === 'boolean') return value ? variable : terms.not(variable);
  return terms.eq(termOfValue(terms, terms.sort(variable), value), variable);
}

/** A fact and all that it rests on, each once. */
export function derivationOf(fact: Fact): Derivation {
  const steps: Step[] = [];
  const numbers = new Map<Fact, number>();
  const add = (f: Fact): number => {
    const known = numbers.get(f);
    if (known !== undefined) return known;
    const premises = f.premises.map(add);
    steps.push({ edge: f.tree.edge, values: f.values, premises });
    numbers.set(f, steps.length - 1);
    return steps.length - 1;
  };
  add(fact);
  return { steps, functionValue: NO_FUNCTIONS };
}
