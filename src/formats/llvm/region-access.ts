/**
 * Reads and writes the regions of a program's memory (see memory.ts): the values of a symbolic state, whether a region is made of
 * scalars, of arrays or of bytes. An access may take in several groups, or a part of one.
 */
import { Unknown } from '../../sat/unknown.ts';
import type { TermId } from '../../term/store.ts';
import { BASE, type Group, type Region } from './memory.ts';
import type { Operations } from './operations.ts';

/** Elements that one statement may write, one by one. */
export const MAX_ELEMENTS = 4096;

/** What variables hold, and values that nothing determines. */
export interface State {
  get(variable: number): TermId;
  set(variable: number, value: TermId): void;
  any(width: number, source: string): TermId;
}

export class RegionAccess {
  private readonly state: State;
  private readonly operations: Operations;
  private readonly pointerWidth: 32 | 64;
  private readonly unknown: ReadonlySet<Region>;

  /** `unknown`: regions of which it is not known what they hold at the start. */
  constructor(state: State, operations: Operations, pointerWidth: 32 | 64, unknown: ReadonlySet<Region>) {
    this.state = state;
    this.operations = operations;
    this.pointerWidth = pointerWidth;
    this.unknown = unknown;
  }

  /** So many bytes at an offset of a region; `address` is where that is. */
  read(region: Region, offset: number, address: () => TermId, bytes: number): TermId {
    const { operations } = this;
    if (this.unknown.has(region))
      throw new Unknown('size', `a read where more than ${MAX_ELEMENTS} elements are initialised`);
    if (region.kind === 'bytes') {
      const array = this.state.get(region.groups[0].variable);
      return operations.joined(
        Array.from({ length: bytes }, (_, i) => operations.select(array, this.plus(address(), i))),
      );
    }
    const parts: TermId[] = [];
    for (let at = offset; at < offset + bytes; ) {
      const group = groupAt(region, at);
      if (group === undefined) {
        // Nobody reads or writes this by itself: it may be anything.
        const next = nextGroup(region, at, offset + bytes);
        parts.push(this.state.any(8 * (next - at), 'any'));
        at = next;
        continue;
      }
      const end = Math.min(group.offset + group.bytes, offset + bytes);
      const whole = this.groupValue(region, group, () => this.plus(address(), group.offset - offset));
      parts.push(operations.bits(whole, 8 * (at - group.offset), 8 * (end - at)));
      at = end;
    }
    return operations.joined(parts);
  }

  /** Writes a value, and beside it what it points into, if it is a pointer. */
  write(region: Region, offset: number, address: () => TermId, value: TermId, base: TermId): void {
    const { operations } = this;
    const bytes = operations.terms.width(value) / 8;
    if (region.kind === 'bytes') {
      const { variable } = region.groups[0];
      let array = this.state.get(variable);
      for (let i = 0; i < bytes; i++)
        array = operations.store(array, this.plus(address(), i), operations.bits(value, 8 * i, 8));
      this.state.set(variable, array);
      return;
    }
    for (const group of region.groups) {
      const [from, to] = [
        Math.max(group.offset, offset),
        Math.min(group.offset + group.bytes, offset + bytes),
      ];
      if (from >= to) continue;
      const part = operations.bits(value, 8 * (from - offset), 8 * (to - from));
      const at = () => this.plus(address(), group.offset - offset);
      this.setPart(region, group, from, part, at);
      if (group.base === undefined) continue;
      const whole = to - from === group.bytes ? base : this.base('unknown');
      if (region.kind === 'scalars') this.state.set(group.base, whole);
      else this.state.set(group.base, operations.store(this.state.get(group.base), at(), whole));
    }
  }

  base(kind: keyof typeof BASE): TermId {
    return this.operations.constant(BASE[kind], this.pointerWidth);
  }

  /** What the pointer at an offset of a region points into. */
  readBase(region: Region | undefined, offset: number, address: () => TermId): TermId {
    const group = region?.kind === 'bytes' ? undefined : region?.groups.find(g => g.offset === offset);
    if (region === undefined || group?.base === undefined) return this.base('unknown');
    const whole = this.state.get(group.base);
    return region.kind === 'scalars' ? whole : this.operations.select(whole, address());
  }

  /** All pointers of a group point into the same. */
  setBases({ base }: Group, value: TermId): void {
    if (base === undefined) return;
    const { terms } = this.operations;
    const sort = terms.sort(this.state.get(base));
    this.state.set(base, sort === terms.sort(value) ? value : terms.constArray(sort, value));
  }

  /** Writes a part of a group, from an offset on. */
  private setPart(region: Region, group: Group, from: number, part: TermId, address: () => TermId): void {
    const { operations } = this;
    const { terms } = operations;
    const [low, size] = [8 * (from - group.offset), terms.width(part)];
    let value = part;
    if (size < 8 * group.bytes) {
      const old = this.groupValue(region, group, address);
      const parts: TermId[] = [];
      if (low > 0) parts.push(operations.bits(old, 0, low));
      parts.push(part);
      const high = 8 * group.bytes - low - size;
      if (high > 0) parts.push(operations.bits(old, low + size, high));
      value = operations.joined(parts);
    }
    if (region.kind === 'scalars') this.state.set(group.variable, value);
    else this.state.set(group.variable, operations.store(this.state.get(group.variable), address(), value));
  }

  private groupValue(region: Region, group: Group, address: () => TermId): TermId {
    const whole = this.state.get(group.variable);
    return region.kind === 'scalars' ? whole : this.operations.select(whole, address());
  }

  plus(address: TermId, bytes: number): TermId {
    const { operations, pointerWidth } = this;
    if (bytes === 0) return address;
    return operations.sum(
      address,
      operations.constant(BigInt.asUintN(pointerWidth, BigInt(bytes)), pointerWidth),
    );
  }

  within(region: Region, offset: number): number {
    return region.kind === 'arrays' && region.stride > 0 ? offset % region.stride : offset;
  }

  /** The parts of so many bytes that lie in groups, by their distance from the start. */
  pieces(region: Region, offset: number, length: number): { offset: number; bytes: number }[] {
    const found: { offset: number; bytes: number }[] = [];
    const add = (from: number, bytes: number) => {
      found.push({ offset: from, bytes });
      if (found.length > MAX_ELEMENTS)
        throw new Unknown('size', `more than ${MAX_ELEMENTS} elements are written at once`);
    };
    if (region.kind === 'bytes') for (let i = 0; i < length; i++) add(i, 1);
    else if (region.kind === 'arrays' && region.stride > 0) {
      for (let period = -offset; period < length; period += region.stride) {
        for (const g of region.groups) {
          const [from, to] = [Math.max(0, period + g.offset), Math.min(length, period + g.offset + g.bytes)];
          if (from < to) add(from, to - from);
        }
      }
    } else {
      for (const g of region.groups) {
        const [from, to] = [Math.max(g.offset, offset), Math.min(g.offset + g.bytes, offset + length)];
        if (from < to) add(from - offset, to - from);
      }
    }
    return found;
  }
}

function groupAt({ groups }: Region, offset: number): Group | undefined {
  return groups.find(g => offset >= g.offset && offset < g.offset + g.bytes);
}

/** Where the next group begins, or the end. */
function nextGroup({ groups }: Region, offset: number, end: number): number {
  return Math.min(end, ...groups.filter(g => g.offset > offset).map(g => g.offset));
}
