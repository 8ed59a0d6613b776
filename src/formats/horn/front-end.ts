/** Horn clauses as a front end: models and derivations are about the user's own relations and clauses. */
import type { Derivation } from '../../core/problem/derivation.ts';
import { type Edge, restrictedTo } from '../../core/problem/problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { TermStore } from '../../term/store.ts';
import { asSystem } from '../as-system.ts';
import { certificateScripts } from '../proof/certificate.ts';
import type { CompetitionAnswer, PropertyName, Question } from '../question.ts';
import { flatRun } from '../run/flat-run.ts';
import { skippedJson } from '../run/json.ts';
import { traceVcd } from '../run/vcd.ts';
import { chcCompWord, derivationText, modelText, proofText, stepTexts } from './chc-comp.ts';
import { type Clause, type HornFile, hornProblem } from './problem.ts';
import { readHorn } from './reader.ts';

export function hornQuestion(terms: TermStore, file: string, text: string, checkpoint: Checkpoint): Question {
  const horn = readHorn(terms, file, text, checkpoint);
  const { problem, clauseOf } = hornProblem(horn);
  const properties = horn.queries.map((name, index) => ({ index, name }));
  const line = (edge: Edge) => clauseOf.get(edge)?.line;
  const derivation = (d: Derivation) => derivationText(horn, clauseOf, d);
  return {
    file,
    format: 'horn',
    problem,
    properties,
    words: {
      nameOf: edge => `the clause in line ${line(edge)}`,
      proof: (_, proof) => proofText(horn, proof),
      derivation: (_, d) => derivation(d),
      path: derivation,
      json: (property, d) => derivationJson(horn, clauseOf, property, d),
      vcd: d => {
        const { system, trace } = flatRun(problem, d);
        return traceVcd(system, trace);
      },
      certificate: ({ index }, proof) => {
        const titleOf = (edge: Edge) => ({
          name: `clause-${problem.edges.indexOf(edge) + 1}`,
          text: `The clause in line ${line(edge)} is true in the model.`,
        });
        return certificateScripts(restrictedTo(problem, index), proof, titleOf);
      },
      competition: {
        name: 'chc-comp',
        text: answers => answers.map(a => chcCompText(horn, a, derivation)).join(''),
      },
    },
    system: () => asSystem(problem, properties, true),
  };
}

/** As CHC-COMP has it, one answer for each query; without a model if there is none to show. */
function chcCompText(
  horn: HornFile,
  answer: CompetitionAnswer,
  derivation: (d: Derivation) => string,
): string {
  switch (answer.kind) {
    case 'unknown':
      return 'unknown\n';
    case 'safe': {
      const { proof } = answer;
      return `${chcCompWord(horn, 'safe')}\n${proof.k === 0 ? modelText(horn, proof) : ''}`;
    }
    case 'unsafe':
      return `${chcCompWord(horn, 'unsafe')}\n${derivation(answer.derivation)}`;
  }
}

/**
 * A derivation as JSON, for other programs: its steps in order, each with the line of its clause, the values of the clause's
 * variables, the numbers of the steps that it rests on, and what it derives, all of it SMT-LIB.
 */
function derivationJson(
  horn: HornFile,
  clauseOf: ReadonlyMap<Edge, Clause>,
  property: PropertyName,
  { steps }: Derivation,
): string {
  const document = {
    format: 'euforia-derivation',
    version: 1,
    property: { index: property.index, name: property.name ?? null },
    steps: steps.map(step => {
      const { line, values, derives, premises } = stepTexts(horn, clauseOf.get(step.edge) as Clause, step);
      return { line, values: Object.fromEntries(values), premises, ...skippedJson(step.skipped), derives };
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
