/**
 * From Horn clauses to a transition system, dissertation section 4.2. A state says which relation is current, with
 * a Boolean for each, the location, and has values for the places of that relation. A step uses an edge; in the initial
 * state no relation is current. A query is derivable exactly if its property is violated.
 *
 *   functional   Figure 4.1: the next value of every state variable is a term, in which activation inputs choose the
 *                edge; each activates its guard, and exactly one of those of a location is on. A location with a single
 *                edge needs no activation input
 *   relational   section 4.2.2: the transition relation is a disjunction, with a disjunct for each edge
 *   sliced       the functional one, and the system tells which ways there are from location to location, so that
 *                the search can ask about the steps into one location at a time
 *
 * Where there is one relation and what starts it can be said without inputs, its locations are left out: the system
 * has the relation's places as its states, and starts with one of the facts.
 *
 * Two things differ from the dissertation. Exactly one location is on after a step, and a variable that the current
 * relation does not use has a fixed value: 0, false, or an array of these. So a model can be read off an invariant
 * without quantifiers: fix the location and the unused variables. What an edge derives from a state of that shape is
 * again a state of that shape, so the invariant, which no step leaves, is one of the clauses too.
 */
import { EquationSolver } from '../bv/preprocess/equation-solver.ts';
import type { Proof } from '../core/system/proof.ts';
import type { Property, StateVariable, System, Way } from '../core/system/system.ts';
import type { Step as SystemStep, Trace } from '../core/system/trace.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { termOfValue } from '../term/evaluator.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { substitute } from '../term/substitute.ts';
import { sameValue, type Value } from '../term/value.ts';
import {
  type Derivation,
  defaultValue,
  type Edge,
  evaluatorOf,
  type HornGraph,
  headRelation,
  headValues,
  inputsOf,
  placesTo,
  WORK_OF_A_STEP,
} from './graph.ts';
import { type PostImage, postImage } from './post-image.ts';
import { type Atom, isQuery, type Model, type Relation } from './problem.ts';
import { assignSlots, type Slots } from './slots.ts';

export type Encoding = 'functional' | 'relational' | 'sliced';

export const ENCODINGS: readonly Encoding[] = ['functional', 'relational', 'sliced'];

export interface Encoded {
  readonly system: System;
  /** What an invariant of the system says about each relation. */
  readonly model: (proof: Proof) => Model;
  /** The edges that a run that violates the property of a query takes. */
  readonly derivation: (trace: Trace, query: number, checkpoint?: Checkpoint) => Derivation;
  /** A formula over the system's variables as one about the arguments of a clause's body and head. */
  readonly instantiate: (formula: TermId, body: Atom | undefined, head: Atom | undefined) => TermId;
}

export function encode(
  graph: HornGraph,
  queries: readonly (string | undefined)[],
  encoding: Encoding,
  checkpoint: Checkpoint = new Checkpoint(),
): Encoded {
  return new Encoder(graph, queries, checkpoint).encode(encoding);
}

/** What one edge does in a step: the condition and the next values of all state variables. */
interface Action {
  readonly edge: Edge;
  readonly guard: TermId;
  readonly next: ReadonlyMap<TermId, TermId>; // by current variable
}

class Encoder {
  private readonly terms: TermStore;
  private readonly graph: HornGraph;
  private readonly queries: readonly (string | undefined)[];
  private readonly checkpoint: Checkpoint;
  private readonly slots: Slots;
  private readonly locations: ReadonlyMap<Relation, TermId>; // empty if there is one relation only
  private readonly facts: ReadonlyMap<Edge, PostImage> | undefined; // what starts it, in that case
  private readonly states: StateVariable[] = [];
  private readonly nextOf = new Map<TermId, TermId>();

  constructor(graph: HornGraph, queries: readonly (string | undefined)[], checkpoint: Checkpoint) {
    const { terms } = graph;
    this.terms = terms;
    this.checkpoint = checkpoint;
    this.graph = graph;
    this.queries = queries;
    this.slots = assignSlots(graph);
    this.facts = this.initialFacts();
    this.locations = new Map(
      this.facts === undefined ? graph.relations.map(r => [r, terms.variable(r.name, terms.sorts.bool)]) : [],
    );
    for (const current of [...this.locations.values(), ...this.slots.variables]) {
      const { name } = terms.symbol(terms.functionOf(current));
      const next = terms.variable(`${name}.next`, terms.sort(current));
      this.states.push({ current, next });
      this.nextOf.set(current, next);
    }
  }

