/**
 * What must be unsatisfiable for a proof to be one: a condition for each edge, that it does not lead out of the model, or
 * that the query cannot be had; and one for each lemma, whose negation has no model.
 *
 * Where the model is one for all values of bound variables, an edge leads to a state of which the formula is false for some of these,
 * of which nothing is known: variables that are new to the edge. Of its sources it assumes the instances that the proof names.
 *
 * Where it is one for some values, what stands for the values in the sources is new to the edge, and the head's are the witnesses that the
 * proof names.
 *
 * A k-inductive proof of a problem with one location has other conditions in the place of the queries': that there is no
 * violation in fewer than k steps from a start, and that k steps without a violation, from anywhere in the model and
 * through different states, are followed by none. A shortest run with a violation would be a counterexample to one of these.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import {
  type Edge,
  conditionsOf as edgeConditions,
  headOf,
  inputsOf,
  isQuery,
  type Location,
  type Problem,
  placesTo,
} from '../problem/problem.ts';
import { boundOf, type Proof } from '../problem/proof.ts';

export interface Condition {
  readonly kind: 'edge' | 'base' | 'step';
  /** The edge that it is about. */
  readonly edge: Edge | undefined;
  /** These together have no model: what the problem says, and what the model says. */
  readonly ofProblem: readonly TermId[];
  readonly ofModel: readonly TermId[];
  /** What may be assumed besides: that the state which is led to satisfies its constraints, with some inputs. */
  readonly ofHead: readonly TermId[];
  /** Instances of lemmas, which are valid. */
  readonly lemmas: readonly TermId[];
}

export function conditionsOf(problem: Problem, proof: Proof): Condition[] {
  const isInductive = proof.k === 0;
  const edges = problem.edges.filter(e => isInductive || !isViolation(e));
  const ofEdges = edges.map(edge => edgeCondition(problem, proof, edge));
  return isInductive ? ofEdges : [...ofEdges, ...new KInduction(problem, proof).conditions()];
}

/** Does it end a run, in some state? A query that needs no state has a condition of its own, whatever k is. */
function isViolation({ sources, head }: Edge): boolean {
  return isQuery(head) && sources.length > 0;
}

function edgeCondition({ terms, next }: Problem, proof: Proof, edge: Edge): Condition {
  const { model, forAll, exists, lemmas } = proof;
  const head = headOf(edge);
  const modelAt = (l: Location, args: readonly TermId[], instance: readonly TermId[] = []) => {
    const images = placesTo(l, args);
    const bound = boundOf(proof, l);
    for (const [i, value] of instance.entries()) images.set(bound[i], value);
    return substituteAll(terms, [model.get(l) as TermId], images)[0];
  };
  const ofSources = edge.sources.flatMap(({ location, places }, i) => {
    if (boundOf(proof, location).length === 0) return [modelAt(location, places)];
    if (exists !== undefined) return [modelAt(location, places, exists.assumed.get(edge)?.[i])];
    const own = (forAll?.instances.get(edge) ?? []).filter(({ source }) => source === i);
    return own.map(({ values }) => modelAt(location, places, values));
  });
  const witnesses = exists?.witnesses.get(edge);
  const ofHead = head === undefined ? [] : [terms.not(modelAt(head, edge.values, witnesses))];
  const after = new Map((head?.places ?? []).map((p, i) => [next.of(p), edge.values[i]]));
  return {
    kind: 'edge',
    edge,
    ofProblem: edgeConditions(edge),
    ofModel: [...ofSources, ...ofHead],
    ofHead: head === undefined ? [] : constraintsAt(terms, head, edge.values),
    lemmas: substituteAll(terms, lemmas.get(edge) ?? [], after),
  };
}

/** The constraints of a location whose places have these values, with inputs of their own. */
function constraintsAt(terms: TermStore, location: Location, values: readonly TermId[]): TermId[] {
  const { constraints } = location;
  const images = placesTo(location, values);
  for (const t of terms.postorder(constraints)) {
    if (terms.isVariable(t) && !images.has(t)) images.set(t, copyOf(terms, t, 'after'));
  }
  return substituteAll(terms, constraints, images);
}

