/**
 * The control of a problem as plain data, for those who draw it: program points, relations or the one node of a transition
 * system, what leads from where to where, and which way a violation takes.
 */
import type { Derivation } from '../core/problem/derivation.ts';
import { headOf, restrictedTo } from '../core/problem/problem.ts';
import type { ControlGraph } from './control-graph-data.ts';
import type { PropertyName, Question } from './question.ts';

/** Of what matters to one property; the derivation, if there is one, is of that property. */
export function controlGraph(
  { problem, words }: Question,
  { index }: PropertyName,
  derivation?: Derivation,
): ControlGraph {
  const { locations, edges } = restrictedTo(problem, index);
  const numberOf = new Map(locations.map((l, i) => [l, i]));
  const number = (l: (typeof locations)[number]) => numberOf.get(l) as number;
  const edgeNumber = new Map(edges.map((e, i) => [e, i]));
  return {
    nodes: locations.map(l => l.name),
    edges: edges.map(edge => {
      const head = headOf(edge);
      return {
        from: edge.sources.map(s => number(s.location)),
        to: head === undefined ? null : number(head),
        label: words.nameOf(edge),
      };
    }),
    path: (derivation?.steps ?? []).flatMap(s => edgeNumber.get(s.edge) ?? []),
  };
}
