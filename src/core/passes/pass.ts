/**
 * A pass makes one problem of another, with a way back for evidence (the idea is Golem's): a proof or a derivation of the
 * new problem becomes one of the old. Passes keep what is derivable: a query is derivable in the new problem exactly if
 * it is in the old one. Nothing here decides anything: what comes back is checked on what the user wrote.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import { type Derivation, mapped } from '../problem/derivation.ts';
import type { Edge, Location, Problem } from '../problem/problem.ts';
import type { EdgeLemmas, Instance, Model, Proof, Quantified } from '../problem/proof.ts';

export interface Back {
  readonly proof: (proof: Proof) => Proof;
  readonly derivation: (derivation: Derivation) => Derivation;
  /** Is every step of the new problem one step of the old one? Only then do k-inductive proofs find their way back. */
  readonly keepsSteps: boolean;
  /** Are there states that only the old problem tells apart? Then a k-inductive proof must not rest on states being different. */
  readonly joinsStates?: boolean;
}

export interface Pass {
  /** The new one. */
  readonly problem: Problem;
  readonly back: Back;
}

/** Of looking at a step or a location, and of a pass on the way back, against that of reading a token (sat/checkpoint.ts). */
export const WORK_OF_A_STEP = 50;
export const WORK_OF_A_LOCATION = 50;
const WORK_OF_A_PASS = 1000;

/** The pass that changes nothing. */
export function unchanged(problem: Problem): Pass {
  return { problem, back: { proof: p => p, derivation: d => d, keepsSteps: true } };
}

/** One pass after the other, as one. */
export function composed(problem: Problem, passes: readonly Pass[], checkpoint: Checkpoint): Pass {
  const backwards = [...passes].reverse();
  const through = <T>(start: T, back: (pass: Pass, evidence: T) => T) =>
    backwards.reduce((evidence, pass) => {
      checkpoint.pass(WORK_OF_A_PASS);
      return back(pass, evidence);
    }, start);
  return {
    problem: passes.at(-1)?.problem ?? problem,
    back: {
      proof: proof => through(proof, (pass, p) => pass.back.proof(p)),
      derivation: derivation => through(derivation, (pass, d) => pass.back.derivation(d)),
      keepsSteps: passes.every(p => p.back.keepsSteps),
      joinsStates: passes.some(p => p.back.joinsStates === true),
    },
  };
}

/** The old edge that a new one was made of, and what the new one's variables are in its terms; others stay as they are. */
export interface Origin {
  readonly edge: Edge;
  readonly names?: ReadonlyMap<TermId, TermId>;
}

/** One substitution after another, as one. */
export function composedNames(
  terms: TermStore,
  first: ReadonlyMap<TermId, TermId>,
  second: ReadonlyMap<TermId, TermId>,
): Map<TermId, TermId> {
  const all = new Map(second);
  for (const [v, t] of first) all.set(v, substitute(terms, t, second));
  return all;
}

/** Lemmas about new edges as lemmas about old ones. */
export function lemmasBack(
  terms: TermStore,
  lemmas: EdgeLemmas,
  originsOf: (edge: Edge) => readonly Origin[],
): EdgeLemmas {
  const all = new Map<Edge, Set<TermId>>();
  for (const [edge, own] of lemmas) {
    for (const { edge: old, names } of originsOf(edge)) {
      const images = names === undefined || names.size === 0 ? own : substituteAll(terms, own, names);
      const known = all.get(old);
      if (known === undefined) all.set(old, new Set(images));
      else for (const f of images) known.add(f);
    }
  }
  return new Map([...all].map(([edge, formulas]) => [edge, [...formulas]]));
}

/**
 * Instances of new edges as those of the old ones, and bound variables of new locations as those of the old ones that they were made of; where
 * no locations are given, they have stayed.
 */
export function quantifiedBack(
  { bound, instances }: Quantified,
  origins: ReadonlyMap<Edge, Edge>,
  locations?: ReadonlyMap<Location, Location>,
): Quantified {
  const own = new Map<Edge, Instance[]>();
  for (const [now, old] of origins) {
    const known = own.get(old);
    const more = instances.get(now) ?? [];
    if (known === undefined) own.set(old, [...more]);
    else known.push(...more);
  }
  const boundOf = ([old, now]: readonly [Location, Location]): [Location, readonly TermId[]][] => {
    const variables = bound.get(now);
    return variables === undefined ? [] : [[old, variables]];
  };
  return {
    bound: locations === undefined ? bound : new Map([...locations].flatMap(boundOf)),
    instances: own,
  };
}

/**
 * The way back of a pass that gives edges other guards: locations and the meaning of variables stay. `model` says what
 * models gain.
 */
export function edgeByEdge(
  terms: TermStore,
  origins: ReadonlyMap<Edge, Edge>,
  model: (model: Model) => Model = m => m,
): Back {
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  return {
    proof: proof => ({
      ...proof,
      model: model(proof.model),
      ...(proof.forAll && { forAll: quantifiedBack(proof.forAll, origins) }),
      lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: originOf(e) }]),
    }),
    derivation: derivation => mapped(derivation, ({ edge, values }) => ({ edge: originOf(edge), values })),
    keepsSteps: true,
  };
}
