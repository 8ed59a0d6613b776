/**
 * Eliminates relations: every edge into a relation is joined with every edge out of it, and the relation is gone. This
 * is done where no edge leads from the relation to itself and the graph does not get more edges by it, and where a
 * model of the relation can be given without quantifiers, in one of two ways:
 *
 *   weakest     what all edges out of the relation need; these have no inputs, or Boolean ones, which are tried out
 *   strongest   what all edges into it give; their equations can be solved for all that the relation does not see
 */

import type { EquationSolver } from '../bv/preprocess/equation-solver.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { substitute, substituteAll } from '../term/substitute.ts';
import type { Value } from '../term/value.ts';
import { EdgeTable } from './edge-table.ts';
import {
  type Edge,
  evaluatorOf,
  type HornGraph,
  headRelation,
  headValues,
  inputsOf,
  type Pass,
  placesTo,
  type Step,
  WORK_OF_A_RELATION,
} from './graph.ts';
import { type PostImage, postImage } from './post-image.ts';
import { isQuery, type Model, type Relation } from './problem.ts';

/** As many Boolean inputs are tried out. */
const MAX_CASES = 4;

/** How to make a model of the eliminated relation from those of its neighbours. */
interface Interpretation {
  readonly formula: (model: Model, query: number) => TermId;
  /** How often the model of each neighbour occurs in it. */
  readonly occurrences: ReadonlyMap<Relation, number>;
}

/**
 * A neighbour may be eliminated, too, and its neighbours: so often may one model occur in another through all of them,
 * or models would grow exponentially along a chain.
 */
const MAX_OCCURRENCES = 300;

/** An edge made of two, whose second has inputs of other names if it shares some with the first. */
interface Joined {
  readonly first: Edge;
  readonly second: Edge;
  readonly names: ReadonlyMap<TermId, TermId>;
}

/** An elimination may add so many terms; more than a few hundred, again and again, would be exponential growth. */
const MAX_GROWTH = 200;

/** Eliminates one relation after the other, as long as that is possible. */
export function eliminateRelations(graph: HornGraph, solver: EquationSolver): Pass {
  const { terms } = graph;
  const edges = new EdgeTable(graph.edges);
  const origins = new Map<Edge, Joined>();
  const interpretations = new Map<Relation, Interpretation>(); // in the order of elimination
  const occurrences = new Map<Relation, number>(); // of a relation's model in one of those that are gone, at most
  for (const relation of graph.relations) {
    solver.checkpoint.pass(WORK_OF_A_RELATION);
    const here = occurrences.get(relation) ?? 1;
    const elimination = eliminate(edges, relation, solver, MAX_OCCURRENCES / here);
    if (elimination === undefined) continue;
    interpretations.set(relation, elimination.interpretation);
    for (const [r, n] of elimination.interpretation.occurrences) {
      occurrences.set(r, Math.max(occurrences.get(r) ?? 1, here * n));
    }
    edges.remove(relation);
    for (const [edge, joined] of elimination.joined) {
      edges.add(edge);
      origins.set(edge, joined);
    }
  }
  return {
    graph: {
      terms,
      relations: graph.relations.filter(r => !interpretations.has(r)),
      edges: [...edges.all],
    },
    model: (model, query) => {
      const all = new Map(model);
      for (const [relation, interpretation] of [...interpretations].reverse()) {
        all.set(relation, interpretation.formula(all, query));
      }
      return all;
    },
    derivation: derivation => {
      const steps: Step[] = [];
      const stack = [...derivation].reverse();
      for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
        const origin = origins.get(step.edge);
        if (origin === undefined) steps.push(step);
        else stack.push(...apart(terms, step, origin).reverse());
      }
      return steps;
    },
  };
}

/** A step by an edge made of two as the steps by these. */
function apart(terms: TermStore, { values }: Step, { first, second, names }: Joined): Step[] {
  const evaluator = evaluatorOf(terms, values);
  const later = new Map<TermId, Value>([...values, ...headValues(terms, first, values)]);
  for (const [input, name] of names) later.set(input, evaluator.value(name));
  return [
    { edge: first, values },
    { edge: second, values: later },
  ];
}

