/**
 * Which functions of a problem can be waited for, and where they are called. A problem knows no functions, only facts and
 * what they are derived from; but where every edge has at most one call, the first sources of edges tell what belongs
 * together: a callee's body is what leads to it from starts by first sources, and edges have one caller if first
 * sources connect them.
 */
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';

export interface Callee {
  /** Where it has returned. */
  readonly location: Location;
  readonly body: ReadonlySet<Location>;
  /** The edges of one caller that call it. */
  readonly calls: readonly Edge[];
}

/** A callee, with one of its callers, that does not call itself and in whose body nothing is called any more that could be waited for. */
export function nextCallee(problem: Problem): Callee | undefined {
  const { edges } = problem;
  const table = new EdgeTable(edges);
  const called = new Set(edges.flatMap(e => callOf(e) ?? []));
  const waitable = new Set([...called].filter(f => !dependsOnItself(table, f)));
  for (const location of waitable) {
    const body = bodyOf(table, location);
    if ([...body].some(l => table.into(l).some(e => waitable.has(callOf(e) as Location)))) continue;
    const components = componentsOf(problem);
    const all = edges.filter(e => callOf(e) === location);
    const caller = components(all[0].sources[0].location);
    return { location, body, calls: all.filter(e => components(e.sources[0].location) === caller) };
  }
  return undefined;
}

function callOf({ sources }: Edge): Location | undefined {
  return sources[1]?.location;
}

/** Is it derived, by way of whatever, from itself as a call? Loops of its own body are no calls. */
function dependsOnItself(table: EdgeTable, callee: Location): boolean {
  const seen = new Set<Location>([callee]);
  for (const l of seen) {
    for (const { sources } of table.into(l)) {
      if (sources[1]?.location === callee) return true;
      for (const s of sources) seen.add(s.location);
    }
  }
  return false;
}

function bodyOf(table: EdgeTable, callee: Location): Set<Location> {
  const body = new Set([callee]);
  for (const l of body)
    for (const { sources } of table.into(l)) if (sources.length > 0) body.add(sources[0].location);
  return body;
}

/** What first sources connect, each named after one of its locations. */
function componentsOf({ locations, edges }: Problem): (location: Location) => Location {
  const parent = new Map(locations.map(l => [l, l]));
  const root = (l: Location): Location => {
    let at = l;
    for (let up = parent.get(at) as Location; up !== at; up = parent.get(at) as Location) {
      parent.set(at, parent.get(up) as Location);
      at = up;
    }
    return at;
  };
  for (const edge of edges) {
    const head = headOf(edge);
    if (head !== undefined && edge.sources.length > 0) parent.set(root(edge.sources[0].location), root(head));
  }
  return root;
}
