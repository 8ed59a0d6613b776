/**
 * States of a few random runs of a problem with one location: enough to see that something is not so, cheap enough to look
 * before anything is asked of a solver.
 */
import { SMALL_WIDTH } from '../../term/bitvector.ts';
import { Program } from '../../term/program.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { randomNumbers } from '../env/random.ts';
import { defaultValue, evaluatorOf } from '../problem/derivation.ts';
import { type Edge, headOf, inputsOf, type Problem } from '../problem/problem.ts';

/** Nodes that may be evaluated in all, states that are looked at, and steps of one run. */
const EFFORT = 400_000;
const MAX_STATES = 600;
const RUN_LENGTH = 30;
/** Choices of inputs that are tried where no edge can be taken. */
const TRIES = 4;

/** Each state as a test of Boolean places. None where there are declared functions. */
export function* randomStates(problem: Problem): Generator<(place: TermId) => boolean> {
  const { terms, edges } = problem;
  if (terms.postorder(edges.flatMap(e => [e.guard, ...e.values])).some(t => terms.isApplication(t))) return;
  const runs = new RandomRuns(problem);
  for (let states = 0; runs.evaluated < EFFORT && states < MAX_STATES; states++) {
    let state = runs.start();
    for (let i = 0; state !== undefined && i < RUN_LENGTH; i++) {
      const now: ReadonlyMap<TermId, Value> = state;
      yield place => now.get(place) === true;
      states++;
      state = runs.step(now);
    }
    if (!runs.canStart) return;
  }
}

class RandomRuns {
  evaluated = 0;
  readonly canStart: boolean;
  private readonly terms: TermStore;
  private readonly starts: readonly Edge[];
  private readonly steps: readonly Edge[];
  private readonly places: readonly TermId[];
  private readonly inputs: readonly TermId[];
  private readonly program: Program; // of places, then inputs
  private readonly random = randomNumbers(0);

  constructor({ terms, locations, edges }: Problem) {
    this.terms = terms;
    this.places = locations[0].places;
    this.starts = edges.filter(e => e.sources.length === 0 && headOf(e) !== undefined);
    this.canStart = this.starts.length > 0;
    this.steps = edges.filter(e => e.sources.length > 0 && headOf(e) !== undefined);
    this.inputs = [...new Set(this.steps.flatMap(e => inputsOf(terms, e)))];
    this.program = new Program(terms, [...this.places, ...this.inputs]);
    for (const e of this.steps) this.program.add([e.guard, ...e.values]);
  }

  start(): Map<TermId, Value> | undefined {
    const { terms, starts, places } = this;
    if (!this.canStart) return undefined;
    this.evaluated += places.length;
    const edge = this.pick(starts);
    const values = new Map(inputsOf(terms, edge).map(v => [v, this.anyValue(v)]));
    const evaluator = evaluatorOf(terms, values);
    if (evaluator.value(edge.guard) !== true) return undefined;
    return new Map(places.map((p, i) => [p, evaluator.value(edge.values[i])]));
  }

  step(state: ReadonlyMap<TermId, Value>): Map<TermId, Value> | undefined {
    const { program, steps, places } = this;
    for (let i = 0; i < TRIES; i++) {
      this.evaluated += program.size;
      const values = program.run(
        places.map(p => state.get(p) as Value),
        this.inputs.map(v => this.anyValue(v)),
      );
      const possible = steps.filter(e => values[program.slot(e.guard)] === true);
      if (possible.length === 0) continue;
      const edge = this.pick(possible);
      return new Map(places.map((p, n) => [p, values[program.slot(edge.values[n])]]));
    }
    return undefined;
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)];
  }

  /** Small numbers are as likely as large ones. */
  private anyValue(v: TermId): Value {
    const { terms } = this;
    const width = terms.width(v);
    if (terms.sort(v) === terms.sorts.bool) return this.random() < 0.5;
    if (width === 0) return defaultValue(terms.sorts, terms.sort(v));
    if (width <= SMALL_WIDTH)
      return Math.floor(this.random() * 2 ** (this.random() < 0.5 ? width : Math.min(width, 2)));
    return BigInt(Math.floor(this.random() * 2 ** 32));
  }
}
