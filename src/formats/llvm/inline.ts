/**
 * Makes one graph of a program: from the start on, every call is replaced by a copy of what is called, with registers and stack
 * objects of its own; so whatever is said of memory later is said of each call by itself. A function that calls itself is
 * copied a few times, and a call beyond that is a trap, behind which nothing is known; or it is kept, as mixed semantics has it
 * (Gurfinkel, Wei, Chechik, Model Checking Recursive Programs with Numeric Data Types, 2008; SeaHorn, 2015), in two bodies:
 *
 *   the procedure  in which no error is found, a call ends or returns. It stays a call, whose effect is a summary.
 *   the entry      a part of the program itself, where errors are found and nothing returns. A call chooses: it enters there,
 *                  never to come back, or it uses the summary and goes on.
 *
 * Calls through pointers become a choice among the functions that the pointer may be. A function without a body returns any value
 * and leaves memory alone.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { Builder } from './builder.ts';
import type {
  Call,
  End,
  Flow,
  FlowBlock,
  Operation,
  Phi,
  Procedure,
  Register,
  Site,
  Statement,
  Value,
} from './flow.ts';
import { INLINE_ASSEMBLY } from './lower.ts';
import type { Assumptions } from './module-builder.ts';
import { reversePostorder } from './order.ts';
import type { Callees, PointsTo } from './points-to.ts';

/** Functions that are kept, and which objects of their bodies must be many: those that are known beyond one call. */
export interface Kept {
  readonly functions: ReadonlySet<string>;
  /** Their numbers in what inlining gives without them. */
  readonly many: ReadonlySet<number>;
}

const NOTHING_KEPT: Kept = { functions: new Set(), many: new Set() };

/** How many calls of one function may be open at a time, as long as that gives no more statements than this. */
const NESTED: readonly Bounds[] = [
  { calls: 3, statements: 100_000 },
  { calls: 2, statements: 200_000 },
  { calls: 1, statements: 300_000 },
];

export interface Bounds {
  readonly calls: number;
  readonly statements: number;
}

/** The first of some bounds within which it can be done; throws an Unknown if there is none. */
export function inlined(
  flow: Flow,
  pointsTo: PointsTo,
  assumptions: Assumptions,
  checkpoint: Checkpoint,
  [first, ...others]: readonly Bounds[] = NESTED,
  kept = NOTHING_KEPT,
): Flow {
  try {
    return new Inliner(flow, pointsTo, assumptions, first, checkpoint, kept).run();
  } catch (error) {
    if (others.length === 0 || !(error instanceof Unknown) || error.reason !== 'size') throw error;
    return inlined(flow, pointsTo, assumptions, checkpoint, others, kept);
  }
}

/** A call that is being replaced. */
interface Frame {
  readonly values: Map<number, Value>; // of registers
  readonly sites: Map<Site, Site>;
  readonly blocks: ReadonlyMap<number, FlowBlock>; // the first block made of each
  readonly returns: { readonly block: FlowBlock; readonly values: readonly Value[] }[];
}

/** A function that is kept. */
interface KeptFunction {
  readonly procedure: Procedure;
  /** Of what it returns. */
  readonly widths: readonly number[];
  /** Where the program enters it, with the parameters as phis. */
  readonly entry: FlowBlock;
}

/** A body that calls have in common, while it is being made. */
interface Body {
  readonly number: number;
  /** Where the objects are made that must be many. */
  readonly start: FlowBlock;
  readonly addresses: Map<string, Register>;
}

class Inliner extends Builder {
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly nested: number; // calls of one function that may be open
  private readonly limit: number; // of statements
  private readonly open = new Map<string, number>(); // calls of each function that are open
  private readonly orders = new Map<Procedure, readonly FlowBlock[]>();
  private readonly externals: Map<string, string>;
  private readonly assumptions: Assumptions;
  private readonly shared = new Map<Site, Site>(); // globals
  private readonly addresses: Set<string>; // of functions that pointers are compared with
  private readonly kept: Kept;
  private readonly keptFunctions = new Map<string, KeptFunction>();
  private readonly bodies = new Map<number, number>(); // by frame
  private body: Body | undefined; // the one that is being made, if it is not the program itself
  private isSummary = false; // is it one that returns?

