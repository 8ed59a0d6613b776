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
import type { Value } from '../term/value.ts';
import type { Cone } from './cone.ts';
import type { EGraph } from './egraph.ts';
import type { Encoder } from './encoder.ts';

export type Element = Brand<number, 'Element'>;

export class EufModel {
  private readonly terms: TermStore;
  private readonly encoder: Encoder;
  private readonly cone: Cone;
  private readonly graph: EGraph;
  private readonly literalValue: (lit: number) => boolean;
  private readonly evaluateConstants: boolean;
  private readonly elements = new Map<TermId, Element>();
  private readonly applications = new Map<string, Element>(); // what is known of each function
  private readonly constants = new Map<Element, TermId>(); // the constant that an element is
  private readonly defaults = new Map<FunctionId, Element>(); // what a function gives where nothing fixes it
  private isTabulated = false;
  private fresh: number;

  constructor(
    encoder: Encoder,
    cone: Cone,
    literalValue: (lit: number) => boolean,
    evaluateConstants: boolean,
  ) {
    this.cone = cone;
    this.terms = encoder.terms;
    this.encoder = encoder;
    this.graph = encoder.theory.graph;
    this.literalValue = literalValue;
    this.evaluateConstants = evaluateConstants;
    this.fresh = this.graph.count;
  }

  /** The element that a term denotes. */
  value(term: TermId): Element {
    const { terms, elements } = this;
    const stack = [term];
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      const height = stack.length;
      const body = this.cone.definitionOf(t);
      if (body !== undefined && !elements.has(body)) stack.push(body);
      for (let i = 0; i < terms.arity(t); i++) {
        const a = terms.arg(t, i);
        if (!elements.has(a)) stack.push(a);
      }
      if (stack.length > height) continue;
      if (!elements.has(t)) elements.set(t, this.step(t));
      stack.pop();
    }
    return elements.get(term) as Element;
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
    const isBoolean = terms.sort(t) === terms.sorts.bool;
    const args = terms.args(t).map(a => this.elements.get(a) as Element);
    const isTrue = (i: number) => args[i] === this.truth(true);
    switch (terms.op(t)) {
      case Op.NOT:
        return this.truth(!isTrue(0));
      case Op.AND:
        return this.truth(args.every((_, i) => isTrue(i)));
      case Op.OR:
        return this.truth(args.some((_, i) => isTrue(i)));
      case Op.XOR:
        return this.truth(args[0] !== args[1]);
      case Op.IMPLIES:
        return this.truth(!isTrue(0) || isTrue(1));
      case Op.EQ:
        return this.truth(args[0] === args[1]);
      case Op.DISTINCT:
        return this.truth(new Set(args).size === args.length);
      case Op.ITE:
        return isTrue(0) ? args[1] : args[2];
    }
    if (terms.arity(t) > 0) return this.application(t, args);
    // Outside the cone of the question a defined variable has no value of its own but that of its definition.
    const body = this.cone.definitionOf(t);
    if (body !== undefined) return this.elements.get(body) as Element;
    const node = encoder.existingNode(t);
    if (node >= 0) return this.settled(t, this.rootOf(node));
    if (isBoolean) {
      const lit = encoder.existingLiteral(t);
      return this.truth(lit >= 0 && this.literalValue(lit));
    }
    return this.newElement(t);
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
