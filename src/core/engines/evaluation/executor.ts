/**
 * Executes a problem by evaluation, again and again, until a violation is met. Short executions, which try out many inputs by chance,
 * take turns with long ones: a loop that fills an array of a hundred thousand elements is no obstacle, since a step takes
 * a microsecond. Inputs of long ones follow a pattern, as those of people do who try out a program: always the same, or
 * one more each time. So their rounds are alike, and need not all be listed.
 *
 * Inputs by chance are mostly values that the problem itself speaks of, and an execution has a habit, how long they stay as they are.
 */
import type { Work } from '../../../sat/work.ts';
import type { SortId } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { constantsIn, Draw } from '../../problem/draw.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import type { Execution } from '../../problem/execution.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  isQuery,
  type Location,
  type Problem,
} from '../../problem/problem.ts';
import { Exits } from './exits.ts';

/** Steps of a short execution, and of a long one. */
const SHORT = 2_000;
const LONG = 1_200_000;
const LISTABLE = 90_000;
/** So many short executions that bring nothing new are enough. */
const MAX_IDLE = 40;
/** An execution ends where so many steps have changed nothing. */
const MAX_REST = 50;
/** How often an input stays as it was, on average. */
const STEADY = Number.POSITIVE_INFINITY;
const HABITS = [1, 4, 64, STEADY];
/** Inputs that are tried where no edge can be taken with the first. */
const TRIES = 40;
/** Small numbers are less than one of these, and seldom below zero. */
const SMALL = [4, 12, 40];
const NEGATIVE = 0.15;
/** Steps between pauses. */
const PAUSE = 64;

/** In which manner executions are made. */
export interface Manner {
  /** Is told of every state that one comes to, and for the how manieth time it is there. */
  readonly visit: (location: Location, places: readonly Value[], times: number) => void;
  /** How likely it is that an input by chance is a small number. */
  readonly small: number;
}

export class Executor {
  /** Nodes so far. */
  evaluated = 0;
  readonly counts = { steps: 0, executions: 0 };
  private readonly terms: TermStore;
  private readonly visit: Manner['visit'];
  private readonly small: number;
  private readonly draw: Draw;
  private readonly constants: ReadonlyMap<SortId, readonly Value[]>;
  private readonly table: EdgeTable;
  private readonly starts: readonly Edge[];
  private readonly taken = new Set<Edge>();
  private idle = 0; // short executions since one took an edge that none had taken before
  private allowance = 0; // nodes that are due to short ones
  private readonly exits = new Map<Location | undefined, Exits>(); // of nowhere: the starts

  constructor(
    { terms, edges }: Problem,
    seed: number,
    { visit = () => {}, small = 0 }: Partial<Manner> = {},
  ) {
    this.terms = terms;
    this.visit = visit;
    this.small = small;
    this.draw = new Draw(terms, seed);
    this.constants = constantsIn(
      terms,
      edges.flatMap(e => [...conditionsOf(e), ...e.values]),
    );
    this.table = new EdgeTable(edges);
    this.starts = edges.filter(e => e.sources.length === 0);
  }

  /** Pauses now and then. */
  *search(): Work<Execution> {
    // One long execution goes first, since most violations do not care; then those with the other patterns take turns.
    const [first, ...others] = PATTERNS.map(p => new Run(LONG, STEADY, p));
    let long = [first];
    let waiting = others;
    let short = this.another(SHORT);
    for (;;) {
      const before = this.evaluated;
      const run = long.shift() as Run;
      const found = yield* this.portion(run);
      if (found instanceof Run) return found;
      if (found === 'going on') long.push(run);
      if (long.length === 0) [long, waiting] = [waiting.length > 0 ? waiting : [this.another(LONG)], []];
      // As much for the short ones, as long as they get to places where nobody was before.
      this.allowance += (this.evaluated - before) * (this.idle < MAX_IDLE ? 1 : 0.1);
      while (this.allowance > 0) {
        const start = this.evaluated;
        const other = yield* this.portion(short);
        if (other instanceof Run) return other;
        this.allowance -= this.evaluated - start;
        if (other === 'ended') {
          short = this.another(SHORT);
          this.idle++;
        }
      }
    }
  }

  private *portion(run: Run): Work<Run | 'ended' | 'going on'> {
    yield 'turn';
    for (let i = 0; i < PAUSE; i++) {
      const ending = this.step(run);
      if (ending === 'violation') return run;
      if (ending === 'end') return 'ended';
    }
    return 'going on';
  }

  private another(length: number): Run {
    const { draw } = this;
    this.counts.executions++;
    const habit = HABITS[draw.below(HABITS.length)];
    // What follows no pattern must be listed in full.
    return new Run(habit === STEADY ? length : Math.min(length, LISTABLE), habit, undefined);
  }

