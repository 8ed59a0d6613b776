/**
 * Slices of a system whose control is explicit: for each location, the part of the transition relation that is about
 * steps into it. The dissertation (4.6) puts twelve of its losses to Spacer down to such sliced queries. The steps of
 * a slice are those of the system after which its location is on, and it takes fewer variables to say so:
 *
 *   - locations that no way leads from to its own do not occur, nor does any location of the next state;
 *   - where there is a single way, neither locations nor choices decide anything.
 *
 * A slice is made way by way from the system's own definitions and relations, with locations and choices fixed as
 * the way has them (`specialize.ts`). So it follows from the system by propositional reasoning and equality, and
 * what is proved over slices is proved over the system.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { conjuncts } from './conjuncts.ts';
import type { FunctionalSystem } from './functional.ts';
import { negated } from './literals.ts';
import { Specializer } from './specialize.ts';
import type { Control, Way } from './system.ts';

/** Formulas about states and steps, as a functional system has them. */
export type Formulas = Pick<
  FunctionalSystem,
  'init' | 'definitions' | 'relations' | 'constraints' | 'property'
>;

export interface Slice extends Formulas {
  /** The locations that the slice speaks of, all of the current state: no other is on. */
  readonly locations: readonly TermId[];
  /** The values of locations that it does not speak of. */
  readonly fixed: ReadonlyMap<TermId, boolean>;
}

type Source = TermId | undefined;

const NOWHERE: ReadonlySet<TermId> = new Set();

export class Slicer {
  readonly locations: ReadonlySet<TermId>;
  private readonly system: FunctionalSystem;
  private readonly terms: TermStore;
  private readonly specializer: Specializer; // fixes locations and choices
  private readonly nextOf: ReadonlyMap<TermId, TermId>; // of locations
  private readonly into = new Map<TermId, Way[]>(); // by target
  private readonly from = new Map<Source, Way[]>(); // by source
  private readonly variables: readonly TermId[]; // that have a definition, but for locations of the next state
  private readonly relationsAt = new Map<Source, TermId[]>(); // by location, if they say something there alone
  private readonly targets = new Map<Source, Set<TermId>>(); // by source

  constructor(system: FunctionalSystem, { locations, ways }: Control) {
    const { terms } = system;
    this.system = system;
    this.terms = terms;
    this.locations = new Set(locations);
    this.nextOf = new Map(
      system.states.filter(s => this.locations.has(s.current)).map(s => [s.current, s.next]),
    );
    for (const way of ways) {
      grouped(this.into, way.target).push(way);
      grouped(this.from, way.source).push(way);
    }
    for (const [source, leading] of this.from) this.targets.set(source, new Set(leading.map(w => w.target)));
    const choices = ways.map(w => w.choice).filter(c => c !== undefined);
    this.specializer = new Specializer(terms, [...locations, ...this.nextOf.values(), ...choices]);
    const nextLocations = new Set(this.nextOf.values());
    this.variables = [...system.definitions.keys()].filter(v => !nextLocations.has(v));
    for (const f of system.relations) grouped(this.relationsAt, this.onlyPlace(f)).push(f);
  }

  /** The location without which a formula is true, if it is a disjunction that says so. */
  private onlyPlace(formula: TermId): Source {
    const { terms, locations } = this;
    if (terms.op(formula) !== Op.OR) return undefined;
    return terms
      .args(formula)
      .map(d => negated(terms, d))
      .find(l => locations.has(l));
  }

  /** The locations that ways lead to from a location. */
  successors(location: TermId): ReadonlySet<TermId> {
    return this.targets.get(location) ?? NOWHERE;
  }

  /** The steps into a location. */
  stepsInto(location: TermId): Slice {
    const { system, terms } = this;
    const ways = this.into.get(location) ?? [];
    const sources = new Set(ways.map(w => w.source));
    const locations = [...sources].filter(s => s !== undefined);
    const fixed = this.fixedBut(locations);
    for (const [l, next] of this.nextOf) fixed.set(next, l === location);
    const variables = ways.length === 0 ? [] : this.variables;
    const selections: TermId[] = [];
    const cases: TermId[][] = [];
    const relations: TermId[] = [];
    for (const way of ways) {
      const selection = this.selection(way, ways, locations);
      const { bodies, guards } = this.along(way);
      selections.push(selection);
      cases.push(bodies);
      for (const g of guards) relations.push(this.implication(selection, g));
    }
    for (const s of sources) relations.push(...this.choosing(s, location, locations));
    return {
      init: this.under(fixed, system.init),
      definitions: new Map(
        variables.map((v, i) => [
          v,
          this.choice(
            selections,
            cases.map(c => c[i]),
          ),
        ]),
      ),
      relations: this.parts([terms.or(selections), ...relations]),
      constraints: this.under(fixed, system.constraints),
      property: terms.true,
      locations,
      fixed,
    };
  }

