/**
 * Executes blocks symbolically: statements change a state, which gives each variable of the program a term. States are one map
 * with a log, so that a path can be left where it branches and another one taken. How memory is read and written is in
 * region-access.ts.
 */
import { isFinal, Unknown } from '../../sat/unknown.ts';
import { Op } from '../../term/operators.ts';
import type { SortId } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { Floats } from './floats.ts';
import type { Call, Flow, FlowBlock, Site, Statement, Value } from './flow.ts';
import { bytesOf, type Memory, type Region } from './memory.ts';
import type { DebugType, Place } from './module.ts';
import type { Operations } from './operations.ts';
import type { Cell, PointsTo } from './points-to.ts';
import { MAX_ELEMENTS, RegionAccess, type State } from './region-access.ts';
import { nameAt, stripped } from './source-names.ts';

/** Something that a person who reads a run wants to know of. */
export interface Event {
  readonly place: Place | undefined;
  readonly function: string;
  /** `choice`: nothing in the program says which value it is. `unset`: a variable begins to exist, with no value of its own. */
  readonly kind: 'assignment' | 'choice' | 'unset' | 'call';
  /** The variable, or the function whose result it is. */
  readonly name: string;
  readonly type: DebugType | undefined;
  readonly value: TermId;
  /** Where paths have come together: whether it happens on the way. */
  readonly guard?: TermId;
  /** The call that is made. */
  readonly call?: Call;
}

/** A call of a function that is kept. */
export interface MadeCall {
  readonly call: Call;
  /** The leaves of its arguments. */
  readonly args: readonly TermId[];
  /** What a variable holds when the call is made. */
  readonly before: (variable: number) => TermId;
}

/** Says what variables hold after a call: those of its results, and of the memory that it may change. */
export type OnCall = (made: MadeCall) => ReadonlyMap<number, TermId>;

/** Statements that assign to a register and change no memory. */
type Computation = Extract<
  Statement,
  { op: 'binary' | 'compare' | 'float' | 'resize' | 'select' | 'offset' | 'any' }
>;

/** What a block does, beginning with the present state. */
export interface Executed {
  /** What the path assumes beyond what it assumed before. */
  readonly conditions: readonly TermId[];
  readonly events: readonly Event[];
  /** The first thing in it that is not supported, and how many conditions, events and calls there are before it. */
  readonly obstacle: Obstacle | undefined;
}

interface Obstacle {
  readonly text: string;
  /** An object that is to be zeros, if its size is the obstacle. */
  readonly unsized: Site | undefined;
  readonly conditions: number;
  readonly events: number;
  readonly calls: number;
}

/** No object is as large as this, or addresses would not suffice. */
const ADDRESSES_LEFT = 2n ** 28n;

/** An object is to be zeros, and it is not known how large it is. */
class UnsizedZeros extends Unknown {
  readonly site: Site;

  constructor(site: Site) {
    super(
      'unsupported',
      'zeroed memory of variable size is not supported where a pointer may point to other memory, too',
    );
    this.site = site;
  }
}

export class Execution implements State {
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly memory: Memory;
  private readonly operations: Operations;
  private readonly floats: Floats;
  private readonly regions: RegionAccess;
  private readonly unset: (variable: number) => TermId;
  private readonly renewed: ReadonlyMap<Statement, readonly number[]>;
  private readonly unknown: Set<Region>;
  private readonly state = new Map<number, TermId>();
  private readonly log: { readonly variable: number; readonly value: TermId | undefined }[] = [];
  private conditions: TermId[] = [];
  private events: Event[] = [];
  private calls = 0;
  private readonly onCall: OnCall;
  private block: FlowBlock | undefined;
  private anyCount = 0; // in this block
  private readonly inputs = new Map<string, TermId>(); // by name and sort

  /**
   * `renewed`: variables of the memory that begin to exist with a statement; `unknown`: regions of which it is not known what they
   * hold at the start; `unset`: what a variable is that nothing has been assigned to.
   */
  constructor(
    flow: Flow,
    pointsTo: PointsTo,
    memory: Memory,
    operations: Operations,
    renewed: ReadonlyMap<Statement, readonly number[]>,
    unknown: Set<Region>,
    unset: (variable: number) => TermId,
    onCall: OnCall,
  ) {
    this.flow = flow;
    this.pointsTo = pointsTo;
    this.memory = memory;
    this.operations = operations;
    this.floats = new Floats(operations);
    this.regions = new RegionAccess(this, operations, flow.pointerWidth, unknown);
    this.renewed = renewed;
    this.unknown = unknown;
    this.unset = unset;
    this.onCall = onCall;
  }

