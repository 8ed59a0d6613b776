/**
 * Small problems by enumeration: what can be derived and how, what a model of it is, and whether a model is one. Everything
 * is done by the evaluator, edge by edge, for all values of all variables.
 */
import { type Derivation, NO_FUNCTIONS, type Step } from '../../src/core/problem/derivation.ts';
import {
  conditionsOf,
  constraintInputs,
  type Edge,
  headOf,
  inputsOf,
  isQuery,
  type Location,
  type Problem,
  placesOf,
} from '../../src/core/problem/problem.ts';
import type { Model } from '../../src/core/problem/proof.ts';
import { Evaluator, termOfValue } from '../../src/term/evaluator.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { allValues, type Value, valueKey } from '../../src/term/value.ts';

export type Assignment = ReadonlyMap<TermId, Value>;

/** A state of a location. */
interface Fact {
  readonly location: Location;
  readonly values: readonly Value[];
  /** How it is derived by a tree that is as little high as can be. */
  readonly edge: Edge;
  readonly assignment: Assignment;
  readonly premises: readonly Fact[];
  /** So many edges are one above the other in that tree. */
  readonly height: number;
}

/** More combinations of values than this are too many to be tried out, and more uses of edges. */
const MAX_CHOICES = 1 << 12;
const MAX_USES = 60_000;

export class TooLarge extends Error {}

export function* assignments(terms: TermStore, variables: readonly TermId[]): Generator<Map<TermId, Value>> {
  const domains = variables.map(v => [...allValues(terms.sorts, terms.sort(v))]);
  if (domains.reduce((product, d) => product * d.length, 1) > MAX_CHOICES) throw new TooLarge();
  const choice = variables.map(() => 0);
  for (;;) {
    yield new Map(variables.map((v, i) => [v, domains[i][choice[i]]]));
    let i = 0;
    while (i < choice.length && ++choice[i] === domains[i].length) choice[i++] = 0;
    if (i === choice.length) return;
  }
}

/** Evaluates terms of which all variables have values. */
export function evaluator(terms: TermStore, values: Assignment): Evaluator {
  return new Evaluator(terms, f => {
    const value = values.get(terms.apply(f, []));
    if (value === undefined) throw new Error(`'${terms.symbol(f).name}' has no value`);
    return value;
  });
}

/** All that can be derived. */
export class Derivable {
  private readonly problem: Problem;
  private readonly facts = new Map<Location, Map<string, Fact>>();
  private readonly queries = new Map<number, Omit<Fact, 'location' | 'values'>>(); // by property
  private uses = 0;

  /** Throws a TooLarge. */
  constructor(problem: Problem) {
    this.problem = problem;
    for (const l of problem.locations) this.facts.set(l, new Map());
    const inputs = new Map(
      problem.edges.map(e => [e, [...assignments(problem.terms, inputsOf(problem.terms, e))]]),
    );
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const edge of problem.edges) {
        for (const premises of this.combinations(edge))
          for (const own of inputs.get(edge) as Assignment[]) if (this.use(edge, premises, own)) isNew = true;
      }
    }
  }

  /** The numbers of the properties with a query that can be derived. */
  get properties(): number[] {
    return [...this.queries.keys()].sort((a, b) => a - b);
  }

  /** The height of the least high derivation of a query of the property. */
  height(property: number): number | undefined {
    return this.queries.get(property)?.height;
  }

  /** A derivation of a query of the property, if there is one. */
  derivation(property: number): Derivation | undefined {
    const query = this.queries.get(property);
    if (query === undefined) return undefined;
    const steps: Step[] = [];
    const numbers = new Map<object, number>();
    const add = (fact: Omit<Fact, 'location' | 'values'>): number => {
      const known = numbers.get(fact);
      if (known !== undefined) return known;
      const premises = fact.premises.map(add);
      steps.push({ edge: fact.edge, values: fact.assignment, premises });
      numbers.set(fact, steps.length - 1);
      return steps.length - 1;
    };
    add(query);
    return { steps, functionValue: NO_FUNCTIONS };
  }

  /** The strongest model: what is derivable, and nothing else. */
  get strongest(): Model {
    const { terms } = this.problem;
    return new Map(
      [...this.facts].map(([l, facts]) => [
        l,
        terms.or([...facts.values()].map(f => pointOf(terms, l, f.values))),
      ]),
    );
  }

  has(location: Location, values: readonly Value[]): boolean {
    return this.facts.get(location)?.has(keyOf(values)) === true;
  }

  private combinations({ sources }: Edge): Fact[][] {
    const count = sources.reduce((n, { location }) => n * (this.facts.get(location)?.size ?? 0), 1);
    if (count > MAX_USES) throw new TooLarge();
    return sources.reduce<Fact[][]>(
      (all, { location }) =>
        all.flatMap(c => [...(this.facts.get(location)?.values() ?? [])].map(f => [...c, f])),
      [[]],
    );
  }

  /** Derives what an edge gives; was that new, or is it less high than what was known? */
  private use(edge: Edge, premises: readonly Fact[], inputs: Assignment): boolean {
    const { terms } = this.problem;
    if (++this.uses > MAX_USES) throw new TooLarge();
    const assignment = new Map(inputs);
    edge.sources.forEach(({ places }, i) => {
      for (const [j, p] of places.entries()) assignment.set(p, premises[i].values[j]);
    });
    const e = evaluator(terms, assignment);
    if (!conditionsOf(edge).every(c => e.value(c) === true)) return false;
    const { head } = edge;
    const height = 1 + Math.max(0, ...premises.map(f => f.height));
    const isLess = (fact: Pick<Fact, 'height'> | undefined) => fact === undefined || height < fact.height;
    if (isQuery(head)) {
      if (!isLess(this.queries.get(head.property))) return false;
      this.queries.set(head.property, { edge, assignment, premises, height });
      return true;
    }
    const values = edge.values.map(v => e.value(v));
    const known = this.facts.get(head) as Map<string, Fact>;
    if (!isLess(known.get(keyOf(values)))) return false;
    known.set(keyOf(values), { location: head, values, edge, assignment, premises, height });
    return true;
  }
}

