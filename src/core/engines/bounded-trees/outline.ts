/**
 * What is known of derivation trees before any of them is unfolded: how high a tree must be at least, and which locations are
 * of one family. Edges with a single source connect a family, as the points of one function are; what a call returns is of
 * another one, unless the function calls itself. In trees with one shape, places of the same family are merged (unfolding.ts).
 */
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, isQuery, type Location, type Problem } from '../../problem/problem.ts';

export class Outline {
  private readonly edges: EdgeTable;
  private readonly queries: readonly Edge[];
  private readonly heights = new Map<Location, number>();
  private readonly families = new Map<Location, number>();

  constructor(problem: Problem) {
    this.edges = new EdgeTable(problem.edges);
    this.queries = problem.edges.filter(e => isQuery(e.head));
    this.findHeights(problem);
    this.findFamilies(problem);
  }

  /** The edges that derive a location, or the query, and can be part of a tree. */
  into(location: Location | undefined): Edge[] {
    const all = location === undefined ? this.queries : this.edges.into(location);
    return all.filter(e => this.heightOf(e) < Number.POSITIVE_INFINITY);
  }

  /** So many edges one above the other has each tree that derives a location, or the query, at least. */
  height(location: Location | undefined): number {
    if (location !== undefined) return this.heights.get(location) ?? Number.POSITIVE_INFINITY;
    return Math.min(Number.POSITIVE_INFINITY, ...this.queries.map(e => this.heightOf(e)));
  }

  family(location: Location): number {
    return this.families.get(location) as number;
  }

  private heightOf({ sources }: Edge): number {
    return 1 + Math.max(0, ...sources.map(s => this.height(s.location)));
  }

  private findHeights({ edges }: Problem): void {
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const edge of edges) {
        const head = headOf(edge);
        const height = this.heightOf(edge);
        if (head === undefined || height >= this.height(head)) continue;
        this.heights.set(head, height);
        isNew = true;
      }
    }
  }

  private findFamilies({ locations }: Problem): void {
    locations.forEach((first, family) => {
      if (this.families.has(first)) return;
      const open = [first];
      for (let l = open.pop(); l !== undefined; l = open.pop()) {
        if (this.families.has(l)) continue;
        this.families.set(l, family);
        const around = [...this.edges.into(l), ...this.edges.outOf(l)].filter(e => e.sources.length === 1);
        open.push(...around.flatMap(e => [e.sources[0].location, headOf(e) ?? l]));
      }
    });
  }
}
