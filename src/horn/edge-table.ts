/** Edges in order, and by their ends, so that nobody looks at all of them for one relation. */
import { type Edge, headRelation } from './graph.ts';
import type { Relation } from './problem.ts';

export class EdgeTable {
  readonly all = new Set<Edge>();
  private readonly byHead = new Map<Relation, Set<Edge>>();
  private readonly byBody = new Map<Relation, Set<Edge>>();

  constructor(edges: readonly Edge[]) {
    for (const edge of edges) this.add(edge);
  }

  add(edge: Edge): void {
    this.all.add(edge);
    const ends = [
      [this.byHead, headRelation(edge)],
      [this.byBody, edge.body],
    ] as const;
    for (const [table, relation] of ends) {
      if (relation === undefined) continue;
      const known = table.get(relation);
      if (known === undefined) table.set(relation, new Set([edge]));
      else known.add(edge);
    }
  }

  into(relation: Relation): Edge[] {
    return [...(this.byHead.get(relation) ?? [])];
  }

  outOf(relation: Relation): Edge[] {
    return [...(this.byBody.get(relation) ?? [])];
  }

  /** Removes the edges of a relation. */
  remove(relation: Relation): void {
    for (const edge of [...this.into(relation), ...this.outOf(relation)]) {
      const head = headRelation(edge);
      if (head !== undefined) this.byHead.get(head)?.delete(edge);
      if (edge.body !== undefined) this.byBody.get(edge.body)?.delete(edge);
      this.all.delete(edge);
    }
  }
}
