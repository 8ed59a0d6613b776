/**
 * Makes flows of functions: from `main` on, each function that is called or whose address is taken becomes a procedure. What library
 * functions do is in `library.ts`; calls of others stay calls.
 */

import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { InputError } from '../diagnostic.ts';
import {
  ARGUMENT,
  type Callee,
  type Flow,
  type FlowBlock,
  type Phi,
  type Procedure,
  type Value,
} from './flow.ts';
import { IndirectCalls } from './indirect-calls.ts';
import { libraryCall } from './library.ts';
import { floatCast, floatResult } from './lower-floats.ts';
import type {
  Block,
  CallInstruction,
  FunctionDefinition,
  Instruction,
  Loop,
  Module,
  Operand,
  Type,
} from './module.ts';
import { type LoweringOptions, ModuleBuilder } from './module-builder.ts';

/** The name of inline assembly where it is taken for a function that nothing is known of. */
export const INLINE_ASSEMBLY = 'inline assembly';

/** The first procedure is the start of the program, which calls the entry. */
export function lowered(
  module: Module,
  entry: string,
  options: LoweringOptions,
  checkpoint: Checkpoint,
): Flow {
  const main = module.functions.get(entry);
  if (main === undefined || main.blocks.length === 0)
    throw new InputError(module.file, 1, 1, `there is no function '${entry}' to start with${others(module)}`);
  return new Lowering(module, options, checkpoint).run(main);
}

/** What could be meant instead. */
function others({ functions }: Module): string {
  const defined = [...functions.values()].filter(f => f.blocks.length > 0).map(f => f.name);
  if (defined.length === 0) return ', nor any other that is defined';
  const more = defined.length > 3 ? ', …' : '';
  return `: --entry says which one it is (there are ${defined.slice(0, 3).join(', ')}${more})`;
}

type Terminator = Extract<
  Instruction,
  { op: 'br' | 'condbr' | 'switch' | 'ret' | 'unreachable' | 'indirectbr' }
>;
type Computation = Exclude<Instruction, Terminator | { op: 'store' | 'call' | 'unsupported' | 'phi' }>;

/** A function that is being lowered. */
interface Frame {
  readonly definition: FunctionDefinition;
  readonly values: Map<string, readonly Value[]>; // of locals: their leaves
  readonly blocks: Map<string, FlowBlock>; // the first block made of each
  readonly ends: Map<string, FlowBlock>; // the last one
  readonly names: ReadonlyMap<string, FunctionDefinition['variables'][number]>; // by the local that is the address
  current: string; // the block that is being lowered
}

class Lowering {
  private readonly module: Module;
  private readonly builder: ModuleBuilder;
  private readonly procedures = new Map<string, Procedure>();
  private readonly called = new Set<string>(); // functions that are lowered, and those that are still to be
  private pointers: IndirectCalls | undefined;

  constructor(module: Module, options: LoweringOptions, checkpoint: Checkpoint) {
    this.module = module;
    this.builder = new ModuleBuilder(module, options, checkpoint);
  }

  run(main: FunctionDefinition): Flow {
    const { builder, called } = this;
    const { layout } = builder;
    const start = builder.current;
    const args = main.type.parameters.map(p => layout.leaves(p).map(l => builder.any(l.width, ARGUMENT)));
    builder.emit({ op: 'call', results: [], callee: this.named(main.name), args });
    builder.end({ op: 'stop', isExit: true });
    this.procedures.set('', { name: '', parameters: [], names: [], blocks: [start] });
    // What a global holds may be the address of a function, which may mention other globals.
    for (let count = -1; count < called.size; ) {
      count = called.size;
      for (const name of called) this.function(name);
      for (const name of builder.addressesTaken()) called.add(name);
    }
    return builder.flow(this.procedures);
  }

  private named(name: string): Callee {
    this.called.add(name);
    return { kind: 'named', name };
  }

