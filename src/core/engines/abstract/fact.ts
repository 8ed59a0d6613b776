/**
 * Uses of edges and facts. A use of an edge derives a state of its head from states of its sources; with something that
 * derives each of these it is a derivation, a tree: a run, where no edge has more than one source. A fact is a
 * derivation of which its head is known.
 *
 * A ground fact has values that bits have confirmed. It is true for good, whatever is learnt later, and it is shared: what is
 * a tree to the one who asks is a graph without cycles to the one who keeps it. Ground facts of locations that are sources
 * beside others are kept: they are the must summaries of Spacer (Komuravelli, Gurfinkel and Chaki, "SMT-Based Model
 * Checking for Recursive Programs", CAV 2014).
 */
import { termOfValue } from '../../../term/evaluator.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { type Derivation, evaluatorOf, type FunctionValue, type Step } from '../../problem/derivation.ts';
import type { Edge, Location, Source } from '../../problem/problem.ts';
import type { Cube } from './cube.ts';

/** A use of an edge in the abstraction. */
export interface Use {
  readonly edge: Edge;
  /** What is asked of each source, over the places of its location. */
  readonly asked: readonly Cube[];
  /** Over places of the sources, inputs and next variables; of a query, that it can be had. */
  readonly justification: readonly TermId[];
}

export interface Fact extends Use {
  /** What was asked for, over the places of the edge's head. */
  readonly cube: Cube;
  /** What derives each source; nothing derives an initial state, where runs begin in states. */
  readonly premises: readonly (Fact | undefined)[];
  /** So many edges one after the other lead to it. */
  readonly height: number;
  /** So many uses of edges it takes, each counted as often as it is needed. */
  readonly size: number;
  readonly ground?: Ground;
}

export interface Ground {
  /** Of all variables of the edge. */
  readonly values: ReadonlyMap<TermId, Value>;
  /** Of the head's places. */
  readonly derived: ReadonlyMap<TermId, Value>;
}

export function factOf(
  { edge, asked, justification }: Use,
  cube: Cube,
  premises: readonly (Fact | undefined)[],
  ground?: Ground,
): Fact {
  const height = 1 + Math.max(0, ...premises.map(p => p?.height ?? 0));
  const size = premises.reduce((sum, p) => sum + (p?.size ?? 0), 1);
  return { edge, asked, justification, cube, premises, height, size, ...(ground && { ground }) };
}

/** The ground facts that are known of each location. */
export class Facts {
  private readonly terms: TermStore;
  private readonly known = new Map<Location, Fact[]>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  get count(): number {
    return [...this.known.values()].reduce((sum, facts) => sum + facts.length, 0);
  }

  add(location: Location, fact: Fact): void {
    const known = this.known.get(location);
    if (known === undefined) this.known.set(location, [fact]);
    else known.push(fact);
  }

  /** One in these states that at most so many edges one after the other lead to. */
  within(location: Location, states: Cube, height: number): Fact | undefined {
    return this.known.get(location)?.find(fact => {
      if (fact.height > height || fact.ground === undefined) return false;
      const evaluator = evaluatorOf(this.terms, fact.ground.derived);
      return states.every(l => evaluator.value(l) === true);
    });
  }
}

/** That a variable has a value. */
export function valueLiteral(terms: TermStore, variable: TermId, value: Value): TermId {
  if (typeof value === 'boolean') return value ? variable : terms.not(variable);
  return terms.eq(termOfValue(terms, terms.sort(variable), value), variable);
}

/** What is known of a source that is a ground fact. */
export function knownOf(terms: TermStore, { location, places }: Source, fact: Fact | undefined): TermId[] {
  const derived = fact?.ground?.derived;
  if (derived === undefined) return [];
  return location.places.map((p, i) => valueLiteral(terms, places[i], derived.get(p) as Value));
}

/** A fact and all that it rests on, each once and after what it rests on itself. */
export function inOrder(fact: Fact): Fact[] {
  const all: Fact[] = [];
  const seen = new Set<Fact>();
  const stack = [{ fact, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { premises } = top.fact;
    if (top.next === premises.length) {
      all.push(top.fact);
      stack.pop();
      continue;
    }
    const premise = premises[top.next++];
    if (premise === undefined || seen.has(premise)) continue;
    seen.add(premise);
    stack.push({ fact: premise, next: 0 });
  }
  return all;
}

/** What ground facts derive, as evidence. */
export function derivationOf(fact: Fact, functionValue: FunctionValue): Derivation {
  const facts = inOrder(fact);
  const numbers = new Map<Fact | undefined, number>(facts.map((f, i) => [f, i]));
  const steps = facts.map(({ edge, premises, ground }): Step => {
    if (ground === undefined) throw new Error('a derivation rests on what bits have not confirmed');
    return { edge, values: ground.values, premises: premises.map(p => numbers.get(p) as number) };
  });
  return { steps, functionValue };
}
