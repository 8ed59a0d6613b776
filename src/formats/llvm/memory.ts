/**
 * How the memory of a program is represented by variables (SeaHorn's regions). Accesses to a node that overlap form a group, which
 * is one variable or one array:
 *
 *   scalars  the node is one object that exists once: a variable for each group (this makes registers of local
 *            variables, and of globals and fields of structs)
 *   arrays   several objects, or elements of arrays: for each group an array from the address of the group to its value
 *   bytes    accesses that do not fit the stride: one array of bytes
 *
 * Accesses to arrays are taken to be aligned to the elements, and pointer arithmetic to stay within what a pointer points into.
 * Objects that exist once have constant addresses, those made in a loop get theirs from a counter; addresses are different and never null.
 */
import type { Flow, Site, Statement, Value } from './flow.ts';
import { roundUp } from './layout.ts';
import { blocksInLoops, type Cell, type PointsTo } from './points-to.ts';

export interface Group {
  readonly offset: number;
  readonly bytes: number;
  /** The number of the variable. */
  readonly variable: number;
  /** That of the variable which says what object the pointer in it points into, if anybody wants to know. */
  readonly base?: number;
}

export type Region =
  | { readonly kind: 'scalars'; readonly site: Site; readonly groups: readonly Group[] }
  | {
      readonly kind: 'arrays';
      readonly stride: number;
      readonly sites: readonly Site[];
      readonly groups: readonly Group[];
    }
  | { readonly kind: 'bytes'; readonly sites: readonly Site[]; readonly groups: readonly Group[] };

/** A variable of the program: a register, or a part of memory. */
export interface MemoryVariable {
  readonly name: string;
  /** In bits: of the value, or of an array's elements. */
  readonly width: number;
  readonly isArray: boolean;
  /** What it holds at the start, everywhere if it is an array; otherwise anything. */
  readonly initial?: bigint | undefined;
  /** The part of an object that it is, if it is one. */
  readonly part?: Part | undefined;
  /** If it is an array by address: the objects whose elements lie there, if those are kept as wholes. */
  readonly objects?: readonly Site[] | undefined;
}

export interface Part {
  readonly site: Site;
  readonly offset: number;
  readonly bytes: number;
}

/**
 * What a pointer points into, as it is kept beside the pointer: the address of the object, or one of these. Nothing is known of a
 * pointer that comes from outside of the program or is put together of parts; one that was never set points to nothing.
 */
export const BASE = { null: 0n, unknown: 1n, nothing: 2n } as const;

/** Functions and objects begin here: what is below is null, or close to it. */
export const FIRST_ADDRESS = 4096;
const ALIGNMENT = 16;

export class Memory {
  /** By number; those of registers come first, and are not listed. */
  readonly variables = new Map<number, MemoryVariable>();
  /** The counter from which objects in loops get their addresses, if there are such. */
  readonly heap: number | undefined;
  /** The table, if the program has one. */
  readonly table: number | undefined;
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly unsized: ReadonlySet<Site>;
  private readonly regions = new Map<number, Region>(); // by node
  private readonly addresses = new Map<Site, number>();
  private readonly functionAddresses = new Map<string, number>();
  private readonly repeated: ReadonlySet<Site>;
  private readonly bases = new Map<number, Set<number>>(); // by node, offsets where pointers lie whose base is kept
  private readonly zeroNodes = new Set<number>(); // all is zero there until something is written
  private exposedRegions: readonly Region[] | undefined;
  private count: number;

  /** `unsized`: objects that are to be zeros and are known not to have constant sizes. */
  constructor(flow: Flow, pointsTo: PointsTo, unsized: ReadonlySet<Site> = new Set()) {
    this.flow = flow;
    this.unsized = unsized;
    this.pointsTo = pointsTo;
    this.count = flow.registers;
    this.repeated = repeatedSites(flow);
    const { pointerWidth } = flow;
    const heapStart = BigInt(this.assignAddresses());
    this.makeRegions();
    this.heap =
      this.repeated.size === 0
        ? undefined
        : this.variable({ name: 'heap', width: pointerWidth, isArray: false, initial: heapStart });
    const usesTable = flow.blocks.some(b => b.statements.some(s => s.op === 'recall'));
    this.table = usesTable
      ? this.variable({ name: 'objects', width: pointerWidth, isArray: true, initial: 0n })
      : undefined;
  }