  constructor(
    flow: Flow,
    pointsTo: PointsTo,
    assumptions: Assumptions,
    { calls, statements }: Bounds,
    checkpoint: Checkpoint,
    kept: Kept,
  ) {
    super(flow.pointerWidth, checkpoint);
    this.flow = flow;
    this.kept = kept;
    this.pointsTo = pointsTo;
    this.assumptions = assumptions;
    this.nested = calls;
    this.limit = statements;
    this.externals = new Map(flow.externals);
    this.addresses = new Set(flow.functions);
  }

  run(): Flow {
    const { flow, blocks, sites, externals } = this;
    this.copy(flow.procedures.get('') as Procedure, [], []);
    this.end({ op: 'stop', isExit: false });
    for (const f of this.keptFunctions.values()) this.entered(f);
    const program: Procedure = { name: '', parameters: [], names: [], blocks: blocks.slice() };
    const summaries = [...this.keptFunctions.values()].map(f => this.summarised(f));
    const initial = new Map(
      [...flow.initial].map(([site, leaves]) => [
        this.global(site),
        leaves.map(({ offset, value }) => ({
          offset,
          value: value.kind === 'address' ? { ...value, site: this.global(value.site) } : value,
        })),
      ]),
    );
    const procedures = new Map([program, ...summaries].map(p => [p.name, p]));
    const { registers, bodies } = this;
    const functions = [...this.addresses];
    return { ...flow, blocks, procedures, sites, initial, registers, externals, functions, bodies };
  }

  /** Copies a procedure into the current block and goes on behind it, with what it returns. */
  private copy(
    procedure: Procedure,
    args: readonly (readonly Value[])[],
    widths: readonly number[],
  ): readonly Value[] {
    const { name, parameters } = procedure;
    const nested = this.open.get(name) ?? 0;
    if (nested >= this.nested) {
      this.trap(`'${name}' calls itself`);
      this.current = this.block(name);
      return widths.map((width): Value => ({ kind: 'any', width }));
    }
    if (this.statements > this.limit)
      throw new Unknown(
        'size',
        `the program has more than ${this.limit} statements once its calls are inlined`,
      );
    this.open.set(name, nested + 1);
    const { place } = this;
    const outer = this.enter();
    if (this.body !== undefined) this.bodies.set(this.frame, this.body.number);
    const order = this.inOrder(procedure);
    const frame: Frame = {
      values: new Map(),
      sites: new Map(),
      blocks: new Map(order.map(b => [b.id, this.block(b.function)])),
      returns: [],
    };
    // A caller may be mistaken about parameters.
    parameters.forEach((leaves, i) => {
      leaves.forEach((register, j) => {
        frame.values.set(register.id, this.fitted(args[i]?.[j], register.width));
      });
    });
    this.goTo(frame.blocks.get(order[0].id) as FlowBlock);
    const ends = new Map<number, FlowBlock>();
    for (const block of order) {
      this.current = frame.blocks.get(block.id) as FlowBlock;
      this.current.loop = block.loop;
      for (const { to } of block.phis) {
        const made: Phi = { to: this.register(to.width), incoming: new Map() };
        this.current.phis.push(made);
        frame.values.set(to.id, made.to);
      }
      for (const s of block.statements) {
        this.place = s.place ?? place;
        this.statement(frame, s);
      }
      this.place = block.place ?? place;
      this.leave(frame, block.end);
      ends.set(block.id, this.current);
    }
    // A phi may speak of what comes after it.
    for (const block of order) {
      const { phis } = frame.blocks.get(block.id) as FlowBlock;
      block.phis.forEach(({ incoming }, i) => {
        for (const [from, value] of incoming) {
          const end = ends.get(from);
          if (end !== undefined) phis[i].incoming.set(end.id, this.value(frame, value));
        }
      });
    }
    this.open.set(name, nested);
    this.place = place;
    this.frame = outer;
    return this.returned(name, frame, widths);
  }

