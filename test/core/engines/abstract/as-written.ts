/**
 * The abstract engine by itself, on a problem whose edges are in normal form and otherwise as they were written: no other pass
 * takes away what the search is to find, and no other engine finds it first.
 */
import { EquationSolver } from '../../../../src/bv/preprocess/equation-solver.ts';
import type { HeavyBackEnd } from '../../../../src/bv/tiered.ts';
import type { Verdict } from '../../../../src/check.ts';
import { ABSTRACT } from '../../../../src/core/engines/abstract/engine.ts';
import type { Engine } from '../../../../src/core/engines/engine.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../../../src/core/env/options.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import { mergeEdges } from '../../../../src/core/passes/merge-edges.ts';
import { composed } from '../../../../src/core/passes/pass.ts';
import { simplifyEdges } from '../../../../src/core/passes/simplify-edges.ts';
import { viewsOf } from '../../../../src/core/portfolio/views.ts';
import { completed } from '../../../../src/core/problem/derivation.ts';
import { type Problem, restrictedTo } from '../../../../src/core/problem/problem.ts';
import type { PropertyName, Question } from '../../../../src/formats/question.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';

export interface Searched {
  /** About the question; its evidence is not checked yet. */
  readonly verdict: Verdict;
  readonly engine: Engine;
  /** What was searched. */
  readonly problem: Problem;
}

export function searchAsWritten(
  question: Question,
  heavy: HeavyBackEnd,
  options: Partial<EngineOptions> = {},
  property: PropertyName = question.properties[0],
): Searched {
  const given = restrictedTo(question.problem, property.index);
  const { terms } = given;
  const simple = simplifyEdges(given, new EquationSolver(new Rewriter(terms)));
  // Inputs have names of their own after this: as the front end has it, they may be next state variables.
  const merged = mergeEdges(simple.problem);
  const { problem, back } = composed(given, [simple, merged], new Checkpoint());
  const engine = ABSTRACT.start(viewsOf(problem, undefined, new Checkpoint()), {
    options: { ...DEFAULT_ENGINE_OPTIONS, ...options },
    budget: {},
    profile: new Profile(),
    backEnd: heavy.backEnd,
  });
  for (;;) {
    const found = engine.run(Number.POSITIVE_INFINITY);
    switch (found.kind) {
      case 'safe':
        return { verdict: { kind: 'safe', proof: back.proof(found.proof) }, engine, problem };
      case 'unsafe': {
        const derivation = completed(terms, back.derivation(found.derivation));
        return { verdict: { kind: 'unsafe', derivation }, engine, problem };
      }
      case 'unknown':
        return { verdict: found, engine, problem };
    }
  }
}