  /** Undefined if nobody accesses what lies there. */
  region(cell: Cell): Region | undefined {
    return this.regions.get(cell.node);
  }

  /** Is what lies there zero until something is written to it? */
  isZeroAtFirst({ node }: Cell): boolean {
    return this.zeroNodes.has(node);
  }

  /** The constant address of an object; undefined if there may be many of them. */
  address(site: Site): number | undefined {
    return this.addresses.get(site);
  }

  /** The regions that code outside of the program may write to. */
  exposed(): readonly Region[] {
    this.exposedRegions ??= [...this.pointsTo.exposed()]
      .flatMap(node => this.regions.get(node) ?? [])
      .filter(r => (r.kind === 'scalars' ? [r.site] : r.sites).some(s => s.access !== 'constant'));
    return this.exposedRegions;
  }

  functionAddress(name: string): number {
    return this.functionAddresses.get(name) as number;
  }

  private variable(variable: MemoryVariable): number {
    this.variables.set(this.count, variable);
    return this.count++;
  }

  /** Returns the first address that is free. */
  private assignAddresses(): number {
    let next = FIRST_ADDRESS;
    for (const name of this.flow.functions) {
      this.functionAddresses.set(name, next);
      next += ALIGNMENT;
    }
    for (const site of this.flow.sites) {
      if (this.repeated.has(site)) continue;
      this.addresses.set(site, next);
      next = roundUp(next + (site.size as number) + 1, ALIGNMENT); // one past the end is no other object
    }
    return next;
  }

  private makeRegions(): void {
    const accesses = this.accesses();
    const zeroed = this.unsized.size === 0 ? new Set<Site>() : zeroedSites(this.flow);
    const outside = this.bases.size === 0 ? new Set<number>() : this.pointsTo.outside();
    for (const [node, intervals] of accesses) {
      const { sites, stride } = this.pointsTo.node({ node, offset: 0 });
      const all = [...sites.keys()];
      const isOne = all.length === 1 && stride === 0 && !this.repeated.has(all[0]);
      const name = all.length === 0 ? 'memory' : all[0].name;
      const isZero = all.some(s => this.unsized.has(s)) && all.every(s => zeroed.has(s));
      const initial = isZero && !this.foreign().has(node) ? 0n : undefined;
      if (initial !== undefined) this.zeroNodes.add(node);
      if (stride > 0 && intervals.some(([offset, bytes]) => offset + bytes > stride)) {
        const group = {
          offset: 0,
          bytes: 1,
          variable: this.variable({ name, width: 8, isArray: true, initial, objects: all }),
        };
        this.regions.set(node, { kind: 'bytes', sites: all, groups: [group] });
        continue;
      }
      const groups = grouped(intervals).map(([offset, bytes]): Group => {
        const label = offset === 0 ? name : `${name}+${offset}`;
        const part = isOne ? { site: all[0], offset, bytes } : undefined;
        const objects = isOne ? undefined : all;
        const own = { name: label, width: 8 * bytes, isArray: !isOne, initial, part, objects };
        const variable = this.variable(own);
        const hasBase = this.bases.get(node)?.has(offset) === true && 8 * bytes === this.flow.pointerWidth;
        if (!hasBase) return { offset, bytes, variable };
        const base = this.variable({
          name: `base of ${label}`,
          width: 8 * bytes,
          isArray: !isOne,
          initial: outside.has(node) || all.length === 0 ? BASE.unknown : BASE.nothing,
        });
        return { offset, bytes, variable, base };
      });
      this.regions.set(
        node,
        isOne ? { kind: 'scalars', site: all[0], groups } : { kind: 'arrays', stride, sites: all, groups },
      );
    }
  }

