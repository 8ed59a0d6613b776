/**
 * The questions of IC3 about predicates (Birgmeier, Bradley and Weissenbacher, "Counterexample to Induction-Guided Abstraction
 * Refinement", CAV 2014; Birgmeier's thesis, sections 3.1 to 3.4). A state is a model of a step: its cube is what labels say
 * of it, its region what of it makes the step lead where it does, with the inputs as they are. A step into the cube of
 * a state need not lead into its region. If none does, it is spurious: then the state waits to be told apart from where such
 * steps lead (refinement), or the predecessor is looked at all the same, in the hope that it is unreachable (lazily).
 */
import { ready, type Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { evaluatorOf, headValues, NO_FUNCTIONS } from '../../problem/derivation.ts';
import { type Edge, type Location, sourceOf } from '../../problem/problem.ts';
import { type Cube, cubeOf } from '../ic3/literal-cube.ts';
import type { State } from '../ic3/obligations.ts';
import type { Queries, Reached, Resolution, Unreachable } from '../ic3/queries.ts';
import type { Region, Shared } from './encoding.ts';
import type { Lifter } from './lift.ts';
import type { Solvers } from './solvers.ts';
import type { StepSolver } from './step-solver.ts';

export interface PredicateState extends State<Cube> {
  /** The edge that is taken, and the values of the places there and of its inputs in the model. */
  readonly edge: Edge;
  readonly values: ReadonlyMap<TermId, Value>;
  /** States that lead into the target by the edge with these inputs. */
  readonly region: Region;
  /** The successor's region, or only its cube; of a violation, nothing. */
  readonly target: Region;
  /** If only the cube: the level at which no step leads to the successor's own values. */
  readonly leap: number | undefined;
  /** How many such steps there are from here to the violation, and how many steps in all. */
  readonly leaps: number;
  readonly depth: number;
}

/** Tells a state apart from where steps lead that reach its cube, but not the state. */
export interface Refinement {
  refine(state: PredicateState, level: number): Work<PredicateState>;
}

/** So many spurious steps may lie between a state and the violation. */
const MAX_LEAPS = 3;

const NOTHING: Region = { labels: [], bits: [] };

export class PredicateQueries implements Queries<Cube, PredicateState> {
  readonly counts = { bad: 0, relative: 0, abstractions: 0, deepest: 0 };
  private readonly shared: Shared;
  private readonly solvers: Solvers;
  private readonly lifter: Lifter;
  private readonly refinement: Refinement;
  private readonly isLazy: boolean;
  private asked!: StepSolver; // by the last question about steps into a cube

  constructor(shared: Shared, solvers: Solvers, lifter: Lifter, refinement: Refinement, isLazy: boolean) {
    this.shared = shared;
    this.solvers = solvers;
    this.lifter = lifter;
    this.refinement = refinement;
    this.isLazy = isLazy;
  }

  exclude(cube: Cube, level: number): void {
    this.solvers.exclude(cube, level);
  }

  /** No state at a location is initial. */
  initialCore(cube: Cube): Work<Cube | undefined> {
    const { domain } = this.shared;
    const location = domain.locationOf(cube);
    return ready(location === undefined ? undefined : cubeOf([domain.at(location)]));
  }

  *bad(level: number): Work<Reached<PredicateState> | undefined> {
    this.counts.bad++;
    const solver = this.solvers.into(undefined);
    return (yield* solver.ask(level, [])) ? this.reached(solver, NOTHING) : undefined;
  }

  *relative(
    cube: Cube,
    level: number,
    isExcluded: boolean,
  ): Work<Reached<PredicateState> | Unreachable<Cube>> {
    this.counts.relative++;
    const location = this.locationOf(cube);
    const solver = this.solvers.into(location);
    this.asked = solver;
    const region = this.regionOf(cube);
    const target = solver.encoding.into(region);
    const outside = isExcluded || !this.solvers.isLoop(location) ? undefined : solver.outside(cube);
    if (yield* solver.ask(level - 1, target, outside)) return this.reached(solver, region);
    const core = region.labels.filter((_, i) => solver.encoding.isUsed(target[i]));
    const used = solver.usedFrame(level - 1);
    return { core: cubeOf([this.shared.domain.at(location), ...core]), level: used + 1 };
  }

  *resolve(
    state: PredicateState,
    level: number,
    reached: Reached<PredicateState>,
  ): Work<Resolution<PredicateState>> {
    const location = this.locationOf(state.cube);
    const solver = this.asked;
    const { edge, values } = solver.step();
    if (this.leadsInto(edge, values, state.region)) {
      return { kind: 'before', state: yield* this.before(solver, state, state.region) };
    }
    const leap =
      this.isLazy && state.leaps < MAX_LEAPS && sourceOf(edge) !== undefined
        ? yield* this.leap(state, level, reached)
        : undefined;
    for (const region of [state.region, this.pointOf(location, state.values)]) {
      const outside = this.solvers.isLoop(location) ? solver.outsideRegion(location, region) : undefined;
      if (yield* solver.ask(level - 1, solver.encoding.into(region), outside))
        return { kind: 'before', state: yield* this.before(solver, state, region) };
    }
    if (leap !== undefined) return { kind: 'before', state: leap };
    return { kind: 'instead', state: yield* this.refinement.refine(state, level) };
  }

  /** After a step was found: the state before it, which leads to a successor. */
  private *before(
    solver: StepSolver,
    { leaps, depth }: PredicateState,
    target: Region,
  ): Work<PredicateState> {
    return { ...(yield* this.state(solver, target)), leaps, depth: this.deeper(depth) };
  }

  private *leap(
    { leaps, depth }: PredicateState,
    level: number,
    reached: Reached<PredicateState>,
  ): Work<PredicateState> {
    return { ...(yield* reached.state()), leap: level, leaps: leaps + 1, depth: this.deeper(depth) };
  }

  private deeper(depth: number): number {
    this.counts.deepest = Math.max(this.counts.deepest, depth + 1);
    return depth + 1;
  }

  private reached(solver: StepSolver, target: Region): Reached<PredicateState> {
    return { state: () => this.state(solver, target) };
  }

  private *state(solver: StepSolver, target: Region): Work<PredicateState> {
    const { domain } = this.shared;
    this.counts.abstractions++;
    const { edge, values } = solver.step();
    const location = sourceOf(edge);
    const labels = location === undefined ? [] : domain.labelsOf(location, values);
    const region = yield* this.lifter.lift(edge, values, labels, target);
    const where = location === undefined ? [] : [domain.at(location)];
    const cube = cubeOf([...where, ...this.cubeLabels(region, labels)]);
    return { cube, edge, values, region, target, leap: undefined, leaps: 0, depth: 0 };
  }

  /** Where labels say what leads to the target, these; otherwise all that speak of what the region speaks of. */
  private cubeLabels(region: Region, labels: readonly number[]): readonly number[] {
    if (region.bits.length === 0) return region.labels;
    const { domain } = this.shared;
    const placesOf = (label: number) => domain.predicates[domain.predicateOf(label)].places;
    const spoken = new Set(region.bits.map(b => b.place));
    for (const l of region.labels) for (const p of placesOf(l)) spoken.add(p);
    return labels.filter(l => [...placesOf(l)].some(p => spoken.has(p)));
  }

  private locationOf(cube: Cube): Location {
    const location = this.shared.domain.locationOf(cube);
    if (location === undefined) throw new Error('a step into a cube without a location');
    return location;
  }

  private regionOf({ literals }: Cube): Region {
    const { domain } = this.shared;
    return { labels: Array.from(literals).filter(l => !domain.isLocation(l)), bits: [] };
  }

  private pointOf({ places }: Location, values: ReadonlyMap<TermId, Value>): Region {
    return { labels: [], bits: this.shared.circuit.bitsOf(places, values) };
  }

  /** Do the values of a step lead into a region? */
  private leadsInto(edge: Edge, values: ReadonlyMap<TermId, Value>, { labels, bits }: Region): boolean {
    const { domain, circuit } = this.shared;
    const { terms } = domain;
    const after = headValues(terms, edge, values, NO_FUNCTIONS);
    const evaluator = evaluatorOf(terms, after);
    return (
      bits.every(({ place, bit, isSet }) => circuit.bit(after.get(place) as Value, bit) === isSet) &&
      labels.every(l => evaluator.value(domain.formula(l)) === true)
    );
  }
}
