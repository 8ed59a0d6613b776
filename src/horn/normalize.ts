/**
 * From clauses to edges. A variable that is an argument of the body becomes the body's place; where an argument is any
 * other term, or a variable that already stands at another place, the guard says that the place equals it.
 */
import type { Checkpoint } from '../sat/checkpoint.ts';
import type { TermId } from '../term/store.ts';
import { substituteAll } from '../term/substitute.ts';
import { type Derivation, type Edge, evaluatorOf, type HornGraph } from './graph.ts';
import { type Clause, type ClauseDerivation, type HornProblem, isQuery } from './problem.ts';

/** What becomes of a clause. */
interface Origin {
  readonly clause: Clause;
  /** Those variables of the clause that are places now. */
  readonly images: ReadonlyMap<TermId, TermId>;
}

export interface Normalized {
  readonly graph: HornGraph;
  readonly derivation: (derivation: Derivation) => ClauseDerivation;
}

/** Of substitution, against that of reading a token. */
const WORK_OF_A_TERM = 5;

export function normalize(problem: HornProblem, checkpoint: Checkpoint): Normalized {
  const { terms, relations, clauses } = problem;
  const onTerm = () => checkpoint.pass(WORK_OF_A_TERM);
  const origins = new Map<Edge, Origin>();
  for (const clause of clauses) {
    const images = new Map<TermId, TermId>();
    const equations: TermId[] = [];
    const variables = new Set(clause.variables);
    clause.body?.args.forEach((arg, i) => {
      const place = clause.body?.relation.places[i] as TermId;
      if (variables.has(arg) && !images.has(arg)) images.set(arg, place);
      else equations.push(terms.eq(place, arg));
    });
    const { head } = clause;
    const args = isQuery(head) ? [] : head.args;
    // An equation has its place as it is and its argument over places: only the latter has clause variables.
    const [guard, ...values] = substituteAll(
      terms,
      [terms.and([clause.constraint, ...equations]), ...args],
      images,
      onTerm,
    );
    const edge: Edge = {
      body: clause.body?.relation,
      guard,
      head: isQuery(head) ? head : head.relation,
      values,
    };
    origins.set(edge, { clause, images });
  }
  return {
    graph: { terms, relations, edges: [...origins.keys()] },
    derivation: derivation =>
      derivation.map(({ edge, values }) => {
        const { clause, images } = origins.get(edge) as Origin;
        const evaluator = evaluatorOf(terms, values);
        return {
          clause,
          values: new Map(clause.variables.map(v => [v, evaluator.value(images.get(v) ?? v)])),
        };
      }),
  };
}
