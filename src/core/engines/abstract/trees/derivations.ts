/**
 * Edges with any number of sources as formulas: the uses of edges that derive a state of one location, or a query. An input
 * chooses one of the edges; its guard and its values count then, and the places of each of its sources are what stands for
 * them in that edge. Nothing is said of where facts come from: that is for the clauses of frames.
 */
import { exactlyOne } from '../../../problem/exactly-one.ts';
import type { Edge, Location, Problem } from '../../../problem/problem.ts';
import { choice, implication, parts, type Transitions } from '../../../problem/transitions.ts';

/** `head`: what the edges lead to; undefined if they are queries. */
export function derivationsBy(
  { terms, next }: Problem,
  edges: readonly Edge[],
  head: Location | undefined,
): Transitions {
  const cases = edges.map((edge, i) => ({ edge, selection: terms.variable(`act${i}`, terms.sorts.bool) }));
  const choosers = cases.map(c => c.selection);
  const definitions = new Map(
    cases.length === 0
      ? []
      : (head?.places ?? []).map(
          (p, i) => [next.of(p), choice(terms, cases, c => c.edge.values[i])] as const,
        ),
  );
  // A value that is nothing but the next variable is left to the guards.
  for (const [variable, value] of definitions) if (value === variable) definitions.delete(variable);
  const guards = cases.map(({ edge, selection }) => implication(terms, selection, edge.guard));
  return {
    // Where no facts are known, only edges without sources can be used.
    init: cases.filter(c => c.edge.sources.length > 0).map(c => terms.not(c.selection)),
    definitions,
    relations: parts(terms, [terms.or(choosers), ...exactlyOne(terms, choosers), ...guards]),
    constraints: [],
    bad: terms.false,
    steps: cases,
    queries: [],
    choices: [choosers],
    sources: [...new Set(edges.flatMap(e => e.sources.map(s => s.location)))],
  };
}
