/**
 * A sequential circuit as a list of gates, the form in which bit-level IC3 reads a system: an and-inverter graph whose
 * conjunctions of many arguments and whose choices (if c then a else b; exclusive-or is one) have been put together
 * again, so that clauses are few, and values spread in few steps.
 *
 * A literal is 2 · node, plus 1 if it is complemented. Node 0 is the constant false, the nodes 1 … latchCount are the
 * latches, then come the inputs, then the gates, each after its arguments. SAT variables have the numbers of the nodes.
 */
import { type Aig, type Edge, isComplemented, nodeOf } from '../../../bv/aig.ts';
import type { Lit } from '../../../sat/literals.ts';

export const FALSE_LIT = 0;
export const TRUE_LIT = 1;

export const Kind = { LEAF: 0, AND: 1, CHOICE: 2 } as const;

export class Netlist {
  readonly count: number; // nodes
  readonly latchCount: number;
  readonly firstGate: number;
  readonly kind: Uint8Array; // by node
  readonly start: Int32Array; // by node: where its arguments begin in `fanin`; they end where those of the next begin
  readonly fanin: Int32Array; // literals; a choice has its condition first, then the two values
  readonly outStart: Int32Array; // the same for the gates that a node is an argument of
  readonly fanout: Int32Array;
  private readonly images: Int32Array; // by node of the and-inverter graph: the node here, or -1

  /** The part of a graph that the roots reach; the latches must be inputs of the graph. */
  constructor(aig: Aig, latches: readonly Edge[], roots: readonly Edge[]) {
    const gates = new GateFinder(aig, latches, roots);
    const { images } = gates;
    this.images = images;
    this.latchCount = latches.length;
    images[0] = 0;
    latches.forEach((e, i) => {
      images[nodeOf(e)] = i + 1;
    });
    let count = latches.length + 1;
    for (const n of gates.inputs) images[n] = count++;
    this.firstGate = count;
    for (const n of gates.order) images[n] = count++;
    this.count = count;
    this.kind = new Uint8Array(count);
    this.start = new Int32Array(count + 1);
    this.fanin = new Int32Array(gates.fanin.length);
    let at = 0;
    gates.order.forEach((n, i) => {
      const node = this.firstGate + i;
      this.kind[node] = gates.kinds[i];
      this.start[node] = at;
      for (let k = gates.starts[i]; k < (gates.starts[i + 1] ?? gates.fanin.length); k++)
        this.fanin[at++] = this.literal(gates.fanin[k] as Edge);
      images[n] = node;
    });
    this.start[count] = at;
    const outStart = new Int32Array(count + 1);
    for (let k = 0; k < at; k++) outStart[(this.fanin[k] >> 1) + 1]++;
    for (let n = 0; n < count; n++) outStart[n + 1] += outStart[n];
    this.outStart = outStart;
    this.fanout = new Int32Array(at);
    const fill = outStart.slice();
    for (let n = this.firstGate; n < count; n++) {
      for (let k = this.start[n]; k < this.start[n + 1]; k++) this.fanout[fill[this.fanin[k] >> 1]++] = n;
    }
  }

  /** The literal here of an edge that the roots reach, or one of them. */
  literal(e: Edge): number {
    return (this.images[nodeOf(e)] << 1) | (e & 1);
  }

  /** The node here of an input of the graph, or -1 if the roots do not reach it. */
  nodeOf(e: Edge): number {
    return this.images[nodeOf(e)] ?? -1;
  }

