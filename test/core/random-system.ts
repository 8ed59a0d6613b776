/** Random systems that explicit-state search can settle, for tests that hold a search against it. */
import type { Property, StateVariable, System } from '../../src/core/problem/system.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../support/random.ts';
import { growPool } from '../support/terms.ts';

/** A random system of a few bits: some variables defined, some related, some free; constraints and inputs. */
export class RandomSystem {
  readonly system: System;
  readonly property: Property;
  private readonly terms = new TermStore();
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    const { terms } = this;
    const { sorts } = terms;
    const kinds = [sorts.bool, sorts.bool, sorts.bitVec(1), sorts.bitVec(2), sorts.bitVec(3)];
    if (random.chance(0.3)) kinds.push(sorts.array(sorts.bitVec(1), sorts.bitVec(1)));
    const states: StateVariable[] = Array.from({ length: 1 + random.below(3) }, (_, i) => {
      const sort = random.pick(kinds);
      return { current: terms.variable(`x${i}`, sort), next: terms.variable(`x${i}.next`, sort) };
    });
    const inputs = Array.from({ length: random.below(3) }, (_, i) =>
      terms.variable(`i${i}`, random.pick([sorts.bool, sorts.bitVec(1), sorts.bitVec(2)])),
    );
    const current = states.map(s => s.current);
    const ofState = this.pool(current);
    const ofNow = this.pool([...current, ...inputs]);
    const ofStep = this.pool([...current, ...inputs, ...states.map(s => s.next)]);
    const trans = states.flatMap(({ next }) => {
      const bodies = ofNow.filter(f => terms.sort(f) === terms.sort(next));
      return random.chance(0.85) ? [terms.eq(next, random.pick(bodies))] : [];
    });
    if (random.chance(0.3)) trans.push(this.formula(ofStep));
    this.property = {
      index: 0,
      formula: this.formula(random.chance(0.3) ? ofNow : ofState),
      name: undefined,
    };
    this.system = {
      terms,
      states,
      inputs,
      init: terms.and(Array.from({ length: 1 + random.below(2) }, () => this.formula(ofState))),
      trans: terms.and(trans),
      constraints: random.chance(0.2) ? [this.formula(ofNow)] : [],
      properties: [this.property],
    };
  }

  private pool(variables: readonly TermId[]): TermId[] {
    const { terms, random } = this;
    const widths = [...new Set(variables.map(v => terms.width(v)))].filter(w => w > 0);
    const constants = widths.flatMap(w => [terms.bv(w, 0), terms.bv(w, 1), terms.bv(w, -1)]);
    return growPool(terms, random, [...variables, ...constants, terms.true, terms.false], 40, 4);
  }

  private formula(pool: readonly TermId[]): TermId {
    const { terms, random } = this;
    const formulas = pool.filter(p => terms.sort(p) === terms.sorts.bool);
    const f = random.pick(formulas);
    return random.chance(0.3) ? terms.not(f) : f;
  }
}
