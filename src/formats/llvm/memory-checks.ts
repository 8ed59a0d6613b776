/**
 * Instruments a flow with checks of memory: before every access, whether its pointer is null and whether it stays within a live
 * object; at every `free`, whether an object that was allocated and is still there begins here; at the end, whether all such
 * objects were freed. Nothing is approximated: where it is not known what a pointer points into, there is a trap.
 *
 * An object is known by its address. Its room, the number of its bytes and one more, is zero before it is allocated and after it
 * is freed: a constant for objects that stay, a variable for one that exists once, an entry of a table for those made in loops.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { Check } from '../checks.ts';
import { ARGUMENT, type Flow, type Phi, type Site, type Statement, type Value } from './flow.ts';
import { FlowCopy } from './flow-copy.ts';
import { BASE, bytesOf, FIRST_ADDRESS } from './memory.ts';
import type { Place } from './module.ts';
import { Objects } from './objects.ts';
import { PointsTo } from './points-to.ts';

const MEMORY_CHECKS: readonly Check[] = ['null', 'bounds', 'free', 'leak'];

/** Is there one that wants to know what pointers point into? */
export function checksMemory(checks: ReadonlySet<Check>): boolean {
  return MEMORY_CHECKS.some(c => checks.has(c));
}

/** The flow with the checks of memory that are asked for. */
export function withMemoryChecks(flow: Flow, checks: ReadonlySet<Check>, checkpoint: Checkpoint): Flow {
  if (!checksMemory(checks)) return flow;
  return new Instrumenter(flow, checks, checkpoint).run();
}

/** Why there is a trap. */
export const NOT_KNOWN = 'what a pointer points into is not known';

class Instrumenter extends FlowCopy {
  private readonly checks: ReadonlySet<Check>;
  private readonly objects: Objects;
  private readonly rooms = new Map<Site, Site>(); // of heap objects that exist once: where the room is kept
  private readonly counters = new Map<number, Counter>(); // by node, of objects made in loops that are to be freed

  constructor(flow: Flow, checks: ReadonlySet<Check>, checkpoint: Checkpoint) {
    super(flow, checkpoint);
    this.checks = checks;
    this.objects = new Objects(flow, new PointsTo(flow), () => this.register(this.pointerWidth));
    for (const { statements } of flow.blocks) for (const s of statements) this.prepare(s);
  }

  /** Where rooms and counts are kept. */
  private prepare(s: Statement): void {
    if (s.op !== 'allocate' || s.site.kind !== 'heap') return;
    const { site } = s;
    const node = this.objects.nodeOfSite(site);
    if (!this.objects.isReleased(node) && !this.checks.has('leak')) return;
    if (!this.objects.repeated.has(site)) this.rooms.set(site, this.hidden(`room of ${site.name}`));
    else if (this.checks.has('leak') && !this.counters.has(node))
      this.counters.set(node, { site: this.hidden('objects to free'), place: site.place });
  }

  protected besides({ to: pointer, incoming }: Phi): Phi | undefined {
    const to = this.objects.isTracked(pointer) ? this.objects.ownBase(pointer) : undefined;
    if (to === undefined) return undefined;
    return { to, incoming: new Map([...incoming].map(([from, v]) => [from, this.objects.base(v)])) };
  }

  protected copyOf(s: Statement): Statement {
    const { objects } = this;
    if (s.op === 'load' && objects.isTracked(s.to)) {
      const base = objects.ownBase(s.to);
      if (base !== undefined) return { ...s, base };
    }
    if (s.op === 'store' && s.value.width === this.pointerWidth && objects.isTrackedBehind(s.pointer))
      return { ...s, base: objects.base(s.value) };
    return s;
  }

  // ---- checks ----

  protected before(s: Statement): void {
    switch (s.op) {
      case 'load':
        this.access(s.pointer, bytesOf(s.to));
        break;
      case 'store':
        this.access(s.pointer, bytesOf(s.value));
        break;
      case 'fill':
        this.access(s.pointer, s.length);
        break;
      case 'move':
        this.access(s.source, s.length);
        this.access(s.target, s.length);
        break;
      case 'release':
        this.release(s.pointer);
        break;
    }
  }

  private access(pointer: Value, bytes: number): void {
    const site = this.objects.simpleSite(pointer);
    if (site === undefined) this.trackedAccess(pointer, bytes);
    else this.simpleAccess(pointer, site, bytes);
  }