  // ---- the state ----

  get(variable: number): TermId {
    return this.state.get(variable) ?? this.unset(variable);
  }

  set(variable: number, value: TermId): void {
    this.log.push({ variable, value: this.state.get(variable) });
    this.state.set(variable, value);
  }

  /** Variables that have been assigned to. */
  get assigned(): ReadonlyMap<number, TermId> {
    return this.state;
  }

  get mark(): number {
    return this.log.length;
  }

  /** The state as it was then. */
  backTo(mark: number): void {
    while (this.log.length > mark) {
      const { variable, value } = this.log.pop() as { variable: number; value: TermId | undefined };
      if (value === undefined) this.state.delete(variable);
      else this.state.set(variable, value);
    }
  }

  // ---- blocks ----

  /** Enters a block from another: all phis at once. */
  enter(block: FlowBlock, from: number): void {
    this.begin(block);
    const values = block.phis.map(phi =>
      this.value(phi.incoming.get(from) ?? { kind: 'any', width: phi.to.width }),
    );
    block.phis.forEach((phi, i) => {
      this.set(phi.to.id, values[i]);
    });
  }

  run(block: FlowBlock): Executed {
    this.begin(block);
    this.conditions = [];
    this.events = [];
    this.calls = 0;
    let obstacle: Obstacle | undefined;
    for (const s of block.statements) {
      try {
        this.statement(s);
      } catch (error) {
        if (!(error instanceof Unknown) || isFinal(error.reason)) throw error;
        const at = s.place === undefined ? '' : ` (${s.place.file}:${s.place.line})`;
        const { conditions, events } = this;
        obstacle ??= {
          text: `${error.message}${at}`,
          unsized: error instanceof UnsizedZeros ? error.site : undefined,
          conditions: conditions.length,
          events: events.length,
          calls: this.calls,
        };
      }
    }
    return { conditions: this.conditions, events: this.events, obstacle };
  }

  value(value: Value): TermId {
    const { operations, memory, flow } = this;
    switch (value.kind) {
      case 'register':
        return this.get(value.id);
      case 'constant':
        return operations.constant(value.value, value.width);
      case 'function':
        return operations.constant(BigInt(memory.functionAddress(value.name)), value.width);
      case 'address': {
        const base = memory.address(value.site) as number;
        return operations.constant(
          BigInt.asUintN(flow.pointerWidth, BigInt(base) + value.offset),
          value.width,
        );
      }
      case 'any':
        return this.any(value.width, 'any');
    }
  }

  private begin(block: FlowBlock): void {
    if (this.block === block) return;
    this.block = block;
    this.anyCount = 0;
  }

  /** A variable that stands for any value. A path enters a block only once, so one for each use in the text is enough. */
  /** A value that nothing determines. */
  any(width: number, source: string): TermId {
    const { terms } = this.operations;
    const { sorts } = terms;
    return this.input(source, width === 1 ? sorts.bool : sorts.bitVec(width));
  }

  private input(source: string, sort: SortId): TermId {
    const { terms } = this.operations;
    const name = `${source}@${this.block?.id}.${this.anyCount++}`;
    const key = `${name} ${sort}`;
    let variable = this.inputs.get(key);
    if (variable === undefined) {
      variable = terms.variable(name, sort);
      this.inputs.set(key, variable);
    }
    return variable;
  }

  private statement(s: Statement): void {
    switch (s.op) {
      case 'store':
        this.store(s);
        break;
      case 'allocate':
        this.allocate(s);
        break;
      case 'move':
        this.move(s);
        break;
      case 'fill':
        this.fill(this.pointsTo.cell(s.pointer), s.pointer, s.byte, s.length, s.place);
        break;
      case 'assume':
        this.conditions.push(this.value(s.condition));
        break;
      case 'relate':
      case 'release':
        break;
      case 'havoc':
        this.havoc();
        break;
      case 'load':
        this.load(s);
        break;
      case 'recall':
        this.set(s.to.id, this.operations.select(this.get(this.memory.table as number), this.value(s.key)));
        break;
      case 'record':
        this.record(s);
        break;
      case 'call':
        this.call(s);
        break;
      default:
        this.set(s.to.id, this.computed(s));
    }
  }

  private call(s: Extract<Statement, { op: 'call' }>): void {
    const before = new Map(this.state);
    const after = this.onCall({
      call: s,
      args: s.args.flat().map(v => this.value(v)),
      before: v => before.get(v) ?? this.unset(v),
    });
    for (const [variable, value] of after) this.set(variable, value);
    this.calls++;
    const name = s.callee.kind === 'named' ? s.callee.name : '';
    const { true: value } = this.operations.terms;
    this.events.push({ ...this.where(s.place), kind: 'call', name, type: undefined, value, call: s });
  }

