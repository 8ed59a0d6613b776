/**
 * IC3 on bits: the same algorithm as everywhere (`../ic3`) on the concrete reading of the flat system. There is nothing to
 * refine here, so a counterexample is a run. It is the dissertation's proposal to concretise what is refined again and again
 * (section 6.2) taken to its end.
 *
 *   netlist.ts   the gates         lift.ts        from a model of a step to a cube
 *   circuit.ts   what matters      evidence.ts    invariants and runs
 *   queries.ts   SAT questions
 */
import type { Work } from '../../../sat/work.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { Frames } from '../ic3/frames.ts';
import { type Cube, cubeOf, subsumes, without } from '../ic3/literal-cube.ts';
import { Search } from '../ic3/search.ts';
import { Activity } from './activity.ts';
import { Circuit } from './circuit.ts';
import { invariantOf, traceOf } from './evidence.ts';
import { Lifter } from './lift.ts';
import { BitQueries, type BitState } from './queries.ts';
import { SystemBits } from './system-bits.ts';
import { bitObstacle } from './words.ts';

export const BITS: EngineKind = {
  name: 'bits',
  help: 'IC3 on single bits, for what hangs on arithmetic',
  proves: true,
  refutes: true,
  obstacle: views => bitObstacle(views.flat.system),
  start: (views, env) => new BitIc3(views, env),
};

/** On bits, what is pushed is the core, and at once; see `../ic3/generalize.ts` for what was tried besides. */
const OPTIONS = {
  dropLiterals: true,
  counterexamples: 0,
  pushFurther: true,
  requeueBlocked: true,
  looksAhead: true,
  pushCores: true,
};

export class BitIc3 implements Engine {
  private readonly views: Views;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly seed: number;
  private circuit: Circuit | undefined;
  private frames: Frames<Cube> | undefined;
  private queries: BitQueries | undefined;

  /** The views must have no obstacle. */
  constructor(views: Views, { budget, options }: Pick<Env, 'budget' | 'options'>) {
    this.views = views;
    this.seed = options.seed;
    this.effort = new Effort(budget);
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { circuit, frames, queries } = this;
    if (circuit === undefined || frames === undefined || queries === undefined) return {};
    const { bad, relative, initial, solvers } = queries.counts;
    return {
      latches: circuit.netlist.latchCount,
      gates: circuit.netlist.count - circuit.netlist.firstGate,
      depth: frames.depth,
      cubes: frames.added,
      queries: bad + relative + initial,
      solvers,
      ...queries.stats,
    };
  }

  private *search(): Work<Outcome> {
    const { flat, fromFlat } = this.views.narrow;
    const { system } = flat;
    const checkpoint = () => this.effort.checkpoint();
    const bits = new SystemBits(system, checkpoint);
    yield 'turn';
    const circuit = new Circuit(bits, checkpoint);
    yield 'turn';
    const safe = (invariant: Parameters<typeof flat.proof>[0]) =>
      fromFlat({ kind: 'safe', proof: flat.proof(invariant) });
    if (circuit.isEmpty) return safe(system.terms.false);
    const activity = new Activity(circuit.netlist.latchCount);
    const frames = new Frames<Cube>(subsumes);
    const lifter = new Lifter(circuit.netlist, activity);
    const queries = new BitQueries(circuit, frames, activity, lifter, this.effort, this.seed);
    this.circuit = circuit;
    this.frames = frames;
    this.queries = queries;
    if (!(yield* queries.hasInitialState())) return safe(system.terms.false);
    const operations = {
      subsumes,
      without,
      size: (cube: Cube) => cube.literals.length,
      has: (cube: Cube, literal: number) => cube.literals.includes(literal),
      union: (a: Cube, b: Cube) => cubeOf(new Set([...a.literals, ...b.literals])),
      ascending: (cube: Cube) => activity.ascending(cube),
      bump: (cube: Cube) => activity.bump(cube),
    };
    const result = yield* new Search<Cube, number, BitState>(queries, frames, operations, OPTIONS).run();
    if (result.kind === 'fixpoint')
      return safe(invariantOf(system.terms, circuit, frames.excluded(result.level)));
    const trace = traceOf(system, bits, circuit, result.path);
    return fromFlat({ kind: 'unsafe', derivation: flat.derivation(trace) });
  }
}