  /** The address says it all. */
  private simpleAccess(pointer: Value, site: Site, bytes: number): void {
    const { pointerWidth: width } = this;
    const room = BigInt((site.size as number) - bytes);
    if (pointer.kind === 'address' && pointer.offset >= 0n && pointer.offset <= room) return;
    if (!this.objects.isAddress(pointer)) this.notNull(this.compare('uge', pointer, this.firstAddress()));
    if (!this.checks.has('bounds')) return;
    if (site.initial === undefined && site.kind === 'global' && site.size === 0) {
      this.trapUnless(this.constant(0, 1), 'the size of an object is not known');
      return;
    }
    const start: Value = { kind: 'address', site, offset: 0n, width };
    const isWithin =
      room < 0n
        ? this.constant(0, 1)
        : this.compare('ule', this.binary('sub', pointer, start), this.constant(room, width));
    this.errorUnless(isWithin, 'access out of bounds');
  }

  /** The object is known from what the pointer was made of. */
  private trackedAccess(pointer: Value, bytes: number): void {
    const { pointerWidth: width } = this;
    const base = this.objects.base(pointer);
    const isUnknown = this.isBase(base, 'unknown');
    if (base.kind !== 'address') {
      if (this.checks.has('null') && !this.checks.has('bounds'))
        this.trapUnless(
          this.not(this.binary('and', isUnknown, this.compare('ult', pointer, this.firstAddress()))),
          NOT_KNOWN,
        );
      this.notNull(this.not(this.isBase(base, 'null')));
    }
    if (!this.checks.has('bounds')) return;
    this.trapUnless(this.not(isUnknown), NOT_KNOWN);
    const room = this.roomOf(pointer, base);
    this.errorUnless(this.compare('ne', room, this.constant(0, width)), 'access to what is no object');
    const offset = this.binary('sub', pointer, base);
    const isWithin = this.binary(
      'and',
      this.compare('ult', offset, room),
      this.compare('ult', this.constant(bytes, width), this.binary('sub', room, offset)),
    );
    this.errorUnless(isWithin, 'access out of bounds');
  }

  /** A null pointer is no object either, for those who ask about objects only. */
  private notNull(condition: Value): void {
    if (this.checks.has('null')) this.errorUnless(condition, 'null dereference');
    else if (this.checks.has('bounds')) this.errorUnless(condition, 'access to what is no object');
  }

  /** The room of the object at an address, which is what a pointer points into. */
  private roomOf(pointer: Value, base: Value): Value {
    const { pointerWidth: width, objects } = this;
    const sites = objects.sitesOf(pointer);
    let room: Value = this.constant(0, width);
    if (sites.some(s => objects.repeated.has(s))) {
      const to = this.register(width);
      this.emit({ op: 'recall', to, key: base });
      room = to;
    }
    for (const site of sites.filter(s => !objects.repeated.has(s))) {
      const kept = this.rooms.get(site);
      const own =
        kept === undefined
          ? this.constant((site.size as number) + 1, width)
          : this.load(this.addressOf(kept), width);
      room = this.select(this.isAt(base, site), own, room);
    }
    return room;
  }

  private release(pointer: Value): void {
    const { pointerWidth: width, objects } = this;
    const zero = this.constant(0, width);
    const isNull = this.compare('eq', pointer, zero);
    const base = objects.base(pointer);
    const sites = objects.sitesOf(pointer);
    const onHeap = sites.filter(s => s.kind === 'heap');
    if (this.checks.has('free') || this.checks.has('bounds') || this.checks.has('leak')) {
      this.trapUnless(this.either(isNull, this.not(this.isBase(base, 'unknown'))), NOT_KNOWN);
      if (sites.some(s => s.kind !== 'heap' && objects.repeated.has(s)))
        this.trapUnless(isNull, 'what is freed may be an array of variable length');
    }
    const isElsewhere = sites
      .filter(s => s.kind !== 'heap')
      .map(s => this.isAt(base, s))
      .reduce<Value>((a, b) => this.either(a, b), this.constant(0, 1));
    const room = onHeap.length === 0 ? zero : this.roomOf(pointer, base);
    const isThere = this.binary('and', this.compare('eq', pointer, base), this.compare('ne', room, zero));
    const isValid = this.binary('and', isThere, this.not(isElsewhere));
    if (this.checks.has('free'))
      this.errorUnless(this.either(isNull, isValid), 'free of what is not allocated');
    this.forget(pointer, base, isValid, onHeap);
  }

