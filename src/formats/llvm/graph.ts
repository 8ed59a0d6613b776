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
import type { TermId, TermStore } from '../../term/store.ts';
import type { PropertyName } from '../question.ts';
import { cutAtCalls, joinsOf, loopHeads, ranksOf } from './cut-points.ts';
import { type Event, Execution, type MadeCall, type OnCall } from './execution.ts';
import type { Call, End, ErrorSite, Flow, FlowBlock, Site, Statement } from './flow.ts';
import { type BlockEffect, liveness } from './liveness.ts';
import type { Memory, Part, Region } from './memory.ts';
import type { Place } from './module.ts';
import type { Operations } from './operations.ts';
import { blocksInLoops, type PointsTo } from './points-to.ts';
import { ProgramVariables } from './program-variables.ts';
import { ErrorSites, TRAP } from './properties.ts';
import { type Called, type KeptSummary, Path, Summaries } from './summaries.ts';
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
  /** The sources that are summaries of what it calls. */
  readonly calls: ReadonlyMap<Call, number>;
}

/** An object and its address, if that is a constant. */
export interface Placed {
  readonly site: Site;
  readonly address: bigint | undefined;
}

export interface ProgramGraph {
  readonly problem: Problem;
  readonly properties: readonly PropertyName[];
  readonly passages: ReadonlyMap<Edge, Passage>;
  /** The block of each location that is no summary. */
  readonly blocks: ReadonlyMap<Location, FlowBlock>;
  /** The functions that are kept, by the location whose facts are their summaries. */
  readonly summaries: ReadonlyMap<Location, KeptSummary>;
  /** The part of an object that a place is, if it is one. */
  readonly parts: ReadonlyMap<TermId, Part>;
  /** The objects of which a place is an array by address. */
  readonly objects: ReadonlyMap<TermId, readonly Placed[]>;
  /** The objects that begin where places point to: those that allocations outside of loops have returned. */
  readonly starts: ReadonlyMap<TermId, Site>;
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
  readonly called: Called;
}

