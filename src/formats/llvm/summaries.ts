/**
 * Functions that are kept, as relations: a fact of a function's location says that, called with these arguments and with memory like this, it
 * may return that and leave memory like that. A call is a source of the edge that it is on, with variables of its own; the guard says
 * what the function is called with.
 *
 *   ins  what the function depends on: parameters, and memory at its entry
 *   outs what somebody wants of it: results, and memory when it returns
 */
import type { Location, Source } from '../../core/problem/problem.ts';
import type { TermId } from '../../term/store.ts';
import type { Execution, MadeCall, OnCall } from './execution.ts';
import type { Call, Flow, FlowBlock, Procedure, Value } from './flow.ts';
import { calleeOf, given, type Interface, outKey, resultKey } from './liveness.ts';
import type { Memory } from './memory.ts';
import type { Operations } from './operations.ts';
import type { PointsTo } from './points-to.ts';
import { privateVariables } from './private-memory.ts';
import type { ProgramVariables } from './program-variables.ts';

/** Something that a function depends on. */
interface In {
  readonly variable: number;
  /** The variable that remembers it. */
  readonly entry: number;
  /** What stands for it where the function begins. */
  readonly value: TermId;
}

export interface KeptSummary {
  readonly procedure: Procedure;
  readonly location: Location;
  readonly ins: readonly In[];
  readonly outs: readonly number[];
  /** What holds when it returns. */
  readonly fact: (execution: Execution, returned: readonly Value[]) => TermId[];
}

export class Summaries {
  private readonly flow: Flow;
  private readonly variables: ProgramVariables;
  private readonly operations: Operations;
  private readonly memory: Memory;
  private readonly own: ReadonlyMap<number, number>;
  private readonly changed = new Map<string, ReadonlySet<number>>(); // memory, by procedure
  private readonly byName = new Map<string, KeptSummary>();
  private readonly byBlock = new Map<FlowBlock, KeptSummary>();
  private readonly arguments = new Map<Call, readonly TermId[]>(); // what stands for ins in an edge

  constructor(
    flow: Flow,
    pointsTo: PointsTo,
    memory: Memory,
    variables: ProgramVariables,
    operations: Operations,
  ) {
    this.flow = flow;
    this.memory = memory;
    this.variables = variables;
    this.operations = operations;
    this.own = privateVariables(flow, pointsTo, memory);
  }

  get all(): readonly KeptSummary[] {
    return [...this.byName.values()];
  }

  /** Does each call of a body have a variable of memory for itself? */
  isPrivate(variable: number): boolean {
    return this.own.has(variable);
  }

  /** The summary that a block is part of the making of. */
  ofBlock(block: FlowBlock): KeptSummary | undefined {
    return this.byBlock.get(block);
  }

  /** Finds out which memory each function may change, itself or by what it calls. */
  look(assigned: (block: FlowBlock) => Iterable<number>): void {
    const kept = [...this.flow.procedures.values()].filter(p => p.name !== '');
    const sets = new Map<string, Set<number>>();
    for (const { name, blocks } of kept) {
      const all = blocks.flatMap(b => [...assigned(b)]);
      sets.set(name, new Set(all.filter(v => this.memory.variables.has(v) && !this.own.has(v))));
    }
    for (let count = -1, now = 0; now > count; ) {
      count = now;
      for (const { name, blocks } of kept) {
        const own = sets.get(name) as Set<number>;
        for (const s of blocks.flatMap(b => b.statements))
          if (s.op === 'call') for (const v of sets.get(calleeOf(s)) ?? []) own.add(v);
      }
      now = [...sets.values()].reduce((sum, s) => sum + s.size, 1);
    }
    for (const [name, set] of sets) this.changed.set(name, set);
  }

  /** Once it is known what each function depends on, and what is wanted of it. */
  make(interfaces: ReadonlyMap<string, Interface>): void {
    const { terms } = this.operations;
    for (const [name, { ins, outs }] of interfaces) {
      const procedure = this.flow.procedures.get(name) as Procedure;
      const givenIns = ins.map((variable): In => {
        const value = terms.variable(this.nameOf(procedure, variable), this.variables.sortOf(variable));
        return { variable, entry: this.variables.atEntry(name, variable), value };
      });
      const places = [
        ...ins.map(v => terms.variable(this.nameOf(procedure, v), this.variables.sortOf(v))),
        ...outs.map(key => {
          const text =
            key < 0 ? `result${key === resultKey(0) ? '' : -1 - key}` : `${this.variables.nameOf(key)}'`;
          return terms.variable(text, this.sortOfOut(procedure, key));
        }),
      ];
      const location = { name, places, constraints: [] };
      const fact = (execution: Execution, returned: readonly Value[]): TermId[] => [
        ...givenIns.map(({ entry }) => execution.get(entry)),
        ...outs.map(key => {
          if (key >= 0) return execution.get(key);
          const value = returned[-1 - key];
          if (value !== undefined) return execution.value(value);
          return terms.variable('any', this.sortOfOut(procedure, key));
        }),
      ];
      const summary = { procedure, location, ins: givenIns, outs, fact };
      this.byName.set(name, summary);
      for (const block of procedure.blocks) this.byBlock.set(block, summary);
    }
  }

