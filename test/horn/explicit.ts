/** Small Horn problems by enumeration: what can be derived, and whether models and derivations are what they claim. */
import type { Atom, Clause, ClauseDerivation, HornProblem, Model, Relation } from '../../src/horn/problem.ts';
import { isQuery } from '../../src/horn/problem.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { allValues, type Value, valueKey } from '../../src/term/value.ts';

type Assignment = ReadonlyMap<TermId, Value>;

function* assignments(terms: TermStore, variables: readonly TermId[]): Generator<Assignment> {
  if (variables.length === 0) {
    yield new Map();
    return;
  }
  const [first, ...others] = variables;
  for (const rest of assignments(terms, others)) {
    for (const value of allValues(terms.sorts, terms.sort(first))) yield new Map([...rest, [first, value]]);
  }
}

function evaluator(terms: TermStore, values: Assignment): Evaluator {
  return new Evaluator(terms, f => {
    const value = values.get(terms.apply(f, []));
    if (value === undefined) throw new Error(`'${terms.symbol(f).name}' has no value`);
    return value;
  });
}

function fact(atom: Atom, e: Evaluator): string {
  return `${atom.relation.name}(${atom.args.map(a => String(valueKey(e.value(a)))).join(',')})`;
}

/** The queries that the least fixed point of the clauses derives. */
export function derivableQueries(problem: HornProblem): Set<number> {
  const { terms, clauses } = problem;
  const facts = new Set<string>();
  const queries = new Set<number>();
  for (let size = -1; size !== facts.size + queries.size; ) {
    size = facts.size + queries.size;
    for (const { variables, body, constraint, head } of clauses) {
      for (const values of assignments(terms, variables)) {
        const e = evaluator(terms, values);
        if (e.value(constraint) !== true) continue;
        if (body !== undefined && !facts.has(fact(body, e))) continue;
        if (isQuery(head)) queries.add(head.query);
        else facts.add(fact(head, e));
      }
    }
  }
  return queries;
}

/** Is some clause, of those that do not ask about another query, false in the model? */
export function falseClause(problem: HornProblem, query: number, model: Model): Clause | undefined {
  const { terms } = problem;
  return problem.clauses.find(({ variables, body, constraint, head }) => {
    if (isQuery(head) && head.query !== query) return false;
    for (const values of assignments(terms, variables)) {
      const e = evaluator(terms, values);
      const holds = ({ relation, args }: Atom) =>
        isMember(
          terms,
          model,
          relation,
          args.map(a => e.value(a)),
        );
      if (e.value(constraint) !== true || (body !== undefined && !holds(body))) continue;
      if (isQuery(head) || !holds(head)) return true;
    }
    return false;
  });
}

function isMember(terms: TermStore, model: Model, relation: Relation, args: readonly Value[]): boolean {
  const values = new Map(relation.places.map((p, i) => [p, args[i]] as const));
  return evaluator(terms, values).value(model.get(relation) as TermId) === true;
}

/** Does the derivation start with a fact, follow the clauses and end in the query? */
export function isDerivation(problem: HornProblem, query: number, derivation: ClauseDerivation): boolean {
  const { terms } = problem;
  let derived: string | undefined;
  for (const [i, { clause, values }] of derivation.entries()) {
    const e = evaluator(terms, values);
    const needed = clause.body === undefined ? undefined : fact(clause.body, e);
    if (needed !== derived || e.value(clause.constraint) !== true) return false;
    if (isQuery(clause.head)) return i === derivation.length - 1 && clause.head.query === query;
    derived = fact(clause.head, e);
  }
  return false;
}
