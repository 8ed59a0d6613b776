/**
 * Writes a transition system as Horn clauses of SMT-LIB: one relation that holds of reachable states, with a clause for
 * initial states, one for steps and one for each property, which its violation would make false. Several properties
 * become one question: can any of them be violated? Constraints hold in every step, so they join every clause with
 * a state in its body.
 *
 * Horn clauses have no functions that stay the same throughout a run, so systems with declared functions or
 * uninterpreted sorts cannot be written; that is said in an error.
 */

import type { System } from '../../core/problem/system.ts';
import { OPERATORS, Op } from '../../term/operators.ts';
import { printTerm } from '../../term/printer.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { NotExpressible } from '../not-expressible.ts';

const RELATION = 'reachable';
export const RESERVED = '_ ! as let exists forall match par const Bool BitVec Array'.split(' ');

export function writeHorn(system: System): string {
  const { terms, states, inputs, init, trans, constraints, properties } = system;
  const formulas = [init, trans, ...constraints, ...properties.map(p => p.formula)];
  expectHorn(terms, formulas);
  const current = states.map(s => s.current);
  const next = states.map(s => s.next);
  const renamed = uniqueNames(terms, [...current, ...next, ...inputs]);
  const name = (v: TermId) => printTerm(terms, renamed.get(v) as TermId);
  const text = (f: TermId) => printTerm(terms, substitute(terms, f, renamed));
  const state = (variables: readonly TermId[]) =>
    variables.length === 0 ? RELATION : `(${RELATION} ${variables.map(name).join(' ')})`;
  const clause = (body: readonly string[], mentioned: readonly TermId[], head: string) => {
    const isMentioned = new Set(mentioned);
    const variables = [...current, ...next, ...inputs].filter(v => isMentioned.has(v));
    const implication = `(=> ${body.length === 1 ? body[0] : `(and ${body.join(' ')})`} ${head})`;
    if (variables.length === 0) return `(assert ${implication})`;
    const list = variables.map(v => `(${name(v)} ${terms.sorts.name(terms.sort(v))})`);
    return `(assert (forall (${list.join(' ')})\n  ${implication}))`;
  };
  const variablesOf = (roots: readonly TermId[]) => terms.postorder(roots).filter(t => terms.isVariable(t));
  const lines = [
    '(set-logic HORN)',
    `(declare-fun ${RELATION} (${current.map(v => terms.sorts.name(terms.sort(v))).join(' ')}) Bool)`,
    clause([text(init)], [...current, ...variablesOf([init])], state(current)),
    clause(
      [state(current), ...constraints.map(text), text(trans)],
      [...current, ...next, ...variablesOf([...constraints, trans])],
      state(next),
    ),
    ...properties.map(({ formula }) =>
      clause(
        [state(current), ...constraints.map(text), text(terms.not(formula))],
        [...current, ...variablesOf([...constraints, formula])],
        'false',
      ),
    ),
    '(check-sat)',
  ];
  return `${lines.join('\n')}\n`;
}

/** Variables of different names, and such as nothing else in the text has. */
function uniqueNames(terms: TermStore, variables: readonly TermId[]): Map<TermId, TermId> {
  const taken = new Set([RELATION, ...RESERVED, ...OPERATORS.map(o => o.name)]);
  return new Map(
    variables.map(v => {
      const { name } = terms.symbol(terms.functionOf(v));
      // Bars and backslashes cannot be spelt in SMT-LIB, not even in a quoted symbol.
      const base = name.replace(/[|\\]/g, '_');
      let unique = base;
      for (let i = 1; taken.has(unique); i++) unique = `${base}.${i}`;
      taken.add(unique);
      return [v, terms.variable(unique, terms.sort(v))] as const;
    }),
  );
}

export function expectHorn(terms: TermStore, formulas: readonly TermId[]): void {
  for (const t of terms.postorder(formulas)) {
    if (terms.op(t) === Op.APPLY && terms.arity(t) > 0) {
      const { name } = terms.symbol(terms.functionOf(t));
      throw new NotExpressible(`Horn clauses cannot have the function '${name}' in them`);
    }
    if (isUninterpreted(terms.sorts, terms.sort(t))) {
      throw new NotExpressible(
        `Horn clauses cannot have the sort ${terms.sorts.name(terms.sort(t))} in them`,
      );
    }
  }
}

function isUninterpreted(sorts: SortStore, sort: SortId): boolean {
  if (sorts.kind(sort) === SortKind.UNINTERPRETED) return true;
  return (
    sorts.isArray(sort) &&
    (isUninterpreted(sorts, sorts.indexSort(sort)) || isUninterpreted(sorts, sorts.elementSort(sort)))
  );
}
