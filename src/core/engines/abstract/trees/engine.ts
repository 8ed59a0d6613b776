/**
 * The abstract engine for edges with several sources (non-linear clauses: calls and their returns): derivations are trees
 * there, and not runs. The search for an invariant over uninterpreted functions and its refinement are those of the abstract
 * engine, with trees in the place of paths.
 *
 *   derivations.ts    edges as formulas             tree-search.ts    frames, and facts below them
 *   tree-solvers.ts   which solver is told what     tree-refiner.ts   is a tree real, and if not, why
 *   tree-queries.ts   from a model to cubes         tree.ts           what a tree and a fact are
 */
import type { Work } from '../../../../sat/work.ts';
import { Op } from '../../../../term/operators.ts';
import { SortKind } from '../../../../term/sort.ts';
import type { TermId } from '../../../../term/store.ts';
import { isLinear, type Location, type Problem } from '../../../problem/problem.ts';
import { lemmasOfEdges, type Proof } from '../../../problem/proof.ts';
import { Effort, Portions } from '../../effort.ts';
import type { Engine, EngineKind, Env, LearntLemma, Outcome, Views } from '../../engine.ts';
import { Frames } from '../../ic3/frames.ts';
import { Generalizer } from '../../ic3/generalize.ts';
import { type Cube, Cubes, subsumes } from '../cube.ts';
import { Shared } from '../frame-solver.ts';
import { Signature } from '../signature.ts';
import { derivationOf, type Fact, type Tree } from './tree.ts';
import { TreeQueries } from './tree-queries.ts';
import { type TreeRefinement, TreeRefiner } from './tree-refiner.ts';
import { TreeSearch } from './tree-search.ts';
import { TreeSolvers } from './tree-solvers.ts';

export const TREES: EngineKind = {
  name: 'trees',
  help: 'the abstract engine on derivation trees, for edges with several sources',
  proves: true,
  refutes: true,
  obstacle: ({ problem }) => obstacleOf(problem),
  start: (views, env) => new TreeEngine(views, env),
};

function obstacleOf(problem: Problem): string | undefined {
  if (isLinear(problem)) return 'derivations are runs here';
  const { terms, locations, edges } = problem;
  if (locations.some(l => l.constraints.length > 0)) return 'it takes no locations with constraints';
  const all = terms.postorder([
    ...locations.flatMap(l => l.places),
    ...edges.flatMap(e => [e.guard, ...e.values]),
  ]);
  const isForeign = (t: TermId) =>
    (terms.op(t) === Op.APPLY && terms.arity(t) > 0) ||
    terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED;
  return all.some(isForeign) ? 'it takes no declared functions and sorts' : undefined;
}

/** A counterexample to generalisation would be a state of each source. */
const OPTIONS = { counterexamples: 0, pushFurther: false };

export class TreeEngine implements Engine {
  readonly lemmas: LearntLemma[] = [];
  private readonly problem: Problem;
  private readonly env: Env;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly shared: Shared;
  private readonly solvers: TreeSolvers;
  private readonly frames = new Frames<Cube>(subsumes);
  private readonly search: TreeSearch;
  private readonly refiner: TreeRefiner;
  private refinements = 0;

  constructor({ problem }: Views, env: Env) {
    this.problem = problem;
    this.env = env;
    this.effort = new Effort(env.budget);
    this.shared = new Shared(problem.terms, env, this.effort);
    const signature = new Signature(problem);
    this.solvers = new TreeSolvers(problem, this.shared);
    const queries = new TreeQueries(problem, this.shared, signature, this.solvers);
    const options = { ...OPTIONS, dropLiterals: env.options.generalize };
    this.refiner = new TreeRefiner(problem, signature, env, this.effort);
    this.search = new TreeSearch({
      problem,
      queries,
      solvers: this.solvers,
      frames: this.frames,
      generalizer: new Generalizer(queries, this.frames, new Cubes(), options),
      effort: this.effort,
      refine: (tree, premises) => this.refine(tree, premises),
    });
    this.portions = new Portions(this.effort, this.check());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { frames, shared, refiner, search } = this;
    const { state, step, path } = refiner.counts;
    return {
      depth: frames.depth,
      cubes: frames.added,
      facts: search.factCount,
      refinements: this.refinements,
      stateRefinements: state,
      stepRefinements: step,
      treeRefinements: path,
      lemmas: this.lemmas.length,
      badQueries: shared.counts.bad,
      relativeQueries: shared.counts.relative,
    };
  }

  private *check(): Work<Outcome> {
    const { problem, env } = this;
    const result = yield* env.profile.during('search', this.search.run());
    return result.kind === 'fixpoint'
      ? { about: problem, kind: 'safe', proof: this.proof(result.level) }
      : { about: problem, kind: 'unsafe', derivation: derivationOf(result.fact) };
  }

  private *refine(tree: Tree, premises: readonly Fact[]): Work<TreeRefinement> {
    const start = performance.now();
    const refinement = yield* this.env.profile.during('refinement', this.refiner.refine(tree, premises));
    if (refinement.kind === 'real') return refinement;
    this.refinements++;
    const milliseconds = (performance.now() - start) / refinement.lemmas.length;
    for (const { formula, stage, kind, content } of refinement.lemmas) {
      const words = `${stage === 'path' ? 'tree' : stage}, ${kind}, ${content}`;
      this.lemmas.push({ terms: this.problem.terms, formula, kind: words, milliseconds });
      this.solvers.addLemma(formula);
    }
    return refinement;
  }

  /** R_level is inductive: the clauses that exclude cubes from it. */
  private proof(level: number): Proof {
    const { problem, shared, frames } = this;
    const { terms } = problem;
    const model = new Map<Location, TermId>();
    for (const [l, own] of this.solvers.invariants(frames.excluded(level))) model.set(l, terms.and(own));
    const lemmas = [...this.lemmas.map(l => l.formula), ...shared.axioms];
    return { model, lemmas: lemmasOfEdges(problem, lemmas), k: 0 };
  }
}