  /** The blocks that some path leads to, each after those that it cannot be reached without. */
  private inOrder(procedure: Procedure): readonly FlowBlock[] {
    let order = this.orders.get(procedure);
    if (order === undefined) {
      order = reversePostorder(this.flow, procedure.blocks[0]);
      this.orders.set(procedure, order);
    }
    return order;
  }

  /** Goes on where all returns of a call come together. */
  private returned(name: string, { returns }: Frame, widths: readonly number[]): readonly Value[] {
    const after = this.block(name);
    for (const { block } of returns) block.end = { op: 'goto', target: after.id };
    const all = returns.map(({ block, values }) => {
      this.current = block;
      return { block, values: widths.map((width, i) => this.fitted(values[i], width)) };
    });
    this.current = after;
    if (all.length === 1) return all[0].values;
    return widths.map((width, i) => {
      const to = this.register(width);
      after.phis.push({ to, incoming: new Map(all.map(r => [r.block.id, r.values[i]])) });
      return to;
    });
  }

  private fitted(value: Value | undefined, width: number): Value {
    return value === undefined ? { kind: 'any', width } : this.resized(value, width, false);
  }

  // ---- copies ----

  private value(frame: Frame, value: Value): Value {
    switch (value.kind) {
      case 'register':
        // Where nothing sets it, no path leads here.
        return frame.values.get(value.id) ?? { kind: 'any', width: value.width };
      case 'address': {
        const site = this.siteOf(frame, value.site);
        return this.kept.many.has(site.id) ? this.made(site, value) : { ...value, site };
      }
      default:
        return value;
    }
  }

  private siteOf(frame: Frame, site: Site): Site {
    const made = site.kind === 'global' ? this.shared : frame.sites;
    let copy = made.get(site);
    if (copy === undefined) {
      copy = this.site(site);
      made.set(site, copy);
    }
    return copy;
  }

  private global(site: Site): Site {
    let copy = this.shared.get(site);
    if (copy === undefined) {
      copy = this.site(site);
      this.shared.set(site, copy);
    }
    return copy;
  }

  private statement(frame: Frame, s: Statement): void {
    const value = (v: Value) => this.value(frame, v);
    const to = (r: Register): Register => {
      const made = this.register(r.width);
      frame.values.set(r.id, made);
      return made;
    };
    switch (s.op) {
      case 'binary':
      case 'compare': {
        const [a, b] = [value(s.a), value(s.b)];
        this.emit({ ...s, a, b, to: to(s.to) });
        break;
      }
      case 'float': {
        const operands = s.operands.map(value);
        this.emit({ ...s, operands, to: to(s.to) });
        break;
      }
      case 'resize':
        frame.values.set(s.to.id, this.resized(value(s.value), s.to.width, s.isSigned));
        break;
      case 'select':
        frame.values.set(s.to.id, this.select(value(s.condition), value(s.a), value(s.b)));
        break;
      case 'offset': {
        const scaled = s.scaled.map(x => ({ ...x, index: value(x.index) }));
        frame.values.set(s.to.id, this.offset(value(s.base), s.constant, scaled));
        break;
      }
      case 'load':
        frame.values.set(s.to.id, this.load(value(s.pointer), s.to.width));
        break;
      case 'store':
        this.emit({ ...s, value: value(s.value), pointer: value(s.pointer) });
        break;
      case 'any':
        frame.values.set(s.to.id, this.any(s.to.width, s.source, s.type));
        break;
      case 'havoc':
        this.emit({ ...s, reached: s.reached.map(value) });
        break;
      case 'release':
        this.emit({ ...s, pointer: value(s.pointer) });
        break;
      case 'recall': {
        const key = value(s.key);
        this.emit({ ...s, key, to: to(s.to) });
        break;
      }
      case 'record':
        this.emit({ ...s, key: value(s.key), value: value(s.value) });
        break;
      case 'allocate':
        this.emit({ ...s, size: value(s.size), site: this.siteOf(frame, s.site), to: to(s.to) });
        break;
      case 'move':
        this.emit({ ...s, target: value(s.target), source: value(s.source) });
        break;
      case 'fill':
        this.emit({ ...s, pointer: value(s.pointer), byte: value(s.byte) });
        break;
      case 'relate':
        this.emit({ ...s, a: value(s.a), b: value(s.b) });
        break;
      case 'assume':
        this.emit({ ...s, condition: value(s.condition) });
        break;
      case 'call':
        this.call(frame, s).forEach((v, i) => {
          frame.values.set(s.results[i].id, v);
        });
        break;
    }
  }

