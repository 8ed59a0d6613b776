/**
 * Acceleration: loops that count are taken as one step (Bardin, Finkel, Leroux and Petrucci, "FAST: acceleration from theory to
 * practice", STTT 2008; over bit-vectors everything is modulo 2^w). The location stands for the states in which the loop
 * is entered, and the edges that leave it for all rounds and the leaving:
 *
 *   L(x) ∧ x < n ⇒ L(x + 1, s + 2)          becomes      L(x, s) ⇒ M(n, s + 2 (n - x)), if x < n,
 *   L(x) ∧ ¬ x < n ⇒ M(x, s)                             and L(x, s) ⇒ M(x, s) otherwise
 *
 * A proof says what holds where a loop is entered. Of its other states that can be told where some place tells how many
 * rounds there have been. A derivation gets its rounds back; if there are too many of them to list, the first ones and the
 * last one with a remark of how many there are between (problem/derivation.ts).
 *
 * Where a loop has several ways round, nothing can be said of all rounds together. Each way that counts gets a *leap* beside it: any
 * number of rounds that way, one after the other, as one step back to the loop. All other edges stay, so the same can be derived,
 * and proofs are about the problem as it was.
 */
import type { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { type Derivation, evaluatorOf, headValues, type Step } from '../../problem/derivation.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, type Location, type Problem, sourceOf } from '../../problem/problem.ts';
import { LISTED_ROUNDS } from '../../problem/repetition.ts';
import { lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from '../pass.ts';
import { CountingLoop } from './loop.ts';

/** A loop with more rounds than this is not listed in full; at least one more than are listed anyway. */
const MAX_STEPS = 100_000;

/** `told`: only loops of whose states proofs can be told. */
export function accelerate(
  problem: Problem,
  solver: EquationSolver,
  which: 'told' | 'all',
  maxSteps = MAX_STEPS,
): Pass {
  const table = new EdgeTable(problem.edges);
  const loops = new Map<Location, CountingLoop>();
  for (const location of problem.locations) {
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    const loop = loopAt(table, location, solver);
    if (loop !== undefined && (which === 'all' || loop.isTold)) loops.set(location, loop);
  }
  return loops.size === 0 ? unchanged(problem) : new Acceleration(problem, loops, [], maxSteps).pass();
}

export function addLeaps(problem: Problem, solver: EquationSolver, maxSteps = MAX_STEPS): Pass {
  const leaps = leapingLoops(problem, solver);
  return leaps.length === 0
    ? unchanged(problem)
    : new Acceleration(problem, new Map(), leaps, maxSteps).pass();
}

/** Ways round a loop that has others, too. */
function leapingLoops({ locations, edges }: Problem, solver: EquationSolver): CountingLoop[] {
  const table = new EdgeTable(edges);
  return locations.flatMap(location => {
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    const rounds = table.into(location).filter(e => sourceOf(e) === location);
    if (rounds.length < 2) return [];
    return rounds
      .filter(e => e.sources.length === 1)
      .flatMap(round => CountingLoop.at(solver, location, round, []) ?? []);
  });
}

function loopAt(table: EdgeTable, location: Location, solver: EquationSolver): CountingLoop | undefined {
  const into = table.into(location);
  const all = [...into, ...table.outOf(location)];
  const rounds = into.filter(e => sourceOf(e) === location);
  if (rounds.length !== 1 || all.some(e => e.sources.length > 1)) return undefined;
  const entries = into.filter(e => e !== rounds[0]);
  return CountingLoop.at(solver, location, rounds[0], entries);
}

/** Rounds of a loop, and an edge that leaves it unless they are a leap. */
interface Leaving {
  readonly loop: CountingLoop;
  readonly edge: Edge | undefined;
  readonly rounds: TermId;
}

class Acceleration {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly loops: ReadonlyMap<Location, CountingLoop>;
  private readonly origins = new Map<Edge, Edge | Leaving>();
  private readonly maxSteps: number;

  constructor(
    problem: Problem,
    loops: ReadonlyMap<Location, CountingLoop>,
    leaps: readonly CountingLoop[],
    maxSteps: number,
  ) {
    this.maxSteps = maxSteps;
    this.problem = problem;
    this.terms = problem.terms;
    this.loops = loops;
    for (const edge of problem.edges) {
      const loop = loops.get(sourceOf(edge) as Location);
      if (loop === undefined) this.origins.set(edge, edge);
      else if (edge !== loop.round) {
        const { edge: faster, rounds } = loop.leaving(edge);
        this.origins.set(faster, { loop, edge, rounds });
      } else if (loop.isPlain !== this.terms.false) {
        this.origins.set({ ...edge, guard: this.terms.and([loop.isPlain, edge.guard]) }, edge);
      }
    }
    for (const loop of leaps) {
      const { edge, rounds } = loop.leap();
      this.origins.set(edge, { loop, edge: undefined, rounds });
    }
  }

  pass(): Pass {
    const { problem, terms, loops } = this;
    return {
      problem: { ...problem, edges: [...this.origins.keys()] },
      back: {
        proof: proof => ({
          ...proof,
          model: new Map([...proof.model].map(([l, f]) => [l, loops.get(l)?.invariant(f) ?? f])),
          lemmas: lemmasBack(terms, proof.lemmas, e => this.originsOf(e)),
        }),
        derivation: derivation => this.derivation(derivation),
        keepsSteps: false,
      },
    };
  }

  /** What an edge was made of; a state in which a loop was entered is told from the one in which it is left. */
  private originsOf(edge: Edge): Origin[] {
    const origin = this.origins.get(edge) as Edge | Leaving;
    if (!('loop' in origin)) return [{ edge: origin, names: new Map() }];
    if (origin.edge === undefined) return [];
    const { places, rounds } = origin.loop.entry;
    const names = new Map(places);
    if (this.terms.isVariable(origin.rounds)) names.set(origin.rounds, rounds);
    return [{ edge: origin.edge, names }];
  }

  private derivation(derivation: Derivation): Derivation {
    const steps: Step[] = [];
    const places: number[] = []; // by old number of a step, its last one now
    for (const step of derivation.steps) {
      const origin = this.origins.get(step.edge) as Edge | Leaving;
      let premises = step.premises.map(p => places[p]);
      const parts = 'loop' in origin ? this.apart(origin, step, derivation) : [{ ...step, edge: origin }];
      for (const part of parts) {
        steps.push({ ...part, premises });
        premises = [steps.length - 1];
      }
      places.push(steps.length - 1);
    }
    return { ...derivation, steps };
  }

  /** The rounds of a loop and the leaving. */
  private apart(
    { loop, edge, rounds }: Leaving,
    step: Step,
    { functionValue }: Derivation,
  ): Omit<Step, 'premises'>[] {
    const { terms } = this;
    const evaluator = evaluatorOf(terms, step.values, functionValue);
    const count = BigInt(evaluator.value(rounds) as number | bigint);
    const parts: Omit<Step, 'premises'>[] = [];
    const isListed = count <= this.maxSteps;
    const firsts = isListed ? count : LISTED_ROUNDS;
    let values: ReadonlyMap<TermId, Value> = step.values;
    for (let i = 0n; i < firsts; i++) {
      parts.push({ edge: loop.round, values, ...(isListed ? {} : { skipped: 0n }) });
      values = headValues(terms, loop.round, values, functionValue);
    }
    if (!isListed) {
      values = this.after(loop, count - 1n, step.values);
      parts.push({ edge: loop.round, values, skipped: count - LISTED_ROUNDS - 1n });
      values = headValues(terms, loop.round, values, functionValue);
    }
    const all =
      edge === undefined ? parts : [...parts, { edge, values: new Map([...step.values, ...values]) }];
    if (step.skipped === undefined) return all;
    if (!isListed) throw new Unknown('size', 'the run is too long to list');
    return [{ ...all[0], skipped: step.skipped }, ...all.slice(1)];
  }

  /** The state of a loop after so many rounds. */
  private after(
    loop: CountingLoop,
    count: bigint,
    values: ReadonlyMap<TermId, Value>,
  ): ReadonlyMap<TermId, Value> {
    const { terms } = this;
    const evaluator = evaluatorOf(terms, values);
    const after = loop.after(terms.bv(count.toString(2).length, count));
    return new Map([...after].map(([p, t]) => [p, evaluator.value(t)]));
  }
}
