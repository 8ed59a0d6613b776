/** Small Horn problems by enumeration: what can be derived, and whether models and derivations are what they claim. */
import type { Location } from '../../src/core/problem/problem.ts';
import type { Model } from '../../src/core/problem/proof.ts';
import { type Atom, type Clause, type HornFile, isAtom } from '../../src/formats/horn/problem.ts';
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

function fact({ relation, args }: Atom, e: Evaluator): string {
  return `${relation.name}(${args.map(a => String(valueKey(e.value(a)))).join(',')})`;
}

/** The queries that the least fixed point of the clauses derives. */
export function derivableQueries({ terms, clauses }: HornFile): Set<number> {
  const facts = new Set<string>();
  const queries = new Set<number>();
  for (let size = -1; size !== facts.size + queries.size; ) {
    size = facts.size + queries.size;
    for (const { variables, bodies, constraint, head } of clauses) {
      for (const values of assignments(terms, variables)) {
        const e = evaluator(terms, values);
        if (e.value(constraint) !== true || !bodies.every(b => facts.has(fact(b, e)))) continue;
        if (isAtom(head)) facts.add(fact(head, e));
        else queries.add(head.property);
      }
    }
  }
  return queries;
}

/**
 * Is some clause, of those that do not ask about another query, false in the model? The model may be one of another reading
 * of the text, whose relations have the same names.
 */
export function falseClause(
  { terms, clauses }: HornFile,
  query: number,
  model: Model,
  modelTerms: TermStore,
): Clause | undefined {
  const byName = new Map([...model].map(([location, formula]) => [location.name, { location, formula }]));
  const isMember = (name: string, args: readonly Value[]): boolean => {
    const { location, formula } = byName.get(name) as { location: Location; formula: TermId };
    const values = new Map(location.places.map((p, i) => [p, args[i]]));
    return evaluator(modelTerms, values).value(formula) === true;
  };
  return clauses.find(({ variables, bodies, constraint, head }) => {
    if (!isAtom(head) && head.property !== query) return false;
    for (const values of assignments(terms, variables)) {
      const e = evaluator(terms, values);
      const holds = ({ relation, args }: Atom) =>
        isMember(
          relation.name,
          args.map(a => e.value(a)),
        );
      if (e.value(constraint) !== true || !bodies.every(holds)) continue;
      if (!isAtom(head) || !holds(head)) return true;
    }
    return false;
  });
}

/** A derivation as the JSON of a run has it. */
interface PrintedDerivation {
  readonly steps: readonly {
    readonly line: number;
    readonly values: Readonly<Record<string, string>>;
    readonly premises: readonly number[];
    readonly derives: string;
  }[];
}

/**
 * What is wrong with a derivation as it is printed, in JSON: every step uses the one clause of its line, with values that
 * make its constraint true, and rests on earlier steps that derive its bodies; the last one derives the query. Values are
 * those of a few bits. Undefined if nothing is wrong.
 */
export function derivationComplaint(file: HornFile, query: number, json: string): string | undefined {
  const { terms, clauses } = file;
  const { steps } = JSON.parse(json) as PrintedDerivation;
  const derived: string[] = [];
  for (const [i, { line, values, premises, derives }] of steps.entries()) {
    const clause = clauses.find(c => c.line === line);
    if (clause === undefined) return `step ${i}: there is no clause in line ${line}`;
    const named = clause.variables.map(v => [v, readValue(values[terms.nameOf(v)])]);
    const e = evaluator(terms, new Map(named as [TermId, Value][]));
    if (e.value(clause.constraint) !== true) return `step ${i}: the constraint is false`;
    if (premises.some(p => p >= i)) return `step ${i} rests on a later one`;
    const [wanted, given] = [clause.bodies.map(b => fact(b, e)), premises.map(p => derived[p])];
    if (wanted.join() !== given.join()) return `step ${i} needs ${wanted.join()}, not ${given.join()}`;
    const { head } = clause;
    if (isAtom(head)) {
      derived.push(fact(head, e));
      const [name, ...args] = derives.replace(/^\(|\)$/g, '').split(' ');
      const said = `${name}(${args.map(a => String(valueKey(readValue(a)))).join(',')})`;
      if (said !== derived[i]) return `step ${i} derives ${derived[i]}, not ${said}`;
    } else if (i < steps.length - 1 || head.property !== query || derives !== 'false') {
      return `step ${i} derives query ${head.property}`;
    }
  }
  if (derived.length >= steps.length) return 'the query is not derived';
  return undefined;
}

function readValue(text: string): Value {
  const bits = /^#b([01]+)$/.exec(text);
  return bits === null ? text === 'true' : Number.parseInt(bits[1], 2);
}
