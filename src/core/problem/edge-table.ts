/** Edges in order, and by their ends, so that nobody looks at all of them for one location. */
import { type Edge, headOf, type Location } from './problem.ts';

export class EdgeTable {
  readonly all = new Set<Edge>();
  private readonly byHead = new Map<Location, Set<Edge>>();
  private readonly bySource = new Map<Location, Set<Edge>>();

  constructor(edges: readonly Edge[]) {
    for (const edge of edges) this.add(edge);
  }

  add(edge: Edge): void {
    this.all.add(edge);
    const head = headOf(edge);
    if (head !== undefined) enter(this.byHead, head, edge);
    for (const { location } of edge.sources) enter(this.bySource, location, edge);
  }

  into(location: Location): Edge[] {
    return [...(this.byHead.get(location) ?? [])];
  }

  outOf(location: Location): Edge[] {
    return [...(this.bySource.get(location) ?? [])];
  }

  /** Removes the edges of a location. */
  remove(location: Location): void {
    for (const edge of [...this.into(location), ...this.outOf(location)]) {
      const head = headOf(edge);
      if (head !== undefined) this.byHead.get(head)?.delete(edge);
      for (const source of edge.sources) this.bySource.get(source.location)?.delete(edge);
      this.all.delete(edge);
    }
  }
}

function enter(table: Map<Location, Set<Edge>>, location: Location, edge: Edge): void {
  const known = table.get(location);
  if (known === undefined) table.set(location, new Set([edge]));
  else known.add(edge);
}