  private function(name: string): void {
    const definition = this.module.functions.get(name);
    if (definition === undefined || definition.blocks.length === 0 || this.procedures.has(name)) return;
    const { builder } = this;
    const first = builder.count;
    const { place } = builder;
    const entry = builder.block(name);
    const frame: Frame = {
      definition,
      values: new Map(),
      blocks: new Map(definition.blocks.map(b => [b.name, builder.block(name)])),
      ends: new Map(),
      names: new Map(definition.variables.map(v => [v.address, v])),
      current: '',
    };
    builder.current = entry;
    const parameters = definition.parameters.map((p, i) => {
      const leaves = builder.layout.leaves(definition.type.parameters[i]);
      const registers = leaves.map(l => builder.register(l.width));
      frame.values.set(p, this.parameter(definition, i, registers));
      return registers;
    });
    builder.goTo(frame.blocks.get(definition.blocks[0].name) as FlowBlock);
    const phis: { readonly made: readonly Phi[]; readonly from: Extract<Instruction, { op: 'phi' }> }[] = [];
    for (const block of reversePostorder(definition)) {
      builder.current = frame.blocks.get(block.name) as FlowBlock;
      frame.current = block.name;
      for (const i of block.instructions) {
        builder.place = i.place ?? place;
        if (i.op === 'phi') {
          const made = builder.layout
            .leaves(i.type)
            .map((l): Phi => ({ to: builder.register(l.width), incoming: new Map() }));
          builder.current.phis.push(...made);
          frame.values.set(
            i.result,
            made.map(p => p.to),
          );
          phis.push({ made, from: i });
        } else this.guarded(frame, i);
      }
      frame.ends.set(block.name, builder.current);
    }
    // A phi may speak of what comes after it in the text.
    for (const { made, from } of phis) {
      for (const { value, block } of from.incoming) {
        const end = frame.ends.get(block);
        if (end === undefined) continue; // no path leads there
        builder.current = end;
        const values = this.values(frame, value);
        made.forEach((phi, i) => {
          phi.incoming.set(end.id, values[i]);
        });
      }
    }
    builder.place = undefined;
    this.procedures.set(name, {
      name,
      parameters,
      names: definition.parameters,
      blocks: builder.blocksFrom(first),
    });
  }

  /** Some parameters are copies of what a pointer points to. */
  private parameter(definition: FunctionDefinition, i: number, values: readonly Value[]): readonly Value[] {
    const { builder } = this;
    const type = definition.copied[i];
    if (type === undefined) return values;
    const size = builder.layout.size(type);
    const copy = builder.site({
      kind: 'stack',
      name: definition.parameters[i],
      symbol: undefined,
      type: undefined,
      place: definition.place,
      scope: undefined,
      size,
      initial: undefined,
    });
    const target: Value = { kind: 'address', site: copy, offset: 0n, width: builder.pointerWidth };
    builder.emit({ op: 'move', target, source: values[0], length: size });
    return [target];
  }

  /** What is not supported is a trap, in case that it is executed. */
  private guarded(frame: Frame, i: Instruction): void {
    const { builder } = this;
    try {
      this.instruction(frame, i);
    } catch (error) {
      if (!(error instanceof Unknown) || error.reason !== 'unsupported') throw error;
      builder.trap(error.message);
      builder.current = builder.block(frame.definition.name);
      if ('result' in i && i.result !== undefined && !frame.values.has(i.result)) {
        const type = resultType(i);
        const leaves = type === undefined ? [] : builder.layout.leaves(type);
        frame.values.set(
          i.result,
          leaves.map((l): Value => ({ kind: 'any', width: l.width })),
        );
      }
    }
  }

  private instruction(frame: Frame, i: Instruction): void {
    switch (i.op) {
      case 'store':
        this.store(frame, i);
        break;
      case 'call':
        this.callInstruction(frame, i);
        break;
      case 'br':
      case 'condbr':
      case 'switch':
      case 'ret':
      case 'unreachable':
      case 'indirectbr':
        this.terminator(frame, i);
        break;
      case 'unsupported':
        throw new Unknown('unsupported', `the instruction '${i.name}' is not supported`);
      case 'phi':
        break;
      default:
        frame.values.set(i.result, this.computed(frame, i));
    }
  }