  /** What a statement assigns to its register. */
  private computed(s: Computation): TermId {
    const { operations } = this;
    switch (s.op) {
      case 'binary':
        return operations.binary(s.operator, this.value(s.a), this.value(s.b));
      case 'compare':
        return operations.compare(s.predicate, this.value(s.a), this.value(s.b));
      case 'float':
        return this.floats.apply(
          s.operation,
          s.operands.map(o => this.value(o)),
          s.to.width,
        );
      case 'resize':
        return operations.resized(this.value(s.value), s.to.width, s.isSigned);
      case 'select':
        return operations.ite(this.value(s.condition), this.value(s.a), this.value(s.b));
      case 'offset':
        return this.offset(s);
      case 'any': {
        const value = this.any(s.to.width, s.source);
        const { source: name, type } = s;
        this.events.push({ ...this.where(s.place), kind: 'choice', name, type: stripped(type), value });
        for (const variable of this.renewed.get(s) ?? [])
          this.set(variable, this.input('any', this.operations.terms.sort(this.get(variable))));
        return value;
      }
    }
  }

  private where(place: Place | undefined) {
    return { place, function: this.block?.function ?? '' };
  }

  private offset({ base, constant, scaled }: Extract<Statement, { op: 'offset' }>): TermId {
    const { operations, flow } = this;
    let address = this.value(base);
    for (const { index, stride } of scaled)
      address = operations.sum(address, operations.product(this.value(index), stride));
    if (constant === 0n) return address;
    return operations.sum(
      address,
      operations.constant(BigInt.asUintN(flow.pointerWidth, constant), flow.pointerWidth),
    );
  }

  // ---- memory ----

  private load({ to, pointer, base }: Extract<Statement, { op: 'load' }>): void {
    const { operations } = this;
    const cell = this.pointsTo.cell(pointer);
    const region = this.memory.region(cell);
    const address = () => this.value(pointer);
    // Of an address that is a number no object is known.
    const loaded =
      region === undefined
        ? this.any(to.width, 'any')
        : operations.resized(this.regions.read(region, cell.offset, address, bytesOf(to)), to.width, false);
    if (base !== undefined) this.set(base.id, this.regions.readBase(region, cell.offset, address));
    this.set(to.id, loaded);
  }

  /** Whatever can be reached from outside may hold anything. */
  private havoc(): void {
    for (const { groups } of this.memory.exposed()) {
      for (const group of groups) {
        const sort = this.operations.terms.sort(this.get(group.variable));
        this.set(group.variable, this.input('any', sort));
        this.regions.setBases(group, this.regions.base('unknown'));
      }
    }
  }

  private record({ key, value }: Extract<Statement, { op: 'record' }>): void {
    const { table } = this.memory;
    if (table === undefined) return; // nobody looks
    this.set(table, this.operations.store(this.get(table), this.value(key), this.value(value)));
  }

  private store({ value, pointer, base, place }: Extract<Statement, { op: 'store' }>): void {
    const cell = this.pointsTo.cell(pointer);
    const region = this.memory.region(cell);
    if (region === undefined) return;
    const term = this.value(value);
    const into = base === undefined ? this.regions.base('unknown') : this.value(base);
    this.regions.write(region, cell.offset, () => this.value(pointer), this.operations.asBytes(term), into);
    if (region.kind === 'scalars')
      this.tell(value.kind === 'any' ? 'unset' : 'assignment', region.site, cell.offset, term, place);
  }

  private tell(
    kind: Event['kind'],
    site: Site,
    offset: number,
    value: TermId,
    place: Place | undefined,
  ): void {
    const named = nameAt(site, offset);
    if (named !== undefined) this.events.push({ ...this.where(place), kind, ...named, value });
  }

