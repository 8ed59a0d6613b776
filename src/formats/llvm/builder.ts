/**
 * Builds a flow block by block: statements are added to the current block, and constants and addresses become values. What one
 * instruction of LLVM needs several statements for is said here once.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { End, Flow, FlowBlock, InitialLeaf, Operation, Register, Scaled, Site, Value } from './flow.ts';
import { Layout } from './layout.ts';
import type { Constant, Module, Operand, Place, Type } from './module.ts';

/** More statements than this are too many to say anything about the program. */
const MAX_STATEMENTS = 600_000;

/** Of a statement, against that of reading a token. */
const WORK_OF_A_STATEMENT = 5;

/** Where statements are being added. */
export class Builder {
  readonly layout: Layout;
  readonly module: Module;
  readonly externals = new Map<string, string>();
  current: FlowBlock;
  place: Place | undefined;
  private readonly blocks: FlowBlock[] = [];
  private readonly sites: Site[] = [];
  private readonly globals = new Map<string, Site>();
  private registers = 0;
  private statements = 0;
  private readonly checkpoint: Checkpoint;
  readonly functions = new Set<string>();
  /** The call that is being copied. */
  frame = 0;
  private frames = 0;

  constructor(module: Module, checkpoint: Checkpoint) {
    this.module = module;
    this.checkpoint = checkpoint;
    this.layout = new Layout(module.pointerWidth);
    this.current = this.block('');
  }

  block(name: string): FlowBlock {
    const block: FlowBlock = {
      id: this.blocks.length,
      phis: [],
      statements: [],
      end: { op: 'stop' },
      place: undefined,
      function: name,
      frame: this.frame,
      loop: undefined,
    };
    this.blocks.push(block);
    return block;
  }

  /** Begins the copy of a call; returns the number of the one that is going on. */
  enter(): number {
    const outer = this.frame;
    this.frame = ++this.frames;
    return outer;
  }

  register(width: number): Register {
    return { kind: 'register', id: this.registers++, width };
  }

  emit(operation: Operation): void {
    this.checkpoint.pass(WORK_OF_A_STATEMENT);
    if (++this.statements > MAX_STATEMENTS)
      throw new Unknown(
        'size',
        `the program has more than ${MAX_STATEMENTS} statements once its calls are inlined`,
      );
    this.current.statements.push({ ...operation, place: this.place });
  }

  end(end: End): void {
    this.current.end = end;
    this.current.place = this.place;
  }

  /** Ends the block and goes on in another. */
  goTo(block: FlowBlock): void {
    this.end({ op: 'goto', target: block.id });
    this.current = block;
  }

  branch(condition: Value, then: FlowBlock, otherwise: FlowBlock): void {
    this.end({ op: 'branch', condition, ifTrue: then.id, ifFalse: otherwise.id });
  }

  trap(reason: string): void {
    const at = this.place === undefined ? '' : ` (${this.place.file}:${this.place.line})`;
    this.end({ op: 'trap', reason: `${reason}${at}` });
  }

  site(site: Omit<Site, 'id' | 'frame'>): Site {
    const made = { ...site, id: this.sites.length, frame: this.frame };
    this.sites.push(made);
    return made;
  }

  get pointerWidth(): 32 | 64 {
    return this.layout.pointerWidth;
  }

  constant(value: bigint | number, width: number): Value {
    return { kind: 'constant', value: BigInt.asUintN(width, BigInt(value)), width };
  }

  // ---- values ----

  binary(operator: Extract<Operation, { op: 'binary' }>['operator'], a: Value, b: Value): Register {
    const to = this.register(a.width);
    this.emit({ op: 'binary', to, operator, a, b });
    return to;
  }

  compare(predicate: Extract<Operation, { op: 'compare' }>['predicate'], a: Value, b: Value): Register {
    const to = this.register(1);
    this.emit({ op: 'compare', to, predicate, a, b });
    return to;
  }

  select(condition: Value, a: Value, b: Value): Register {
    const to = this.register(a.width);
    this.emit({ op: 'select', to, condition, a, b });
    return to;
  }

  resized(value: Value, width: number, isSigned: boolean): Value {
    if (value.width === width) return value;
    const to = this.register(width);
    this.emit({ op: 'resize', to, value, isSigned });
    return to;
  }

  offset(base: Value, constant: bigint, scaled: readonly Scaled[] = []): Value {
    if (scaled.length === 0 && base.kind === 'address') return { ...base, offset: base.offset + constant };
    if (scaled.length === 0 && constant === 0n) return base;
    const to = this.register(this.pointerWidth);
    this.emit({ op: 'offset', to, base, constant, scaled });
    return to;
  }

  load(pointer: Value, width: number): Register {
    const to = this.register(width);
    this.emit({ op: 'load', to, pointer });
    return to;
  }

  /** What `source` gives, which is any value; if that is a function, its type is known. */
  any(width: number, source: string): Register {
    const to = this.register(width);
    this.emit({ op: 'any', to, source, type: this.module.functions.get(source)?.returns });
    return to;
  }

