/**
 * Accesses on their way down the trees of classes that are not tangled (rules R and D of Brummayer and
 * Biere). An access to a class stops at the nearest store below that has its index, and must agree with it,
 * or else arrives at the root of the tree, where all accesses of one index must agree.
 *
 * Sending every access down a chain of n stores would take n steps each. Instead the tree is walked once
 * from its root up, with a table of what is seen from the current class: the last store to each index, or
 * else the access that arrived at the root. When the walk is over, no store is left in the table, and it
 * holds what arrived at the root.
 */
import type { Clause } from './clause.ts';
import type { Conflicts } from './conflicts.ts';
import type { Access, ArrayGraph, Constant, Write } from './graph.ts';
import type { Scalar } from './reading.ts';

type Table = Map<Scalar, Access>;

export class Descent {
  /** By class, for the roots of trees: the accesses that arrived, by the value of their index. */
  readonly arrived: (ReadonlyMap<Scalar, Access> | undefined)[];
  private readonly graph: ArrayGraph;
  private readonly conflicts: Conflicts;
  private readonly depth: Int32Array; // by class, the distance from the root

  constructor(graph: ArrayGraph, conflicts: Conflicts) {
    this.graph = graph;
    this.conflicts = conflicts;
    this.depth = new Int32Array(graph.classCount);
    this.arrived = new Array(graph.classCount);
    for (let c = 0; c < graph.classCount; c++) {
      if (graph.isTangled[c] === 1 || graph.down[c].length === 0) this.arrived[c] = this.walk(c);
    }
  }

  /** Adds why an access reaches a class below it; returns the array of that class that it reaches first. */
  explain(clause: Clause, access: Access, c: number): number {
    let n = access.at;
    while (this.graph.classOf(n) !== c) n = this.stepDown(clause, n, access);
    return n;
  }

  /** Visits the tree above a root, each class after the one below it. */
  private walk(root: number): Table {
    const { graph } = this;
    const seen: Table = new Map();
    // A constant array that is tangled may have accesses from elsewhere; see spread.ts.
    const [constant] = graph.isTangled[root] === 1 ? [] : graph.constants[root];
    const path: { c: number; next: number; write?: Write; hidden?: Access | undefined }[] = [];
    this.visit(root, seen, constant);
    path.push({ c: root, next: 0 });
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const write = graph.up[frame.c][frame.next++];
      if (write === undefined) {
        if (frame.write !== undefined) restore(seen, frame.write.indexValue, frame.hidden);
        path.pop();
        continue;
      }
      const c = graph.classOf(write.at);
      if (graph.isTangled[c] === 1) continue;
      this.depth[c] = path.length;
      path.push({ c, next: 0, write, hidden: seen.get(write.indexValue) });
      seen.set(write.indexValue, write);
      this.visit(c, seen, constant);
    }
    return seen;
  }

  private visit(c: number, seen: Table, constant: Constant | undefined): void {
    for (const access of this.graph.accesses[c]) {
      const other = seen.get(access.indexValue);
      if (other !== undefined) {
        if (other.elementValue !== access.elementValue) this.addMeeting(access, other);
        continue;
      }
      seen.set(access.indexValue, access);
      if (constant !== undefined && constant.elementValue !== access.elementValue) {
        this.addConstant(access, constant);
      }
    }
  }

  /** Two accesses to one index that differ where their ways down meet. */
  private addMeeting(p: Access, q: Access): void {
    const kind = p.kind === 'read' && q.kind === 'read' ? 'congruence' : 'readOverWrite';
    this.conflicts.add(kind, clause => {
      const { graph, depth } = this;
      let [m, n] = [p.at, q.at];
      while (graph.classOf(m) !== graph.classOf(n)) {
        if (depth[graph.classOf(m)] >= depth[graph.classOf(n)]) m = this.stepDown(clause, m, p);
        else n = this.stepDown(clause, n, q);
      }
      graph.equal.explain(clause, m, n);
      clause.givenEqual(p.index, q.index);
      clause.concludeEqual(p.element, q.element);
    });
  }

  private addConstant(access: Access, constant: Constant): void {
    const { graph } = this;
    this.conflicts.add('constantArray', clause => {
      const n = this.explain(clause, access, graph.classOf(constant.at));
      graph.equal.explain(clause, n, constant.at);
      clause.concludeEqual(access.element, constant.element);
    });
  }

  /** From an array to the one that its class's definition changes. */
  private stepDown(clause: Clause, n: number, access: Access): number {
    const write = this.graph.definition(this.graph.classOf(n)) as Write;
    this.graph.equal.explain(clause, n, write.at);
    clause.givenDifferent(access.index, write.index);
    return write.base;
  }
}

function restore(table: Table, key: Scalar, access: Access | undefined): void {
  if (access === undefined) table.delete(key);
  else table.set(key, access);
}
