/**
 * The predicates of each location, and cubes of them. A predicate is a formula over the places of its location; there are
 * only ever more of them, so that a cube that was blocked stays blocked. The literals of cubes are numbers:
 *
 *   2 · l              the state is at location l; every cube has exactly one of these
 *   2 · (n + k), + 1   predicate k holds, or does not, where n is the number of locations
 *
 * No state is initial: runs begin nowhere, from where starts lead into locations. So a cube with a location needs no
 * question about initial states; what must not be forgotten is that starts are steps.
 */
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { evaluatorOf } from '../../problem/derivation.ts';
import { negated } from '../../problem/literals.ts';
import { isOver, type Location } from '../../problem/problem.ts';
import { type Cube, cubeOf, subsumes, without } from '../ic3/literal-cube.ts';
import type { CubeOperations } from '../ic3/queries.ts';

export interface Predicate {
  readonly location: Location;
  readonly formula: TermId;
  /** That it speaks of. */
  readonly places: ReadonlySet<TermId>;
}

export class Domain {
  readonly terms: TermStore;
  readonly locations: readonly Location[];
  readonly predicates: Predicate[] = [];
  private readonly rewriter: Rewriter;
  private readonly numberOf: ReadonlyMap<Location, number>;
  private readonly own: readonly number[][]; // predicates of each location
  private readonly known: readonly Map<TermId, number>[]; // of each location: the predicate that a formula is

  constructor(rewriter: Rewriter, locations: readonly Location[]) {
    this.terms = rewriter.terms;
    this.rewriter = rewriter;
    this.locations = locations;
    this.numberOf = new Map(locations.map((l, i) => [l, i]));
    this.own = locations.map(() => []);
    this.known = locations.map(() => new Map());
  }

  /** The literal that a formula over the places of a location is, as a new predicate if need be; nothing for a constant. */
  literal(location: Location, formula: TermId): number | undefined {
    const { terms } = this;
    const simple = this.rewriter.rewrite(formula);
    const isNegated = terms.op(simple) === Op.NOT;
    const atom = isNegated ? terms.arg(simple, 0) : simple;
    if (atom === terms.true || atom === terms.false) return undefined;
    const at = this.index(location);
    let k = this.known[at].get(atom);
    if (k === undefined) {
      if (!isOver(terms, atom, new Set(location.places)))
        throw new Error('a predicate is about other places');
      k = this.predicates.length;
      const places = new Set(terms.postorder([atom]).filter(t => terms.isVariable(t)));
      this.predicates.push({ location, formula: atom, places });
      this.own[at].push(k);
      this.known[at].set(atom, k);
    }
    return 2 * (this.locations.length + k) + (isNegated ? 1 : 0);
  }

  /** The numbers of a location's predicates. */
  of(location: Location): readonly number[] {
    return this.own[this.index(location)];
  }

  /** What all predicates of a location are in a state. */
  labelsOf(location: Location, values: ReadonlyMap<TermId, Value>): number[] {
    const evaluator = evaluatorOf(this.terms, values);
    return this.of(location).map(k =>
      this.literalOf(k, evaluator.value(this.predicates[k].formula) === true),
    );
  }

  /** The literal that a predicate holds, or that it does not. */
  literalOf(predicate: number, isTrue: boolean): number {
    return 2 * (this.locations.length + predicate) + (isTrue ? 0 : 1);
  }

  /** The predicate of a literal that is no location's. */
  predicateOf(literal: number): number {
    return (literal >> 1) - this.locations.length;
  }

  isLocation(literal: number): boolean {
    return literal >> 1 < this.locations.length;
  }

  /** The literal that the state is at a location. */
  at(location: Location): number {
    return 2 * this.index(location);
  }

  /** Where the states of a cube are; only what begins a run is nowhere. */
  locationOf({ literals }: Cube): Location | undefined {
    // Literals are in order, and those of locations come first.
    return literals.length > 0 && this.isLocation(literals[0]) ? this.locations[literals[0] >> 1] : undefined;
  }

  /** What a literal says of a state at its location. */
  formula(literal: number): TermId {
    const { formula } = this.predicates[this.predicateOf(literal)];
    return (literal & 1) === 0 ? formula : negated(this.terms, formula);
  }

  private index(location: Location): number {
    return this.numberOf.get(location) as number;
  }
}

const GROWTH = 1.01;
const MAX_SCORE = 1e100;

/** What IC3 does with cubes. A literal's activity is how often, and how recently, it was part of a blocked cube. */
export class Cubes implements CubeOperations<Cube, number> {
  readonly subsumes = subsumes;
  readonly without = without;
  private readonly weaker: (literal: number) => number | undefined;
  private readonly score = new Map<number, number>();
  private step = 1;

  /** `weaker`: the next literal that one implies, if weaker literals are to be tried. */
  constructor(weaker: (literal: number) => number | undefined = () => undefined) {
    this.weaker = weaker;
  }

  weakened(cube: Cube, literal: number): { cube: Cube; literal: number } | undefined {
    const next = this.weaker(literal);
    if (next === undefined) return undefined;
    return { cube: cubeOf(new Set([...without(cube, literal).literals, next])), literal: next };
  }

  size({ literals }: Cube): number {
    return literals.length;
  }

  has({ literals }: Cube, literal: number): boolean {
    return literals.includes(literal);
  }

  union(a: Cube, b: Cube): Cube {
    return cubeOf(new Set([...a.literals, ...b.literals]));
  }

  ascending({ literals }: Cube): number[] {
    const rank = (l: number) => this.score.get(l >> 1) ?? 0;
    return Array.from(literals).sort((a, b) => rank(a) - rank(b) || b - a);
  }

  bump({ literals }: Cube): void {
    const { score } = this;
    this.step *= GROWTH;
    for (const l of literals) score.set(l >> 1, (score.get(l >> 1) ?? 0) + this.step);
    if (this.step < MAX_SCORE) return;
    for (const [v, s] of score) score.set(v, s / MAX_SCORE);
    this.step /= MAX_SCORE;
  }
}
