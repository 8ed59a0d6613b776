/**
 * Which variables are live where: those on which some later condition depends. With functions that are kept, that is decided for all of
 * them together: what a function needs of its arguments and of memory at its entry is needed wherever it is called, and what
 * it returns or leaves in memory is wanted if something after a call of it depends on that.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { TermId } from '../../term/store.ts';
import type { MadeCall } from './execution.ts';
import { type Call, type Flow, targetsOf } from './flow.ts';
import type { ProgramVariables } from './program-variables.ts';

/** So many variables, of all blocks together, may be live: more take too much memory. */
const MAX_LIVE = 6_000_000;

/** What a block does, in terms of what its variables hold at its beginning. */
export interface BlockEffect {
  readonly value: ReadonlyMap<number, TermId>; // of variables that are assigned to
  readonly ways: readonly { readonly target: number; readonly phis: ReadonlyMap<number, TermId> }[];
  /** What its conditions depend on. */
  readonly needed: readonly number[];
  readonly calls: readonly MadeCall[];
  /** What it returns, if it does. */
  readonly returned: readonly TermId[] | undefined;
}

/** A function that is kept, as its callers see it. */
export interface Interface {
  /** What it depends on: registers of its parameters, and variables of memory. */
  readonly ins: readonly number[];
  /** What is wanted of it: variables of memory, and results by their number, as `resultKey` has it. */
  readonly outs: readonly number[];
}

export interface Live {
  readonly atEntry: ReadonlyMap<number, ReadonlySet<number>>; // by block
  readonly interfaces: ReadonlyMap<string, Interface>; // by procedure
}

/** Results among what is wanted of a function. */
export function resultKey(index: number): number {
  return -1 - index;
}

export function calleeOf({ callee }: Call): string {
  if (callee.kind !== 'named') throw new Error('a call that is not inlined');
  return callee.name;
}

/** What is wanted of a function by something that depends on a variable after a call of it. */
export function outKey({ results }: Call, variable: number): number {
  const index = results.findIndex(r => r.id === variable);
  return index < 0 ? variable : resultKey(index);
}

/** What stands for what a function needs, where it is called. */
export function given(flow: Flow, { call, args, before }: MadeCall, variable: number): TermId {
  const parameters = flow.procedures.get(calleeOf(call))?.parameters.flat() ?? [];
  const index = parameters.findIndex(r => r.id === variable);
  return index < 0 ? before(variable) : args[index];
}

/** `isPrivate`: of memory, what each call of a body has for itself. */
export function liveness(
  flow: Flow,
  effects: readonly BlockEffect[],
  variables: ProgramVariables,
  isPrivate: (variable: number) => boolean,
  checkpoint: Checkpoint,
): Live {
  const analysis = new Liveness(flow, effects, variables, isPrivate, checkpoint);
  return analysis.run();
}

interface KeptProcedure {
  readonly name: string;
  readonly returns: readonly number[]; // blocks
  readonly calls: { readonly block: number; readonly made: MadeCall }[];
  readonly ins: Set<number>;
  readonly outs: Set<number>;
}

class Liveness {
  private readonly flow: Flow;
  private readonly effects: readonly BlockEffect[];
  private readonly variables: ProgramVariables;
  private readonly isPrivate: (variable: number) => boolean;
  private readonly checkpoint: Checkpoint;
  private readonly live: Set<number>[];
  private readonly waiting: { readonly block: number; readonly variable: number }[] = [];
  private readonly kept = new Map<string, KeptProcedure>();
  private readonly entries = new Map<number, KeptProcedure>(); // by block
  private count = 0;

  constructor(
    flow: Flow,
    effects: readonly BlockEffect[],
    variables: ProgramVariables,
    isPrivate: (variable: number) => boolean,
    checkpoint: Checkpoint,
  ) {
    this.flow = flow;
    this.effects = effects;
    this.variables = variables;
    this.isPrivate = isPrivate;
    this.checkpoint = checkpoint;
    this.live = effects.map(() => new Set<number>());
    for (const { name, blocks } of flow.procedures.values()) {
      if (name === '') continue;
      const returns = blocks.filter(b => b.end.op === 'return').map(b => b.id);
      const procedure = { name, returns, calls: [], ins: new Set<number>(), outs: new Set<number>() };
      this.kept.set(name, procedure);
      this.entries.set(blocks[0].id, procedure);
    }
    effects.forEach(({ calls }, block) => {
      for (const made of calls) this.kept.get(calleeOf(made.call))?.calls.push({ block, made });
    });
  }

  run(): Live {
    const { flow, effects, waiting, checkpoint } = this;
    const predecessors = new Map<number, number[]>();
    for (const block of flow.blocks) {
      for (const t of targetsOf(block)) {
        const own = predecessors.get(t);
        if (own === undefined) predecessors.set(t, [block.id]);
        else own.push(block.id);
      }
    }
    effects.forEach(({ needed }, id) => {
      for (const v of needed) this.need(id, v);
    });
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { block, variable } = next;
      for (const before of predecessors.get(block) ?? []) {
        checkpoint.pass();
        const { value, ways } = effects[before];
        for (const { target, phis } of ways) {
          if (target !== block) continue;
          const term = phis.get(variable) ?? value.get(variable);
          if (term === undefined) this.need(before, variable);
          else this.depend(before, term);
        }
      }
    }
    const interfaces = [...this.kept.values()].map(
      ({ name, ins, outs }) => [name, { ins: [...ins], outs: [...outs] }] as const,
    );
    return { atEntry: new Map(this.live.map((s, id) => [id, s])), interfaces: new Map(interfaces) };
  }

  private depend(block: number, term: TermId): void {
    for (const used of this.variables.used(term)) this.need(block, used);
  }

  /** Something later depends on what the variable holds at the beginning of the block, or after a call in it. */
  private need(block: number, variable: number): void {
    const ofCall = this.variables.ofCall(variable);
    if (ofCall?.kind === 'after') {
      const callee = this.kept.get(calleeOf(ofCall.call));
      if (callee !== undefined) this.want(callee, outKey(ofCall.call, ofCall.variable));
      return;
    }
    const isEntry = this.flow.blocks[block].isEntry === true || this.entries.has(block);
    if (isEntry && this.isPrivate(variable)) return; // which begins to exist here
    if (this.live[block].has(variable)) return;
    this.live[block].add(variable);
    if (++this.count > MAX_LIVE)
      throw new Unknown('size', `the program has more than ${MAX_LIVE} variables, all blocks taken together`);
    this.waiting.push({ block, variable });
    const procedure = this.entries.get(block);
    if (procedure !== undefined && ofCall === undefined) this.expect(procedure, variable);
  }

  /** A function depends on what the variable holds at its entry, which it has to remember. */
  private expect({ name, ins, returns, calls }: KeptProcedure, variable: number): void {
    ins.add(variable);
    for (const block of returns) this.need(block, this.variables.atEntry(name, variable));
    for (const { block, made } of calls) this.depend(block, given(this.flow, made, variable));
  }

  private want({ outs, returns }: KeptProcedure, key: number): void {
    if (outs.has(key)) return;
    outs.add(key);
    for (const block of returns) {
      const { returned = [], value } = this.effects[block];
      if (key >= 0) this.depend(block, value.get(key) ?? this.variables.symbol(key));
      else if (returned[-1 - key] !== undefined) this.depend(block, returned[-1 - key]);
    }
  }
}
