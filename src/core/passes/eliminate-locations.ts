/**
 * Eliminates locations: every edge into a location is joined with every edge out of it, and the location is gone. This
 * is done where no edge leads from the location to itself and the problem does not get more edges by it, and where a
 * model of the location can be given without quantifiers, in one of two ways:
 *
 *   weakest     what all edges out of the location need; these have no inputs, or Boolean ones, which are tried out
 *   strongest   what all edges into it give; their equations can be solved for all that the location does not see
 */
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, type FunctionValue, headValues, type Step } from '../problem/derivation.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import type { NextVariables } from '../problem/next-variables.ts';
import {
  conditionsOf,
  constraintInputs,
  type Edge,
  headOf,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  placesTo,
} from '../problem/problem.ts';
import type { Model } from '../problem/proof.ts';
import { lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from './pass.ts';
import { type PostImage, postImage } from './post-image.ts';

/** As many Boolean inputs are tried out. */
const MAX_CASES = 4;

/** How to make a model of the eliminated location from those of its neighbours. */
interface Interpretation {
  readonly formula: (model: Model) => TermId;
  /** How often the model of each neighbour occurs in it. */
  readonly occurrences: ReadonlyMap<Location, number>;
  /** What the variables of an edge into the location are, seen from there, if the model says so. */
  readonly images: ReadonlyMap<Edge, PostImage>;
}

/**
 * A neighbour may be eliminated, too, and its neighbours: so often may one model occur in another through all of them,
 * or models would grow exponentially along a chain.
 */
const MAX_OCCURRENCES = 300;

/** An edge made of two, whose second has inputs of other names if it shares some with the first. */
interface Joined {
  readonly location: Location; // between the two
  readonly first: Edge;
  readonly second: Edge;
  readonly names: ReadonlyMap<TermId, TermId>; // of the second's inputs
  readonly interpretation: Interpretation;
}

/** An elimination may add so many terms; more than a few hundred, again and again, would be exponential growth. */
const MAX_GROWTH = 200;

/** Eliminates one location after the other, as long as that is possible. */
export function eliminateLocations(problem: Problem, solver: EquationSolver): Pass {
  const { terms, next } = problem;
  const edges = new EdgeTable(problem.edges);
  const origins = new Map<Edge, Joined>();
  const interpretations = new Map<Location, Interpretation>(); // in the order of elimination
  const occurrences = new Map<Location, number>(); // of a location's model in one of those that are gone, at most
  for (const location of problem.locations) {
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    const here = occurrences.get(location) ?? 1;
    const elimination = eliminate(edges, location, solver, MAX_OCCURRENCES / here);
    if (elimination === undefined) continue;
    interpretations.set(location, elimination.interpretation);
    for (const [l, n] of elimination.interpretation.occurrences) {
      occurrences.set(l, Math.max(occurrences.get(l) ?? 1, here * n));
    }
    edges.remove(location);
    for (const [edge, joined] of elimination.joined) {
      edges.add(edge);
      origins.set(edge, joined);
    }
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
        const originsOf = (edge: Edge) => originsThrough(terms, next, edge, origins);
        return { ...proof, model, lemmas: lemmasBack(terms, proof.lemmas, originsOf) };
      },
      derivation: derivation => {
        const steps: Step[] = [];
        const places: number[] = []; // by old number of a step, its last one now
        for (const step of derivation.steps) {
          const parts = apart(terms, step, origins, derivation.functionValue);
          parts.forEach((part, i) => {
            const premises = i === 0 ? step.premises.map(p => places[p]) : [steps.length - 1];
            steps.push({ ...part, premises });
          });
          places.push(steps.length - 1);
        }
        return { ...derivation, steps };
      },
      keepsSteps: false,
    },
  };
}

/** A step by an edge made of others as the steps by these. */
function apart(
  terms: TermStore,
  step: Step,
  origins: ReadonlyMap<Edge, Joined>,
  functionValue: FunctionValue,
): Pick<Step, 'edge' | 'values'>[] {
  const found: Pick<Step, 'edge' | 'values'>[] = [];
  const stack: Pick<Step, 'edge' | 'values'>[] = [step];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const origin = origins.get(part.edge);
    if (origin === undefined) {
      found.push(part);
      continue;
    }
    const { first, second, names } = origin;
    const evaluator = evaluatorOf(terms, part.values, functionValue);
    const derived = headValues(terms, first, part.values, functionValue);
    const later = new Map<TermId, Value>([...part.values, ...derived]);
    for (const [input, name] of names) later.set(input, evaluator.value(name));
    stack.push({ edge: second, values: later }, { edge: first, values: part.values });
  }
  return found;
}

/**
 * What a lemma about a joined edge says about the edges that it was made of. Of the first: what the second one derives
 * is a term over the places between them. Of the second: what came before is known where the model is the strongest.
 */
function originsThrough(
  terms: TermStore,
  next: NextVariables,
  edge: Edge,
  origins: ReadonlyMap<Edge, Joined>,
): Origin[] {
  const found: Origin[] = [];
  const stack: Required<Origin>[] = [{ edge, names: new Map() }];
  for (let origin = stack.pop(); origin !== undefined; origin = stack.pop()) {
    const joined = origins.get(origin.edge);
    if (joined === undefined) {
      found.push(origin);
      continue;
    }
    const { location, first, second, names, interpretation } = joined;
    const image = interpretation.images.get(first);
    if (image === undefined) {
      const between = new Map([...names, ...location.places.map(p => [p, next.of(p)] as const)]);
      const values = substituteAll(terms, second.values, between);
      const derived = new Map((headOf(second)?.places ?? []).map((p, i) => [next.of(p), values[i]]));
      stack.push({ edge: first, names: composed(terms, origin.names, derived) });
    } else {
      const back = [...names].map(([input, name]) => [name, input] as const);
      stack.push({ edge: second, names: composed(terms, origin.names, new Map([...image.images, ...back])) });
    }
  }
  return found;
}

