/**
 * A random transition system over one uninterpreted sort, shaped like a program: a control location at a time
 * (a Boolean each), data variables, and for each variable a chain of guarded updates, one location each.
 *
 *   x' = ite(at 3 and p(x, y), f(x, z), ite(at 7 and x = c, y, ... x))        at5' = at 3 and p(x, y) or ...
 *
 * The functions also get an interpretation over a few values, by which runs of the system are simulated.
 */
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../sat/random.ts';

const LOCATIONS = 32;
const DATA = 108;
const INPUTS = 10;
const CONSTANTS = 16;
const FUNCTIONS = 8;
const PREDICATES = 8;
const UPDATES = 9; // for each data variable

export interface State {
  readonly locations: readonly TermId[];
  readonly data: readonly TermId[];
}

export class TransitionSystem {
  readonly terms = new TermStore();
  readonly constants: readonly TermId[];
  readonly now: State;
  readonly next: State;
  readonly formulas: readonly TermId[]; // the transition relation; among them, that the constants differ
  readonly termCount: number;
  readonly predecessors: readonly number[][]; // of each location
  readonly updatedAt: readonly Set<number>[]; // for each data variable: the locations where it may change
  private readonly random: Random;
  private readonly inputs: readonly TermId[];
  private readonly functions: readonly ((a: TermId, b: TermId) => TermId)[];
  private readonly predicates: readonly ((a: TermId, b: TermId) => TermId)[];
  private readonly nextData: readonly TermId[]; // as terms over the state and inputs
  private readonly nextLocations: readonly TermId[];

  constructor(random: Random) {
    this.random = random;
    const { terms } = this;
    const sort = terms.sorts.declare('U');
    const { bool } = terms.sorts;
    const variables = (prefix: string, count: number, of = sort) =>
      Array.from({ length: count }, (_, i) => terms.variable(`${prefix}${i}`, of));
    const symbols = (prefix: string, count: number, result: typeof sort) =>
      Array.from({ length: count }, (_, i) => {
        const f = terms.declare(`${prefix}${i}`, [sort, sort], result);
        return (a: TermId, b: TermId) => terms.apply(f, [a, b]);
      });
    this.constants = variables('c', CONSTANTS);
    this.inputs = variables('in', INPUTS);
    this.now = { locations: variables('at', LOCATIONS, bool), data: variables('x', DATA) };
    this.next = { locations: variables('next_at', LOCATIONS, bool), data: variables('next_x', DATA) };
    this.functions = symbols('f', FUNCTIONS, sort);
    this.predicates = symbols('p', PREDICATES, bool);
    this.predecessors = this.now.locations.map(() => []);
    this.updatedAt = this.now.data.map(() => new Set());
    this.nextLocations = this.control();
    this.nextData = this.now.data.map((_, i) => this.update(i));
    this.formulas = [
      terms.app(Op.DISTINCT, this.constants),
      ...this.next.locations.map((l, i) => terms.eq(l, this.nextLocations[i])),
      ...this.next.data.map((x, i) => terms.eq(x, this.nextData[i])),
    ];
    this.termCount = terms.postorder(this.formulas).length;
  }

  /** A random atom between data: a function of the state, so that it can be had for the next one too. */
  randomAtom(): (state: State) => TermId {
    const { terms, random } = this;
    const x = random.below(DATA);
    const y = (x + 1 + random.below(DATA - 1)) % DATA;
    if (random.below(2) === 0) return state => terms.eq(state.data[x], state.data[y]);
    const p = random.below(PREDICATES);
    return state => this.predicates[p](state.data[x], state.data[y]);
  }

