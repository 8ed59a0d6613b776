/** Places whose value is given at the beginning and copied ever after. */
import type { TermId } from '../../term/store.ts';
import { EdgeTable } from './edge-table.ts';
import { isQuery, type Location, type Problem } from './problem.ts';

/** All places, less what turns out to be otherwise. */
export function frozenPlaces({ locations, edges }: Problem): Map<Location, Set<TermId>> {
  const table = new EdgeTable(edges);
  const frozen = new Map(locations.map(l => [l, new Set(l.places)]));
  const waiting = new Set(locations);
  for (const location of waiting) {
    waiting.delete(location);
    const own = frozen.get(location) as Set<TermId>;
    const before = own.size;
    for (const { sources, values } of table.into(location)) {
      if (sources.length === 0) continue;
      const copied = new Set(
        sources.flatMap(s => s.places.filter((_, i) => frozen.get(s.location)?.has(s.location.places[i]))),
      );
      for (const [i, place] of location.places.entries()) if (!copied.has(values[i])) own.delete(place);
    }
    if (own.size < before) for (const e of table.outOf(location)) if (!isQuery(e.head)) waiting.add(e.head);
  }
  return frozen;
}
