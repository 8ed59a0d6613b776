/**
 * IC3 over predicates with refinement: the engine of Birgmeier's thesis on IC3-CEGAR (TU Wien, 2014), on bit-vectors. Frames and
 * targets speak of predicates of each location; steps are asked about as they are, bit by bit, so that an answer is about
 * real steps, and only a step that leads elsewhere than to the state in question calls for new predicates. It is good
 * at what uninterpreted functions are bad at: orders, differences and parities of variables.
 *
 *   attempt.ts       one search                 refiner.ts      new predicates from cores
 *   domain.ts        predicates and cubes       mining.ts       new predicates from equations through refined states
 *   encoding.ts      predicates as labels       vocabulary.ts   what predicates may speak of
 *   step-solver.ts   steps into one location    weaker.ts       chains of predicates that imply each other
 *   solvers.ts       which solver is asked      lift.ts         from a step to the states that take it
 *   queries.ts       the questions of IC3       evidence.ts     models and runs
 *
 * Against the printed pseudo-code: whether a clause holds further on is asked of the clause, not of the state; clauses
 * for counterexamples to generalisation are added to the frame up to which they hold and not one further.
 */
import type { Work } from '../../../sat/work.ts';
import { isLinear, type Problem } from '../../problem/problem.ts';
import { bitObstacle } from '../bit-steps/circuit.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { Attempt } from './attempt.ts';

export const PREDICATES: EngineKind = {
  name: 'predicates',
  help: 'IC3 over predicates, for orders and differences between variables',
  proves: true,
  refutes: true,
  obstacle: ({ problem }) =>
    isLinear(problem) ? bitObstacle(problem) : 'it takes no edges with several sources (non-linear clauses)',
  start: (views, env) => new PredicateEngine(views, env),
};

/**
 * What refinement at once settles it settles soon: of 60 programs it solved 49 in 3 s, and 43 where spurious steps waited
 * from the beginning. But some that take longer are solved only where they wait. So the search begins anew after so much.
 */
const EAGER = 4_000_000;

export class PredicateEngine implements Engine {
  private readonly problem: Problem;
  private readonly env: Env;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private attempt: Attempt;

  constructor({ problem }: Views, env: Env) {
    this.problem = problem;
    this.env = env;
    this.effort = new Effort(env.budget);
    this.attempt = this.newAttempt(env.options.lazy === true);
    this.portions = new Portions(this.effort, this.check());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    return this.attempt.stats;
  }

  private newAttempt(isLazy: boolean): Attempt {
    return new Attempt(this.problem, this.env, this.effort, isLazy);
  }

  private *check(): Work<Outcome> {
    const { effort, env, problem } = this;
    const first = this.attempt.run();
    for (;;) {
      const { done, value } = first.next();
      if (done === true) return { about: problem, ...value };
      if (env.options.lazy === 'later' && effort.spent > EAGER) break;
      yield value;
    }
    this.attempt = this.newAttempt(true);
    return { about: problem, ...(yield* this.attempt.run()) };
  }
}