  /** Runs of the system from random states at location 0: for each state in them, the truth of the atoms. */
  simulate(atoms: readonly TermId[], runs: number, steps: number): boolean[][] {
    const { terms, random, now } = this;
    const sampled: boolean[][] = [];
    const order = terms.postorder([...this.nextData, ...this.nextLocations, ...atoms]);
    const values = new Int32Array(terms.size); // of each term; Booleans are 0 and 1
    this.constants.forEach((c, i) => {
      values[c] = i;
    });
    for (let run = 0; run < runs; run++) {
      let at = 0;
      let data: number[] = now.data.map(() => random.below(CONSTANTS));
      for (let step = 0; step < steps; step++) {
        now.locations.forEach((l, i) => {
          values[l] = i === at ? 1 : 0;
        });
        now.data.forEach((x, i) => {
          values[x] = data[i];
        });
        for (const input of this.inputs) values[input] = random.below(CONSTANTS);
        for (const t of order) if (terms.arity(t) > 0) values[t] = this.evaluate(t, values);
        sampled.push(atoms.map(a => values[a] === 1));
        at = this.nextLocations.findIndex(l => values[l] === 1);
        data = this.nextData.map(x => values[x]);
      }
    }
    return sampled;
  }

  private evaluate(t: TermId, values: Int32Array): number {
    const { terms } = this;
    const args = terms.args(t).map(a => values[a]);
    switch (terms.op(t)) {
      case Op.NOT:
        return 1 - args[0];
      case Op.AND:
        return Math.min(...args);
      case Op.OR:
        return Math.max(...args);
      case Op.EQ:
        return args[0] === args[1] ? 1 : 0;
      case Op.ITE:
        return args[0] === 1 ? args[1] : args[2];
      default: {
        const mixed =
          Math.imul(args[0] * CONSTANTS + args[1] + 256 * terms.functionOf(t) + 1, 0x9e3779b1) >>> 16;
        return terms.sort(t) === terms.sorts.bool ? mixed % 2 : mixed % CONSTANTS;
      }
    }
  }

  /** Each location has two guarded ways out and one that is taken otherwise. */
  private control(): TermId[] {
    const { terms, random, now } = this;
    const ways: TermId[][] = now.locations.map(() => []);
    now.locations.forEach((at, from) => {
      const way = (to: number, ...guards: TermId[]) => {
        ways[to].push(terms.and([at, ...guards]));
        this.predecessors[to].push(from);
      };
      const [g, h] = [this.guard(), this.guard()];
      way(random.below(LOCATIONS), g);
      way(random.below(LOCATIONS), terms.not(g), h);
      way((from + 1) % LOCATIONS, terms.not(g), terms.not(h));
    });
    return ways.map(way => terms.or(way));
  }

  private update(index: number): TermId {
    const { terms, random, now } = this;
    const x = now.data[index];
    let value = x;
    for (let i = 0; i < UPDATES; i++) {
      const location = random.below(LOCATIONS);
      this.updatedAt[index].add(location);
      value = terms.ite(terms.and([now.locations[location], this.guard()]), this.newValue(x), value);
    }
    return value;
  }

  private guard(): TermId {
    const { terms, random } = this;
    const [x, y] = [this.pick(this.now.data), this.pick(this.now.data)];
    const predicate = this.pick(this.predicates);
    const dice = random.below(5);
    if (dice === 0) return terms.not(predicate(x, y));
    if (dice === 1) return predicate(this.pick(this.functions)(x, y), this.pick(this.now.data));
    if (dice === 2) return terms.eq(x, this.pick(this.constants));
    return dice === 3 ? terms.not(terms.eq(x, y)) : predicate(x, y);
  }

  private newValue(x: TermId): TermId {
    const { random } = this;
    const f = this.pick(this.functions);
    const y = this.pick(this.now.data);
    const dice = random.below(8);
    if (dice === 0) return this.pick(this.inputs);
    if (dice === 1) return this.pick(this.constants);
    if (dice === 2) return y;
    if (dice < 5) return f(x, this.pick(this.constants));
    return dice < 7 ? f(x, y) : f(this.pick(this.functions)(x, y), this.pick(this.now.data));
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)];
  }
}
