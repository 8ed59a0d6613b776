/**
 * How the questions of IC3 are divided among solvers. One part for the whole system answers all of them; or, if the
 * system's control is explicit, there is a part for the steps into each location and one for the states that violate
 * the property. Then a cube is about one location, whose literal it always has. Steps into the cube are asked about in its
 * location's part alone, and the clause that excludes it goes to the parts of the locations that a step may lead to
 * from there. A state at a location is never initial, so that this needs no question.
 */
import type { EufModel } from '../../euf/model.ts';
import type { TermId } from '../../term/store.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { FreeOf, negated } from '../system/literals.ts';
import { type Slice, Slicer } from '../system/slices.ts';
import type { Control } from '../system/system.ts';
import { type Cube, cubeOf } from './cube.ts';
import { type Common, Part } from './part.ts';

export interface Division {
  /** What answers questions about states that violate the property. */
  readonly violations: Part;
  /** What answers questions about steps into a cube. */
  into(cube: Cube): Part;
  /** The literals of a cube that say more about the state after a step than its part says anyway. */
  target(cube: Cube): Cube;
  /** May a step that its part knows lead from the cube into it? */
  isLoop(cube: Cube): boolean;
  addLemma(lemma: TermId): void;
  /** Excludes a cube from the frames up to the level. */
  addClause(cube: Cube, level: number): void;
  /** Those of the literals that no initial state satisfies together; nothing if some initial state does. */
  initialCore(cube: Cube): Cube | undefined;
  /** Those of the literals that justify a step that say more than its location does. */
  needed(literals: readonly TermId[]): readonly TermId[];
  /** The cube with what its location says of others: for those who look at it from outside. */
  explicit(cube: Cube): Cube;
  /** A cube of a model of a part, with what keeps out initial states if the model's state is none. */
  separated(cube: Cube, model: EufModel, part: Part): Cube;
}

export function divisionOf(system: FunctionalSystem, common: Common): Division {
  const { control } = system;
  return control === undefined ? new Whole(system, common) : new Slices(system, control, common);
}

class Whole implements Division {
  readonly violations: Part;
  private readonly system: FunctionalSystem;
  private readonly common: Common;

  constructor(system: FunctionalSystem, common: Common) {
    this.system = system;
    this.common = common;
    this.violations = new Part(system, common);
  }

  into(): Part {
    return this.violations;
  }

  target(cube: Cube): Cube {
    return cube;
  }

  isLoop(): boolean {
    return true;
  }

  addLemma(lemma: TermId): void {
    this.violations.addLemma(lemma);
  }

  addClause(cube: Cube, level: number): void {
    this.violations.addClause(cube, level);
  }

  initialCore(cube: Cube): Cube | undefined {
    this.common.counts.initial++;
    const answer = this.violations.ask('initial state', 0, cube);
    return 'uses' in answer ? cube.filter(l => answer.uses.has(l)) : undefined;
  }

  needed(literals: readonly TermId[]): readonly TermId[] {
    return literals;
  }

  explicit(cube: Cube): Cube {
    return cube;
  }

  separated(cube: Cube, model: EufModel, part: Part): Cube {
    const violated = this.system.init.find(f => !model.isTrue(f));
    if (violated === undefined) return cube;
    const { literals } = part.project(model, [this.system.terms.not(violated)]);
    // The projection may have lost what keeps the state from being an initial one; then it is said again.
    return this.initialCore(cube) === undefined ? cubeOf([...cube, ...literals]) : cube;
  }
}

/**
 * A solver takes memory for every term of the store, used or not. Parts that are together above this many terms make room
 * for others; they are made anew when needed.
 */
const MAX_TERMS = 2 ** 24;
const MIN_PARTS = 16;

interface Exclusion {
  readonly cube: Cube;
  readonly level: number;
}

