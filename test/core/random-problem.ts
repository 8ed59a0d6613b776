/**
 * Random small problems, given directly as graphs: locations with constraints, edges with inputs, several properties. They
 * come in shapes in which passes find something to do:
 *
 *   system    a transition system                           graph   anything
 *   program   edges ask about a counter and set it          loops   edges of a location to itself add constants
 *   circuit   the first place is an input that was made a place, and something may be assumed of it
 *   calls     edges may have several sources
 *   counting  one edge of a location to itself, which adds to places as long as a comparison holds
 *   ways      the same with several such edges
 *   functions relations between an argument and a result, which call each other
 */
import { NextVariables } from '../../src/core/problem/next-variables.ts';
import { type Edge, type Location, type Problem, type Source, step } from '../../src/core/problem/problem.ts';
import { SystemProblem } from '../../src/core/problem/system-problem.ts';
import { Op } from '../../src/term/operators.ts';
import type { SortId } from '../../src/term/sort.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { substitute } from '../../src/term/substitute.ts';
import type { Random } from '../support/random.ts';
import { growPool } from '../support/terms.ts';
import { RandomSystem } from './random-system.ts';

export const SHAPES = [
  'system',
  'graph',
  'program',
  'circuit',
  'loops',
  'calls',
  'counting',
  'ways',
  'functions',
] as const;
export type Shape = (typeof SHAPES)[number];

/** Those in which no edge has several sources. */
export const LINEAR_SHAPES = SHAPES.filter(s => s !== 'calls' && s !== 'functions');

export function randomProblem(random: Random, shape: Shape): Problem {
  if (shape === 'system') return new SystemProblem(new RandomSystem(random).system).problem;
  if (shape === 'counting') return countingProblem(random, 1);
  if (shape === 'ways') return countingProblem(random, 2);
  return shape === 'functions' ? callingProblem(random) : new Drawing(random, shape).problem();
}

/**
 * Up to two functions, as relations between an argument and a result. Some results are known at once, some are those of one or two calls with
 * other arguments, changed a little. What must not be derived is one result, or two that are to fit together.
 */
function callingProblem(random: Random): Problem {
  const terms = new TermStore();
  const width = 2 + random.below(2);
  const sort = terms.sorts.bitVec(width);
  const constant = () => terms.bv(width, random.below(1 << width));
  const pair = (name: string) => ['x', 'y'].map(p => terms.variable(`${name}.${p}`, sort));
  const functions = Array.from({ length: 1 + random.below(2) }, (_, i): Location => {
    return { name: `F${i}`, places: pair(`F${i}`), constraints: [] };
  });
  const changed = (t: TermId) => (random.chance(0.4) ? t : terms.app(Op.BVADD, [constant(), t]));
  const compared = (pool: readonly TermId[]) => {
    const [a, b] = [random.pick(pool), random.chance(0.5) ? random.pick(pool) : constant()];
    const atom = terms.app(random.pick([Op.BVULT, Op.BVSLT, Op.EQ]), [a, b]);
    return random.chance(0.4) ? terms.not(atom) : atom;
  };
  const use = (calls: number) => {
    const sources = Array.from({ length: calls }, (_, i): Source => {
      const location = random.pick(functions);
      return { location, places: calls === 1 ? location.places : pair(`call${i}`) };
    });
    return { sources, places: sources.flatMap(s => s.places) };
  };
  const edge = (calls: number, head: Edge['head']): Edge => {
    const { sources, places } = use(calls);
    const guard = [];
    // The second call is mostly made with an argument or a result of the first.
    if (calls === 2 && random.chance(0.7)) guard.push(terms.eq(places[2], changed(places[random.below(2)])));
    while (guard.length < 3 && random.chance(0.5)) guard.push(compared([...places, constant()]));
    if ('property' in head) guard.push(compared(places));
    const value = () => {
      if (calls === 0) return constant();
      if (calls === 2 && random.chance(0.5))
        return terms.app(random.pick([Op.BVADD, Op.BVAND, Op.BVXOR]), [places[1], places[3]]);
      return changed(random.pick(places));
    };
    return { sources, guard: terms.and(guard), head, values: 'property' in head ? [] : [value(), value()] };
  };
  const edges = [
    ...functions.map(f => edge(0, f)),
    ...Array.from({ length: 1 + random.below(2) }, () => edge(random.below(2), random.pick(functions))),
    ...Array.from({ length: 1 + random.below(2) }, () => edge(2, random.pick(functions))),
    edge(random.chance(0.7) ? 1 : 2, { property: 0 }),
  ];
  return { terms, locations: functions, edges, next: new NextVariables(terms) };
}

