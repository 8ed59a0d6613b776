/**
 * Conditions that every edge into a location makes sure of become constraints of the location: what no edge can go on from
 * cannot be part of a derivation of a query. Circuits whose inputs were made states or arguments look so, if something is
 * assumed of the inputs:
 *
 *   R(x, y) ∧ c(x, y) ∧ c(f(x, y), y') ⇒ R(f(x, y), y')      becomes      R(x, y) ∧ c(x, y) ⇒ R(f(x, y), y')
 *
 * Now y' says nothing but what the next y is, so that it can be left to chance (`drop-places.ts`). Where nothing of that
 * sort is gained, conditions stay where they are.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import { mapped } from '../problem/derivation.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import {
  type Edge,
  headOf,
  isLinear,
  isOver,
  type Location,
  type Problem,
  placesTo,
  sourceOf,
  step,
} from '../problem/problem.ts';
import { chosenPlaces } from './drop-places.ts';
import { lemmasBack, type Pass, unchanged } from './pass.ts';

export function postponeConditions(problem: Problem, rewriter: Rewriter): Pass {
  if (!isLinear(problem)) return unchanged(problem);
  const { terms, locations } = problem;
  const guards = new Map(problem.edges.map(e => [e, conjunctsOf(rewriter, [rewriter.rewrite(e.guard)])]));
  const table = new EdgeTable(problem.edges);
  const postponed = new Map(locations.map(l => [l, conditionsOn(l, table, guards, rewriter)]));
  if ([...postponed.values()].every(conditions => conditions.length === 0)) return unchanged(problem);
  const postponedOf = (l: Location | undefined) => (l === undefined ? [] : (postponed.get(l) as TermId[]));
  const constrained = new Map(
    locations.map(l => {
      const own = postponedOf(l);
      return [l, own.length === 0 ? l : { ...l, constraints: [...l.constraints, ...own] }] as const;
    }),
  );
  const constrainedOf = (l: Location) => constrained.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const [source, head] = [sourceOf(edge), headOf(edge)];
    const said = new Set([...established(edge, postponedOf(head), rewriter), ...postponedOf(source)]);
    const changed: Edge = {
      sources: source === undefined ? [] : step(constrainedOf(source)),
      guard: terms.and((guards.get(edge) as TermId[]).filter(c => !said.has(c))),
      head: head === undefined ? edge.head : constrainedOf(head),
      values: edge.values,
    };
    origins.set(changed, edge);
  }
  const moved = { ...problem, locations: [...constrained.values()], edges: [...origins.keys()] };
  if (chosenPlaces(moved).size === chosenPlaces(problem).size) return unchanged(problem);
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  return {
    problem: moved,
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(
          locations.map(l => [
            l,
            terms.and([proof.model.get(constrainedOf(l)) as TermId, ...postponedOf(l)]),
          ]),
        ),
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: originOf(e) }]),
      }),
      derivation: derivation => mapped(derivation, ({ edge, values }) => ({ edge: originOf(edge), values })),
      keepsSteps: true,
    },
  };
}

/** What some edge from a location asks about its places, or a start says of them, and all edges into it see to. */
function conditionsOn(
  location: Location,
  table: EdgeTable,
  guards: ReadonlyMap<Edge, readonly TermId[]>,
  rewriter: Rewriter,
): TermId[] {
  const { terms } = rewriter;
  const places = new Set(location.places);
  const guardOf = (e: Edge) => guards.get(e) as readonly TermId[];
  const asked = table.outOf(location).flatMap(guardOf);
  for (const start of table.into(location).filter(e => e.sources.length === 0)) {
    const placeOf = new Map(start.values.map((v, i) => [v, location.places[i]]));
    asked.push(...substituteAll(terms, guardOf(start), placeOf).map(c => rewriter.rewrite(c)));
  }
  let conditions = [...new Set(asked)].filter(c => c !== terms.true && isOver(terms, c, places));
  for (const edge of table.into(location)) {
    const said = new Set(guards.get(edge));
    const images = established(edge, conditions, rewriter);
    conditions = conditions.filter((_, i) => said.has(images[i]) || images[i] === terms.true);
  }
  return conditions;
}

/** Conditions on the places of an edge's head, as they are about what the edge derives. */
function established(edge: Edge, conditions: readonly TermId[], rewriter: Rewriter): TermId[] {
  const head = headOf(edge);
  if (head === undefined || conditions.length === 0) return [];
  const images = substituteAll(rewriter.terms, conditions, placesTo(head, edge.values));
  return images.map(f => rewriter.rewrite(f));
}