class Slices implements Division {
  readonly violations: Part;
  private readonly common: Common;
  private readonly slicer: Slicer;
  private readonly ofNow: FreeOf; // formulas without next state variables
  private readonly parts = new Map<TermId, Part>(); // by location, made when first asked
  private readonly slices = new Map<Part, Slice>();
  private readonly lemmas: TermId[] = [];
  private readonly exclusions = new Map<TermId, Exclusion[]>(); // by location

  constructor(system: FunctionalSystem, control: Control, common: Common) {
    this.common = common;
    this.slicer = new Slicer(system, control);
    this.ofNow = new FreeOf(system.terms, new Set(system.states.map(s => s.next)));
    for (const l of this.slicer.locations) this.exclusions.set(l, []);
    this.violations = this.part(this.slicer.violations());
  }

  into(cube: Cube): Part {
    const location = this.locationOf(cube);
    if (location === undefined) throw new Error('a step into a cube without a location');
    const known = this.parts.get(location);
    const part = known ?? this.partInto(location);
    // The last in the map is the one that was used last.
    this.parts.delete(location);
    this.parts.set(location, part);
    return part;
  }

  private partInto(location: TermId): Part {
    this.makeRoom();
    const slice = this.slicer.stepsInto(location);
    const part = this.part(slice);
    for (const lemma of this.lemmas) this.tell(part, lemma);
    for (const s of slice.locations) {
      for (const { cube, level } of this.exclusions.get(s) as Exclusion[]) part.addClause(cube, level);
    }
    return part;
  }

  /** Forgets the parts that have not been used for the longest time, if there are too many. */
  private makeRoom(): void {
    const most = Math.max(MIN_PARTS, MAX_TERMS / this.common.terms.size);
    for (const [location, part] of this.parts) {
      if (this.parts.size < most) return;
      this.parts.delete(location);
      this.slices.delete(part);
    }
  }

  private part(slice: Slice): Part {
    const part = new Part(slice, this.common);
    this.slices.set(part, slice);
    return part;
  }

  target(cube: Cube): Cube {
    return cube.filter(l => !this.slicer.locations.has(l));
  }

  isLoop(cube: Cube): boolean {
    const location = this.locationOf(cube) as TermId;
    return this.slicer.successors(location).has(location);
  }

  addLemma(lemma: TermId): void {
    this.lemmas.push(lemma);
    if (this.ofNow.has(lemma)) this.tell(this.violations, lemma);
    for (const part of this.parts.values()) this.tell(part, lemma);
  }

  private tell(part: Part, lemma: TermId): void {
    part.addLemma(this.slicer.within(this.sliceOf(part), lemma));
  }

  private sliceOf(part: Part): Slice {
    return this.slices.get(part) as Slice;
  }

  addClause(cube: Cube, level: number): void {
    const location = this.locationOf(cube) as TermId;
    this.exclusions.get(location)?.push({ cube, level });
    if (this.sliceOf(this.violations).locations.includes(location)) this.violations.addClause(cube, level);
    for (const s of this.slicer.successors(location)) this.parts.get(s)?.addClause(cube, level);
  }

  initialCore(cube: Cube): Cube | undefined {
    const location = this.locationOf(cube);
    return location === undefined ? undefined : [location];
  }

  /** That other locations are off goes without saying. */
  needed(literals: readonly TermId[]): readonly TermId[] {
    const { terms } = this.common;
    return literals.filter(l => !this.slicer.locations.has(negated(terms, l)));
  }

  explicit(cube: Cube): Cube {
    const { terms } = this.common;
    const location = this.locationOf(cube);
    if (location === undefined) return cube;
    const others = [...this.slicer.locations].filter(l => l !== location);
    return cubeOf([...cube, ...others.map(l => terms.not(l))]);
  }

  separated(cube: Cube, model: EufModel, part: Part): Cube {
    const location = this.sliceOf(part).locations.find(l => model.isTrue(l));
    return location === undefined ? cube : cubeOf([location, ...cube]);
  }

  private locationOf(cube: Cube): TermId | undefined {
    return cube.find(l => this.slicer.locations.has(l));
  }
}
