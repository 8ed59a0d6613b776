/**
 * Instances for a model with bound variables whose maker has not said which ones edges need: the bound variables themselves, and
 * what an edge reads arrays at, or computes that from. They are guesses: an instance is never wrong, only of no use.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { conditionsOf, type Edge, type Location, type Problem } from './problem.ts';
import type { Instance, Quantified } from './proof.ts';

/** Of one edge and one source. */
const MAX_INSTANCES = 64;

export function withGuessedInstances(
  { terms, edges }: Problem,
  bound: ReadonlyMap<Location, readonly TermId[]>,
): Quantified {
  const instancesOf = (edge: Edge) =>
    edge.sources.flatMap(({ location }, source) => {
      const own = bound.get(location) ?? [];
      return own.length === 0 ? [] : guesses(terms, edge, own).map(values => ({ source, values }));
    });
  return { bound, instances: new Map<Edge, readonly Instance[]>(edges.map(e => [e, instancesOf(e)])) };
}

function guesses(terms: TermStore, edge: Edge, bound: readonly TermId[]): TermId[][] {
  const found = new Set<TermId>();
  for (const t of terms.postorder([...conditionsOf(edge), ...edge.values])) {
    if (terms.op(t) !== Op.SELECT && terms.op(t) !== Op.STORE) continue;
    const index = terms.arg(t, 1);
    found.add(index);
    for (const v of terms.postorder([index])) if (terms.isVariable(v)) found.add(v);
  }
  let tuples: TermId[][] = [[]];
  for (const v of bound) {
    const values = [v, ...[...found].filter(t => terms.sort(t) === terms.sort(v))];
    tuples = tuples.flatMap(tuple => values.map(t => [...tuple, t])).slice(0, MAX_INSTANCES);
  }
  return tuples;
}
