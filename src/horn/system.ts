/**
 * A Horn problem as a transition system, with the way back: text → clauses → graph → passes → system, and from a proof
 * or a run of the system to a model or a derivation in terms of the user's clauses. Nothing here decides anything;
 * what comes back is to be checked against the clauses (`check.ts`).
 */

import { EquationSolver } from '../bv/preprocess/equation-solver.ts';
import type { Proof } from '../core/system/proof.ts';
import type { System } from '../core/system/system.ts';
import type { Trace } from '../core/system/trace.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId } from '../term/store.ts';
import { eliminateRelations } from './contract.ts';
import { type Encoding, encode } from './encode.ts';
import { type Edge, type HornGraph, headRelation, type Pass } from './graph.ts';
import { type LocatePass, locate, valuesIn } from './locate.ts';
import { rememberEntries } from './loops.ts';
import { mergeEdges } from './merge.ts';
import { normalize } from './normalize.ts';
import { postponeConditions } from './postpone.ts';
import {
  type Atom,
  type Clause,
  type ClauseDerivation,
  type HornProblem,
  isQuery,
  type Model,
} from './problem.ts';
import { propagateEqualities } from './propagate.ts';
import { removeIrrelevant } from './reduce.ts';
import { simplifyEdges } from './simplify.ts';
import { inputsFromArguments, sliceArguments } from './slice.ts';
import { splitDisjunctions } from './split.ts';

export interface HornOptions {
  readonly encoding: Encoding;
  /** Transform the graph before it is encoded. */
  readonly preprocess: boolean;
  /** The limits of the work; without them it goes on to its end. */
  readonly checkpoint?: Checkpoint;
}

export const DEFAULT_HORN_OPTIONS: HornOptions = { encoding: 'sliced', preprocess: true };

export interface HornSystem {
  readonly system: System;
  /** The model of the user's relations that a proof of a query's property gives. */
  readonly model: (proof: Proof, query: number, checkpoint?: Checkpoint) => Model;
  /** The derivation from the user's clauses that a run gives which violates the property of a query. */
  readonly derivation: (trace: Trace, query: number, checkpoint?: Checkpoint) => ClauseDerivation;
  /** Formulas over the system's variables as such about the arguments of a clause's body and head. */
  readonly instantiate: (formulas: readonly TermId[], clause: Clause) => readonly TermId[];
}

/** Each round makes others possible; few problems gain anything after so many. */
const MAX_ROUNDS = 8;

/** A state machine inside of a program shows once the program's own locations are made. */
const MAX_LOCATED = 3;

/** More instances of lemmas than this help nobody; then a clause is checked bit by bit. */
const MAX_INSTANCES = 3000;

/** Of the rewriter and of a pass, against that of reading a token. */
const WORK_OF_A_TERM = 10;
const WORK_OF_A_PASS = 1000;

export function hornSystem(problem: HornProblem, options: HornOptions = DEFAULT_HORN_OPTIONS): HornSystem {
  const checkpoint = options.checkpoint ?? new Checkpoint();
  const { graph, derivation } = normalize(problem, checkpoint);
  const { passes, located } = options.preprocess ? preprocess(graph, checkpoint) : UNCHANGED;
  const last = passes.at(-1)?.graph ?? graph;
  const encoded = encode(last, problem.queries, options.encoding, checkpoint);
  const rewriter = new Rewriter(problem.terms);
  let ends: ReadonlySet<string> | undefined; // needed once there is a proof, if ever
  return {
    system: encoded.system,
    instantiate: (formulas, clause) => {
      if (formulas.length === 0) return [];
      ends ??= new Set(last.edges.map(endsOf));
      const pairs = applicationsOf(clause, located, rewriter, ends);
      if (pairs.length * formulas.length > MAX_INSTANCES) return [];
      const instances = formulas.flatMap(f => pairs.map(([now, next]) => encoded.instantiate(f, now, next)));
      return [...new Set(instances)];
    },
    model: (proof, query, limits) =>
      passes.reduceRight((model, pass) => {
        limits?.pass(WORK_OF_A_PASS);
        return pass.model(model, query);
      }, encoded.model(proof)),
    derivation: (trace, query, limits) => {
      const steps = passes.reduceRight(
        (before, pass) => {
          limits?.pass(WORK_OF_A_PASS);
          return pass.derivation(before);
        },
        encoded.derivation(trace, query, limits),
      );
      limits?.pass(WORK_OF_A_PASS);
      return derivation(steps);
    },
  };
}

/** Between which relations an edge leads. */
function endsOf(edge: Edge): string {
  return `${edge.body?.name} > ${headRelation(edge)?.name}`;
}

type Pair = readonly [now: Atom | undefined, next: Atom | undefined];

/** The steps that a clause may be at the end of all passes, and the states that it leads to. */
function applicationsOf(
  clause: Clause,
  located: readonly LocatePass[],
  rewriter: Rewriter,
  ends: ReadonlySet<string>,
): Pair[] {
  const { body, constraint, head } = clause;
  const known = valuesIn(rewriter, constraint);
  const applications = (atom: Atom | undefined): readonly (Atom | undefined)[] =>
    atom === undefined
      ? [undefined]
      : located.reduce<readonly Atom[]>((all, pass) => all.flatMap(a => pass.applications(a, known)), [atom]);
  const isStep = ([now, next]: Pair) =>
    located.length === 0 || ends.has(`${now?.relation.name} > ${next?.relation.name}`);
  const heads = applications(isQuery(head) ? undefined : head);
  const steps = applications(body).flatMap(now => heads.map((next): Pair => [now, next]));
  return [...steps.filter(isStep), ...heads.map((next): Pair => [next, undefined])];
}

interface Preprocessed {
  readonly passes: readonly Pass[];
  /** Those of them that made locations. */
  readonly located: readonly LocatePass[];
}

const UNCHANGED: Preprocessed = { passes: [], located: [] };

function preprocess(graph: HornGraph, checkpoint: Checkpoint): Preprocessed {
  const rewriter = new Rewriter(graph.terms, undefined, () => checkpoint.pass(WORK_OF_A_TERM));
  const solver = new EquationSolver(rewriter, checkpoint);
  const passes: Pass[] = [];
  let current = graph;
  const apply = (pass: (g: HornGraph) => Pass) => {
    checkpoint.pass(WORK_OF_A_PASS);
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
      apply(g => postponeConditions(g, rewriter));
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
  const located: LocatePass[] = [];
  for (let round = 0; round < MAX_LOCATED; round++) {
    const pass = locate(current, rewriter);
    if (pass === undefined) break;
    located.push(pass);
    apply(() => pass);
    simplify();
    shrink();
    apply(g => splitDisjunctions(g, rewriter));
    simplify();
  }
  if (located.length === 0) shrink();
  apply(g => rememberEntries(g, solver));
  return { passes, located };
}

/** What passes make smaller. */
function sizeOf({ relations, edges }: HornGraph): string {
  const places = relations.reduce((sum, r) => sum + r.places.length, 0);
  return `${relations.length} ${edges.length} ${places}`;
}
