/**
 * A system in the form that the engine walks: everything in normal form, conjunctions taken apart, and the transition
 * relation split into definitions and a relational rest. A definition says what a next state variable is, in terms of
 * current variables and inputs, or what an auxiliary input is, one that only the transition relation speaks of. A state
 * variable of which neither the initial condition nor the transition relation says what it is counts as an input, and what
 * holds initially and after every step is a constraint: translations of circuits that have nothing but states say it so.
 * Only the spelling changes: runs need no translation, and invariants only these constraints beside them.
 */
import { Op } from '../../term/operators.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { conjuncts } from './conjuncts.ts';
import { Dependencies } from './dependencies.ts';
import { FreeOf, negated } from './literals.ts';
import { priming } from './renaming.ts';
import type { Control, Property, StateVariable, System } from './system.ts';

export interface FunctionalSystem {
  readonly terms: TermStore;
  /** Those that are not left to chance. */
  readonly states: readonly StateVariable[];
  /** And those that are. */
  readonly inputs: readonly TermId[];
  readonly init: readonly TermId[];
  /**
   * What next state variables and auxiliary inputs are, in terms of current variables and inputs. What a definition
   * rests on is defined before it.
   */
  readonly definitions: ReadonlyMap<TermId, TermId>;
  /** The conjuncts of the transition relation that are no definitions. */
  readonly relations: readonly TermId[];
  readonly constraints: readonly TermId[];
  /** Those of them that the system does not call so: they hold in all reachable states, and invariants may need them. */
  readonly implied: readonly TermId[];
  readonly property: TermId;
  /** Valid formulas that reading relations as definitions rests on: what one bit can be. */
  readonly lemmas: readonly TermId[];
  readonly control: Control | undefined;
  readonly choices: NonNullable<System['choices']>;
}

export function functionalSystem(system: System, property: Property): FunctionalSystem {
  const { terms } = system;
  const rewriter = new Rewriter(terms);
  const parts = (formulas: readonly TermId[]) =>
    conjuncts(terms, terms.and(formulas.map(f => rewriter.rewrite(f)))).filter(f => f !== terms.true);
  const formula = rewriter.rewrite(property.formula);
  const { init, steps, implied } = withoutConstraints(
    parts([system.init]),
    parts([system.trans]),
    system,
    rewriter,
  );
  const constraints = [...parts(system.constraints), ...implied];
  const started = new Set(terms.postorder(init));
  const moved = new Set(terms.postorder(steps));
  const isState = ({ current, next }: StateVariable) => started.has(current) || moved.has(next);
  const states = system.states.filter(isState);
  const inputs = [...system.inputs, ...system.states.filter(s => !isState(s)).map(s => s.current)];
  // What else speaks of an input would speak of it in the last state, too, where the transition relation does not.
  const spokenOf = new Set(terms.postorder([...init, ...constraints, formula]));
  const auxiliary = inputs.filter(y => !spokenOf.has(y));
  const splitter = new Splitter(terms, rewriter, states, auxiliary, steps);
  return {
    terms,
    states,
    inputs,
    init,
    definitions: splitter.definitions,
    relations: splitter.relations,
    constraints,
    implied,
    property: formula,
    lemmas: splitter.lemmas,
    control: system.control,
    choices: system.choices ?? [],
  };
}

/** Takes out of an initial condition and a transition relation what the one says now and the other of the next state. */
function withoutConstraints(
  init: readonly TermId[],
  steps: readonly TermId[],
  { terms, states }: System,
  rewriter: Rewriter,
): Record<'init' | 'steps' | 'implied', readonly TermId[]> {
  const prime = priming(terms, states);
  const isStep = new Set(steps);
  // What gives a variable a value is better left as a definition.
  const isValue = (f: TermId) => {
    const atom = terms.op(f) === Op.NOT ? terms.arg(f, 0) : f;
    return terms.isVariable(atom) || (terms.op(atom) === Op.EQ && terms.isConstant(terms.arg(atom, 0)));
  };
  const primed = new Map(
    init.filter(f => !isValue(f)).map(f => [f, rewriter.rewrite(prime.apply(f))] as const),
  );
  const implied = new Set([...primed.keys()].filter(f => isStep.has(primed.get(f) as TermId)));
  const isSaid = new Set([...implied].flatMap(f => [f, primed.get(f) as TermId]));
  return {
    init: init.filter(f => !implied.has(f)),
    steps: steps.filter(f => !isSaid.has(f)),
    implied: [...implied],
  };
}

