/**
 * Symbolic simulation of an abstract counterexample (dissertation, RefineForward, Algorithms 6 to 8). From a concrete
 * initial state on, each state variable is a term over the inputs so far, and the path constraint is what the steps so
 * far have asked of them. Where the next step is impossible, a minimal part of what makes it so is a lemma. Earlier
 * inputs are replaced by state variables that equal them, or else by the values that the last model gave them; an
 * instance of an impossible set is impossible, too.
 *
 * Terms are built by substitution alone and never rewritten: the abstraction knows x' = x + 1 with x = y + 1 as
 * (y + 1) + 1 by congruence, and as nothing else.
 */
import type { ConcreteModel } from '../../bv/model.ts';
import { termOfValue } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import { type SortId, SortKind, type SortStore } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import { isReflexive, negated } from '../system/literals.ts';
import type { Copies } from './copies.ts';
import type { PathStep } from './interpolants.ts';
import type { Possibility } from './possibility.ts';

export class Simulation {
  private readonly system: FunctionalSystem;
  private readonly terms: TermStore;
  private readonly copies: Copies;
  private readonly possibility: Possibility;
  private values = new Map<TermId, TermId>(); // of the current state variables
  private pathConstraint: TermId[] = [];

  constructor(system: FunctionalSystem, copies: Copies, possibility: Possibility) {
    this.system = system;
    this.terms = system.terms;
    this.copies = copies;
    this.possibility = possibility;
  }

  /** A set of formulas about one step that cannot hold together; nothing if the path can be followed to its end. */
  impossibleSet(steps: readonly PathStep[]): TermId[] | undefined {
    const { possibility } = this;
    if (possibility.check(steps[0].literals) === 'unsat') return possibility.core(steps[0].literals);
    this.start(possibility.model());
    let last: ConcreteModel | undefined;
    for (const [i, { literals }] of steps.entries()) {
      const query = this.query(literals, i);
      if (possibility.check(query) === 'unsat') return this.lemmaSet(literals, i, last);
      last = possibility.model();
      this.simulate(literals, i, last);
    }
    return undefined;
  }

  private start(model: ConcreteModel): void {
    for (const { current } of this.system.states) {
      const value = this.constant(current, model.value(current));
      this.values.set(current, value ?? this.copies.variable(current, 0));
    }
  }

  /** The step as it is from the state reached: literals over copies of inputs and of the next state. */
  private query(literals: readonly TermId[], step: number): TermId[] {
    const { terms, copies, system } = this;
    const images = new Map(this.values);
    for (const y of system.inputs) images.set(y, copies.variable(y, step));
    for (const { current, next } of system.states) images.set(next, copies.variable(current, step + 1));
    return [...this.pathConstraint, ...substituteAll(terms, literals, images)];
  }

  /** Takes the step: what each variable is afterwards, as far as this model's branches say. */
  private simulate(literals: readonly TermId[], step: number, model: ConcreteModel): void {
    const { terms, system, copies } = this;
    const images = new Map(this.values);
    for (const y of system.inputs) images.set(y, copies.variable(y, step));
    for (const { current, next } of system.states) images.set(next, copies.variable(current, step + 1));
    const conditions: TermId[] = [];
    for (const [variable, body] of system.definitions)
      images.set(variable, this.branch(substitute(terms, body, images), model, conditions));
    const asked = substituteAll(terms, literals, images);
    const news = [...asked, ...conditions].filter(l => !this.isClosed(l));
    this.pathConstraint = [...new Set([...this.pathConstraint, ...news])];
    this.values = new Map(system.states.map(s => [s.current, images.get(s.next) as TermId]));
  }

  /** A term without choices: those that the model makes; on what condition is taken down. */
  private branch(term: TermId, model: ConcreteModel, conditions: TermId[]): TermId {
    const { terms } = this;
    const images = new Map<TermId, TermId>();
    for (const t of terms.postorder([term])) {
      if (terms.op(t) === Op.ITE) {
        const condition = terms.arg(t, 0);
        const isTrue = model.isTrue(condition);
        conditions.push(isTrue ? condition : negated(terms, condition));
        images.set(t, images.get(terms.arg(t, isTrue ? 1 : 2)) as TermId);
      } else {
        const args = terms.args(t).map(a => images.get(a) as TermId);
        images.set(t, args.length === 0 ? t : terms.withArgs(t, args));
      }
    }
    return images.get(term) as TermId;
  }

  /** The value of a variable as a term; values of uninterpreted sorts have none. */
  private constant(variable: TermId, value: Value): TermId | undefined {
    const { terms } = this;
    const sort = terms.sort(variable);
    return hasUninterpreted(terms.sorts, sort) ? undefined : termOfValue(terms, sort, value);
  }

  /** Speaks of constants only: then it holds, since it held in the model. */
  private isClosed(literal: TermId): boolean {
    return !this.terms.postorder([literal]).some(t => this.terms.isVariable(t));
  }

  /** The impossible step over the system's own variables. */
  private lemmaSet(
    literals: readonly TermId[],
    step: number,
    model: ConcreteModel | undefined,
  ): TermId[] | undefined {
    const { terms, possibility, copies, system } = this;
    const back = new Map(system.inputs.map(y => [copies.variable(y, step), y] as const));
    const equations = [...this.values].map(([x, value]) => terms.eq(x, value));
    const core = possibility.core([...literals, ...equations, ...this.pathConstraint]);
    if (core === undefined) return undefined;
    const own = this.withoutCopies(substituteAll(terms, core, back), step, model);
    return possibility.core(own);
  }

  /** Replaces what is left of earlier steps: by a variable that equals it if there is one, or by its value. */
  private withoutCopies(
    core: readonly TermId[],
    step: number,
    model: ConcreteModel | undefined,
  ): readonly TermId[] {
    const { terms, copies, system } = this;
    const states = new Set(system.states.map(s => s.current));
    const images = new Map<TermId, TermId>();
    const earlier = new Set<TermId>();
    for (let i = 0; i <= step; i++) {
      for (const v of [...system.inputs, ...states]) earlier.add(copies.variable(v, i));
    }
    for (const l of core) {
      if (terms.op(l) !== Op.EQ) continue;
      const [a, b] = terms.args(l);
      if (states.has(a) && earlier.has(b) && !images.has(b)) images.set(b, a);
      if (states.has(b) && earlier.has(a) && !images.has(a)) images.set(a, b);
    }
    for (const t of terms.postorder(core)) {
      if (!earlier.has(t) || images.has(t) || model === undefined) continue;
      const value = this.constant(t, model.value(t));
      if (value !== undefined) images.set(t, value);
    }
    return [...new Set(substituteAll(terms, core, images))].filter(l => !isReflexive(terms, l));
  }
}

function hasUninterpreted(sorts: SortStore, sort: SortId): boolean {
  if (sorts.kind(sort) !== SortKind.ARRAY) return sorts.kind(sort) === SortKind.UNINTERPRETED;
  return hasUninterpreted(sorts, sorts.indexSort(sort)) || hasUninterpreted(sorts, sorts.elementSort(sort));
}
