/**
 * A proof as SMT-LIB scripts that any solver can check: each must be answered `unsat`. There is one for each condition of the
 * proof, with the lemmas assumed (for a transition system: that the invariant holds initially, that steps do not leave it
 * and that it implies the property; for clauses: that each is true in the model), and one for each lemma, which says that its
 * negation has no model. Since lemmas are valid formulas, the scripts mean the same to a solver that knows what operators
 * mean and to one that does not.
 */
import { type Condition, conditionsOf } from '../../core/evidence/conditions.ts';
import type { Edge, Problem } from '../../core/problem/problem.ts';
import type { Proof } from '../../core/problem/proof.ts';
import { printTerm } from '../../term/printer.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { declarations, logicOf, namePortably } from '../smtlib/script-text.ts';

/** What files of certificates are called, in all formats. */
export const CERTIFICATE_NAMES =
  /^((init|step|property|induction|(base|lemma|clause|edge)-\d+)\.smt2|witness\.btor2)$/;

export interface CertificateScript {
  /** A file name. */
  readonly name: string;
  readonly text: string;
}

/** What the script about an edge is called, and what it says. */
export interface Title {
  readonly name: string;
  readonly text: string;
}

export function certificateScripts(
  problem: Problem,
  proof: Proof,
  titleOf: (edge: Edge) => Title,
): CertificateScript[] {
  const { terms } = problem;
  const lemmas = [...new Set([...proof.lemmas.values()].flat())];
  let bases = 0;
  const title = ({ edge, kind }: Condition): Title => {
    if (edge !== undefined) return titleOf(edge);
    if (kind === 'base') return baseTitle(bases++);
    return {
      name: 'induction',
      text: `No ${proof.k} steps without a violation, through different states of the invariant, are followed by one.`,
    };
  };
  return [
    ...conditionsOf(problem, proof).map(condition => {
      const { name, text } = title(condition);
      const { ofProblem, ofModel, ofHead, lemmas: instances } = condition;
      return {
        name: `${name}.smt2`,
        text: script(terms, text, [...ofProblem, ...ofModel, ...ofHead, ...instances]),
      };
    }),
    ...lemmas.map((lemma, i) => ({
      name: `lemma-${i + 1}.smt2`,
      text: script(terms, `Lemma ${i + 1} is valid.`, [terms.not(lemma)]),
    })),
  ];
}

function baseTitle(steps: number): Title {
  return {
    name: `base-${steps}`,
    text: `There is no violation after ${steps} steps from the initial states.`,
  };
}

function script(terms: TermStore, title: string, formulas: readonly TermId[]): string {
  const { named, remarks } = namePortably(terms, formulas);
  const lines = [
    `; ${title}`,
    ...remarks,
    `(set-logic ${logicOf(terms, named)})`,
    '(set-info :status unsat)',
    ...declarations(terms, named),
    ...named.map(f => `(assert ${printTerm(terms, f)})`),
    '(check-sat)',
    '(exit)',
  ];
  return `${lines.join('\n')}\n`;
}
