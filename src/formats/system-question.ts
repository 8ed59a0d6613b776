/** A question that is a transition system: invariants and runs are about its own variables. */

import { type Edge, isQuery, restrictedTo } from '../core/problem/problem.ts';
import type { Property, System } from '../core/problem/system.ts';
import { SystemProblem } from '../core/problem/system-problem.ts';
import type { Format } from './format.ts';
import { certificateScripts, type Title } from './proof/certificate.ts';
import { invariantText } from './proof/writer.ts';
import type { Competition, PropertyName, Question, Words } from './question.ts';
import { traceJson } from './run/json.ts';
import { pathTable, traceTable } from './run/table.ts';
import { traceVcd } from './run/vcd.ts';

/** What a format has words of its own for. */
export interface OwnWords {
  readonly competition?: Competition;
  readonly moreCertificate?: Words['certificate'];
}

export function systemQuestion(
  file: string,
  format: Format,
  system: System,
  own: (posed: SystemProblem) => OwnWords = () => ({}),
): Question {
  const posed = new SystemProblem(system);
  const { problem } = posed;
  const { competition, moreCertificate } = own(posed);
  const propertyOf = ({ index }: PropertyName) => system.properties.find(p => p.index === index) as Property;
  const words: Words = {
    nameOf: edge => posed.nameOf(edge),
    proof: (property, proof) => invariantText(system, propertyOf(property), posed.systemProof(proof)),
    derivation: (property, derivation) => traceTable(system, propertyOf(property), posed.trace(derivation)),
    path: derivation => pathTable(system, posed.path(derivation)),
    json: (property, derivation) => traceJson(system, propertyOf(property), posed.trace(derivation)),
    vcd: derivation => traceVcd(system, posed.trace(derivation)),
    certificate: (property, proof) => [
      ...certificateScripts(restrictedTo(problem, property.index), proof, titleOf),
      ...(moreCertificate?.(property, proof) ?? []),
    ],
    competition,
  };
  return { file, format, problem, properties: system.properties, words, system: () => system };
}

function titleOf({ sources, head }: Edge): Title {
  if (sources.length === 0) return { name: 'init', text: 'Every initial state is in the invariant.' };
  if (isQuery(head)) return { name: 'property', text: 'The invariant implies the property.' };
  return { name: 'step', text: 'No step leads out of the invariant.' };
}
