/**
 * IC3 on bits (Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011; Eén, Mishchenko and Brayton,
 * "Efficient Implementation of Property Directed Reachability", FMCAD 2011): the same algorithm as `src/core/ic3`, on the
 * concrete reading of the system. There is nothing to refine here, so a counterexample is a run. It is the dissertation's
 * proposal to concretise what is refined again and again (section 6.2) taken to its end.
 *
 *   netlist.ts   the gates         lift.ts        from a model of a step to a cube
 *   circuit.ts   what matters      generalize.ts  from an unreachable cube to a larger one
 *   queries.ts   SAT questions     evidence.ts    invariants and runs
 *
 * The work comes in portions, measured in propagations of the SAT solver, so that it can alternate with other engines and
 * two runs still do the same.
 */
import type { Budget } from '../../sat/budget.ts';
import type { TermId } from '../../term/store.ts';
import { OutOfBudget } from '../env/out-of-budget.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Trace } from '../system/trace.ts';
import { Activity } from './activity.ts';
import { Effort, type Work } from './budget.ts';
import { Circuit } from './circuit.ts';
import { invariantOf, traceOf } from './evidence.ts';
import { Frames } from './frames.ts';
import { Generalizer } from './generalize.ts';
import { Lifter } from './lift.ts';
import { type Obligation, Obligations } from './obligations.ts';
import { Queries } from './queries.ts';
import { SystemBits } from './system-bits.ts';

export { bitObstacle } from './words.ts';

export type BitResult =
  | { readonly kind: 'invariant'; readonly invariant: TermId }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'open'; readonly reason: string };

export interface BitOptions {
  readonly budget: Budget;
  /** Perturbs the search. */
  readonly seed: number;
}

export interface BitStats {
  readonly latches: number;
  readonly gates: number;
  readonly depth: number;
  readonly cubes: number;
  readonly queries: number;
  readonly solvers: number;
  readonly conflicts: number;
  readonly propagations: number;
}

export class BitIc3 {
  private readonly effort: Effort;
  private readonly work: Work<BitResult>;
  private result: BitResult | undefined;
  private search: Search | undefined;

  /** The system must have no obstacle. */
  constructor(system: FunctionalSystem, options: BitOptions) {
    this.effort = new Effort(options.budget);
    this.work = this.check(system, options.seed);
  }

  /** Works until about so many propagations are spent, or there is a result. Call again to go on. */
  run(effort: number): BitResult | undefined {
    if (this.result !== undefined) return this.result;
    this.effort.left = effort;
    try {
      const { done, value } = this.work.next();
      if (done === true) this.result = value;
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      this.result = { kind: 'open', reason: error.reason };
    }
    return this.result;
  }

  get stats(): BitStats {
    const { search } = this;
    if (search === undefined)
      return {
        latches: 0,
        gates: 0,
        depth: 0,
        cubes: 0,
        queries: 0,
        solvers: 0,
        conflicts: 0,
        propagations: 0,
      };
    const { netlist } = search.circuit;
    const { bad, relative, initial, solvers } = search.queries.counts;
    return {
      latches: netlist.latchCount,
      gates: netlist.count - netlist.firstGate,
      depth: search.frames.depth,
      cubes: search.frames.added,
      queries: bad + relative + initial,
      solvers,
      ...search.queries.stats,
    };
  }

  private *check(system: FunctionalSystem, seed: number): Work<BitResult> {
    const checkpoint = () => this.effort.checkpoint();
    const bits = new SystemBits(system, checkpoint);
    const circuit = new Circuit(bits, checkpoint);
    if (circuit.isEmpty) return { kind: 'invariant', invariant: system.terms.false };
    this.search = new Search(circuit, this.effort, seed);
    const answer = yield* this.search.run();
    switch (answer.kind) {
      case 'none':
        return { kind: 'invariant', invariant: system.terms.false };
      case 'fixpoint': {
        const cubes = this.search.frames.excluded(answer.level);
        return { kind: 'invariant', invariant: invariantOf(system.terms, circuit, cubes) };
      }
      case 'counterexample':
        return { kind: 'trace', trace: traceOf(system, bits, circuit, answer.first) };
    }
  }
}

type Answer =
  | { readonly kind: 'none' } // no initial state
  | { readonly kind: 'fixpoint'; readonly level: number } // R_level is inductive
  | { readonly kind: 'counterexample'; readonly first: Obligation };

class Search {
  readonly circuit: Circuit;
  readonly frames = new Frames();
  readonly queries: Queries;
  private readonly generalizer: Generalizer;
  private readonly lifter: Lifter;

  constructor(circuit: Circuit, effort: Effort, seed: number) {
    this.circuit = circuit;
    const activity = new Activity(circuit.netlist.latchCount);
    this.queries = new Queries(circuit, this.frames, activity, effort, seed);
    this.generalizer = new Generalizer(this.queries, this.frames, activity);
    this.lifter = new Lifter(circuit.netlist, activity);
  }

  *run(): Work<Answer> {
    const { frames, queries } = this;
    if (!(yield* queries.hasInitialState())) return { kind: 'none' };
    for (;;) {
      const level = frames.depth;
      if (yield* queries.bad(level)) {
        const first = yield* this.block({ ...this.model(), level, successor: undefined });
        if (first !== undefined) return { kind: 'counterexample', first };
        continue;
      }
      frames.newFrame();
      const fixpoint = yield* this.propagate();
      if (fixpoint !== undefined) return { kind: 'fixpoint', level: fixpoint + 1 };
    }
  }

  /** Blocks an obligation and all that lead to it; or gives the one that has an initial state. */
  private *block(first: Obligation): Work<Obligation | undefined> {
    const { frames, queries, generalizer } = this;
    const queue = new Obligations();
    queue.push(first);
    for (let o = queue.pop(); o !== undefined; o = queue.pop()) {
      const { cube, level } = o;
      if (level === 0) return o;
      let blocked = frames.blockedAt(cube, level);
      if (blocked === undefined) {
        if ((yield* queries.initialCore(cube)) === undefined) return o;
        const answer = yield* queries.relative(cube, level);
        if (answer !== undefined) blocked = yield* generalizer.block(cube, answer);
      }
      if (blocked !== undefined) {
        if (blocked < frames.depth) queue.push({ ...o, level: blocked + 1 });
        continue;
      }
      const before = { ...this.model(), level: level - 1, successor: o };
      queue.push(o);
      queue.push(before);
    }
    return undefined;
  }

  /** What the last answer's step rests on, and its inputs. */
  private model(): Pick<Obligation, 'cube' | 'inputs'> {
    const { cone, values, goals } = this.queries;
    return { cube: this.lifter.lift(cone, values, goals), inputs: this.queries.trueInputs() };
  }

  /** Pushes cubes forward; the number of a frame that ran empty, if there is one. */
  private *propagate(): Work<number | undefined> {
    const { frames, queries, generalizer } = this;
    for (let i = 1; i < frames.depth; i++) {
      for (const cube of [...frames.at(i)]) {
        if (frames.isSuperseded(cube)) continue;
        const answer = yield* queries.relative(cube, i + 1, true);
        if (answer === undefined) continue;
        const pushed = yield* generalizer.keepOutInitial(cube, answer.core);
        queries.addClause(pushed, frames.add(pushed, answer.level));
      }
      if (frames.at(i).length === 0) return i;
    }
    return undefined;
  }
}
