/**
 * Edges as formulas about the state now and the next one: the steps into one location, or the violations.
 *
 *   - where edges come from several locations, a Boolean for each of these says where the state is; at most one is on, and
 *     none where a start leads in;
 *   - where an edge comes from several locations at once, a Boolean says that it is the one which is taken, and the places of
 *     each of its sources are what stands for them in that edge;
 *   - where several edges come from one location, inputs choose one of them;
 *   - the next value of each place is a choice among the edges' values.
 *
 * What holds in a step holds by one of the edges: which, the edge's selection tells.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { conjuncts } from './conjuncts.ts';
import { atMostOne, exactlyOne } from './exactly-one.ts';
import { negated } from './literals.ts';
import { type Edge, type Location, type Problem, sourceOf } from './problem.ts';

/** An edge, and what is true where it is the one that is taken. */
export interface Case {
  readonly edge: Edge;
  readonly selection: TermId;
}

export interface Transitions {
  /** What initial states satisfy. */
  readonly init: readonly TermId[];
  /** What next state variables are. */
  readonly definitions: ReadonlyMap<TermId, TermId>;
  /** What else steps satisfy. */
  readonly relations: readonly TermId[];
  /** What every state satisfies that a run goes on from. */
  readonly constraints: readonly TermId[];
  /** That one of the queries' edges can be taken. */
  readonly bad: TermId;
  /** The steps, and the queries. */
  readonly steps: readonly Case[];
  readonly queries: readonly Case[];
  /** Groups of inputs that choose an edge: of each, exactly one is on in any step that it is about. */
  readonly choices: readonly (readonly TermId[])[];
  /** Where the edges come from. */
  readonly sources: readonly Location[];
  /** Those from where edges come that have no other source. */
  readonly origins: ReadonlySet<Location>;
  /** Of each edge with several sources, what is true where it is taken. */
  readonly calls: ReadonlyMap<Edge, TermId>;
}

/** Where a step comes from, as far as steps are told apart by that: one location, or all sources of an edge together. */
type Origin = Location | Edge | undefined;

/** The literal that says that a state is at a location; true where there is no other. */
export type IsAt = (location: Location) => TermId;

/** Steps by edges with one head, or from nowhere; `init` says what the initial states are, if that is not nowhere. */
export function stepsBy(
  problem: Problem,
  edges: readonly Edge[],
  head: Location,
  isAt: IsAt,
  init?: readonly TermId[],
): Transitions {
  const { terms, next } = problem;
  const builder = new Builder(terms, edges, isAt);
  const cases = builder.cases();
  const definitions = new Map<TermId, TermId>();
  if (cases.length > 0) {
    head.places.forEach((p, i) => {
      const value = choice(terms, cases, c => c.edge.values[i]);
      // A value that is nothing but the next variable is left to the guards.
      if (value !== next.of(p)) definitions.set(next.of(p), value);
    });
  }
  const guards = cases.map(({ edge, selection }) => implication(terms, selection, edge.guard));
  return {
    init: init ?? builder.nowhere(),
    definitions,
    relations: parts(terms, [terms.or(cases.map(c => c.selection)), ...guards, ...builder.choosing()]),
    constraints: builder.constraints(),
    bad: terms.false,
    steps: cases,
    queries: [],
    choices: builder.choices(),
    ...builder.whence(),
  };
}

/** States in which a query's edge can be taken. */
export function violationsBy(problem: Problem, queries: readonly Edge[], isAt: IsAt): Transitions {
  const { terms } = problem;
  const builder = new Builder(terms, queries, isAt);
  const cases = queries.map(edge => {
    const where = edge.sources.length === 0 ? [] : [builder.at(originOf(edge))].filter(l => l !== terms.true);
    return { edge, selection: terms.and([...where, edge.guard]) };
  });
  return {
    init: builder.nowhere(),
    definitions: new Map(),
    relations: [],
    constraints: builder.constraints(),
    bad: terms.or(cases.map(c => c.selection)),
    steps: [],
    queries: cases,
    choices: [],
    ...builder.whence(),
  };
}

class Builder {
  private readonly terms: TermStore;
  private readonly edges: readonly Edge[];
  private readonly isAt: IsAt;
  private readonly byOrigin = new Map<Origin, Edge[]>();
  private readonly calls = new Map<Edge, TermId>();
  private readonly inputs = new Map<Edge, TermId>(); // that choose an edge among those from one origin

