/** The one-shot instances of the benchmark, all generated: CNF in DIMACS numbers. */
import { Circuit } from './circuit.ts';
import { Random } from './random.ts';

export interface Instance {
  readonly name: string;
  readonly family: string;
  readonly varCount: number;
  readonly clauses: readonly (readonly number[])[];
}

export function oneShotInstances(isQuick: boolean): Instance[] {
  const seeds = isQuick ? [1, 2] : [1, 2, 3, 4, 5, 6];
  return [
    ...seeds.map(seed => randomThreeSat(250, 4.26, seed)),
    ...(isQuick ? [8] : [8, 9]).map(pigeonhole),
    ...(isQuick ? [6] : [6, 7, 8]).map(multiplierMiter),
    ...(isQuick ? [12] : [12, 16, 18]).map(steps => fifo(4, 4, steps)),
    fifo(8, 4, isQuick ? 10 : 14),
    ...(isQuick ? [16] : [16, 24, 26]).map(width => registers(width, 100)),
    ...(isQuick ? [6] : [5, 6]).map(width => rotations(width, 2 * width)),
  ];
}

/** Uniform random 3-SAT near the threshold, where about half of the instances have a solution. */
export function randomThreeSat(varCount: number, ratio: number, seed: number): Instance {
  const random = new Random(seed);
  const clauses = Array.from({ length: Math.round(varCount * ratio) }, () => {
    const vars = new Set<number>();
    while (vars.size < 3) vars.add(1 + random.below(varCount));
    return [...vars].map(v => (random.below(2) === 0 ? v : -v));
  });
  return { name: `random ${varCount} #${seed}`, family: 'random', varCount, clauses };
}

/** `holes + 1` pigeons into `holes` holes. */
export function pigeonhole(holes: number): Instance {
  const at = (pigeon: number, hole: number) => pigeon * holes + hole + 1;
  const clauses: number[][] = [];
  for (let p = 0; p <= holes; p++) clauses.push(Array.from({ length: holes }, (_, h) => at(p, h)));
  for (let h = 0; h < holes; h++) {
    for (let p = 0; p <= holes; p++)
      for (let q = p + 1; q <= holes; q++) clauses.push([-at(p, h), -at(q, h)]);
  }
  return { name: `pigeonhole ${holes}`, family: 'pigeonhole', varCount: (holes + 1) * holes, clauses };
}

/** Is a * b = b * a? Two schoolbook multipliers with their arguments exchanged. */
export function multiplierMiter(width: number): Instance {
  const circuit = new Circuit();
  const a = circuit.inputs(width);
  const b = circuit.inputs(width);
  circuit.clause(-circuit.equal(circuit.multiply(a, b), circuit.multiply(b, a)));
  return instanceOf(circuit, `miter ${width} bit`, 'miter');
}

function instanceOf(circuit: Circuit, name: string, family: string): Instance {
  return { name, family, varCount: circuit.varCount, clauses: circuit.clauses };
}

/** A nonlinear feedback shift register, unrolled: do two different states give the same stream of outputs? */
export function registers(width: number, steps: number): Instance {
  const circuit = new Circuit();
  const run = (state: number[]) => {
    let bits = state;
    const outputs: number[] = [];
    for (let t = 0; t < steps; t++) {
      const tap = circuit.and(bits[2], bits[width >> 1]);
      const feedback = circuit.xor(circuit.xor(bits[0], bits[3]), circuit.xor(bits[width - 3], tap));
      outputs.push(circuit.mux(bits[1], circuit.xor(bits[4], bits[width - 2]), bits[width - 1]));
      bits = [...bits.slice(1), feedback];
    }
    return outputs;
  };
  const first = circuit.inputs(width);
  const second = circuit.inputs(width);
  circuit.clause(-circuit.equal(first, second));
  circuit.clause(circuit.equal(run(first), run(second)));
  return instanceOf(circuit, `registers ${width} bit, ${steps} steps`, 'bmc');
}

/** A ring buffer against a shift-register queue, the same pushes and pops: can their heads ever differ? */
export function fifo(depth: number, width: number, steps: number): Instance {
  const circuit = new Circuit();
  const bits = Math.ceil(Math.log2(depth)) + 1;
  let ring = Array.from({ length: depth }, () => circuit.constant(0, width));
  let shift = ring.map(word => [...word]);
  let head = circuit.constant(0, bits);
  let count = circuit.constant(0, bits);
  const one = circuit.constant(1, bits);
  const minusOne = circuit.constant((1 << bits) - 1, bits);
  const low = (word: number[]) => word.slice(0, bits - 1);
  const differences: number[] = [];
  for (let t = 0; t < steps; t++) {
    const data = circuit.inputs(width);
    const wantsPush = circuit.input();
    const isFull = circuit.equal(count, circuit.constant(depth, bits));
    const isEmpty = circuit.equal(count, circuit.constant(0, bits));
    const push = circuit.and(wantsPush, -isFull);
    const pop = circuit.and(-wantsPush, -isEmpty);
    const tail = circuit.add(head, count);
    const front = ring.reduce(
      (word, slot, i) => {
        const here = circuit.equal(low(head), circuit.constant(i, bits - 1));
        return word.map((bit, k) => circuit.mux(here, slot[k], bit));
      },
      circuit.constant(0, width),
    );
    differences.push(circuit.and(-isEmpty, -circuit.equal(front, shift[0])));
    ring = ring.map((slot, i) => {
      const here = circuit.and(push, circuit.equal(low(tail), circuit.constant(i, bits - 1)));
      return slot.map((bit, k) => circuit.mux(here, data[k], bit));
    });
    shift = shift.map((slot, i) => {
      const here = circuit.and(push, circuit.equal(count, circuit.constant(i, bits)));
      const next = shift[i + 1] ?? slot;
      return slot.map((bit, k) => circuit.mux(here, data[k], circuit.mux(pop, next[k], bit)));
    });
    head = circuit.add(head, one).map((bit, k) => circuit.mux(pop, bit, head[k]));
    count = circuit.add(
      count,
      one.map((bit, k) => circuit.mux(pop, minusOne[k], circuit.mux(push, bit, -circuit.true))),
    );
  }
  circuit.clause(circuit.any(differences));
  return instanceOf(circuit, `fifo ${depth}x${width}, ${steps} steps`, 'bmc');
}

/** A word that may rotate by one in each step: can its parity change? */
export function rotations(width: number, steps: number): Instance {
  const circuit = new Circuit();
  let word = circuit.inputs(width);
  const parity = (bits: number[]) => bits.reduce((x, y) => circuit.xor(x, y));
  const start = parity(word);
  for (let t = 0; t < steps; t++) {
    const control = circuit.input();
    word = word.map((bit, i) => circuit.mux(control, word[(i + 1) % width], bit));
  }
  circuit.clause(circuit.xor(start, parity(word)));
  return instanceOf(circuit, `rotations ${width} bit, ${steps} steps`, 'bmc');
}
