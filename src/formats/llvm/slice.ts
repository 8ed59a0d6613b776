/**
 * Leaves out of a program what has no bearing on whether an error is reached (Weiser's slicing, over all functions at once). What bears on
 * it: errors, traps, assumptions and ends of the program themselves; the branches that decide whether something that bears on it
 * is executed; whatever flows into it, through registers, parameters, results and memory; and the calls on the way there.
 *
 * A branch that has no bearing becomes a jump to where its ways come together again. Loops stay, since it matters whether
 * they end; that functions which call themselves end is taken for granted.
 */
import { type ControlDependence, controlDependence } from './control-dependence.ts';
import {
  type Call,
  type End,
  type Flow,
  type FlowBlock,
  operandsOf,
  type Phi,
  type Procedure,
  type Register,
  type Statement,
  targetsOf,
  type Value,
} from './flow.ts';
import { bytesOf, type Memory } from './memory.ts';
import type { Cell, PointsTo } from './points-to.ts';

/** The same program without what does not matter. */
export function sliced(flow: Flow, pointsTo: PointsTo, memory: Memory): Flow {
  return new Slicer(flow, pointsTo, memory).run();
}

/** Where the value of a register comes from. */
type Origin =
  | { readonly kind: 'statement'; readonly statement: Statement; readonly block: FlowBlock }
  | { readonly kind: 'phi'; readonly phi: Phi; readonly block: FlowBlock }
  | {
      readonly kind: 'parameter';
      readonly procedure: Procedure;
      readonly index: number;
      readonly leaf: number;
    };

interface Site {
  readonly statement: Statement;
  readonly block: FlowBlock;
}

class Slicer {
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly memory: Memory;
  private readonly origins: (Origin | undefined)[] = [];
  private readonly writers = new Map<number, Site[]>(); // by variable of the memory
  private readonly callers = new Map<string, { readonly call: Call; readonly block: FlowBlock }[]>();
  private readonly procedureOf = new Map<FlowBlock, Procedure>();
  private readonly control = new Map<Procedure, ControlDependence>();
  // What matters:
  private readonly registers: Uint8Array;
  private readonly statements = new Set<Statement>();
  private readonly ends = new Set<FlowBlock>();
  private readonly executed = new Set<FlowBlock>(); // it matters whether they are
  private readonly procedures = new Set<Procedure>();
  private readonly variables = new Set<number>(); // of the memory
  private readonly results = new Map<Procedure, Set<number>>(); // leaves of what is returned
  private readonly waiting: (() => void)[] = [];

  constructor(flow: Flow, pointsTo: PointsTo, memory: Memory) {
    this.flow = flow;
    this.pointsTo = pointsTo;
    this.memory = memory;
    this.registers = new Uint8Array(flow.registers);
  }

