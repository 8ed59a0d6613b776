/**
 * Makes one location of many (dissertation section 4.2): a state says where it is, with a Boolean for each location, and has
 * values for the places of that location. At first it is nowhere; a start is a step from there. At most one of the
 * Booleans is on, which is said outright as a constraint, so that it need not be found out.
 *
 * Two things differ from the dissertation. Exactly one location is on after a step, and a place that the current location does
 * not use has a fixed value: 0, false, or an array of these. So a model of the many can be read off one of the one without
 * quantifiers: fix the location and the unused places. What an edge derives from a state of that shape is again a state
 * of that shape, so the model, which no step leaves, is one of the many, too.
 */
import { termOfValue } from '../../term/evaluator.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { defaultValue, type Step } from '../problem/derivation.ts';
import { atMostOne } from '../problem/exactly-one.ts';
import { type Edge, headOf, type Location, type Problem, sourceOf, step } from '../problem/problem.ts';
import { lemmasBack, type Pass } from './pass.ts';

/** Every edge has one source at most, and no place is of an uninterpreted sort, whose elements have no names. */
export function mergeLocations(problem: Problem): Pass {
  const { terms, locations, next } = problem;
  const booleanOf = new Map(locations.map(l => [l, terms.variable(l.name, terms.sorts.bool)]));
  const variables = [...new Set(locations.flatMap(l => l.places))];
  const unused = new Map(variables.map(v => [v, defaultTerm(terms, v)]));
  const isAt = (l: Location) => booleanOf.get(l) as TermId;
  const all: Location = {
    name: 'state',
    places: [...booleanOf.values(), ...variables],
    constraints: [
      ...atMostOne(terms, [...booleanOf.values()]),
      ...locations.flatMap(l => l.constraints.map(c => terms.or([terms.not(isAt(l)), c]))),
    ],
  };
  /** The state at a location with these values of its places. */
  const state = (l: Location | undefined, values: readonly TermId[]): Map<TermId, TermId> => {
    const found = new Map<TermId, TermId>(locations.map(k => [isAt(k), terms.bool(k === l)]));
    for (const [v, value] of unused) found.set(v, value);
    l?.places.forEach((p, i) => {
      found.set(p, values[i]);
    });
    return found;
  };
  const valuesAt = (l: Location | undefined, values: readonly TermId[]) => {
    const found = state(l, values);
    return all.places.map(p => found.get(p) as TermId);
  };
  const nowhere = terms.and([...booleanOf.values()].map(b => terms.not(b)));
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const [source, head] = [sourceOf(edge), headOf(edge)];
    // A query without a source can be had anywhere.
    const where = source === undefined ? (head === undefined ? terms.true : nowhere) : isAt(source);
    const merged: Edge = {
      sources: step(all),
      guard: terms.and([where, edge.guard]),
      head: head === undefined ? edge.head : all,
      values: head === undefined ? [] : valuesAt(head, edge.values),
    };
    origins.set(merged, edge);
  }
  // At first a state is nowhere, and its places may have any values.
  const start: Edge = {
    sources: [],
    guard: terms.true,
    head: all,
    values: [...locations.map(() => terms.false), ...variables.map(v => next.of(v))],
  };
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  return {
    problem: { ...problem, locations: [all], edges: [start, ...origins.keys()] },
    back: {
      proof: proof => {
        const formula = proof.model.get(all) as TermId;
        const lemmas = new Map(proof.lemmas);
        lemmas.delete(start);
        return {
          ...proof,
          model: new Map(locations.map(l => [l, substitute(terms, formula, state(l, l.places))])),
          lemmas: lemmasBack(terms, lemmas, edge => {
            const origin = originOf(edge);
            const [source, head] = [sourceOf(origin), headOf(origin)];
            const after = state(head, head?.places.map(p => next.of(p)) ?? []);
            const names = state(source, source?.places ?? []);
            for (const [v, t] of after) names.set(next.of(v), t);
            return [{ edge: origin, names }];
          }),
        };
      },
      derivation: derivation => {
        // A run of a problem with one location: each step rests on the one before it.
        const steps: Step[] = [];
        for (const step of derivation.steps) {
          if (step.edge === start) continue;
          const origin = originOf(step.edge);
          if (origin.sources.length === 0) steps.length = 0;
          steps.push({ ...step, edge: origin, premises: steps.length === 0 ? [] : [steps.length - 1] });
        }
        return { ...derivation, steps };
      },
      keepsSteps: false,
    },
  };
}

function defaultTerm(terms: TermStore, variable: TermId): TermId {
  const sort = terms.sort(variable);
  return termOfValue(terms, sort, defaultValue(terms.sorts, sort));
}
