/**
 * Makes one step of all steps of a problem with one location, as a relation between the state now and the next one: a
 * disjunction with a disjunct for each edge (dissertation section 4.2.2). The functional form does better nearly always;
 * this one is for comparison.
 */
import type { TermId } from '../../term/store.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import { type Edge, isQuery, type Problem, step } from '../problem/problem.ts';
import { lemmasBack, type Pass } from './pass.ts';

export function relateSteps(problem: Problem): Pass {
  const { terms, next, edges } = problem;
  const [location] = problem.locations;
  const steps = edges.filter(e => e.sources.length > 0 && !isQuery(e.head));
  const after = location.places.map(p => next.of(p));
  const disjuncts = new Map<Edge, TermId>(
    steps.map(e => [e, terms.and([e.guard, ...after.map((n, i) => terms.eq(n, e.values[i]))])]),
  );
  const relation: Edge = {
    sources: step(location),
    guard: terms.or([...disjuncts.values()]),
    head: location,
    values: after,
  };
  return {
    problem: { ...problem, edges: [...edges.filter(e => !disjuncts.has(e)), relation] },
    back: {
      proof: proof => ({
        ...proof,
        lemmas: lemmasBack(terms, proof.lemmas, edge =>
          edge === relation ? steps.map(e => ({ edge: e })) : [{ edge }],
        ),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          if (edge !== relation) return { edge, values };
          const evaluator = evaluatorOf(terms, values, derivation.functionValue);
          const taken = steps.find(e => evaluator.value(disjuncts.get(e) as TermId) === true);
          return { edge: taken ?? edge, values }; // a step that no edge allows fails its check
        }),
      keepsSteps: true,
    },
  };
}
