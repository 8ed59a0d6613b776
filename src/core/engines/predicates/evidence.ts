/** What IC3 over predicates has to show for its answers: a formula for each location, or a run. */
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { type Derivation, headValues, NO_FUNCTIONS, type Step } from '../../problem/derivation.ts';
import { negated } from '../../problem/literals.ts';
import { headOf, inputsOf, type Location } from '../../problem/problem.ts';
import type { Cube } from '../ic3/literal-cube.ts';
import type { ProvedClause } from '../proved.ts';
import type { Domain } from './domain.ts';
import type { PredicateState } from './queries.ts';

/** What holds of each location where these cubes are excluded, some of which another engine's clauses may be needed for. */
export function clausesOf(
  domain: Domain,
  cubes: readonly Cube[],
  proved: readonly ProvedClause[],
): Map<Location, Set<TermId>> {
  const { terms } = domain;
  const clauses = new Map<Location, Set<TermId>>(domain.locations.map(l => [l, new Set()]));
  for (const cube of cubes) {
    const own = Array.from(cube.literals).filter(l => !domain.isLocation(l));
    clauses
      .get(domain.locationOf(cube) as Location)
      ?.add(terms.or(own.map(l => negated(terms, domain.formula(l)))));
  }
  for (const { location, cube } of proved)
    clauses.get(location)?.add(terms.or(cube.map(f => negated(terms, f))));
  return clauses;
}

/** The run along states each of whose regions leads into the next one: edges and inputs are theirs, places follow. */
export function derivationOf({ terms }: Domain, path: readonly PredicateState[]): Derivation {
  const steps: Step[] = [];
  let state = new Map<TermId, Value>();
  for (const { edge, values } of path) {
    const all = new Map(state);
    for (const v of inputsOf(terms, edge)) all.set(v, values.get(v) as Value);
    steps.push({ edge, values: all, premises: edge.sources.length === 0 ? [] : [steps.length - 1] });
    if (headOf(edge) !== undefined) state = headValues(terms, edge, all, NO_FUNCTIONS);
  }
  return { steps, functionValue: NO_FUNCTIONS };
}
