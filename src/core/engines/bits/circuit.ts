/**
 * The part of a system that matters to its property, as a netlist. Latches that are found constant by ternary simulation
 * from the initial states are replaced by their values; what is then outside the cone of influence of the property, the
 * constraints and the relations is left out.
 *
 * The initial states are given by values of single latches and by formulas for what these cannot say. All latches that
 * such formulas mention are part of the circuit, so initial values of the others can be chosen on their own.
 */
import { Aig, type Edge, FALSE, isComplemented, nodeOf, TRUE } from '../../../bv/aig.ts';
import { FALSE_LIT, Netlist, TRUE_LIT } from './netlist.ts';
import type { StateBit, SystemBits } from './system-bits.ts';
import { simulate, UNKNOWN } from './ternary.ts';

export class Circuit {
  readonly netlist: Netlist;
  readonly latches: readonly StateBit[]; // latch i is node i + 1
  readonly next: Int32Array; // by node of a latch: the literal of its value after a step
  readonly initial: Uint8Array; // by node of a latch: 0, 1 or UNKNOWN
  readonly initialRest: Int32Array; // literals that hold in initial states
  readonly constraints: Int32Array; // literals that hold in every state
  readonly relation: number; // the literal that holds where a step is taken
  readonly bad: number; // the literal that says that the property fails
  /** Bits of states that never change, with their values. */
  readonly constants: readonly { readonly of: StateBit; readonly isSet: boolean }[];
  /** The initial states contradict themselves. */
  readonly isEmpty: boolean;
  private readonly image: (e: Edge) => Edge;

  constructor(bits: SystemBits, checkpoint: () => void) {
    const { aig, states } = bits;
    const { values, rest, isEmpty } = initialValues(bits);
    this.isEmpty = isEmpty;
    const fixed = constantLatches(bits, values, checkpoint);
    this.constants = states.flatMap(s => {
      const value = fixed.get(nodeOf(s.now));
      return value === undefined ? [] : [{ of: s, isSet: value === 1 }];
    });
    const slim = new Aig();
    const images = rebuild(aig, slim, fixed);
    this.image = e => (images[nodeOf(e)] ^ (e & 1)) as Edge;
    const { image } = this;
    const initialRest = rest.map(image).filter(e => e !== TRUE);
    const constraints = conjunctsOf(slim, bits.constraints.map(image));
    const relation = slim.all(bits.relations.map(image));
    const bad = image(bits.bad);
    const roots = [...initialRest, ...constraints, relation, bad];
    const open = states.filter(s => !fixed.has(nodeOf(s.now)));
    this.latches = coneOfInfluence(slim, roots, open, image);
    const nexts = this.latches.map(s => image(s.next));
    this.netlist = new Netlist(
      slim,
      this.latches.map(s => image(s.now)),
      [...roots, ...nexts],
    );
    const literal = (e: Edge) => this.netlist.literal(e);
    this.next = Int32Array.from([FALSE_LIT, ...nexts.map(literal)]);
    this.initial = Uint8Array.from([0, ...this.latches.map(s => values.get(nodeOf(s.now)) ?? UNKNOWN)]);
    this.initialRest = Int32Array.from(initialRest, literal);
    this.constraints = Int32Array.from(constraints, literal);
    this.relation = literal(relation);
    this.bad = literal(bad);
  }

  get hasRelation(): boolean {
    return this.relation !== TRUE_LIT;
  }

  /** The node of an input of the system's graph; -1 where the circuit does not have it. */
  nodeOf(e: Edge): number {
    return this.netlist.nodeOf(this.image(e));
  }
}

/** Values of single latches in the initial states, and what is to be said besides. */
function initialValues({ aig, states, init }: SystemBits): {
  values: Map<number, number>;
  rest: Edge[];
  isEmpty: boolean;
} {
  const isLatch = new Set(states.map(s => nodeOf(s.now)));
  const values = new Map<number, number>();
  const rest: Edge[] = [];
  let isEmpty = false;
  for (const e of conjunctsOf(aig, init)) {
    const value = isComplemented(e) ? 0 : 1;
    if (e === FALSE) isEmpty = true;
    else if (!isLatch.has(nodeOf(e))) rest.push(e);
    else if ((values.get(nodeOf(e)) ?? value) !== value) isEmpty = true;
    else values.set(nodeOf(e), value);
  }
  return { values, rest, isEmpty };
}

function conjunctsOf(aig: Aig, edges: readonly Edge[]): Edge[] {
  const found = new Set<Edge>();
  const seen = new Set<Edge>([TRUE]);
  const stack = [...edges];
  for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
    if (seen.has(e)) continue;
    seen.add(e);
    const n = nodeOf(e);
    if (isComplemented(e) || aig.isInput(n)) found.add(e);
    else stack.push(aig.right[n] as Edge, aig.left[n] as Edge);
  }
  return [...found];
}

/** Rounds of simulation that the search for constants may take, and nodes it may visit in all. */
const MAX_ROUNDS = 200;
const MAX_VISITS = 20_000_000;

/**
 * The latches that keep their initial value whatever the inputs are, by node: a set of states, given by a ternary value
 * for each latch, is made larger until no step leads out of it.
 */
function constantLatches(
  { aig, states }: SystemBits,
  initial: ReadonlyMap<number, number>,
  checkpoint: () => void,
): Map<number, number> {
  const fixed = new Map(initial);
  const values = new Uint8Array(aig.count);
  for (let round = 0; fixed.size > 0; round++) {
    checkpoint();
    if (round === MAX_ROUNDS || round * aig.count > MAX_VISITS) return new Map();
    simulate(aig, fixed, values);
    let isClosed = true;
    for (const { now, next } of states) {
      const value = fixed.get(nodeOf(now));
      if (value === undefined) continue;
      const after = values[nodeOf(next)];
      if (after !== UNKNOWN && (after ^ (next & 1)) === value) continue;
      fixed.delete(nodeOf(now));
      isClosed = false;
    }
    if (isClosed) break;
  }
  return fixed;
}

/** Copies a graph with some inputs replaced by constants; the edge of each node in the copy. */
function rebuild(aig: Aig, copy: Aig, constants: ReadonlyMap<number, number>): Int32Array {
  const images = new Int32Array(aig.count);
  for (let n = 1; n < aig.count; n++) {
    if (aig.isInput(n)) {
      const constant = constants.get(n);
      images[n] = constant === undefined ? copy.input() : constant === 1 ? TRUE : FALSE;
      continue;
    }
    const l = aig.left[n];
    const r = aig.right[n];
    images[n] = copy.and((images[l >> 1] ^ (l & 1)) as Edge, (images[r >> 1] ^ (r & 1)) as Edge);
  }
  return images;
}

/** The latches that the roots depend on, in any number of steps. */
function coneOfInfluence(
  aig: Aig,
  roots: readonly Edge[],
  states: readonly StateBit[],
  image: (e: Edge) => Edge,
): StateBit[] {
  const latchAt = new Map(states.map(s => [nodeOf(image(s.now)), s]));
  const seen = new Uint8Array(aig.count);
  const reached = new Set<StateBit>();
  const stack = roots.map(nodeOf);
  for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
    if (seen[n] !== 0) continue;
    seen[n] = 1;
    const latch = latchAt.get(n);
    if (latch !== undefined) {
      reached.add(latch);
      stack.push(nodeOf(image(latch.next)));
    } else if (!aig.isInput(n)) {
      stack.push(aig.left[n] >> 1, aig.right[n] >> 1);
    }
  }
  return states.filter(s => reached.has(s));
}
