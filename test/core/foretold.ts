/**
 * What is wrong with the passes of prophecy on a small problem, by enumeration: with prophecies the same queries can be
 * derived, with cells no fewer; derivations come back as such, and the strongest model becomes, for all values of the
 * prophecies, a model of the problem, which the instances that the proof names suffice to check.
 */
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import type { Pass } from '../../src/core/passes/pass.ts';
import { orderFacts } from '../../src/core/passes/prophecy/order-facts.ts';
import { prophesy, prophesyCells } from '../../src/core/passes/prophecy/prophecy.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { NextVariables } from '../../src/core/problem/next-variables.ts';
import {
  conditionsOf,
  type Edge,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  step,
} from '../../src/core/problem/problem.ts';
import type { Model, Proof } from '../../src/core/problem/proof.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { complete } from '../../src/sat/work.ts';
import { termOfValue } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { substitute } from '../../src/term/substitute.ts';
import { assignments, complaintAboutModel, Derivable, evaluator } from './explicit-problem.ts';

/** The model without quantifiers: the conjunction of all instances there are. */
export function instantiated({ terms }: Problem, { model, forAll }: Proof): Model {
  const all = (l: Location, formula: TermId) => {
    const points = [...assignments(terms, forAll?.bound.get(l) ?? [])].map(
      a => new Map([...a].map(([v, value]) => [v, termOfValue(terms, terms.sort(v), value)])),
    );
    return terms.and(points.map(point => substitute(terms, formula, point)));
  };
  return new Map([...model].map(([l, f]) => [l, all(l, f)]));
}

export function isValid(problem: Problem, proof: Proof, heavy: HeavyBackEnd): string | undefined {
  const check = complete(checkProof(problem, proof, { heavy, budget: {}, nameOf: () => 'an edge' }));
  return check.kind === 'valid' ? undefined : check.text;
}

/**
 * A proof that is none: an array of zeros gets a one behind the counter, which stays where it is; so not all elements are 0, but
 * the one at the counter is, and that is the only instance which the proof names.
 */
export function instanceOnly(): { readonly problem: Problem; readonly proof: Proof } {
  const terms = new TermStore();
  const index = terms.sorts.bitVec(2);
  const bit = terms.sorts.bitVec(1);
  const [a, i, p] = [
    terms.variable('A', terms.sorts.array(index, bit)),
    terms.variable('i', index),
    terms.variable('p', index),
  ];
  const zero = terms.bv(1, 0);
  const location: Location = { name: 'loop', places: [a, i], constraints: [] };
  const start = terms.constArray(terms.sort(a), zero);
  const behind = terms.app(Op.BVADD, [terms.bv(2, 1), i]);
  const written = terms.app(Op.STORE, [a, behind, terms.bv(1, 1)]);
  const isZero = (at: TermId) => terms.eq(terms.app(Op.SELECT, [a, at]), zero);
  const round = { sources: step(location), guard: terms.true, head: location, values: [written, i] };
  const query: Edge = {
    sources: step(location),
    guard: terms.not(isZero(i)),
    head: { property: 0 },
    values: [],
  };
  const edges: Edge[] = [
    { sources: [], guard: terms.true, head: location, values: [start, terms.bv(2, 0)] },
    round,
    query,
  ];
  const instances = new Map([round, query].map(e => [e, [{ source: 0, values: [i] }]]));
  return {
    problem: { terms, locations: [location], edges, next: new NextVariables(terms) },
    proof: {
      model: new Map([[location, isZero(p)]]),
      forAll: { bound: new Map([[location, [p]]]), instances },
      lemmas: new Map(),
      k: 0,
    },
  };
}

/**
 * A proof that is none: a counter goes on from 0 to 1, where the query is, and the model says for all p that it is 0. The step names p
 * itself as its instance, so whoever assumes what is to be shown believes it.
 */
export function stepsOutOfModel(): { readonly problem: Problem; readonly proof: Proof } {
  const terms = new TermStore();
  const bit = terms.sorts.bitVec(1);
  const [i, p] = [terms.variable('i', bit), terms.variable('p', bit)];
  const [zero, one] = [terms.bv(1, 0), terms.bv(1, 1)];
  const location: Location = { name: 'loop', places: [i], constraints: [] };
  const round = { sources: step(location), guard: terms.true, head: location, values: [one] };
  const query: Edge = { sources: step(location), guard: terms.eq(i, one), head: { property: 0 }, values: [] };
  const edges: Edge[] = [{ sources: [], guard: terms.true, head: location, values: [zero] }, round, query];
  const instances = new Map([round, query].map(e => [e, [{ source: 0, values: [p] }]]));
  return {
    problem: { terms, locations: [location], edges, next: new NextVariables(terms) },
    proof: {
      model: new Map([[location, terms.eq(i, zero)]]),
      forAll: { bound: new Map([[location, [p]]]), instances },
      lemmas: new Map(),
      k: 0,
    },
  };
}

/** Whether there was anything to foretell, and what went wrong. Throws a TooLarge. */
export function foretold(
  problem: Problem,
  heavy: HeavyBackEnd,
): { readonly isApplied: boolean; readonly complaint: string | undefined } {
  const checkpoint = new Checkpoint();
  const lifted = prophesy(problem, checkpoint);
  const cells = prophesyCells(problem, checkpoint);
  if (cells === undefined) return { isApplied: false, complaint: undefined };
  const isUnsafe = new Derivable(problem).properties.length > 0;
  const complaints = function* () {
    const passes: (readonly [Pass, Derivable])[] = [];
    if (lifted !== undefined) {
      const derivable = new Derivable(lifted.problem);
      passes.push([lifted, derivable]);
      if (derivable.properties.length > 0 !== isUnsafe)
        yield `with prophecies it is not ${isUnsafe ? 'un' : ''}safe`;
      const derivation = derivable.derivation(0);
      if (derivation !== undefined) {
        const back = completed(problem.terms, lifted.back.derivation(derivation));
        yield checkDerivation(problem, 0, back, () => 'an edge');
      }
    }
    const ofCells = new Derivable(cells.problem);
    passes.push([cells, ofCells]);
    if (isUnsafe && ofCells.properties.length === 0) yield 'with cells it is safe';
    for (const [pass, found] of passes) {
      yield wrongFact(pass.problem);
      if (found.properties.length > 0) continue;
      const proof = pass.back.proof({ model: found.strongest, lemmas: new Map(), k: 0 });
      yield complaintAboutModel(problem, instantiated(problem, proof));
      yield isValid(problem, proof, heavy);
    }
  };
  for (const complaint of complaints()) if (complaint !== undefined) return { isApplied: true, complaint };
  return { isApplied: true, complaint: undefined };
}

/** A fact about orders that is not valid. */
function wrongFact(problem: Problem): string | undefined {
  const { terms } = problem;
  const { edges } = orderFacts(problem).problem;
  for (const [i, edge] of edges.entries()) {
    const old = problem.edges[i];
    if (edge === old) continue;
    for (const a of assignments(terms, [...new Set([...placesOf(edge), ...inputsOf(terms, edge)])])) {
      const e = evaluator(terms, a);
      if (conditionsOf(old).every(c => e.value(c) === true) && e.value(edge.guard) !== true)
        return `a fact about edge ${i} is false`;
    }
  }
  return undefined;
}
