/**
 * Unfolds calls (resolution.ts): where a location is a source beside others, what derives it takes its place, and the location is
 * gone. This is done where nothing derives the location from itself, the problem does not grow beyond a bound, and the location
 * has a strongest model without quantifiers. Where that model needs some, the location is unfolded on a variant of the problem
 * (unfold-all.ts), or callers wait. What has only edges with one source is for `eliminate-locations.ts`.
 */
import type { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute } from '../../../term/substitute.ts';
import { type Edge, isLinear, type Location, type Problem, placesTo } from '../../problem/problem.ts';
import { type Interpretation, strongest } from '../interpretation.ts';
import { composedNames, lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from '../pass.ts';
import { Resolution } from './resolution.ts';

/** An unfolding may add so many terms. */
const MAX_GROWTH = 200;

/** One model may occur so often in another: see `../eliminate-locations.ts`. */
const MAX_OCCURRENCES = 30;

export function unfoldCalls(problem: Problem, solver: EquationSolver): Pass {
  if (isLinear(problem)) return unchanged(problem);
  return new Unfolded(problem, solver).pass();
}

class Unfolded {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly solver: EquationSolver;
  private readonly resolution: Resolution;
  private readonly interpretations = new Map<Location, Interpretation>(); // in the order of unfolding
  private readonly occurrences = new Map<Location, number>(); // of a location's model in one of those that are gone

  constructor(problem: Problem, solver: EquationSolver) {
    this.problem = problem;
    this.terms = problem.terms;
    this.solver = solver;
    this.resolution = new Resolution(problem);
  }

  pass(): Pass {
    const { problem, resolution, interpretations, solver, terms } = this;
    for (const location of problem.locations) {
      solver.checkpoint.pass(WORK_OF_A_LOCATION);
      this.unfold(location);
    }
    if (interpretations.size === 0) return unchanged(problem);
    return {
      problem: {
        ...problem,
        locations: problem.locations.filter(l => !interpretations.has(l)),
        edges: [...resolution.edges.all],
      },
      back: {
        proof: proof => {
          const model = new Map(proof.model);
          for (const [location, { formula }] of [...interpretations].reverse())
            model.set(location, formula(model));
          return { ...proof, model, lemmas: lemmasBack(terms, proof.lemmas, e => [this.origin(e)]) };
        },
        derivation: derivation => resolution.derivation(derivation),
        keepsSteps: false,
      },
    };
  }

  private unfold(location: Location): void {
    const { resolution, solver, occurrences } = this;
    if (!resolution.isBesideOthers(location) || !resolution.mayUnfold(location)) return;
    const interpretation = strongest(location, resolution.edges.into(location), solver);
    if (interpretation === undefined) return;
    const here = occurrences.get(location) ?? 1;
    if ([...interpretation.occurrences.values()].some(n => n * here > MAX_OCCURRENCES)) return;
    const unfolding = resolution.unfolding(location, MAX_GROWTH);
    if (unfolding === undefined) return;
    this.interpretations.set(location, interpretation);
    for (const [l, n] of interpretation.occurrences)
      occurrences.set(l, Math.max(occurrences.get(l) ?? 1, here * n));
    resolution.apply(unfolding);
  }

  /** What a lemma about a new edge says of the old one: what the first derives is known from what it has derived. */
  private origin(edge: Edge): Origin {
    const { terms, interpretations } = this;
    const { origins } = this.resolution;
    let origin: Required<Origin> = { edge, names: new Map() };
    for (let r = origins.get(edge); r !== undefined; r = origins.get(r.second)) {
      const { location, first, second, at, firstNames, secondNames } = r;
      const here = placesTo(location, second.sources[at].places);
      const names = new Map([...secondNames].map(([v, name]) => [name, v] as const));
      for (const [v, image] of interpretations.get(location)?.images.get(first)?.images ?? [])
        names.set(firstNames.get(v) as TermId, substitute(terms, image, here));
      origin = { edge: second, names: composedNames(terms, origin.names, names) };
    }
    return origin;
  }
}