  /** The leaves of what an instruction computes. */
  private computed(frame: Frame, i: Computation): readonly Value[] {
    const { builder } = this;
    const { layout } = builder;
    const value = (o: Operand) => this.values(frame, o)[0];
    switch (i.op) {
      case 'binary':
        return [builder.binary(i.operator, value(i.a), value(i.b))];
      case 'icmp':
        return [builder.compare(i.predicate, value(i.a), value(i.b))];
      case 'cast':
        return [this.cast(i, value(i.value))];
      case 'float':
        return [floatResult(builder, i.operator, i.operands[0].type, i.operands.map(value))];
      case 'alloca':
        return [this.alloca(frame, i)];
      case 'load': {
        const pointer = value(i.pointer);
        return layout
          .leaves(i.type)
          .map(l => builder.load(builder.offset(pointer, BigInt(l.offset)), l.width));
      }
      case 'gep':
        return [builder.element(i.sourceType, value(i.base), i.indices, value)];
      case 'select': {
        const [a, b] = [this.values(frame, i.a), this.values(frame, i.b)];
        const condition = value(i.condition);
        return a.map((x, j) => builder.select(condition, x, b[j]));
      }
      case 'freeze':
        return this.values(frame, i.value).map(v => (v.kind === 'any' ? builder.any(v.width, 'freeze') : v));
      case 'extractvalue': {
        const { from, count } = layout.leafRange(i.value.type, i.indices);
        return this.values(frame, i.value).slice(from, from + count);
      }
      case 'insertvalue': {
        const { from, count } = layout.leafRange(i.value.type, i.indices);
        const all = this.values(frame, i.value);
        return [...all.slice(0, from), ...this.values(frame, i.element), ...all.slice(from + count)];
      }
      case 'va_arg':
        return layout.leaves(i.type).map(l => builder.any(l.width, 'variable argument'));
    }
  }

  private terminator(frame: Frame, i: Terminator): void {
    const { builder } = this;
    const value = (o: Operand) => this.values(frame, o)[0];
    const blockOf = (name: string) => (frame.blocks.get(name) as FlowBlock).id;
    switch (i.op) {
      case 'br':
        if (i.loop !== undefined) this.markLoop(frame, i.loop, [i.target]);
        builder.end({ op: 'goto', target: blockOf(i.target) });
        break;
      case 'condbr':
        if (i.loop !== undefined) this.markLoop(frame, i.loop, [i.ifTrue, i.ifFalse]);
        builder.end({
          op: 'branch',
          condition: value(i.condition),
          ifTrue: blockOf(i.ifTrue),
          ifFalse: blockOf(i.ifFalse),
        });
        break;
      case 'switch': {
        const on = value(i.value);
        const cases = i.cases.map(c => [BigInt.asUintN(on.width, c.value), blockOf(c.target)] as const);
        builder.end({ op: 'switch', value: on, cases, default: blockOf(i.default) });
        break;
      }
      case 'ret':
        builder.end({ op: 'return', values: i.value === undefined ? [] : this.values(frame, i.value) });
        break;
      case 'unreachable':
        builder.end({ op: 'stop', isExit: false });
        break;
      case 'indirectbr':
        throw new Unknown('unsupported', 'a computed goto is not supported');
    }
  }

  /** The head of a loop is the target that has been lowered already, as blocks come in reverse postorder. */
  private markLoop(frame: Frame, loop: Loop, targets: readonly string[]): void {
    const here = frame.current;
    for (const target of targets)
      if (target === here || frame.ends.has(target)) (frame.blocks.get(target) as FlowBlock).loop = loop;
  }

  private values(frame: Frame, operand: Operand): readonly Value[] {
    if (operand.kind !== 'local') return this.builder.constantValues(operand);
    const values = frame.values.get(operand.name);
    if (values !== undefined) return values;
    // Code that no path leads to may use what nothing defines.
    return this.builder.layout.leaves(operand.type).map((l): Value => ({ kind: 'any', width: l.width }));
  }

  private cast(
    { operator, value: { type: from }, type }: Extract<Instruction, { op: 'cast' }>,
    value: Value,
  ): Value {
    const { builder } = this;
    return (
      floatCast(builder, operator, value, from, type) ??
      builder.resized(value, builder.layout.width(type), operator === 'sext')
    );
  }

