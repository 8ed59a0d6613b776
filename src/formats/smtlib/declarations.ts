/**
 * The commands that declare and define names, which scripts, transition systems and Horn clauses have in
 * common: declare-sort, define-sort, declare-fun, declare-const, define-fun and define-const.
 */
import type { SortId } from '../../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import type { Node, SExprs, SymbolId } from './sexpr.ts';
import type { SymbolTable } from './symbols.ts';
import type { OnAttribute, TermReader } from './term-reader.ts';

export type Declaration =
  | { readonly kind: 'declare-sort'; readonly sort: SortId }
  | { readonly kind: 'define-sort' }
  | { readonly kind: 'declare-fun'; readonly function: FunctionId }
  | {
      readonly kind: 'define-fun';
      readonly name: string;
      readonly parameters: readonly TermId[];
      readonly body: TermId;
    };

/**
 * Hears that a definition without parameters is declared with another sort than its body has; then the sort of the
 * body counts. Without a listener this is an error.
 */
export type OnMismatch = (body: Node, reason: string) => void;

export class DeclarationReader {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols: SymbolTable;
  private readonly reader: TermReader;
  private readonly onMismatch: OnMismatch | undefined;

  constructor(
    terms: TermStore,
    sexprs: SExprs,
    symbols: SymbolTable,
    reader: TermReader,
    onMismatch?: OnMismatch,
  ) {
    this.terms = terms;
    this.sexprs = sexprs;
    this.symbols = symbols;
    this.reader = reader;
    this.onMismatch = onMismatch;
  }

  /** Carries out a command that declares or defines something; nothing if it is another kind of command. */
  read(command: string, node: Node, onAttribute?: OnAttribute): Declaration | undefined {
    switch (command) {
      case 'declare-sort':
        return this.declareSort(node);
      case 'define-sort':
        return this.defineSort(node);
      case 'declare-fun':
        return this.declareFun(node, this.signature(node));
      case 'declare-const':
        return this.declareFun(node, { parameters: [], result: this.sortAt(node, 2) });
      case 'define-fun':
        return this.defineFun(node, onAttribute);
      case 'define-const':
        return this.define(node, [], this.sortAt(node, 2), 3, onAttribute);
      case 'define-fun-rec':
      case 'define-funs-rec':
        throw this.sexprs.error(node, this.symbols.fragment.refusal(`'${command}' (recursive functions)`));
      case 'declare-datatype':
      case 'declare-datatypes':
        throw this.sexprs.error(node, this.symbols.fragment.refusal(`'${command}' (algebraic data types)`));
      default:
        return undefined;
    }
  }

  /** Carries out the attribute `:named`, which makes a name for the term; nothing if it is another attribute. */
  nameTerm(term: TermId, keyword: Node, value: Node | undefined): string | undefined {
    const { sexprs } = this;
    if (sexprs.atom(keyword) !== ':named') return undefined;
    if (value === undefined) throw sexprs.error(keyword, 'expected a name after :named');
    const name = sexprs.spelling(sexprs.expectSymbol(value, 'a name after :named'));
    const complaint = this.symbols.define(name, { kind: 'macro', name, parameters: [], body: term });
    if (complaint !== undefined) throw sexprs.error(value, complaint);
    return name;
  }

  private declareSort(node: Node): Declaration {
    const { sexprs } = this;
    const name = this.nameAt(node);
    const arity = sexprs.children(node)[2];
    if (arity !== undefined && sexprs.expectNumeral(arity, 'the number of parameters') !== 0) {
      throw sexprs.error(arity, this.symbols.fragment.refusal('an uninterpreted sort with parameters'));
    }
    const sort = this.terms.sorts.declare(name);
    this.complain(node, this.symbols.defineSort(name, { kind: 'sort', id: sort }));
    this.expectEnd(node, 3);
    return { kind: 'declare-sort', sort };
  }

