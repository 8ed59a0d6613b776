/**
 * The e-graph: congruence closure that can be undone and can explain itself (Nieuwenhuis and Oliveras, "Fast
 * congruence closure and extensions", 2007; Detlefs, Nelson and Saxe, "Simplify", 2005).
 *
 * A node is a term with its argument nodes. Classes are circular lists, joined and split in constant time;
 * of two classes the lighter one is walked: its members get the new root, and the applications that use them
 * get a new signature. Two applications with one signature are congruent, so their classes are merged next.
 *
 * A class may hold a *value*: a constant. Two different values never share a class, which makes constants
 * distinct without a single clause, and an application of a known operator to arguments with values is
 * merged with its result. Booleans are ordinary: an atom is true when it is in the class of the node TRUE.
 * So an equality atom is implied false when both sides have values or when a congruent atom is false, and
 * implied true when its sides meet. A disequality is nothing but an equality atom in the class of FALSE: the
 * merge that violates it would put TRUE and FALSE together.
 *
 * Invariants, when no merge is pending:
 *   root[n] is the representative of n's class, the same for all members of the list through next[]
 *   value[r] is the value node of the class of root r, or NONE
 *   congruent applications are in one class; cg[p] is the one that holds their signature in the table
 *   target[] is the proof forest: a path of edges between any two members of a class, and no others, where
 *     the edge from n to target[n] is justified by reason[n]
 * Nodes are never removed. One that is added above the root level is checked again after backtracking, since
 * the merges that its arrival caused were undone with the level (`late`).
 */
import { grownInts, IntStack } from '../sat/int-stack.ts';
import { SignatureTable } from './signatures.ts';

export const NONE = -1;

/** Why an edge of the proof forest holds: a tag in the two low bits, and what it needs above them. */
export const Reason = {
  ASSERTED: 0, // an asserted literal, which is the payload
  CONGRUENT: 1, // the two ends are applications of one function to equal arguments; 1 = the other way round
  EVALUATED: 2, // the payload is an application whose arguments have values, the other end is its value
  REFLEXIVE: 3, // the payload is an equality atom with both sides in one class, the other end is TRUE
} as const;

export function justify(tag: number, payload: number): number {
  return (payload << 2) | tag;
}

/** What a node is, as bits. */
export const NodeKind = {
  PLAIN: 0,
  EQUALITY: 1, // an equality atom: two arguments, in any order
  EVALUABLE: 2, // an application of an operator that the evaluator knows
  VALUE: 4, // a constant
} as const;

/** The value of an application whose arguments have the given values, as a node, or NONE if it has none. */
export type Evaluate = (application: number, values: ArrayLike<number>) => number;

/** A merge on the trail: child root, parent root, both ends of the forest edge, parent's old value, table mark. */
const TRAIL_STRIDE = 6;

export class EGraph {
  readonly true: number;
  readonly false: number;

  // Nodes
  count = 0; // number of nodes
  kind = new Uint8Array(64); // bits of NodeKind
  symbol = new Int32Array(64); // function symbol, or NONE for a node without arguments
  firstArg = new Int32Array(65); // start of a node's arguments in args; they end where the next node's start
  args = new Int32Array(256); // argument nodes of all applications
  private firstUse = new Int32Array(64); // head of the list of applications that use a node
  private readonly uses = new IntStack(); // pairs (application, next use)

  // Classes
  root = new Int32Array(64); // representative
  next = new Int32Array(64); // circular list of members
  value = new Int32Array(64); // by root: value node of the class, or NONE
  private weight = new Int32Array(64); // by root: members and their uses, what a walk costs
  readonly table: SignatureTable; // congruence: applications by symbol and roots of arguments

  // Proof forest
  target = new Int32Array(64); // the next node on the way to the tree's root, or NONE
  reason = new Int32Array(64); // why the node equals its target

  // Undoing
  private readonly trail = new IntStack(); // see TRAIL_STRIDE
  private readonly marks = new IntStack(); // trail size at each level
  private readonly late = new IntStack(); // pairs (node, level at which it was last checked)

  // Work
  private readonly pending = new IntStack(); // triples (node, node, reason) to be merged
  private done = 0; // how many entries of pending have been taken
  private readonly unchecked = new IntStack(); // late nodes to be looked at again
  /** Boolean nodes that have come into the class of TRUE or FALSE, for the client to take. */
  readonly decided = new IntStack();
  /** After a failed merge: the two nodes that could not be made equal, and the reason why they should be. */
  readonly clash = { a: NONE, b: NONE, reason: NONE };
  private readonly evaluate: Evaluate;
  private readonly values = new IntStack(); // arguments of the evaluation under way
  merges = 0; // statistics: merges carried out

  constructor(evaluate: Evaluate) {
    this.evaluate = evaluate;
    this.table = new SignatureTable(this);
    this.true = this.addValue();
    this.false = this.addValue();
  }

  // ---- building ----

  /** A constant: different from every other constant. */
  addValue(): number {
    const n = this.newNode(NodeKind.VALUE, NONE, []);
    this.value[n] = n;
    return n;
  }