  private leave(frame: Frame, end: End): void {
    const target = (id: number) => (frame.blocks.get(id) as FlowBlock).id;
    switch (end.op) {
      case 'goto':
        this.end({ op: 'goto', target: target(end.target) });
        break;
      case 'branch':
        this.end({
          op: 'branch',
          condition: this.value(frame, end.condition),
          ifTrue: target(end.ifTrue),
          ifFalse: target(end.ifFalse),
        });
        break;
      case 'switch':
        this.end({
          op: 'switch',
          value: this.value(frame, end.value),
          cases: end.cases.map(([n, id]) => [n, target(id)] as const),
          default: target(end.default),
        });
        break;
      case 'return':
        frame.returns.push({ block: this.current, values: end.values.map(v => this.value(frame, v)) });
        this.current.place = this.place;
        break;
      default:
        this.end(end);
    }
  }

  // ---- calls ----

  private call(frame: Frame, call: Call): readonly Value[] {
    const { callee, results } = call;
    const args = call.args.map(leaves => leaves.map(v => this.value(frame, v)));
    const widths = results.map(r => r.width);
    if (callee.kind === 'named') return this.callNamed(callee.name, args, widths);
    const pointer = this.value(frame, callee.pointer);
    if (pointer.kind === 'function') return this.callNamed(pointer.name, args, widths);
    return this.choice(pointer, this.pointsTo.callees(callee), args, widths);
  }

  private callNamed(
    name: string,
    args: readonly (readonly Value[])[],
    widths: readonly number[],
  ): readonly Value[] {
    const procedure = this.flow.procedures.get(name);
    if (procedure === undefined) return this.external(name, args, widths);
    if (this.kept.functions.has(name)) return this.callKept(procedure, args, widths);
    return this.copy(procedure, args, widths);
  }

  // ---- functions that are kept ----

  /** Enters the function, for the errors in it, or goes on with what it returns. */
  private callKept(
    procedure: Procedure,
    args: readonly (readonly Value[])[],
    widths: readonly number[],
  ): readonly Value[] {
    const { name, parameters } = procedure;
    const { function: caller } = this.current;
    const known = this.keptFunction(procedure);
    const given = parameters.map((leaves, i) =>
      leaves.map(({ width }, j) => this.fitted(args[i]?.[j], width)),
    );
    if (!this.isSummary) {
      const [inside, after] = [this.block(caller), this.block(caller)];
      this.branch({ kind: 'any', width: 1 }, inside, after);
      this.current = inside;
      this.end({ op: 'goto', target: known.entry.id });
      given.flat().forEach((value, i) => {
        known.entry.phis[i].incoming.set(inside.id, value);
      });
      this.current = after;
    }
    const results = known.widths.map(width => this.register(width));
    this.emit({ op: 'call', results, callee: { kind: 'named', name }, args: given });
    this.goTo(this.block(caller));
    return widths.map((width, i) => this.fitted(results[i], width));
  }

  private keptFunction(procedure: Procedure): KeptFunction {
    const { name, parameters, blocks } = procedure;
    let known = this.keptFunctions.get(name);
    if (known === undefined) {
      const outer = this.enter();
      const entry = this.block(name, { isEntry: true });
      this.frame = outer;
      for (const { width } of parameters.flat())
        entry.phis.push({ to: this.register(width), incoming: new Map() });
      const returns = blocks.flatMap(({ end }) => (end.op === 'return' ? [end.values] : []));
      known = { procedure, entry, widths: (returns[0] ?? []).map(v => v.width) };
      this.keptFunctions.set(name, known);
    }
    return known;
  }

