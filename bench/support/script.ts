/** Terms as SMT-LIB scripts for another solver. */
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { SortKind } from '../../src/term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../src/term/store.ts';

/** The declarations of all uninterpreted sorts and functions in the formulas. */
export function declarations(terms: TermStore, formulas: readonly TermId[]): string[] {
  const { sorts } = terms;
  const lines: string[] = [];
  const functions = new Set<FunctionId>();
  for (const t of terms.postorder(formulas)) if (terms.op(t) === Op.APPLY) functions.add(terms.functionOf(t));
  const sortNames = new Set<string>();
  for (const f of functions) {
    const { name, parameters, result } = terms.symbol(f);
    for (const sort of [...parameters, result])
      if (sorts.kind(sort) === SortKind.UNINTERPRETED) sortNames.add(sorts.name(sort));
    lines.push(
      `(declare-fun ${name} (${parameters.map(s => sorts.name(s)).join(' ')}) ${sorts.name(result)})`,
    );
  }
  return [...[...sortNames].map(name => `(declare-sort ${name} 0)`), ...lines];
}

/** One question: can the formulas hold together? */
export function questionScript(logic: string, terms: TermStore, formulas: readonly TermId[]): string {
  return [
    `(set-logic ${logic})`,
    ...declarations(terms, formulas),
    ...formulas.map(f => `(assert ${printTerm(terms, f)})`),
    '(check-sat)\n',
  ].join('\n');
}