/** Up to two loops, each of which counts, in one way or several, one after the other; what becomes of it may violate a property on the way or later. */
function countingProblem(random: Random, ways: number): Problem {
  const terms = new TermStore();
  const sort = terms.sorts.bitVec(2 + random.below(2));
  const width = terms.sorts.width(sort);
  const constant = () => terms.bv(width, random.below(1 << width));
  const locations = Array.from({ length: 1 + random.below(2) }, (_, i): Location => {
    const places = ['x', 'y'].map(name => terms.variable(`${name}${i}`, sort));
    return { name: `L${i}`, places, constraints: [] };
  });
  const compared = (places: readonly TermId[]) => {
    const [a, b] = random.chance(0.5) ? [places[0], places[1]] : [random.pick(places), constant()];
    const atom = terms.app(random.pick([Op.BVULT, Op.BVSLT, Op.EQ]), random.chance(0.5) ? [a, b] : [b, a]);
    return random.chance(0.4) ? terms.not(atom) : atom;
  };
  const edges: Edge[] = [];
  const entry = (places: readonly TermId[]) =>
    random.chance(0.6) ? constant() : places.length > 0 ? random.pick(places) : terms.variable('start', sort);
  edges.push({
    sources: [],
    guard: terms.true,
    head: locations[0],
    values: [entry([]), entry([])],
  });
  locations.forEach((location, i) => {
    const { places } = location;
    const grown = (p: TermId, j: number) => {
      const other = places[1 - j];
      const by = random.pick([constant(), terms.bv(width, 1), terms.bv(width, -1), other]);
      if (random.chance(0.1)) return random.chance(0.5) ? other : constant();
      if (random.chance(0.2)) {
        const [a, b] = [by, constant()].map(n => terms.app(Op.BVADD, [n, p]));
        return terms.app(Op.ITE, [compared(places), a, b]);
      }
      return random.chance(0.3) ? p : terms.app(Op.BVADD, [by, p]);
    };
    const guards: TermId[] = [];
    for (let way = 0; way < ways; way++) {
      const own = Array.from({ length: random.below(3) }, () => compared(places));
      edges.push({
        sources: step(location),
        guard: terms.and(own),
        head: location,
        values: places.map(grown),
      });
      guards.push(...own);
    }
    const exits = () => [
      ...(guards.length > 0 && random.chance(0.7) ? [terms.not(random.pick(guards))] : []),
      ...(random.chance(0.5) ? [compared(places)] : []),
    ];
    const later = locations[i + 1];
    if (later !== undefined) {
      const values = [entry(places), entry(places)];
      edges.push({ sources: step(location), guard: terms.and(exits()), head: later, values });
    }
    edges.push({ sources: step(location), guard: terms.and(exits()), head: { property: i }, values: [] });
  });
  return { terms, locations, edges, next: new NextVariables(terms) };
}

type DrawnShape = Exclude<Shape, 'system' | 'counting' | 'ways' | 'functions'>;

type Ends = Pick<Edge, 'sources' | 'head'>;

/** How many places a location has, at least and at most. */
const PLACES = { graph: [0, 2], program: [1, 3], circuit: [1, 2], loops: [2, 2], calls: [0, 2] } as const;

/** How many locations there are at most. */
const LOCATIONS = { graph: 3, program: 2, circuit: 1, loops: 2, calls: 3 } as const;

class Drawing {
  private readonly random: Random;
  private readonly shape: DrawnShape;
  private readonly terms = new TermStore();
  private readonly kinds: readonly SortId[];
  private readonly constants: readonly TermId[];
  private readonly counter: SortId;
  private readonly locations: readonly Location[];
  private readonly assumed = new Map<Location, TermId>(); // what every edge into a circuit's location sees to
  private inputCount = 0;

  constructor(random: Random, shape: DrawnShape) {
    this.random = random;
    this.shape = shape;
    const { terms } = this;
    const { sorts } = terms;
    this.kinds = shape === 'loops' ? [sorts.bitVec(2)] : [sorts.bool, sorts.bitVec(1), sorts.bitVec(2)];
    this.constants = [terms.true, terms.false, ...[1, 2].flatMap(w => [0, 1, -1].map(n => terms.bv(w, n)))];
    this.counter = random.pick(this.kinds);
    const count = 1 + random.below(LOCATIONS[shape]);
    this.locations = Array.from({ length: count }, (_, i) => this.location(i));
  }

  problem(): Problem {
    const { random, terms, locations } = this;
    const edges = Array.from({ length: 3 + random.below(5) }, () => this.edge());
    // Without a start and a query there would be nothing to see.
    edges.push(this.edgeBetween({ sources: [], head: locations[0] }));
    edges.push(this.edgeBetween({ sources: step(random.pick(locations)), head: { property: 0 } }));
    return { terms, locations, edges, next: new NextVariables(terms) };
  }

  private location(number: number): Location {
    const { random, terms, shape, kinds } = this;
    const [least, most] = PLACES[shape];
    const places = Array.from({ length: least + random.below(most - least + 1) }, (_, i) => {
      const sort = shape === 'program' && i === 0 ? this.counter : random.pick(kinds);
      return terms.variable(`L${number}.${i}`, sort);
    });
    const hasConstraints = shape !== 'calls' && random.chance(0.3);
    const inputs = hasConstraints && random.chance(0.5) ? [this.input()] : [];
    const constraints = hasConstraints ? [this.formula(this.pool([...places, ...inputs]))] : [];
    const location = { name: `L${number}`, places, constraints };
    if (shape === 'circuit' && random.chance(0.6)) this.assumed.set(location, this.assumption(places));
    return location;
  }

