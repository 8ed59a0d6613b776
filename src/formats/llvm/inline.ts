/**
 * Makes one graph of a program: from `main` on, every call is replaced by a copy of what is called, with registers and stack objects
 * of its own; so whatever is said of memory later is said of each call by itself. A function that calls itself is copied a
 * few times; a call beyond that is a trap, behind which nothing is known.
 *
 * Calls through pointers become a choice among the functions of that type whose address is taken. What library functions
 * do is in `library.ts`; a function without a body returns any value and leaves memory alone.
 */

import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { InputError } from '../diagnostic.ts';
import { Builder, type InlineOptions } from './builder.ts';
import { ARGUMENT, type Flow, type FlowBlock, type Phi, type Value } from './flow.ts';
import { IndirectCalls } from './indirect-calls.ts';
import { libraryCall } from './library.ts';
import type {
  Block,
  CallInstruction,
  FunctionDefinition,
  FunctionType,
  Instruction,
  Loop,
  Module,
  Operand,
  Type,
} from './module.ts';

/** So many calls of one function may be open at a time. */
const MAX_NESTED = 3;

export function inlined(module: Module, entry: string, options: InlineOptions, checkpoint: Checkpoint): Flow {
  const main = module.functions.get(entry);
  if (main === undefined || main.blocks.length === 0)
    throw new InputError(module.file, 1, 1, `there is no function '${entry}' to start with`);
  return new Inliner(module, options, checkpoint).run(main);
}

type Terminator = Extract<
  Instruction,
  { op: 'br' | 'condbr' | 'switch' | 'ret' | 'unreachable' | 'indirectbr' }
>;
type Computation = Exclude<Instruction, Terminator | { op: 'store' | 'call' | 'unsupported' | 'phi' }>;

/** A call of a function that is being copied. */
interface Frame {
  readonly definition: FunctionDefinition;
  readonly values: Map<string, readonly Value[]>; // of locals: their leaves
  readonly blocks: Map<string, FlowBlock>; // the first block made of each
  readonly ends: Map<string, FlowBlock>; // the last one
  readonly returns: { readonly block: FlowBlock; readonly values: readonly Value[] }[];
  readonly names: ReadonlyMap<string, FunctionDefinition['variables'][number]>; // by the local that is the address
  current: string; // the block that is being copied
}

class Inliner {
  private readonly module: Module;
  private readonly builder: Builder;
  private readonly open = new Map<string, number>(); // calls of each function that are open
  private readonly orders = new Map<FunctionDefinition, readonly Block[]>();
  private pointers: IndirectCalls | undefined;

  constructor(module: Module, options: InlineOptions, checkpoint: Checkpoint) {
    this.module = module;
    this.builder = new Builder(module, options, checkpoint);
  }

  run(main: FunctionDefinition): Flow {
    const { builder } = this;
    const { layout } = builder;
    const args = main.type.parameters.map(p => layout.leaves(p).map(l => builder.any(l.width, ARGUMENT)));
    this.call(main, args);
    builder.end({ op: 'stop', isExit: true });
    return builder.flow();
  }

