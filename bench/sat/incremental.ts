/**
 * The incremental family: what IC3 asks of its solver. A random circuit of gates is a transition relation from state
 * X and inputs to X'; frames are sets of clauses over X, each behind an activation literal. The calls alternate:
 *
 *   propagation   all of X, the frames, and a cube over X' that the step cannot reach: refuted by propagation alone,
 *                 and the core is read
 *   search        the frames and a small cube over X': mostly satisfiable, and the values of X are read
 *
 * and from time to time a frame gets another clause. The calls do not depend on the answers, so all solvers get the
 * same.
 */
import { Circuit } from './circuit.ts';
import { Random } from './random.ts';

export interface Call {
  readonly newClauses: readonly (readonly number[])[]; // to be added before the call
  readonly assumptions: readonly number[];
}

export interface Stream {
  readonly name: string;
  readonly varCount: number;
  readonly clauses: readonly (readonly number[])[];
  readonly readVars: readonly number[]; // read from each model
  readonly calls: readonly Call[];
}

export type CallKind = 'propagation' | 'search' | 'mixed';

export function incrementalStreams(isQuick: boolean): Stream[] {
  const calls = isQuick ? 4000 : 20_000;
  return [
    stream('propagation', 60, 700, calls),
    stream('search', 60, 700, calls),
    stream('mixed', 150, 4000, calls / 2),
  ];
}

function stream(kind: CallKind, stateBits: number, gateCount: number, callCount: number): Stream {
  const random = new Random(stateBits * 31 + gateCount);
  const circuit = new Circuit();
  const state = circuit.inputs(stateBits);
  const signals = [...state, ...circuit.inputs(stateBits >> 1)];
  const evaluators: ((values: boolean[]) => void)[] = [];
  const pick = () => {
    // Prefer recent signals, so that the circuit has depth.
    const back = Math.floor(random.next() * random.next() * signals.length);
    const signal = signals[signals.length - 1 - back];
    return random.below(2) === 0 ? signal : -signal;
  };
  const read = (values: boolean[], lit: number) => values[Math.abs(lit)] === lit > 0;
  for (let i = 0; i < gateCount; i++) {
    const [a, b, c] = [pick(), pick(), pick()];
    const dice = random.below(10);
    const out = dice < 6 ? circuit.and(a, b) : dice < 8 ? circuit.xor(a, b) : circuit.mux(a, b, c);
    evaluators.push(values => {
      const [x, y, z] = [read(values, a), read(values, b), read(values, c)];
      values[out] = dice < 6 ? x && y : dice < 8 ? x !== y : x ? y : z;
    });
    signals.push(out);
  }
  const next = Array.from(
    { length: stateBits },
    () => signals[signals.length - 1 - random.below(gateCount >> 1)],
  );
  const frames = circuit.inputs(8);
  const clauses = [...circuit.clauses];
  const calls = Array.from({ length: callCount }, (_, index): Call => {
    const newClauses = index % 16 === 0 ? [frameClause(random, frames, state)] : [];
    const level = random.below(frames.length);
    const active = frames.slice(level);
    const isPropagation = kind === 'propagation' || (kind === 'mixed' && random.below(2) === 0);
    if (!isPropagation) {
      const cube = Array.from({ length: 3 + random.below(5) }, () =>
        signed(random, next[random.below(stateBits)]),
      );
      return { newClauses, assumptions: [...active, ...cube] };
    }
    // A full state and inputs, and a next state that differs from the real one in a bit.
    const values: boolean[] = [];
    for (let v = 0; v <= circuit.varCount; v++) values[v] = random.below(2) === 0;
    values[circuit.true] = true;
    for (const evaluate of evaluators) evaluate(values);
    const given = signals.slice(0, stateBits + (stateBits >> 1)).map(v => (values[v] ? v : -v));
    const flipped = next[random.below(stateBits)];
    return { newClauses, assumptions: [...active, ...given, values[flipped] ? -flipped : flipped] };
  });
  const name = `${kind}, ${clauses.length} clauses, ${callCount} calls`;
  return { name, varCount: circuit.varCount, clauses, readVars: state, calls };
}

function signed(random: Random, v: number): number {
  return random.below(2) === 0 ? v : -v;
}

/** A clause over the state that only half a dozen literals wide states violate, behind the literal of its frame. */
function frameClause(random: Random, frames: readonly number[], state: readonly number[]): number[] {
  const literals = Array.from({ length: 4 + random.below(5) }, () =>
    signed(random, state[random.below(state.length)]),
  );
  return [-frames[random.below(frames.length)], ...literals];
}
