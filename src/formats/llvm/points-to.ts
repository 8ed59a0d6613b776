/**
 * Which memory may a pointer point to? A unification-based, field-sensitive analysis (Lattner and Adve's data structure analysis, in the
 * form that SeaHorn uses) of a program whose calls are inlined, which makes it context-sensitive. A node stands for
 * objects that some pointer may point to in common; every access touches one node. A pointer is a cell: a node and an offset
 * in it, in bytes. Pointers that flow together are unified, with all that they point to.
 *
 * Offsets into arrays, and places that are unified at different offsets, are taken modulo a stride: the elements of an array of
 * structs have their fields in common, and a node of stride 1 has no structure left. So nothing is ever given up, only made
 * coarser, and the analysis takes almost linear time.
 */
import {
  type Call,
  type Callee,
  type Flow,
  type FlowBlock,
  type Procedure,
  type Register,
  type Site,
  type Statement,
  targetsOf,
  type Value,
} from './flow.ts';

export interface Cell {
  readonly node: number;
  readonly offset: number;
}

export interface MemoryNode {
  readonly id: number;
  /** Where each object begins in the node. */
  readonly sites: ReadonlyMap<Site, number>;
  /** 0 if offsets are what they are. */
  readonly stride: number;
}

/** What a call through a pointer may call. */
export interface Callees {
  readonly names: readonly string[];
  /** It may be another one, since the pointer may come from where nothing is known. */
  readonly isOpen: boolean;
}

const NONE = -1;

/** In bytes; numbers must remain exact when many offsets are added. */
const FAR = 2 ** 32;

export class PointsTo {
  private readonly flow: Flow;
  private readonly pointerBytes: number;
  // Variables: registers, and the contents of fields. Those that are unified have one cell, if any.
  private readonly variableParent: number[] = [];
  private readonly cellNode: number[] = [];
  private readonly cellOffset: number[] = [];
  // Nodes: unified ones lie in another one at an offset.
  private readonly nodeParent: number[] = [];
  private readonly shift: number[] = [];
  private readonly stride: number[] = [];
  private readonly fields: Map<number, number>[] = []; // by offset, the variable of the content
  private readonly sites: Map<Site, number>[] = [];
  private readonly siteNode = new Map<Site, number>();
  private readonly addresses = new Map<string, number>(); // variables of constant addresses
  // By variable: the functions whose address it may be, and whether it may come from where nothing is known.
  private readonly functions = new Map<number, Set<string>>();
  private readonly isOpen: boolean[] = [];
  private readonly bound = new Map<Call, Set<string>>(); // what calls are known to call
  private readonly returns = new Map<Procedure, (readonly Value[])[]>();
  private hasChanged = false;

  constructor(flow: Flow) {
    this.flow = flow;
    this.pointerBytes = flow.pointerWidth / 8;
    for (let i = 0; i < flow.registers; i++) this.variable();
    this.solve();
  }

  /** What a pointer may point to. */
  cell(pointer: Value): Cell {
    return this.normal(this.cellOf(this.variableOf(pointer)));
  }

  node({ node }: Cell): MemoryNode {
    return { id: node, sites: this.sites[node], stride: this.stride[node] };
  }

  /** Nodes that pointers lead to from these, themselves included. */
  reachableFrom(pointers: Iterable<Value>): Set<number> {
    const reached = new Set<number>();
    const visit = (variable: number) => {
      const root = this.find(variable);
      if (this.cellNode[root] !== NONE) reached.add(this.normal(this.cellOf(root)).node);
    };
    for (const p of pointers) if (carries(p)) visit(this.variableOf(p));
    for (const node of reached) for (const content of this.fields[node].values()) visit(content);
    return reached;
  }

  /** Nodes that code outside of the program may write to: those that it can name, or get to from what it is called with. */
  exposed(): Set<number> {
    const { sites, blocks, pointerWidth: width } = this.flow;
    const named = sites
      .filter(s => s.access === 'named')
      .map((site): Value => ({ kind: 'address', site, offset: 0n, width }));
    const given = blocks.flatMap(b => b.statements.flatMap(s => (s.op === 'havoc' ? s.reached : [])));
    return this.reachableFrom([...named, ...given]);
  }