  encode(encoding: Encoding): Encoded {
    const { terms, graph, states } = this;
    const inputs = new Set(
      graph.edges
        .filter(e => e.body !== undefined || this.facts === undefined)
        .flatMap(e => inputsOf(terms, e)),
    );
    const steps = this.actions();
    const choices: TermId[][] = [];
    const ways: Way[] = [];
    const locations = [...this.locations.values()];
    const trans =
      encoding === 'relational' ? this.disjunction(steps.flat()) : this.functional(steps, choices, ways);
    const system: System = {
      terms,
      states,
      inputs: [...choices.flat(), ...inputs],
      init: this.init(),
      trans,
      constraints: this.exclusion(),
      properties: this.queries.map((name, query) => this.property(name, query)),
      choices,
    };
    return {
      system:
        encoding === 'sliced' && locations.length > 1 ? { ...system, control: { locations, ways } } : system,
      model: ({ invariant }) =>
        new Map(graph.relations.map(r => [r, substitute(terms, invariant, this.stateOf(r, r.places))])),
      derivation: (trace, query, checkpoint) => this.derivation(trace, query, checkpoint),
      instantiate: (formula, body, head) => {
        const next = [...this.argumentsOf(head)].map(([v, t]) => [this.nextOf.get(v) as TermId, t] as const);
        return substitute(terms, formula, new Map([...this.argumentsOf(body), ...next]));
      },
    };
  }

  /** The state that an application of a relation stands for; nothing if the relation is none of the system's. */
  private argumentsOf(atom: Atom | undefined): Map<TermId, TermId> {
    // Passes leave out relations and places, but they neither rename nor add any.
    const relation = this.graph.relations.find(r => r.name === atom?.relation.name);
    if (atom === undefined || relation === undefined) return new Map();
    const args = placesTo(atom.relation, atom.args);
    return this.stateOf(
      relation,
      relation.places.map(p => args.get(p) as TermId),
    );
  }

  /** What the facts derive, if there is one relation and no query without a relation, and it can be said. */
  private initialFacts(): ReadonlyMap<Edge, PostImage> | undefined {
    const { relations, edges, terms } = this.graph;
    if (relations.length !== 1 || edges.some(e => e.body === undefined && isQuery(e.head))) return undefined;
    const [relation] = relations;
    const solver = new EquationSolver(new Rewriter(terms));
    const facts = new Map<Edge, PostImage>();
    for (const edge of edges.filter(e => e.body === undefined)) {
      const image = postImage(relation, edge, solver);
      if (image === undefined) return undefined;
      facts.set(edge, image);
    }
    return facts;
  }

  /** Where steps start from: the relations, and the start itself if it is a state of its own. */
  private sources(): Set<Relation | undefined> {
    const { relations } = this.graph;
    return new Set(this.facts === undefined ? [undefined, ...relations] : relations);
  }

  private init(): TermId {
    const { terms, locations, facts, graph } = this;
    if (facts === undefined) return terms.and([...locations.values()].map(l => terms.not(l)));
    const [relation] = graph.relations;
    return terms.or([...facts.values()].map(f => this.overSlots(relation, f.condition)));
  }

  /** At most one location is on, which steps see to; said outright, it need not be found out. */
  private exclusion(): TermId[] {
    return atMostOne(this.terms, [...this.locations.values()]);
  }

  private property(name: string | undefined, query: number): Property {
    const { terms, graph } = this;
    const bad = graph.edges
      .filter(e => isQuery(e.head) && e.head.query === query)
      .map(e => terms.and([...this.isAt(e.body), this.overSlots(e.body, e.guard)]));
    return { index: query, name, formula: bad.length === 0 ? terms.true : terms.not(terms.or(bad)) };
  }

  /** What is true where a relation is current. */
  private isAt(relation: Relation | undefined): TermId[] {
    const { locations } = this;
    if (relation === undefined) return [];
    const location = locations.get(relation);
    return location === undefined ? [] : [location];
  }

  /** The same, but for the start, which a query without a body does not insist on. */
  private isAtSource(relation: Relation | undefined): TermId {
    const { terms, locations } = this;
    if (relation === undefined) return terms.and([...locations.values()].map(l => terms.not(l)));
    return terms.and(this.isAt(relation));
  }

