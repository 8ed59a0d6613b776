/**
 * Joins edges between the same two relations that give the same values: their guards become one disjunction. Two
 * clauses that say the same, up to what their inputs are called, become one.
 */
import type { TermId, TermStore } from '../term/store.ts';
import { substituteAll } from '../term/substitute.ts';
import type { Value } from '../term/value.ts';
import { type Edge, evaluatorOf, type HornGraph, inputsOf, type Pass } from './graph.ts';
import { isQuery } from './problem.ts';

/** An edge with its inputs renamed to those of other edges, the first of each sort to the same variable. */
interface Renamed {
  readonly edge: Edge;
  readonly origin: Edge;
  /** From the origin's inputs to the edge's. */
  readonly names: ReadonlyMap<TermId, TermId>;
}

export function mergeEdges(graph: HornGraph): Pass {
  const { terms } = graph;
  const pool = new InputPool(terms);
  const groups = new Map<string, Renamed[]>();
  const relationNumbers = new Map(graph.relations.map((r, i) => [r, i]));
  for (const origin of graph.edges) {
    const names = pool.names(inputsOf(terms, origin));
    const [guard, ...values] = substituteAll(terms, [origin.guard, ...origin.values], names);
    const edge: Edge = { ...origin, guard, values };
    const { body, head } = edge;
    const end = isQuery(head) ? `query ${head.query}` : `${relationNumbers.get(head)}`;
    const key = `${body === undefined ? '' : relationNumbers.get(body)} > ${end}: ${values.join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ edge, origin, names }]);
    else group.push({ edge, origin, names });
  }
  const origins = new Map<Edge, readonly Renamed[]>();
  for (const group of groups.values()) {
    const guards = [...new Set(group.map(r => r.edge.guard))];
    const isSame = guards.length === 1;
    origins.set(isSame ? group[0].edge : { ...group[0].edge, guard: terms.or(guards) }, group);
  }
  return {
    graph: { ...graph, edges: [...origins.keys()] },
    model: model => model,
    derivation: derivation =>
      derivation.map(({ edge, values }) => {
        const evaluator = evaluatorOf(terms, values);
        const group = origins.get(edge) as readonly Renamed[];
        const { origin, names } = group.find(r => evaluator.value(r.edge.guard) === true) ?? group[0];
        const all = new Map<TermId, Value>(values);
        for (const [input, name] of names) all.set(input, evaluator.value(name));
        return { edge: origin, values: all };
      }),
  };
}

/** Variables that stand for the inputs of all edges: the same for the first of a sort in each, and so on. */
class InputPool {
  private readonly terms: TermStore;
  private readonly bySort = new Map<number, TermId[]>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  names(inputs: readonly TermId[]): Map<TermId, TermId> {
    const { terms, bySort } = this;
    const used = new Map<number, number>();
    return new Map(
      inputs.map(input => {
        const sort = terms.sort(input);
        const pool = bySort.get(sort) ?? [];
        bySort.set(sort, pool);
        const number = used.get(sort) ?? 0;
        used.set(sort, number + 1);
        if (number === pool.length)
          pool.push(terms.variable(terms.symbol(terms.functionOf(input)).name, sort));
        return [input, pool[number]] as const;
      }),
    );
  }
}