  /** Nodes that something from outside of the program may point to: a choice that nothing in it makes. */
  outside(): Set<number> {
    const choices = this.flow.blocks.flatMap(b => b.statements.flatMap(s => (s.op === 'any' ? [s.to] : [])));
    return this.reachableFrom(choices.filter(r => r.width === this.flow.pointerWidth));
  }

  /** The node that pointers point to which lie where a pointer points. */
  nodeBehind(pointer: Value): number | undefined {
    const { node, offset } = this.cell(pointer);
    const content = this.fields[node].get(offset);
    if (content === undefined || this.cellNode[this.find(content)] === NONE) return undefined;
    return this.normal(this.cellOf(content)).node;
  }

  /** Where an object lies. */
  cellOfSite(site: Site): Cell {
    return this.normal({ node: this.nodeOfSite(site), offset: 0 });
  }

  /** Which functions a pointer may be. */
  callees({ pointer, fitting, inField }: Extract<Callee, { kind: 'pointer' }>): Callees {
    const root = this.find(this.variableOf(pointer));
    const known = this.functions.get(root);
    const isOpen = this.isOpen[root];
    const names = fitting.filter(f => known?.has(f) === true || (isOpen && inField.includes(f)));
    return { names, isOpen };
  }

  /** The pointers that lie in a node: where, and what they point to. */
  pointers(node: number): readonly { readonly offset: number; readonly to: Cell }[] {
    return [...this.fields[node]].flatMap(([offset, content]) => {
      const root = this.find(content);
      if (this.cellNode[root] === NONE) return [];
      return [{ offset, to: this.normal({ node: this.cellNode[root], offset: this.cellOffset[root] }) }];
    });
  }

  /** What a register may point to, if anything. */
  target({ id }: Register): Cell | undefined {
    const root = this.find(id);
    if (this.cellNode[root] === NONE) return undefined;
    return this.normal({ node: this.cellNode[root], offset: this.cellOffset[root] });
  }

  /** All nodes that are not part of others. */
  get nodes(): readonly number[] {
    return this.nodeParent.filter((parent, i) => parent === i);
  }

  private solve(): void {
    const { flow } = this;
    for (const procedure of flow.procedures.values())
      this.returns.set(
        procedure,
        procedure.blocks.flatMap(({ end }) => (end.op === 'return' ? [end.values] : [])),
      );
    for (const [site, leaves] of flow.initial) {
      for (const { offset, value } of leaves) {
        if (!carries(value)) continue;
        this.unify(this.content({ node: this.nodeOfSite(site), offset }), this.variableOf(value));
      }
    }
    const again: Statement[] = []; // those that depend on what is found
    for (const block of flow.blocks) {
      this.phis(block);
      for (const s of block.statements) if (!this.statement(s)) again.push(s);
    }
    do {
      this.hasChanged = false;
      for (const s of again) this.conditional(s);
      this.spread();
      if (this.hasChanged) continue;
      // Only now it is known which pointers point to no function at all.
      for (const s of again)
        if (s.op === 'call' && s.callee.kind === 'pointer' && this.callees(s.callee).names.length === 0)
          this.unknownResults(s);
    } while (this.hasChanged);
  }

  private phis({ phis }: FlowBlock): void {
    for (const { to, incoming } of phis) for (const value of incoming.values()) this.flows(value, to);
  }

  /** False if it has to be looked at again. */
  private statement(s: Statement): boolean {
    switch (s.op) {
      case 'resize':
        this.flows(s.value, s.to);
        return true;
      case 'select':
        this.flows(s.a, s.to);
        this.flows(s.b, s.to);
        return true;
      case 'offset': {
        const { node, offset } = this.cellOf(this.variableOf(s.base));
        for (const { stride } of s.scaled) this.coarsen(node, Number(stride < 0n ? -stride : stride));
        this.place(s.to.id, this.moved({ node, offset }, Number(BigInt.asIntN(64, s.constant))));
        return true;
      }
      case 'load':
        this.lies(this.cellOf(this.variableOf(s.pointer)), s.to);
        return true;
      case 'store':
        this.lies(this.cellOf(this.variableOf(s.pointer)), s.value);
        return true;
      case 'allocate':
        this.place(s.to.id, { node: this.nodeOfSite(s.site), offset: 0 });
        return true;
      case 'relate':
        this.unifyCells(this.cellOf(this.variableOf(s.a)), this.cellOf(this.variableOf(s.b)));
        return true;
      case 'fill':
        this.cellOf(this.variableOf(s.pointer));
        return true;
      case 'binary':
        return !carries(s.to);
      case 'move':
        this.cellOf(this.variableOf(s.target));
        this.cellOf(this.variableOf(s.source));
        return false;
      case 'any':
        this.isOpen[this.find(s.to.id)] = true;
        return true;
      case 'call':
        return this.call(s);
      default:
        return true;
    }
  }