/** Of a block, against that of reading a token. */
const WORK_OF_A_BLOCK = 100;

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
  private readonly variables: ProgramVariables;
  private readonly summaries: Summaries;
  private readonly edges: Edge[] = [];
  private readonly passages = new Map<Edge, Passage>();
  private readonly parts = new Map<TermId, Part>();
  private readonly objects = new Map<TermId, readonly Placed[]>();
  private readonly starts = new Map<TermId, Site>();
  private readonly allocated: ReadonlyMap<number, Site>; // by register
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
    this.variables = new ProgramVariables(flow, memory, this.terms);
    this.allocated = allocatedOnce(flow);
    this.summaries = new Summaries(flow, pointsTo, memory, this.variables, operations);
  }

  build(): ProgramGraph {
    const { flow, terms, summaries } = this;
    const joins = joinsOf(flow);
    const path = new Path(summaries, []);
    const start = this.execution(path.onCall);
    start.start();
    summaries.look(block => {
      const execution = this.execution(() => new Map());
      execution.run(block);
      return execution.assigned.keys();
    });
    const effects = flow.blocks.map(b => this.effect(b));
    const { atEntry, interfaces } = liveness(
      flow,
      effects,
      this.variables,
      v => summaries.isPrivate(v),
      this.checkpoint,
    );
    this.live = atEntry;
    summaries.make(interfaces);
    const blocks = new Map<Location, FlowBlock>();
    const isHead = this.blocks === 'small' ? () => true : loopHeads(flow, this.ranks);
    const entries = flow.blocks.filter(b => b.isEntry).map(b => b.id);
    const cut = cutAtCalls(flow, this.ranks, new Set([...joins.filter(isHead), ...entries]));
    this.joins = new Set([...joins, ...cut]);
    for (const id of cut) {
      const location = this.location(flow.blocks[id], blocks.size);
      this.locations.set(id, location);
      blocks.set(location, flow.blocks[id]);
    }
    const elsewhere = new Map(
      flow.sites
        .filter(s => s.kind === 'global' && s.initial === undefined)
        .map(s => [s, start.bytesOf(s)] as const),
    );
    this.walk(start, flow.blocks[0], path);
    for (const [id, location] of this.locations) {
      const own = new Path(summaries, step(location));
      const execution = this.execution(own.onCall);
      const live = [...(this.live.get(id) as ReadonlySet<number>)];
      live.forEach((v, i) => {
        execution.set(v, location.places[i]);
      });
      this.walk(execution, flow.blocks[id], own);
    }
    for (const summary of summaries.all) {
      const own = new Path(summaries, []);
      const execution = this.execution(own.onCall);
      for (const { variable, entry, value } of summary.ins) {
        execution.set(variable, value);
        execution.set(entry, value);
      }
      this.walk(execution, summary.procedure.blocks[0], own);
    }
    return {
      problem: {
        terms,
        locations: [...this.locations.values(), ...summaries.all.map(s => s.location)],
        edges: this.edges,
        next: new NextVariables(terms),
      },
      properties: this.errors.properties,
      passages: this.passages,
      blocks,
      summaries: new Map(summaries.all.map(s => [s.location, s])),
      parts: this.parts,
      objects: this.objects,
      starts: this.starts,
      elsewhere,
      forgotten: this.forgotten(),
      unsized: this.unsized,
    };
  }

  private execution(onCall: OnCall): Execution {
    return new Execution(
      this.flow,
      this.pointsTo,
      this.memory,
      this.operations,
      this.renewed,
      this.unknown,
      v => this.variables.symbol(v),
      onCall,
    );
  }

  /** Symbols that no source gives a value to. */
  private forgotten(): Set<TermId> {
    const forgotten = new Set(this.variables.allSymbols);
    for (const { sources } of this.edges)
      for (const { places } of sources) for (const p of places) forgotten.delete(p);
    return forgotten;
  }

  private location(block: FlowBlock, count: number): Location {
    const { terms } = this;
    const line = (block.statements.find(s => s.place !== undefined)?.place ?? block.place)?.line;
    const name = `${block.function}${line === undefined ? '' : `:${line}`}#${count}`;
    const { variables } = this;
    const places = [...(this.live.get(block.id) as ReadonlySet<number>)].map(v => {
      const place = terms.variable(`${variables.nameOf(v)}@${count}`, variables.sortOf(v));
      const { part, objects } = this.memory.variables.get(v) ?? {};
      if (part !== undefined) this.parts.set(place, part);
      if (objects !== undefined) this.objects.set(place, this.placed(objects));
      const start = this.allocated.get(v);
      if (start !== undefined) this.starts.set(place, start);
      return place;
    });
    return { name, places, constraints: [] };
  }

  private placed(sites: readonly Site[]): Placed[] {
    return sites.map(site => {
      const address = this.memory.address(site);
      return { site, address: address === undefined ? undefined : BigInt(address) };
    });
  }

  // ---- edges ----

  /** All that can be done from a block on, until there is a location or an end. */
  private walk(execution: Execution, from: FlowBlock, path: Path): void {
    const { flow, operations, terms } = this;
    const arrivals = new Map<number, Map<string, Arrival[]>>(); // by block, and by what has been called
    const before = { condition: terms.true, values: [], events: [], called: path.called };
    this.paths(execution, from, path, before, arrivals);
    while (arrivals.size > 0) {
      const id = [...arrivals.keys()].reduce((a, b) => (this.ranks[a] < this.ranks[b] ? a : b));
      const groups = arrivals.get(id) as Map<string, Arrival[]>;
      arrivals.delete(id);
      for (const own of groups.values()) {
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
        const next = this.execution(path.onCall);
        [...(this.live.get(id) as ReadonlySet<number>)].forEach((v, i) => {
          next.set(v, values[i]);
        });
        const { called } = own[0];
        this.paths(next, flow.blocks[id], path, { condition, values, events, called }, arrivals);
      }
    }
  }

  /** All paths from a block on to where they come together with others, and to ends. */
  private paths(
    execution: Execution,
    from: FlowBlock,
    path: Path,
    before: Arrival,
    arrivals: Map<number, Map<string, Arrival[]>>,
  ): void {
    const { flow, locations, terms } = this;
    path.backTo(before.called);
    const conditions: TermId[] = before.condition === terms.true ? [] : [before.condition];
    const events: Event[] = [...before.events];
    const told = (e: Event): Event =>
      this.blocks === 'small' || conditions.length === 0 ? e : { ...e, guard: terms.and(conditions) };
    const visit = (block: FlowBlock) => {
      this.checkpoint.pass(WORK_OF_A_BLOCK);
      const [conditionMark, eventMark, callMark] = [conditions.length, events.length, path.called];
      const executed = execution.run(block);
      const { obstacle } = executed;
      if (obstacle !== undefined) path.backToCall(callMark, obstacle.calls);
      conditions.push(...path.since(callMark).filter(c => c !== terms.true));
      if (obstacle?.unsized !== undefined) this.unsized.add(obstacle.unsized);
      events.push(...executed.events.slice(0, obstacle?.events).map(told));
      const assumed = executed.conditions.slice(0, obstacle?.conditions);
      conditions.push(...assumed.filter(c => c !== terms.true));
      if (!conditions.includes(terms.false)) leave(block, obstacle?.text);
      conditions.length = conditionMark;
      events.length = eventMark;
      path.backTo(callMark);
    };
    const leave = (block: FlowBlock, obstacle: string | undefined) => {
      const { end, place } = block;
      const add = (head: Location | Query, values: readonly TermId[], error?: ErrorSite, trap?: string) => {
        const { sources, calls } = path.called;
        const edge: Edge = { sources, guard: terms.and(conditions), head, values };
        this.edges.push(edge);
        this.passages.set(edge, { events: [...events], place, inside: block.function, error, trap, calls });
      };
      const summary = this.summaries.ofBlock(block);
      if (obstacle !== undefined) {
        // What is wrong with a function that is kept is found where it is entered.
        if (summary === undefined) add(TRAP, [], undefined, obstacle);
        return;
      }
      if (end.op === 'return' && summary !== undefined)
        add(summary.location, summary.fact(execution, end.values));
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
            const { called } = path;
            const arrival = { condition: terms.and(conditions), values, events: [...events], called };
            let groups = arrivals.get(target);
            if (groups === undefined) arrivals.set(target, (groups = new Map()));
            const others = groups.get(called.key);
            if (others === undefined) groups.set(called.key, [arrival]);
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
        if (this.isCall(end))
          return [end.ifTrue, end.ifFalse].map(target => ({ target, condition: terms.true }));
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

  /** Is it the choice between the entry of a function and its summary? The two never come together again. */
  private isCall({ condition, ifTrue }: Extract<End, { op: 'branch' }>): boolean {
    if (condition.kind !== 'any') return false;
    const { blocks } = this.flow;
    const inside = blocks[ifTrue];
    return (
      inside.isEntry === true || (inside.end.op === 'goto' && blocks[inside.end.target].isEntry === true)
    );
  }

  // ---- what blocks do ----

  private effect(block: FlowBlock): BlockEffect {
    const calls: MadeCall[] = [];
    const execution = this.execution(made => {
      calls.push(made);
      return this.summaries.afterwards(made.call);
    });
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
    const { end } = block;
    const returned = end.op === 'return' ? end.values.map(v => execution.value(v)) : undefined;
    const needed = [...conditions, ...ways.map(w => w.condition)].flatMap(c => this.variables.used(c));
    return { value, ways, needed, calls, returned };
  }
}

/** By register, the object that an allocation has returned which is executed once. */
function allocatedOnce(flow: Flow): Map<number, Site> {
  const inLoops = blocksInLoops(flow);
  const statements = flow.blocks.filter(b => !inLoops.has(b.id)).flatMap(b => b.statements);
  return new Map(statements.flatMap(s => (s.op === 'allocate' ? [[s.to.id, s.site] as const] : [])));
}