  /** Something about the place that is an input. */
  private assumption(places: readonly TermId[]): TermId {
    const { terms } = this;
    const about = this.pool(places).filter(f => terms.postorder([f]).includes(places[0]));
    const formulas = about.filter(f => terms.sort(f) === terms.sorts.bool);
    return formulas.length > 0
      ? this.random.pick(formulas)
      : terms.eq(places[0], this.constantOf(terms.sort(places[0])));
  }

  private edge(): Edge {
    const { random, locations, shape } = this;
    const kind = random.below(10);
    const from = random.pick(locations);
    const sources = kind < 2 ? [] : shape === 'calls' && kind < 5 ? this.calls() : step(from);
    if (random.chance(0.15)) return this.edgeBetween({ sources, head: { property: random.below(2) } });
    const isLoop = shape === 'loops' && sources.length > 0 && random.chance(0.6);
    return this.edgeBetween({ sources, head: isLoop ? from : random.pick(locations) });
  }

  /** Sources with variables of their own. */
  private calls(): Source[] {
    const { random, terms, locations } = this;
    return [0, 1].map(i => {
      const location = random.pick(locations);
      const copy = (p: TermId) => terms.variable(`${terms.nameOf(p)}#${i}`, terms.sort(p));
      return { location, places: location.places.map(copy) };
    });
  }

  private edgeBetween({ sources, head }: Ends): Edge {
    const { random, terms } = this;
    const inputs = Array.from({ length: random.below(3) }, () => this.input());
    const pool = this.pool([...sources.flatMap(s => s.places), ...inputs]);
    const values = 'property' in head ? [] : head.places.map((p, i) => this.value(p, i, pool, inputs));
    const conjuncts = [
      ...this.questions(sources),
      ...this.equations(inputs, pool),
      ...(random.chance(0.6) ? [this.formula(pool)] : []),
      ...(random.chance(0.2) ? [this.disjunction(inputs, pool)] : []),
      ...sources.flatMap(s => (random.chance(0.7) ? (this.assumed.get(s.location) ?? []) : [])),
    ];
    const assumed = 'property' in head ? undefined : this.assumed.get(head);
    if (assumed !== undefined && !('property' in head)) {
      const images = new Map(head.places.map((p, i) => [p, values[i]]));
      conjuncts.push(substitute(terms, assumed, images));
    }
    return { sources, guard: terms.and(conjuncts), head, values };
  }

  /** What an edge of a program asks about its counter. */
  private questions(sources: readonly Source[]): TermId[] {
    const { random, terms, shape } = this;
    if (shape !== 'program' || sources.length === 0 || random.chance(0.2)) return [];
    return [terms.eq(sources[0].places[0], this.constantOf(this.counter))];
  }

  private value(place: TermId, index: number, pool: readonly TermId[], inputs: TermId[]): TermId {
    const { random, terms, shape } = this;
    const sort = terms.sort(place);
    if (shape === 'program' && index === 0) return this.constantOf(this.counter);
    if (shape === 'circuit' && index === 0) return this.input(sort);
    if (shape === 'loops' && pool.includes(place))
      return random.chance(0.3) ? place : terms.app(Op.BVADD, [this.constantOf(sort), place]);
    const fitting = pool.filter(t => terms.sort(t) === sort);
    const simple = fitting.filter(t => terms.isVariable(t) || terms.isConstant(t));
    if (shape === 'loops') return random.pick(simple);
    if (random.chance(0.3)) {
      const fresh = this.input(sort);
      inputs.push(fresh);
      return fresh;
    }
    return random.pick(random.chance(0.6) && simple.length > 0 ? simple : fitting);
  }

  private equations(inputs: readonly TermId[], pool: readonly TermId[]): TermId[] {
    const { random, terms } = this;
    return inputs
      .filter(() => random.chance(0.5))
      .map(y => terms.eq(y, random.pick(pool.filter(t => terms.sort(t) === terms.sort(y)))));
  }

  /** A choice among steps, each with its own equations. */
  private disjunction(inputs: readonly TermId[], pool: readonly TermId[]): TermId {
    const { terms } = this;
    const part = () => terms.and([this.formula(pool), this.formula(pool), ...this.equations(inputs, pool)]);
    return terms.or([part(), part()]);
  }

  private input(sort = this.random.pick(this.kinds)): TermId {
    return this.terms.variable(`y${this.inputCount++}`, sort);
  }

  private constantOf(sort: SortId): TermId {
    return this.random.pick(this.constants.filter(c => this.terms.sort(c) === sort));
  }

  private pool(variables: readonly TermId[]): TermId[] {
    return growPool(this.terms, this.random, [...variables, ...this.constants], 25 + variables.length, 2);
  }

  private formula(pool: readonly TermId[]): TermId {
    const { terms, random } = this;
    return random.pick(pool.filter(t => terms.sort(t) === terms.sorts.bool && t !== terms.false));
  }
}