  private conditional(s: Statement): void {
    if (s.op === 'move') this.move(s.target, s.source, s.length);
    if (s.op === 'call' && s.callee.kind === 'pointer') {
      const { names, isOpen } = this.callees(s.callee);
      for (const name of names) this.bind(s, name);
      if (isOpen || names.some(name => !this.flow.procedures.has(name))) this.unknownResults(s);
    }
    if (s.op !== 'binary') return;
    for (const [x, y] of [
      [s.a, s.b],
      [s.b, s.a],
    ] as const) {
      if (!carries(x) || this.cellNode[this.find(this.variableOf(x))] === NONE) continue;
      const cell = this.cellOf(this.variableOf(x));
      const by = y.kind === 'constant' ? Number(BigInt.asIntN(y.width, y.value)) : undefined;
      if (by !== undefined && (s.operator === 'add' || (s.operator === 'sub' && x === s.a)))
        this.place(s.to.id, this.moved(cell, s.operator === 'add' ? by : -by));
      else {
        this.coarsen(cell.node, 1);
        this.place(s.to.id, cell);
      }
    }
  }

  /** False if it has to be looked at again. */
  private call(s: Call): boolean {
    if (s.callee.kind === 'pointer') return false;
    if (this.flow.procedures.has(s.callee.name)) this.bind(s, s.callee.name);
    else this.unknownResults(s);
    return true;
  }

  /** It may return anything. */
  private unknownResults({ results }: Call): void {
    for (const r of results) {
      const root = this.find(r.id);
      if (this.isOpen[root]) continue;
      this.isOpen[root] = true;
      this.hasChanged = true;
    }
  }

  /** Arguments flow into parameters, and what is returned into the results. */
  private bind(call: Call, name: string): void {
    const known = this.bound.get(call);
    if (known?.has(name) === true) return;
    if (known === undefined) this.bound.set(call, new Set([name]));
    else known.add(name);
    const procedure = this.flow.procedures.get(name);
    if (procedure === undefined) return;
    procedure.parameters.forEach((leaves, i) => {
      leaves.forEach((register, j) => {
        const value = call.args[i]?.[j];
        if (value !== undefined) this.flows(value, register);
      });
    });
    for (const values of this.returns.get(procedure) ?? [])
      call.results.forEach((register, i) => {
        if (values[i] !== undefined) this.flows(values[i], register);
      });
  }

  /** What lies where a pointer points that comes from elsewhere comes from elsewhere, too. */
  private spread(): void {
    const nodes = new Set<number>();
    const { variableParent, cellNode, isOpen } = this;
    for (const [site, leaves] of this.siteNode)
      if (site.kind === 'global' && site.initial === undefined)
        nodes.add(this.normal({ node: leaves, offset: 0 }).node);
    for (let v = 0; v < variableParent.length; v++)
      if (variableParent[v] === v && isOpen[v] && cellNode[v] !== NONE)
        nodes.add(this.normal({ node: cellNode[v], offset: 0 }).node);
    for (const node of nodes) {
      for (const content of this.fields[node].values()) {
        const root = this.find(content);
        if (isOpen[root]) continue;
        isOpen[root] = true;
        this.hasChanged = true;
        if (cellNode[root] !== NONE) nodes.add(this.normal({ node: cellNode[root], offset: 0 }).node);
      }
    }
  }

  /** The cell so many bytes on. No object is so large that a constant could lead far away: that is no offset but a computation. */
  private moved({ node, offset }: Cell, by: number): Cell {
    if (Math.abs(by) < FAR) return { node, offset: offset + by };
    this.coarsen(node, 1);
    return { node, offset: 0 };
  }

