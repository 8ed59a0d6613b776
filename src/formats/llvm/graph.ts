/**
 * The problem that a program poses. Blocks where paths come together, loop heads among them, are locations; between them there
 * is one edge for each path, with what the path assumes as its guard. Places are the variables that are live: those on
 * which some later guard depends. So their number is that of the phis and not that of all temporaries (dissertation, 4.2), and the
 * passes make larger blocks of small ones where that pays.
 */

import { NextVariables } from '../../core/problem/next-variables.ts';
import { type Edge, type Location, type Problem, type Query, step } from '../../core/problem/problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { type Event, Execution } from './execution.ts';
import { type ErrorSite, type Flow, type FlowBlock, type Statement, targetsOf } from './flow.ts';
import type { Memory, Region } from './memory.ts';
import type { Place } from './module.ts';
import type { Operations } from './operations.ts';
import type { PointsTo } from './points-to.ts';
import { unknownMemory } from './unknown-memory.ts';

/** What an edge is in the program's words. */
export interface Passage {
  readonly events: readonly Event[];
  /** Where it ends. */
  readonly place: Place | undefined;
  /** What a query is: an error of the program, or something that is not supported. */
  readonly error: ErrorSite | undefined;
  readonly trap: string | undefined;
}

export interface ProgramGraph {
  readonly problem: Problem;
  readonly passages: ReadonlyMap<Edge, Passage>;
  /** The block of each location. */
  readonly blocks: ReadonlyMap<Location, FlowBlock>;
}

/** Of a block, against that of reading a token. */
const WORK_OF_A_BLOCK = 100;

/** So many variables, of all blocks together, may be live: more take too much memory. */
const MAX_LIVE = 6_000_000;

/** All violations are one property: that none of the program's errors is reached. */
export const ERRORS: Query = { property: 0 };

interface Way {
  readonly target: number;
  readonly condition: TermId;
}

export class GraphBuilder {
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly memory: Memory;
  private readonly operations: Operations;
  private readonly terms: TermStore;
  private readonly checkpoint: Checkpoint;
  private readonly renewed: ReadonlyMap<Statement, readonly number[]>;
  private readonly unknown = new Set<Region>(); // where it is not known what they hold
  private readonly symbols = new Map<number, TermId>(); // of variables, for the analysis of what is live
  private readonly variableOf = new Map<TermId, number>();
  private readonly variablesIn = new Map<TermId, readonly number[]>();
  private readonly edges: Edge[] = [];
  private readonly passages = new Map<Edge, Passage>();
  private readonly locations = new Map<number, Location>(); // by block
  private live: ReadonlyMap<number, ReadonlySet<number>> = new Map(); // by block

  constructor(
    flow: Flow,
    pointsTo: PointsTo,
    memory: Memory,
    operations: Operations,
    checkpoint: Checkpoint,
  ) {
    this.flow = flow;
    this.pointsTo = pointsTo;
    this.memory = memory;
    this.operations = operations;
    this.terms = operations.terms;
    this.checkpoint = checkpoint;
    this.renewed = unknownMemory(flow, pointsTo, memory);
  }

  build(): ProgramGraph {
    const { flow, terms } = this;
    const joins = joinsOf(flow);
    const start = this.execution();
    start.start();
    this.live = this.liveAtEntry();
    const blocks = new Map<Location, FlowBlock>();
    for (const id of joins) {
      const location = this.location(flow.blocks[id], blocks.size);
      this.locations.set(id, location);
      blocks.set(location, flow.blocks[id]);
    }
    this.walk(start, flow.blocks[0], []);
    for (const [id, location] of this.locations) {
      const execution = this.execution();
      const live = [...(this.live.get(id) as ReadonlySet<number>)];
      live.forEach((v, i) => {
        execution.set(v, location.places[i]);
      });
      this.walk(execution, flow.blocks[id], step(location));
    }
    return {
      problem: {
        terms,
        locations: [...this.locations.values()],
        edges: this.edges,
        next: new NextVariables(terms),
      },
      passages: this.passages,
      blocks,
    };
  }

  private execution(): Execution {
    return new Execution(
      this.flow,
      this.pointsTo,
      this.memory,
      this.operations,
      this.renewed,
      this.unknown,
      v => this.symbol(v),
    );
  }

