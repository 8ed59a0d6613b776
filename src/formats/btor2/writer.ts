/**
 * Writes any transition system as BTOR2. States and inputs come first, in their order, and what the system says is written
 * with `init`, `next` and `constraint` where these have words for it:
 *
 *   - An initial condition s = t, with t over states before s, is an `init` line; t is written before s, or btor2tools
 *     refuses it. Every other one
 *     is a constraint on the first step: a state `first` is 1 there and 0 ever after.
 *   - A definition s' = t is a `next` line. A next state without one that relations speak of is a new input.
 *   - A constraint of BTOR2 holds in the last step too, while a relation holds only where a step is taken: a run may end
 *     in a state without successors. So a state `valid`, at first 1, remembers whether relations have held in all
 *     steps so far, and the constraint is that it is 1; what they say of the last step's inputs does not matter.
 *
 * A proof becomes a witness circuit as Certifaiger and Cerbotor define it (Yu, Froleyks, Biere, Heljanko: Towards
 * compositional hardware model checking certification, FMCAD 2023): the same circuit, with its states and inputs in the
 * same order, by which the two are matched, and one bad state that says that the invariant or the property is false.
 * That no step leads there from elsewhere, one call of a solver can tell.
 */
import { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import { conjuncts } from '../../core/problem/conjuncts.ts';
import type { Property, System } from '../../core/problem/system.ts';
import type { SystemProof } from '../../core/problem/system-proof.ts';
import { Op } from '../../term/operators.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { Btor2Nodes, NotInBtor2 } from './nodes.ts';

/** The text of a BTOR2 file; throws NotInBtor2 if the system has what BTOR2 has not. */
export function writeBtor2(system: System): string {
  return new Btor2Writer(system, true).write();
}

/**
 * The witness circuit of a proof; throws NotInBtor2 where there is none. An induction knows nothing of states that keep an
 * initial value, so large constant arrays cannot be had here.
 */
export function btor2Certificate(
  system: System,
  property: Property,
  { invariant, bound }: SystemProof,
): string {
  if (bound !== undefined) throw new NotInBtor2('invariants about all elements of an array');
  const formula = system.terms.and([invariant, property.formula]);
  return new Btor2Writer({ ...system, properties: [{ ...property, formula }] }, false).write();
}

class Btor2Writer {
  private readonly terms: TermStore;
  private readonly system: System;
  private readonly nodes: Btor2Nodes;
  private readonly relations: readonly TermId[]; // what a step satisfies beyond next values
  private readonly nextValues: readonly TermId[]; // by state, a term; a variable that is no input is a new one

  /** Without `mayAddStates`, constant arrays may not become states. */
  constructor(system: System, mayAddStates: boolean) {
    const { terms, states, constraints, trans } = system;
    this.terms = terms;
    this.system = system;
    this.nodes = new Btor2Nodes(terms, mayAddStates);
    // Constraints speak of the same inputs as the step, so these must not be solved for.
    const given = new Set([...states.map(s => s.current), ...terms.postorder(constraints)]);
    const solver = new EquationSolver(new Rewriter(terms));
    const next = states.map(s => s.next);
    const solved = solver.solve([trans], v => !given.has(v), next);
    this.relations = solved.formulas;
    this.nextValues = solved.images;
  }

  write(): string {
    const { nodes, terms, system } = this;
    for (const input of system.inputs) this.variable('input', input);
    const initial = new InitialValues(system);
    for (const { current } of system.states) {
      const value = initial.values.get(current);
      if (value !== undefined) nodes.node(value);
      const state = this.variable('state', current);
      if (value !== undefined) nodes.line('init', nodes.sort(terms.sort(current)), state, nodes.node(value));
    }
    this.nextStates();
    this.firstStep(initial.rest);
    this.steps();
    for (const constraint of system.constraints) nodes.line('constraint', nodes.node(constraint));
    this.badStates();
    return nodes.text;
  }

  private variable(keyword: 'input' | 'state', variable: TermId): number {
    const { terms, nodes } = this;
    const name = terms.nameOf(variable);
    const number = nodes.variable(keyword, terms.sort(variable), name);
    nodes.alias(variable, number);
    return number;
  }

  /** What states are next. Of one that may be anything nothing is said; what relations speak of is a new input. */
  private nextStates(): void {
    const { nodes, terms, system, nextValues, relations } = this;
    const uses = new Map<TermId, number>();
    for (const v of nextValues) uses.set(v, (uses.get(v) ?? 0) + 1);
    const inside = new Set<TermId>(relations);
    const order = terms.postorder([...relations, ...nextValues]);
    for (const t of order) for (const a of terms.args(t)) inside.add(a);
    const known = new Set([...system.states.map(s => s.current), ...system.inputs]);
    const isFree = (v: TermId) => terms.isVariable(v) && !known.has(v) && uses.get(v) === 1 && !inside.has(v);
    const isNew = (t: TermId) => terms.isVariable(t) && !known.has(t) && !isFree(t);
    for (const v of order.filter(isNew)) this.variable('input', v);
    system.states.forEach(({ current }, i) => {
      const value = nextValues[i];
      if (!isFree(value))
        nodes.line('next', nodes.sort(terms.sort(current)), nodes.node(current), nodes.node(value));
    });
  }

  /** Initial conditions that are no initial values. */
  private firstStep(conditions: readonly TermId[]): void {
    if (conditions.length === 0) return;
    const { nodes, terms } = this;
    const bit = nodes.sort(terms.sorts.bool);
    const initially = nodes.node(terms.true);
    const first = nodes.variable('state', terms.sorts.bool, 'first');
    nodes.line('init', bit, first, initially);
    nodes.line('next', bit, first, nodes.node(terms.false));
    for (const condition of conditions) {
      nodes.line('constraint', nodes.line('implies', bit, first, nodes.node(condition)));
    }
  }

  private steps(): void {
    const { nodes, terms, relations } = this;
    if (relations.length === 0) return;
    const bit = nodes.sort(terms.sorts.bool);
    const initially = nodes.node(terms.true);
    const valid = nodes.variable('state', terms.sorts.bool, 'valid');
    nodes.line('init', bit, valid, initially);
    const holds = nodes.node(terms.and(relations));
    nodes.line('next', bit, valid, nodes.line('and', bit, valid, holds));
    nodes.line('constraint', valid);
  }

  private badStates(): void {
    const { nodes, terms, system } = this;
    const rewriter = new Rewriter(terms);
    for (const { formula, name } of system.properties) {
      const bad = nodes.node(rewriter.not(rewriter.rewrite(formula)));
      if (name === undefined) nodes.line('bad', bad);
      else nodes.line('bad', bad, nodes.symbol(name));
    }
  }
}

/** Initial conditions as initial values of states, as far as these depend on states before them only. */
class InitialValues {
  /** What `init` lines say; for an array that is the same everywhere, the element. */
  readonly values = new Map<TermId, TermId>();
  /** Conditions beyond that. */
  readonly rest: TermId[] = [];
  private readonly terms: TermStore;
  private readonly places: ReadonlyMap<TermId, number>; // of states, in their order
  private readonly latest = new Map<TermId, number>(); // place of the last state that a term mentions

  constructor({ terms, states, init }: System) {
    this.terms = terms;
    this.places = new Map(states.map((s, i) => [s.current, i]));
    for (const condition of conjuncts(terms, init)) {
      if (condition === terms.true) continue;
      if (!this.enter(condition)) this.rest.push(condition);
    }
  }

  private enter(condition: TermId): boolean {
    const { terms } = this;
    const isNegated = terms.op(condition) === Op.NOT;
    const atom = isNegated ? terms.arg(condition, 0) : condition;
    if (this.places.has(atom)) return this.set(atom, terms.bool(!isNegated));
    if (terms.op(atom) !== Op.EQ) return false;
    const [a, b] = terms.args(atom);
    return this.equate(a, b, isNegated) || this.equate(b, a, isNegated);
  }

  /** Takes in that a state is a value, or if it is one bit, that it is not. */
  private equate(state: TermId, value: TermId, isNegated: boolean): boolean {
    const { terms } = this;
    if (!this.places.has(state)) return false;
    if (!isNegated) return this.set(state, value);
    const isBoolean = terms.sort(state) === terms.sorts.bool;
    if (!isBoolean && terms.width(state) !== 1) return false;
    return this.set(state, isBoolean ? terms.not(value) : terms.app(Op.BVNOT, [value]));
  }

  private set(state: TermId, whole: TermId): boolean {
    const { terms, values } = this;
    const value = terms.op(whole) === Op.CONST_ARRAY ? terms.arg(whole, 0) : whole;
    if (values.has(state) || this.latestIn(value) >= (this.places.get(state) as number)) return false;
    values.set(state, value);
    return true;
  }

  /** Constant arrays within a value would be states of their own, which come after all others. */
  private latestIn(value: TermId): number {
    const { terms, latest, places } = this;
    for (const t of terms.postorder([value], latest)) {
      let last = terms.op(t) === Op.CONST_ARRAY ? Number.POSITIVE_INFINITY : (places.get(t) ?? -1);
      for (const a of terms.args(t)) last = Math.max(last, latest.get(a) as number);
      latest.set(t, last);
    }
    return latest.get(value) as number;
  }
}