/** Definitions with auxiliary inputs replaced by what they are: over current variables and inputs without a definition. */
export function expandedDefinitions({ terms, definitions }: FunctionalSystem): Map<TermId, TermId> {
  const expanded = new Map<TermId, TermId>();
  const images = new Map<TermId, TermId>(); // of all terms so far
  for (const [variable, body] of definitions) {
    for (const t of terms.postorder([body], images)) {
      const args = terms.args(t).map(a => images.get(a) as TermId);
      images.set(t, args.length === 0 ? t : terms.withArgs(t, args));
    }
    const image = images.get(body) as TermId;
    images.set(variable, image);
    expanded.set(variable, image);
  }
  return expanded;
}

interface Definition {
  readonly variable: TermId;
  readonly body: TermId;
}

type IsOpen = (t: TermId) => boolean;

/** Sorts conjuncts of the transition relation into definitions and relations. */
class Splitter {
  readonly definitions = new Map<TermId, TermId>();
  readonly relations: TermId[] = [];
  readonly lemmas: TermId[] = [];
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly next: ReadonlySet<TermId>;
  private readonly ofNow: FreeOf; // terms without next state variables
  private readonly found = new Map<TermId, TermId>(); // definitions over anything, without a circle
  private readonly dependencies: Dependencies; // of these

  constructor(
    terms: TermStore,
    rewriter: Rewriter,
    states: readonly StateVariable[],
    auxiliary: readonly TermId[],
    formulas: readonly TermId[],
  ) {
    this.terms = terms;
    this.rewriter = rewriter;
    this.next = new Set(states.map(s => s.next));
    this.ofNow = new FreeOf(terms, this.next);
    const inputs = new Set(auxiliary);
    this.dependencies = new Dependencies(terms, new Set([...this.next, ...inputs]));
    const whole = this.mergedCases(formulas, t => this.next.has(t) || inputs.has(t));
    // The plain definitions first, so that others do not take their place.
    let rest = this.rest(whole, this.next, body => this.ofNow.has(body));
    const mayDefine = (body: TermId, variable: TermId) => !this.dependencies.closesCircle(variable, body);
    rest = this.rest(rest, this.next, mayDefine);
    rest = this.rest(rest, inputs, mayDefine);
    this.relations.push(...rest);
    this.order();
  }

  /** Takes definitions of some variables out; the formulas that are none. */
  private rest(
    formulas: readonly TermId[],
    variables: ReadonlySet<TermId>,
    mayDefine: (body: TermId, variable: TermId) => boolean,
  ): TermId[] {
    const isOpen = (t: TermId) => variables.has(t) && !this.found.has(t);
    return formulas.filter(f => {
      const definition = this.definition(f, isOpen, mayDefine);
      if (definition === undefined) return true;
      this.found.set(definition.variable, definition.body);
      this.dependencies.define(definition.variable, definition.body);
      return false;
    });
  }

  private definition(
    formula: TermId,
    isOpen: IsOpen,
    mayDefine: (body: TermId, variable: TermId) => boolean,
  ): Definition | undefined {
    const { terms, rewriter } = this;
    const isNegated = terms.op(formula) === Op.NOT;
    const atom = isNegated ? terms.arg(formula, 0) : formula;
    if (isOpen(atom)) return { variable: atom, body: terms.bool(!isNegated) };
    if (terms.op(atom) !== Op.EQ) return undefined;
    const [a, b] = terms.args(atom);
    for (const [side, other] of [
      [a, b],
      [b, a],
    ]) {
      const isBoolean = terms.sort(side) === terms.sorts.bool;
      if (isNegated && !isBoolean && terms.width(side) !== 1) continue;
      const variable = isOpen(side) ? side : this.disguised(side, isOpen);
      if (variable === undefined || !mayDefine(other, variable)) continue;
      if (variable !== side || (isNegated && !isBoolean)) this.isOneOrZero(variable);
      const body = isNegated ? rewriter.mk(isBoolean ? Op.NOT : Op.BVNOT, [other]) : other;
      if (variable === side) return { variable, body };
      return { variable, body: rewriter.mk(Op.ITE, [body, terms.bv(1, 1), terms.bv(1, 0)]) };
    }
    return undefined;
  }