/** How many terms the edges have. */
function sizeOf(terms: TermStore, edges: readonly Edge[]): number {
  return terms.postorder(edges.flatMap(e => [e.guard, ...e.values])).length;
}

interface Elimination {
  readonly interpretation: Interpretation;
  /** The edges that take the place of the relation's. */
  readonly joined: ReadonlyMap<Edge, Joined>;
}

function eliminate(
  edges: EdgeTable,
  relation: Relation,
  solver: EquationSolver,
  maxOccurrences: number,
): Elimination | undefined {
  const { terms } = solver.rewriter;
  const into = edges.into(relation);
  const out = edges.outOf(relation);
  if (into.some(e => e.body === relation)) return undefined;
  if (into.length * out.length > into.length + out.length) return undefined;
  const isSmall = (i: Interpretation | undefined) =>
    i !== undefined && [...i.occurrences.values()].every(n => n <= maxOccurrences);
  const weak = weakest(terms, out);
  const interpretation = isSmall(weak) ? weak : strongest(relation, into, solver);
  if (interpretation === undefined || !isSmall(interpretation)) return undefined;
  const joined = new Map<Edge, Joined>();
  for (const first of into) {
    for (const second of out) {
      const [edge, names] = join(terms, relation, first, second);
      joined.set(edge, { first, second, names });
    }
  }
  if (sizeOf(terms, [...joined.keys()]) > sizeOf(terms, [...into, ...out]) + MAX_GROWTH) return undefined;
  return { interpretation, joined };
}

/** Two edges as one. Inputs of the second that the first has as well, or that it has as places, get new names. */
function join(
  terms: TermStore,
  relation: Relation,
  first: Edge,
  second: Edge,
): readonly [Edge, ReadonlyMap<TermId, TermId>] {
  const taken = new Set([...inputsOf(terms, first), ...(first.body?.places ?? [])]);
  const names = new Map(
    inputsOf(terms, second)
      .filter(input => taken.has(input))
      .map(input => [input, terms.variable(terms.symbol(terms.functionOf(input)).name, terms.sort(input))]),
  );
  const [guard, ...values] = substituteAll(
    terms,
    [second.guard, ...second.values],
    new Map([...names, ...placesTo(relation, first.values)]),
  );
  const edge = { body: first.body, guard: terms.and([first.guard, guard]), head: second.head, values };
  return [edge, names];
}

function weakest(terms: TermStore, out: readonly Edge[]): Interpretation | undefined {
  const inputs = out.map(e => inputsOf(terms, e));
  if (inputs.some(all => all.length > MAX_CASES || all.some(i => terms.sort(i) !== terms.sorts.bool))) {
    return undefined;
  }
  const formula: Interpretation['formula'] = (model, query) =>
    terms.and(
      out.flatMap((edge, i) => {
        if (isQuery(edge.head) && edge.head.query !== query) return [];
        const head = headRelation(edge);
        const goal =
          head === undefined
            ? terms.false
            : substitute(terms, model.get(head) as TermId, placesTo(head, edge.values));
        return cases(terms, terms.or([terms.not(edge.guard), goal]), inputs[i]);
      }),
    );
  return { formula, occurrences: counted(out.map((e, i) => [headRelation(e), 2 ** inputs[i].length])) };
}

/** Sums of numbers, by relation. */
function counted(pairs: readonly (readonly [Relation | undefined, number])[]): Map<Relation, number> {
  const sums = new Map<Relation, number>();
  for (const [r, n] of pairs) if (r !== undefined) sums.set(r, (sums.get(r) ?? 0) + n);
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
  relation: Relation,
  into: readonly Edge[],
  solver: EquationSolver,
): Interpretation | undefined {
  const { terms } = solver.rewriter;
  const images = into.map(edge => postImage(relation, edge, solver));
  if (images.includes(undefined)) return undefined;
  const formula: Interpretation['formula'] = model =>
    terms.or(
      into.map(({ body }, i) => {
        const { condition, places } = images[i] as PostImage;
        if (body === undefined) return condition;
        return terms.and([condition, substitute(terms, model.get(body) as TermId, placesTo(body, places))]);
      }),
    );
  return { formula, occurrences: counted(into.map(e => [e.body, 1])) };
}
