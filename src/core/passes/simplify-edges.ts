/**
 * Makes each edge simpler on its own: equations of the guard are solved for inputs, so that the values of the head
 * become terms over the places of the sources where they can, and edges whose guard is false are dropped, as are those
 * that derive only what they start from. The normal form x' = f of a transition relation is made here.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { Definition } from '../../bv/preprocess/substitution.ts';
import type { TermId } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import { constraintInputs, type Edge, type Location, type Problem, placesOf } from '../problem/problem.ts';
import type { Instance, Quantified } from '../problem/proof.ts';
import { mergeCases } from './merge-cases.ts';
import { lemmasBack, type Pass } from './pass.ts';
import { under } from './under.ts';

interface Simplified {
  readonly origin: Edge;
  readonly definitions: readonly Definition[];
}

/** `keepsInputs`: equations of an edge are not to be solved. */
export function simplifyEdges(
  problem: Problem,
  solver: EquationSolver,
  keepsInputs: (edge: Edge) => boolean = () => false,
): Pass {
  const { terms } = problem;
  const simplified = new Map<Edge, Simplified>();
  const given = new Map<Location, Set<TermId>>(problem.locations.map(l => [l, constraintInputs(terms, l)]));
  for (const origin of problem.edges) {
    const places = placesOf(origin);
    const isKept = keepsInputs(origin);
    const isGiven = (v: TermId) =>
      isKept || places.has(v) || origin.sources.some(s => given.get(s.location)?.has(v));
    const conjuncts = conjunctsOf(solver.rewriter, [solver.rewriter.rewrite(origin.guard)]);
    const cases = mergeCases(solver.rewriter, conjuncts, v => !isGiven(v));
    const { formulas, images, definitions } = solver.solve(cases, v => !isGiven(v), origin.values);
    const guard = solver.rewriter.rewrite(terms.and(formulas));
    const values = under(solver.rewriter, guard, images);
    const isSame = guard === origin.guard && values.every((t, i) => t === origin.values[i]);
    const edge = isSame ? origin : { ...origin, guard, values };
    if (guard === terms.false || derivesNothingNew(edge)) continue;
    simplified.set(edge, { origin, definitions });
  }
  const originOf = (edge: Edge) => simplified.get(edge) as Simplified;
  return {
    problem: { ...problem, edges: [...simplified.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        ...(proof.forAll && { forAll: instancesBack(problem, proof.forAll, simplified) }),
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: originOf(e).origin }]),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const { origin, definitions } = originOf(edge);
          if (definitions.length === 0) return { edge: origin, values };
          const all = new Map<TermId, Value>(values);
          const evaluator = evaluatorOf(terms, all, derivation.functionValue);
          for (const { variable, body } of definitions) all.set(variable, evaluator.value(body));
          return { edge: origin, values: all };
        }),
      keepsSteps: true,
    },
  };
}

function derivesNothingNew({ sources, head, values }: Edge): boolean {
  return sources.some(s => s.location === head && s.places.every((place, i) => values[i] === place));
}

/** What is derived from itself needs the instance that is to be shown; an edge that is never taken needs none. */
function instancesBack(
  { edges }: Problem,
  { bound, instances }: Quantified,
  simplified: ReadonlyMap<Edge, Simplified>,
): Quantified {
  const all = new Map<Edge, readonly Instance[]>();
  for (const edge of edges) {
    const own = edge.sources.flatMap(({ location }, source) => {
      const values = bound.get(location);
      return values === undefined || location !== edge.head ? [] : [{ source, values }];
    });
    all.set(edge, own);
  }
  for (const [edge, { origin }] of simplified) all.set(origin, instances.get(edge) ?? []);
  return { bound, instances: all };
}
