/**
 * What a check of memory must know of a pointer: which objects it may point into, and whether that can be told from its address
 * alone. A pointer whose node is one object that exists once and stays can (it is `simple`); for others the object is kept
 * beside the pointer, in registers and in memory, because one object's address with an offset may be another's.
 */
import type { Flow, Phi, Register, Site, Statement, Value } from './flow.ts';
import { BASE, repeatedSites } from './memory.ts';
import type { PointsTo } from './points-to.ts';

type Definition = { readonly op: 'phi'; readonly phi: Phi } | Statement;

export class Objects {
  readonly repeated: ReadonlySet<Site>;
  private readonly flow: Flow;
  private readonly pointsTo: PointsTo;
  private readonly definitions = new Map<number, Definition>(); // by register
  private readonly outside: ReadonlySet<number>;
  private readonly released = new Set<number>();
  private readonly tracked = new Set<number>(); // nodes
  private readonly bases = new Map<number, Register>(); // of registers whose base is computed where they are
  private readonly newRegister: () => Register;

  /** `newRegister`: one as wide as a pointer, for a number. */
  constructor(flow: Flow, pointsTo: PointsTo, newRegister: () => Register) {
    this.flow = flow;
    this.pointsTo = pointsTo;
    this.newRegister = newRegister;
    this.repeated = repeatedSites(flow);
    this.outside = pointsTo.outside();
    for (const { phis, statements } of flow.blocks) {
      for (const phi of phis) this.definitions.set(phi.to.id, { op: 'phi', phi });
      for (const s of statements) {
        if ('to' in s) this.definitions.set(s.to.id, s);
        if (s.op === 'release') this.released.add(this.nodeOf(s.pointer));
      }
    }
    for (const { statements } of flow.blocks) {
      for (const s of statements)
        for (const p of pointersOf(s)) if (this.simpleSite(p) === undefined) this.tracked.add(this.nodeOf(p));
    }
  }

  nodeOf(pointer: Value): number {
    return this.pointsTo.cell(pointer).node;
  }

  /** The objects that a pointer may point into. */
  sitesOf(pointer: Value): readonly Site[] {
    return [...this.pointsTo.node(this.pointsTo.cell(pointer)).sites.keys()];
  }

  nodeOfSite(site: Site): number {
    return this.pointsTo.cellOfSite(site).node;
  }

  isReleased(node: number): boolean {
    return this.released.has(node);
  }

  /** The only object that a pointer may point into, if it exists once and stays. */
  simpleSite(pointer: Value): Site | undefined {
    if (pointer.kind === 'address') return pointer.site;
    const sites = this.sitesOf(pointer);
    const node = this.nodeOf(pointer);
    if (sites.length !== 1 || this.outside.has(node)) return undefined;
    const [site] = sites;
    if (this.repeated.has(site) || (site.kind === 'heap' && this.released.has(node))) return undefined;
    return site;
  }

  isTracked(value: Value): boolean {
    return (
      value.width === this.flow.pointerWidth &&
      (value.kind === 'address' || value.kind === 'register') &&
      this.tracked.has(this.nodeOf(value))
    );
  }

  /** Do tracked pointers lie where a pointer points? */
  isTrackedBehind(pointer: Value): boolean {
    const node = this.pointsTo.nodeBehind(pointer);
    return node !== undefined && this.tracked.has(node);
  }

  /** Does a pointer certainly point into an object, or behind it? */
  isAddress(pointer: Value): boolean {
    return this.base(pointer).kind === 'address';
  }

  /** What a pointer points into, as a number. */
  base(value: Value): Value {
    const { pointerWidth: width } = this.flow;
    const constant = (of: keyof typeof BASE): Value => ({ kind: 'constant', value: BASE[of], width });
    switch (value.kind) {
      case 'constant':
        return constant(value.value === 0n ? 'null' : 'unknown');
      case 'address':
        return { ...value, offset: 0n };
      case 'function':
      case 'any':
        return constant('nothing');
      case 'register':
        return this.baseOfRegister(value) ?? constant('unknown');
    }
  }

  /** The register for what another one points into, if that is computed where the other one is. */
  ownBase(register: Register): Register | undefined {
    const definition = this.definitions.get(register.id);
    if (definition === undefined || register.width !== this.flow.pointerWidth) return undefined;
    if (!['phi', 'select', 'load', 'any', 'allocate'].includes(definition.op)) return undefined;
    let base = this.bases.get(register.id);
    if (base === undefined) {
      base = this.newRegister();
      this.bases.set(register.id, base);
    }
    return base;
  }

  private baseOfRegister(register: Register): Value | undefined {
    const definition = this.definitions.get(register.id);
    switch (definition?.op) {
      case 'offset':
        return this.base(definition.base);
      case 'resize':
        return definition.value.width === register.width ? this.base(definition.value) : undefined;
      case 'binary': {
        const { a, b, operator } = definition;
        const isPointer = (v: Value) =>
          (v.kind === 'register' || v.kind === 'address') && this.nodeOf(v) === this.nodeOf(register);
        const pointers = [a, b].filter(isPointer);
        if (pointers.length !== 1 || (operator === 'sub' && pointers[0] === b)) return undefined;
        return this.base(pointers[0]);
      }
      default:
        // A register outside of tracked nodes has no base of its own.
        return this.isTracked(register) ? this.ownBase(register) : undefined;
    }
  }
}

/** The pointers that a statement follows. */
export function pointersOf(s: Statement): readonly Value[] {
  switch (s.op) {
    case 'load':
    case 'store':
    case 'fill':
    case 'release':
      return [s.pointer];
    case 'move':
      return [s.target, s.source];
    default:
      return [];
  }
}
