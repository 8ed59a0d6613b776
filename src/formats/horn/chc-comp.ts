/**
 * Answers about Horn clauses in the words of their formats. SMT-LIB asks whether the clauses can all be true, so `sat`
 * means safe; z3's rules ask whether the query can be derived, so there `sat` means unsafe. After the word comes the
 * evidence: of a safe problem a model, a definition for every relation of the input; of an unsafe one a derivation,
 * its steps in order, each with the line of the clause that was used, the values of its variables, the steps that it
 * rests on if that is not just the one before, and what it derives. Where rounds of a loop are left out, the step after them says
 * how many, and the three rounds before it are what they look like. A proof by k-induction has no model to show.
 */
import { type Derivation, evaluatorOf, type Step } from '../../core/problem/derivation.ts';
import type { Edge } from '../../core/problem/problem.ts';
import { boundIn, type Proof, quantifierOf } from '../../core/problem/proof.ts';
import { printTerm } from '../../term/printer.ts';
import { quoteSymbol } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { valueText } from '../../term/value-text.ts';
import { quantifiedText } from '../smtlib/quantified.ts';
import { type Clause, type HornFile, isAtom } from './problem.ts';

/** The word that means safe, or unsafe, in a file's dialect. */
export function chcCompWord({ dialect }: HornFile, kind: 'safe' | 'unsafe'): 'sat' | 'unsat' {
  return (kind === 'safe') === (dialect === 'smt-lib') ? 'sat' : 'unsat';
}

/** As SMT-LIB's get-model has it. */
export function modelText({ terms, relations }: HornFile, proof: Proof): string {
  const definitions = relations.map(r => {
    const parameters = r.places.map(p => `(${printTerm(terms, p)} ${terms.sorts.name(terms.sort(p))})`);
    const body = quantifiedText(
      terms,
      quantifierOf(proof),
      boundIn(terms, proof, r),
      proof.model.get(r) as TermId,
    );
    return `  (define-fun ${quoteSymbol(r.name)} (${parameters.join(' ')}) Bool\n    ${body})\n`;
  });
  return `(\n${definitions.join('')})\n`;
}

/** A model; or of a k-inductive proof what it says, which is less than a model says. */
export function proofText(file: HornFile, proof: Proof): string {
  const { k } = proof;
  if (k === 0) return modelText(file, proof);
  return [
    `; Proved by k-induction: there is no violation in the first ${k} states of any run, nor after ${k} states without one, through`,
    '; different states of these relations. They are no model of the clauses.',
    `(set-info :k-induction ${k})`,
    modelText(file, proof),
  ].join('\n');
}

export function derivationText(
  file: HornFile,
  clauseOf: ReadonlyMap<Edge, Clause>,
  { steps }: Derivation,
): string {
  const lines = steps.map((step, i) => {
    const { line, values, derives, premises } = stepTexts(file, clauseOf.get(step.edge) as Clause, step);
    const rests = premises.length === 1 && premises[0] === i - 1 ? '' : premisesText(premises);
    const { skipped = 0n } = step;
    const left = skipped > 0n ? ` :skipped ${skipped}` : '';
    const assignment = values.map(([name, value]) => `(${name} ${value})`).join(' ');
    return `  (step ${i} :line ${line} :values (${assignment})${left}${rests} :derives ${derives})\n`;
  });
  return `(\n${lines.join('')})\n`;
}

function premisesText(premises: readonly number[]): string {
  return premises.length === 0 ? '' : ` :premises (${premises.join(' ')})`;
}

/** A step in words: names and values are SMT-LIB. */
export function stepTexts(
  { terms }: HornFile,
  { line, head, variables }: Clause,
  { values, premises }: Step,
): {
  readonly line: number;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly derives: string;
  readonly premises: readonly number[];
} {
  const evaluator = evaluatorOf(terms, values);
  const text = (t: TermId) => valueText(terms.sorts, terms.sort(t), evaluator.value(t));
  const name = isAtom(head) ? quoteSymbol(head.relation.name) : 'false';
  const args = isAtom(head) ? head.args.map(text) : [];
  return {
    line,
    values: variables.map(v => [printTerm(terms, v), text(v)]),
    derives: args.length === 0 ? name : `(${name} ${args.join(' ')})`,
    premises,
  };
}