  /** What variables hold after a call, of which nothing is known but that they are what the call has made of them. */
  afterwards(call: Call): Map<number, TermId> {
    const touched = [...call.results.map(r => r.id), ...(this.changed.get(calleeOf(call)) ?? [])];
    return new Map(touched.map(v => [v, this.variables.symbol(this.variables.after(call, v))]));
  }

  /**
   * The source that a call is, what its guard is, and what variables hold after it. An edge with one source speaks of its
   * location's own places.
   */
  source(
    made: MadeCall,
    isOnly: boolean,
  ): {
    readonly source: Source;
    readonly conditions: readonly TermId[];
    readonly after: ReadonlyMap<number, TermId>;
  } {
    const { terms } = this.operations;
    const { call } = made;
    const { location, ins, outs } = this.byName.get(calleeOf(call)) as KeptSummary;
    const after = this.afterwards(call);
    const results = new Map([...after.keys()].map(v => [outKey(call, v), v]));
    const places = isOnly
      ? location.places
      : [
          ...this.argumentsOf(call, ins),
          ...outs.map((key, i) => after.get(results.get(key) as number) ?? location.places[ins.length + i]),
        ];
    const conditions = ins.map(({ variable }, i) =>
      this.operations.simplified(terms.eq(places[i], given(this.flow, made, variable))),
    );
    outs.forEach((key, i) => {
      const variable = results.get(key);
      if (variable !== undefined) after.set(variable, places[ins.length + i]);
    });
    return { source: { location, places }, conditions, after };
  }

  private argumentsOf(call: Call, ins: readonly In[]): readonly TermId[] {
    let own = this.arguments.get(call);
    if (own === undefined) {
      const { terms } = this.operations;
      own = ins.map(({ variable, value }) =>
        terms.variable(terms.nameOf(value), this.variables.sortOf(variable)),
      );
      this.arguments.set(call, own);
    }
    return own;
  }

  private sortOfOut({ name, blocks }: Procedure, key: number) {
    if (key >= 0) return this.variables.sortOf(key);
    const { sorts } = this.operations.terms;
    for (const { end } of blocks)
      if (end.op === 'return' && end.values[-1 - key] !== undefined) {
        const { width } = end.values[-1 - key];
        return width === 1 ? sorts.bool : sorts.bitVec(width);
      }
    throw new Error(`'${name}' has no such result`);
  }

  private nameOf({ parameters, names }: Procedure, variable: number): string {
    const index = parameters.findIndex(leaves => leaves.some(r => r.id === variable));
    if (index < 0) return this.variables.nameOf(variable);
    const leaf = parameters[index].findIndex(r => r.id === variable);
    return leaf === 0 ? names[index] : `${names[index]}.${leaf}`;
  }
}

/** What has been called on a path. */
export interface Called {
  readonly key: string;
  readonly sources: readonly Source[];
  readonly conditions: readonly TermId[];
  /** The number of the source that each call is. */
  readonly calls: ReadonlyMap<Call, number>;
  /** Before the last call. */
  readonly before: Called | undefined;
}

/** The calls of a path, while it is walked. */
export class Path {
  private readonly summaries: Summaries;
  private readonly numbers = new Map<Call, number>();
  called: Called;

  /** `sources`: where it begins. */
  constructor(summaries: Summaries, sources: readonly Source[]) {
    this.summaries = summaries;
    this.called = { key: '', sources, conditions: [], calls: new Map(), before: undefined };
  }

  readonly onCall: OnCall = made => {
    const { called } = this;
    const { call } = made;
    const { source, conditions, after } = this.summaries.source(made, called.sources.length === 0);
    let number = this.numbers.get(call);
    if (number === undefined) this.numbers.set(call, (number = this.numbers.size));
    this.called = {
      key: `${called.key} ${number}`,
      sources: [...called.sources, source],
      conditions: [...called.conditions, ...conditions],
      calls: new Map([...called.calls, [call, called.sources.length]]),
      before: called,
    };
    return after;
  };

  backTo(called: Called): void {
    this.called = called;
  }

  /** Back to when there were so many calls more than at another time. */
  backToCall(start: Called, calls: number): void {
    while (this.called.sources.length > start.sources.length + calls)
      this.called = this.called.before as Called;
  }

  /** What is assumed of the calls since then. */
  since({ conditions }: Called): readonly TermId[] {
    return this.called.conditions.slice(conditions.length);
  }
}