  /** The body that the program enters: it finds errors, and does not return. */
  private entered({ procedure, entry }: KeptFunction): void {
    const registers = entry.phis.map(p => p.to);
    const args = procedure.parameters.map(leaves => leaves.map(() => registers.shift() as Register));
    this.inBody(entry, () => {
      this.copy(procedure, args, []);
      this.end({ op: 'stop', isExit: false });
    });
  }

  /** The body that returns: in it, no error is found. */
  private summarised({ procedure, widths }: KeptFunction): Procedure {
    const { name, names } = procedure;
    const first = this.count;
    this.enter();
    const parameters = procedure.parameters.map(leaves => leaves.map(({ width }) => this.register(width)));
    this.isSummary = true;
    this.inBody(this.block(name), () => {
      const values = this.copy(procedure, parameters, widths);
      this.end({ op: 'return', values });
    });
    this.isSummary = false;
    const blocks = this.blocksFrom(first);
    for (const block of blocks)
      if (block.end.op === 'error' || block.end.op === 'trap') block.end = { op: 'stop', isExit: false };
    return { name, parameters, names, blocks };
  }

  private inBody(start: FlowBlock, make: () => void): void {
    const number = start.frame;
    this.body = { number, start, addresses: new Map() };
    this.bodies.set(number, number);
    this.current = start;
    this.frame = number;
    this.place = undefined;
    make();
    this.body = undefined;
  }

  /** The address of an object of which each call has its own. */
  private made(site: Site, { offset, width }: Extract<Value, { kind: 'address' }>): Register {
    const { start, addresses } = this.body as Body;
    const at = (by: bigint, make: (to: Register) => Operation) => {
      const key = `${site.id} ${by}`;
      let register = addresses.get(key);
      if (register === undefined) {
        register = this.register(width);
        addresses.set(key, register);
        start.statements.push({ ...make(register), place: site.place });
      }
      return register;
    };
    const size = this.constant(site.size as number, width);
    const base = at(0n, to => ({ op: 'allocate', to, site, size, isZeroed: false }));
    return at(offset, to => ({ op: 'offset', to, base, constant: offset, scaled: [] }));
  }

  /** A function that the program does not define. */
  private external(
    name: string,
    args: readonly (readonly Value[])[],
    widths: readonly number[],
  ): readonly Value[] {
    if (name === INLINE_ASSEMBLY) this.externals.set(name, 'gives any value and has no other effect');
    else if (this.assumptions.externals === 'pure')
      this.externals.set(name, 'returns any value and leaves memory alone');
    else {
      this.externals.set(name, 'returns any value and writes anything to all memory that it can reach');
      this.emit({ op: 'havoc', reached: args.flat() });
    }
    return widths.map(width => this.any(width, name, this.flow.returns.get(name)));
  }

  /** One of the functions that the pointer may be; another one, that nothing is known of, if it may come from elsewhere. */
  private choice(
    pointer: Value,
    { names, isOpen }: Callees,
    args: readonly (readonly Value[])[],
    widths: readonly number[],
  ): readonly Value[] {
    const name = this.current.function;
    const after = this.block(name);
    const phis = widths.map((width): Phi => ({ to: this.register(width), incoming: new Map() }));
    after.phis.push(...phis);
    const leave = (values: readonly Value[]) => {
      const from = this.current;
      phis.forEach((phi, i) => {
        phi.incoming.set(from.id, values[i]);
      });
      this.end({ op: 'goto', target: after.id });
    };
    for (const candidate of names) {
      this.addresses.add(candidate);
      const address: Value = { kind: 'function', name: candidate, width: this.pointerWidth };
      const isIt = this.compare('eq', pointer, address);
      const [then, otherwise] = [this.block(name), this.block(name)];
      this.branch(isIt, then, otherwise);
      this.current = then;
      leave(this.callNamed(candidate, args, widths));
      this.current = otherwise;
    }
    // What is not part of the program may put other functions wherever it writes.
    const mayBeAnother = isOpen || names.length === 0 || this.assumptions.externals === 'havoc';
    if (mayBeAnother) leave(this.external('a function that nothing is known of', args, widths));
    else this.end({ op: 'stop', isExit: false });
    this.current = after;
    return phis.map(p => p.to);
  }
}
