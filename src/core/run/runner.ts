/**
 * Executes a problem by evaluation: from a start, step by step, with inputs that are drawn or asked for, along edges whose
 * guard holds, until a property is violated, no edge can be taken, or there have been enough steps. What it did is a
 * derivation, for the evidence's own check.
 *
 * Of a problem whose edges have several sources, facts are derived one after another from those that are there already.
 */
import type { SortId } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import type { Derivation, Step } from '../problem/derivation.ts';
import { constantsIn, Draw } from '../problem/draw.ts';
import { type Edge, headOf, isQuery, type Location, type Problem } from '../problem/problem.ts';
import { Junction } from './junction.ts';

export interface RunOptions {
  /** Most steps of the run. */
  readonly steps: number;
  readonly seed: number;
  /** Are choices asked for? They are drawn otherwise. */
  readonly asks: boolean;
  /** The inputs of an edge that are choices, in the order in which they are made; all of its inputs otherwise. */
  readonly choices?: (edge: Edge) => readonly TermId[];
}

/**
 *   violation   the last step derives a query
 *   end         no edge can be taken, whatever the inputs
 *   stuck       no edge could be taken with the inputs that were tried
 *   steps       there have been as many as were allowed
 *   stopped     whoever drives it has stopped it
 */
export type Ending = 'violation' | 'end' | 'stuck' | 'steps' | 'stopped';

export interface Run {
  readonly ending: Ending;
  readonly derivation: Derivation;
}

/** A choice that is asked for; the answer is its value. */
export interface Asked {
  readonly variable: TermId;
}

/** Inputs that are drawn for one step before it is given up. */
const TRIES = 200;

/** Pauses are made after so many steps. */
const PAUSE = 256;

interface Fact {
  readonly location: Location;
  readonly values: readonly Value[];
}

/** A use of an edge. */
interface Taken {
  readonly junction: Junction;
  readonly edge: Edge;
  readonly places: readonly Value[];
  readonly inputs: readonly Value[];
  readonly premises: readonly number[];
}

interface Found {
  readonly edge: Edge;
  readonly inputs: readonly Value[];
}

export class Runner {
  private readonly problem: Problem;
  private readonly options: RunOptions;
  private readonly draw: Draw;
  private readonly constants: ReadonlyMap<SortId, readonly Value[]>;
  private readonly starts: Junction | undefined;
  private readonly byLocation = new Map<Location, Junction>(); // of edges with one source
  private readonly calls: readonly Junction[]; // of edges with several
  private readonly taken: Taken[] = [];
  private readonly facts: Fact[] = []; // by step
  private readonly factsAt = new Map<Location, number[]>(); // their numbers

  constructor(problem: Problem, options: RunOptions) {
    const { terms, edges } = problem;
    this.problem = problem;
    this.options = options;
    this.draw = new Draw(terms, options.seed);
    this.constants = constantsIn(
      terms,
      edges.flatMap(e => [e.guard, ...e.values]),
    );
    const { functionValue } = this.draw;
    const junction = (own: readonly Edge[]) => new Junction(terms, own, functionValue);
    const starts = edges.filter(e => e.sources.length === 0);
    this.starts = starts.length === 0 ? undefined : junction(starts);
    const leaving = new Map<Location, Edge[]>();
    for (const edge of edges) {
      if (edge.sources.length !== 1) continue;
      const [{ location }] = edge.sources;
      const own = leaving.get(location);
      if (own === undefined) leaving.set(location, [edge]);
      else own.push(edge);
    }
    for (const [location, own] of leaving) this.byLocation.set(location, junction(own));
    this.calls = edges.filter(e => e.sources.length > 1).map(e => junction([e]));
  }

  /** Pauses now and then, and where a choice is asked for: `next` is to be given its value then. */
  *run(): Generator<Asked | 'turn', Run, Value | undefined> {
    const { steps } = this.options;
    for (let count = 0; count < steps; count++) {
      if (count % PAUSE === PAUSE - 1) yield 'turn';
      const ending = this.calls.length === 0 ? yield* this.walk() : yield* this.derive();
      if (ending !== undefined) return this.ended(ending);
    }
    return this.ended('steps');
  }

  /** What has been done, where there is no going on. */
  stopped(): Run {
    return this.ended('stopped');
  }

  /** A step from the last fact, where all edges have one source. */
  private *walk(): Generator<Asked, Ending | undefined, Value | undefined> {
    const last = this.facts.at(-1);
    const junction = last === undefined ? this.starts : this.byLocation.get(last.location);
    if (junction === undefined) return 'end';
    const places = last?.values ?? [];
    const found = yield* this.choose(junction, places, junction.isOpen ? TRIES : 1);
    if (found === undefined) return junction.isOpen ? 'stuck' : 'end';
    return this.take(junction, places, last === undefined ? [] : [this.facts.length - 1], found);
  }