  /** An open one-bit variable in its disguise as a Boolean: (= #b1 x'). */
  private disguised(formula: TermId, isOpen: IsOpen): TermId | undefined {
    const { terms } = this;
    if (terms.op(formula) !== Op.EQ || terms.arg(formula, 0) !== terms.bv(1, 1)) return undefined;
    const inner = terms.arg(formula, 1);
    return isOpen(inner) ? inner : undefined;
  }

  /** Puts the halves of definitions by cases together: (or g (= x f)) and (or (not g) (= x h)) say what x is. */
  private mergedCases(formulas: readonly TermId[], isDefinable: IsOpen): TermId[] {
    const { terms, rewriter } = this;
    const halves = new Map<
      TermId,
      { readonly guard: TermId; readonly body: TermId; readonly formula: TermId }
    >();
    const merged = new Set(formulas);
    for (const formula of formulas) {
      for (const { guard, variable, body } of this.halfDefinitions(formula, isDefinable)) {
        const half = halves.get(variable);
        if (half === undefined) halves.set(variable, { guard, body, formula });
        if (half === undefined || half.guard !== negated(terms, guard)) continue;
        merged.delete(half.formula);
        merged.delete(formula);
        merged.add(terms.eq(variable, rewriter.mk(Op.ITE, [guard, half.body, body])));
        break;
      }
    }
    return [...merged];
  }

  private halfDefinitions(formula: TermId, isDefinable: IsOpen): (Definition & { readonly guard: TermId })[] {
    const { terms } = this;
    if (terms.op(formula) !== Op.OR || terms.arity(formula) !== 2) return [];
    const [a, b] = terms.args(formula);
    const found: (Definition & { readonly guard: TermId })[] = [];
    for (const [guard, equation] of [
      [a, b],
      [b, a],
    ]) {
      if (terms.op(equation) !== Op.EQ) continue;
      const [x, y] = terms.args(equation);
      if (isDefinable(x)) found.push({ guard, variable: x, body: y });
      if (isDefinable(y)) found.push({ guard, variable: y, body: x });
    }
    return found;
  }

  /**
   * Brings definitions into an order, and replaces next state variables inside bodies by what they are. What is about a
   * next state variable even then is no definition.
   */
  private order(): void {
    const { terms, found, definitions } = this;
    const isPlain = new FreeOf(terms, new Set(found.keys()));
    const isDone = new Set<TermId>();
    const stack = [...found.keys()].reverse();
    while (stack.length > 0) {
      const variable = stack[stack.length - 1];
      const body = found.get(variable) as TermId;
      const uses = terms.postorder([body], isPlain).filter(u => found.has(u));
      const missing = isDone.has(variable) ? [] : uses.filter(u => !isDone.has(u));
      stack.push(...missing);
      if (missing.length > 0) continue;
      stack.pop();
      if (isDone.has(variable)) continue;
      isDone.add(variable);
      const image = this.overCurrent(body, uses);
      if (this.ofNow.has(image)) definitions.set(variable, image);
      else this.relations.push(terms.eq(variable, body));
    }
  }

  private overCurrent(body: TermId, uses: readonly TermId[]): TermId {
    const known = uses.filter(u => this.next.has(u) && this.definitions.has(u));
    if (known.length === 0) return body;
    const images = new Map(known.map(u => [u, this.definitions.get(u) as TermId]));
    return this.rewriter.rewrite(substitute(this.terms, body, images));
  }

  /** Takes down that a one-bit variable has one of two values, which equality alone does not know. */
  private isOneOrZero(variable: TermId): void {
    const { terms } = this;
    this.lemmas.push(terms.or([0, 1].map(bit => terms.eq(terms.bv(1, bit), variable))));
  }
}
