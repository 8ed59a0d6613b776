/**
 * Constrained Horn clauses, in two dialects:
 *
 *   SMT-LIB   (set-logic HORN), relations by declare-fun, clauses asserted as quantified implications, as CHC-COMP has
 *             them; asks whether all can be true (chc-comp.github.io/format.html)
 *   rules     z3's fixed-point format: declare-rel, declare-var, rule, and any number of query
 *
 * Relations range over Booleans, bit-vectors and arrays of these. Clauses of SMT-LIB that have no head are the one query;
 * in rules every `query` is one of its own.
 */
import type { Location, Query } from '../../core/problem/problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { VMT_ANNOTATIONS } from '../format.ts';
import { DeclarationReader } from '../smtlib/declarations.ts';
import { CLAUSES } from '../smtlib/fragment.ts';
import { type Node, SExprs, type SymbolId, Token } from '../smtlib/sexpr.ts';
import { SymbolTable } from '../smtlib/symbols.ts';
import { TermReader } from '../smtlib/term-reader.ts';
import { ClauseReader } from './clauses.ts';
import type { Clause, Dialect, HornFile } from './problem.ts';
import { QuantifierReader } from './quantifiers.ts';

/** The problem that a file states; throws an InputError if it states none. */
export function readHorn(terms: TermStore, file: string, text: string, checkpoint?: Checkpoint): HornFile {
  return new HornReader(terms, file, text, checkpoint).read();
}

/** Commands that say nothing about the problem. */
const SKIPPED = new Set([
  'set-logic',
  'set-info',
  'set-option',
  'get-model',
  'get-proof',
  'get-info',
  'echo',
]);

