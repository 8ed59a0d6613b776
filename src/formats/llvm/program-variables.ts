/**
 * The variables of a program, by number: registers, parts of memory, and two kinds that calls of kept functions bring along, whose numbers
 * are negative: what a variable held when a function was entered, and what it holds after a call. Each has a symbol, a term that
 * stands for it where nothing is known of its value.
 */
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Call, Flow } from './flow.ts';
import type { Memory } from './memory.ts';

/** A variable that is there because functions are kept. */
export type CallVariable =
  | { readonly kind: 'entry'; readonly procedure: string; readonly variable: number }
  | { readonly kind: 'after'; readonly call: Call; readonly variable: number };

export class ProgramVariables {
  private readonly flow: Flow;
  private readonly memory: Memory;
  private readonly terms: TermStore;
  private readonly symbols = new Map<number, TermId>();
  private readonly variableOf = new Map<TermId, number>();
  private readonly variablesIn = new Map<TermId, readonly number[]>();
  private readonly ofCalls: CallVariable[] = [];
  private readonly entries = new Map<string, number>();
  private readonly afterCalls = new Map<Call, Map<number, number>>();
  private widths: Int32Array | undefined;

  constructor(flow: Flow, memory: Memory, terms: TermStore) {
    this.flow = flow;
    this.memory = memory;
    this.terms = terms;
  }

  symbol(variable: number): TermId {
    let symbol = this.symbols.get(variable);
    if (symbol === undefined) {
      symbol = this.terms.variable(this.nameOf(variable), this.sortOf(variable));
      this.symbols.set(variable, symbol);
      this.variableOf.set(symbol, variable);
    }
    return symbol;
  }

  sortOf(variable: number): SortId {
    const { sorts } = this.terms;
    const ofCall = this.ofCall(variable);
    if (ofCall !== undefined) return this.sortOf(ofCall.variable);
    const known = this.memory.variables.get(variable);
    const width = known?.width ?? this.widthOf(variable);
    const word = width === 1 ? sorts.bool : sorts.bitVec(width);
    return known?.isArray === true ? sorts.array(sorts.bitVec(this.flow.pointerWidth), word) : word;
  }

  nameOf(variable: number): string {
    const ofCall = this.ofCall(variable);
    if (ofCall !== undefined)
      return `${this.nameOf(ofCall.variable)} ${ofCall.kind === 'entry' ? 'at entry' : 'after a call'}`;
    return this.memory.variables.get(variable)?.name ?? `%${variable}`;
  }

  /** The variables whose symbols a term has in it. */
  used(term: TermId): readonly number[] {
    let used = this.variablesIn.get(term);
    if (used === undefined) {
      used = this.terms.postorder([term]).flatMap(t => this.variableOf.get(t) ?? []);
      this.variablesIn.set(term, used);
    }
    return used;
  }

  get allSymbols(): Iterable<TermId> {
    return this.symbols.values();
  }

  // ---- calls ----

  ofCall(variable: number): CallVariable | undefined {
    return variable < 0 ? this.ofCalls[-1 - variable] : undefined;
  }

  /** What a variable held when a function was entered. */
  atEntry(procedure: string, variable: number): number {
    const key = `${variable} ${procedure}`;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      entry = this.add({ kind: 'entry', procedure, variable });
      this.entries.set(key, entry);
    }
    return entry;
  }

  /** What a variable holds after a call. */
  after(call: Call, variable: number): number {
    let own = this.afterCalls.get(call);
    if (own === undefined) this.afterCalls.set(call, (own = new Map()));
    let after = own.get(variable);
    if (after === undefined) own.set(variable, (after = this.add({ kind: 'after', call, variable })));
    return after;
  }

  private add(variable: CallVariable): number {
    this.ofCalls.push(variable);
    return -this.ofCalls.length;
  }

  private widthOf(register: number): number {
    if (this.widths === undefined) {
      const widths = new Int32Array(this.flow.registers);
      for (const { parameters } of this.flow.procedures.values())
        for (const { id, width } of parameters.flat()) widths[id] = width;
      for (const { phis, statements, end } of this.flow.blocks) {
        // What a function does not need may be left out, though it is still called with it, or returns it.
        const handed = [
          ...(end.op === 'return' ? end.values : []),
          ...statements.flatMap(s => (s.op === 'call' ? s.args.flat() : [])),
        ];
        for (const v of handed) if (v.kind === 'register') widths[v.id] = v.width;
        for (const { to } of phis) widths[to.id] = to.width;
        for (const s of statements) {
          if ('to' in s) widths[s.to.id] = s.to.width;
          if (s.op === 'load' && s.base !== undefined) widths[s.base.id] = s.base.width;
          if (s.op === 'call') for (const { id, width } of s.results) widths[id] = width;
        }
      }
      this.widths = widths;
    }
    return this.widths[register];
  }
}
