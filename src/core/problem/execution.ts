/**
 * A run as somebody would repeat it: which edges are taken one after the other, and with which inputs. Everything else follows by
 * evaluation. So a run of a million steps takes little room, and whoever does not believe it executes it once more
 * (evidence/replay.ts). Only of problems whose edges have at most one source, and without declared functions.
 */
import { Program } from '../../term/program.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, defaultValue, NO_FUNCTIONS, type Step } from './derivation.ts';
import { type Edge, inputsOf, placesOf } from './problem.ts';

export interface Execution {
  /** A start first, and a query in the end. */
  readonly edges: readonly Edge[];
  /** Of each step: the values of its edge's inputs, in the order of `inputsOf`. */
  readonly inputs: readonly (readonly Value[])[];
}

/** Steps that are changed at a time: what is known of each of them takes room. */
const CHUNK = 4096;

/**
 * The execution of one problem as one of another whose steps are the same: `back` makes a derivation of the one from one of the other,
 * step by step.
 */
export function* executionBack(
  terms: TermStore,
  { edges, inputs }: Execution,
  back: (derivation: Derivation) => Derivation,
): Generator<undefined, Execution> {
  const compiled = new Map<Edge, CompiledEdge>();
  const result: { edges: Edge[]; inputs: Value[][] } = { edges: [], inputs: [] };
  const inputsOfEdge = new Map<Edge, readonly TermId[]>();
  let places: readonly Value[] = [];
  for (let from = 0; from < edges.length; from += CHUNK) {
    yield;
    const steps: Step[] = [];
    for (let i = from; i < Math.min(from + CHUNK, edges.length); i++) {
      const edge = edges[i];
      let own = compiled.get(edge);
      if (own === undefined) compiled.set(edge, (own = new CompiledEdge(terms, edge)));
      steps.push({
        edge,
        values: own.assignment(places, inputs[i]),
        premises: i === from ? [] : [i - from - 1],
      });
      places = own.derived(places, inputs[i]);
      if (edges[i + 1] !== edge) own.forget();
    }
    for (const { edge, values } of back({ steps, functionValue: NO_FUNCTIONS }).steps) {
      let own = inputsOfEdge.get(edge);
      if (own === undefined) inputsOfEdge.set(edge, (own = inputsOf(terms, edge)));
      result.edges.push(edge);
      result.inputs.push(own.map(v => values.get(v) ?? defaultValue(terms.sorts, terms.sort(v))));
    }
  }
  return result;
}

class CompiledEdge {
  private readonly variables: readonly TermId[];
  private readonly program: Program;
  private readonly slots: readonly number[]; // of what is derived

  constructor(terms: TermStore, edge: Edge) {
    this.variables = [...placesOf(edge), ...inputsOf(terms, edge)];
    this.program = new Program(terms, this.variables);
    this.program.add(edge.values);
    this.slots = edge.values.map(v => this.program.slot(v));
  }

  assignment(places: readonly Value[], inputs: readonly Value[]): Map<TermId, Value> {
    const { variables } = this;
    const n = places.length;
    return new Map(variables.map((v, i) => [v, i < n ? places[i] : inputs[i - n]]));
  }

  forget(): void {
    this.program.forget();
  }

  derived(places: readonly Value[], inputs: readonly Value[]): readonly Value[] {
    const values = this.program.run(places, inputs);
    return this.slots.map(slot => values[slot]);
  }
}
