/** The flat view of a problem as a transition system that can be written: everything in formulas. */
import type { TermId } from '../../term/store.ts';
import { type Edge, isQuery, type Problem } from './problem.ts';
import type { Property, System } from './system.ts';
import type { FlatView } from './transition-system.ts';

/** `properties`: what the queries are about. */
export function flatSystem(
  { system, problem }: FlatView,
  properties: readonly Pick<Property, 'index' | 'name'>[],
): System {
  const { terms, states, inputs, init, definitions, relations, constraints } = system;
  const equations = [...definitions].map(([v, body]) => terms.eq(v, body));
  return {
    terms,
    states,
    inputs,
    init: terms.and(init),
    trans: terms.and([...equations, ...relations]),
    constraints,
    properties: properties.map(({ index, name }) => ({ index, name, formula: holds(problem, index) })),
  };
}

/** That no query of a property can be had. */
function holds({ terms, edges }: Problem, property: number): TermId {
  const isOf = ({ head }: Edge) => isQuery(head) && head.property === property;
  const bad = edges.filter(isOf).map(e => e.guard);
  return bad.length === 0 ? terms.true : terms.not(terms.or(bad));
}
