/**
 * A model of the formulas that the solver holds, read off its e-graph: which terms are equal, and which
 * class each term belongs to, also for terms that the solver has never seen. It is valid until the solver
 * is used again.
 *
 * An element is a class of equal terms, named by a number. Terms that the e-graph does not hold are
 * evaluated over it: an application gets the class of a congruent one if there is any, a declared function
 * its default otherwise, and an operator its value if its arguments have values, or else an element of its own.
 */
import type { Brand } from '../term/brand.ts';
import { applyOperator, termOfValue } from '../term/evaluator.ts';
import { Op } from '../term/operators.ts';
import type { FunctionId, TermId, TermStore } from '../term/store.ts';
import type { TermColumn } from '../term/term-column.ts';
import type { Value } from '../term/value.ts';
import type { Cone } from './cone.ts';
import type { EGraph } from './egraph.ts';
import type { Encoder } from './encoder.ts';

/** A class of equal terms. */
export type Element = Brand<number, 'Element'>;

export class EufModel {
  private readonly terms: TermStore;
  private readonly encoder: Encoder;
  private readonly cone: Cone;
  private readonly graph: EGraph;
  private readonly literalValue: (lit: number) => boolean;
  private readonly evaluateConstants: boolean;
  private readonly elements: TermColumn<Element>; // of the terms evaluated so far
  private readonly applications = new Map<string, Element>(); // what is known of each function
  private readonly constants = new Map<Element, TermId>(); // the constant that an element is
  private readonly defaults = new Map<FunctionId, Element>(); // what a function gives where nothing fixes it
  private isTabulated = false;
  private fresh: number;

  constructor(
    encoder: Encoder,
    cone: Cone,
    elements: TermColumn<Element>,
    literalValue: (lit: number) => boolean,
    evaluateConstants: boolean,
  ) {
    elements.clear();
    this.elements = elements;
    this.cone = cone;
    this.terms = encoder.terms;
    this.encoder = encoder;
    this.graph = encoder.theory.graph;
    this.literalValue = literalValue;
    this.evaluateConstants = evaluateConstants;
    this.fresh = this.graph.count;
  }

  /** The element that a term denotes. Of choices and connectives only what decides them is looked at. */
  value(term: TermId): Element {
    const { elements } = this;
    if (elements.has(term)) return elements.get(term);
    const stack = [term];
    const positions = [0]; // for each term of the stack, the argument to look at next
    while (stack.length > 0) {
      const top = stack.length - 1;
      const t = stack[top];
      const missing = elements.has(t) ? undefined : this.missing(t, positions, top);
      if (missing !== undefined) {
        stack.push(missing);
        positions.push(0);
        continue;
      }
      if (!elements.has(t)) elements.set(t, this.step(t));
      stack.pop();
      positions.pop();
    }
    return elements.get(term);
  }

  /** A term that must be evaluated before t can be. */
  private missing(t: TermId, positions: number[], top: number): TermId | undefined {
    const { terms, elements } = this;
    const arity = terms.arity(t);
    if (arity === 0) {
      const body = this.cone.definitionOf(t);
      return body === undefined || elements.has(body) ? undefined : body;
    }
    const op = terms.op(t);
    if (op === Op.ITE) {
      const condition = terms.arg(t, 0);
      if (!elements.has(condition)) return condition;
      const branch = terms.arg(t, elements.get(condition) === this.truth(true) ? 1 : 2);
      return elements.has(branch) ? undefined : branch;
    }
    for (let i = positions[top]; i < arity; i++) {
      const a = terms.arg(t, i);
      positions[top] = i;
      if (!elements.has(a)) return a;
      if (isJunction(op) && this.decides(op, a)) return undefined;
    }
    return undefined;
  }

  /** Does an evaluated argument decide a conjunction or disjunction? */
  private decides(op: Op, argument: TermId): boolean {
    return (this.elements.get(argument) === this.truth(true)) === (op === Op.OR);
  }

  isTrue(formula: TermId): boolean {
    return this.value(formula) === this.truth(true);
  }

  areEqual(a: TermId, b: TermId): boolean {
    return this.value(a) === this.value(b);
  }

  /** The constant in the class of an element, if there is one. */
  constantOf(element: Element): TermId | undefined {
    this.tabulate();
    return this.constants.get(element);
  }

  /** The terms, grouped by what they are equal to; groups and members in the order given. */
  partition(terms: readonly TermId[]): TermId[][] {
    const groups = new Map<Element, TermId[]>();
    for (const t of terms) {
      const element = this.value(t);
      const group = groups.get(element);
      if (group === undefined) groups.set(element, [t]);
      else group.push(t);
    }
    return [...groups.values()];
  }

  /** What the model fixes of a function: arguments and result of each application in the e-graph. */
  entries(f: FunctionId): { args: Element[]; result: Element }[] {
    const found = new Map<string, { args: Element[]; result: Element }>();
    for (let n = 0; n < this.graph.count; n++) {
      const t = this.encoder.termOf(n);
      if (t === undefined || this.terms.op(t) !== Op.APPLY || this.terms.functionOf(t) !== f) continue;
      const args = this.terms.args(t).map(a => this.value(a));
      found.set(args.join(' '), { args, result: this.value(t) });
    }
    return [...found.values()];
  }

  /** What a function gives for arguments that no application in the e-graph has. */
  defaultOf(f: FunctionId): Element {
    this.tabulate();
    let element = this.defaults.get(f);
    if (element === undefined) {
      const { result } = this.terms.symbol(f);
      element = result === this.terms.sorts.bool ? this.truth(false) : (this.fresh++ as Element);
      this.defaults.set(f, element);
    }
    return element;
  }