  /** What lies in the source lies in the target afterwards. */
  private move(target: Value, source: Value, length: number): void {
    const to = this.normal(this.cellOf(this.variableOf(target)));
    const from = this.normal(this.cellOf(this.variableOf(source)));
    if (to.node === from.node || this.stride[to.node] > 0 || this.stride[from.node] > 0) {
      this.unifyCells(to, from);
      return;
    }
    for (const [a, b] of [
      [from, to],
      [to, from],
    ]) {
      for (const [offset, content] of [...this.fields[a.node]]) {
        if (offset < a.offset || offset >= a.offset + length) continue;
        const { node } = this.normal(b);
        this.unify(this.content({ node, offset: offset - a.offset + b.offset }), content);
      }
    }
  }

  // ---- variables ----

  /** A value is copied, or cut off, or extended. */
  private flows(from: Value, to: Register): void {
    if (carries(from) && carries(to)) this.unify(this.variableOf(from), to.id);
  }

  private variable(): number {
    this.variableParent.push(this.variableParent.length);
    this.cellNode.push(NONE);
    this.cellOffset.push(0);
    this.isOpen.push(false);
    return this.variableParent.length - 1;
  }

  private variableOf(value: Value): number {
    if (value.kind === 'register') return value.id;
    if (value.kind === 'function') {
      const variable = this.variable();
      this.functions.set(variable, new Set([value.name]));
      return variable;
    }
    if (value.kind !== 'address') return this.variable();
    const key = `${value.site.id} ${value.offset}`;
    let variable = this.addresses.get(key);
    if (variable === undefined) {
      variable = this.variable();
      this.addresses.set(key, variable);
      this.place(variable, { node: this.nodeOfSite(value.site), offset: Number(value.offset) });
    }
    return variable;
  }

  private find(variable: number): number {
    const { variableParent } = this;
    let root = variable;
    while (variableParent[root] !== root) root = variableParent[root];
    for (let v = variable; v !== root; ) [v, variableParent[v]] = [variableParent[v], root];
    return root;
  }

  private unify(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return;
    this.hasChanged = true;
    this.variableParent[y] = x;
    if (this.isOpen[y]) this.isOpen[x] = true;
    const functions = this.functions.get(y);
    if (functions !== undefined) {
      const known = this.functions.get(x);
      if (known === undefined) this.functions.set(x, functions);
      else for (const f of functions) known.add(f);
      this.functions.delete(y);
    }
    if (this.cellNode[y] === NONE) return;
    const cell = { node: this.cellNode[y], offset: this.cellOffset[y] };
    this.place(x, cell);
  }

  /** The variable points there. */
  private place(variable: number, cell: Cell): void {
    const root = this.find(variable);
    if (this.cellNode[root] === NONE) {
      this.hasChanged = true;
      this.cellNode[root] = cell.node;
      this.cellOffset[root] = cell.offset;
    } else this.unifyCells({ node: this.cellNode[root], offset: this.cellOffset[root] }, cell);
  }

  private cellOf(variable: number): Cell {
    const root = this.find(variable);
    if (this.cellNode[root] === NONE) this.place(root, { node: this.newNode(), offset: 0 });
    return { node: this.cellNode[root], offset: this.cellOffset[root] };
  }

  /** The value lies there; more than one pointer may, in a word that is larger. */
  private lies(cell: Cell, value: Value): void {
    if (!carries(value)) return;
    const variable = this.variableOf(value);
    for (let at = 0; at < value.width / 8; at += this.pointerBytes)
      this.unify(this.content({ node: cell.node, offset: cell.offset + at }), variable);
  }

  /** What lies where a cell is. */
  private content(cell: Cell): number {
    const { node, offset } = this.normal(cell);
    let content = this.fields[node].get(offset);
    if (content === undefined) {
      this.hasChanged = true;
      content = this.variable();
      this.fields[node].set(offset, content);
    }
    return content;
  }

  // ---- nodes ----

  private newNode(): number {
    const node = this.nodeParent.length;
    this.nodeParent.push(node);
    this.shift.push(0);
    this.stride.push(0);
    this.fields.push(new Map());
    this.sites.push(new Map());
    return node;
  }

  private nodeOfSite(site: Site): number {
    let node = this.siteNode.get(site);
    if (node === undefined) {
      node = this.newNode();
      this.siteNode.set(site, node);
      this.sites[node].set(site, 0);
    }
    return node;
  }