  /** What the edges do, by where they start. */
  private actions(): Action[][] {
    const bySource = new Map<Relation | undefined, Action[]>([...this.sources()].map(s => [s, []]));
    for (const edge of this.graph.edges)
      if (!isQuery(edge.head)) bySource.get(edge.body)?.push(this.action(edge));
    return [...bySource.values()];
  }

  private action(edge: Edge): Action {
    const { slots, checkpoint } = this;
    checkpoint.pass(slots.variables.length);
    return {
      edge,
      guard: this.overSlots(edge.body, edge.guard),
      next: this.placesOf(
        headRelation(edge),
        edge.values.map(v => this.overSlots(edge.body, v)),
      ),
    };
  }

  private overSlots(relation: Relation | undefined, term: TermId): TermId {
    const { slots } = this;
    if (relation === undefined) return term;
    return substitute(this.terms, term, new Map(relation.places.map(p => [p, slots.of.get(p) as TermId])));
  }

  /** The state in which a relation is current and its places have these values. */
  private stateOf(relation: Relation | undefined, values: readonly TermId[]): Map<TermId, TermId> {
    const state = this.placesOf(relation, values);
    for (const [r, location] of this.locations) state.set(location, this.terms.bool(r === relation));
    return state;
  }

  /** That state without its location. */
  private placesOf(relation: Relation | undefined, values: readonly TermId[]): Map<TermId, TermId> {
    const { terms, slots } = this;
    const state = new Map<TermId, TermId>();
    for (const v of slots.variables) {
      const sort = terms.sort(v);
      state.set(v, termOfValue(terms, sort, defaultValue(terms.sorts, sort)));
    }
    relation?.places.forEach((p, i) => {
      state.set(slots.of.get(p) as TermId, values[i]);
    });
    return state;
  }

  // ---- the transition relation ----

  private disjunction(actions: readonly Action[]): TermId {
    const { terms, nextOf, locations } = this;
    return terms.or(
      actions.map(({ edge, guard, next }) => {
        const updates = [...next].map(([v, t]) => terms.eq(nextOf.get(v) as TermId, t));
        for (const [r, location] of locations) {
          const isOn = nextOf.get(location) as TermId;
          updates.push(r === edge.head ? isOn : terms.not(isOn));
        }
        return terms.and([this.isAtSource(edge.body), guard, ...updates]);
      }),
    );
  }

  /** Notes the inputs that choose an edge, by relation, and where each edge leads. */
  private functional(steps: readonly (readonly Action[])[], choices: TermId[][], ways: Way[]): TermId {
    const { terms, nextOf, locations, slots, checkpoint } = this;
    const rewriter = new Rewriter(terms);
    const conjuncts: TermId[] = [];
    const chosen: (readonly [selected: TermId, action: Action])[] = [];
    const sources: TermId[] = [];
    let number = 0; // of the next activation input
    const note = ({ edge }: Action, choice: TermId | undefined) => {
      const [source] = this.isAt(edge.body);
      for (const target of this.isAt(headRelation(edge))) ways.push({ source, target, choice });
    };
    for (const actions of steps) {
      if (actions.length === 0) continue;
      const here = this.isAtSource(actions[0].edge.body);
      sources.push(here);
      if (actions.length === 1) {
        chosen.push([here, actions[0]]);
        note(actions[0], undefined);
        conjuncts.push(terms.or([terms.not(here), actions[0].guard]));
        continue;
      }
      const acts = actions.map(() => terms.variable(`act${number++}`, terms.sorts.bool));
      choices.push(acts);
      actions.forEach((action, i) => {
        chosen.push([terms.and([here, acts[i]]), action]);
        note(action, acts[i]);
        conjuncts.push(terms.or([terms.not(here), terms.not(acts[i]), action.guard]));
      });
      for (const f of [terms.or(acts), ...atMostOne(terms, acts)]) {
        conjuncts.push(terms.or([terms.not(here), f]));
      }
    }
    if (chosen.length === 0) return terms.false;
    conjuncts.push(terms.or(sources)); // no step leaves a relation without edges
    const into = new Map<unknown, TermId[]>([...locations.keys()].map(r => [r, []]));
    for (const [selected, { edge }] of chosen) into.get(edge.head)?.push(selected);
    for (const [relation, location] of locations) {
      const ways = into.get(relation) as TermId[];
      const isOn = ways.length === chosen.length ? terms.true : terms.or(ways);
      conjuncts.push(terms.eq(nextOf.get(location) as TermId, isOn));
    }
    for (const variable of slots.variables) {
      checkpoint.pass(chosen.length);
      const values = chosen.map(
        ([selected, action]) => [selected, action.next.get(variable) as TermId] as const,
      );
      conjuncts.push(terms.eq(nextOf.get(variable) as TermId, this.choice(values)));
    }
    return terms.and(conjuncts.map(c => rewriter.rewrite(c)).filter(c => c !== terms.true));
  }