  /** The leaves of a constant. */
  constantValues(c: Constant): readonly Value[] {
    const { layout } = this;
    switch (c.kind) {
      case 'integer':
        return [this.constant(c.value, layout.width(c.type))];
      case 'null':
        return [this.constant(0n, this.pointerWidth)];
      case 'zero':
        return layout.leaves(c.type).map(l => this.constant(0n, l.width));
      case 'undefined':
      case 'float':
        return layout.leaves(c.type).map((l): Value => ({ kind: 'any', width: l.width }));
      case 'global':
        return [this.addressOf(c.name)];
      case 'aggregate':
        return c.elements.flatMap(e => this.constantValues(e));
      case 'bytes':
        return [...c.bytes].map(b => this.constant(b, 8));
      case 'expression':
        return [this.expression(c)];
      case 'blockaddress':
        throw new Unknown('unsupported', 'the address of a label is not supported');
    }
  }

  private expression({
    operator,
    operands,
    sourceType,
    type,
  }: Extract<Constant, { kind: 'expression' }>): Value {
    const [[a], [b]] = [
      this.constantValues(operands[0]),
      operands[1] === undefined ? [] : this.constantValues(operands[1]),
    ];
    switch (operator) {
      case 'getelementptr':
        return this.element(sourceType as Type, a, operands.slice(1));
      case 'ptrtoint':
      case 'inttoptr':
      case 'bitcast':
      case 'addrspacecast':
      case 'trunc':
      case 'zext':
        return this.resized(a, this.layout.width(type), false);
      case 'add':
      case 'sub':
      case 'mul':
      case 'and':
      case 'or':
      case 'xor':
      case 'shl':
        return this.binary(operator, a, b);
      default:
        throw new Unknown('unsupported', `the constant expression '${operator}' is not supported`);
    }
  }

  /** What a getelementptr computes. */
  element(sourceType: Type, base: Value, indices: readonly Operand[], read = this.constantOperand): Value {
    const { layout } = this;
    let constant = 0n;
    const scaled: Scaled[] = [];
    let at: Type | undefined; // nothing has been stepped into yet
    for (const index of indices) {
      if (at?.kind === 'struct') {
        const field = Number((index as Extract<Constant, { kind: 'integer' }>).value);
        constant += BigInt(layout.fieldOffset(at, field));
        at = at.fields[field];
        continue;
      }
      at = at === undefined ? sourceType : (at as Extract<Type, { kind: 'array' }>).element;
      const stride = BigInt(layout.size(at));
      const value = read.call(this, index);
      if (value.kind === 'constant') constant += BigInt.asIntN(value.width, value.value) * stride;
      else scaled.push({ index: this.resized(value, this.pointerWidth, true), stride });
    }
    return this.offset(base, constant, scaled);
  }

  /** The scalars of a constant that are not zero. */
  private initialLeaves(c: Constant, offset: number): InitialLeaf[] {
    const { layout } = this;
    if (c.kind === 'zero' || c.kind === 'null') return [];
    if (c.kind !== 'aggregate') {
      const leaves = layout.leaves(c.type);
      return this.constantValues(c)
        .map((value, i) => ({ offset: offset + leaves[i].offset, value }))
        .filter(({ value }) => value.kind !== 'constant' || value.value !== 0n);
    }
    const { type } = c;
    return c.elements.flatMap((e, i) => {
      const at = type.kind === 'struct' ? layout.fieldOffset(type, i) : i * layout.size(e.type);
      return this.initialLeaves(e, offset + at);
    });
  }

  private constantOperand(o: Operand): Value {
    return this.constantValues(o as Constant)[0];
  }

  addressOf(name: string): Value {
    const width = this.pointerWidth;
    const { module } = this;
    if (module.functions.has(name)) {
      this.functions.add(name);
      return { kind: 'function', name, width };
    }
    let site = this.globals.get(name);
    if (site === undefined) {
      const variable = module.variables.get(name);
      if (variable === undefined) throw new Unknown('unsupported', `nothing is known of '@${name}'`);
      const { type, initializer, debug } = variable;
      site = this.site({
        kind: 'global',
        name: debug?.name ?? name,
        symbol: name,
        type: debug?.type,
        place: debug?.place,
        scope: debug?.scope,
        size: this.layout.size(type),
        initial: initializer && { type, value: initializer },
      });
      this.globals.set(name, site);
    }
    return { kind: 'address', site, offset: 0n, width };
  }

  flow(): Flow {
    const initial = new Map<Site, readonly InitialLeaf[]>();
    // What one global holds may be the address of another that nothing else speaks of.
    for (const site of this.sites)
      if (site.initial !== undefined) initial.set(site, this.initialLeaves(site.initial.value, 0));
    return {
      pointerWidth: this.pointerWidth,
      blocks: this.blocks,
      sites: this.sites,
      initial,
      registers: this.registers,
      externals: this.externals,
      functions: [...this.functions],
    };
  }
}