  constructor(terms: TermStore, edges: readonly Edge[], isAt: IsAt) {
    this.terms = terms;
    this.edges = edges;
    this.isAt = isAt;
    for (const edge of edges) {
      const origin = originOf(edge);
      const known = this.byOrigin.get(origin);
      if (known === undefined) this.byOrigin.set(origin, [edge]);
      else known.push(edge);
      if (origin === edge) this.calls.set(edge, terms.variable('call', terms.sorts.bool));
    }
  }

  whence(): Pick<Transitions, 'sources' | 'origins' | 'calls'> {
    const origins = new Set(this.locations());
    const ofCalls = [...this.calls.keys()].flatMap(e => e.sources.map(s => s.location));
    return { sources: [...new Set([...origins, ...ofCalls])], origins, calls: this.calls };
  }

  cases(): Case[] {
    const { terms } = this;
    let number = 0; // of the next input
    for (const group of this.byOrigin.values()) {
      if (group.length < 2) continue;
      for (const edge of group) this.inputs.set(edge, terms.variable(`act${number++}`, terms.sorts.bool));
    }
    return this.edges.map(edge => {
      const input = this.inputs.get(edge);
      const where = this.at(originOf(edge));
      return { edge, selection: input === undefined ? where : conjunction(terms, [where, input]) };
    });
  }

  choices(): TermId[][] {
    return [...this.byOrigin.values()].map(group => this.choosers(group)).filter(inputs => inputs.length > 0);
  }

  /** Of the edges from one origin exactly one is chosen. */
  choosing(): TermId[] {
    const { terms } = this;
    return [...this.byOrigin].flatMap(([origin, group]) =>
      exactlyOne(terms, this.choosers(group)).map(f => implication(terms, this.at(origin), f)),
    );
  }

  private choosers(group: readonly Edge[]): TermId[] {
    return group.flatMap(e => this.inputs.get(e) ?? []);
  }

  constraints(): TermId[] {
    const { terms } = this;
    const own = this.locations().flatMap(s => s.constraints.map(c => implication(terms, this.isAt(s), c)));
    return parts(terms, [...atMostOne(terms, this.somewhere()), ...own]);
  }

  nowhere(): TermId[] {
    return this.somewhere().map(l => this.terms.not(l));
  }

  /** The literal of an origin; of none, that it is no other. */
  at(origin: Origin): TermId {
    if (origin === undefined) return this.terms.and(this.nowhere());
    return isEdge(origin) ? (this.calls.get(origin) as TermId) : this.isAt(origin);
  }

  private locations(): Location[] {
    return [...this.byOrigin.keys()].flatMap(o => (o === undefined || isEdge(o) ? [] : [o]));
  }

  private somewhere(): TermId[] {
    const origins = [...this.byOrigin.keys()].filter(o => o !== undefined);
    return origins.map(o => this.at(o)).filter(l => l !== this.terms.true);
  }
}

function originOf(edge: Edge): Origin {
  return edge.sources.length > 1 ? edge : sourceOf(edge);
}

function isEdge(origin: Location | Edge): origin is Edge {
  return 'guard' in origin;
}

export function parts(terms: TermStore, formulas: readonly TermId[]): TermId[] {
  return [...new Set(formulas.flatMap(f => conjuncts(terms, f)))].filter(f => f !== terms.true);
}

function conjunction(terms: TermStore, formulas: readonly TermId[]): TermId {
  return terms.and(formulas.filter(f => f !== terms.true));
}

export function implication(terms: TermStore, condition: TermId, formula: TermId): TermId {
  if (formula === terms.true || condition === terms.true) return formula;
  const otherwise = terms.op(condition) === Op.NOT ? terms.arg(condition, 0) : negated(terms, condition);
  return formula === terms.false ? otherwise : terms.or([otherwise, formula]);
}

/** The value of the one case that is selected. The most frequent value is that of all other cases. */
export function choice(terms: TermStore, cases: readonly Case[], valueBy: (c: Case) => TermId): TermId {
  const selecting = new Map<TermId, TermId[]>(); // by value
  for (const c of cases) {
    const value = valueBy(c);
    const known = selecting.get(value);
    if (known === undefined) selecting.set(value, [c.selection]);
    else known.push(c.selection);
  }
  const [[last], ...others] = [...selecting].sort(([, a], [, b]) => b.length - a.length);
  return others.reduce((otherwise, [value, when]) => terms.ite(terms.or(when), value, otherwise), last);
}