  private truth(value: boolean): Element {
    return this.rootOf(value ? this.graph.true : this.graph.false);
  }

  private rootOf(node: number): Element {
    return this.graph.root[node] as Element;
  }

  /** Enters every application of the e-graph under the classes of its arguments, when first needed. */
  private tabulate(): void {
    const { graph, encoder } = this;
    if (this.isTabulated) return;
    this.isTabulated = true;
    for (let n = 0; n < graph.count; n++) {
      const t = encoder.termOf(n);
      if (t === undefined) continue;
      if (this.terms.isConstant(t)) this.constants.set(this.rootOf(n), t);
      if (graph.firstArg[n + 1] === graph.firstArg[n]) continue;
      const args: number[] = [];
      for (let i = graph.firstArg[n]; i < graph.firstArg[n + 1]; i++) args.push(graph.root[graph.args[i]]);
      const result = this.settled(t, this.rootOf(n));
      this.applications.set(this.key(t, args), result);
      if (this.terms.op(t) === Op.APPLY) this.defaults.set(this.terms.functionOf(t), result);
    }
  }

  private key(t: TermId, args: readonly number[]): string {
    const { terms } = this;
    return `${terms.op(t)} ${terms.payload(t)} ${terms.sort(t)} ${args.join(' ')}`;
  }

  /** The element of a term whose arguments have theirs. */
  private step(t: TermId): Element {
    const { terms, encoder } = this;
    const op = terms.op(t);
    if (isJunction(op)) return this.junction(t, op);
    if (op === Op.ITE) {
      const isTrue = this.elements.get(terms.arg(t, 0)) === this.truth(true);
      return this.elements.get(terms.arg(t, isTrue ? 1 : 2));
    }
    const args = terms.args(t) as number[] as Element[];
    for (let i = 0; i < args.length; i++) args[i] = this.elements.get(args[i] as number as TermId);
    const isTrue = (i: number) => args[i] === this.truth(true);
    switch (op) {
      case Op.NOT:
        return this.truth(!isTrue(0));
      case Op.XOR:
        return this.truth(args[0] !== args[1]);
      case Op.IMPLIES:
        return this.truth(!isTrue(0) || isTrue(1));
      case Op.EQ:
        return this.truth(args[0] === args[1]);
      case Op.DISTINCT:
        return this.truth(new Set(args).size === args.length);
    }
    if (args.length > 0) return this.application(t, args);
    // Outside the cone of the question a defined variable has no value of its own but that of its definition.
    const body = this.cone.definitionOf(t);
    if (body !== undefined) return this.elements.get(body);
    const node = encoder.existingNode(t);
    if (node >= 0) return this.settled(t, this.rootOf(node));
    if (terms.sort(t) === terms.sorts.bool) {
      const lit = encoder.existingLiteral(t);
      return this.truth(lit >= 0 && this.literalValue(lit));
    }
    return this.newElement(t);
  }

  /** Arguments after one that decides are not evaluated. */
  private junction(t: TermId, op: Op): Element {
    const { terms } = this;
    for (let i = 0; i < terms.arity(t); i++) {
      if (this.decides(op, terms.arg(t, i))) return this.truth(op === Op.OR);
    }
    return this.truth(op === Op.AND);
  }

  /** A Boolean that the question did not need may be undecided: then it is false. */
  private settled(t: TermId, element: Element): Element {
    const isBoolean = this.terms.sort(t) === this.terms.sorts.bool;
    return isBoolean && element !== this.truth(true) ? this.truth(false) : element;
  }

  /** Has a node of the e-graph arguments in just these classes? Outside the cone, a defined variable need not. */
  private isOver(node: number, args: readonly Element[]): boolean {
    const { graph } = this;
    const first = graph.firstArg[node];
    if (graph.firstArg[node + 1] - first !== args.length) return false;
    for (let i = 0; i < args.length; i++) if (graph.root[graph.args[first + i]] !== args[i]) return false;
    return true;
  }

  /** The element of an application: that of a congruent one, its value, or one of its own. */
  private application(t: TermId, args: readonly Element[]): Element {
    const node = this.encoder.existingNode(t);
    if (node >= 0 && this.isOver(node, args)) return this.settled(t, this.rootOf(node));
    this.tabulate();
    const { applications } = this;
    const key = this.key(t, args);
    const known = applications.get(key);
    if (known !== undefined) return known;
    const { terms } = this;
    const result =
      terms.op(t) === Op.APPLY
        ? this.defaultOf(terms.functionOf(t))
        : (this.evaluated(t, args) ?? this.newElement(t));
    applications.set(key, result);
    return result;
  }

  private evaluated(t: TermId, args: readonly Element[]): Element | undefined {
    const { terms } = this;
    const isKnown = !terms.args(t).some(a => terms.sorts.isArray(terms.sort(a)));
    if (!this.evaluateConstants || !isKnown || terms.sorts.isArray(terms.sort(t))) return undefined;
    const values: Value[] = [];
    for (const arg of args) {
      const constant = this.constants.get(arg);
      if (constant === undefined) return undefined;
      values.push(terms.op(constant) === Op.BV_CONST ? terms.bvValue(constant) : constant === terms.true);
    }
    return this.value(termOfValue(terms, terms.sort(t), applyOperator(terms, t, values)));
  }

  /** A class of its own; an unseen Boolean is false, for there are only two of those. */
  private newElement(t: TermId): Element {
    const { terms } = this;
    if (terms.sort(t) === terms.sorts.bool) return this.truth(false);
    const element = this.fresh++ as Element;
    if (terms.isConstant(t)) this.constants.set(element, t);
    return element;
  }
}

function isJunction(op: Op): boolean {
  return op === Op.AND || op === Op.OR;
}
