/**
 * Edges as formulas about the state now and the next one: the steps into one location, or the violations.
 *
 *   - where edges come from several locations, a Boolean for each of these says where the state is; at most one is on, and
 *     none where a start leads in;
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
}

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
    sources: builder.sources,
  };
}

/** States in which a query's edge can be taken. */
export function violationsBy(problem: Problem, queries: readonly Edge[], isAt: IsAt): Transitions {
  const { terms } = problem;
  const builder = new Builder(terms, queries, isAt);
  const cases = queries.map(edge => {
    const source = sourceOf(edge);
    const where = source === undefined ? [] : [isAt(source)].filter(l => l !== terms.true);
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
    sources: builder.sources,
  };
}

class Builder {
  readonly sources: readonly Location[];
  private readonly terms: TermStore;
  private readonly edges: readonly Edge[];
  private readonly isAt: IsAt;
  private readonly bySource = new Map<Location | undefined, Edge[]>();
  private readonly inputs = new Map<Edge, TermId>(); // that choose an edge among those of its source

  constructor(terms: TermStore, edges: readonly Edge[], isAt: IsAt) {
    this.terms = terms;
    this.edges = edges;
    this.isAt = isAt;
    for (const edge of edges) {
      const source = sourceOf(edge);
      const known = this.bySource.get(source);
      if (known === undefined) this.bySource.set(source, [edge]);
      else known.push(edge);
    }
    this.sources = [...this.bySource.keys()].filter(s => s !== undefined);
  }

  cases(): Case[] {
    const { terms } = this;
    let number = 0; // of the next input
    for (const group of this.bySource.values()) {
      if (group.length < 2) continue;
      for (const edge of group) this.inputs.set(edge, terms.variable(`act${number++}`, terms.sorts.bool));
    }
    return this.edges.map(edge => {
      const input = this.inputs.get(edge);
      const where = this.at(sourceOf(edge));
      return { edge, selection: input === undefined ? where : conjunction(terms, [where, input]) };
    });
  }

  choices(): TermId[][] {
    return [...this.bySource.values()].map(group => this.choosers(group)).filter(inputs => inputs.length > 0);
  }

  /** Of the edges from one location exactly one is chosen. */
  choosing(): TermId[] {
    const { terms } = this;
    return [...this.bySource].flatMap(([source, group]) =>
      exactlyOne(terms, this.choosers(group)).map(f => implication(terms, this.at(source), f)),
    );
  }

  private choosers(group: readonly Edge[]): TermId[] {
    return group.flatMap(e => this.inputs.get(e) ?? []);
  }

  constraints(): TermId[] {
    const { terms } = this;
    const own = this.sources.flatMap(s => s.constraints.map(c => implication(terms, this.isAt(s), c)));
    return parts(terms, [...atMostOne(terms, this.locations()), ...own]);
  }

  nowhere(): TermId[] {
    return this.locations().map(l => this.terms.not(l));
  }

  private locations(): TermId[] {
    return this.sources.map(s => this.isAt(s)).filter(l => l !== this.terms.true);
  }

  private at(source: Location | undefined): TermId {
    return source === undefined ? this.terms.and(this.nowhere()) : this.isAt(source);
  }
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