  /** The same cell in the node that it has become part of. */
  private normal(cell: Cell): Cell {
    let { node, offset } = cell;
    while (this.nodeParent[node] !== node) {
      offset += this.shift[node];
      node = this.nodeParent[node];
    }
    const stride = this.stride[node];
    return { node, offset: stride === 0 ? offset : modulo(offset, stride) };
  }

  private unifyCells(a: Cell, b: Cell): void {
    const [x, y] = [this.normal(a), this.normal(b)];
    if (x.node === y.node) {
      if (x.offset !== y.offset) this.coarsen(x.node, Math.abs(x.offset - y.offset));
      return;
    }
    this.hasChanged = true;
    // The one with more fields stays.
    const [into, from] = this.fields[x.node].size >= this.fields[y.node].size ? [x, y] : [y, x];
    const [fields, sites, stride] = [this.fields[from.node], this.sites[from.node], this.stride[from.node]];
    const shift = into.offset - from.offset;
    this.nodeParent[from.node] = into.node;
    this.shift[from.node] = shift;
    this.fields[from.node] = new Map();
    this.sites[from.node] = new Map();
    if (stride > 0) this.coarsen(into.node, stride);
    this.absorb(into.node, fields, sites, shift);
  }

  private absorb(into: number, fields: Map<number, number>, sites: Map<Site, number>, shift: number): void {
    for (const [site, offset] of sites) {
      const { node, offset: at } = this.normal({ node: into, offset: offset + shift });
      const known = this.sites[node].get(site);
      if (known === undefined) this.sites[node].set(site, at);
      else if (known !== at) this.coarsen(node, Math.abs(known - at));
    }
    for (const [offset, content] of fields)
      this.unify(this.content({ node: into, offset: offset + shift }), content);
  }

  /** From now on, offsets that are so far apart are the same. */
  private coarsen(given: number, distance: number): void {
    const { node } = this.normal({ node: given, offset: 0 });
    const stride = gcd(this.stride[node], distance);
    if (stride === this.stride[node] || stride === 0) return;
    this.hasChanged = true;
    this.stride[node] = stride;
    const [fields, sites] = [this.fields[node], this.sites[node]];
    this.fields[node] = new Map();
    this.sites[node] = new Map();
    this.absorb(node, fields, sites, 0);
  }
}

/** Can it be a pointer to an object, or have one in it, or be a part of one? Programs copy pointers byte by byte. */
function carries(value: Value): boolean {
  if (value.width <= 1) return false;
  if (value.kind === 'register') return value.isNumber !== true;
  return value.kind === 'address' || value.kind === 'function';
}

function modulo(a: number, b: number): number {
  return ((a % b) + b) % b;
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/** Blocks that some path leads from and back to: what is allocated there may exist many times. */
export function blocksInLoops({ blocks, bodies }: Flow): Set<number> {
  // Tarjan's algorithm, without recursion.
  const order = new Int32Array(blocks.length).fill(NONE);
  const low = new Int32Array(blocks.length);
  const onStack = new Uint8Array(blocks.length);
  const stack: number[] = [];
  // A body that many calls have in common is executed again while it is still being executed.
  const inLoops = new Set(blocks.filter(b => bodies?.has(b.frame)).map(b => b.id));
  let count = 0;
  const open: { readonly id: number; readonly targets: number[] }[] = [];
  const enter = (id: number) => {
    order[id] = low[id] = count++;
    stack.push(id);
    onStack[id] = 1;
    open.push({ id, targets: targetsOf(blocks[id]) });
  };
  enter(0);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { id, targets } = top;
    const target = targets.pop();
    if (target !== undefined) {
      if (target === id) inLoops.add(id);
      if (order[target] === NONE) enter(target);
      else if (onStack[target] === 1) low[id] = Math.min(low[id], order[target]);
      continue;
    }
    open.pop();
    const above = open.at(-1);
    if (above !== undefined) low[above.id] = Math.min(low[above.id], low[id]);
    if (low[id] !== order[id]) continue;
    const component: number[] = [];
    for (let member = NONE; member !== id; ) {
      member = stack.pop() as number;
      onStack[member] = 0;
      component.push(member);
    }
    if (component.length > 1) for (const member of component) inLoops.add(member);
  }
  return inLoops;
}