  private allocate({ to, site, size, isZeroed }: Extract<Statement, { op: 'allocate' }>): void {
    const { memory, operations, flow } = this;
    const { terms } = operations;
    const width = flow.pointerWidth;
    const cell = this.pointsTo.cellOfSite(site);
    const region = memory.region(cell);
    const constant = memory.address(site);
    if (constant !== undefined) this.set(to.id, operations.constant(BigInt(constant), width));
    else {
      const heap = memory.heap as number;
      const address = this.get(heap);
      const wanted = this.value(size);
      const limit = operations.constant((1n << BigInt(width)) - ADDRESSES_LEFT, width);
      const rounded = operations.binary(
        'and',
        operations.sum(wanted, operations.constant(31n, width)),
        operations.constant(BigInt.asUintN(width, -16n), width),
      );
      this.conditions.push(
        operations.compare('ule', wanted, operations.constant(ADDRESSES_LEFT - 32n, width)),
        operations.compare('ult', address, limit),
      );
      this.set(to.id, address);
      this.set(heap, operations.sum(address, rounded));
    }
    if (region === undefined) return;
    const pointer: Value = to;
    if (isZeroed) {
      if (memory.isZeroAtFirst(cell)) return;
      const wanted = this.value(size);
      if (terms.op(wanted) !== Op.BV_CONST) throw new UnsizedZeros(site);
      this.fill(cell, pointer, { kind: 'constant', value: 0n, width: 8 }, Number(terms.bvValue(wanted)));
    } else if (
      constant !== undefined &&
      site.size !== undefined &&
      (region.kind === 'scalars' || region.sites.length === 1)
    ) {
      // The object is new: it may hold anything. Objects in loops lie where nothing has been yet.
      for (const group of region.groups) {
        const sort = terms.sort(this.get(group.variable));
        this.set(group.variable, this.input('any', sort));
        this.regions.setBases(group, this.regions.base('nothing'));
      }
    }
  }

  private move({ target, source, length }: Extract<Statement, { op: 'move' }>): void {
    const [to, from] = [this.pointsTo.cell(target), this.pointsTo.cell(source)];
    const [into, out] = [this.memory.region(to), this.memory.region(from)];
    if (into === undefined) return; // nobody looks
    const pieces = this.regions.pieces(into, to.offset, length);
    const read = (offset: number, bytes: number): TermId =>
      out === undefined
        ? this.any(8 * bytes, 'any')
        : this.regions.read(
            out,
            this.regions.within(out, from.offset + offset),
            () => this.regions.plus(this.value(source), offset),
            bytes,
          );
    // All is read before anything is written: the two may overlap.
    const values = pieces.map(({ offset, bytes }) => read(offset, bytes));
    const bases = pieces.map(({ offset, bytes }) =>
      out === undefined || 8 * bytes !== this.flow.pointerWidth
        ? this.regions.base('unknown')
        : this.regions.readBase(out, this.regions.within(out, from.offset + offset), () =>
            this.regions.plus(this.value(source), offset),
          ),
    );
    pieces.forEach(({ offset }, i) => {
      this.regions.write(
        into,
        this.regions.within(into, to.offset + offset),
        () => this.regions.plus(this.value(target), offset),
        values[i],
        bases[i],
      );
    });
  }

  private fill(cell: Cell, pointer: Value, byte: Value, length: number, place?: Place): void {
    const { operations } = this;
    const { terms } = operations;
    const region = this.memory.region(cell);
    if (region === undefined) return;
    const value = byte.kind === 'any' ? undefined : this.value(byte);
    const isZero = byte.kind === 'constant' && byte.value === 0n;
    const base = this.regions.base(byte.kind === 'any' ? 'nothing' : isZero ? 'null' : 'unknown');
    if (region.kind !== 'scalars' && this.isWhole(region, pointer, length)) {
      for (const group of region.groups) {
        const sort = terms.sort(this.get(group.variable));
        const filled =
          value === undefined
            ? this.input('any', sort)
            : terms.constArray(sort, operations.joined(Array.from({ length: group.bytes }, () => value)));
        this.set(group.variable, filled);
        this.regions.setBases(group, base);
      }
      return;
    }
    for (const { offset, bytes } of this.regions.pieces(region, cell.offset, length)) {
      const part =
        value === undefined
          ? this.any(8 * bytes, 'any')
          : operations.joined(Array.from({ length: bytes }, () => value));
      if (value === undefined && region.kind === 'scalars')
        this.tell('unset', region.site, cell.offset + offset, part, place);
      this.regions.write(
        region,
        this.regions.within(region, cell.offset + offset),
        () => this.regions.plus(this.value(pointer), offset),
        part,
        base,
      );
    }
  }

  /** Is that all of the only object of a region? */
  private isWhole(region: Exclude<Region, { kind: 'scalars' }>, pointer: Value, length: number): boolean {
    const [site] = region.sites;
    if (region.sites.length !== 1 || site.size === undefined || this.memory.address(site) === undefined)
      return false;
    const { terms } = this.operations;
    const start = this.operations.constant(
      BigInt(this.memory.address(site) as number),
      this.flow.pointerWidth,
    );
    return (
      length >= site.size &&
      terms.sort(start) === terms.sort(this.value(pointer)) &&
      start === this.value(pointer)
    );
  }