/** The commands that only one of the dialects has. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  assert: 'smt-lib',
  'check-sat': 'smt-lib',
  'declare-rel': 'rules',
  'declare-var': 'rules',
  rule: 'rules',
  query: 'rules',
};

class HornReader {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols = new SymbolTable(CLAUSES, INTERNAL_NAMES);
  private readonly reader: TermReader;
  private readonly declarations: DeclarationReader;
  private readonly quantifiers: QuantifierReader;
  private readonly relations = new Map<FunctionId, Location>();
  private readonly clauseReader: ClauseReader;
  private readonly annotations: ReadonlySet<SymbolId>; // of another format
  private readonly clauses: Clause[] = [];
  private readonly queries: (string | undefined)[] = [];
  private dialect: Dialect | undefined;
  private isAsked = false; // check-sat has been read

  constructor(terms: TermStore, file: string, text: string, checkpoint: Checkpoint | undefined) {
    this.terms = terms;
    this.sexprs = new SExprs(file, text, checkpoint);
    this.reader = new TermReader(terms, this.sexprs, this.symbols);
    this.declarations = new DeclarationReader(terms, this.sexprs, this.symbols, this.reader);
    this.quantifiers = new QuantifierReader(terms, this.sexprs, this.reader);
    this.clauseReader = new ClauseReader(terms, this.relations, checkpoint);
    this.annotations = new Set([...VMT_ANNOTATIONS].map(a => this.sexprs.intern(a)));
  }

  read(): HornFile {
    const { sexprs, terms } = this;
    let end = 0 as Node;
    for (const node of sexprs.topLevel()) {
      if (!sexprs.isList(node)) throw sexprs.error(node, 'expected a command in parentheses');
      const name = sexprs.spelling(
        sexprs.expectSymbol(sexprs.expectChild(node, 0, 'a command'), 'a command'),
      );
      if (name === 'exit') break;
      this.command(name, node);
      end = sexprs.next(node);
    }
    const dialect = this.dialect ?? 'smt-lib';
    if (dialect === 'rules' && this.queries.length === 0) {
      throw sexprs.error(end, 'there is no query: expected (query R) for a relation R');
    }
    return {
      terms,
      dialect,
      relations: [...this.relations.values()],
      clauses: this.clauses,
      queries: dialect === 'rules' ? this.queries : [undefined],
    };
  }

  private command(name: string, node: Node): void {
    if (SKIPPED.has(name)) return;
    this.expectDialect(name, node);
    this.expectNoAnnotation(node);
    switch (name) {
      case 'assert':
        this.assertion(node);
        return;
      case 'check-sat':
        this.isAsked = true;
        return;
      case 'declare-rel':
        this.declareRelation(node);
        return;
      case 'declare-var':
        this.declareVariable(node);
        return;
      case 'rule':
        this.add(node, this.quantifiers.read(this.sexprs.expectChild(node, 1, 'a formula')), undefined);
        return;
      case 'query':
        this.query(node);
        return;
      default:
        this.declaration(name, node);
    }
  }

  private expectDialect(name: string, node: Node): void {
    const dialect = DIALECTS[name];
    if (dialect === undefined) return;
    this.dialect ??= dialect;
    if (this.dialect === dialect) return;
    throw this.sexprs.error(node, `'${name}' may not stand in a file of ${DIALECT_NAMES[this.dialect]}`);
  }

  /** A file of both formats has no meaning: clauses would be read as if the annotations were not there. */
  private expectNoAnnotation(command: Node): void {
    const { sexprs, annotations } = this;
    const end = sexprs.next(command);
    for (let i = command; i < end; i++) {
      if (sexprs.kind(i) !== Token.KEYWORD || !annotations.has(sexprs.symbol(i))) continue;
      throw sexprs.error(
        i,
        `${sexprs.atom(i)} is an annotation of VMT, but this file has Horn clauses: it must be one or the other`,
      );
    }
  }

  private declaration(name: string, node: Node): void {
    const { sexprs, terms } = this;
    const declaration = this.declarations.read(name, node);
    if (declaration === undefined) {
      throw sexprs.error((node + 1) as Node, `'${name}' is no command for Horn clauses`);
    }
    if (declaration.kind === 'declare-sort') {
      throw sexprs.error(node, CLAUSES.refusal(`'declare-sort' among Horn clauses`));
    }
    if (declaration.kind !== 'declare-fun') return;
    const { name: symbol, result } = terms.symbol(declaration.function);
    if (result !== terms.sorts.bool) {
      const what = `'${symbol}', a function to ${terms.sorts.name(result)},`;
      throw sexprs.error(
        node,
        `${what} is no relation: Horn clauses have relations and quantified variables only`,
      );
    }
    this.addRelation(declaration.function);
  }

  private addRelation(f: FunctionId): void {
    const { terms } = this;
    const { name, parameters } = terms.symbol(f);
    const places = parameters.map((sort, i) => terms.variable(`${name}.${i}`, sort));
    this.relations.set(f, { name, places, constraints: [] });
  }

  private declareRelation(node: Node): void {
    const { sexprs, terms } = this;
    const name = sexprs.expectChild(node, 1, 'a name');
    const spelling = sexprs.spelling(sexprs.expectSymbol(name, 'a name'));
    const list = sexprs.expectList(sexprs.expectChild(node, 2, 'the parameter sorts'), 'the parameter sorts');
    const f = terms.declare(
      spelling,
      list.map(s => this.reader.sort(s)),
      terms.sorts.bool,
    );
    this.define(name, spelling, f);
    this.addRelation(f);
  }

  private declareVariable(node: Node): void {
    const { sexprs, terms } = this;
    const name = sexprs.expectChild(node, 1, 'a name');
    const spelling = sexprs.spelling(sexprs.expectSymbol(name, 'a name'));
    const sort = this.reader.sort(sexprs.expectChild(node, 2, 'a sort'));
    const earlier = this.symbols.function(spelling);
    // Generated files declare a variable once for each rule; nothing depends on whether it is the same.
    if (
      earlier?.kind === 'function' &&
      !this.relations.has(earlier.id) &&
      terms.symbol(earlier.id).result === sort
    )
      return;
    this.define(name, spelling, terms.declare(spelling, [], sort));
  }

  private define(node: Node, name: string, id: FunctionId): void {
    const complaint = this.symbols.define(name, { kind: 'function', id });
    if (complaint !== undefined) throw this.sexprs.error(node, complaint);
  }

  private assertion(node: Node): void {
    const { sexprs } = this;
    const body = sexprs.expectChild(node, 1, 'a formula');
    if (sexprs.next(body) !== sexprs.next(node)) throw sexprs.error(sexprs.next(body), "expected ')' here");
    if (this.isAsked) {
      throw sexprs.error(node, 'an assertion after check-sat is not supported: a file asks one question');
    }
    this.add(node, this.quantifiers.read(body), { property: 0 });
  }

  /** `(query R)` asks about a relation, for any arguments; `(query formula)` for a formula about relations. */
  private query(node: Node): void {
    const { sexprs, terms } = this;
    const body = sexprs.expectChild(node, 1, 'a relation');
    const query: Query = { property: this.queries.length };
    const meaning = sexprs.isSymbol(body) ? this.symbols.function(sexprs.atom(body)) : undefined;
    const relation = meaning?.kind === 'function' ? this.relations.get(meaning.id) : undefined;
    if (meaning?.kind === 'function' && relation !== undefined) {
      this.queries.push(relation.name);
      const args = relation.places.map(p => terms.another(p));
      this.add(node, terms.not(terms.apply(meaning.id, args)), query);
      return;
    }
    this.queries.push(undefined);
    this.add(node, terms.not(this.quantifiers.read(body, false)), query);
  }

  /** Without a query, the clauses must have heads. */
  private add(node: Node, formula: TermId, query: Query | undefined): void {
    const { sexprs } = this;
    const refuse = (reason: string): never => {
      throw sexprs.error(node, reason);
    };
    for (const clause of this.clauseReader.clauses(formula, query, refuse)) {
      this.clauses.push({
        ...clause,
        // Finding a line takes a walk through the text, and few clauses are ever asked for theirs.
        get line() {
          return sexprs.position(node).line;
        },
      });
    }
  }
}

/** z3 prints divisions whose divisor it knows not to be zero as `bvsdiv_i` and so on, and reads them back. */
const INTERNAL_NAMES: ReadonlyMap<string, string> = new Map(
  ['bvudiv', 'bvsdiv', 'bvurem', 'bvsrem', 'bvsmod'].map(name => [`${name}_i`, name]),
);

const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  'smt-lib': 'SMT-LIB assertions',
  rules: 'rules and queries',
};
