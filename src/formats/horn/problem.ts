/**
 * Constrained Horn clauses as a user writes them. A clause says
 *
 *   ∀ variables.  body1 ∧ … ∧ bodyn ∧ constraint ⇒ head
 *
 * where the bodies are applications of relations and the head is one, too, or a query, which stands for falsehood: it
 * should not be derivable. A file is safe if its relations have an interpretation that makes all clauses true, and unsafe
 * if a query has a derivation.
 *
 * Every relation has variables of its own for its arguments, the place variables of section 4.2.2 of the dissertation;
 * it is a location of the problem. A clause is an edge, word for word: its variables are the edge's inputs, and its guard
 * says that the places of its bodies are their arguments.
 */
import { NextVariables } from '../../core/problem/next-variables.ts';
import type { Edge, Location, Problem, Query, Source } from '../../core/problem/problem.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** An application of a relation. */
export interface Atom {
  readonly relation: Location;
  readonly args: readonly TermId[];
}

export interface Clause {
  readonly bodies: readonly Atom[];
  readonly constraint: TermId;
  readonly head: Atom | Query;
  /** All variables that occur in the clause. */
  readonly variables: readonly TermId[];
  /** Where it stands in the text. */
  readonly line: number;
}

/** `smt-lib`: asserted implications, one query; `rules`: z3's rules, with as many queries as the file asks. */
export type Dialect = 'smt-lib' | 'rules';

export interface HornFile {
  readonly terms: TermStore;
  readonly dialect: Dialect;
  readonly relations: readonly Location[];
  readonly clauses: readonly Clause[];
  /** The name of each query, if it has one. */
  readonly queries: readonly (string | undefined)[];
}

export function isAtom(head: Atom | Query): head is Atom {
  return 'relation' in head;
}

/** The problem that clauses pose, and the clause of each edge. */
export function hornProblem({ terms, relations, clauses }: HornFile): {
  readonly problem: Problem;
  readonly clauseOf: ReadonlyMap<Edge, Clause>;
} {
  const clauseOf = new Map(clauses.map(clause => [edgeOf(terms, clause), clause]));
  return {
    problem: { terms, locations: relations, edges: [...clauseOf.keys()], next: new NextVariables(terms) },
    clauseOf,
  };
}

function edgeOf(terms: TermStore, { bodies, constraint, head }: Clause): Edge {
  const sources = bodies.map(({ relation }): Source => {
    const copy = (p: TermId) => terms.another(p);
    return { location: relation, places: bodies.length === 1 ? relation.places : relation.places.map(copy) };
  });
  const equations = bodies.flatMap(({ args }, i) => args.map((a, j) => terms.eq(sources[i].places[j], a)));
  return {
    sources,
    guard: terms.and([constraint, ...equations]),
    head: isAtom(head) ? head.relation : head,
    values: isAtom(head) ? head.args : [],
  };
}
