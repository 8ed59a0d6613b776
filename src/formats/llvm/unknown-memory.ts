/**
 * What lies where a pointer points that a function without a body returns? Anything, and nothing is gained by remembering what lay there
 * before the call, unless there is still another way to get there. So such memory begins to exist with the call that the
 * pointer comes from. Otherwise each of these pointers would bring a memory along that exists from the start of the program on.
 */
import { type Flow, type FlowBlock, operandsOf, type Register, type Statement, targetsOf } from './flow.ts';
import { bytesOf, type Memory } from './memory.ts';
import type { PointsTo } from './points-to.ts';

/** For each choice of a value, the variables of the memory that begin to exist there. */
export function unknownMemory(
  flow: Flow,
  pointsTo: PointsTo,
  memory: Memory,
): ReadonlyMap<Statement, readonly number[]> {
  // What is used later is not known where calls are kept.
  if (flow.procedures.size > 1) return new Map();
  return new UnknownMemory(flow, pointsTo, memory).find();
}

type Any = Extract<Statement, { op: 'any' }>;

class UnknownMemory {
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly memory: Memory;
  private readonly sources = new Map<number, Set<number>>(); // by node: the nodes with a pointer to it
  private readonly holders = new Map<number, Register[]>(); // by node: registers that point to it
  private readonly events = new Map<number, Event[]>(); // by variable
  private readonly predecessors: number[][];
  private readonly liveAtEntry = new Map<number, ReadonlySet<number>>(); // by variable: blocks

  constructor(flow: Flow, pointsTo: PointsTo, memory: Memory) {
    this.flow = flow;
    this.pointsTo = pointsTo;
    this.memory = memory;
    this.predecessors = flow.blocks.map(() => []);
    for (const b of flow.blocks) for (const t of targetsOf(b)) this.predecessors[t].push(b.id);
  }

  find(): ReadonlyMap<Statement, readonly number[]> {
    const { flow, pointsTo, memory } = this;
    for (const node of pointsTo.nodes)
      for (const { to } of pointsTo.pointers(node)) {
        const known = this.sources.get(to.node);
        if (known === undefined) this.sources.set(to.node, new Set([node]));
        else known.add(node);
      }
    const found = new Map<Statement, readonly number[]>();
    const choices: { readonly any: Any; readonly block: FlowBlock; readonly at: number }[] = [];
    for (const block of flow.blocks)
      block.statements.forEach((s, at) => {
        this.look(s, block, at);
        if (s.op === 'any') choices.push({ any: s, block, at });
      });
    for (const block of flow.blocks) this.lookAtEnd(block);
    for (const { any, block, at } of choices) {
      const target = pointsTo.target(any.to);
      if (target === undefined) continue;
      const own = this.ownNodes(target.node);
      if (own.size === 0 || !this.isNew(own, any, block, at)) continue;
      const variables = [...own].flatMap(node =>
        (memory.region({ node, offset: 0 })?.groups ?? []).map(g => g.variable),
      );
      if (variables.length > 0) found.set(any, variables);
    }
    return found;
  }

  /** The memory that pointers lead to, in which nothing lies that the program has made. */
  private ownNodes(start: number): ReadonlySet<number> {
    const { pointsTo } = this;
    const isUnknown = (node: number) => pointsTo.node({ node, offset: 0 }).sites.size === 0;
    const own = new Set<number>();
    if (isUnknown(start)) own.add(start);
    for (const node of own)
      for (const { to } of pointsTo.pointers(node)) if (isUnknown(to.node)) own.add(to.node);
    return own;
  }

  /** Is there no other way to get there? */
  private isNew(own: ReadonlySet<number>, any: Any, block: FlowBlock, at: number): boolean {
    const { pointsTo, memory } = this;
    const ways = new Set(own); // nodes that lead there
    for (const node of ways) {
      for (const r of this.holders.get(node) ?? [])
        if (r !== any.to && this.isLive(r.id, block, at)) return false;
      for (const source of this.sources.get(node) ?? []) {
        if (ways.has(source)) continue;
        ways.add(source);
        const region = memory.region({ node: source, offset: 0 });
        if (region === undefined) continue; // nobody reads it
        if (region.kind !== 'scalars' || region.site.kind !== 'stack') return false;
      }
    }
    for (const node of ways) {
      const region = own.has(node) ? undefined : memory.region({ node, offset: 0 });
      if (region === undefined) continue;
      for (const { offset, to } of pointsTo.pointers(node)) {
        if (!ways.has(to.node)) continue;
        for (const g of region.groups)
          if (g.offset <= offset && offset < g.offset + g.bytes && this.isLive(g.variable, block, at))
            return false;
      }
    }
    return true;
  }

