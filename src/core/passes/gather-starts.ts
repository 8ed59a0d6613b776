/**
 * Makes one start of all, of the form in which a transition system has it: a condition on the places of the one location.
 * What each start derives is said of the places alone, without its inputs.
 */
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { TermId } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import { type Edge, isQuery, type Problem } from '../problem/problem.ts';
import { lemmasBack, type Pass } from './pass.ts';
import { type PostImage, postImage } from './post-image.ts';

/** Undefined if it cannot be said, or there is not one location, or a query needs no location. */
export function gatherStarts(problem: Problem, solver: EquationSolver): Pass | undefined {
  const { terms, next, edges, locations } = problem;
  if (locations.length !== 1 || edges.some(e => e.sources.length === 0 && isQuery(e.head))) return undefined;
  const [location] = locations;
  const images = new Map<Edge, PostImage>();
  for (const edge of edges.filter(e => e.sources.length === 0)) {
    const image = postImage(location, edge, solver);
    if (image === undefined) return undefined;
    images.set(edge, image);
  }
  const after = new Map(location.places.map(p => [p, next.of(p)]));
  const start: Edge = {
    sources: [],
    guard: substitute(terms, terms.or([...images.values()].map(i => i.condition)), after),
    head: location,
    values: [...after.values()],
  };
  const steps = edges.filter(e => e.sources.length > 0);
  return {
    problem: { ...problem, edges: [start, ...steps] },
    back: {
      proof: proof => ({
        ...proof,
        lemmas: lemmasBack(terms, proof.lemmas, edge =>
          edge === start ? [...images.keys()].map(e => ({ edge: e })) : [{ edge }],
        ),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          if (edge !== start) return { edge, values };
          const places = new Map([...after].flatMap(([p, n]) => [[p, values.get(n)]] as const));
          const known = new Map([...places].flatMap(([p, v]) => (v === undefined ? [] : [[p, v] as const])));
          const evaluator = evaluatorOf(terms, known, derivation.functionValue);
          const used = [...images].find(([, i]) => evaluator.value(i.condition) === true);
          if (used === undefined) throw new Error('a run begins where no start leads');
          const [origin, image] = used;
          return {
            edge: origin,
            values: new Map(
              [...image.images].map(([v, t]: readonly [TermId, TermId]) => [v, evaluator.value(t)]),
            ),
          };
        }),
      keepsSteps: true,
    },
  };
}
