/**
 * Builds the flow of a module: constants and addresses of LLVM become values, and what one instruction needs several statements for
 * is said here once.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { Check } from '../checks.ts';
import { Builder } from './builder.ts';
import { type FLOATS, floatBits } from './float-format.ts';
import type { Flow, InitialLeaf, Procedure, Register, Scaled, Site, Value } from './flow.ts';
import { Layout } from './layout.ts';
import type { Constant, DebugType, Module, Operand, Type } from './module.ts';

/** What is taken to be true of what the program does not define. */
export interface Assumptions {
  /** Do functions without a body leave memory alone, or write whatever they can reach? */
  readonly externals: 'pure' | 'havoc';
  /** Does `malloc` succeed, or may it return null? */
  readonly malloc: 'succeeds' | 'may-fail';
  /** Is floating-point arithmetic computed, or does it give any result? */
  readonly floats: (typeof FLOATS)[number];
}

export interface LoweringOptions extends Assumptions {
  readonly checks: ReadonlySet<Check>;
}

export class ModuleBuilder extends Builder {
  readonly layout: Layout;
  readonly module: Module;
  readonly checks: ReadonlySet<Check>;
  readonly assumptions: Assumptions;
  readonly externals = new Map<string, string>();
  private readonly globals = new Map<string, Site>();
  private readonly initial = new Map<Site, readonly InitialLeaf[]>();
  private readonly functions = new Set<string>();

  constructor(module: Module, { checks, ...assumptions }: LoweringOptions, checkpoint: Checkpoint) {
    super(module.pointerWidth, checkpoint);
    this.module = module;
    this.checks = checks;
    this.assumptions = assumptions;
    this.layout = new Layout(module.pointerWidth);
  }

  override any(width: number, source: string): Register {
    return super.any(width, source, this.module.functions.get(source)?.returns);
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
      case 'float': {
        const width = layout.width(c.type);
        const bits = c.type.kind === 'float' ? floatBits(c.text, c.type.name) : undefined;
        return [bits === undefined ? { kind: 'any', width } : this.constant(bits, width)];
      }
      case 'undefined':
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
      const { type, initializer, debug, isConstant, isLocal } = variable;
      site = this.site({
        kind: 'global',
        name: debug?.name ?? name,
        symbol: name,
        type: debug?.type,
        place: debug?.place,
        scope: debug?.scope,
        size: this.layout.size(type),
        initial: initializer && { type, value: initializer },
        ...(isConstant ? { access: 'constant' } : isLocal ? {} : { access: 'named' }),
      });
      this.globals.set(name, site);
    }
    return { kind: 'address', site, offset: 0n, width };
  }

  /** Functions whose address is mentioned so far, in globals too. */
  addressesTaken(): readonly string[] {
    // What one global holds may be the address of another that nothing else speaks of.
    for (const site of this.sites)
      if (site.initial !== undefined && !this.initial.has(site))
        this.initial.set(site, this.initialLeaves(site.initial.value, 0));
    return [...this.functions];
  }

  private returns(): Map<string, DebugType> {
    const types = new Map<string, DebugType>();
    for (const { name, returns } of this.module.functions.values())
      if (returns !== undefined) types.set(name, returns);
    return types;
  }

  flow(procedures: ReadonlyMap<string, Procedure>): Flow {
    return {
      pointerWidth: this.pointerWidth,
      blocks: this.blocks,
      procedures,
      sites: this.sites,
      initial: this.initial,
      registers: this.registers,
      externals: this.externals,
      functions: this.addressesTaken(),
      errors: this.blocks.flatMap(({ end }) => (end.op === 'error' ? [end.error] : [])),
      returns: this.returns(),
    };
  }
}
