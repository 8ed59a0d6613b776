/**
 * Unfolds calls: where a location is a source beside others, what derives it takes its place,
 *
 *   f(x, y) ⇐ y = x + 1      h(z) ⇐ p(x), f(x, z)      becomes      h(z) ⇐ p(x), z = x + 1
 *
 * and the location is gone. Each new edge is the resolvent of two old ones, in which all uses of the location are
 * replaced one after the other. This is done where nothing derives the location from itself, the problem does not grow beyond
 * a bound, and the location has a strongest model without quantifiers. (Others are left to callers that wait, whose
 * models need no existential quantifiers.) What has only edges with one source is for `eliminate-locations.ts`.
 */
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import { Unknown } from '../../sat/unknown.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, evaluatorOf, headValues, type Step } from '../problem/derivation.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import {
  type Edge,
  inputsOf,
  isLinear,
  type Location,
  type Problem,
  placesOf,
  placesTo,
  type Source,
} from '../problem/problem.ts';
import { type Interpretation, sizeOf, strongest } from './interpretation.ts';
import { composedNames, lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from './pass.ts';

/** An unfolding may add so many terms. */
const MAX_GROWTH = 200;

/** One model may occur so often in another: see `eliminate-locations.ts`. */
const MAX_OCCURRENCES = 30;

/** What a new edge was made of: one use of a location in `second` is replaced by what `first` derives it from. */
interface Resolvent {
  readonly location: Location;
  readonly first: Edge;
  readonly second: Edge;
  /** The number of the source of the second. */
  readonly at: number;
  /** What the variables of each are called in the new edge; those that are not here keep their names. */
  readonly firstNames: ReadonlyMap<TermId, TermId>;
  readonly secondNames: ReadonlyMap<TermId, TermId>;
  readonly interpretation: Interpretation;
}

export function unfoldCalls(problem: Problem, solver: EquationSolver): Pass {
  if (isLinear(problem)) return unchanged(problem);
  return new Unfolding(problem, solver).pass();
}

class Unfolding {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly solver: EquationSolver;
  private readonly edges: EdgeTable;
  private readonly origins = new Map<Edge, Resolvent>();
  private readonly interpretations = new Map<Location, Interpretation>(); // in the order of unfolding
  private readonly occurrences = new Map<Location, number>(); // of a location's model in one of those that are gone

  constructor(problem: Problem, solver: EquationSolver) {
    this.problem = problem;
    this.terms = problem.terms;
    this.solver = solver;
    this.edges = new EdgeTable(problem.edges);
  }

  pass(): Pass {
    const { problem, edges, interpretations, solver, terms } = this;
    for (const location of problem.locations) {
      solver.checkpoint.pass(WORK_OF_A_LOCATION);
      this.unfold(location);
    }
    if (interpretations.size === 0) return unchanged(problem);
    return {
      problem: {
        ...problem,
        locations: problem.locations.filter(l => !interpretations.has(l)),
        edges: [...edges.all],
      },
      back: {
        proof: proof => {
          const model = new Map(proof.model);
          for (const [location, { formula }] of [...interpretations].reverse())
            model.set(location, formula(model));
          return { ...proof, model, lemmas: lemmasBack(terms, proof.lemmas, e => [this.origin(e)]) };
        },
        derivation: derivation => this.derivation(derivation),
        keepsSteps: false,
      },
    };
  }

  private unfold(location: Location): void {
    const { edges, terms, solver, occurrences } = this;
    const into = edges.into(location);
    const out = edges.outOf(location);
    if (location.constraints.length > 0 || !out.some(e => e.sources.length > 1)) return;
    if (out.some(e => e.head === location)) return;
    const uses = (e: Edge) => e.sources.filter(s => s.location === location).length;
    const count = out.reduce((sum, e) => sum + into.length ** uses(e), 0);
    if (count > into.length + out.length) return;
    const interpretation = strongest(location, into, solver);
    if (interpretation === undefined) return;
    const here = occurrences.get(location) ?? 1;
    if ([...interpretation.occurrences.values()].some(n => n * here > MAX_OCCURRENCES)) return;
    const made = new Map<Edge, Resolvent>();
    const resolvents = out.flatMap(e => this.resolvents(location, into, e, interpretation, made));
    if (sizeOf(terms, resolvents) > sizeOf(terms, [...into, ...out]) + MAX_GROWTH) return;
    this.interpretations.set(location, interpretation);
    for (const [l, n] of interpretation.occurrences)
      occurrences.set(l, Math.max(occurrences.get(l) ?? 1, here * n));
    edges.remove(location);
    for (const e of resolvents) edges.add(e);
    for (const [e, resolvent] of made) this.origins.set(e, resolvent);
  }

  /** All ways to replace the uses of a location in an edge; `made` also has the edges in between. */
  private resolvents(
    location: Location,
    into: readonly Edge[],
    edge: Edge,
    interpretation: Interpretation,
    made: Map<Edge, Resolvent>,
  ): Edge[] {
    const at = edge.sources.findIndex(s => s.location === location);
    if (at < 0) return [edge];
    return into.flatMap(first => {
      const [joined, resolvent] = this.resolvent(location, first, edge, at, interpretation);
      made.set(joined, resolvent);
      return this.resolvents(location, into, joined, interpretation, made);
    });
  }

  private resolvent(
    location: Location,
    first: Edge,
    second: Edge,
    at: number,
    interpretation: Interpretation,
  ): readonly [Edge, Resolvent] {
    const { terms } = this;
    const others = second.sources.filter((_, i) => i !== at);
    const sources = [...others, ...first.sources];
    // An edge with one source speaks of that location's own places, and nothing else may have their names.
    const only = sources.length === 1 ? sources[0] : undefined;
    const own = new Set(only?.location.places);
    const placeOf = new Map(only?.places.map((p, i) => [p, only.location.places[i]] as const));
    const isOfFirst = only !== undefined && only === first.sources[0];
    const firstNames = new Map(
      [...placesOf(first), ...inputsOf(terms, first)].map(v => {
        const place = isOfFirst ? placeOf.get(v) : undefined;
        return [v, place ?? terms.another(v)] as const;
      }),
    );
    const clashing = inputsOf(terms, second).filter(v => own.has(v));
    const secondNames = new Map([
      ...clashing.map(v => [v, terms.another(v)] as const),
      ...(isOfFirst ? [] : placeOf),
    ]);
    const [firstGuard, ...derived] = substituteAll(terms, [first.guard, ...first.values], firstNames);
    const replaced = new Map(second.sources[at].places.map((p, i) => [p, derived[i]] as const));
    const images = new Map([...secondNames, ...replaced]);
    const [guard, ...values] = substituteAll(terms, [second.guard, ...second.values], images);
    const named = (sources: readonly Source[], names: ReadonlyMap<TermId, TermId>) =>
      sources.map(s => ({ ...s, places: s.places.map(p => names.get(p) ?? p) }));
    const edge: Edge = {
      sources: [
        ...named(second.sources.slice(0, at), secondNames),
        ...named(first.sources, firstNames),
        ...named(second.sources.slice(at + 1), secondNames),
      ],
      guard: terms.and([firstGuard, guard]),
      head: second.head,
      values,
    };
    return [edge, { location, first, second, at, firstNames, secondNames, interpretation }];
  }

  // ---- the way back ----

  /** What a lemma about a new edge says of the old one: what the first derives is known from what it has derived. */
  private origin(edge: Edge): Origin {
    const { terms, origins } = this;
    let origin: Required<Origin> = { edge, names: new Map() };
    for (let r = origins.get(edge); r !== undefined; r = origins.get(r.second)) {
      const { location, first, second, at, firstNames, secondNames, interpretation } = r;
      const here = placesTo(location, second.sources[at].places);
      const names = new Map([...secondNames].map(([v, name]) => [name, v] as const));
      for (const [v, image] of interpretation.images.get(first)?.images ?? [])
        names.set(firstNames.get(v) as TermId, substitute(terms, image, here));
      origin = { edge: second, names: composedNames(terms, origin.names, names) };
    }
    return origin;
  }

  private derivation(derivation: Derivation): Derivation {
    const { origins, terms } = this;
    const { functionValue } = derivation;
    const steps: Step[] = [];
    const add = ({ edge, values, premises, ...rest }: Step): number => {
      const r = origins.get(edge);
      if (r === undefined) return steps.push({ edge, values, premises, ...rest }) - 1;
      const { first, second, at, firstNames, secondNames } = r;
      const evaluator = evaluatorOf(terms, values, functionValue);
      const valuesOf = (e: Edge, names: ReadonlyMap<TermId, TermId>) =>
        new Map<TermId, Value>(
          [...placesOf(e), ...inputsOf(terms, e)].map(v => [v, evaluator.value(names.get(v) ?? v)]),
        );
      const firstValues = valuesOf(first, firstNames);
      const secondValues = valuesOf(second, secondNames);
      const derived = headValues(terms, first, firstValues, functionValue);
      second.sources[at].places.forEach((p, i) => {
        secondValues.set(p, derived.get(r.location.places[i]) as Value);
      });
      const end = at + first.sources.length;
      const call = add({ edge: first, values: firstValues, premises: premises.slice(at, end) });
      const all = [...premises.slice(0, at), call, ...premises.slice(end)];
      return add({ edge: second, values: secondValues, premises: all });
    };
    const numbers: number[] = []; // by old number of a step, where it is now
    for (const step of derivation.steps) {
      if (step.skipped !== undefined && origins.has(step.edge))
        throw new Unknown(
          'size',
          'there is a violation, but its run is too long to list (its rounds have calls)',
        );
      numbers.push(add({ ...step, premises: step.premises.map(p => numbers[p]) }));
    }
    return { ...derivation, steps };
  }
}
