/**
 * The problem that a program poses. Blocks where paths come together, loop heads among them, are locations; between them there
 * is one edge for each path, with what the path assumes as its guard. With large blocks, loop heads alone are locations: where other
 * paths come together, the values of variables become cases, and there is one edge between two locations (Beyer, Cimatti,
 * Griggio, Keremoglu, Sebastiani, Software Model Checking via Large-Block Encoding, 2009). Places are the variables that are live: those on
 * which some later guard depends. So their number is that of the phis and not that of all temporaries (dissertation, 4.2), and the
 * passes make larger blocks of small ones where that pays.
 */

import { NextVariables } from '../../core/problem/next-variables.ts';
import { type Edge, type Location, type Problem, type Query, step } from '../../core/problem/problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { PropertyName } from '../question.ts';
import { joinsOf, loopHeads, ranksOf } from './cut-points.ts';
import { type Event, Execution } from './execution.ts';
import { type ErrorSite, type Flow, type FlowBlock, type Site, type Statement, targetsOf } from './flow.ts';
import type { Memory, Part, Region } from './memory.ts';
import type { Place } from './module.ts';
import type { Operations } from './operations.ts';
import type { PointsTo } from './points-to.ts';
import { ErrorSites, TRAP } from './properties.ts';
import { unknownMemory } from './unknown-memory.ts';

/** What an edge is in the program's words. */
export interface Passage {
  readonly events: readonly Event[];
  /** Where it ends, and in which function. */
  readonly place: Place | undefined;
  readonly inside: string;
  /** What a query is: an error of the program, or something that is not supported. */
  readonly error: ErrorSite | undefined;
  readonly trap: string | undefined;
}

export interface ProgramGraph {
  readonly problem: Problem;
  readonly properties: readonly PropertyName[];
  readonly passages: ReadonlyMap<Edge, Passage>;
  /** The block of each location. */
  readonly blocks: ReadonlyMap<Location, FlowBlock>;
  /** The part of an object that a place is, if it is one. */
  readonly parts: ReadonlyMap<TermId, Part>;
  /** What lies at the start in globals that are defined elsewhere, byte by byte, over the inputs of the first step. */
  readonly elsewhere: ReadonlyMap<Site, readonly TermId[]>;
  /** Stands for variables that nothing depends on any more: where an event speaks of one, its value is not known. */
  readonly forgotten: ReadonlySet<TermId>;
  /** Objects that are to be zeros and turn out not to have constant sizes. */
  readonly unsized: ReadonlySet<Site>;
}

export const BLOCKS = ['small', 'large'] as const;
export type Blocks = (typeof BLOCKS)[number];

/** A path to a block where it comes together with others. */
interface Arrival {
  readonly condition: TermId;
  /** Of the variables that are live there. */
  readonly values: readonly TermId[];
  readonly events: readonly Event[];
}

/** Of a block, against that of reading a token. */
const WORK_OF_A_BLOCK = 100;

