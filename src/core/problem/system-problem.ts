/**
 * A transition system as a problem: one location, whose places are the state variables, with an edge for the initial states,
 * one for the steps, and one for each property. Next state variables are inputs of the edges that lead to the location.
 * Evidence is read off as the system has it: an invariant, or a run.
 */
import type { TermId } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { type Derivation, defaultValue, headValues } from './derivation.ts';
import { withGuessedInstances } from './instances.ts';
import { NextVariables } from './next-variables.ts';
import { type Edge, type Location, type Problem, step } from './problem.ts';
import { boundIn, lemmasOfEdges, type Proof } from './proof.ts';
import { skippedBefore } from './repetition.ts';
import type { System } from './system.ts';
import type { SystemProof } from './system-proof.ts';
import type { Trace, TraceStep } from './trace.ts';

export class SystemProblem {
  readonly system: System;
  readonly problem: Problem;
  private readonly location: Location;
  private readonly start: Edge;
  private readonly step: Edge;

  constructor(system: System) {
    const { terms, states, init, trans, constraints, properties } = system;
    this.system = system;
    const next = states.map(s => s.next);
    const places = states.map(s => s.current);
    const location: Location = { name: 'state', places, constraints };
    const after = new Map(states.map(s => [s.current, s.next]));
    this.location = location;
    this.start = { sources: [], guard: substitute(terms, init, after), head: location, values: next };
    this.step = { sources: step(location), guard: trans, head: location, values: next };
    const queries = properties.map(({ index, formula }): Edge => {
      return { sources: step(location), guard: terms.not(formula), head: { property: index }, values: [] };
    });
    this.problem = {
      terms,
      locations: [location],
      edges: [this.start, this.step, ...queries],
      next: new NextVariables(terms, after),
    };
  }

  /** What an edge is called. */
  nameOf(edge: Edge): string {
    if (edge === this.start) return 'an initial state';
    return edge === this.step ? 'a step' : 'a violation';
  }

  /** The proof of a property as one about the system. */
  systemProof(proof: Proof): SystemProof {
    const { model, lemmas, k } = proof;
    const bound = boundIn(this.system.terms, proof, this.location);
    return {
      invariant: model.get(this.location) as TermId,
      ...(bound.length > 0 && { bound }),
      lemmas: [...new Set([...lemmas.values()].flat())],
      k,
    };
  }

  proof({ invariant, bound, lemmas, k }: SystemProof): Proof {
    const { problem, location } = this;
    return {
      model: new Map([[location, invariant]]),
      ...(bound !== undefined && { forAll: withGuessedInstances(problem, new Map([[location, bound]])) }),
      lemmas: lemmasOfEdges(problem, lemmas, bound),
      k,
    };
  }

  /** The run that a derivation is: a step of the derivation leaves each of its states. */
  trace({ steps, functionValue }: Derivation): Trace {
    const { terms, states, inputs } = this.system;
    const variables = [...states.map(s => s.current), ...inputs];
    const valueIn = (v: TermId, values: TraceStep): Value =>
      values.get(v) ?? defaultValue(terms.sorts, terms.sort(v));
    return {
      steps: steps.slice(1).map(({ values }) => new Map(variables.map(v => [v, valueIn(v, values)]))),
      functionValue,
      skipped: skippedBefore(steps.slice(1)),
    };
  }

  /** The run that a derivation is whose last step leads to a state. Nothing is known of the inputs there. */
  path(derivation: Derivation): Trace {
    const { steps, functionValue } = derivation;
    const last = steps.at(-1);
    if (last === undefined) return { steps: [], functionValue };
    const state = headValues(this.system.terms, last.edge, last.values, functionValue);
    return { steps: [...this.trace(derivation).steps, state], functionValue };
  }
}
