/**
 * Accesses among tangled classes, where they travel down and up (rules D and U of Brummayer and Biere) until
 * every class knows what it holds at each index that its part of the graph speaks of. A class has at most
 * one access for each index value; a second one that comes there stops, and must agree.
 *
 * When nothing disagrees, two tangled classes that a store connects know the same indices, but for the
 * store's own, and hold the same there; so with one default for the rest the store is right everywhere.
 *
 * Index values do not concern each other, so they are taken one by one, in columns that serve them all; only
 * what the model needs is kept.
 */
import type { Clause } from './clause.ts';
import type { Conflicts, LemmaKind } from './conflicts.ts';
import type { Descent } from './descent.ts';
import type { Access, ArrayGraph, Constant, Write } from './graph.ts';
import type { Scalar } from './reading.ts';

const NONE = -1;

/** An access and a tangled class that it has come to, by crossing a store unless it started there. */
interface Visit {
  readonly access: Access;
  readonly c: number;
  readonly from: number; // the class before, or NONE
  readonly crossed: Write | undefined;
}

export class Spread {
  /** By class, for tangled ones that are to be remembered: the elements it holds, by index. */
  readonly known: (ReadonlyMap<Scalar, Scalar> | undefined)[];
  private readonly graph: ArrayGraph;
  private readonly descent: Descent;
  private readonly conflicts: Conflicts;
  // For the index at hand, by class:
  private readonly round: Int32Array; // whether it was visited: the number of the last index that was
  private readonly from: Int32Array; // the class from which it was visited, or NONE
  private readonly access: Access[] = [];
  private readonly crossed: (Write | undefined)[] = [];
  private readonly queue: number[] = [];

  constructor(graph: ArrayGraph, descent: Descent, extra: readonly Access[], conflicts: Conflicts) {
    this.graph = graph;
    this.descent = descent;
    this.conflicts = conflicts;
    this.round = new Int32Array(graph.classCount);
    this.from = new Int32Array(graph.classCount);
    this.known = Array.from({ length: graph.classCount }, (_, c) =>
      graph.isTangled[c] === 1 && graph.isBase[c] === 1 ? new Map() : undefined,
    );
    let round = 0;
    for (const starts of this.startsByIndex(extra)) {
      if (conflicts.isFull) break;
      this.spread(starts, ++round);
    }
  }

  /** Where accesses to tangled classes start, by index value. */
  private startsByIndex(extra: readonly Access[]): Iterable<Visit[]> {
    const { graph } = this;
    const starts = new Map<Scalar, Visit[]>();
    const add = (access: Access, c: number) => {
      const visit = { access, c, from: NONE, crossed: undefined };
      const others = starts.get(access.indexValue);
      if (others === undefined) starts.set(access.indexValue, [visit]);
      else others.push(visit);
    };
    for (let c = 0; c < graph.classCount; c++) {
      if (graph.isTangled[c] === 0) continue;
      for (const access of this.descent.arrived[c]?.values() ?? []) add(access, c);
    }
    for (const access of extra) add(access, graph.classOf(access.at));
    return starts.values();
  }

  /** Takes the accesses to one index wherever they get. */
  private spread(starts: readonly Visit[], round: number): void {
    const { graph, queue } = this;
    queue.length = 0;
    for (const { access, c } of starts) this.come(round, access, c, NONE, undefined);
    for (const c of queue) {
      const access = this.access[c];
      for (const write of graph.down[c]) {
        if (write.indexValue === access.indexValue) continue;
        this.come(round, access, graph.classOf(write.base), c, write);
      }
      for (const write of graph.up[c]) {
        const above = graph.classOf(write.at);
        if (write.indexValue === access.indexValue || graph.isTangled[above] === 0) continue;
        this.come(round, access, above, c, write);
      }
    }
  }

  private come(round: number, access: Access, c: number, from: number, crossed: Write | undefined): void {
    if (this.round[c] === round) {
      if (this.access[c].elementValue !== access.elementValue) this.addMeeting({ access, c, from, crossed });
      return;
    }
    this.round[c] = round;
    this.from[c] = from;
    this.access[c] = access;
    this.crossed[c] = crossed;
    this.queue.push(c);
    (this.known[c] as Map<Scalar, Scalar> | undefined)?.set(access.indexValue, access.elementValue);
    for (const constant of this.graph.constants[c]) {
      if (constant.elementValue !== access.elementValue) this.addConstant(c, constant);
    }
  }

  private addMeeting(late: Visit): void {
    const first = this.access[late.c];
    this.conflicts.add(kindOf(late.access, first), clause => {
      this.graph.equal.explain(clause, this.explain(clause, late), this.explain(clause, this.visit(late.c)));
      clause.givenEqual(late.access.index, first.index);
      clause.concludeEqual(late.access.element, first.element);
    });
  }

  private addConstant(c: number, constant: Constant): void {
    const access = this.access[c];
    this.conflicts.add(access.kind === 'constant' ? 'constantPair' : 'constantArray', clause => {
      this.graph.equal.explain(clause, this.explain(clause, this.visit(c)), constant.at);
      clause.concludeEqual(access.element, constant.element);
    });
  }

  /** The visit that a class has had. */
  private visit(c: number): Visit {
    return { access: this.access[c], c, from: this.from[c], crossed: this.crossed[c] };
  }

  /** Adds why an access came to a class; returns the array of that class that it reached first. */
  private explain(clause: Clause, visit: Visit): number {
    const way: Visit[] = [];
    let first = visit;
    for (; first.from !== NONE; first = this.visit(first.from)) way.push(first);
    let n = this.descent.explain(clause, first.access, first.c);
    for (const { c, crossed } of way.reverse()) {
      const { at, base, index } = crossed as Write;
      const isDown = this.graph.classOf(base) === c;
      this.graph.equal.explain(clause, n, isDown ? at : base);
      clause.givenDifferent(visit.access.index, index);
      n = isDown ? base : at;
    }
    return n;
  }
}

function kindOf(p: Access, q: Access): LemmaKind {
  if (p.kind === 'constant' || q.kind === 'constant') {
    return p.kind === q.kind ? 'constantPair' : 'constantArray';
  }
  return p.kind === 'read' && q.kind === 'read' ? 'congruence' : 'readOverWrite';
}