  // ---- what is live ----

  private look(s: Statement, block: FlowBlock, at: number): void {
    const { pointsTo, memory } = this;
    for (const v of operandsOf(s)) if (v.kind === 'register') this.add(v.id, block, at, true);
    if ('to' in s) {
      this.hold(s.to);
      this.add(s.to.id, block, at, false);
    }
    if (s.op === 'load' || s.op === 'store') {
      const cell = pointsTo.cell(s.pointer);
      const region = memory.region(cell);
      if (region?.kind !== 'scalars') return;
      const bytes = bytesOf(s.op === 'load' ? s.to : s.value);
      for (const g of region.groups) {
        if (g.offset >= cell.offset + bytes || cell.offset >= g.offset + g.bytes) continue;
        const isWhole = s.op === 'store' && g.offset >= cell.offset && g.bytes <= bytes;
        this.add(g.variable, block, at, !isWhole);
      }
    } else if (s.op === 'move')
      for (const pointer of [s.target, s.source])
        for (const g of memory.region(pointsTo.cell(pointer))?.groups ?? [])
          this.add(g.variable, block, at, true);
  }

  private lookAtEnd(block: FlowBlock): void {
    const { end } = block;
    const at = block.statements.length;
    if (end.op === 'branch' && end.condition.kind === 'register') this.add(end.condition.id, block, at, true);
    if (end.op === 'switch' && end.value.kind === 'register') this.add(end.value.id, block, at, true);
    for (const { to, incoming } of block.phis) {
      this.hold(to);
      this.add(to.id, block, -1, false);
      for (const [from, value] of incoming) {
        const before = this.flow.blocks[from];
        if (value.kind === 'register') this.add(value.id, before, before.statements.length, true);
      }
    }
  }

  private hold(register: Register): void {
    const target = this.pointsTo.target(register);
    if (target === undefined) return;
    const known = this.holders.get(target.node);
    if (known === undefined) this.holders.set(target.node, [register]);
    else known.push(register);
  }

  private add(variable: number, block: FlowBlock, at: number, isUse: boolean): void {
    const known = this.events.get(variable);
    const event = { block: block.id, at, isUse };
    if (known === undefined) this.events.set(variable, [event]);
    else known.push(event);
  }

  /** May the value that a variable has before a statement be used after it? */
  private isLive(variable: number, block: FlowBlock, at: number): boolean {
    const after = this.first(variable, block.id, at);
    if (after !== undefined) return after.isUse;
    const live = this.live(variable);
    return targetsOf(block).some(t => live.has(t));
  }

  /** What happens first to a variable in a block after a statement; what is read is read before anything is written. */
  private first(variable: number, block: number, after: number): Event | undefined {
    let first: Event | undefined;
    for (const e of this.events.get(variable) ?? []) {
      if (e.block !== block || e.at <= after) continue;
      if (first === undefined || e.at < first.at || (e.at === first.at && e.isUse)) first = e;
    }
    return first;
  }

  private live(variable: number): ReadonlySet<number> {
    let live = this.liveAtEntry.get(variable);
    if (live === undefined) {
      const found = new Set<number>();
      const touched = new Map<number, boolean>(); // blocks, and whether it is used first
      for (const { block } of this.events.get(variable) ?? [])
        if (!touched.has(block)) touched.set(block, this.first(variable, block, -2)?.isUse === true);
      for (const [block, isUse] of touched) if (isUse) found.add(block);
      // A use at the end of a block may be of what the block before has left.
      for (const block of found)
        for (const p of this.predecessors[block])
          if (!touched.has(p) || touched.get(p) === true) found.add(p);
      this.liveAtEntry.set(variable, (live = found));
    }
    return live;
  }
}

/** A variable is used or set. */
interface Event {
  readonly block: number;
  /** The number of the statement. */
  readonly at: number;
  readonly isUse: boolean;
}
