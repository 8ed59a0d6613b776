/**
 * One engine alone, on a system as it is written or in its normal form, without the other passes and without a portfolio. What
 * it finds is brought back to what was written and checked there.
 */
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import type { HeavyBackEnd } from '../../../src/bv/tiered.ts';
import type { Verdict } from '../../../src/check.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../../../src/core/engines/engine.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { type Pass, unchanged } from '../../../src/core/passes/pass.ts';
import { simplifyEdges } from '../../../src/core/passes/simplify-edges.ts';
import { viewsOf } from '../../../src/core/portfolio/views.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { isQuery, restrictedTo } from '../../../src/core/problem/problem.ts';
import type { System } from '../../../src/core/problem/system.ts';
import type { Question } from '../../../src/formats/question.ts';
import type { Budget } from '../../../src/sat/budget.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { complaintAbout, questionOf } from '../../support/checking.ts';

/** As it is written: the next state is a relation. Normal: equations are solved for the next state. */
export type Form = 'written' | 'normal';

/** What a violation depends on is left as it is, so that k-inductive proofs come back. */
function passFor(question: Question, form: Form): Pass {
  const problem = restrictedTo(question.problem, question.properties[0].index);
  return form === 'written'
    ? unchanged(problem)
    : simplifyEdges(problem, new EquationSolver(new Rewriter(problem.terms)), e => isQuery(e.head));
}

function viewsAfter(pass: Pass): Views {
  return viewsOf(pass.problem, pass, new Checkpoint());
}

/** The views of a question's first property. */
export function viewsOfForm(question: Question, form: Form): Views {
  return viewsAfter(passFor(question, form));
}

export interface AloneOptions {
  readonly form?: Form;
  readonly budget?: Budget;
  readonly engine?: Partial<EngineOptions>;
}

export class Alone {
  readonly views: Views;
  private readonly pass: Pass;
  private readonly kind: EngineKind;
  private readonly env: Env;
  private readonly question: Question;
  private readonly heavy: HeavyBackEnd;
  private started: Engine | undefined;

  constructor(
    kind: EngineKind,
    system: System,
    heavy: HeavyBackEnd,
    { form = 'normal', budget = {}, engine = {} }: AloneOptions = {},
  ) {
    this.question = questionOf(system);
    this.pass = passFor(this.question, form);
    this.views = viewsAfter(this.pass);
    this.kind = kind;
    this.heavy = heavy;
    this.env = {
      options: { ...DEFAULT_ENGINE_OPTIONS, ...engine },
      budget,
      profile: new Profile(),
      backEnd: heavy.backEnd,
    };
  }

  /** Why the engine does not take the system, if it does not. */
  get obstacle(): string | undefined {
    return this.kind.obstacle(this.views, this.env);
  }

  get engine(): Engine {
    return (this.started ??= this.kind.start(this.views, this.env));
  }

  /** Portion after portion, until there is an answer or something to wait for. */
  finish(portion: number): Outcome {
    for (;;) {
      const outcome = this.engine.run(portion);
      if (outcome.kind !== 'working' && outcome.kind !== 'finishing') return outcome;
    }
  }

  /** The verdict that an outcome proves of what was written, or what is wrong with the proof, or what it is instead. */
  proven(outcome: Outcome): string {
    const verdict = this.verdict(outcome);
    if (typeof verdict === 'string') return verdict;
    return complaintAbout(this.question, this.heavy, verdict) ?? verdict.kind;
  }

  private verdict(outcome: Outcome): Verdict | string {
    const { back, problem } = this.pass;
    switch (outcome.kind) {
      case 'safe':
        return { kind: 'safe', proof: back.proof(outcome.proof) };
      case 'unsafe':
        return {
          kind: 'unsafe',
          derivation: completed(problem.terms, back.derivation(outcome.derivation)),
        };
      case 'unknown':
        return outcome;
      default:
        return outcome.kind;
    }
  }
}

/** How many states the run has that an outcome or a verdict is, if it is one. */
export function runLength(outcome: Outcome | Verdict): number | undefined {
  return outcome.kind === 'unsafe' ? outcome.derivation.steps.length - 1 : undefined;
}