/** The weakest model: all states from which no query can be derived. Only for problems without calls. */
export function weakestModel(problem: Problem): Model {
  const { terms, locations, edges } = problem;
  const bad = new Map<Location, Map<string, readonly Value[]>>(locations.map(l => [l, new Map()]));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const edge of edges) {
      if (edge.sources.length !== 1) continue;
      const [{ location }] = edge.sources;
      for (const a of assignments(terms, [...location.places, ...inputsOf(terms, edge)])) {
        const values = location.places.map(p => a.get(p) as Value);
        if (bad.get(location)?.has(keyOf(values))) continue;
        const e = evaluator(terms, a);
        if (!conditionsOf(edge).every(c => e.value(c) === true)) continue;
        const head = headOf(edge);
        const leadsToBad = head === undefined || bad.get(head)?.has(keyOf(edge.values.map(v => e.value(v))));
        if (leadsToBad !== true) continue;
        bad.get(location)?.set(keyOf(values), values);
        isNew = true;
      }
    }
  }
  return new Map(
    [...bad].map(([l, states]) => [
      l,
      terms.not(terms.or([...states.values()].map(s => pointOf(terms, l, s)))),
    ]),
  );
}

/**
 * What is wrong with a model as a proof that no query can be derived: an edge leads out of it, or to a query. It need not
 * hold where the constraints of the location fail, whatever the inputs.
 */
export function complaintAboutModel(problem: Problem, model: Model): string | undefined {
  const { terms } = problem;
  const holds = (l: Location, values: readonly Value[]) => {
    const e = evaluator(terms, new Map(l.places.map((p, i) => [p, values[i]])));
    return e.value(model.get(l) as TermId) === true;
  };
  for (const [n, edge] of problem.edges.entries()) {
    const head = headOf(edge);
    for (const a of assignments(terms, [...placesOf(edge), ...inputsOf(terms, edge)])) {
      const e = evaluator(terms, a);
      if (!conditionsOf(edge).every(c => e.value(c) === true)) continue;
      const isFrom = edge.sources.every(s =>
        holds(
          s.location,
          s.places.map(p => a.get(p) as Value),
        ),
      );
      if (!isFrom) continue;
      if (head === undefined) return `edge ${n} leads to a query`;
      const values = edge.values.map(v => e.value(v));
      if (!holds(head, values) && isPossible(terms, head, values)) return `edge ${n} leads out of the model`;
    }
  }
  return undefined;
}

/** Do some inputs satisfy the constraints of a location in a state? */
function isPossible(terms: TermStore, location: Location, values: readonly Value[]): boolean {
  const state = location.places.map((p, i) => [p, values[i]] as const);
  for (const inputs of assignments(terms, [...constraintInputs(terms, location)])) {
    const e = evaluator(terms, new Map([...inputs, ...state]));
    if (location.constraints.every(c => e.value(c) === true)) return true;
  }
  return false;
}

function pointOf(terms: TermStore, { places }: Location, values: readonly Value[]): TermId {
  return terms.and(places.map((p, i) => terms.eq(p, termOfValue(terms, terms.sort(p), values[i]))));
}

function keyOf(values: readonly Value[]): string {
  return values.map(v => String(valueKey(v))).join(' ');
}

/** What can be derived in a problem, unless that is too much. */
export function derivableIn(problem: Problem): Derivable | undefined {
  try {
    return new Derivable(problem);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return undefined;
  }
}
