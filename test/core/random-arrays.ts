/**
 * Random small programs with an array: loops that go through it in some way, one after the other, and a query that reads it at
 * an index chosen at the end. Small enough for enumeration: an array has four elements of one bit, or two of them.
 */
import { NextVariables } from '../../src/core/problem/next-variables.ts';
import { type Edge, type Location, type Problem, step } from '../../src/core/problem/problem.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../support/random.ts';

export function randomArrayProblem(random: Random): Problem {
  return new Drawing(random).problem();
}

class Drawing {
  private readonly random: Random;
  private readonly terms = new TermStore();
  private readonly width: number;
  private readonly locations: readonly Location[];
  private readonly less: typeof Op.BVULT | typeof Op.BVSLT;
  private inputs = 0;

  constructor(random: Random) {
    this.random = random;
    const { sorts } = this.terms;
    this.width = random.chance(0.6) ? 2 : 1;
    this.less = random.pick([Op.BVULT, Op.BVSLT]);
    const index = sorts.bitVec(this.width);
    const array = sorts.array(index, sorts.bitVec(1));
    // With two arrays, or with a bound, there would be too many states of four elements.
    const others = this.width === 2 ? [] : random.pick([[index], [array], [index, array]]);
    this.locations = Array.from({ length: 1 + random.below(2) }, (_, n) => ({
      name: `loop${n}`,
      places: [array, index, ...others].map((sort, i) => this.terms.variable(`${'AinB'[i]}${n}`, sort)),
      constraints: [],
    }));
  }

  problem(): Problem {
    const { random, terms, locations } = this;
    const edges: Edge[] = [];
    for (const [n, location] of locations.entries()) {
      edges.push(this.entry(location, locations[n - 1]));
      for (let rounds = 1 + random.below(2); rounds > 0; rounds--) edges.push(this.round(location));
    }
    edges.push(this.query(locations[locations.length - 1]));
    if (random.chance(0.3)) edges.push(this.query(random.pick(locations)));
    return { terms, locations, edges, next: new NextVariables(terms) };
  }

  /** From nowhere, or from the loop before it: what it has is kept, and the counter starts again. */
  private entry(head: Location, from: Location | undefined): Edge {
    const { random, terms } = this;
    const values = head.places.map((p, i) => {
      if (i === 1) return this.constant(random.pick([0, 0, 1]));
      return from === undefined ? this.input(terms.sort(p)) : from.places[i];
    });
    const guard = from === undefined ? terms.true : this.condition(from);
    return { sources: from === undefined ? [] : step(from), guard, head, values };
  }

  private round(location: Location): Edge {
    const { random, terms } = this;
    const [array, counter] = location.places;
    const written = random.chance(0.8)
      ? terms.app(Op.STORE, [array, this.index(location), this.element(location)])
      : array;
    const moved = terms.app(Op.BVADD, [this.constant(random.pick([1, 1, 1, -1, 0])), counter]);
    const values = location.places.map((p, i) => (i === 0 ? written : i === 1 ? moved : p));
    return { sources: step(location), guard: this.condition(location), head: location, values };
  }

  private query(location: Location): Edge {
    const { random, terms } = this;
    const index = location.places[1];
    const isKnown = random.chance(0.15); // then there is nothing to foretell
    const chosen = isKnown ? this.constant(1) : random.chance(0.7) ? this.input(terms.sort(index)) : index;
    const read = terms.app(Op.SELECT, [location.places[0], chosen]);
    const wrong = terms.eq(read, this.element(location));
    const bound = terms.app(this.less, [chosen, this.bound(location)]);
    const guard = [wrong, ...(random.chance(0.6) ? [this.condition(location)] : [])];
    if (random.chance(0.7)) guard.push(random.chance(0.7) ? bound : terms.not(bound));
    return { sources: step(location), guard: terms.and(guard), head: { property: 0 }, values: [] };
  }

  private condition(location: Location): TermId {
    const { random, terms } = this;
    const counter = location.places[1];
    const condition = random.chance(0.7)
      ? terms.app(this.less, [counter, this.bound(location)])
      : terms.eq(random.chance(0.5) ? counter : this.index(location), this.bound(location));
    return random.pick([condition, terms.not(condition), terms.true]);
  }

  private bound(location: Location): TermId {
    const { terms, random } = this;
    const [, counter, other] = location.places;
    const isIndex = other !== undefined && terms.sort(other) === terms.sort(counter);
    return isIndex && random.chance(0.7) ? other : this.constant(random.pick([1, -1, 0]));
  }

  private index(location: Location): TermId {
    const { random, terms } = this;
    const [, counter] = location.places;
    return random.pick([
      counter,
      counter,
      terms.app(Op.BVADD, [this.constant(1), counter]),
      this.constant(1),
      this.input(terms.sort(counter)),
    ]);
  }

  private element(location: Location): TermId {
    const { random, terms } = this;
    const { places } = location;
    const other = places.length > 2 && terms.sorts.isArray(terms.sort(places[places.length - 1]));
    const array = other ? places[places.length - 1] : places[0];
    const read = terms.app(Op.SELECT, [array, this.index(location)]);
    return random.pick([terms.bv(1, 0), terms.bv(1, 1), read, terms.app(Op.BVNOT, [read])]);
  }

  private constant(value: number): TermId {
    return this.terms.bv(this.width, value);
  }

  private input(sort: ReturnType<TermStore['sort']>): TermId {
    return this.terms.variable(`y${this.inputs++}`, sort);
  }
}
