/**
 * A proof as SMT-LIB scripts that any solver can check: each must be answered `unsat`. Three of them say that the
 * invariant holds initially, that steps do not leave it and that it implies the property, with the lemmas assumed;
 * and there is one for each lemma, which says that its negation has no model. Since lemmas are valid formulas, the
 * scripts mean the same to a solver that knows what operators mean and to one that does not.
 */
import { conditionsOf, type Proof } from '../core/system/proof.ts';
import type { Property, System } from '../core/system/system.ts';
import { printTerm } from '../term/printer.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { declarations, logicOf, nameApart } from './script.ts';

export interface CertificateScript {
  /** A file name. */
  readonly name: string;
  readonly text: string;
}

const TITLES = {
  init: 'Every initial state is in the invariant.',
  step: 'No step leads out of the invariant.',
  property: 'The invariant implies the property.',
} as const;

export function certificateScripts(system: System, property: Property, proof: Proof): CertificateScript[] {
  const { terms } = system;
  return [
    ...conditionsOf(system, property, proof).map(({ name, ofSystem, ofInvariant }) => ({
      name: `${name}.smt2`,
      text: script(terms, TITLES[name], [...ofSystem, ...ofInvariant, ...proof.lemmas]),
    })),
    ...proof.lemmas.map((lemma, i) => ({
      name: `lemma-${i + 1}.smt2`,
      text: script(terms, `Lemma ${i + 1} is valid.`, [terms.not(lemma)]),
    })),
  ];
}

function script(terms: TermStore, title: string, formulas: readonly TermId[]): string {
  const named = nameApart(terms, formulas);
  const lines = [
    `; ${title}`,
    `(set-logic ${logicOf(terms, named)})`,
    '(set-info :status unsat)',
    ...declarations(terms, named),
    ...named.map(f => `(assert ${printTerm(terms, f)})`),
    '(check-sat)',
    '(exit)',
  ];
  return `${lines.join('\n')}\n`;
}
