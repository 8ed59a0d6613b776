/** A problem as it can be run: where guards say what inputs are, by equations, they are that, and need not be guessed. */
import { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { Problem } from '../problem/problem.ts';
import { composed, type Pass } from './pass.ts';
import { simplifyEdges } from './simplify-edges.ts';
import { splitDisjunctions } from './split-disjunctions.ts';

/** Passes that keep steps: what is run is what the user wrote. */
export function preparedToRun(problem: Problem, checkpoint: Checkpoint): Pass {
  const rewriter = new Rewriter(problem.terms, undefined, () => checkpoint.pass());
  const solver = new EquationSolver(rewriter, checkpoint);
  const solved = simplifyEdges(problem, solver);
  const split = splitDisjunctions(solved.problem, rewriter);
  return composed(problem, [solved, split, simplifyEdges(split.problem, solver)], checkpoint);
}
