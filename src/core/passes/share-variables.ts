/**
 * Lets locations share variables. A state is at one location only, so the places of different locations may be called the
 * same: a place takes the variable of the place that most edges copy it from, if it is still free, as the variables of a
 * program keep their names from one location to the next. What is learnt of a variable at one location can then be used
 * at the others.
 */
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { mapped } from '../problem/derivation.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import {
  type Edge,
  headOf,
  isLinear,
  type Location,
  type Problem,
  sourceOf,
  step,
} from '../problem/problem.ts';
import { lemmasBack, type Pass, unchanged } from './pass.ts';

/** By place of a location, in the order of these. */
type Variables = ReadonlyMap<TermId, TermId>;

const NONE: Variables = new Map();

export function shareVariables(problem: Problem): Pass {
  const { terms, locations, next } = problem;
  if (locations.length < 2 || !isLinear(problem)) return unchanged(problem);
  const variablesOf = assignVariables(problem);
  const imagesAt = (l: Location | undefined) => (l === undefined ? NONE : (variablesOf.get(l) as Variables));
  const renamed = new Map<Location, Location>(
    locations.map(l => {
      const images = imagesAt(l);
      return [
        l,
        {
          name: l.name,
          places: [...images.values()],
          constraints: substituteAll(terms, l.constraints, images),
        },
      ];
    }),
  );
  const renamedOf = (l: Location) => renamed.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const [source, head] = [sourceOf(edge), headOf(edge)];
    const [guard, ...values] = substituteAll(terms, [edge.guard, ...edge.values], imagesAt(source));
    const changed: Edge = {
      sources: source === undefined ? [] : step(renamedOf(source)),
      guard,
      head: head === undefined ? edge.head : renamedOf(head),
      values,
    };
    origins.set(changed, edge);
  }
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  const backAt = (l: Location | undefined) => [...imagesAt(l)].map(([p, v]) => [v, p] as const);
  return {
    problem: { ...problem, locations: [...renamed.values()], edges: [...origins.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(
          locations.map(l => {
            const formula = proof.model.get(renamedOf(l)) as TermId;
            return [l, substituteAll(terms, [formula], new Map(backAt(l)))[0]];
          }),
        ),
        lemmas: lemmasBack(terms, proof.lemmas, edge => {
          const origin = originOf(edge);
          const after = backAt(headOf(origin)).map(([v, p]) => [next.of(v), next.of(p)] as const);
          return [{ edge: origin, names: new Map([...backAt(sourceOf(origin)), ...after]) }];
        }),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const origin = originOf(edge);
          const all = new Map<TermId, Value>(values);
          for (const [v, p] of backAt(sourceOf(origin))) {
            const value = values.get(v);
            if (value !== undefined) all.set(p, value);
          }
          return { edge: origin, values: all };
        }),
      keepsSteps: true,
    },
  };
}

/** A variable for each place of each location: places of one location never share one. */
function assignVariables({ terms, locations, edges }: Problem): Map<Location, Variables> {
  const variables: TermId[] = [];
  const all = new Map<Location, Variables>();
  const table = new EdgeTable(edges);
  for (const location of breadthFirst(locations, edges)) {
    const free = new Set(variables);
    const of = new Map<TermId, TermId>();
    const wishes = wishesOf(location, table.into(location), all);
    for (const [place, variable] of wishes) {
      if (of.has(place) || !free.delete(variable)) continue;
      of.set(place, variable);
    }
    for (const place of location.places) {
      if (of.has(place)) continue;
      const variable = firstOfSort(terms, free, terms.sort(place)) ?? newVariable(terms, place, variables);
      free.delete(variable);
      of.set(place, variable);
    }
    all.set(location, new Map(location.places.map(p => [p, of.get(p) as TermId])));
  }
  return all;
}

/** Locations in the order in which derivations reach them. */
function breadthFirst(locations: readonly Location[], edges: readonly Edge[]): Set<Location> {
  const order = new Set<Location>();
  const successors = new Map<Location, Location[]>();
  for (const e of edges) {
    const [source, head] = [sourceOf(e), headOf(e)];
    if (head === undefined) continue;
    if (source === undefined) order.add(head);
    else if (successors.get(source)?.push(head) === undefined) successors.set(source, [head]);
  }
  for (const l of order) for (const next of successors.get(l) ?? []) order.add(next);
  for (const l of locations) order.add(l);
  return order;
}

/** The places of a location with the variables that edges copy into them, most frequent ones first. */
function wishesOf(
  location: Location,
  edges: readonly Edge[],
  all: ReadonlyMap<Location, Variables>,
): (readonly [place: TermId, variable: TermId])[] {
  const votes = new Map<string, { place: TermId; variable: TermId; count: number }>();
  for (const edge of edges) {
    const source = sourceOf(edge);
    const known = source === undefined ? undefined : all.get(source);
    location.places.forEach((place, i) => {
      const variable = known?.get(edge.values[i]);
      if (variable === undefined) return;
      const key = `${place} ${variable}`;
      const vote = votes.get(key);
      if (vote === undefined) votes.set(key, { place, variable, count: 1 });
      else vote.count++;
    });
  }
  return [...votes.values()].sort((a, b) => b.count - a.count).map(v => [v.place, v.variable]);
}

function firstOfSort(terms: TermStore, variables: Iterable<TermId>, sort: SortId): TermId | undefined {
  for (const v of variables) if (terms.sort(v) === sort) return v;
  return undefined;
}

function newVariable(terms: TermStore, place: TermId, variables: TermId[]): TermId {
  const variable = terms.another(place);
  variables.push(variable);
  return variable;
}
