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
import { counted, type Interpretation, sizeOf, strongest } from './interpretation.ts';
import { composedNames, lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from './pass.ts';

/** As many Boolean inputs are tried out. */
const MAX_CASES = 4;

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
            const { skipped } = step;
            steps.push({ ...part, premises, ...(i === 0 && skipped !== undefined ? { skipped } : {}) });
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
      stack.push({ edge: first, names: composedNames(terms, origin.names, derived) });
    } else {
      const back = [...names].map(([input, name]) => [name, input] as const);
      stack.push({
        edge: second,
        names: composedNames(terms, origin.names, new Map([...image.images, ...back])),
      });
    }
  }
  return found;
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
      .map(input => [input, terms.another(input)]),
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

/** The formula for all values of Boolean variables. */
function cases(terms: TermStore, formula: TermId, variables: readonly TermId[]): TermId[] {
  return variables.reduce(
    (all, v) => all.flatMap(f => [terms.true, terms.false].map(b => substitute(terms, f, new Map([[v, b]])))),
    [formula],
  );
}