  /** A node without arguments. */
  addLeaf(): number {
    return this.newNode(NodeKind.PLAIN, NONE, []);
  }

  /** An application; the client sees to it that one term has one node. */
  addApplication(symbol: number, args: ArrayLike<number>, kind: number): number {
    const n = this.newNode(kind, symbol, args);
    for (let i = 0; i < args.length; i++) {
      const a = args[i];
      this.uses.push(n);
      this.uses.push(this.firstUse[a]);
      this.firstUse[a] = this.uses.size - 2;
      this.weight[this.root[a]]++;
    }
    this.table.enter(n);
    this.late.push(n);
    this.late.push(this.level);
    this.unchecked.push(n);
    return n;
  }

  private newNode(kind: number, symbol: number, args: ArrayLike<number>): number {
    const n = this.count++;
    if (n === this.kind.length) this.grow(2 * n);
    const start = this.firstArg[n];
    if (start + args.length > this.args.length) {
      this.args = grownInts(this.args, 2 * (start + args.length));
    }
    for (let i = 0; i < args.length; i++) this.args[start + i] = args[i];
    this.firstArg[n + 1] = start + args.length;
    this.kind[n] = kind;
    this.symbol[n] = symbol;
    this.firstUse[n] = NONE;
    this.root[n] = n;
    this.next[n] = n;
    this.value[n] = NONE;
    this.weight[n] = 1;
    this.target[n] = NONE;
    return n;
  }

  private grow(size: number): void {
    const kind = new Uint8Array(size);
    kind.set(this.kind);
    this.kind = kind;
    this.symbol = grownInts(this.symbol, size);
    this.firstArg = grownInts(this.firstArg, size + 1);
    this.firstUse = grownInts(this.firstUse, size);
    this.root = grownInts(this.root, size);
    this.next = grownInts(this.next, size);
    this.value = grownInts(this.value, size);
    this.weight = grownInts(this.weight, size);
    this.target = grownInts(this.target, size);
    this.reason = grownInts(this.reason, size);
    this.table.grow(size);
  }

  // ---- levels ----

  get level(): number {
    return this.marks.size;
  }

  newLevel(): void {
    if (this.unchecked.size > 0) this.postponeLate();
    this.marks.push(this.trail.size);
  }

  /** A level is opened before all late nodes have been looked at: so that will happen one level higher. */
  private postponeLate(): void {
    const { late, level } = this;
    for (let i = late.size - 2; i >= 0 && late.data[i + 1] === level; i -= 2) late.data[i + 1] = level + 1;
  }

  backtrack(level: number): void {
    if (level >= this.marks.size) return;
    this.pending.clear();
    this.done = 0;
    this.decided.clear();
    const size = this.marks.data[level];
    this.marks.size = level;
    while (this.trail.size > size) this.undoMerge();
    this.recheckLate(level);
  }

  private undoMerge(): void {
    const { trail, root, next, value, weight, target } = this;
    const at = trail.size - TRAIL_STRIDE;
    const child = trail.data[at];
    const parent = trail.data[at + 1];
    const a = trail.data[at + 2];
    const b = trail.data[at + 3];
    target[target[a] === b ? a : b] = NONE; // later merges may have turned the edge around
    value[parent] = trail.data[at + 4];
    trail.size = at;
    weight[parent] -= weight[child];
    const swapped = next[child];
    next[child] = next[parent];
    next[parent] = swapped;
    let m = child;
    do {
      root[m] = child;
      m = next[m];
    } while (m !== child);
    this.table.undo(trail.data[at + 5]);
  }

  /** Nodes that came on an undone level are news to this one. Entries are in ascending order of level. */
  private recheckLate(level: number): void {
    const { late, unchecked } = this;
    for (let i = late.size - 2; i >= 0 && late.data[i + 1] > level; i -= 2) {
      this.table.refresh(late.data[i]);
      unchecked.push(late.data[i]);
      late.data[i + 1] = level;
    }
  }

  // ---- merging ----

  /** Asks for two nodes to be made equal; `propagate` carries it out. */
  merge(a: number, b: number, reason: number): void {
    this.pending.push(a);
    this.pending.push(b);
    this.pending.push(reason);
  }

  /** Carries out all merges and what follows from them. False if that is impossible; then see `clash`. */
  propagate(): boolean {
    const { pending, unchecked } = this;
    for (;;) {
      while (this.done < pending.size) {
        const at = this.done;
        this.done += 3;
        const a = pending.data[at];
        const b = pending.data[at + 1];
        if (this.root[a] !== this.root[b] && !this.unite(a, b, pending.data[at + 2])) return false;
      }
      pending.clear();
      this.done = 0;
      if (unchecked.size === 0) {
        if (this.level === 0) this.late.clear();
        return true;
      }
      while (unchecked.size > 0) this.check(unchecked.data[--unchecked.size]);
    }
  }

