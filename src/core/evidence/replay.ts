/**
 * Executes once more what is said to be a violation, with operators as the standard defines them: every edge starts where the one before
 * it has led, and its guard holds. What comes of it is a derivation, for people to read. It need not list all steps
 * (problem/listing.ts); those that it does not list have been executed all the same.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { applyByDefinition } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, NO_FUNCTIONS, type Step } from '../problem/derivation.ts';
import type { Execution } from '../problem/execution.ts';
import type { Listing } from '../problem/listing.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  inputsOf,
  isQueryOf,
  type Location,
  type Problem,
  type QueriesOf,
  sourceOf,
} from '../problem/problem.ts';
import { isOfSort } from './of-sort.ts';

/** Against that of reading a token. */
const WORK_OF_A_STEP = 20;

/** A derivation of a query of the property, or what is wrong with the execution, in one sentence. */
export function* replayed(
  { terms, edges }: Problem,
  queries: QueriesOf,
  execution: Execution,
  listing: Listing,
  checkpoint: Checkpoint,
): Generator<undefined, Derivation | string> {
  const known = new Set(edges);
  const byDefinition = new Map<Edge, ByDefinition>();
  const steps: Step[] = [];
  let location: Location | undefined;
  let places: readonly Value[] = [];
  for (let i = 0; i < execution.edges.length; i++) {
    checkpoint.pass(WORK_OF_A_STEP);
    if (i % 4096 === 0) yield;
    const edge = execution.edges[i];
    const inputs = execution.inputs[i];
    let defined = byDefinition.get(edge);
    if (defined === undefined) {
      if (!known.has(edge)) return `step ${i}: the problem has no such edge`;
      byDefinition.set(edge, (defined = new ByDefinition(terms, edge)));
    }
    if (edge.sources.length > 1 || sourceOf(edge) !== location)
      return `step ${i} does not go on where the one before it led`;
    if (!defined.areInputs(inputs, places)) return `step ${i}: the values of its inputs are none`;
    if (listing.isListed(i)) {
      const values = defined.assignment(places, inputs);
      const skipped = listing.skipped(i);
      const premises = steps.length === 0 ? [] : [steps.length - 1];
      steps.push({ edge, values, premises, ...(skipped === undefined ? {} : { skipped }) });
    }
    const derived = defined.derived(places, inputs);
    if (derived === undefined) return `step ${i}: the guard is false`;
    location = headOf(edge);
    places = derived;
    if (execution.edges[i + 1] !== edge) defined.forget();
  }
  const last = execution.edges.at(-1)?.head;
  if (last === undefined || !isQueryOf(last, queries)) return 'the last step does not derive the query';
  return { steps, functionValue: NO_FUNCTIONS };
}

/** The terms of an edge, in an order in which they can be evaluated. */
class ByDefinition {
  private readonly terms: TermStore;
  private readonly variables: readonly TermId[];
  private readonly inputs: readonly TermId[];
  private readonly nodes: readonly TermId[]; // those that are no variables
  private readonly args: readonly (readonly number[])[]; // of the nodes, by number: variables come first
  private readonly conditions: readonly number[];
  private readonly results: readonly number[];
  private readonly values: Value[];

  constructor(terms: TermStore, edge: Edge) {
    this.terms = terms;
    this.inputs = inputsOf(terms, edge);
    this.variables = [...edge.sources.flatMap(s => s.places), ...this.inputs];
    const numbers = new Map(this.variables.map((v, i) => [v, i]));
    const conditions = conditionsOf(edge);
    this.nodes = terms.postorder([...conditions, ...edge.values]).filter(t => !numbers.has(t));
    for (const t of this.nodes) numbers.set(t, numbers.size);
    const numberOf = (t: TermId) => numbers.get(t) as number;
    this.args = this.nodes.map(t => terms.args(t).map(numberOf));
    this.conditions = conditions.map(numberOf);
    this.results = edge.values.map(numberOf);
    this.values = Array(numbers.size).fill(false);
  }

  /** Are these values of the inputs' sorts, where the places have values of theirs? */
  areInputs(values: readonly Value[], places: readonly Value[]): boolean {
    const { terms, inputs, variables } = this;
    const known = variables.slice(0, places.length);
    return (
      values.length === inputs.length &&
      inputs.every((v, i) => isOfSort(terms, v, values[i], known, (_, k) => places[k]))
    );
  }

  assignment(places: readonly Value[], inputs: readonly Value[]): Map<TermId, Value> {
    const given = [...places, ...inputs];
    return new Map(this.variables.map((v, i) => [v, given[i]]));
  }

  /** Lets go of old versions of arrays, which would keep all later ones alive. */
  forget(): void {
    this.values.fill(false);
  }

  /** The values of the head; undefined if a condition does not hold. */
  derived(places: readonly Value[], inputs: readonly Value[]): Value[] | undefined {
    const { terms, nodes, args, values, conditions, results } = this;
    let number = 0;
    for (const value of places) values[number++] = value;
    for (const value of inputs) values[number++] = value;
    for (let i = 0; i < nodes.length; i++) {
      const t = nodes[i];
      const own = args[i].map(a => values[a]);
      values[number++] = terms.op(t) === Op.BV_CONST ? terms.bvValue(t) : applyByDefinition(terms, t, own);
    }
    return conditions.every(c => values[c] === true) ? results.map(r => values[r]) : undefined;
  }
}
