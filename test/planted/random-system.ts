/** Random systems of a few bits: next states that are defined, related or free, with inputs and constraints. */
import type { Property, System } from '../../src/core/problem/system.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../support/random.ts';
import { growPool } from '../support/terms.ts';

export function randomSystem(random: Random): { system: System; property: Property } {
  const terms = new TermStore();
  const { sorts } = terms;
  const variable = (name: string) => {
    const sort = random.pick([sorts.bool, sorts.bitVec(1), sorts.bitVec(2), sorts.bitVec(3)]);
    return { sort, term: terms.variable(name, sort) };
  };
  const states = ['x', 'y', 'z'].slice(0, 1 + random.below(3)).map(name => {
    const { sort, term } = variable(name);
    return { current: term, next: terms.variable(`${name}.next`, sort) };
  });
  const inputs = ['i', 'j'].slice(0, random.below(3)).map(name => variable(name).term);
  const pool = (variables: readonly TermId[]) => {
    const widths = [...new Set(variables.map(v => terms.width(v)))].filter(w => w > 0);
    const constants = widths.flatMap(w => [terms.bv(w, 0), terms.bv(w, 1), terms.bv(w, -1)]);
    return growPool(terms, random, [...variables, ...constants, terms.true, terms.false], 40, 4);
  };
  const current = states.map(s => s.current);
  const [ofState, ofNow] = [pool(current), pool([...current, ...inputs])];
  const formula = (among: readonly TermId[]) => {
    const f = random.pick(among.filter(t => terms.sort(t) === sorts.bool));
    return random.chance(0.3) ? terms.not(f) : f;
  };
  const trans = states.flatMap(({ next }) => {
    const bodies = ofNow.filter(f => terms.sort(f) === terms.sort(next));
    return random.chance(0.85) ? [terms.eq(next, random.pick(bodies))] : [];
  });
  if (random.chance(0.3)) trans.push(formula(pool([...current, ...inputs, ...states.map(s => s.next)])));
  const property = { index: 0, formula: formula(random.chance(0.3) ? ofNow : ofState), name: undefined };
  const system = {
    terms,
    states,
    inputs,
    init: terms.and([formula(ofState), formula(ofState)]),
    trans: terms.and(trans),
    constraints: random.chance(0.4) ? [formula(ofNow)] : [],
    properties: [property],
  };
  return { system, property };
}