  /** An object is there no more, if the condition holds. */
  private forget(pointer: Value, base: Value, isValid: Value, sites: readonly Site[]): void {
    const { pointerWidth: width, objects } = this;
    let isOne: Value = this.constant(0, 1); // of those that exist once
    for (const site of sites) {
      const kept = this.rooms.get(site);
      if (kept === undefined) continue;
      const isIt = this.binary('and', isValid, this.isAt(base, site));
      const at = this.addressOf(kept);
      const left = this.select(isIt, this.constant(0, width), this.load(at, width));
      this.emit({ op: 'store', value: left, pointer: at });
      isOne = this.either(isOne, this.isAt(base, site));
    }
    if (!sites.some(s => objects.repeated.has(s))) return;
    const room = this.register(width);
    this.emit({ op: 'recall', to: room, key: base });
    this.emit({ op: 'record', key: base, value: this.select(isValid, this.constant(0, width), room) });
    const counter = this.counters.get(objects.nodeOf(pointer));
    if (counter === undefined) return;
    const one = this.select(
      this.binary('and', isValid, this.not(isOne)),
      this.constant(1, width),
      this.constant(0, width),
    );
    this.countObjects(counter, 'sub', one);
  }

  protected exit(): void {
    if (!this.checks.has('leak')) return;
    const { pointerWidth: width } = this;
    const kept = [
      ...[...this.rooms].map(([{ place }, site]) => ({ place, site })),
      ...this.counters.values(),
    ];
    const { place: end } = this;
    for (const { site, place } of kept) {
      this.place = place;
      const left = this.load(this.addressOf(site), width);
      this.errorUnless(this.compare('eq', left, this.constant(0, width)), 'memory that is never freed');
    }
    this.place = end;
  }

  // ---- what is kept of objects ----

  protected after(s: Statement): void {
    const { pointerWidth: width, objects } = this;
    if (s.op !== 'allocate' && s.op !== 'select' && s.op !== 'any') return;
    const base = objects.isTracked(s.to) ? objects.ownBase(s.to) : undefined;
    if (s.op === 'select') {
      if (base !== undefined) this.emit({ ...s, to: base, a: objects.base(s.a), b: objects.base(s.b) });
      return;
    }
    if (s.op === 'any') {
      if (base === undefined) return;
      // What the program is called with is not null, but what it is we cannot know.
      const isArgument = s.source === ARGUMENT;
      const condition = isArgument ? this.constant(0, 1) : this.compare('eq', s.to, this.constant(0, width));
      const [a, b] = [this.constant(BASE.null, width), this.constant(BASE.unknown, width)];
      this.emit({ op: 'select', to: base, condition, a, b });
      return;
    }
    if (base !== undefined) this.emit({ op: 'resize', to: base, value: s.to, isSigned: false });
    const room = this.binary('add', s.size, this.constant(1, width));
    const kept = this.rooms.get(s.site);
    if (kept !== undefined) this.emit({ op: 'store', value: room, pointer: this.addressOf(kept) });
    if (!objects.repeated.has(s.site)) return;
    this.emit({ op: 'record', key: this.resizedToNumber(s.to), value: room });
    const counter = s.site.kind === 'heap' ? this.counters.get(objects.nodeOfSite(s.site)) : undefined;
    if (counter !== undefined) this.countObjects(counter, 'add', this.constant(1, width));
  }

  private resizedToNumber(value: Value): Value {
    const to = this.register(value.width);
    this.emit({ op: 'resize', to, value, isSigned: false });
    return to;
  }

  private countObjects({ site }: Counter, operator: 'add' | 'sub', by: Value): void {
    const at = this.addressOf(site);
    const value = this.binary(operator, this.load(at, this.pointerWidth), by);
    this.emit({ op: 'store', value, pointer: at });
  }

  // ---- conditions ----

  private firstAddress(): Value {
    return this.constant(FIRST_ADDRESS, this.pointerWidth);
  }

  private isBase(base: Value, kind: keyof typeof BASE): Value {
    return this.compare('eq', base, this.constant(BASE[kind], this.pointerWidth));
  }

  private isAt(base: Value, site: Site): Value {
    return this.compare('eq', base, this.addressOf(site));
  }
}

interface Counter {
  /** Where it is kept. */
  readonly site: Site;
  /** Where one of what it counts is allocated. */
  readonly place: Place | undefined;
}