function copyOf(terms: TermStore, variable: TermId, suffix: string): TermId {
  const name = terms.nameOf(variable);
  return terms.variable(`${name}@${suffix}`, terms.sort(variable));
}

class KInduction {
  private readonly terms: TermStore;
  private readonly location: Location;
  private readonly starts: readonly Edge[];
  private readonly steps: readonly Edge[];
  private readonly queries: readonly Edge[];
  private readonly inputs: readonly TermId[];
  private readonly model: TermId;
  private readonly k: number;
  private readonly states: TermId[][] = []; // by step, the copies of the places
  private readonly choices: Map<TermId, TermId>[] = []; // by step, the copies of the inputs

  constructor({ terms, locations, edges }: Problem, { model, k }: Proof) {
    if (locations.length !== 1) throw new RangeError('a k-inductive proof is about one location');
    const [location] = locations;
    this.terms = terms;
    this.location = location;
    this.starts = edges.filter(e => e.sources.length === 0 && !isQuery(e.head));
    this.steps = edges.filter(e => e.sources.length > 0 && !isQuery(e.head));
    this.queries = edges.filter(isViolation);
    this.inputs = [...new Set([...this.steps, ...this.queries].flatMap(e => inputsOf(terms, e)))];
    this.model = model.get(location) as TermId;
    this.k = k;
    for (let i = 0; i <= k; i++) {
      this.states.push(location.places.map(p => copyOf(terms, p, String(i))));
      this.choices.push(new Map(this.inputs.map(y => [y, copyOf(terms, y, String(i))])));
    }
  }

  conditions(): Condition[] {
    const bases = Array.from({ length: this.k }, (_, i) => this.base(i));
    return [...bases, this.step()];
  }

  /** A violation after so many steps from a start. */
  private base(length: number): Condition {
    const path = Array.from({ length }, (_, i) => this.stepAt(i)).flat();
    return this.condition('base', [this.startAt(), ...path, ...this.violationAt(length)], []);
  }

  /** A violation after k steps without one, through different states of the model. */
  private step(): Condition {
    const { terms, k, model } = this;
    const path: TermId[] = [];
    const ofModel: TermId[] = [];
    for (let i = 0; i <= k; i++) {
      ofModel.push(this.at(model, i));
      if (i === k) break;
      path.push(...this.stepAt(i), terms.not(this.badAt(i)));
      for (let j = 0; j < i; j++) path.push(this.differ(i, j));
    }
    for (let j = 0; j < k; j++) path.push(this.differ(k, j));
    return this.condition('step', [...path, ...this.violationAt(k)], ofModel);
  }

  private condition(kind: 'base' | 'step', ofProblem: TermId[], ofModel: TermId[]): Condition {
    return { kind, edge: undefined, ofProblem, ofModel, ofHead: [], lemmas: [] };
  }

  /** A formula over places and inputs in a step. */
  private at(formula: TermId, step: number): TermId {
    const images = new Map(this.choices[step]);
    this.location.places.forEach((p, i) => {
      images.set(p, this.states[step][i]);
    });
    return substituteAll(this.terms, [formula], images)[0];
  }

  private startAt(): TermId {
    const { terms } = this;
    return terms.or(this.starts.map(e => terms.and([e.guard, ...this.equations(e.values, 0)])));
  }

  private stepAt(step: number): TermId[] {
    const { terms } = this;
    const taken = this.steps.map(e => {
      const values = e.values.map(v => this.at(v, step));
      return terms.and([this.at(e.guard, step), ...this.equations(values, step + 1)]);
    });
    return [...this.location.constraints.map(c => this.at(c, step)), terms.or(taken)];
  }

  private violationAt(step: number): TermId[] {
    return [...this.location.constraints.map(c => this.at(c, step)), this.badAt(step)];
  }

  private badAt(step: number): TermId {
    return this.terms.or(this.queries.map(q => this.at(q.guard, step)));
  }

  private equations(values: readonly TermId[], step: number): TermId[] {
    return values.map((v, i) => this.terms.eq(this.states[step][i], v));
  }

  private differ(i: number, j: number): TermId {
    const { terms, states } = this;
    return terms.or(states[i].map((v, n) => terms.not(terms.eq(v, states[j][n]))));
  }
}
