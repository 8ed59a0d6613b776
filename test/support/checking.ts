/** Checks questions in tests, and checks once more, from outside, what their evidence proves. */
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { type CheckOptions, PropertyCheck, type Verdict } from '../../src/check.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import { checkRounds } from '../../src/core/evidence/check-rounds.ts';
import { restrictedTo } from '../../src/core/problem/problem.ts';
import type { System } from '../../src/core/problem/system.ts';
import { type PropertyName, type Question, queriesOf } from '../../src/formats/question.ts';
import { systemQuestion } from '../../src/formats/system-question.ts';
import { complete } from '../../src/sat/work.ts';
import { loadCadicalForTests } from './cadical.ts';

export type Options = Partial<Omit<CheckOptions, 'heavy'>>;

/** The WebAssembly SAT solver, loaded. */
export async function loadedBackEnd(): Promise<HeavyBackEnd> {
  const heavy = new HeavyBackEnd(loadCadicalForTests, message => {
    throw new Error(message);
  });
  await heavy.load();
  return heavy;
}

/** A system as the question that a VMT file with it would be. */
export function questionOf(system: System): Question {
  return systemQuestion('test', 'vmt', system);
}

/** The check of a property, which is yet to run: `complete(check.run())` gives the verdict, and then there are statistics. */
export function checkOf(
  question: Question,
  heavy: HeavyBackEnd,
  options: Options = {},
  property: PropertyName = question.properties[0],
): PropertyCheck {
  return new PropertyCheck(question, property, { budget: {}, ...options, heavy });
}

export function verdictOf(
  question: Question,
  heavy: HeavyBackEnd,
  options: Options = {},
  property: PropertyName = question.properties[0],
): Verdict {
  return complete(checkOf(question, heavy, options, property).run());
}

/** What is wrong with a verdict, if its evidence does not prove it; an unknown is wrong, too. */
export function complaintAbout(
  question: Question,
  heavy: HeavyBackEnd,
  verdict: Verdict,
  property: PropertyName = question.properties[0],
): string | undefined {
  const problem = restrictedTo(question.problem, queriesOf(property));
  const { nameOf } = question.words;
  switch (verdict.kind) {
    case 'unknown':
      return verdict.text;
    case 'unsafe':
      return (
        checkDerivation(problem, queriesOf(property), verdict.derivation, nameOf) ??
        complete(checkRounds(problem, verdict.derivation, { heavy, budget: {} }))
      );
    case 'safe': {
      const check = complete(checkProof(problem, verdict.proof, { heavy, budget: {}, nameOf }));
      return check.kind === 'valid' ? undefined : check.text;
    }
  }
}
