/**
 * Makes each edge simpler on its own: equations of the guard are solved for inputs, so that the values of the head
 * become terms over the places of the body where they can, and edges whose guard is false are dropped, as are those
 * that derive only what they start from.
 */

import type { EquationSolver } from '../bv/preprocess/equation-solver.ts';
import type { Definition } from '../bv/preprocess/substitution.ts';
import type { TermId } from '../term/store.ts';
import type { Value } from '../term/value.ts';
import { type Edge, evaluatorOf, type HornGraph, type Pass } from './graph.ts';

interface Origin {
  readonly edge: Edge;
  readonly definitions: readonly Definition[];
}

export function simplifyEdges(graph: HornGraph, solver: EquationSolver): Pass {
  const { terms } = graph;
  const origins = new Map<Edge, Origin>();
  for (const edge of graph.edges) {
    const places = new Set(edge.body?.places);
    const solved = solver.solve([edge.guard], v => !places.has(v), edge.values);
    const simple: Edge = {
      ...edge,
      guard: solver.rewriter.rewrite(terms.and(solved.formulas)),
      values: solved.images,
    };
    if (simple.guard === terms.false || derivesNothingNew(simple)) continue;
    origins.set(simple, { edge, definitions: solved.definitions });
  }
  return {
    graph: { ...graph, edges: [...origins.keys()] },
    model: model => model,
    derivation: derivation =>
      derivation.map(({ edge, values }) => {
        const origin = origins.get(edge) as Origin;
        const all = new Map<TermId, Value>(values);
        const evaluator = evaluatorOf(terms, all);
        for (const { variable, body } of origin.definitions) all.set(variable, evaluator.value(body));
        return { edge: origin.edge, values: all };
      }),
  };
}

function derivesNothingNew({ body, head, values }: Edge): boolean {
  return body !== undefined && body === head && body.places.every((place, i) => values[i] === place);
}