  run(): Flow {
    this.look();
    this.roots();
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) next();
    return this.remains();
  }

  // ---- what there is ----

  private look(): void {
    for (const procedure of this.flow.procedures.values()) {
      procedure.parameters.forEach((leaves, index) => {
        leaves.forEach(({ id }, leaf) => {
          this.origins[id] = { kind: 'parameter', procedure, index, leaf };
        });
      });
      for (const block of procedure.blocks) {
        this.procedureOf.set(block, procedure);
        for (const phi of block.phis) this.origins[phi.to.id] = { kind: 'phi', phi, block };
        for (const statement of block.statements) this.lookAt(statement, block);
      }
    }
  }

  private lookAt(statement: Statement, block: FlowBlock): void {
    const site = { statement, block };
    const origin: Origin = { kind: 'statement', ...site };
    if ('to' in statement) this.origins[statement.to.id] = origin;
    for (const variable of this.written(statement)) add(this.writers, variable, site);
    if (statement.op !== 'call') return;
    for (const r of statement.results) this.origins[r.id] = origin;
    for (const name of this.calleesOf(statement)) add(this.callers, name, { call: statement, block });
  }

  private calleesOf({ callee }: Call): readonly string[] {
    return callee.kind === 'named' ? [callee.name] : this.pointsTo.callees(callee).names;
  }

  /** The variables of the memory that a statement may write. */
  private written(s: Statement): readonly number[] {
    switch (s.op) {
      case 'store':
        return this.touched(this.pointsTo.cell(s.pointer), bytesOf(s.value));
      case 'move':
        return this.touched(this.pointsTo.cell(s.target), s.length);
      case 'fill':
        return this.touched(this.pointsTo.cell(s.pointer), s.length);
      case 'allocate':
        return this.touched(this.pointsTo.cellOfSite(s.site), Number.POSITIVE_INFINITY);
      case 'record':
        return this.table;
      default:
        return [];
    }
  }

  /** Those that it may read. */
  private read(s: Statement): readonly number[] {
    switch (s.op) {
      case 'load':
        return this.touched(this.pointsTo.cell(s.pointer), bytesOf(s.to));
      case 'move':
        return this.touched(this.pointsTo.cell(s.source), s.length);
      case 'recall':
        return this.table;
      default:
        return [];
    }
  }

  private get table(): readonly number[] {
    const { table } = this.memory;
    return table === undefined ? [] : [table];
  }

  private touched(cell: Cell, bytes: number): readonly number[] {
    const region = this.memory.region(cell);
    if (region === undefined) return [];
    const { groups } = region;
    const isWhole =
      region.kind === 'bytes' || (region.kind === 'arrays' && region.stride > 0 && bytes >= region.stride);
    if (isWhole) return groups.map(g => g.variable);
    const wraps = region.kind === 'arrays' && region.stride > 0 && cell.offset + bytes > region.stride;
    return groups
      .filter(g => wraps || (g.offset < cell.offset + bytes && cell.offset < g.offset + g.bytes))
      .map(g => g.variable);
  }

  // ---- what matters ----

  private roots(): void {
    for (const procedure of this.flow.procedures.values()) {
      const control = this.controlOf(procedure);
      for (const block of control.endless) {
        this.markExecuted(block);
        this.markEnd(block);
      }
      for (const block of control.repeated) this.markEnd(block);
      for (const block of control.next.keys()) {
        if (block.end.op === 'error' || block.end.op === 'trap' || block.end.op === 'stop')
          this.markExecuted(block);
        for (const s of block.statements) if (s.op === 'assume') this.markStatement(s, block);
      }
    }
  }

  private controlOf(procedure: Procedure): ControlDependence {
    let control = this.control.get(procedure);
    if (control === undefined) {
      control = controlDependence(this.flow, procedure);
      this.control.set(procedure, control);
    }
    return control;
  }

  /** It matters whether the block is executed. */
  private markExecuted(block: FlowBlock): void {
    if (this.executed.has(block)) return;
    this.executed.add(block);
    this.waiting.push(() => {
      const procedure = this.procedureOf.get(block) as Procedure;
      for (const branch of this.controlOf(procedure).deciders.get(block) ?? []) this.markEnd(branch);
      this.markProcedure(procedure);
    });
  }

  /** It matters which way is taken. */
  private markEnd(block: FlowBlock): void {
    if (this.ends.has(block)) return;
    this.ends.add(block);
    this.waiting.push(() => {
      this.markExecuted(block);
      const { end } = block;
      if (end.op === 'branch') this.markValue(end.condition);
      if (end.op === 'switch') this.markValue(end.value);
    });
  }

  /** It matters whether it is called. */
  private markProcedure(procedure: Procedure): void {
    if (this.procedures.has(procedure)) return;
    this.procedures.add(procedure);
    this.waiting.push(() => {
      for (const { call, block } of this.callers.get(procedure.name) ?? [])
        this.markStatement(call as Statement & Call, block);
    });
  }

  private markStatement(statement: Statement, block: FlowBlock): void {
    if (this.statements.has(statement)) return;
    this.statements.add(statement);
    this.waiting.push(() => {
      this.markExecuted(block);
      for (const variable of this.read(statement)) this.markVariable(variable);
      if (statement.op !== 'call') for (const v of operandsOf(statement)) this.markValue(v);
      else if (statement.callee.kind === 'pointer') this.markValue(statement.callee.pointer);
      if (statement.op !== 'call') return;
      // What the callees need of their arguments.
      for (const name of this.calleesOf(statement)) {
        this.flow.procedures.get(name)?.parameters.forEach((leaves, i) => {
          leaves.forEach(({ id }, j) => {
            const value = statement.args[i]?.[j];
            if (this.registers[id] === 1 && value !== undefined) this.markValue(value);
          });
        });
      }
    });
  }

  private markVariable(variable: number): void {
    if (this.variables.has(variable)) return;
    this.variables.add(variable);
    this.waiting.push(() => {
      for (const { statement, block } of this.writers.get(variable) ?? [])
        this.markStatement(statement, block);
    });
  }

  private markValue(value: Value): void {
    if (value.kind === 'register') this.markRegister(value);
  }

  private markRegister({ id }: Register): void {
    if (this.registers[id] === 1) return;
    this.registers[id] = 1;
    this.waiting.push(() => {
      const origin = this.origins[id];
      if (origin?.kind === 'phi') {
        for (const [from, value] of origin.phi.incoming) {
          const block = this.flow.blocks[from];
          if (!this.procedureOf.has(block)) continue;
          this.markValue(value);
          this.markEnd(block);
        }
      } else if (origin?.kind === 'parameter') this.markParameter(origin);
      else if (origin !== undefined) {
        this.markStatement(origin.statement, origin.block);
        if (origin.statement.op === 'call') this.markResult(origin.statement, id);
      }
    });
  }

  private markParameter({ procedure, index, leaf }: Extract<Origin, { kind: 'parameter' }>): void {
    for (const { call, block } of this.callers.get(procedure.name) ?? []) {
      this.markStatement(call as Statement & Call, block);
      const value = call.args[index]?.[leaf];
      if (value !== undefined) this.markValue(value);
    }
  }

  private markResult(call: Call, id: number): void {
    const leaf = call.results.findIndex(r => r.id === id);
    for (const name of this.calleesOf(call)) {
      const procedure = this.flow.procedures.get(name);
      if (procedure === undefined) continue;
      const known = this.results.get(procedure) ?? new Set<number>();
      if (known.has(leaf)) continue;
      this.results.set(procedure, known.add(leaf));
      for (const block of this.controlOf(procedure).next.keys()) {
        if (block.end.op !== 'return') continue;
        this.markExecuted(block);
        const value = block.end.values[leaf];
        if (value !== undefined) this.markValue(value);
      }
    }
  }

  // ---- what is left ----

  private remains(): Flow {
    const { flow } = this;
    const blocks = flow.blocks.map((block): FlowBlock => {
      const procedure = this.procedureOf.get(block);
      const isReached = procedure !== undefined && this.controlOf(procedure).next.has(block);
      if (!isReached) return { ...block, phis: [], statements: [], end: { op: 'stop', isExit: false } };
      return {
        ...block,
        phis: block.phis.filter(p => this.registers[p.to.id] === 1),
        statements: block.statements.filter(s => this.matters(s)),
        end: this.endOf(block, procedure),
      };
    });
    const procedures = new Map(
      [...flow.procedures].map(([name, p]) => [name, { ...p, blocks: p.blocks.map(b => blocks[b.id]) }]),
    );
    return { ...flow, blocks, procedures };
  }

  private matters(s: Statement): boolean {
    if (s.op !== 'relate') return this.statements.has(s);
    const isKnown = (v: Value) => v.kind !== 'register' || this.registers[v.id] === 1;
    return isKnown(s.a) && isKnown(s.b);
  }

  private endOf(block: FlowBlock, procedure: Procedure): End {
    if (this.ends.has(block) || targetsOf(block).length < 2) return block.end;
    const next = this.controlOf(procedure).next.get(block);
    if (next !== undefined) return { op: 'goto', target: next.id };
    return { op: 'return', values: [] };
  }
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
