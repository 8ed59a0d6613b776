/** BTOR2 as a front end: circuits are transition systems, with HWMCC's witnesses and witness circuits besides. */

import { isShortened } from '../../core/problem/repetition.ts';
import type { Property } from '../../core/problem/system.ts';
import type { SystemProblem } from '../../core/problem/system-problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { TermStore } from '../../term/store.ts';
import { NotExpressible } from '../not-expressible.ts';
import type { CompetitionAnswer, PropertyName, Question } from '../question.ts';
import { systemQuestion } from '../system-question.ts';
import { readBtor2 } from './reader.ts';
import { btor2Witness } from './witness.ts';
import { btor2Certificate } from './writer.ts';

export function btor2Question(
  terms: TermStore,
  file: string,
  text: string,
  checkpoint: Checkpoint,
  warn: (line: string) => void,
): Question {
  return systemQuestion(file, 'btor2', readBtor2(terms, file, text, checkpoint, warn), posed => ({
    moreCertificate: (property, proof) => witnessCircuit(posed, property, proof),
    competition: { name: 'hwmcc', text: answers => hwmccText(posed, answers) },
  }));
}

/** As HWMCC has it: `sat` is a violation, with a witness; of several properties, the first violated one. */
function hwmccText(posed: SystemProblem, answers: readonly CompetitionAnswer[]): string {
  for (const answer of answers) {
    if (answer.kind !== 'unsafe') continue;
    if (isShortened(answer.derivation.steps)) return 'unknown\n'; // a witness lists every step
    return btor2Witness(posed.system, propertyOf(posed, answer.property), posed.trace(answer.derivation));
  }
  return answers.every(a => a.kind === 'safe') ? 'unsat\n' : 'unknown\n';
}

/** Where BTOR2 can say it: an invariant that is inductive by itself. */
function witnessCircuit(
  posed: SystemProblem,
  property: PropertyName,
  proof: Parameters<SystemProblem['systemProof']>[0],
): { name: string; text: string }[] {
  if (proof.k > 0) return [];
  try {
    const text = btor2Certificate(posed.system, propertyOf(posed, property), posed.systemProof(proof));
    return [{ name: 'witness.btor2', text }];
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    return [];
  }
}

function propertyOf({ system }: SystemProblem, { index }: PropertyName): Property {
  return system.properties.find(p => p.index === index) as Property;
}
