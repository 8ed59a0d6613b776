/** A toy engine: is the property violated in an initial state? */
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { Effort, Portions } from '../../src/core/engines/effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../../src/core/engines/engine.ts';
import { traceAlong } from '../../src/core/problem/trace.ts';
import { Unknown } from '../../src/sat/unknown.ts';
import type { Work } from '../../src/sat/work.ts';

export const FIRST_STATE: EngineKind = {
  name: 'first-state',
  help: 'violations in an initial state',
  proves: false,
  refutes: true,
  obstacle: views => void views.flat, // throws where there is no flat view
  start: (views, env) => new FirstState(views, env),
};

class FirstState implements Engine {
  private readonly views: Views;
  private readonly effort: Effort;
  private readonly portions: Portions;

  constructor(views: Views, { budget }: Env) {
    this.views = views;
    this.effort = new Effort(budget);
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    return { questions: 1 };
  }

  private *search(): Work<Outcome> {
    const { flat, fromFlat } = this.views;
    const { system } = flat;
    const { terms, init, constraints, property } = system;
    const solver = new ConcreteSolver(terms, { backEnd: () => new OwnEngine() });
    for (const f of [...init, ...constraints, terms.not(property)]) solver.assert(f);
    yield 'turn';
    const answer = solver.solve([], this.effort.allowance);
    this.effort.spend(1000 + solver.clauseCount);
    if (answer !== 'sat') throw new Unknown('incomplete', 'there is no violation in an initial state');
    const model = solver.model();
    const trace = traceAlong(system, {
      length: 1,
      initial: v => model.value(v),
      input: v => model.value(v),
      after: s => model.value(s.next),
      functionValue: (f, args) => model.apply(f, args),
    });
    return fromFlat({ kind: 'unsafe', derivation: flat.derivation(trace) });
  }
}