  private location(block: FlowBlock, count: number): Location {
    const { terms } = this;
    const line = (block.statements.find(s => s.place !== undefined)?.place ?? block.place)?.line;
    const name = `${block.function}${line === undefined ? '' : `:${line}`}#${count}`;
    const places = [...(this.live.get(block.id) as ReadonlySet<number>)].map(v =>
      terms.variable(`${this.nameOf(v)}@${count}`, terms.sort(this.symbol(v))),
    );
    return { name, places, constraints: [] };
  }

  private nameOf(variable: number): string {
    return this.memory.variables.get(variable)?.name ?? `%${variable}`;
  }

  // ---- edges ----

  /** All paths from a block on to locations and ends. */
  private walk(execution: Execution, from: FlowBlock, sources: Edge['sources']): void {
    const { flow, locations, terms } = this;
    const conditions: TermId[] = [];
    const events: Event[] = [];
    const visit = (block: FlowBlock) => {
      this.checkpoint.pass(WORK_OF_A_BLOCK);
      const [conditionMark, eventMark] = [conditions.length, events.length];
      const executed = execution.run(block);
      const { obstacle } = executed;
      const before = executed.conditions.slice(0, obstacle?.conditions);
      conditions.push(...before.filter(c => c !== terms.true));
      events.push(...executed.events.slice(0, obstacle?.events));
      if (!conditions.includes(terms.false)) leave(block, obstacle?.text);
      conditions.length = conditionMark;
      events.length = eventMark;
    };
    const leave = (block: FlowBlock, obstacle: string | undefined) => {
      const { end, place } = block;
      const add = (head: Location | Query, values: readonly TermId[], error?: ErrorSite, trap?: string) => {
        const edge: Edge = { sources, guard: terms.and(conditions), head, values };
        this.edges.push(edge);
        this.passages.set(edge, { events: [...events], place, error, trap });
      };
      if (obstacle !== undefined) {
        add(ERRORS, [], undefined, obstacle);
        return;
      }
      if (end.op === 'error') add(ERRORS, [], end.error);
      if (end.op === 'trap') add(ERRORS, [], undefined, end.reason);
      for (const { target, condition } of this.ways(execution, block)) {
        if (condition === terms.false) continue;
        const mark = execution.mark;
        const count = conditions.length;
        if (condition !== terms.true) conditions.push(condition);
        const next = flow.blocks[target];
        const location = locations.get(target);
        execution.enter(next, block.id);
        if (location === undefined) visit(next);
        else {
          const live = [...(this.live.get(target) as ReadonlySet<number>)];
          add(
            location,
            live.map(v => execution.get(v)),
          );
        }
        conditions.length = count;
        execution.backTo(mark);
      }
    };
    visit(from);
  }

  private ways(execution: Execution, { end }: FlowBlock): Way[] {
    const { terms, operations } = this;
    switch (end.op) {
      case 'goto':
        return [{ target: end.target, condition: terms.true }];
      case 'branch': {
        const condition = execution.value(end.condition);
        if (end.ifTrue === end.ifFalse) return [{ target: end.ifTrue, condition: terms.true }];
        return [
          { target: end.ifTrue, condition },
          { target: end.ifFalse, condition: operations.simplified(terms.not(condition)) },
        ];
      }
      case 'switch': {
        const value = execution.value(end.value);
        const isCase = (n: bigint) =>
          operations.simplified(terms.eq(operations.constant(n, end.value.width), value));
        const byTarget = new Map<number, TermId[]>();
        for (const [n, target] of end.cases) {
          const own = byTarget.get(target);
          if (own === undefined) byTarget.set(target, [isCase(n)]);
          else own.push(isCase(n));
        }
        const none = operations.simplified(terms.and(end.cases.map(([n]) => terms.not(isCase(n)))));
        const others = byTarget.get(end.default);
        byTarget.set(end.default, [...(others ?? []), none]);
        return [...byTarget].map(([target, cases]) => ({
          target,
          condition: operations.simplified(terms.or(cases)),
        }));
      }
      default:
        return [];
    }
  }

  // ---- what is live ----

