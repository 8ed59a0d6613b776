/**
 * Houdini by enumeration: of some conjectures about each location, those that are left when all that a step refutes are dropped, again and
 * again. What is left does not depend on the order; so a search by bits must come to the same.
 */

import { Circuit } from '../../../../src/core/engines/bit-steps/circuit.ts';
import type { Conjuncts } from '../../../../src/core/engines/bit-steps/inward.ts';
import { Houdini } from '../../../../src/core/engines/conjectures/houdini.ts';
import { Effort } from '../../../../src/core/engines/effort.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import {
  conditionsOf,
  headOf,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  sourceOf,
} from '../../../../src/core/problem/problem.ts';
import { complete } from '../../../../src/sat/work.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';
import type { TermId } from '../../../../src/term/store.ts';
import type { Random } from '../../../support/random.ts';
import { growPool } from '../../../support/terms.ts';
import { assignments, complaintAboutModel, evaluator } from '../../explicit-problem.ts';

/** Throws a TooLarge. */
function inductivePart({ terms, edges }: Problem, conjectures: Conjuncts): Conjuncts {
  const held = new Map([...conjectures].map(([l, own]) => [l, new Set(own)]));
  const steps = edges.flatMap(edge => {
    const head = headOf(edge);
    if (head === undefined) return [];
    const found = [];
    for (const a of assignments(terms, [...placesOf(edge), ...inputsOf(terms, edge)])) {
      const before = evaluator(terms, a);
      if (!conditionsOf(edge).every(c => before.value(c) === true)) continue;
      const values = edge.values.map(v => before.value(v));
      const after = evaluator(terms, new Map(head.places.map((p, i) => [p, values[i]])));
      found.push({ source: sourceOf(edge), head, before, after });
    }
    return found;
  });
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { source, head, before, after } of steps) {
      const own = source === undefined ? [] : [...(held.get(source) as Set<TermId>)];
      if (!own.every(f => before.value(f) === true)) continue;
      const there = held.get(head) as Set<TermId>;
      for (const f of there) if (after.value(f) !== true) isNew = there.delete(f);
    }
  }
  return new Map([...held].map(([l, own]) => [l, [...own]]));
}

/** Formulas about each location, some of which may be inductive. */
function randomConjectures({ terms, locations }: Problem, random: Random): Conjuncts {
  const about = ({ places }: Location) => {
    const constants = places
      .filter(p => terms.width(p) > 0)
      .map(p => terms.bv(terms.width(p), random.below(2 ** terms.width(p))));
    const pool = growPool(terms, random, [...places, ...constants, terms.false], 40, 4);
    const formulas = pool.filter(t => terms.sort(t) === terms.sorts.bool);
    return [...new Set(formulas.flatMap(f => [f, terms.not(f)]))].slice(0, 16);
  };
  return new Map(locations.map(l => [l, about(l)]));
}

/** What is wrong with what Houdini makes of random conjectures about a problem whose edges have one source. Throws a TooLarge. */
export function complaintAboutHoudini(
  problem: Problem,
  random: Random,
  counts: Record<'held' | 'sufficient', number>,
): string | undefined {
  const { terms } = problem;
  const modelOf = (all: Conjuncts) =>
    new Map(problem.locations.map(l => [l, terms.and([...(all.get(l) ?? [])])]));
  const conjectures = randomConjectures(problem, random);
  const expected = inductivePart(problem, conjectures);
  const shared = {
    circuit: new Circuit(new Rewriter(terms), () => {}),
    effort: new Effort({}),
    profile: new Profile(),
    seed: 1,
    counts: { questions: 0, solvers: 0 },
  };
  shared.effort.left = Number.POSITIVE_INFINITY;
  // Where questions have hardly any time, some that hold are given up; what is left is inductive all the same.
  const isHurried = random.chance(0.3);
  const bounds = { single: random.below(20), all: 1_000_000 };
  const houdini = new Houdini(problem, conjectures, shared, isHurried ? bounds : undefined);
  complete(houdini.refute());
  if (isHurried) {
    const left = houdini.conjectures;
    const inductive = inductivePart(problem, left);
    const isInductive = [...left].every(([l, own]) => own.length === inductive.get(l)?.length);
    if (!isInductive) return 'what is left in a hurry is not inductive';
    const model = complete(houdini.sufficient());
    return model && complaintAboutModel(problem, modelOf(model));
  }
  for (const [location, own] of expected) {
    const found = houdini.conjectures.get(location) ?? [];
    counts.held += found.length;
    if (found.length > own.length) return `what a step refutes is held, about ${location.name}`;
    if (found.length < own.length) return `what no step refutes is dropped, about ${location.name}`;
    if (found.some(f => !own.includes(f))) return `other formulas are held, about ${location.name}`;
  }
  const sufficient = complete(houdini.sufficient());
  const isEnough = complaintAboutModel(problem, modelOf(expected)) === undefined;
  if (isEnough !== (sufficient !== undefined))
    return isEnough ? 'it is enough, and said not to be' : 'it is not enough';
  if (sufficient === undefined) return undefined;
  counts.sufficient++;
  return complaintAboutModel(problem, modelOf(sufficient));
}