/** One substitution after another, as one. */
function composed(
  terms: TermStore,
  first: ReadonlyMap<TermId, TermId>,
  second: ReadonlyMap<TermId, TermId>,
): Map<TermId, TermId> {
  const all = new Map(second);
  for (const [v, t] of first) all.set(v, substitute(terms, t, second));
  return all;
}

/** How many terms the edges have. */
function sizeOf(terms: TermStore, edges: readonly Edge[]): number {
  return terms.postorder(edges.flatMap(e => [e.guard, ...e.values])).length;
}

interface Elimination {
  readonly interpretation: Interpretation;
  /** The edges that take the place of the location's. */
  readonly joined: ReadonlyMap<Edge, Joined>;
}

function eliminate(
  edges: EdgeTable,
  location: Location,
  solver: EquationSolver,
  maxOccurrences: number,
): Elimination | undefined {
  const { terms } = solver.rewriter;
  const into = edges.into(location);
  const out = edges.outOf(location);
  if (out.some(e => e.head === location || e.sources.length > 1)) return undefined;
  if (into.length * out.length > into.length + out.length) return undefined;
  const isSmall = (i: Interpretation | undefined) =>
    i !== undefined && [...i.occurrences.values()].every(n => n <= maxOccurrences);
  const weak = weakest(terms, out);
  const interpretation = isSmall(weak) ? weak : strongest(location, into, solver);
  if (interpretation === undefined || !isSmall(interpretation)) return undefined;
  const joined = new Map<Edge, Joined>();
  for (const first of into) {
    for (const second of out) {
      const [edge, names] = join(terms, location, first, second);
      joined.set(edge, { location, first, second, names, interpretation });
    }
  }
  if (sizeOf(terms, [...joined.keys()]) > sizeOf(terms, [...into, ...out]) + MAX_GROWTH) return undefined;
  return { interpretation, joined };
}

/** Two edges as one. Inputs of the second that the first has as well, or that it has as places, get new names. */
function join(
  terms: TermStore,
  location: Location,
  first: Edge,
  second: Edge,
): readonly [Edge, ReadonlyMap<TermId, TermId>] {
  const taken = new Set([...inputsOf(terms, first), ...placesOf(first)]);
  const names = new Map(
    inputsOf(terms, second)
      .filter(input => taken.has(input))
      .map(input => [input, terms.variable(terms.symbol(terms.functionOf(input)).name, terms.sort(input))]),
  );
  const [guard, ...values] = substituteAll(
    terms,
    [terms.and(conditionsOf(second)), ...second.values],
    new Map([...names, ...placesTo(location, first.values)]),
  );
  const edge = { sources: first.sources, guard: terms.and([first.guard, guard]), head: second.head, values };
  return [edge, names];
}

function weakest(terms: TermStore, out: readonly Edge[]): Interpretation | undefined {
  const inputs = out.map(e => inputsOf(terms, e));
  if (inputs.some(all => all.length > MAX_CASES || all.some(i => terms.sort(i) !== terms.sorts.bool))) {
    return undefined;
  }
  // A head whose constraints have inputs need not be in its model where they fail, and that cannot be said here.
  const heads = out.flatMap(e => headOf(e) ?? []);
  if (heads.some(h => constraintInputs(terms, h).size > 0)) return undefined;
  const formula: Interpretation['formula'] = model =>
    terms.and(
      out.flatMap((edge, i) => {
        const head = headOf(edge);
        const goals =
          head === undefined ? [] : [model.get(head) as TermId, ...head.constraints.map(c => terms.not(c))];
        const images = head === undefined ? goals : substituteAll(terms, goals, placesTo(head, edge.values));
        const conditions = conditionsOf(edge).map(c => terms.not(c));
        return cases(terms, terms.or([...conditions, ...images]), inputs[i]);
      }),
    );
  const occurrences = counted(out.map((e, i) => [headOf(e), 2 ** inputs[i].length]));
  return { formula, occurrences, images: new Map() };
}

/** Sums of numbers, by location. */
function counted(pairs: readonly (readonly [Location | undefined, number])[]): Map<Location, number> {
  const sums = new Map<Location, number>();
  for (const [l, n] of pairs) if (l !== undefined) sums.set(l, (sums.get(l) ?? 0) + n);
  return sums;
}

/** The formula for all values of Boolean variables. */
function cases(terms: TermStore, formula: TermId, variables: readonly TermId[]): TermId[] {
  return variables.reduce(
    (all, v) => all.flatMap(f => [terms.true, terms.false].map(b => substitute(terms, f, new Map([[v, b]])))),
    [formula],
  );
}

function strongest(
  location: Location,
  into: readonly Edge[],
  solver: EquationSolver,
): Interpretation | undefined {
  const { terms } = solver.rewriter;
  const images = new Map<Edge, PostImage>();
  for (const edge of into) {
    const image = postImage(location, edge, solver);
    if (image === undefined) return undefined;
    images.set(edge, image);
  }
  const formula: Interpretation['formula'] = model =>
    terms.or(
      into.map(edge => {
        const { condition, images: own } = images.get(edge) as PostImage;
        const sources = edge.sources.map(({ location: source, places }) => {
          const args = places.map(p => own.get(p) as TermId);
          return substitute(terms, model.get(source) as TermId, placesTo(source, args));
        });
        return terms.and([condition, ...sources]);
      }),
    );
  const occurrences = counted(into.flatMap(e => e.sources.map(s => [s.location, 1] as const)));
  return { formula, occurrences, images };
}