  /** For each block, the variables on which some later condition depends. */
  private liveAtEntry(): ReadonlyMap<number, ReadonlySet<number>> {
    const { flow } = this;
    const summaries = flow.blocks.map(b => this.summary(b));
    const predecessors = new Map<number, number[]>();
    for (const block of flow.blocks) {
      for (const t of targetsOf(block)) {
        const own = predecessors.get(t);
        if (own === undefined) predecessors.set(t, [block.id]);
        else own.push(block.id);
      }
    }
    const live = summaries.map(() => new Set<number>());
    const waiting: { readonly block: number; readonly variable: number }[] = [];
    let count = 0;
    const need = (block: number, variable: number) => {
      if (live[block].has(variable)) return;
      live[block].add(variable);
      if (++count > MAX_LIVE)
        throw new Unknown(
          'size',
          `the program has more than ${MAX_LIVE} variables, all blocks taken together`,
        );
      waiting.push({ block, variable });
    };
    summaries.forEach(({ needed }, id) => {
      for (const v of needed) need(id, v);
    });
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { block, variable } = next;
      for (const before of predecessors.get(block) ?? []) {
        this.checkpoint.pass();
        const { value, ways } = summaries[before];
        for (const { target, phis } of ways) {
          if (target !== block) continue;
          const term = phis.get(variable) ?? value.get(variable);
          if (term === undefined) need(before, variable);
          else for (const used of this.used(term)) need(before, used);
        }
      }
    }
    return new Map(live.map((s, id) => [id, s]));
  }

  private summary(block: FlowBlock): Summary {
    const execution = this.execution();
    const { conditions } = execution.run(block);
    const mark = execution.mark;
    const value = new Map(execution.assigned);
    const ways = this.ways(execution, block).map(({ target, condition }) => {
      const next = this.flow.blocks[target];
      execution.enter(next, block.id);
      const phis = new Map(next.phis.map(p => [p.to.id, execution.get(p.to.id)]));
      execution.backTo(mark);
      return { target, condition, phis };
    });
    const needed = [...conditions, ...ways.map(w => w.condition)].flatMap(c => this.used(c));
    return { value, ways, needed };
  }

  private symbol(variable: number): TermId {
    let symbol = this.symbols.get(variable);
    if (symbol === undefined) {
      const { sorts } = this.terms;
      const known = this.memory.variables.get(variable);
      const width = known?.width ?? this.widthOf(variable);
      const word = width === 1 ? sorts.bool : sorts.bitVec(width);
      const sort = known?.isArray === true ? sorts.array(sorts.bitVec(this.flow.pointerWidth), word) : word;
      symbol = this.terms.variable(this.nameOf(variable), sort);
      this.symbols.set(variable, symbol);
      this.variableOf.set(symbol, variable);
    }
    return symbol;
  }

  private widths: Int32Array | undefined;

  private widthOf(register: number): number {
    if (this.widths === undefined) {
      this.widths = new Int32Array(this.flow.registers);
      for (const { phis, statements } of this.flow.blocks) {
        for (const { to } of phis) this.widths[to.id] = to.width;
        for (const s of statements) if ('to' in s) this.widths[s.to.id] = s.to.width;
      }
    }
    return this.widths[register];
  }

  private used(term: TermId): readonly number[] {
    let used = this.variablesIn.get(term);
    if (used === undefined) {
      used = this.terms.postorder([term]).flatMap(t => this.variableOf.get(t) ?? []);
      this.variablesIn.set(term, used);
    }
    return used;
  }
}

interface Summary {
  readonly value: ReadonlyMap<number, TermId>; // of variables that are assigned to
  readonly ways: readonly { readonly target: number; readonly phis: ReadonlyMap<number, TermId> }[];
  /** What its conditions depend on. */
  readonly needed: readonly number[];
}

/** Paths between locations have no more blocks than this, so that neither terms nor the call stack grow without bound. */
const MAX_PATH = 200;

/** Blocks that more than one way leads to, among those that can be reached, and some in between on long ways. */
function joinsOf({ blocks }: Flow): number[] {
  const ways = new Int32Array(blocks.length);
  const depth = new Int32Array(blocks.length);
  ways[0] = 1;
  const seen = new Set<number>([0]);
  for (const id of seen) {
    for (const target of new Set(targetsOf(blocks[id]))) {
      ways[target]++;
      if (seen.has(target)) continue;
      seen.add(target);
      depth[target] = depth[id] + 1;
    }
  }
  return blocks
    .filter(b => ways[b.id] > 1 || (depth[b.id] > 0 && depth[b.id] % MAX_PATH === 0))
    .map(b => b.id);
}
