/**
 * The flat view of a problem: one transition system, in the form that engines walk. It is for problems with one location
 * and one start whose values are the location's next variables (`passes/flatten.ts` makes it so).
 *
 * Definitions say what next state variables are, in terms of current variables and inputs. Where there are several steps,
 * inputs choose one: exactly one of them is on. A next state variable without a definition is constrained by relations.
 *
 *   runs   init(s0)    constraints(sj, ij) for every j ≤ k    step(sj, ij, sj+1) for every j < k
 *
 * and a run violates the property if that is false of (sk, ik).
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, evaluatorOf, type Step } from './derivation.ts';
import { constraintInputs, type Edge, inputsOf, isQuery, type Location, type Problem } from './problem.ts';
import type { Proof } from './proof.ts';
import type { StateVariable } from './system.ts';
import type { Trace, TraceStep } from './trace.ts';
import { stepsBy, type Transitions, violationsBy } from './transitions.ts';

export interface TransitionSystem {
  readonly terms: TermStore;
  readonly states: readonly StateVariable[];
  readonly inputs: readonly TermId[];
  readonly init: readonly TermId[];
  readonly definitions: ReadonlyMap<TermId, TermId>;
  /** What else a step satisfies. */
  readonly relations: readonly TermId[];
  readonly constraints: readonly TermId[];
  readonly property: TermId;
  /** Groups of inputs: of each, exactly one is on in any step. */
  readonly choices: readonly (readonly TermId[])[];
}

export class FlatView {
  readonly system: TransitionSystem;
  /** The same with the edges behind it. */
  readonly transitions: Transitions;
  /** What it is a view of. */
  readonly problem: Problem;
  readonly location: Location;
  private readonly start: Edge;
  private readonly origins = new Map<Edge, Edge>(); // of the edges of `steps`
  private readonly related: ReadonlyMap<TermId, TermId>; // inputs that are nothing but the next value of a place

  constructor(problem: Problem, rewriter: Rewriter) {
    const { terms, next } = problem;
    this.problem = problem;
    [this.location] = problem.locations;
    const { places } = this.location;
    this.start = problem.edges.find(e => e.sources.length === 0) as Edge;
    const queries = problem.edges.filter(e => isQuery(e.head));
    const steps = problem.edges.filter(e => e.sources.length > 0 && !isQuery(e.head));
    this.related = steps.length === 1 ? relatedInputs(problem, this.location, steps[0]) : new Map();
    for (const step of steps) this.origins.set(this.renamed(step), step);
    const parts = (formulas: readonly TermId[]) =>
      conjunctsOf(
        rewriter,
        formulas.map(f => rewriter.rewrite(f)),
      );
    const now = new Map(places.map(p => [next.of(p), p]));
    const init = parts([substitute(terms, this.start.guard, now)]);
    const isHere = () => terms.true;
    const violations = violationsBy(problem, queries, isHere);
    const all = stepsBy(problem, [...this.origins.keys()], this.location, isHere, init);
    const { choices, definitions, relations } = all;
    // Where there is no step, only the violations know of the constraints.
    const constraints = steps.length === 0 ? violations.constraints : all.constraints;
    this.transitions = { ...all, constraints, bad: violations.bad, queries: violations.queries };
    const edges = [...this.origins.keys(), ...queries];
    const inputs = new Set(edges.flatMap(e => inputsOf(terms, e)).filter(v => !now.has(v)));
    this.system = {
      terms,
      states: places.map(p => ({ current: p, next: next.of(p) })),
      inputs: [...choices.flat(), ...inputs],
      init,
      definitions,
      relations,
      constraints,
      property: rewriter.rewrite(terms.not(violations.bad)),
      choices,
    };
  }

  private renamed(edge: Edge): Edge {
    const [guard, ...values] = substituteAll(this.problem.terms, [edge.guard, ...edge.values], this.related);
    return { ...edge, guard, values };
  }

  /** What an invariant proves that needs no lemmas. */
  proof(invariant: TermId, k = 0): Proof {
    return { model: new Map([[this.location, invariant]]), lemmas: new Map(), k };
  }

  /** The derivation that a run with a violation is; what is no run becomes one that is none, as its check will find. */
  derivation(trace: Trace): Derivation {
    const { terms } = this.problem;
    const { steps, queries } = this.transitions;
    const edges = trace.steps.map((values, i) => {
      const evaluator = evaluatorOf(terms, values, trace.functionValue);
      const cases = i + 1 < trace.steps.length ? steps : queries;
      const taken = cases.find(c => evaluator.value(c.selection) === true) ?? cases[0];
      return taken.edge;
    });
    return this.derivationAlong(edges, trace);
  }

  /** The same if it is known which edges of `transitions` the run takes. */
  derivationAlong(edges: readonly Edge[], trace: Trace): Derivation {
    const { location, start, origins } = this;
    const { next } = this.problem;
    const [first] = trace.steps;
    const initial = new Map(location.places.map(p => [next.of(p), first.get(p) as Value]));
    const steps: Step[] = [{ edge: start, values: initial, premises: [] }];
    edges.forEach((edge, i) => {
      const values = this.withRelated(trace.steps[i], trace.steps[i + 1]);
      steps.push({ edge: origins.get(edge) ?? edge, values, premises: [i] });
    });
    return { steps, functionValue: trace.functionValue };
  }

  /** The values of a step, with those of inputs that are nothing but the next value of a place. */
  private withRelated(values: TraceStep, after: TraceStep | undefined): TraceStep {
    const { location, problem, related } = this;
    if (after === undefined || related.size === 0) return values;
    const placeOf = new Map(location.places.map(p => [problem.next.of(p), p]));
    const all = new Map(values);
    for (const [input, variable] of related)
      all.set(input, after.get(placeOf.get(variable) as TermId) as Value);
    return all;
  }
}

/**
 * Inputs of the only step that are the value of one place and part of no other value: they are called what the next value
 * is, so that guards speak of it as a transition relation does.
 */
function relatedInputs({ terms, next }: Problem, location: Location, edge: Edge): Map<TermId, TermId> {
  const given = constraintInputs(terms, location);
  const inputs = new Set(inputsOf(terms, edge).filter(v => !given.has(v)));
  const uses = new Map<TermId, number>(); // as a value, and within values
  for (const v of edge.values) uses.set(v, (uses.get(v) ?? 0) + 1);
  for (const t of terms.postorder(edge.values)) {
    for (const a of terms.args(t)) uses.set(a, (uses.get(a) ?? 0) + 1);
  }
  return new Map(
    location.places.flatMap((p, i) => {
      const value = edge.values[i];
      return inputs.has(value) && uses.get(value) === 1 ? [[value, next.of(p)] as const] : [];
    }),
  );
}
