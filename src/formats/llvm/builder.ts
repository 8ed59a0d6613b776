/**
 * Builds a flow block by block: statements are added to the current block, each with a register of its own for its result.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { FloatOperation } from './float-format.ts';
import type { End, FlowBlock, Operation, Register, Scaled, Site, Value } from './flow.ts';
import type { DebugType, Place } from './module.ts';

/** Of a statement, against that of reading a token. */
const WORK_OF_A_STATEMENT = 5;

/** Where statements are being added. */
export class Builder {
  readonly pointerWidth: 32 | 64;
  current: FlowBlock;
  place: Place | undefined;
  /** The call that is being copied. */
  frame = 0;
  private frames = 0;
  protected readonly blocks: FlowBlock[] = [];
  protected readonly sites: Site[] = [];
  protected registers = 0;
  protected statements = 0;
  private readonly checkpoint: Checkpoint;

  constructor(pointerWidth: 32 | 64, checkpoint: Checkpoint) {
    this.pointerWidth = pointerWidth;
    this.checkpoint = checkpoint;
    this.current = this.block('');
  }

  block(name: string, mark: Pick<FlowBlock, 'isEntry'> = {}): FlowBlock {
    const block: FlowBlock = {
      id: this.blocks.length,
      phis: [],
      statements: [],
      end: { op: 'stop', isExit: false },
      place: undefined,
      function: name,
      frame: this.frame,
      loop: undefined,
      ...mark,
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
    this.statements++;
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

  /** The program says that something is wrong here; nothing comes after it. */
  error(text: string): void {
    this.end({ op: 'error', error: { text, place: this.place } });
    this.current = this.block(this.current.function);
  }

  /** The program ends. */
  stop(isExit = false): void {
    this.end({ op: 'stop', isExit });
    this.current = this.block(this.current.function);
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

  float(operation: FloatOperation, operands: readonly Value[], width: number): Register {
    const to = this.register(width);
    this.emit({ op: 'float', to, operation, operands });
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

  /** What `source` gives, which is any value; if that is a function, what it returns is known. */
  any(width: number, source: string, type?: DebugType): Register {
    const to = this.register(width);
    this.emit({ op: 'any', to, source, type });
    return to;
  }

  /** Does something for every number below a length. */
  forEachBelow(length: Value, body: (i: Value) => void): void {
    const { pointerWidth: width } = this;
    const end = this.resized(length, width, false);
    const [head, inside, after] = [0, 1, 2].map(() => this.block(this.current.function));
    const entry = this.current;
    this.goTo(head);
    const i = this.register(width);
    const incoming = new Map<number, Value>([[entry.id, this.constant(0, width)]]);
    head.phis.push({ to: i, incoming });
    this.branch(this.compare('ult', i, end), inside, after);
    this.current = inside;
    body(i);
    const next = this.binary('add', i, this.constant(1, width));
    incoming.set(this.current.id, next);
    this.end({ op: 'goto', target: head.id });
    this.current = after;
  }

  /** How many blocks there are. */
  get count(): number {
    return this.blocks.length;
  }

  blocksFrom(first: number): readonly FlowBlock[] {
    return this.blocks.slice(first);
  }
}
