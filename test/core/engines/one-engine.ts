/**
 * One engine on a system: on views of it as it was written, where steps are related, or in the normal form x' = f as far as
 * there is one. No other pass has changed anything.
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

type Form = 'written' | 'normal';

export const FORMS: readonly Form[] = ['written', 'normal'];

function passFor(question: Question, form: Form): Pass {
  const problem = restrictedTo(question.problem, question.properties[0].index);
  if (form === 'written') return unchanged(problem);
  const solver = new EquationSolver(new Rewriter(problem.terms));
  return simplifyEdges(problem, solver, e => isQuery(e.head));
}

function viewsAfter(pass: Pass): Views {
  return viewsOf(pass.problem, pass, new Checkpoint());
}

/** The views of a question's first property. */
export function viewsOfForm(question: Question, form: Form): Views {
  return viewsAfter(passFor(question, form));
}

interface Options {
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
    { form = 'normal', budget = {}, engine = {} }: Options = {},
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

  /** Runs it, portion after portion, until something comes of it. */
  finish(portion: number): Outcome {
    return this.within(portion, Number.POSITIVE_INFINITY) as Outcome;
  }

  /** The outcome, if it takes no more than so much effort. */
  within(portion: number, most: number): Outcome | undefined {
    for (let spent = 0; spent < most; spent += portion) {
      const outcome = this.engine.run(portion);
      if (outcome.kind !== 'working' && outcome.kind !== 'finishing') return outcome;
    }
    return undefined;
  }

  /** What the outcome proves by its evidence, or else what is wrong with it. */
  proven(outcome: Outcome): string {
    const verdict = this.verdict(outcome);
    if (verdict === undefined) return outcome.kind;
    return complaintAbout(this.question, this.heavy, verdict) ?? verdict.kind;
  }

  private verdict(outcome: Outcome): Verdict | undefined {
    const { back, problem } = this.pass;
    switch (outcome.kind) {
      case 'safe':
        return { kind: 'safe', proof: back.proof(outcome.proof) };
      case 'unsafe':
        return { kind: 'unsafe', derivation: completed(problem.terms, back.derivation(outcome.derivation)) };
      case 'unknown':
        return outcome;
      default:
        return undefined;
    }
  }
}

/** The states of the run that was found, the first and the violating one included. */
export function runLength(outcome: Outcome | Verdict): number | undefined {
  // The first step of a derivation derives the initial state.
  return outcome.kind === 'unsafe' ? outcome.derivation.steps.length - 1 : undefined;
}
