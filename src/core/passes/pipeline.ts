/**
 * The passes in their order. Each makes others possible, so they are repeated until the problem stays as large as it is.
 * Disjunctions are split before control is looked for, and locations that were found make way for more of all of it.
 */
import { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../env/options.ts';
import { type Edge, isLinear, isQuery, type Problem } from '../problem/problem.ts';
import { dropClosedConditions } from './drop-closed-conditions.ts';
import { dropUnusedPlaces, inputsFromPlaces } from './drop-places.ts';
import { eliminateLocations } from './eliminate-locations.ts';
import { addFacts } from './facts/add-facts.ts';
import { flatten } from './flatten.ts';
import { locate } from './locate.ts';
import { mergeEdges } from './merge-edges.ts';
import { ownStore } from './own-store.ts';
import { composed, type Pass, unchanged } from './pass.ts';
import { postponeConditions } from './postpone-conditions.ts';
import { propagateEqualities } from './propagate-equalities.ts';
import { relateSteps } from './relate-steps.ts';
import { rememberEntries } from './remember-entries.ts';
import { removeIrrelevant } from './remove-irrelevant.ts';
import { shareVariables } from './share-variables.ts';
import { simplifyEdges } from './simplify-edges.ts';
import { splitDisjunctions } from './split-disjunctions.ts';
import { unfoldCalls } from './unfold/unfold-calls.ts';

/**
 *   sliced       locations stay, and engines may ask about the steps into one of them at a time
 *   functional   one location, in which the next value of every place is a term (Figure 4.1 of the dissertation)
 *   relational   one location and one step, a disjunction (section 4.2.2)
 */
export type Encoding = 'sliced' | 'functional' | 'relational';

export const ENCODINGS: readonly Encoding[] = ['functional', 'relational', 'sliced'];

/** Few problems gain anything after so many rounds. */
const MAX_ROUNDS = 8;

/** A state machine inside of a program shows once the program's own locations are made. */
const MAX_LOCATED = 3;

/** Of the rewriter and of a pass, against that of reading a token. */
const WORK_OF_A_TERM = 10;
const WORK_OF_A_PASS = 1000;

export interface Prepared {
  /** All passes. */
  readonly all: Pass;
  /** Those before anything is added that the problem does not say itself: what other passes may go on from. */
  readonly settled: Pass;
  /** Those before control is looked for, if they keep the user's steps, between states of one location. */
  readonly early: Pass | undefined;
}

export type PassOptions = Pick<EngineOptions, 'facts'>;

/** `last`: what else is done to the problem when nothing gets smaller any more. */
export function preprocess(
  problem: Problem,
  encoding: Encoding,
  checkpoint: Checkpoint,
  options: PassOptions = DEFAULT_ENGINE_OPTIONS,
  last: (problem: Problem, checkpoint: Checkpoint) => Pass = unchanged,
): Prepared {
  return new Pipeline(problem, checkpoint, options).run(encoding, last);
}

class Pipeline {
  private readonly given: Problem;
  private readonly checkpoint: Checkpoint;
  private readonly options: PassOptions;
  private readonly rewriter: Rewriter;
  private readonly solver: EquationSolver;
  private readonly passes: Pass[] = [];
  private current: Problem;
  private isEarly: boolean; // what becomes of the one location must suit k-inductive proofs

  constructor(problem: Problem, checkpoint: Checkpoint, options: PassOptions) {
    this.given = problem;
    this.current = problem;
    this.checkpoint = checkpoint;
    this.options = options;
    this.rewriter = new Rewriter(problem.terms, undefined, () => checkpoint.pass(WORK_OF_A_TERM));
    this.solver = new EquationSolver(this.rewriter, checkpoint);
    this.isEarly = problem.locations.length === 1;
  }

  run(encoding: Encoding, last: (problem: Problem, checkpoint: Checkpoint) => Pass): Prepared {
    this.simplify();
    this.shrink();
    const early = this.composed();
    this.isEarly = false;
    this.split();
    let rounds = 0;
    for (; rounds < MAX_LOCATED; rounds++) {
      const located = locate(this.current, this.rewriter, this.checkpoint);
      if (located === undefined) break;
      this.apply(() => located);
      this.simplify();
      this.shrink();
      this.split();
    }
    if (rounds === 0) this.shrink();
    const settled = this.composed();
    this.addFacts();
    this.apply(p => rememberEntries(p, this.solver));
    this.apply(p => last(p, this.checkpoint));
    this.apply(shareVariables);
    if (encoding !== 'sliced') this.apply(p => flatten(p, this.rewriter, this.checkpoint));
    if (encoding === 'relational') this.apply(relateSteps);
    this.apply(p => ownStore(p, this.checkpoint));
    return { all: this.composed(), settled, early: this.isStepByStep(early) ? early : undefined };
  }

  /** A k-inductive proof is about runs in one location, and so is what a step is. */
  private isStepByStep({ back }: Pass): boolean {
    return back.keepsSteps && this.given.locations.length === 1 && isLinear(this.given);
  }

  private composed(): Pass {
    return composed(this.given, [...this.passes], this.checkpoint);
  }

  private apply(pass: (problem: Problem) => Pass): void {
    this.checkpoint.pass(WORK_OF_A_PASS);
    const result = pass(this.current);
    if (result.problem === this.current) return;
    this.passes.push(result);
    this.current = result.problem;
  }

  private simplify(): void {
    this.apply(p => simplifyEdges(p, this.solver, this.keepsInputs));
    this.apply(p => dropClosedConditions(p, this.rewriter, this.keepsInputs));
    this.apply(removeIrrelevant);
  }

  /** To a k-inductive proof, a state without a violation is one without a violation by the inputs of its step. */
  private readonly keepsInputs = (edge: Edge): boolean => this.isEarly && isQuery(edge.head);

  private addFacts(): void {
    const { facts } = this.options;
    if (facts === false) return;
    const kinds = { intervals: facts !== 'equations', equations: facts !== 'intervals' };
    const before = this.current;
    this.apply(p => addFacts(p, this.rewriter, this.checkpoint, kinds));
    if (this.current === before) return;
    this.simplify();
    // Without the edges that are never taken, more places may be the same.
    this.apply(p => propagateEqualities(p, this.rewriter));
    this.apply(dropUnusedPlaces);
    this.simplify();
  }

  private split(): void {
    this.apply(p => splitDisjunctions(p, this.rewriter));
    this.simplify();
  }

  private shrink(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = sizeOf(this.current);
      this.apply(p => propagateEqualities(p, this.rewriter));
      this.apply(dropUnusedPlaces);
      this.apply(p => postponeConditions(p, this.rewriter));
      this.apply(inputsFromPlaces);
      if (!this.isEarly) this.apply(p => eliminateLocations(p, this.solver));
      this.apply(p => unfoldCalls(p, this.solver));
      this.simplify();
      this.apply(p => mergeEdges(p, this.keepsInputs));
      if (sizeOf(this.current) === before) break;
    }
  }
}

/** What passes make smaller. */
function sizeOf({ locations, edges }: Problem): string {
  const places = locations.reduce((sum, l) => sum + l.places.length, 0);
  return `${locations.length} ${edges.length} ${places}`;
}
