/**
 * Joins edges between the same locations that give the same values: their guards become one disjunction. Two
 * edges that say the same, up to what their inputs are called, become one.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import {
  constraintInputs,
  type Edge,
  inputsOf,
  isQuery,
  type Location,
  type Problem,
} from '../problem/problem.ts';
import { lemmasBack, type Pass } from './pass.ts';

/** An edge with its inputs renamed to those of other edges, the first of each sort to the same variable. */
interface Renamed {
  readonly edge: Edge;
  readonly origin: Edge;
  /** From the origin's inputs to the edge's. */
  readonly names: ReadonlyMap<TermId, TermId>;
}

/** `keepsInputs`: an edge is to be left as it is. */
export function mergeEdges(problem: Problem, keepsInputs: (edge: Edge) => boolean = () => false): Pass {
  const { terms } = problem;
  const pool = new InputPool(terms);
  const groups = new Map<string, Renamed[]>();
  const numbers = new Map(problem.locations.map((l, i) => [l, i]));
  const given = new Map<Location, Set<TermId>>(problem.locations.map(l => [l, constraintInputs(terms, l)]));
  const kept = new Set(problem.edges.filter(keepsInputs));
  for (const origin of problem.edges) {
    if (kept.has(origin)) continue;
    const isGiven = (v: TermId) => origin.sources.some(s => given.get(s.location)?.has(v));
    const names = pool.names(inputsOf(terms, origin).filter(v => !isGiven(v)));
    const [guard, ...values] = substituteAll(terms, [origin.guard, ...origin.values], names);
    const edge: Edge = { ...origin, guard, values };
    const { sources, head } = edge;
    const start = sources.map(s => [numbers.get(s.location), ...s.places].join(' ')).join(', ');
    const end = isQuery(head) ? `query ${head.property}` : `${numbers.get(head)}`;
    const key = `${start} > ${end}: ${values.join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ edge, origin, names }]);
    else group.push({ edge, origin, names });
  }
  const origins = new Map<Edge, readonly Renamed[]>();
  for (const edge of kept) origins.set(edge, [{ edge, origin: edge, names: new Map() }]);
  for (const group of groups.values()) {
    const guards = [...new Set(group.map(r => r.edge.guard))];
    const isSame = guards.length === 1;
    origins.set(isSame ? group[0].edge : { ...group[0].edge, guard: terms.or(guards) }, group);
  }
  const groupOf = (edge: Edge) => origins.get(edge) as readonly Renamed[];
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        lemmas: lemmasBack(terms, proof.lemmas, edge =>
          groupOf(edge).map(({ origin, names }) => ({
            edge: origin,
            names: new Map([...names].map(([input, name]) => [name, input])),
          })),
        ),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const group = groupOf(edge);
          if (group.length === 1 && group[0].names.size === 0) return { edge: group[0].origin, values };
          const evaluator = evaluatorOf(terms, values, derivation.functionValue);
          const { origin, names } = group.find(r => evaluator.value(r.edge.guard) === true) ?? group[0];
          const all = new Map<TermId, Value>(values);
          for (const [input, name] of names) all.set(input, evaluator.value(name));
          return { edge: origin, values: all };
        }),
      keepsSteps: true,
    },
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
        if (number === pool.length) pool.push(terms.variable(terms.nameOf(input), sort));
        return [input, pool[number]] as const;
      }),
    );
  }
}