  /** A step from any facts. */
  private *derive(): Generator<Asked, Ending | undefined, Value | undefined> {
    const { draw } = this;
    const all = [this.starts, ...this.byLocation.values(), ...this.calls].filter(
      j => j?.sources.every(l => this.factsAt.has(l)) === true,
    ) as Junction[];
    for (let i = 0; i < TRIES && all.length > 0; i++) {
      const junction = all[draw.below(all.length)];
      const premises = junction.sources.map(l => {
        const known = this.factsAt.get(l) as number[];
        // What is new is more likely to lead to something new.
        const from = draw.below(2) === 0 ? Math.max(0, known.length - 4) : 0;
        return known[from + draw.below(known.length - from)];
      });
      const places = premises.flatMap(p => this.facts[p].values);
      const found = yield* this.choose(junction, places, 1);
      if (found !== undefined) return this.take(junction, places, premises, found);
    }
    return 'stuck';
  }

  private take(
    junction: Junction,
    places: readonly Value[],
    premises: readonly number[],
    { edge, inputs }: Found,
  ): Ending | undefined {
    this.taken.push({ junction, edge, places, inputs, premises });
    const head = headOf(edge);
    if (head === undefined) return 'violation';
    const known = this.factsAt.get(head);
    if (known === undefined) this.factsAt.set(head, [this.facts.length]);
    else known.push(this.facts.length);
    this.facts.push({ location: head, values: junction.derived(edge, places, inputs) });
    return undefined;
  }

  // ---- which edge ----

  private *choose(
    junction: Junction,
    places: readonly Value[],
    tries: number,
  ): Generator<Asked, Found | undefined, Value | undefined> {
    if (this.options.asks) return yield* this.asked(junction, places);
    for (let i = 0; i < tries; i++) {
      const inputs = this.drawn(junction);
      const holds = junction.evaluate(places, inputs);
      const possible = junction.edges.filter((_, e) =>
        junction.conditions[e].every(c => holds[c.index] === true),
      );
      if (possible.length > 0) return { edge: this.oneOf(possible), inputs };
    }
    return undefined;
  }

  /** A violation, if there is one. */
  private oneOf(possible: readonly Edge[]): Edge {
    const { draw } = this;
    return possible.find(e => isQuery(e.head)) ?? possible[draw.below(possible.length)];
  }

  private drawn({ inputs }: Junction): Value[] {
    const { terms } = this.problem;
    return inputs.map(v => this.draw.value(terms.sort(v), this.constants.get(terms.sort(v))));
  }

  /** Asks for one choice after another, as long as it matters for an edge that what is known does not exclude. */
  private *asked(
    junction: Junction,
    places: readonly Value[],
  ): Generator<Asked, Found | undefined, Value | undefined> {
    const { edges, inputs: variables, conditions } = junction;
    const number = new Map(variables.map((v, i) => [v, i]));
    const choices = edges.map(e =>
      (this.options.choices?.(e) ?? variables).flatMap(v => number.get(v) ?? []),
    );
    const inputs = this.drawn(junction);
    const open = new Set(choices.flat());
    for (;;) {
      const holds = junction.evaluate(places, inputs);
      const possible = [...edges.keys()].filter(e =>
        conditions[e].every(c => holds[c.index] === true || c.inputs.some(i => open.has(i))),
      );
      const next = possible.flatMap(e => choices[e]).find(i => open.has(i));
      if (next === undefined)
        return possible.length === 0 ? undefined : { edge: this.oneOf(possible.map(e => edges[e])), inputs };
      inputs[next] = (yield { variable: variables[next] }) as Value;
      open.delete(next);
    }
  }

  // ---- what was done ----

  private ended(ending: Ending): Run {
    const needed = ending === 'violation' ? this.ancestors() : [...this.taken.keys()];
    const numbers = new Map(needed.map((old, i) => [old, i]));
    const steps = needed.map((old): Step => {
      const { junction, edge, places, inputs, premises } = this.taken[old];
      return {
        edge,
        values: junction.assignment(places, inputs),
        premises: premises.map(p => numbers.get(p) as number),
      };
    });
    return { ending, derivation: { steps, functionValue: this.draw.functionValue } };
  }

  /** The steps that the last one rests on, and itself. */
  private ancestors(): number[] {
    const found = new Set([this.taken.length - 1]);
    for (const i of found) for (const p of this.taken[i].premises) found.add(p);
    return [...found].sort((a, b) => a - b);
  }
}
