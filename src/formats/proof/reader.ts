/**
 * Reads a proof from SMT-LIB text, as `--invariant` writes it or as others do: the invariant is the conjunction of
 * all assertions, or if there are none the last definition of a formula. It is over the current state variables of
 * the system, by their names; they may be declared again, with the same sorts, or be the parameters of the definition.
 * An assertion or a definition may be `(forall (…) …)` as a whole: then it holds for all values of these variables. One that is
 * declared as well, with the same sort, is the one that lemmas speak of.
 * Definitions whose body has the attribute `:lemma true` are lemmas and may mention anything. `(set-info :k-induction 3)`
 * says that the invariant excludes a violation only after three states without one.
 */
import type { System } from '../../core/problem/system.ts';
import { foreignVariables, type SystemProof } from '../../core/problem/system-proof.ts';
import { Op } from '../../term/operators.ts';
import { type SortId, SortKind } from '../../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { InputError } from '../diagnostic.ts';
import { DeclarationReader } from '../smtlib/declarations.ts';
import { SYSTEMS } from '../smtlib/fragment.ts';
import { type Node, SExprs } from '../smtlib/sexpr.ts';
import { SymbolTable } from '../smtlib/symbols.ts';
import { TermReader } from '../smtlib/term-reader.ts';

/** Commands that say nothing about the invariant. */
const IGNORED = new Set(['set-logic', 'set-option', 'check-sat', 'exit']);

/** That as many states differ from each other takes a formula for each pair. */
const MAX_K = 1000;

/** Throws an InputError where the text is no invariant of this system. */
export function readInvariant(system: System, file: string, text: string): SystemProof {
  return new InvariantReader(system, file, text).read();
}

/** A formula and where it stands. */
interface Found {
  readonly node: Node;
  readonly bound: readonly TermId[];
  readonly parameters: readonly TermId[];
  readonly body: TermId;
}

class InvariantReader {
  private readonly system: System;
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols = new SymbolTable(SYSTEMS);
  private readonly reader: TermReader;
  private readonly declarations: DeclarationReader;
  private readonly functions = new Map<string, FunctionId>(); // of the system, by name
  private readonly sorts = new Map<string, SortId>(); // uninterpreted ones of the system, by name
  private readonly assertions: Found[] = [];
  private readonly definitions: Found[] = [];
  private readonly lemmas: TermId[] = [];
  private k = 0;

  constructor(system: System, file: string, text: string) {
    this.system = system;
    this.terms = system.terms;
    this.sexprs = new SExprs(file, text);
    this.reader = new TermReader(this.terms, this.sexprs, this.symbols);
    this.declarations = new DeclarationReader(this.terms, this.sexprs, this.symbols, this.reader);
    this.enterSystem();
  }

  read(): SystemProof {
    const { sexprs, terms, assertions, definitions } = this;
    for (const node of sexprs.topLevel()) this.command(node);
    const last = definitions.at(-1);
    if (assertions.length === 0 && last === undefined) {
      throw new InputError(sexprs.file, 1, 1, 'expected an invariant: (define-fun inv () Bool …)');
    }
    const found = assertions.length > 0 ? assertions : [last as Found];
    const invariant = terms.and(found.map(f => this.overStates(f)));
    const bound = [...new Set(found.flatMap(f => f.bound))];
    return { invariant, ...(bound.length > 0 && { bound }), lemmas: this.lemmas, k: this.k };
  }

  /** Brings the names of the system into scope; of several symbols with one name, state variables come first. */
  private enterSystem(): void {
    const { terms, system } = this;
    const { states, inputs, init, trans, constraints, properties } = system;
    const variables = [...states.map(s => s.current), ...states.map(s => s.next), ...inputs];
    const formulas = [init, trans, ...constraints, ...properties.map(p => p.formula)];
    for (const t of terms.postorder([...variables, ...formulas])) {
      this.enterSort(terms.sort(t));
      if (terms.op(t) !== Op.APPLY) continue;
      const id = terms.functionOf(t);
      const { name, parameters } = terms.symbol(id);
      for (const p of parameters) this.enterSort(p);
      if (this.symbols.define(name, { kind: 'function', id }) === undefined) this.functions.set(name, id);
    }
  }

  private enterSort(sort: SortId): void {
    const { sorts } = this.terms;
    if (sorts.isArray(sort)) {
      this.enterSort(sorts.indexSort(sort));
      this.enterSort(sorts.elementSort(sort));
    } else if (sorts.kind(sort) === SortKind.UNINTERPRETED) {
      const name = sorts.name(sort).replace(/^\|(.*)\|$/, '$1');
      if (this.symbols.defineSort(name, { kind: 'sort', id: sort }) === undefined) this.sorts.set(name, sort);
    }
  }

  private command(node: Node): void {
    const { sexprs, reader, terms } = this;
    if (!sexprs.isList(node)) throw sexprs.error(node, 'expected a command in parentheses');
    const head = sexprs.expectChild(node, 0, 'a command');
    const name = sexprs.spelling(sexprs.expectSymbol(head, 'a command'));
    if (name === 'set-info') this.information(node);
    if (name === 'set-info' || IGNORED.has(name) || this.repeats(name, node)) return;
    if (name === 'assert') {
      const formula = sexprs.expectChild(node, 1, 'a formula');
      const found = this.quantified(node, formula) ?? {
        node,
        bound: [],
        parameters: [],
        body: reader.termOfSort(formula, terms.sorts.bool, 'an assertion'),
      };
      this.assertions.push(found);
      return;
    }
    const forAll = name === 'define-fun' ? this.quantifiedDefinition(node) : undefined;
    if (forAll !== undefined) {
      this.definitions.push(forAll);
      return;
    }
    let isLemma = false;
    const declaration = this.declarations.read(name, node, (_, keyword, value) => {
      if (sexprs.atom(keyword) === ':lemma' && value !== undefined) isLemma = sexprs.atom(value) === 'true';
    });
    if (declaration === undefined) throw sexprs.error(head, `'${name}' has no place in an invariant`);
    if (declaration.kind !== 'define-fun' || terms.sort(declaration.body) !== terms.sorts.bool) return;
    if (isLemma) this.lemmas.push(declaration.body);
    else this.definitions.push({ node, bound: [], ...declaration });
  }