  /** Nodes with memory that the program has not made, which may hold anything: behind choices, and behind globals defined elsewhere. */
  private foreign(): Set<number> {
    const { sites, pointerWidth: width } = this.flow;
    const elsewhere = sites
      .filter(s => s.kind === 'global' && s.initial === undefined)
      .map((site): Value => ({ kind: 'address', site, offset: 0n, width }));
    return new Set([...this.pointsTo.outside(), ...this.pointsTo.reachableFrom(elsewhere)]);
  }

  /** By node, which bytes are accessed together. */
  private accesses(): Map<number, [offset: number, bytes: number][]> {
    const found = new Map<number, Map<string, [number, number]>>();
    let hasChanged = false;
    const add = ({ node, offset }: Cell, bytes: number) => {
      let own = found.get(node);
      if (own === undefined) found.set(node, (own = new Map()));
      const key = `${offset} ${bytes}`;
      if (own.has(key)) return;
      own.set(key, [offset, bytes]);
      hasChanged = true;
    };
    const addBase = ({ node, offset }: Cell) => {
      let own = this.bases.get(node);
      if (own === undefined) this.bases.set(node, (own = new Set()));
      if (own.has(offset)) return;
      own.add(offset);
      hasChanged = true;
    };
    const moves: Extract<Statement, { op: 'move' }>[] = [];
    for (const block of this.flow.blocks) {
      for (const s of block.statements) {
        if (s.op === 'load' || s.op === 'store') {
          const cell = this.pointsTo.cell(s.pointer);
          add(cell, bytesOf(s.op === 'load' ? s.to : s.value));
          if (s.base !== undefined) addBase(cell);
        } else if (s.op === 'move') moves.push(s);
      }
    }
    // What is moved keeps its groups.
    do {
      hasChanged = false;
      for (const { target, source, length } of moves) {
        const [a, b] = [this.pointsTo.cell(target), this.pointsTo.cell(source)];
        if (a.node === b.node) continue;
        for (const [from, to] of [
          [a, b],
          [b, a],
        ]) {
          for (const [offset, bytes] of [...(found.get(from.node)?.values() ?? [])]) {
            // Of what lies there only in part, that part.
            const start = Math.max(offset, from.offset);
            const end = Math.min(offset + bytes, from.offset + length);
            if (start < end) add({ node: to.node, offset: to.offset + start - from.offset }, end - start);
          }
          for (const offset of [...(this.bases.get(from.node) ?? [])]) {
            if (offset < from.offset || offset + this.flow.pointerWidth / 8 > from.offset + length) continue;
            addBase({ node: to.node, offset: to.offset + offset - from.offset });
          }
        }
      }
    } while (hasChanged);
    return new Map([...found].map(([node, own]) => [node, [...own.values()]]));
  }
}

/** Sites that stand for many objects: what is allocated in a loop, or has no constant size. */
export function repeatedSites(flow: Flow): Set<Site> {
  const repeated = new Set(flow.sites.filter(s => s.size === undefined));
  const inLoops = blocksInLoops(flow);
  for (const { id, statements } of flow.blocks) {
    if (!inLoops.has(id)) continue;
    for (const s of statements) if (s.op === 'allocate') repeated.add(s.site);
  }
  return repeated;
}

/**
 * Objects that are zeros when they are made. Where all that a pointer may point to is such, and nothing comes from outside, what has not
 * been allocated yet can be taken to be zero, too, since no two objects ever have the same address; so it does not matter how large
 * they are. That is done only if it has to be: behind null there should be anything, and then there are zeros.
 */
function zeroedSites(flow: Flow): Set<Site> {
  const statements = flow.blocks.flatMap(b => b.statements);
  if (statements.some(s => s.op === 'havoc')) return new Set(); // which may be of that memory as well
  return new Set(statements.flatMap(s => (s.op === 'allocate' && s.isZeroed ? [s.site] : [])));
}

export function bytesOf({ width }: Value): number {
  return Math.ceil(width / 8);
}

/** Intervals that overlap become one. */
function grouped(intervals: readonly (readonly [offset: number, bytes: number])[]): [number, number][] {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);
  const groups: [number, number][] = [];
  for (const [offset, bytes] of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && offset < last[0] + last[1])
      last[1] = Math.max(last[1], offset + bytes - last[0]);
    else groups.push([offset, bytes]);
  }
  return groups;
}
