/**
 * A derivation tree with values, and the derivation that it is: the values of places follow from those of inputs, from the
 * leaves up, and what is derived more than once is there once, in a way that is as little high as any in the tree.
 */
import type { TermId, TermStore } from '../../../term/store.ts';
import { type Value, valueKey } from '../../../term/value.ts';
import { type Derivation, type FunctionValue, headValues, type Step } from '../../problem/derivation.ts';
import type { Edge, Location, Query } from '../../problem/problem.ts';

/** A use of an edge, and those that derive its sources. */
export interface Use {
  readonly edge: Edge;
  readonly inputs: ReadonlyMap<TermId, Value>;
  readonly premises: readonly Use[];
}

/** What a use derives. */
interface Fact {
  readonly edge: Edge;
  readonly values: ReadonlyMap<TermId, Value>;
  readonly premises: readonly Fact[];
  /** Of the places of its head. */
  readonly derived: readonly Value[];
  readonly height: number;
}

export function derivationBy(terms: TermStore, root: Use, functionValue: FunctionValue): Derivation {
  const facts = new Facts();
  const factOf = (use: Use): Fact => {
    const { edge } = use;
    const premises = use.premises.map(factOf);
    const values = new Map(use.inputs);
    edge.sources.forEach(({ places }, j) => {
      for (const [i, p] of places.entries()) values.set(p, premises[j].derived[i]);
    });
    const derived = [...headValues(terms, edge, values, functionValue).values()];
    const fact = { edge, values, premises, derived, height: 1 + Math.max(0, ...premises.map(p => p.height)) };
    facts.add(fact);
    return fact;
  };
  return { steps: facts.stepsOf(factOf(root)), functionValue };
}

/** Of facts that say the same, the one with the least height counts; so there is no way round in a circle. */
class Facts {
  private readonly least = new Map<Location | Query, Map<string, Fact>>();

  add(fact: Fact): void {
    const known = this.least.get(fact.edge.head) ?? new Map<string, Fact>();
    this.least.set(fact.edge.head, known);
    const same = known.get(keyOf(fact));
    if (same === undefined || fact.height < same.height) known.set(keyOf(fact), fact);
  }

  /** What a fact rests on and itself, each once. */
  stepsOf(last: Fact): Step[] {
    const steps: Step[] = [];
    const numbers = new Map<Fact, number>();
    const add = (same: Fact): number => {
      const fact = this.least.get(same.edge.head)?.get(keyOf(same)) as Fact;
      const known = numbers.get(fact);
      if (known !== undefined) return known;
      const premises = fact.premises.map(add);
      const number = steps.push({ edge: fact.edge, values: fact.values, premises }) - 1;
      numbers.set(fact, number);
      return number;
    };
    add(last);
    return steps;
  }
}

function keyOf({ derived }: Fact): string {
  return derived.map(valueKey).join(' ');
}
