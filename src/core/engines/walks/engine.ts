/** Random walks as an engine: the first initial state comes from the concrete solver, everything else from evaluation. */
import type { ConcreteModel } from '../../../bv/model.ts';
import { ConcreteSolver } from '../../../bv/solver.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import type { State } from './initial-states.ts';
import { type Inputs, Walks } from './walks.ts';

export const WALKS: EngineKind = {
  name: 'walks',
  help: 'random walks, for violations that are very deep',
  proves: false,
  refutes: true,
  obstacle: views => (Walks.canWalk(views.flat.system) ? undefined : 'its steps are no matter of evaluation'),
  start: (views, env) => new WalkEngine(views, env),
};

export class WalkEngine implements Engine {
  private readonly views: Views;
  private readonly env: Env;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private walks: Walks | undefined;

  /** The views must have no obstacle. */
  constructor(views: Views, env: Env) {
    this.views = views;
    this.env = env;
    this.effort = new Effort(env.budget);
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    return this.walks === undefined ? {} : { nodes: this.walks.evaluated, ...this.walks.counts };
  }

  private *search(): Work<Outcome> {
    const { flat, fromFlat } = this.views;
    const { seed } = this.env.options;
    const walks = new Walks(flat.system, yield* this.initialState(), seed);
    this.walks = walks;
    const path = yield* this.metered(walks);
    this.effort.isFinishing = true;
    const trace = yield* walks.shortRun(path);
    return fromFlat({ kind: 'unsafe', derivation: flat.derivation(trace) });
  }

  /** Pauses only when the effort is used up. */
  private *metered(walks: Walks): Work<Inputs[]> {
    const { effort } = this;
    const work = walks.search();
    for (;;) {
      const { done, value } = work.next();
      effort.spend(walks.evaluated - effort.spent);
      if (done === true) return value;
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
    }
  }

  /** Walks begin in one initial state, whichever the solver finds. */
  private *initialState(): Work<State> {
    const { system } = this.views.flat;
    const { backEnd, budget } = this.env;
    const solver = new ConcreteSolver(system.terms, { backEnd });
    try {
      for (const f of system.init) solver.assert(f);
      const model: ConcreteModel = yield* modelOf(solver, budget);
      return system.states.map(s => model.value(s.current));
    } finally {
      solver.dispose();
    }
  }
}

function* modelOf(solver: ConcreteSolver, budget: Env['budget']): Work<ConcreteModel> {
  let answer = solver.solve([], budget);
  if (solver.unknownReason === 'load') {
    yield 'load';
    answer = solver.solve([], budget);
  }
  if (answer === 'sat') return solver.model();
  if (answer === 'unsat') throw new Unknown('incomplete', 'there is no initial state to begin in');
  throw new Unknown(solver.unknownReason ?? 'incomplete');
}