  private alloca(frame: Frame, i: Extract<Instruction, { op: 'alloca' }>): Value {
    const { builder } = this;
    const count = this.values(frame, i.count)[0];
    const unit = builder.layout.size(i.allocated);
    const declared = frame.names.get(i.result);
    const describe = {
      name: declared?.name ?? i.result,
      symbol: undefined,
      type: declared?.type,
      place: declared?.place ?? builder.place,
      scope: declared?.scope,
      initial: undefined,
    };
    if (count.kind === 'constant') {
      const site = builder.site({ ...describe, kind: 'stack', size: unit * Number(count.value) });
      return { kind: 'address', site, offset: 0n, width: builder.pointerWidth };
    }
    const site = builder.site({ ...describe, kind: 'stack', size: undefined });
    const number = builder.resized(count, builder.pointerWidth, false);
    // An array whose size in bytes is no number of the machine does not exist.
    const most = ((1n << BigInt(builder.pointerWidth)) - 1n) / BigInt(Math.max(unit, 1));
    const fits = builder.compare('ule', number, builder.constant(most, builder.pointerWidth));
    builder.emit({ op: 'assume', condition: fits });
    const size = builder.binary('mul', number, builder.constant(unit, builder.pointerWidth));
    const to = builder.register(builder.pointerWidth);
    builder.emit({ op: 'allocate', to, site, size, isZeroed: false });
    return to;
  }

  private store(frame: Frame, i: Extract<Instruction, { op: 'store' }>): void {
    const { builder } = this;
    const pointer = this.values(frame, i.pointer)[0];
    const values = this.values(frame, i.value);
    builder.layout.leaves(i.value.type).forEach((l, j) => {
      const value: Value = i.isUninitialized ? { kind: 'any', width: l.width } : values[j];
      builder.emit({ op: 'store', value, pointer: builder.offset(pointer, BigInt(l.offset)) });
    });
  }

  // ---- calls ----

  private callInstruction(frame: Frame, i: CallInstruction): void {
    const { builder } = this;
    const args = i.args.map(a => (a.type.kind === 'metadata' ? [] : this.values(frame, a)));
    const results = this.callee(frame, i, args);
    if (i.result === undefined) return;
    const leaves = builder.layout.leaves(i.type.result);
    frame.values.set(
      i.result,
      leaves.map(
        (l, j): Value =>
          results[j] === undefined
            ? { kind: 'any', width: l.width }
            : builder.resized(results[j], l.width, false),
      ),
    );
  }

  private callee(frame: Frame, i: CallInstruction, args: readonly (readonly Value[])[]): readonly Value[] {
    const { builder } = this;
    if (i.callee !== 'asm' && i.callee.kind === 'global') {
      const known = libraryCall(builder, i.callee.name, i, args);
      if (known !== undefined) return known;
    }
    const callee = this.calleeOf(frame, i);
    const results = builder.layout.leaves(i.type.result).map(l => builder.register(l.width));
    builder.emit({ op: 'call', results, callee, args });
    return results;
  }

  private calleeOf(frame: Frame, i: CallInstruction): Callee {
    if (i.callee === 'asm') return this.named(INLINE_ASSEMBLY);
    if (i.callee.kind === 'global') {
      const { name } = i.callee;
      const isIntrinsic = name.startsWith('llvm.');
      if (isIntrinsic) throw new Unknown('unsupported', `the intrinsic '${name}' is not supported`);
      return this.named(name);
    }
    const pointer = this.values(frame, i.callee)[0];
    if (pointer.kind === 'function') return this.named(pointer.name);
    this.pointers ??= new IndirectCalls(this.module, this.builder.layout);
    const callees = this.pointers.callees(frame.definition, i);
    for (const name of callees.inField) this.called.add(name);
    return { kind: 'pointer', pointer, ...callees };
  }
}

function reversePostorder({ blocks }: FunctionDefinition): Block[] {
  const byName = new Map(blocks.map(b => [b.name, b]));
  const order: Block[] = [];
  const seen = new Set([blocks[0]]);
  const stack = [{ block: blocks[0], targets: targetNames(blocks[0]) }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const name = top.targets.pop();
    if (name === undefined) {
      order.push(top.block);
      stack.pop();
      continue;
    }
    const block = byName.get(name) as Block;
    if (seen.has(block)) continue;
    seen.add(block);
    stack.push({ block, targets: targetNames(block) });
  }
  return order.reverse();
}

function targetNames({ instructions }: Block): string[] {
  const end = instructions[instructions.length - 1];
  switch (end.op) {
    case 'br':
      return [end.target];
    case 'condbr':
      return [end.ifTrue, end.ifFalse];
    case 'switch':
      return [...end.cases.map(c => c.target), end.default];
    default:
      return [];
  }
}

function resultType(i: Instruction): Type | undefined {
  if ('type' in i) return i.op === 'call' ? i.type.result : i.type;
  return undefined;
}