  /** A definition without parameters whose body is a formula for all values of some variables. */
  private quantifiedDefinition(node: Node): Found | undefined {
    const { sexprs, reader, terms } = this;
    const [, , parameters, sort, body] = sexprs.children(node);
    if (body === undefined || !sexprs.isList(parameters) || sexprs.children(parameters).length > 0)
      return undefined;
    const found = this.quantified(node, body);
    if (found !== undefined && reader.sort(sort) !== terms.sorts.bool)
      throw sexprs.error(sort, 'a formula for all values of some variables is Bool');
    return found;
  }

  /** `(forall ((name sort) …) formula)` */
  private quantified(node: Node, formula: Node): Found | undefined {
    const { sexprs, reader, terms, symbols } = this;
    if (!sexprs.isList(formula)) return undefined;
    const [quantifier, variables, inner] = sexprs.children(formula);
    if (quantifier === undefined || sexprs.isList(quantifier) || sexprs.atom(quantifier) !== 'forall')
      return undefined;
    if (sexprs.children(formula).length !== 3)
      throw sexprs.error(formula, 'expected (forall ((name sort) …) formula)');
    const bound = sexprs.expectList(variables, 'the variables').map(v => {
      const parts = sexprs.expectList(v, 'a variable (name sort)');
      if (parts.length !== 2) throw sexprs.error(v, 'expected a variable (name sort)');
      const symbol = sexprs.expectSymbol(parts[0], 'the name of a variable');
      const name = sexprs.spelling(symbol);
      const sort = reader.sort(parts[1]);
      const known = symbols.function(name);
      const declared = known?.kind === 'function' && !this.functions.has(name) ? known.id : undefined;
      const isSame = declared !== undefined && terms.symbol(declared).parameters.length === 0;
      const variable = isSame ? terms.apply(declared, []) : terms.variable(name, sort);
      return [symbol, terms.sort(variable) === sort ? variable : terms.variable(name, sort)] as const;
    });
    const body = reader.term(inner, bound);
    if (terms.sort(body) !== terms.sorts.bool) throw sexprs.error(inner, 'expected a formula');
    return { node, bound: bound.map(([, v]) => v), parameters: [], body };
  }

  /** All but one thing that may be said about a file says nothing about the invariant. */
  private information(node: Node): void {
    const { sexprs } = this;
    const keyword = sexprs.expectChild(node, 1, 'a keyword');
    if (sexprs.isList(keyword) || sexprs.atom(keyword) !== ':k-induction') return;
    const number = sexprs.expectChild(node, 2, 'a number of states');
    this.k = sexprs.expectNumeral(number, 'a number of states');
    if (this.k > MAX_K) throw sexprs.error(number, `expected no more than ${MAX_K} states`);
  }

  /** Declares what the system has already: the same sort, or a symbol of the same sorts. */
  private repeats(command: string, node: Node): boolean {
    const { sexprs, terms, reader } = this;
    if (!command.startsWith('declare-')) return false;
    const nameNode = sexprs.expectChild(node, 1, 'a name');
    const name = sexprs.atom(nameNode);
    if (command === 'declare-sort') return this.sorts.has(name);
    const f = this.functions.get(name);
    if (f === undefined) return false;
    const { parameters, result } = terms.symbol(f);
    const isConstant = command === 'declare-const';
    const given = isConstant
      ? []
      : sexprs.expectList(sexprs.expectChild(node, 2, 'the parameter sorts'), 'the parameter sorts');
    const sorts = [...given, sexprs.expectChild(node, isConstant ? 2 : 3, 'a sort')].map(s => reader.sort(s));
    const wanted = [...parameters, result];
    if (sorts.length === wanted.length && sorts.every((s, i) => s === wanted[i])) return true;
    const shown = `(${parameters.map(p => terms.sorts.name(p)).join(' ')}) ${terms.sorts.name(result)}`;
    throw sexprs.error(nameNode, `'${name}' is declared otherwise than in the system, where it is ${shown}`);
  }

  /** The formula over state variables in place of parameters. */
  private overStates({ node, bound, parameters, body }: Found): TermId {
    const { terms, sexprs, system } = this;
    const byName = new Map(system.states.map(({ current }) => [this.nameOf(current), current]));
    const replacements = new Map<TermId, TermId>();
    for (const p of parameters) {
      const state = byName.get(this.nameOf(p));
      if (state === undefined)
        throw sexprs.error(node, `the parameter '${this.nameOf(p)}' is not a state variable of the system`);
      if (terms.sort(state) !== terms.sort(p)) {
        const [want, got] = [state, p].map(t => terms.sorts.name(terms.sort(t)));
        throw sexprs.error(
          node,
          `the parameter '${this.nameOf(p)}' is ${got}, but the state variable ${want}`,
        );
      }
      replacements.set(p, state);
    }
    const invariant = substitute(terms, body, replacements);
    const [foreign] = foreignVariables(system, invariant, bound);
    if (foreign === undefined) return invariant;
    const problem = `mentions '${this.nameOf(foreign)}', which is not a current state variable`;
    throw sexprs.error(node, `the invariant ${problem}`);
  }

  private nameOf(variable: TermId): string {
    return this.terms.nameOf(variable);
  }
}
