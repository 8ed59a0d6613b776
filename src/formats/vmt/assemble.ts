/**
 * From annotations to a transition system: pairs state variables with their next states, tells inputs from states,
 * and checks that each formula mentions only what it may: `:init` current state variables, properties these and
 * inputs, `:trans` everything. Each check is one walk over the graph, however many formulas there are.
 *
 * MathSAT declares only what its formulas mention, so the next state of a variable that may change at will is often
 * named by :next and declared nowhere; such names become variables here. Not so in files with wrong sorts, where a
 * name that is not declared is more likely one more mistake.
 */
import type { StateVariable, System } from '../../core/problem/system.ts';
import type { SortId } from '../../term/sort.ts';
import type { TermId, TermSet, TermStore } from '../../term/store.ts';
import type { Node, SExprs } from '../smtlib/sexpr.ts';
import type { SymbolTable } from '../smtlib/symbols.ts';
import type { Annotated, Annotations, NextState } from './annotations.ts';

export class Assembler {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols: SymbolTable;
  private readonly mayOmit: boolean;
  private readonly nextOf = new Map<TermId, TermId>(); // next state of each state variable
  private readonly currentOf = new Map<TermId, TermId>(); // and the other way round
  private readonly undeclared = new Map<string, TermId>(); // next states that only :next names

  /** With `mayOmit`, a name after :next need not be declared. */
  constructor(terms: TermStore, sexprs: SExprs, symbols: SymbolTable, mayOmit: boolean) {
    this.terms = terms;
    this.sexprs = sexprs;
    this.symbols = symbols;
    this.mayOmit = mayOmit;
  }

  /** The system over the given variables, all that are declared, in order. */
  assemble(variables: readonly TermId[], annotations: Annotations, end: Node): System {
    const { terms, nextOf, currentOf } = this;
    const declared = new Set(variables);
    for (const pair of annotations.nextStates) this.pair(pair, declared);
    const states: StateVariable[] = [];
    const inputs: TermId[] = [];
    for (const current of variables) {
      const next = nextOf.get(current);
      if (next !== undefined) states.push({ current, next });
      else if (!currentOf.has(current)) inputs.push(current);
    }
    const { init, trans, properties } = annotations;
    this.forbid([...init, ...properties], currentOf, 'the next state');
    this.forbid(init, new Set(inputs), 'the input');
    if (properties.length === 0) {
      throw this.sexprs.error(end, 'there is no property: expected a formula with :invar-property');
    }
    return {
      terms,
      states,
      inputs,
      init: this.conjunction(init),
      trans: this.conjunction(trans),
      constraints: [],
      properties: properties.map(({ index, term, name }) => ({ index, formula: term, name })),
    };
  }

  private pair({ term: current, place, value }: NextState, declared: ReadonlySet<TermId>): void {
    const { nextOf, currentOf, terms } = this;
    const next = this.nextVariable(value, terms.sort(current), declared);
    if (nextOf.get(current) === next) return;
    const complain = (node: Node, reason: string) => {
      throw this.sexprs.error(node, reason);
    };
    const [name, nextName] = [this.name(current), this.name(next)];
    if (current === next) complain(value, `${name} cannot be its own next state`);
    if (terms.sort(current) !== terms.sort(next)) {
      const [sort, nextSort] = [current, next].map(t => terms.sorts.name(terms.sort(t)));
      complain(value, `${nextName} is of sort ${nextSort}, but ${name} of ${sort}`);
    }
    if (nextOf.has(current))
      complain(value, `${name} has the next state ${this.nameIn(nextOf, current)} already`);
    if (currentOf.has(next)) {
      complain(value, `${nextName} is the next state of ${this.nameIn(currentOf, next)} already`);
    }
    if (currentOf.has(current)) {
      complain(
        place,
        `${name} is the next state of ${this.nameIn(currentOf, current)} and cannot have one itself`,
      );
    }
    if (nextOf.has(next)) {
      complain(
        value,
        `${nextName} is a state variable with the next state ${this.nameIn(nextOf, next)} itself`,
      );
    }
    nextOf.set(current, next);
    currentOf.set(next, current);
  }

  /** The variable that a name after :next stands for, be it through a definition. */
  private nextVariable(node: Node, sort: SortId, declared: ReadonlySet<TermId>): TermId {
    const { terms, symbols } = this;
    const name = this.sexprs.atom(node);
    const meaning = symbols.function(name);
    if (meaning?.kind === 'macro' && declared.has(meaning.body)) return meaning.body;
    if (meaning?.kind === 'function' && terms.symbol(meaning.id).parameters.length === 0) {
      return terms.apply(meaning.id, []);
    }
    const isTaken =
      meaning !== undefined ||
      symbols.operator(name) !== undefined ||
      symbols.fragment.outside(name) !== undefined;
    if (isTaken) throw this.sexprs.error(node, `'${name}' is no variable: expected one after :next`);
    if (!this.mayOmit) throw this.sexprs.error(node, `unknown symbol '${name}': it is not declared`);
    return this.unconstrained(name, sort);
  }

  /** A next state that is not declared, which nothing can mention, so that it may have any value. */
  private unconstrained(name: string, sort: SortId): TermId {
    let variable = this.undeclared.get(name);
    if (variable === undefined) {
      variable = this.terms.variable(name, sort);
      this.undeclared.set(name, variable);
    }
    return variable;
  }

  /** Complains about the first formula that mentions one of the variables. */
  private forbid(formulas: readonly Annotated[], variables: TermSet, what: string): void {
    const found = (roots: readonly TermId[]) => this.terms.postorder(roots).find(t => variables.has(t));
    if (found(formulas.map(f => f.term)) === undefined) return;
    for (const { term, place } of formulas) {
      const variable = found([term]);
      if (variable === undefined) continue;
      throw this.sexprs.error(
        place,
        `the formula of ${this.sexprs.atom(place)} may not mention ${what} ${this.name(variable)}`,
      );
    }
  }

  private conjunction(formulas: readonly Annotated[]): TermId {
    return this.terms.and([...new Set(formulas.map(f => f.term))]);
  }

  private name(variable: TermId): string {
    return `'${this.terms.nameOf(variable)}'`;
  }

  private nameIn(map: ReadonlyMap<TermId, TermId>, key: TermId): string {
    return this.name(map.get(key) as TermId);
  }
}
