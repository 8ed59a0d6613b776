/**
 * Constrained Horn clauses as a user writes them, and what answers them. A clause says
 *
 *   ∀ variables.  body ∧ constraint ⇒ head
 *
 * where the body is an application of a relation or nothing, for clauses are linear, and the head is an application
 * of a relation or a query, which stands for falsehood: it should not be derivable. A problem is safe if its
 * relations have an interpretation that makes all clauses true, the `Model`, and unsafe if a query has a `Derivation`.
 *
 * Every relation has variables of its own for its arguments, the place variables of section 4.2.2 of the
 * dissertation; models are formulas over them.
 */
import type { TermId, TermStore } from '../term/store.ts';
import type { Value } from '../term/value.ts';

export interface Relation {
  readonly name: string;
  /** One variable for each argument. */
  readonly places: readonly TermId[];
}

/** An application of a relation. */
export interface Atom {
  readonly relation: Relation;
  readonly args: readonly TermId[];
}

/** The head of a clause that must not be derivable; several clauses may have the same one. */
export interface Query {
  readonly query: number;
}

export interface Clause {
  readonly body: Atom | undefined;
  readonly constraint: TermId;
  readonly head: Atom | Query;
  /** All variables that occur in the clause. */
  readonly variables: readonly TermId[];
  /** Where it stands in the text. */
  readonly line: number;
}

/** `smt-lib`: asserted implications, one query; `rules`: z3's rules, with as many queries as the file asks. */
export type Dialect = 'smt-lib' | 'rules';

export interface HornProblem {
  readonly terms: TermStore;
  readonly dialect: Dialect;
  readonly relations: readonly Relation[];
  readonly clauses: readonly Clause[];
  /** The name of each query, if it has one. */
  readonly queries: readonly (string | undefined)[];
}

/** An interpretation of relations: for each a formula over its places. */
export type Model = ReadonlyMap<Relation, TermId>;

/** One use of a clause, with the values of its variables. */
export interface ClauseInstance {
  readonly clause: Clause;
  readonly values: ReadonlyMap<TermId, Value>;
}

/** Uses of clauses, each of whose bodies is the head of the one before it; the head of the last is a query. */
export type ClauseDerivation = readonly ClauseInstance[];

export function isQuery(head: object): head is Query {
  return 'query' in head;
}
