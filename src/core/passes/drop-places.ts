/**
 * Places that need not be kept. Two kinds:
 *
 *   a place that neither a guard nor a place that matters depends on
 *   a place that every edge leaves to chance, with an input that says nothing else: whoever uses the place may as well
 *   choose its value when it is used, so that it becomes an input of the edges that leave the location. Systems whose
 *   inputs were made states or arguments get their inputs back
 */
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, evaluatorOf, type Step } from '../problem/derivation.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  isLinear,
  type Location,
  type Problem,
  type Source,
} from '../problem/problem.ts';
import { extrapolated, LISTED_ROUNDS, listedRounds } from '../problem/repetition.ts';
import { lemmasBack, type Pass, unchanged } from './pass.ts';

/** Drops what nothing depends on. */
export function dropUnusedPlaces(problem: Problem): Pass {
  const needed = neededPlaces(problem);
  return dropPlaces(
    problem,
    p => !needed.has(p),
    (derivation, originOf) => {
      // Values that were left out follow from those that were kept, step by step.
      const derived: ReadonlyMap<TermId, Value>[] = []; // of dropped places
      const steps = derivation.steps.map((step, number): Step => {
        const { edge, values, premises } = step;
        const origin = originOf(edge);
        const all = new Map<TermId, Value>(values);
        const listed = listedRounds(derivation.steps, number)?.map(j => derived[j - 1]);
        for (const [i, source] of origin.sources.entries()) {
          const fact = derived[premises[i]];
          enterFact(source, listed === undefined ? fact : afterRounds(problem, listed, step), all);
        }
        const evaluator = evaluatorOf(problem.terms, all, derivation.functionValue);
        const places = headOf(origin)?.places ?? [];
        const lost = places.flatMap((p, i) => (needed.has(p) ? [] : [[p, origin.values[i]] as const]));
        derived.push(new Map(lost.map(([p, value]) => [p, evaluator.value(value)])));
        return { ...step, edge: origin, values: all };
      });
      return { ...derivation, steps };
    },
  );
}

/** What has been dropped is the same polynomial in every round as in those that are listed; if not, the run fails its check. */
function afterRounds(
  { terms }: Problem,
  listed: readonly ReadonlyMap<TermId, Value>[],
  { skipped = 0n }: Step,
): Map<TermId, Value> {
  return new Map(
    [...listed[0]].map(([p, value]) => {
      const values = listed.map(fact => fact.get(p) ?? value);
      return [p, extrapolated(terms.sorts, terms.sort(p), values, skipped + LISTED_ROUNDS) ?? value];
    }),
  );
}

/** The values of a source's variables, given those of some of the location's places. */
function enterFact(
  { location, places }: Source,
  fact: ReadonlyMap<TermId, Value>,
  values: Map<TermId, Value>,
): void {
  location.places.forEach((p, i) => {
    const value = fact.get(p);
    if (value !== undefined) values.set(places[i], value);
  });
}

/** Makes inputs of what is left to chance. Only where derivations are runs: a fact has one use there. */
export function inputsFromPlaces(problem: Problem): Pass {
  if (!isLinear(problem)) return unchanged(problem);
  const chosen = chosenPlaces(problem);
  if (chosen.size === 0) return unchanged(problem);
  return dropPlaces(
    problem,
    p => chosen.has(p),
    (derivation, originOf) => {
      // The input of an edge has the value that the next step chooses for the place.
      const steps: Step[] = [];
      let next: ReadonlyMap<TermId, Value> = new Map();
      for (const step of [...derivation.steps].reverse()) {
        const origin = originOf(step.edge);
        const all = new Map(step.values);
        const evaluator = evaluatorOf(problem.terms, next, derivation.functionValue);
        headOf(origin)?.places.forEach((p, i) => {
          if (chosen.has(p)) all.set(origin.values[i], evaluator.value(p));
        });
        steps.push({ ...step, edge: origin, values: all });
        next = all;
      }
      return { ...derivation, steps: steps.reverse() };
    },
  );
}

