/**
 * A problem with all loops that count taken as steps, from the inside to the outside: a loop around loops may count once these are
 * steps, and the passes have put it together.
 */
import { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { Problem } from '../../problem/problem.ts';
import { composed, type Pass } from '../pass.ts';
import { preprocess } from '../pipeline.ts';
import { accelerate, addLeaps } from './accelerate.ts';
import { splitPhases } from './split-phases.ts';

/** Loops around loops around loops. */
const MAX_NESTING = 3;

/** Facts would be thrown away here: they are found once all loops are steps. */
const NO_FACTS = { facts: false } as const;

/** Of a problem as passes have settled it; undefined if it has no such loop. `told`: only such as proofs can be told of. */
export function accelerated(
  problem: Problem,
  settled: Pass,
  which: 'told' | 'all',
  checkpoint: Checkpoint,
): Pass | undefined {
  const passes: Pass[] = [settled];
  let current: Problem = settled.problem;
  for (let i = 0; i < MAX_NESTING; i++) {
    const solver = new EquationSolver(new Rewriter(current.terms), checkpoint);
    const phases = splitPhases(current, solver);
    const faster = accelerate(phases.problem, solver, which);
    if (faster.problem === phases.problem) break;
    const again = preprocess(faster.problem, 'sliced', checkpoint, NO_FACTS).settled;
    passes.push(phases, faster, again);
    current = again.problem;
  }
  return passes.length === 1 ? undefined : composed(problem, passes, checkpoint);
}

/** With leaps where a loop has several ways round; undefined if there are none. */
export function withLeaps(problem: Problem, settled: Pass, checkpoint: Checkpoint): Pass | undefined {
  const solver = new EquationSolver(new Rewriter(problem.terms), checkpoint);
  const faster = addLeaps(settled.problem, solver);
  return faster.problem === settled.problem ? undefined : composed(problem, [settled, faster], checkpoint);
}

/** Are there loops that count, but of which proofs cannot be told? */
export function hasUntoldLoops(settled: Problem, checkpoint: Checkpoint): boolean {
  const solver = new EquationSolver(new Rewriter(settled.terms), checkpoint);
  const { problem } = splitPhases(settled, solver);
  const size = (which: 'told' | 'all') => accelerate(problem, solver, which).problem.edges.length;
  return size('all') < size('told');
}