/** So many variables, of all blocks together, may be live: more take too much memory. */
const MAX_LIVE = 6_000_000;

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
  private readonly errors: ErrorSites;
  private readonly renewed: ReadonlyMap<Statement, readonly number[]>;
  private readonly unknown = new Set<Region>(); // where it is not known what they hold
  private readonly symbols = new Map<number, TermId>(); // of variables, for the analysis of what is live
  private readonly variableOf = new Map<TermId, number>();
  private readonly variablesIn = new Map<TermId, readonly number[]>();
  private readonly edges: Edge[] = [];
  private readonly passages = new Map<Edge, Passage>();
  private readonly parts = new Map<TermId, Part>();
  private readonly locations = new Map<number, Location>(); // by block
  private live: ReadonlyMap<number, ReadonlySet<number>> = new Map(); // by block
  private readonly blocks: Blocks;
  private readonly ranks: Int32Array; // of blocks: only steps into a loop's head lead to a lower one, or the same
  private readonly unsized = new Set<Site>();
  private joins: ReadonlySet<number> = new Set();

  constructor(
    flow: Flow,
    pointsTo: PointsTo,
    memory: Memory,
    operations: Operations,
    blocks: Blocks,
    checkpoint: Checkpoint,
  ) {
    this.flow = flow;
    this.blocks = blocks;
    this.ranks = ranksOf(flow);
    this.pointsTo = pointsTo;
    this.memory = memory;
    this.operations = operations;
    this.terms = operations.terms;
    this.checkpoint = checkpoint;
    this.errors = new ErrorSites(flow);
    this.renewed = unknownMemory(flow, pointsTo, memory);
  }

  build(): ProgramGraph {
    const { flow, terms } = this;
    const joins = joinsOf(flow);
    const start = this.execution();
    start.start();
    this.joins = new Set(joins);
    this.live = this.liveAtEntry();
    const blocks = new Map<Location, FlowBlock>();
    const isLocation = this.blocks === 'small' ? () => true : loopHeads(flow, this.ranks);
    for (const id of joins.filter(isLocation)) {
      const location = this.location(flow.blocks[id], blocks.size);
      this.locations.set(id, location);
      blocks.set(location, flow.blocks[id]);
    }
    const elsewhere = new Map(
      flow.sites
        .filter(s => s.kind === 'global' && s.initial === undefined)
        .map(s => [s, start.bytesOf(s)] as const),
    );
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
      properties: this.errors.properties,
      passages: this.passages,
      blocks,
      parts: this.parts,
      elsewhere,
      forgotten: new Set(this.symbols.values()),
      unsized: this.unsized,
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
    const places = [...(this.live.get(block.id) as ReadonlySet<number>)].map(v => {
      const place = terms.variable(`${this.nameOf(v)}@${count}`, terms.sort(this.symbol(v)));
      const part = this.memory.variables.get(v)?.part;
      if (part !== undefined) this.parts.set(place, part);
      return place;
    });
    return { name, places, constraints: [] };
  }

  private nameOf(variable: number): string {
    return this.memory.variables.get(variable)?.name ?? `%${variable}`;
  }

  // ---- edges ----

  /** All that can be done from a block on, until there is a location or an end. */
  private walk(execution: Execution, from: FlowBlock, sources: Edge['sources']): void {
    const { flow, operations, terms } = this;
    const arrivals = new Map<number, Arrival[]>(); // by block
    this.paths(execution, from, sources, { condition: terms.true, values: [], events: [] }, arrivals);
    while (arrivals.size > 0) {
      const id = [...arrivals.keys()].reduce((a, b) => (this.ranks[a] < this.ranks[b] ? a : b));
      const own = arrivals.get(id) as Arrival[];
      arrivals.delete(id);
      const values = own[0].values.map((_, i) =>
        own
          .slice(0, -1)
          .reduceRight(
            (other, a) => operations.ite(a.condition, a.values[i], other),
            (own.at(-1) as Arrival).values[i],
          ),
      );
      const condition = operations.simplified(terms.or(own.map(a => a.condition)));
      const events = [...new Set(own.flatMap(a => a.events))];
      const next = this.execution();
      [...(this.live.get(id) as ReadonlySet<number>)].forEach((v, i) => {
        next.set(v, values[i]);
      });
      this.paths(next, flow.blocks[id], sources, { condition, values, events }, arrivals);
    }
  }

  /** All paths from a block on to where they come together with others, and to ends. */
  private paths(
    execution: Execution,
    from: FlowBlock,
    sources: Edge['sources'],
    before: Arrival,
    arrivals: Map<number, Arrival[]>,
  ): void {
    const { flow, locations, terms } = this;
    const conditions: TermId[] = before.condition === terms.true ? [] : [before.condition];
    const events: Event[] = [...before.events];
    const told = (e: Event): Event =>
      this.blocks === 'small' || conditions.length === 0 ? e : { ...e, guard: terms.and(conditions) };
    const visit = (block: FlowBlock) => {
      this.checkpoint.pass(WORK_OF_A_BLOCK);
      const [conditionMark, eventMark] = [conditions.length, events.length];
      const executed = execution.run(block);
      const { obstacle } = executed;
      if (obstacle?.unsized !== undefined) this.unsized.add(obstacle.unsized);
      events.push(...executed.events.slice(0, obstacle?.events).map(told));
      const assumed = executed.conditions.slice(0, obstacle?.conditions);
      conditions.push(...assumed.filter(c => c !== terms.true));
      if (!conditions.includes(terms.false)) leave(block, obstacle?.text);
      conditions.length = conditionMark;
      events.length = eventMark;
    };
    const leave = (block: FlowBlock, obstacle: string | undefined) => {
      const { end, place } = block;
      const add = (head: Location | Query, values: readonly TermId[], error?: ErrorSite, trap?: string) => {
        const edge: Edge = { sources, guard: terms.and(conditions), head, values };
        this.edges.push(edge);
        this.passages.set(edge, { events: [...events], place, inside: block.function, error, trap });
      };
      if (obstacle !== undefined) {
        add(TRAP, [], undefined, obstacle);
        return;
      }
      if (end.op === 'error') add(this.errors.query(end.error), [], end.error);
      if (end.op === 'trap') add(TRAP, [], undefined, end.reason);
      for (const { target, condition } of this.ways(execution, block)) {
        if (condition === terms.false) continue;
        const mark = execution.mark;
        const count = conditions.length;
        if (condition !== terms.true) conditions.push(condition);
        const next = flow.blocks[target];
        const location = locations.get(target);
        execution.enter(next, block.id);
        if (!this.joins.has(target)) visit(next);
        else {
          const values = [...(this.live.get(target) as ReadonlySet<number>)].map(v => execution.get(v));
          if (location !== undefined) add(location, values);
          else {
            const arrival = { condition: terms.and(conditions), values, events: [...events] };
            const others = arrivals.get(target);
            if (others === undefined) arrivals.set(target, [arrival]);
            else others.push(arrival);
          }
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
        for (const s of statements) {
          if ('to' in s) this.widths[s.to.id] = s.to.width;
          if (s.op === 'load' && s.base !== undefined) this.widths[s.base.id] = s.base.width;
        }
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