function dropPlaces(
  problem: Problem,
  isDropped: (place: TermId) => boolean,
  back: (derivation: Derivation, originOf: (edge: Edge) => Edge) => Derivation,
): Pass {
  const { terms, locations } = problem;
  const smaller = new Map<Location, Location>(
    locations.map(l => {
      if (!l.places.some(isDropped)) return [l, l] as const;
      return [l, { ...l, places: l.places.filter(p => !isDropped(p)) }] as const;
    }),
  );
  if ([...smaller].every(([l, s]) => l === s)) return unchanged(problem);
  const smallerOf = (l: Location) => smaller.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const head = headOf(edge);
    const changed: Edge = {
      sources: edge.sources.map(({ location, places }) => ({
        location: smallerOf(location),
        places: places.filter((_, i) => !isDropped(location.places[i])),
      })),
      guard: edge.guard,
      head: head === undefined ? edge.head : smallerOf(head),
      values: head === undefined ? [] : edge.values.filter((_, i) => !isDropped(head.places[i])),
    };
    origins.set(changed, edge);
  }
  return {
    problem: { ...problem, locations: [...smaller.values()], edges: [...origins.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(locations.map(l => [l, proof.model.get(smallerOf(l)) as TermId])),
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: origins.get(e) as Edge }]),
      }),
      derivation: derivation => back(derivation, edge => origins.get(edge) as Edge),
      keepsSteps: true,
      joinsStates: true,
    },
  };
}

/** The places that guards depend on, directly or through other places. */
function neededPlaces({ terms, edges, locations }: Problem): Set<TermId> {
  const placesOf = new Map<TermId, Set<TermId>>(); // by variable: it may stand for one in this edge, for another in that
  for (const { sources } of edges) {
    for (const { location, places } of sources) {
      for (const [i, v] of places.entries())
        placesOf.set(v, (placesOf.get(v) ?? new Set()).add(location.places[i]));
    }
  }
  const sources = new Map<TermId, TermId[]>(); // by place, the terms that give it values
  for (const edge of edges) {
    headOf(edge)?.places.forEach((p, i) => {
      const known = sources.get(p);
      if (known === undefined) sources.set(p, [edge.values[i]]);
      else known.push(edge.values[i]);
    });
  }
  const needed = new Set<TermId>();
  const seen = new Set<TermId>();
  const stack: TermId[] = [];
  const need = (roots: readonly TermId[]) => {
    for (const t of terms.postorder(roots, seen)) {
      seen.add(t);
      if (!terms.isVariable(t)) continue;
      for (const place of placesOf.get(t) ?? [t]) {
        if (needed.has(place)) continue;
        needed.add(place);
        stack.push(place);
      }
    }
  };
  need([...edges.map(e => e.guard), ...locations.flatMap(l => l.constraints)]);
  for (let v = stack.pop(); v !== undefined; v = stack.pop()) need(sources.get(v) ?? []);
  return needed;
}

/** The places that every edge sets to an input that occurs nowhere else in it. */
export function chosenPlaces({ terms, edges }: Problem): Set<TermId> {
  const chosen = new Set<TermId>();
  const fixed = new Set<TermId>();
  for (const edge of edges) {
    const head = headOf(edge);
    if (head === undefined) continue;
    const free = freeInputs(terms, edge);
    head.places.forEach((p, i) => {
      (free.has(edge.values[i]) ? chosen : fixed).add(p);
    });
  }
  for (const p of fixed) chosen.delete(p);
  return chosen;
}

/** The inputs that occur once in an edge, as one of its values. */
function freeInputs(terms: TermStore, edge: Edge): Set<TermId> {
  const uses = new Map<TermId, number>();
  for (const v of edge.values) uses.set(v, (uses.get(v) ?? 0) + 1);
  const conditions = [edge.guard, ...edge.sources.flatMap(s => s.location.constraints)];
  const inside = new Set<TermId>(conditions);
  for (const t of terms.postorder([...conditions, ...edge.values])) {
    for (const a of terms.args(t)) inside.add(a);
  }
  return new Set(inputsOf(terms, edge).filter(v => uses.get(v) === 1 && !inside.has(v)));
}
