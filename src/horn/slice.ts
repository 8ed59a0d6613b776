/**
 * Arguments that need not be kept. Two kinds:
 *
 *   a place that neither a guard nor a place that matters depends on
 *   a place that every edge leaves to chance, with an input that says nothing else: whoever uses the place may as well
 *   choose its value when it is used, so that it becomes an input of the edges that leave the relation. Systems whose
 *   inputs were made arguments get their inputs back
 */
import type { TermId, TermStore } from '../term/store.ts';
import type { Value } from '../term/value.ts';
import {
  type Derivation,
  type Edge,
  evaluatorOf,
  type HornGraph,
  headRelation,
  headValues,
  inputsOf,
  type Pass,
  type Step,
} from './graph.ts';
import type { Relation } from './problem.ts';

export function sliceArguments(graph: HornGraph): Pass {
  const needed = neededPlaces(graph);
  return dropPlaces(
    graph,
    p => !needed.has(p),
    (derivation, originOf) => {
      // Values that were left out follow from those that were kept, step by step.
      let state: ReadonlyMap<TermId, Value> = new Map();
      return derivation.map(step => {
        const edge = originOf(step.edge);
        const values = new Map([...state, ...step.values]);
        state = headValues(graph.terms, edge, values);
        return { edge, values };
      });
    },
  );
}

export function inputsFromArguments(graph: HornGraph): Pass {
  const chosen = chosenPlaces(graph);
  return dropPlaces(
    graph,
    p => chosen.has(p),
    (derivation, originOf) => {
      // The input of an edge has the value that the next step chooses for the place.
      const steps: Step[] = [];
      let next: ReadonlyMap<TermId, Value> = new Map();
      for (const step of [...derivation].reverse()) {
        const edge = originOf(step.edge);
        const values = new Map(step.values);
        const evaluator = evaluatorOf(graph.terms, next);
        headRelation(edge)?.places.forEach((p, i) => {
          if (chosen.has(p)) values.set(edge.values[i], evaluator.value(p));
        });
        steps.push({ edge, values });
        next = values;
      }
      return steps.reverse();
    },
  );
}

function dropPlaces(
  graph: HornGraph,
  isDropped: (place: TermId) => boolean,
  back: (derivation: Derivation, originOf: (edge: Edge) => Edge) => Derivation,
): Pass {
  const smaller = new Map(
    graph.relations.map(r => {
      if (!r.places.some(isDropped)) return [r, r] as const;
      return [r, { name: r.name, places: r.places.filter(p => !isDropped(p)) }] as const;
    }),
  );
  const origins = new Map<Edge, Edge>();
  for (const edge of graph.edges) {
    const head = headRelation(edge);
    const changed: Edge = {
      body: edge.body === undefined ? undefined : smaller.get(edge.body),
      guard: edge.guard,
      head: head === undefined ? edge.head : (smaller.get(head) as Relation),
      values: head === undefined ? [] : edge.values.filter((_, i) => !isDropped(head.places[i])),
    };
    origins.set(changed, edge);
  }
  return {
    graph: { terms: graph.terms, relations: [...smaller.values()], edges: [...origins.keys()] },
    model: model => new Map(graph.relations.map(r => [r, model.get(smaller.get(r) as Relation) as TermId])),
    derivation: derivation => back(derivation, edge => origins.get(edge) as Edge),
  };
}

/** The places that guards depend on, directly or through other places. */
function neededPlaces({ terms, edges }: HornGraph): Set<TermId> {
  const needed = new Set<TermId>();
  for (const t of terms.postorder(edges.map(e => e.guard))) if (terms.isVariable(t)) needed.add(t);
  const sources = new Map<TermId, TermId[]>(); // by place, the terms that give it values
  for (const edge of edges) {
    headRelation(edge)?.places.forEach((p, i) => {
      const known = sources.get(p);
      if (known === undefined) sources.set(p, [edge.values[i]]);
      else known.push(edge.values[i]);
    });
  }
  const seen = new Set<TermId>();
  const stack = [...needed];
  for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
    for (const t of terms.postorder(sources.get(v) ?? [], seen)) {
      seen.add(t);
      if (!terms.isVariable(t) || needed.has(t)) continue;
      needed.add(t);
      stack.push(t);
    }
  }
  return needed;
}

/** The places that every edge sets to an input that occurs nowhere else in it. */
export function chosenPlaces({ terms, edges }: HornGraph): Set<TermId> {
  const chosen = new Set<TermId>();
  const fixed = new Set<TermId>();
  for (const edge of edges) {
    const free = freeInputs(terms, edge);
    headRelation(edge)?.places.forEach((p, i) => {
      (free.has(edge.values[i]) ? chosen : fixed).add(p);
    });
  }
  for (const p of fixed) chosen.delete(p);
  return chosen;
}

/** The inputs that occur once in an edge, as one of its values. */
function freeInputs(terms: TermStore, edge: Edge): Set<TermId> {
  const inputs = new Set(inputsOf(terms, edge));
  const uses = new Map<TermId, number>();
  for (const v of edge.values) uses.set(v, (uses.get(v) ?? 0) + 1);
  const inside = new Set<TermId>();
  for (const t of terms.postorder([edge.guard, ...edge.values])) {
    for (const a of terms.args(t)) inside.add(a);
  }
  inside.add(edge.guard);
  return new Set([...uses.keys()].filter(v => inputs.has(v) && uses.get(v) === 1 && !inside.has(v)));
}