  /** The value of the one case that is selected. The most frequent value is that of all other cases. */
  private choice(cases: readonly (readonly [selected: TermId, value: TermId])[]): TermId {
    const { terms } = this;
    const bySelected = new Map<TermId, TermId[]>(); // by value
    for (const [selected, value] of cases) {
      const known = bySelected.get(value);
      if (known === undefined) bySelected.set(value, [selected]);
      else known.push(selected);
    }
    const byFrequency = [...bySelected].sort(([, a], [, b]) => b.length - a.length);
    return byFrequency
      .slice(1)
      .reduce(
        (otherwise, [value, selected]) => terms.ite(terms.or(selected), value, otherwise),
        byFrequency[0][0],
      );
  }

  // ---- runs ----

  private derivation(trace: Trace, query: number, checkpoint?: Checkpoint): Derivation {
    const { graph, terms, facts } = this;
    const steps = trace.steps.map(s => this.decode(s));
    const derivation: { edge: Edge; values: Map<TermId, Value> }[] = [];
    const [first] = steps;
    if (facts !== undefined) {
      const evaluator = evaluatorOf(terms, first.values);
      for (const [edge, { condition, inputs }] of facts) {
        if (derivation.length > 0 || evaluator.value(condition) !== true) continue;
        derivation.push({ edge, values: new Map([...inputs].map(([v, t]) => [v, evaluator.value(t)])) });
      }
    }
    steps.forEach(({ relation, values }, i) => {
      checkpoint?.pass(WORK_OF_A_STEP);
      const next = steps[i + 1];
      const evaluator = evaluatorOf(terms, values);
      const edge = graph.edges.find(e => {
        if (next === undefined) {
          const isHere = e.body === undefined || e.body === relation;
          return isHere && isQuery(e.head) && e.head.query === query && evaluator.value(e.guard) === true;
        }
        if (e.body !== relation || isQuery(e.head) || e.head !== next.relation) return false;
        if (evaluator.value(e.guard) !== true) return false;
        const derived = headValues(terms, e, values);
        return [...derived].every(([p, v]) => sameValue(v, next.values.get(p) as Value));
      });
      if (edge === undefined) throw new Error('a run takes a step that no clause allows');
      // A query without a body needs no steps before it.
      if (next === undefined && edge.body === undefined) derivation.length = 0;
      derivation.push({ edge, values });
    });
    return derivation;
  }

  /** The relation that is current in a state, and the values of its places and of all inputs. */
  private decode(step: SystemStep): { relation: Relation | undefined; values: Map<TermId, Value> } {
    const { graph, locations, slots } = this;
    const relation = graph.relations.find(r => {
      const location = locations.get(r);
      return location === undefined || step.get(location) === true;
    });
    const values = new Map(step);
    for (const p of relation?.places ?? []) values.set(p, step.get(slots.of.get(p) as TermId) as Value);
    return { relation, values };
  }
}

/** Up to so many variables are compared in pairs. */
const MAX_PAIRED = 32;

/** At most one is true: no two of them, or, where there are many, none after another one. */
function atMostOne(terms: TermStore, variables: readonly TermId[]): TermId[] {
  const notBoth = (a: TermId, b: TermId) => terms.or([terms.not(a), terms.not(b)]);
  if (variables.length <= MAX_PAIRED) {
    return variables.flatMap((a, i) => variables.slice(i + 1).map(b => notBoth(a, b)));
  }
  let before = variables[0];
  return variables.slice(1).map(v => {
    const clause = notBoth(before, v);
    before = terms.or([before, v]);
    return clause;
  });
}