  /** Says every gate in clauses, in both directions; a clause is valid during the call only. */
  addClauses(add: (clause: readonly Lit[]) => void): void {
    const clause: Lit[] = [];
    const say = (...literals: number[]) => add(literals as Lit[]);
    say(TRUE_LIT);
    for (let n = this.firstGate; n < this.count; n++) {
      const y = n << 1;
      const first = this.start[n];
      const end = this.start[n + 1];
      if (this.kind[n] === Kind.AND) {
        clause.length = 0;
        clause.push(y as Lit);
        for (let k = first; k < end; k++) {
          say(y ^ 1, this.fanin[k]);
          clause.push((this.fanin[k] ^ 1) as Lit);
        }
        add(clause);
        continue;
      }
      const c = this.fanin[first];
      const a = this.fanin[first + 1];
      const b = this.fanin[first + 2];
      say(y ^ 1, c ^ 1, a);
      say(y ^ 1, c, b);
      say(y, c ^ 1, a ^ 1);
      say(y, c, b ^ 1);
      if (a === (b ^ 1)) continue;
      say(y ^ 1, a, b);
      say(y, a ^ 1, b ^ 1);
    }
  }
}

/** Finds the gates of a graph from the roots downwards. */
class GateFinder {
  readonly images: Int32Array;
  readonly inputs: number[] = []; // reached inputs that are no latches
  readonly order: number[] = []; // reached gates, arguments first
  readonly kinds: number[] = []; // by position in `order`
  readonly starts: number[] = []; // by position in `order`
  readonly fanin: number[] = []; // edges
  private readonly aig: Aig;
  private readonly isNeeded: Uint8Array;

  constructor(aig: Aig, latches: readonly Edge[], roots: readonly Edge[]) {
    this.aig = aig;
    this.images = new Int32Array(aig.count).fill(-1);
    this.isNeeded = new Uint8Array(aig.count);
    const { isNeeded } = this;
    for (const e of roots) isNeeded[nodeOf(e)] = 1;
    const isLatch = new Set(latches.map(nodeOf));
    const gates: { node: number; kind: number; arguments: readonly number[] }[] = [];
    for (let n = aig.count - 1; n > 0; n--) {
      if (isNeeded[n] === 0) continue;
      if (aig.isInput(n)) {
        if (!isLatch.has(n)) this.inputs.push(n);
        continue;
      }
      const choice = choiceAt(aig, n);
      const edges = choice ?? this.conjuncts(n);
      for (const e of edges) isNeeded[e >> 1] = 1;
      gates.push({ node: n, kind: choice === undefined ? Kind.AND : Kind.CHOICE, arguments: edges });
    }
    this.inputs.reverse();
    for (const gate of gates.reverse()) {
      this.order.push(gate.node);
      this.kinds.push(gate.kind);
      this.starts.push(this.fanin.length);
      for (const e of gate.arguments) this.fanin.push(e);
    }
  }

  /** The edges whose conjunction a node is, through conjunctions that are used nowhere else. */
  private conjuncts(n: number): number[] {
    const { aig, isNeeded } = this;
    const found = new Set<number>();
    const stack = [aig.right[n], aig.left[n]];
    for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
      const m = e >> 1;
      const isOwn = !aig.isInput(m) && aig.parents[m] === 1 && isNeeded[m] === 0;
      if (isOwn && !isComplemented(e as Edge) && choiceAt(aig, m) === undefined)
        stack.push(aig.right[m], aig.left[m]);
      else found.add(e);
    }
    return [...found];
  }
}

/** The edges c, a, b if the node is ¬(c ∧ ¬a) ∧ ¬(¬c ∧ ¬b), which says: if c then a, else b. */
function choiceAt({ left, right }: Aig, n: number): readonly number[] | undefined {
  const x = left[n];
  const y = right[n];
  if ((x & y & 1) === 0) return undefined;
  const [pl, pr] = [left[x >> 1], right[x >> 1]];
  const [ql, qr] = [left[y >> 1], right[y >> 1]];
  if (pl < 0 || ql < 0) return undefined;
  if (pl === (ql ^ 1)) return [pl, pr ^ 1, qr ^ 1];
  if (pl === (qr ^ 1)) return [pl, pr ^ 1, ql ^ 1];
  if (pr === (ql ^ 1)) return [pr, pl ^ 1, qr ^ 1];
  return pr === (qr ^ 1) ? [pr, pl ^ 1, ql ^ 1] : undefined;
}
