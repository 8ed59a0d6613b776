/** The generated problems: families that are easy to state, each at two sizes, so that growth shows. */
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { Random } from '../sat/random.ts';

export interface Problem {
  readonly terms: TermStore;
  readonly assertions: readonly TermId[];
}

export interface Family {
  readonly name: string;
  readonly answer: 'sat' | 'unsat';
  readonly sizes: readonly [number, number];
  readonly quickSizes: readonly [number, number];
  make(size: number): Problem;
}

export const FAMILIES: readonly Family[] = [
  { name: 'diamonds', answer: 'unsat', sizes: [1000, 2000], quickSizes: [250, 500], make: diamonds },
  {
    name: 'tower cycles',
    answer: 'unsat',
    sizes: [10_000, 20_000],
    quickSizes: [5000, 10_000],
    make: cycles,
  },
  {
    name: 'two towers',
    answer: 'unsat',
    sizes: [10_000, 20_000],
    quickSizes: [5000, 10_000],
    make: size => towers(size, false),
  },
  {
    name: 'two towers, open',
    answer: 'sat',
    sizes: [10_000, 20_000],
    quickSizes: [5000, 10_000],
    make: size => towers(size, true),
  },
  {
    name: 'binary towers',
    answer: 'unsat',
    sizes: [2000, 4000],
    quickSizes: [500, 1000],
    make: binaryTowers,
  },
  {
    name: 'distinct constants',
    answer: 'sat',
    sizes: [5000, 10_000],
    quickSizes: [5000, 10_000],
    make: size => differentConstants(size, false),
  },
  {
    name: 'distinct constants, crossed',
    answer: 'unsat',
    sizes: [5000, 10_000],
    quickSizes: [5000, 10_000],
    make: size => differentConstants(size, true),
  },
  {
    name: 'pigeons, pairwise apart',
    answer: 'unsat',
    sizes: [7, 8],
    quickSizes: [5, 6],
    make: size => pigeons(size, false),
  },
  {
    name: 'pigeons, distinct',
    answer: 'unsat',
    sizes: [7, 8],
    quickSizes: [5, 6],
    make: size => pigeons(size, true),
  },
];

/** A term store with one uninterpreted sort. */
class Universe {
  readonly terms = new TermStore();
  readonly sort = this.terms.sorts.declare('U');

  variables(prefix: string, count: number): TermId[] {
    return Array.from({ length: count }, (_, i) => this.terms.variable(`${prefix}${i}`, this.sort));
  }

  /** A new function of the sort's elements. */
  fun(name: string, arity: number): (...args: TermId[]) => TermId {
    const f = this.terms.declare(
      name,
      Array.from({ length: arity }, () => this.sort),
      this.sort,
    );
    return (...args) => this.terms.apply(f, args);
  }

  apart(a: TermId, b: TermId): TermId {
    return this.terms.not(this.terms.eq(a, b));
  }
}

/** From x_i two ways lead to x_{i+1}, by y_i or by z_i; can the two ends differ? */
function diamonds(size: number): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const [x, y, z] = ['x', 'y', 'z'].map(prefix => universe.variables(prefix, size + 1));
  const way = (i: number, by: TermId) => terms.and([terms.eq(x[i], by), terms.eq(by, x[i + 1])]);
  const assertions = Array.from({ length: size }, (_, i) => terms.or([way(i, y[i]), way(i, z[i])]));
  return { terms, assertions: [...assertions, universe.apart(x[0], x[size])] };
}

/** f^n(a) = a and f^(n+1)(a) = a; but f(a) is not a. */
function cycles(size: number): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const [a] = universe.variables('a', 1);
  const f = universe.fun('f', 1);
  let top = a;
  for (let i = 0; i < size; i++) top = f(top);
  return { terms, assertions: [terms.eq(top, a), terms.eq(f(top), a), universe.apart(f(a), a)] };
}

/**
 * Towers of applications over two leaves; can their tops differ? Not if the leaves are equal by a third; but
 * if one of the two equalities may fail, they can.
 */
function towers(size: number, isOpen: boolean): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const [a, b, c] = universe.variables('a', 3);
  const f = universe.fun('f', 1);
  let [left, right] = [a, b];
  for (let i = 0; i < size; i++) [left, right] = [f(left), f(right)];
  const links = [terms.eq(a, c), terms.eq(c, b)];
  return { terms, assertions: [universe.apart(left, right), ...(isOpen ? [terms.or(links)] : links)] };
}

/** t_{i+1} = g(t_i, t_{i-1}) over two pairs of equal leaves: as trees, the towers would be exponential. */
function binaryTowers(size: number): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const [a, b, c, d] = universe.variables('a', 4);
  const g = universe.fun('g', 2);
  const tower = (below: TermId, start: TermId) => {
    let [last, top] = [below, start];
    for (let i = 0; i < size; i++) [last, top] = [top, g(top, last)];
    return top;
  };
  const assertions = [universe.apart(tower(a, b), tower(c, d)), terms.eq(a, c), terms.eq(b, d)];
  return { terms, assertions };
}

/**
 * `size` constants, all different, and a few variables that each equal one of two constants; crossed, one
 * variable would have to equal two constants.
 */
function differentConstants(size: number, isCrossed: boolean): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const random = new Random(size);
  const constants = universe.variables('c', size);
  const chosen = universe.variables('x', 20);
  const choice = (x: TermId) => terms.or([0, 1].map(() => terms.eq(x, constants[random.below(size >> 1)])));
  const assertions = [terms.app(Op.DISTINCT, constants), ...chosen.map(choice)];
  if (isCrossed) assertions.push(terms.or(constants.slice(-2).map(c => terms.eq(chosen[7], c))));
  return { terms, assertions };
}

/** `holes + 1` terms, pairwise different, each equal to one of `holes` constants. */
function pigeons(holes: number, isOneAtom: boolean): Problem {
  const universe = new Universe();
  const { terms } = universe;
  const home = universe.fun('home', 1);
  const birds = universe.variables('p', holes + 1).map(p => home(p));
  const places = universe.variables('h', holes);
  const placed = birds.map(bird => terms.or(places.map(h => terms.eq(bird, h))));
  const different = isOneAtom
    ? [terms.app(Op.DISTINCT, birds)]
    : birds.flatMap((p, i) => birds.slice(i + 1).map(q => universe.apart(p, q)));
  return { terms, assertions: [...placed, ...different] };
}
