/**
 * What is wrong with unfolding on a small problem, by enumeration: the same can be derived, a derivation comes back as one, and the
 * strongest model becomes a model of the problem for some values of bound variables, which the witnesses that the proof names
 * suffice to check.
 */
import { EquationSolver } from '../../src/bv/preprocess/equation-solver.ts';
import type { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { simplifyEdges } from '../../src/core/passes/simplify-edges.ts';
import { unfoldAll } from '../../src/core/passes/unfold/unfold-all.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { NextVariables } from '../../src/core/problem/next-variables.ts';
import type { Edge, Location, Problem } from '../../src/core/problem/problem.ts';
import { boundIn, type Model, type Proof } from '../../src/core/problem/proof.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { termOfValue } from '../../src/term/evaluator.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { substitute } from '../../src/term/substitute.ts';
import { assignments, complaintAboutModel, Derivable, TooLarge } from './explicit-problem.ts';
import { isValid } from './foretold.ts';

/** The model without quantifiers: of each formula, the disjunction of all instances that there are. Throws a TooLarge. */
function withAllInstances({ terms }: Problem, proof: Proof): Model {
  return new Map(
    [...proof.model].map(([l, formula]) => {
      const points = [...assignments(terms, boundIn(terms, proof, l))].map(
        a => new Map([...a].map(([v, value]) => [v, termOfValue(terms, terms.sort(v), value)])),
      );
      return [l, terms.or(points.map(point => substitute(terms, formula, point)))];
    }),
  );
}

export interface Unfolded {
  /** How many models have come back, and how many of them have bound variables. */
  readonly models: number;
  readonly bound: number;
  readonly complaint: string | undefined;
}

/** Throws a TooLarge. */
export function unfolded(problem: Problem, heavy: HeavyBackEnd): Unfolded | undefined {
  const pass = unfoldAll(problem, new Checkpoint());
  if (pass === undefined) return undefined;
  const isDerivable = new Derivable(problem).properties.includes(0);
  const now = new Derivable(pass.problem);
  const outcome = (complaint: string | undefined, models = 0, bound = 0) => ({ models, bound, complaint });
  if (now.properties.includes(0) !== isDerivable) return outcome('unfolded it asks something else');
  const derivation = now.derivation(0);
  if (derivation !== undefined) {
    const back = completed(problem.terms, pass.back.derivation(derivation));
    return outcome(checkDerivation(problem, 0, back, () => 'an edge'));
  }
  const proof = pass.back.proof({ model: now.strongest, lemmas: new Map(), k: 0 });
  const bound = problem.locations.flatMap(l => boundIn(problem.terms, proof, l)).length;
  const complaint = isValid(problem, proof, heavy);
  if (complaint !== undefined) return outcome(complaint, 1, Math.min(bound, 1));
  try {
    const wrong = complaintAboutModel(problem, withAllInstances(problem, proof));
    if (wrong !== undefined) return outcome(wrong, 1, Math.min(bound, 1));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
  return outcome(undefined, 1, Math.min(bound, 1));
}

/** The same with equations of edges solved: as clauses are written, each argument is an input, and enumeration has less to do without. */
export function withoutInputs(problem: Problem): Problem {
  return simplifyEdges(problem, new EquationSolver(new Rewriter(problem.terms))).problem;
}

/** A proof that is none, and what is wrong with it. */
export interface FalseProof {
  readonly what: string;
  readonly problem: Problem;
  readonly proof: Proof;
}

/**
 * A relation that has all facts, of which the model says that each is what some z is; two facts that differ from each other, the first of
 * them from an input, too, are a violation. That would be excluded if it were known of a source's z what it is.
 */
export function falseProofs(): FalseProof[] {
  const kinds: readonly [string, (v: TwoFacts) => readonly TermId[]][] = [
    ['each source has values of its own, of which nothing is known', v => [v.own[0], v.own[1]]],
    ['one value stands for both sources', v => [v.own[0], v.own[0]]],
    ["a place of the edge stands for a source's value", v => [v.places[1], v.own[1]]],
    ["an input of the edge stands for a source's value", v => [v.input, v.own[1]]],
    ["nothing stands for sources' values", () => []],
  ];
  return kinds.map(([what, assumed]) => {
    const { problem, query, proof } = twoFacts();
    const own = assumed(proof.variables).map(v => [v]);
    const exists = { ...proof.exists, assumed: new Map([[query, own]]) };
    return { what, problem, proof: { model: proof.model, exists, lemmas: new Map(), k: 0 } };
  });
}

interface TwoFacts {
  /** What stands for the sources' places, and for their values. */
  readonly places: readonly TermId[];
  readonly own: readonly TermId[];
  readonly input: TermId;
}

function twoFacts() {
  const terms = new TermStore();
  const sort = terms.sorts.bitVec(2);
  const variable = (name: string) => terms.variable(name, sort);
  const [x, y, z, input] = ['x', 'y', 'z', 'i'].map(variable);
  const places = ['a', 'b'].map(variable);
  const own = ['z', 'z'].map(variable);
  const location: Location = { name: 'f', places: [x], constraints: [] };
  const start: Edge = { sources: [], guard: terms.true, head: location, values: [y] };
  const differ = [places[1], input].map(t => terms.not(terms.eq(places[0], t)));
  const query: Edge = {
    sources: places.map(p => ({ location, places: [p] })),
    guard: terms.and(differ),
    head: { property: 0 },
    values: [],
  };
  const problem: Problem = {
    terms,
    locations: [location],
    edges: [start, query],
    next: new NextVariables(terms),
  };
  const variables: TwoFacts = { places, own, input };
  const model = new Map([[location, terms.eq(x, z)]]);
  const exists = { bound: new Map([[location, [z]]]), witnesses: new Map([[start, [y]]]) };
  return { problem, query, proof: { model, exists, variables } };
}
