/** Checks somebody's invariant of a transition system: does it prove a property? */
import { checkProof, type ProofCheck } from '../../core/evidence/check-proof.ts';
import type { PlainOptions } from '../../core/evidence/plain/refute.ts';
import { restrictedTo } from '../../core/problem/problem.ts';
import { SystemProblem } from '../../core/problem/system-problem.ts';
import type { Work } from '../../sat/work.ts';
import { InputError } from '../diagnostic.ts';
import type { PropertyName, Question } from '../question.ts';
import { readInvariant } from './reader.ts';

/** Throws an InputError if what is asked has no invariants of this kind. */
export function expectCertifiable({ file, format }: Question): void {
  if (format === 'horn')
    throw new InputError(file, 1, 1, 'certify is for transition systems (VMT, BTOR2), not for Horn clauses');
}

/** Throws an InputError where the invariant cannot be read. */
export function* certified(
  question: Question,
  property: PropertyName,
  invariant: { readonly file: string; readonly text: string },
  how: PlainOptions,
): Work<ProofCheck> {
  const posed = new SystemProblem(question.system(property));
  const proof = posed.proof(readInvariant(posed.system, invariant.file, invariant.text));
  const nameOf = (edge: Parameters<typeof posed.nameOf>[0]) => posed.nameOf(edge);
  return yield* checkProof(restrictedTo(posed.problem, property.index), proof, { ...how, nameOf });
}