  /** States in which the property fails, with no steps from them. */
  violations(): Slice {
    const { system, terms } = this;
    const spokenOf = new Set(terms.postorder([system.property]));
    const mentioned = [...this.locations].filter(l => spokenOf.has(l));
    const elsewhere = new Map(mentioned.map(l => [l, false]));
    // A query without a body can be violated anywhere.
    const isSafeElsewhere = this.specializer.apply([system.property], elsewhere)[0] === terms.true;
    const locations = isSafeElsewhere ? mentioned : [...this.locations];
    const fixed = this.fixedBut(locations);
    return {
      init: this.under(fixed, system.init),
      definitions: new Map(),
      relations: [],
      constraints: this.under(fixed, system.constraints),
      property: this.specializer.apply([system.property], fixed)[0],
      locations,
      fixed,
    };
  }

  /** What a formula says where the slice's fixed locations are as they are. */
  within(slice: Slice, formula: TermId): TermId {
    return this.specializer.apply([formula], slice.fixed)[0];
  }

  /** All locations but some are off. */
  private fixedBut(locations: readonly TermId[]): Map<TermId, boolean> {
    const fixed = new Map([...this.locations].map(l => [l, false]));
    for (const l of locations) fixed.delete(l);
    return fixed;
  }

  private under(fixed: ReadonlyMap<TermId, boolean>, formulas: readonly TermId[]): TermId[] {
    return this.parts(this.specializer.apply(formulas, fixed));
  }

  private parts(formulas: readonly TermId[]): TermId[] {
    const { terms } = this;
    return conjuncts(terms, terms.and(formulas)).filter(f => f !== terms.true);
  }

  /** Bodies of definitions along a way, and what else its steps satisfy. */
  private along(way: Way): { bodies: TermId[]; guards: TermId[] } {
    const { system, variables, relationsAt } = this;
    const values = this.fixedBut([]);
    if (way.source !== undefined) values.set(way.source, true);
    for (const [l, next] of this.nextOf) values.set(next, l === way.target);
    for (const { choice } of this.from.get(way.source) ?? []) {
      if (choice !== undefined) values.set(choice, choice === way.choice);
    }
    const places = way.source === undefined ? [undefined] : [undefined, way.source];
    const relations = places.flatMap(p => relationsAt.get(p) ?? []);
    const bodies = variables.map(v => system.definitions.get(v) as TermId);
    const images = this.specializer.apply([...bodies, ...relations], values);
    return { bodies: images.slice(0, bodies.length), guards: this.parts(images.slice(bodies.length)) };
  }

  /** Where a step goes a way, of those that lead where it leads. */
  private selection(way: Way, ways: readonly Way[], locations: readonly TermId[]): TermId {
    const { terms } = this;
    const isAtSource = this.isAt(way.source, locations);
    const isOnly = ways.every(w => w === way || w.source !== way.source);
    return isOnly || way.choice === undefined ? isAtSource : terms.and([isAtSource, way.choice]);
  }

  private isAt(source: Source, locations: readonly TermId[]): TermId {
    const { terms } = this;
    return source ?? terms.and(locations.map(l => terms.not(l)));
  }

  /** What the choices of a source are in steps into a location: one of those that lead there is on, and no other. */
  private choosing(source: Source, location: TermId, locations: readonly TermId[]): TermId[] {
    const { terms } = this;
    const leading: TermId[] = [];
    const formulas: TermId[] = [];
    for (const { choice, target } of this.from.get(source) ?? []) {
      if (choice === undefined) continue;
      if (target === location) leading.push(choice);
      else formulas.push(terms.not(choice));
    }
    if (leading.length > 0) formulas.push(terms.or(leading));
    leading.forEach((a, i) => {
      for (const b of leading.slice(i + 1)) formulas.push(terms.or([terms.not(a), terms.not(b)]));
    });
    return formulas.map(f => this.implication(this.isAt(source, locations), f));
  }

  private implication(condition: TermId, formula: TermId): TermId {
    const { terms } = this;
    if (formula === terms.true || condition === terms.true) return formula;
    const otherwise = negated(terms, condition);
    return formula === terms.false ? otherwise : terms.or([otherwise, formula]);
  }

  /** The value of the one case that is selected. */
  private choice(selections: readonly TermId[], values: readonly TermId[]): TermId {
    const { terms } = this;
    const selecting = new Map<TermId, TermId[]>(); // by value
    selections.forEach((s, i) => {
      grouped(selecting, values[i]).push(s);
    });
    // The most frequent value is that of all other cases.
    const [[last], ...others] = [...selecting].sort(([, a], [, b]) => b.length - a.length);
    return others.reduce((otherwise, [value, when]) => terms.ite(terms.or(when), value, otherwise), last);
  }
}

function grouped<K, V>(groups: Map<K, V[]>, key: K): V[] {
  let group = groups.get(key);
  if (group === undefined) {
    group = [];
    groups.set(key, group);
  }
  return group;
}