  private defineSort(node: Node): Declaration {
    const { sexprs, reader, symbols } = this;
    const name = this.nameAt(node);
    const parameterNodes = sexprs.expectList(sexprs.expectChild(node, 2, 'the parameters'), 'the parameters');
    const parameters = parameterNodes.map(p => sexprs.spelling(sexprs.expectSymbol(p, 'a sort parameter')));
    const bodyNode = sexprs.expectChild(node, 3, 'a sort');
    const arity = parameters.length;
    // With parameters, the body is read anew for each use, in a scope where they stand for the arguments.
    const body = (args: readonly SortId[]) => {
      symbols.push();
      try {
        parameters.forEach((p, i) => {
          this.complain(parameterNodes[i], symbols.defineSort(p, { kind: 'sort', id: args[i] }));
        });
        return reader.sort(bodyNode);
      } finally {
        symbols.pop();
      }
    };
    const meaning =
      arity === 0
        ? ({ kind: 'sort', id: reader.sort(bodyNode) } as const)
        : ({ kind: 'abbreviation', arity, body } as const);
    if (arity > 0) body(parameters.map(() => this.terms.sorts.bool));
    this.complain(node, symbols.defineSort(name, meaning));
    this.expectEnd(node, 4);
    return { kind: 'define-sort' };
  }

  private signature(node: Node): { parameters: readonly SortId[]; result: SortId } {
    const { sexprs } = this;
    const list = sexprs.expectList(sexprs.expectChild(node, 2, 'the parameter sorts'), 'the parameter sorts');
    return { parameters: list.map(p => this.reader.sort(p)), result: this.sortAt(node, 3) };
  }

  private declareFun(
    node: Node,
    signature: { readonly parameters: readonly SortId[]; readonly result: SortId },
  ): Declaration {
    const name = this.nameAt(node);
    const id = this.terms.declare(name, signature.parameters, signature.result);
    this.complain(node, this.symbols.define(name, { kind: 'function', id }));
    this.expectEnd(node, this.sexprs.atom((node + 1) as Node) === 'declare-const' ? 3 : 4);
    return { kind: 'declare-fun', function: id };
  }

  private defineFun(node: Node, onAttribute?: OnAttribute): Declaration {
    const { sexprs, terms } = this;
    const names = new Set<SymbolId>();
    const list = sexprs.expectList(sexprs.expectChild(node, 2, 'the parameters'), 'the parameters');
    const parameters = list.map(p => {
      const parts = sexprs.expectList(p, 'a parameter (name sort)');
      if (parts.length !== 2) throw sexprs.error(p, 'expected a parameter (name sort)');
      const symbol = sexprs.expectSymbol(parts[0], 'the name of a parameter');
      const name = sexprs.spelling(symbol);
      if (names.has(symbol)) throw sexprs.error(parts[0], `the parameter '${name}' occurs twice`);
      names.add(symbol);
      return [symbol, terms.variable(name, this.reader.sort(parts[1]))] as const;
    });
    return this.define(node, parameters, this.sortAt(node, 3), 4, onAttribute);
  }

  private define(
    node: Node,
    parameters: readonly (readonly [SymbolId, TermId])[],
    sort: SortId,
    bodyPosition: number,
    onAttribute?: OnAttribute,
  ): Declaration {
    const { sexprs, terms } = this;
    const name = this.nameAt(node);
    const bodyNode = sexprs.expectChild(node, bodyPosition, 'the body');
    const body = this.reader.term(bodyNode, parameters, onAttribute);
    if (terms.sort(body) !== sort) {
      const [want, got] = [sort, terms.sort(body)].map(s => terms.sorts.name(s));
      const reason = `'${name}' is declared ${want}, but its body is ${got}`;
      if (parameters.length > 0 || this.onMismatch === undefined) throw sexprs.error(bodyNode, reason);
      this.onMismatch(bodyNode, reason);
    }
    const variables = parameters.map(([, variable]) => variable);
    this.complain(node, this.symbols.define(name, { kind: 'macro', name, parameters: variables, body }));
    this.expectEnd(node, bodyPosition + 1);
    return { kind: 'define-fun', name, parameters: variables, body };
  }

  private nameAt(node: Node): string {
    const { sexprs } = this;
    return sexprs.spelling(sexprs.expectSymbol(sexprs.expectChild(node, 1, 'a name'), 'a name'));
  }

  private sortAt(node: Node, position: number): SortId {
    return this.reader.sort(this.sexprs.expectChild(node, position, 'a sort'));
  }

  private expectEnd(node: Node, length: number): void {
    const extra = this.sexprs.children(node)[length];
    if (extra !== undefined) throw this.sexprs.error(extra, "expected ')' here");
  }

  private complain(node: Node, complaint: string | undefined): void {
    if (complaint !== undefined)
      throw this.sexprs.error(this.sexprs.expectChild(node, 1, 'a name'), complaint);
  }
}
