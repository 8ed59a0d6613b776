/**
 * What a callee carries from where it begins to where it returns: its arguments, if the fact that it returns speaks of them. They
 * are what a call can be told about before the callee runs.
 */
import type { TermId } from '../../../term/store.ts';
import type { EdgeTable } from '../../problem/edge-table.ts';
import type { Edge, Location } from '../../problem/problem.ts';

/** For each location of a body, by number of a place of the callee: the number of the place that carries it. */
export type Carried = ReadonlyMap<Location, ReadonlyMap<number, number>>;

export function carriedPlaces(callee: Location, table: EdgeTable): Carried {
  const lost = new Set<number>();
  for (;;) {
    const carried = new Map([
      [callee, new Map(callee.places.flatMap((_, i) => (lost.has(i) ? [] : [[i, i]])))],
    ]);
    const before = lost.size;
    const waiting = new Set([callee]);
    for (const l of waiting) for (const edge of table.into(l)) passBack(edge, carried, waiting, lost);
    if (lost.size === before) return carried;
  }
}

/** What the source of an edge must carry if its head does. */
function passBack(
  { sources, head, values }: Edge,
  carried: Map<Location, Map<number, number>>,
  waiting: Set<Location>,
  lost: Set<number>,
): void {
  if (sources.length === 0) return;
  const { location, places } = sources[0];
  const known = carried.get(location);
  const own = known ?? new Map<number, number>();
  for (const [i, at] of carried.get(head as Location) as Map<number, number>) {
    const from = places.indexOf(values[at] as TermId);
    if (from < 0 || (known !== undefined && known.get(i) !== from)) lost.add(i);
    else own.set(i, from);
  }
  if (known !== undefined) return;
  carried.set(location, own);
  waiting.add(location);
}