  private step(run: Run): 'violation' | 'end' | undefined {
    const { location, places } = run;
    const exits = this.exitsOf(location);
    let inputs = this.inputsFor(run, exits);
    this.evaluated += exits.cost;
    let possible = exits.possible(places, inputs);
    for (let i = 0; possible.length === 0; i++) {
      if (exits.inputs.length === 0 || i === TRIES) return 'end';
      inputs = exits.inputs.map(v => this.anyValue(v));
      this.evaluated += exits.cost;
      possible = exits.possible(places, inputs);
    }
    run.last.set(exits, inputs);
    const exit = this.chosen(exits, possible);
    const edge = exits.edge(exit);
    run.edges.push(edge);
    if (!this.taken.has(edge)) {
      this.taken.add(edge);
      this.idle = 0;
    }
    run.inputs.push(exits.ownInputs(exit, inputs));
    this.counts.steps++;
    const head = headOf(edge);
    if (head === undefined) return 'violation';
    this.evaluated += exits.costOf(exit);
    run.go(head, exits.derived(exit, places, inputs));
    this.visit(head, run.places, run.visited(head));
    if (head !== location) exits.forget();
    return run.edges.length === run.length || run.resting > MAX_REST ? 'end' : undefined;
  }

  private exitsOf(location: Location | undefined): Exits {
    let exits = this.exits.get(location);
    if (exits === undefined) {
      const edges = location === undefined ? this.starts : this.table.outOf(location);
      exits = new Exits(this.terms, location?.places ?? [], edges);
      this.exits.set(location, exits);
    }
    return exits;
  }

  /** A violation, if there is one. */
  private chosen(exits: Exits, possible: readonly number[]): number {
    if (possible.length === 1) return possible[0];
    return possible.find(i => isQuery(exits.edge(i).head)) ?? possible[this.draw.below(possible.length)];
  }

  /** As the pattern has it; or those of the last time, or others, as the execution's habit is. */
  private inputsFor(run: Run, exits: Exits): readonly Value[] {
    const { habit, last, pattern } = run;
    const known = last.get(exits);
    if (known?.length === 0) return known;
    if (pattern !== undefined) return pattern.isSteady && known ? known : this.patterned(run, pattern, exits);
    if (known === undefined) return exits.inputs.map(v => this.anyValue(v));
    if (habit === STEADY) return known;
    return known.map((value, i) => (this.draw.below(habit) === 0 ? this.anyValue(exits.inputs[i]) : value));
  }

  private patterned(run: Run, pattern: Pattern, exits: Exits): readonly Value[] {
    const times = run.times.get(exits) ?? 0;
    run.times.set(exits, times + 1);
    return exits.inputs.map((v, i) => this.draw.plain(this.terms.sort(v), pattern.number(i, times)));
  }

  private smallNumber(): number {
    const { draw } = this;
    const number = draw.below(SMALL[draw.below(SMALL.length)]);
    return draw.chance(NEGATIVE) ? -number : number;
  }

  private anyValue(variable: TermId): Value {
    const sort = this.terms.sort(variable);
    if (this.draw.chance(this.small)) return this.draw.plain(sort, this.smallNumber());
    return this.draw.value(sort, this.constants.get(sort));
  }
}

/** What inputs are: that with this number of an edge, when it is drawn for the so manieth time. */
interface Pattern {
  readonly number: (input: number, times: number) => number;
  readonly isSteady?: boolean;
}

const PATTERNS: readonly Pattern[] = [
  { number: i => i, isSteady: true },
  { number: (i, n) => i + n },
  { number: () => 0, isSteady: true },
  { number: (i, n) => i - n },
  { number: (i, n) => (i + n) % 2 },
  { number: () => 1, isSteady: true },
];

/** An execution so far. */
class Run implements Execution {
  readonly edges: Edge[] = [];
  readonly inputs: (readonly Value[])[] = [];
  readonly length: number; // at most
  readonly habit: number;
  /** Inputs are drawn by chance if there is none. */
  readonly pattern: Pattern | undefined;
  readonly last = new Map<Exits, readonly Value[]>(); // inputs
  readonly times = new Map<Exits, number>(); // that inputs have been wanted
  private readonly visits = new Map<Location, number>();
  location: Location | undefined;
  places: readonly Value[] = [];
  resting = 0; // steps that have changed nothing

  constructor(length: number, habit: number, pattern: Pattern | undefined) {
    this.length = length;
    this.habit = habit;
    this.pattern = pattern;
  }

  /** How often it has come to a location. */
  visited(location: Location): number {
    const times = (this.visits.get(location) ?? 0) + 1;
    this.visits.set(location, times);
    return times;
  }

  go(location: Location, places: readonly Value[]): void {
    const isSame = location === this.location && places.every((v, i) => v === this.places[i]);
    this.resting = isSame ? this.resting + 1 : 0;
    this.location = location;
    this.places = places;
  }
}
