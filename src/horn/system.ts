/**
 * A Horn problem as a transition system, with the way back: text → clauses → graph → passes → system, and from a proof
 * or a run of the system to a model or a derivation in terms of the user's clauses. Nothing here decides anything;
 * what comes back is to be checked against the clauses (`check.ts`).
 */
import type { Proof } from '../core/system/proof.ts';
import type { System } from '../core/system/system.ts';
import type { Trace } from '../core/system/trace.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import { eliminateRelations } from './contract.ts';
import { type Encoded, type Encoding, encode } from './encode.ts';
import type { HornGraph, Pass } from './graph.ts';
import { mergeEdges } from './merge.ts';
import { normalize } from './normalize.ts';
import type { ClauseDerivation, HornProblem, Model } from './problem.ts';
import { propagateEqualities } from './propagate.ts';
import { removeIrrelevant } from './reduce.ts';
import { simplifyEdges } from './simplify.ts';
import { inputsFromArguments, sliceArguments } from './slice.ts';
import { EquationSolver } from './solve.ts';
import { splitDisjunctions } from './split.ts';

export interface HornOptions {
  readonly encoding: Encoding;
  /** Transform the graph before it is encoded. */
  readonly preprocess: boolean;
}

export const DEFAULT_HORN_OPTIONS: HornOptions = { encoding: 'functional', preprocess: true };

export interface HornSystem {
  readonly system: System;
  /** The model of the user's relations that a proof of a query's property gives. */
  readonly model: (proof: Proof, query: number) => Model;
  /** The derivation from the user's clauses that a run gives which violates the property of a query. */
  readonly derivation: (trace: Trace, query: number) => ClauseDerivation;
  /** A formula over the system's variables as one about the arguments of a clause's body and head. */
  readonly instantiate: Encoded['instantiate'];
}

/** Each round makes others possible; few problems gain anything after so many. */
const MAX_ROUNDS = 8;

export function hornSystem(problem: HornProblem, options: HornOptions = DEFAULT_HORN_OPTIONS): HornSystem {
  const { graph, derivation } = normalize(problem);
  const passes = options.preprocess ? preprocess(graph) : [];
  const last = passes.at(-1)?.graph ?? graph;
  const encoded = encode(last, problem.queries, options.encoding);
  return {
    system: encoded.system,
    instantiate: encoded.instantiate,
    model: (proof, query) => passes.reduceRight((m, pass) => pass.model(m, query), encoded.model(proof)),
    derivation: (trace, query) =>
      derivation(passes.reduceRight((d, pass) => pass.derivation(d), encoded.derivation(trace, query))),
  };
}

function preprocess(graph: HornGraph): Pass[] {
  const rewriter = new Rewriter(graph.terms);
  const solver = new EquationSolver(rewriter);
  const passes: Pass[] = [];
  let current = graph;
  const apply = (pass: (g: HornGraph) => Pass) => {
    const result = pass(current);
    passes.push(result);
    current = result.graph;
  };
  const simplify = () => {
    apply(g => simplifyEdges(g, solver));
    apply(removeIrrelevant);
  };
  const shrink = () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = sizeOf(current);
      apply(g => propagateEqualities(g, rewriter));
      apply(sliceArguments);
      apply(inputsFromArguments);
      apply(g => eliminateRelations(g, solver));
      simplify();
      apply(mergeEdges);
      if (sizeOf(current) === before) break;
    }
  };
  simplify();
  shrink();
  apply(g => splitDisjunctions(g, rewriter));
  simplify();
  shrink();
  return passes;
}

/** What passes make smaller. */
function sizeOf({ relations, edges }: HornGraph): string {
  const places = relations.reduce((sum, r) => sum + r.places.length, 0);
  return `${relations.length} ${edges.length} ${places}`;
}
