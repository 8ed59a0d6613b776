/** Executions as an engine: the problem as it was written, run by evaluation, for violations that are very far away. */

import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import { SortKind } from '../../../term/sort.ts';
import { conditionsOf, isLinear, type Problem } from '../../problem/problem.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { Executor } from '../evaluation/executor.ts';

export const EXECUTIONS: EngineKind = {
  name: 'executions',
  help: 'executes the problem as it is written, for violations that are a million steps away',
  proves: false,
  refutes: true,
  obstacle: ({ problem }) => obstacleOf(problem),
  start: (views, env) => new ExecutionEngine(views, env),
};

/** What is not found with so many nodes seldom is: those after them count more. */
const EARLY = 120_000_000;
const LATER = 6;

function obstacleOf(problem: Problem): string | undefined {
  if (!isLinear(problem)) return 'it takes no edges with several sources (non-linear clauses)';
  if (problem.locations.length < 2) return 'walks take what has one location';
  const { terms, edges } = problem;
  for (const t of terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values]))) {
    if (terms.op(t) === Op.APPLY && terms.arity(t) > 0) return 'it takes no declared functions';
    if (terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED) return 'it takes no declared sorts';
  }
  return undefined;
}

export class ExecutionEngine implements Engine {
  private readonly problem: Problem;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly executor: Executor;

  constructor({ problem }: Views, { budget, options }: Env) {
    this.problem = problem;
    this.effort = new Effort(budget);
    this.executor = new Executor(problem, options.seed);
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    return { nodes: this.executor.evaluated, ...this.executor.counts };
  }

  /** Pauses only when the effort is used up. */
  private *search(): Work<Outcome> {
    const { effort, executor, problem } = this;
    const work = executor.search();
    for (;;) {
      const before = executor.evaluated;
      const { done, value } = work.next();
      effort.spend((executor.evaluated - before) * (before < EARLY ? 1 : LATER));
      if (done === true) return { kind: 'executed', about: problem, execution: value };
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
    }
  }
}
