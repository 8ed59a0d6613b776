/**
 * Answers about Horn clauses in the words of their formats. SMT-LIB asks whether the clauses can all be true, so `sat`
 * means safe; z3's rules ask whether the query can be derived, so there `sat` means unsafe. After the word comes the
 * evidence: of a safe problem a model, a definition for every relation of the input; of an unsafe one a derivation,
 * its steps in order, each with the line of the clause that was used, the values of its variables and what it derives.
 */
import { valueText } from '../core/system/value-text.ts';
import type { HornAnswer } from '../horn/answer.ts';
import { evaluatorOf } from '../horn/graph.ts';
import { type ClauseDerivation, type HornProblem, isQuery, type Model } from '../horn/problem.ts';
import { printTerm } from '../term/printer.ts';
import { quoteSymbol } from '../term/sort.ts';
import type { TermId } from '../term/store.ts';

export function chcCompText(problem: HornProblem, answer: HornAnswer): string {
  const isAsked = problem.dialect === 'rules' ? 'unsafe' : 'safe';
  switch (answer.kind) {
    case 'unknown':
      return 'unknown\n';
    case 'safe':
      return `${isAsked === 'safe' ? 'sat' : 'unsat'}\n${modelText(problem, answer.model)}`;
    case 'unsafe':
      return `${isAsked === 'unsafe' ? 'sat' : 'unsat'}\n${derivationText(problem, answer.derivation)}`;
  }
}

/** As SMT-LIB's get-model has it. */
export function modelText({ terms, relations }: HornProblem, model: Model): string {
  const definitions = relations.map(r => {
    const parameters = r.places.map(p => `(${printTerm(terms, p)} ${terms.sorts.name(terms.sort(p))})`);
    const body = printTerm(terms, model.get(r) as TermId);
    return `  (define-fun ${quoteSymbol(r.name)} (${parameters.join(' ')}) Bool\n    ${body})\n`;
  });
  return `(\n${definitions.join('')})\n`;
}

export function derivationText({ terms }: HornProblem, derivation: ClauseDerivation): string {
  const { sorts } = terms;
  const steps = derivation.map(({ clause, values }, i) => {
    const evaluator = evaluatorOf(terms, values);
    const text = (t: TermId) => valueText(sorts, terms.sort(t), evaluator.value(t));
    const assignment = clause.variables.map(v => ` (${printTerm(terms, v)} ${text(v)})`).join('');
    const { head } = clause;
    const name = isQuery(head) ? 'false' : quoteSymbol(head.relation.name);
    const args = isQuery(head) ? [] : head.args.map(text);
    const derived = args.length === 0 ? name : `(${name} ${args.join(' ')})`;
    return `  (step ${i} :line ${clause.line} :values (${assignment.trim()}) :derives ${derived})\n`;
  });
  return `(\n${steps.join('')})\n`;
}
