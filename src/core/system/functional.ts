/**
 * A system in the form that the engine walks: everything in normal form, conjunctions taken apart, and the
 * transition relation split into definitions x' = f of next state variables by terms over current variables and
 * inputs, and a relational rest. Nothing but the spelling changes, so invariants and runs need no translation.
 */
import { Op } from '../../term/operators.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { conjuncts } from './conjuncts.ts';
import { FreeOf } from './literals.ts';
import type { Property, StateVariable, System } from './system.ts';

export interface FunctionalSystem {
  readonly terms: TermStore;
  readonly states: readonly StateVariable[];
  readonly inputs: readonly TermId[];
  readonly init: readonly TermId[];
  /** What next state variables are, in terms of current ones and inputs. */
  readonly definitions: ReadonlyMap<TermId, TermId>;
  /** The conjuncts of the transition relation that are no definitions. */
  readonly relations: readonly TermId[];
  readonly constraints: readonly TermId[];
  readonly property: TermId;
  /** Valid formulas that reading relations as definitions rests on: what one bit can be. */
  readonly lemmas: readonly TermId[];
}

export function functionalSystem(system: System, property: Property): FunctionalSystem {
  const { terms, states, inputs } = system;
  const rewriter = new Rewriter(terms);
  const parts = (formulas: readonly TermId[]) =>
    conjuncts(terms, terms.and(formulas.map(f => rewriter.rewrite(f)))).filter(f => f !== terms.true);
  const splitter = new Splitter(terms, rewriter, states);
  for (const f of parts([system.trans])) splitter.add(f);
  return {
    terms,
    states,
    inputs,
    init: parts([system.init]),
    definitions: splitter.definitions,
    relations: splitter.relations,
    constraints: parts(system.constraints),
    property: rewriter.rewrite(property.formula),
    lemmas: splitter.lemmas,
  };
}

/** Sorts conjuncts of the transition relation into definitions and relations. */
class Splitter {
  readonly definitions = new Map<TermId, TermId>();
  readonly relations: TermId[] = [];
  readonly lemmas: TermId[] = [];
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly next: ReadonlySet<TermId>;
  private readonly ofNow: FreeOf; // terms without next state variables

  constructor(terms: TermStore, rewriter: Rewriter, states: readonly StateVariable[]) {
    this.terms = terms;
    this.rewriter = rewriter;
    this.next = new Set(states.map(s => s.next));
    this.ofNow = new FreeOf(terms, this.next);
  }

  add(formula: TermId): void {
    const definition = this.definition(formula);
    if (definition === undefined) this.relations.push(formula);
    else this.definitions.set(definition.variable, definition.body);
  }

  private definition(formula: TermId): { variable: TermId; body: TermId } | undefined {
    const { terms, rewriter } = this;
    const isNegated = terms.op(formula) === Op.NOT;
    const atom = isNegated ? terms.arg(formula, 0) : formula;
    if (this.isOpen(atom)) return { variable: atom, body: terms.bool(!isNegated) };
    if (terms.op(atom) !== Op.EQ) return undefined;
    const [a, b] = terms.args(atom);
    for (const [side, other] of [
      [a, b],
      [b, a],
    ]) {
      if (!this.ofNow.has(other)) continue;
      const isBoolean = terms.sort(side) === terms.sorts.bool;
      if (isNegated && !isBoolean && terms.width(side) !== 1) continue;
      if (isNegated && !isBoolean && this.isOpen(side)) this.isOneOrZero(side);
      const body = isNegated ? rewriter.mk(isBoolean ? Op.NOT : Op.BVNOT, [other]) : other;
      if (this.isOpen(side)) return { variable: side, body };
      // A one-bit variable in its disguise as a Boolean: (= #b1 x').
      const inner =
        terms.op(side) === Op.EQ && terms.arg(side, 0) === terms.bv(1, 1) ? terms.arg(side, 1) : side;
      if (inner !== side && this.isOpen(inner)) {
        this.isOneOrZero(inner);
        return { variable: inner, body: rewriter.mk(Op.ITE, [body, terms.bv(1, 1), terms.bv(1, 0)]) };
      }
    }
    return undefined;
  }

  /** Takes down that a one-bit variable has one of two values, which equality alone does not know. */
  private isOneOrZero(variable: TermId): void {
    const { terms } = this;
    this.lemmas.push(terms.or([0, 1].map(bit => terms.eq(terms.bv(1, bit), variable))));
  }

  /** A next state variable without a definition so far. */
  private isOpen(t: TermId): boolean {
    return this.next.has(t) && !this.definitions.has(t);
  }
}