  // ---- the start ----

  /** The state in which the program begins. */
  start(): void {
    const { memory, flow, operations } = this;
    const { sorts } = operations.terms;
    this.begin(flow.blocks[0]);
    for (const [id, { width, isArray, initial }] of memory.variables) {
      const word = sorts.bitVec(width);
      const sort = isArray ? sorts.array(sorts.bitVec(flow.pointerWidth), word) : word;
      if (initial === undefined) this.set(id, this.input('memory', sort));
      else {
        const value = operations.constant(initial, width);
        this.set(id, isArray ? operations.terms.constArray(sort, value) : value);
      }
    }
    // What another module's global points into is not known.
    for (const site of flow.sites.filter(s => s.kind === 'global' && s.initial === undefined))
      for (const group of memory.region(this.pointsTo.cellOfSite(site))?.groups ?? [])
        this.regions.setBases(group, this.regions.base('unknown'));
    const done = new Set<Region>();
    for (const site of flow.sites) {
      const region = site.initial && memory.region(this.pointsTo.cellOfSite(site));
      if (region === undefined) continue;
      try {
        this.initialize(site, region, done);
      } catch (error) {
        if (!(error instanceof Unknown) || isFinal(error.reason)) throw error;
        this.unknown.add(region);
      }
    }
  }

  /** What lies in a global at the start. */
  private initialize(site: Site, region: Region, done: Set<Region>): void {
    const { flow, operations } = this;
    const { terms } = operations;
    const cell = this.pointsTo.cellOfSite(site);
    const pointer: Value = { kind: 'address', site, offset: 0n, width: flow.pointerWidth };
    const zero: Value = { kind: 'constant', value: 0n, width: 8 };
    const others = region.kind === 'scalars' ? undefined : this.localsAmong(region);
    if (others === undefined) this.fill(cell, pointer, zero, site.size as number);
    else if (!done.has(region)) {
      // All of it is zero at first, but what lies on the stack.
      done.add(region);
      for (const group of region.groups) {
        this.set(
          group.variable,
          terms.constArray(terms.sort(this.get(group.variable)), terms.bv(8 * group.bytes, 0)),
        );
        this.regions.setBases(group, this.regions.base('null'));
      }
      for (const local of others) {
        const start: Value = { kind: 'address', site: local, offset: 0n, width: flow.pointerWidth };
        this.fill(this.pointsTo.cellOfSite(local), start, { kind: 'any', width: 8 }, local.size as number);
      }
    }
    const leaves = flow.initial.get(site) ?? [];
    if (leaves.length > MAX_ELEMENTS)
      throw new Unknown('size', `more than ${MAX_ELEMENTS} elements are initialised`);
    for (const { offset, value } of leaves) {
      // A scalar that nobody accesses as a whole may be larger than what is accessed.
      const whole = operations.asBytes(this.value(value));
      const from = this.regions.within(region, cell.offset + offset);
      for (const piece of this.regions.pieces(region, from, terms.width(whole) / 8))
        this.regions.write(
          region,
          this.regions.within(region, from + piece.offset),
          () => this.regions.plus(this.value(pointer), offset + piece.offset),
          operations.bits(whole, 8 * piece.offset, 8 * piece.bytes),
          value.kind === 'address' ? this.value({ ...value, offset: 0n }) : this.regions.base('unknown'),
        );
    }
  }

  /** What else lies where globals do whose contents are known, if that are single objects on the stack. */
  private localsAmong({ sites }: Exclude<Region, { kind: 'scalars' }>): readonly Site[] | undefined {
    const others = sites.filter(s => s.kind !== 'global' || s.initial === undefined);
    const areLocals = others.every(s => s.kind === 'stack' && this.memory.address(s) !== undefined);
    return areLocals ? others : undefined;
  }

  /** What lies in a global that is defined elsewhere, byte by byte, in the present state; none if nobody looks. */
  bytesOf(site: Site): readonly TermId[] {
    const cell = this.pointsTo.cellOfSite(site);
    const region = this.memory.region(cell);
    const address = this.memory.address(site);
    const isKnown = region !== undefined && !this.unknown.has(region);
    if (!isKnown || address === undefined || (site.size ?? 0) > MAX_ELEMENTS) return [];
    const start = this.operations.constant(BigInt(address), this.flow.pointerWidth);
    return Array.from({ length: site.size ?? 0 }, (_, i) =>
      this.regions.read(
        region,
        this.regions.within(region, cell.offset + i),
        () => this.regions.plus(start, i),
        1,
      ),
    );
  }
}
