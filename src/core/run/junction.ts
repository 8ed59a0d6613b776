/** Edges among which a run decides, all from the same sources, compiled: which of them can be taken, and where it leads. */
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { conjuncts } from '../problem/conjuncts.ts';
import type { FunctionValue } from '../problem/derivation.ts';
import { conditionsOf, type Edge, inputsOf, type Location } from '../problem/problem.ts';
import { Formulas } from './formulas.ts';

/** What an edge asks for, one by one. */
interface Condition {
  /** Among all conditions of the junction. */
  readonly index: number;
  /** Among the inputs: those that it speaks of. */
  readonly inputs: readonly number[];
}

export class Junction {
  readonly sources: readonly Location[];
  readonly edges: readonly Edge[];
  /** Of all edges. */
  readonly inputs: readonly TermId[];
  /** By edge. */
  readonly conditions: readonly (readonly Condition[])[];
  readonly formulas: readonly TermId[];
  private readonly terms: TermStore;
  private readonly functionValue: FunctionValue;
  private readonly variables: readonly TermId[];
  private readonly guards: Formulas;
  private readonly heads = new Map<Edge, Formulas>();

  /** The edges have the same sources, with the same places. */
  constructor(terms: TermStore, edges: readonly Edge[], functionValue: FunctionValue) {
    this.terms = terms;
    this.edges = edges;
    this.functionValue = functionValue;
    const [{ sources }] = edges;
    this.sources = sources.map(s => s.location);
    this.inputs = [...new Set(edges.flatMap(e => inputsOf(terms, e)))].sort((a, b) => a - b);
    this.variables = [...sources.flatMap(s => s.places), ...this.inputs];
    const parts = edges.map(e => conditionsOf(e).flatMap(c => conjuncts(terms, c)));
    this.formulas = [...new Set(parts.flat())];
    const numbers = new Map(this.formulas.map((f, i) => [f, i]));
    const places = new Map(this.inputs.map((v, i) => [v, i]));
    const inputs = this.formulas.map(f => terms.postorder([f]).flatMap(t => places.get(t) ?? []));
    this.conditions = parts.map(own =>
      own.map(f => {
        const index = numbers.get(f) as number;
        return { index, inputs: inputs[index] };
      }),
    );
    this.guards = new Formulas(terms, this.variables, this.formulas, functionValue);
  }

  /** Do inputs decide which edges can be taken? */
  get isOpen(): boolean {
    return this.conditions.some(own => own.some(c => c.inputs.length > 0));
  }

  /** Which conditions hold, given the values of the sources' places. */
  evaluate(places: readonly Value[], inputs: readonly Value[]): Value[] {
    return this.guards.values([...places, ...inputs]);
  }

  /** The values that an edge derives. */
  derived(edge: Edge, places: readonly Value[], inputs: readonly Value[]): readonly Value[] {
    let head = this.heads.get(edge);
    if (head === undefined) {
      head = new Formulas(this.terms, this.variables, edge.values, this.functionValue);
      this.heads.set(edge, head);
    }
    return head.values([...places, ...inputs]);
  }

  /** The values of all variables, by variable. */
  assignment(places: readonly Value[], inputs: readonly Value[]): Map<TermId, Value> {
    const given = [...places, ...inputs];
    return new Map(this.variables.map((v, i) => [v, given[i]]));
  }
}
