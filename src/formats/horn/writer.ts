/**
 * Writes problems as Horn clauses of SMT-LIB: a relation for each location, a clause for each edge; a transition system is the problem
 * with one location, whose relation holds of reachable states. Relations and variables keep their names as far as every solver
 * reads them. Violations make false, so several properties become one question: can any of them be violated?
 *
 * Horn clauses have no functions that stay the same throughout a derivation, so problems with declared functions or
 * uninterpreted sorts cannot be written; that is said in an error.
 */
import { conditionsOf, type Edge, headOf, type Location, type Problem } from '../../core/problem/problem.ts';
import type { System } from '../../core/problem/system.ts';
import { SystemProblem } from '../../core/problem/system-problem.ts';
import { OPERATORS, Op } from '../../term/operators.ts';
import { printTerm } from '../../term/printer.ts';
import { quoteSymbol, type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import { NotExpressible } from '../not-expressible.ts';
import { freeName } from '../smtlib/script-text.ts';

const RESERVED: readonly string[] = [
  ...'_ ! as let exists forall match par const Bool BitVec Array'.split(' '),
  ...OPERATORS.map(o => o.name),
];

export function writeHorn(system: System): string {
  return writeClauses(new SystemProblem(system).problem);
}

/** `remarkOn`: what a clause stands for, if that is worth a comment. */
export function writeClauses(
  { terms, locations, edges }: Problem,
  remarkOn: (edge: Edge) => string | undefined = () => undefined,
): string {
  expectHorn(
    terms,
    edges.flatMap(e => [...conditionsOf(e), ...e.values]),
  );
  const names = relationNames(locations);
  const declared = locations.map(l => {
    const sorts = l.places.map(p => terms.sorts.name(terms.sort(p)));
    return `(declare-fun ${quoteSymbol(names.get(l) as string)} (${sorts.join(' ')}) Bool)`;
  });
  const clauses = edges.flatMap(edge => {
    const remark = remarkOn(edge);
    return [...(remark === undefined ? [] : [`; ${remark}`]), clauseText(terms, edge, names)];
  });
  return `${['(set-logic HORN)', ...declared, ...clauses, '(check-sat)'].join('\n')}\n`;
}

function relationNames(locations: readonly Location[]): Map<Location, string> {
  const taken = new Set(RESERVED);
  return new Map(
    locations.map(l => {
      const name = freeName(portable(l.name), taken);
      taken.add(name);
      return [l, name];
    }),
  );
}

/** Bars and backslashes cannot be spelt, and names that begin with a dot or an at sign belong to solvers. */
function portable(name: string): string {
  return name.replace(/[|\\]/g, '_').replace(/^[.@]/, 'x$&');
}

function clauseText(terms: TermStore, edge: Edge, names: ReadonlyMap<Location, string>): string {
  const head = headOf(edge);
  const conditions = conditionsOf(edge);
  const mentioned = [...edge.sources.flatMap(s => s.places), ...conditions, ...edge.values];
  const variables = terms.postorder(mentioned).filter(t => terms.isVariable(t));
  const taken = new Set([...RESERVED, ...names.values()]);
  const renamed = new Map<TermId, TermId>();
  const bound = variables.map(v => {
    const name = freeName(portable(terms.nameOf(v)), taken);
    taken.add(name);
    renamed.set(v, terms.variable(name, terms.sort(v)));
    return `(${quoteSymbol(name)} ${terms.sorts.name(terms.sort(v))})`;
  });
  const text = (t: TermId) => printTerm(terms, substituteAll(terms, [t], renamed)[0]);
  const applied = (l: Location, args: readonly TermId[]) => {
    const name = quoteSymbol(names.get(l) as string);
    return args.length === 0 ? name : `(${name} ${args.map(text).join(' ')})`;
  };
  const condition = terms.and(conditions);
  const body = [
    ...edge.sources.map(s => applied(s.location, s.places)),
    ...(condition === terms.true && edge.sources.length > 0 ? [] : [text(condition)]),
  ];
  const conclusion = head === undefined ? 'false' : applied(head, edge.values);
  const implication = `(=> ${body.length === 1 ? body[0] : `(and ${body.join(' ')})`} ${conclusion})`;
  return bound.length === 0
    ? `(assert ${implication})`
    : `(assert (forall (${bound.join(' ')})\n  ${implication}))`;
}

function expectHorn(terms: TermStore, formulas: readonly TermId[]): void {
  for (const t of terms.postorder(formulas)) {
    if (terms.op(t) === Op.APPLY && terms.arity(t) > 0) {
      const name = terms.nameOf(t);
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