  /** Copies a function into the current block and goes on behind it, with what it returns. */
  private call(definition: FunctionDefinition, args: readonly (readonly Value[])[]): readonly Value[] {
    const { builder, open } = this;
    const { name } = definition;
    const nested = open.get(name) ?? 0;
    const results = builder.layout.leaves(definition.type.result);
    if (nested >= MAX_NESTED) {
      builder.trap(`'${name}' calls itself`);
      builder.current = builder.block(name);
      return results.map((l): Value => ({ kind: 'any', width: l.width }));
    }
    open.set(name, nested + 1);
    const place = builder.place;
    const outer = builder.enter();
    const frame: Frame = {
      definition,
      values: new Map(),
      blocks: new Map(definition.blocks.map(b => [b.name, builder.block(name)])),
      ends: new Map(),
      returns: [],
      names: new Map(definition.variables.map(v => [v.address, v])),
      current: '',
    };
    definition.parameters.forEach((p, i) => {
      frame.values.set(p, this.argument(definition, i, args[i]));
    });
    builder.goTo(frame.blocks.get(definition.blocks[0].name) as FlowBlock);
    const phis: { readonly made: readonly Phi[]; readonly from: Extract<Instruction, { op: 'phi' }> }[] = [];
    for (const block of this.inOrder(definition)) {
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
    open.set(name, nested);
    builder.place = place;
    builder.frame = outer;
    return this.returned(
      name,
      frame,
      results.map(l => l.width),
    );
  }

  /** The blocks that some path leads to, each after those that it cannot be reached without. */
  private inOrder(definition: FunctionDefinition): readonly Block[] {
    let order = this.orders.get(definition);
    if (order === undefined) {
      order = reversePostorder(definition);
      this.orders.set(definition, order);
    }
    return order;
  }

  /** A caller may be mistaken about parameters, and some are copies of what a pointer points to. */
  private argument(
    definition: FunctionDefinition,
    i: number,
    given: readonly Value[] | undefined,
  ): readonly Value[] {
    const { builder } = this;
    const { layout } = builder;
    const leaves = layout.leaves(definition.type.parameters[i]);
    const values = leaves.map((l, j): Value => {
      const value = given?.[j];
      return value === undefined ? { kind: 'any', width: l.width } : builder.resized(value, l.width, false);
    });
    const type = definition.copied[i];
    if (type === undefined) return values;
    const size = layout.size(type);
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

  /** Goes on where all returns of a call come together. */
  private returned(name: string, { returns }: Frame, widths: readonly number[]): readonly Value[] {
    const { builder } = this;
    const after = builder.block(name);
    for (const { block } of returns) {
      block.end = { op: 'goto', target: after.id };
    }
    builder.current = after;
    if (returns.length === 1) return returns[0].values;
    return widths.map((width, i) => {
      const to = builder.register(width);
      after.phis.push({ to, incoming: new Map(returns.map(r => [r.block.id, r.values[i]])) });
      return to;
    });
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
        return [this.cast(i.operator, value(i.value), i.type)];
      case 'float':
        return [this.float(i.operator, i.type)];
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
        frame.returns.push({
          block: builder.current,
          values: i.value === undefined ? [] : this.values(frame, i.value),
        });
        builder.current.place = builder.place;
        break;
      case 'unreachable':
        builder.end({ op: 'stop', isExit: false });
        break;
      case 'indirectbr':
        throw new Unknown('unsupported', 'a computed goto is not supported');
    }
  }

  /** The head of a loop is the target that has been copied already, as blocks come in reverse postorder. */
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

  private cast(operator: Extract<Instruction, { op: 'cast' }>['operator'], value: Value, type: Type): Value {
    const { builder } = this;
    const width = builder.layout.width(type);
    switch (operator) {
      case 'fptoui':
      case 'fptosi':
        throw new Unknown('unsupported', 'floating point is not supported where a number is made of it');
      case 'fptrunc':
      case 'fpext':
      case 'uitofp':
      case 'sitofp':
        return { kind: 'any', width };
      default:
        return builder.resized(value, width, operator === 'sext');
    }
  }

  /** Floating-point values are any values, as long as nothing depends on them. */
  private float(operator: string, type: Type): Value {
    if (operator.startsWith('fcmp'))
      throw new Unknown('unsupported', 'a comparison of floating-point numbers is not supported');
    return { kind: 'any', width: this.builder.layout.width(type) };
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
    const size = builder.binary(
      'mul',
      builder.resized(count, builder.pointerWidth, false),
      builder.constant(unit, builder.pointerWidth),
    );
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
    const { builder, module } = this;
    if (i.callee === 'asm') {
      builder.externals.set('inline assembly', 'gives any value and has no other effect');
      return this.anyResult(i.type, 'inline assembly');
    }
    if (i.callee.kind !== 'global')
      return this.indirect(frame.definition, i, this.values(frame, i.callee)[0], args);
    const { name } = i.callee;
    const known = libraryCall(builder, name, i, args);
    if (known !== undefined) return known;
    const definition = module.functions.get(name);
    if (definition !== undefined && definition.blocks.length > 0) return this.call(definition, args);
    return this.external(name, i.type, args);
  }

  private indirectCalls(): IndirectCalls {
    this.pointers ??= new IndirectCalls(this.module, this.builder.layout);
    return this.pointers;
  }

  /** A function that the program does not define. */
  private external(
    name: string,
    type: FunctionType,
    args: readonly (readonly Value[])[],
    told = name,
  ): readonly Value[] {
    const { builder } = this;
    if (name.startsWith('llvm.'))
      throw new Unknown('unsupported', `the intrinsic '${name}' is not supported`);
    if (builder.assumptions.externals === 'pure')
      builder.externals.set(told, 'returns any value and leaves memory alone');
    else {
      builder.externals.set(told, 'returns any value and writes anything to all memory that it can reach');
      builder.emit({ op: 'havoc', reached: args.flat() });
    }
    return this.anyResult(type, name);
  }

  private anyResult({ result }: FunctionType, source: string): Value[] {
    const { builder } = this;
    return builder.layout.leaves(result).map(l => builder.any(l.width, source));
  }

  /** One of the functions that the pointer may be; if there are none at all, one that nothing is known of. */
  private indirect(
    caller: FunctionDefinition,
    call: CallInstruction,
    pointer: Value,
    args: readonly (readonly Value[])[],
  ): readonly Value[] {
    const { builder } = this;
    const { type } = call;
    const name = builder.current.function;
    if (pointer.kind === 'function') {
      const known = this.module.functions.get(pointer.name) as FunctionDefinition;
      return known.blocks.length > 0 ? this.call(known, args) : this.external(pointer.name, type, args);
    }
    const after = builder.block(name);
    const widths = builder.layout.leaves(type.result).map(l => l.width);
    const phis = widths.map((width): Phi => ({ to: builder.register(width), incoming: new Map() }));
    after.phis.push(...phis);
    const leave = (values: readonly Value[]) => {
      const from = builder.current;
      phis.forEach((phi, i) => {
        phi.incoming.set(
          from.id,
          values[i] === undefined
            ? { kind: 'any', width: phi.to.width }
            : builder.resized(values[i], phi.to.width, false),
        );
      });
      builder.end({ op: 'goto', target: after.id });
    };
    const { likely, unlikely } = this.indirectCalls().callees(caller, call);
    for (const candidate of likely) {
      const isIt = builder.compare('eq', pointer, builder.addressOf(candidate.name));
      const [then, otherwise] = [builder.block(name), builder.block(name)];
      builder.branch(isIt, then, otherwise);
      builder.current = then;
      leave(
        candidate.blocks.length > 0 ? this.call(candidate, args) : this.external(candidate.name, type, args),
      );
      builder.current = otherwise;
    }
    for (const candidate of unlikely) {
      const isIt = builder.compare('eq', pointer, builder.addressOf(candidate.name));
      const [then, otherwise] = [builder.block(name), builder.block(name)];
      builder.branch(isIt, then, otherwise);
      builder.current = then;
      builder.trap(`'${candidate.name}' may be called through a pointer where it is not expected`);
      builder.current = otherwise;
    }
    if (likely.length + unlikely.length === 0)
      leave(this.external('unknown function', type, args, 'a call through a pointer to no known function'));
    else builder.end({ op: 'stop', isExit: false });
    builder.current = after;
    return phis.map(p => p.to);
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