  /** Whatever follows for one application from the classes of its arguments as they are now. */
  private check(p: number): void {
    const holder = this.table.cg[p];
    if (this.root[holder] !== this.root[p]) this.mergeCongruent(p, holder);
    if ((this.kind[p] & NodeKind.EQUALITY) !== 0) this.checkReflexive(p);
    if ((this.kind[p] & NodeKind.EVALUABLE) !== 0) this.checkValues(p);
    const value = this.value[this.root[p]];
    if (value === this.true || value === this.false) this.decided.push(p);
  }

  private unite(a0: number, b0: number, reason: number): boolean {
    const { root, next, value, weight, trail } = this;
    const forward = weight[root[a0]] <= weight[root[b0]];
    const a = forward ? a0 : b0;
    const b = forward ? b0 : a0;
    const child = root[a];
    const parent = root[b];
    const childValue = value[child];
    const parentValue = value[parent];
    if (childValue >= 0 && parentValue >= 0) {
      this.clash.a = a;
      this.clash.b = b;
      this.clash.reason = reason;
      return false;
    }
    this.merges++;
    this.reroot(a);
    this.target[a] = b;
    this.reason[a] = reason;
    trail.push(child);
    trail.push(parent);
    trail.push(a);
    trail.push(b);
    trail.push(parentValue);
    trail.push(this.table.mark);
    if (childValue >= 0) {
      value[parent] = childValue;
      this.announce(parent, childValue);
    } else if (parentValue >= 0) {
      this.announce(child, parentValue);
    }
    this.relabel(child, parent);
    weight[parent] += weight[child];
    const swapped = next[child];
    next[child] = next[parent];
    next[parent] = swapped;
    return true;
  }

  /** Gives the members of a class a new root, and the applications that use them their new signature. */
  private relabel(child: number, parent: number): void {
    const { root, next, firstUse, table, kind } = this;
    const uses = this.uses.data;
    if (next[child] === child && firstUse[child] < 0) {
      root[child] = parent; // an atom, most likely: nothing depends on it
      return;
    }
    table.beginMerge();
    let m = child;
    do {
      for (let u = firstUse[m]; u >= 0; u = uses[u + 1]) table.withdraw(uses[u]);
      root[m] = parent;
      m = next[m];
    } while (m !== child);
    // An application that holds no signature moves with the congruent one that does.
    const { moving } = table;
    for (let i = 0; i < moving.size; i++) {
      const p = moving.data[i];
      const holder = table.enter(p);
      if (root[holder] !== root[p]) this.mergeCongruent(p, holder);
      if ((kind[p] & NodeKind.EQUALITY) !== 0) this.checkReflexive(p);
    }
  }

  /** A class gets its value: its atoms are decided, and its uses may have a value now. */
  private announce(members: number, value: number): void {
    const { next, firstUse, kind, decided, unchecked } = this;
    const uses = this.uses.data;
    const isBoolean = value === this.true || value === this.false;
    let m = members;
    do {
      if (isBoolean) decided.push(m);
      for (let u = firstUse[m]; u >= 0; u = uses[u + 1]) {
        if ((kind[uses[u]] & NodeKind.EVALUABLE) !== 0) unchecked.push(uses[u]);
      }
      m = next[m];
    } while (m !== members);
  }

  private mergeCongruent(p: number, q: number): void {
    const { root, args, firstArg } = this;
    const isEquality = (this.kind[p] & NodeKind.EQUALITY) !== 0;
    const isCrossed = isEquality && root[args[firstArg[p]]] !== root[args[firstArg[q]]];
    this.merge(p, q, justify(Reason.CONGRUENT, isCrossed ? 1 : 0));
  }

  private checkReflexive(p: number): void {
    const at = this.firstArg[p];
    const { root, args } = this;
    if (root[args[at]] === root[args[at + 1]] && root[p] !== root[this.true]) {
      this.merge(p, this.true, justify(Reason.REFLEXIVE, p));
    }
  }

  private checkValues(p: number): void {
    const { values } = this;
    values.clear();
    for (let i = this.firstArg[p]; i < this.firstArg[p + 1]; i++) {
      const v = this.value[this.root[this.args[i]]];
      if (v < 0) return;
      values.push(v);
    }
    const result = this.valueOf(p); // may add a node, so the columns are read afresh
    if (result >= 0 && this.root[result] !== this.root[p]) {
      this.merge(p, result, justify(Reason.EVALUATED, p));
    }
  }

  private valueOf(p: number): number {
    if ((this.kind[p] & NodeKind.EQUALITY) === 0) return this.evaluate(p, this.values.data);
    return this.values.data[0] === this.values.data[1] ? this.true : this.false;
  }

  /** Turns the edges on the way from n to its tree's root around, so that n becomes the root. */
  private reroot(n: number): void {
    const { target, reason } = this;
    let from = n;
    let to = target[n];
    let why = reason[n];
    target[n] = NONE;
    while (to !== NONE) {
      const nextTo = target[to];
      const nextWhy = reason[to];
      target[to] = from;
      reason[to] = why;
      from = to;
      to = nextTo;
      why = nextWhy;
    }
  }
}
