/**
 * From S-expressions to terms: identifiers resolved, sorts checked, `let` expanded into the shared graph,
 * defined functions instantiated. One explicit stack of frames takes the place of recursion, so a term
 * may be a million levels deep; every subexpression is visited once, so reading is linear.
 */

import { OPERATORS, Op, type Operator } from '../../term/operators.ts';
import { plural } from '../../term/plural.ts';
import type { SortId } from '../../term/sort.ts';
import { SortError, type TermId, type TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { type Node, type SExprs, type SymbolId, Token } from './sexpr.ts';
import type { Macro, Meaning, SymbolTable } from './symbols.ts';

/** Hears every attribute of every annotated term `(! term :keyword value)`. */
export type OnAttribute = (term: TermId, keyword: Node, value: Node | undefined) => void;

/** What an identifier in head position stands for. */
type Head =
  | { readonly kind: 'operator'; readonly operator: Operator; readonly indices: readonly number[] }
  | { readonly kind: 'const-array'; readonly sort: SortId }
  | { readonly kind: 'qualified'; readonly head: Head; readonly sort: SortId }
  | Meaning;

/** An expression whose parts are being read. */
interface Frame {
  readonly kind: 'application' | 'let-bindings' | 'let-body' | 'annotation';
  readonly node: Node;
  next: Node; // the part to read next
  readonly end: Node; // where the parts end
  readonly base: number; // height of the value stack before the parts
  readonly head: Head | undefined;
  readonly undo: readonly (readonly [SymbolId, TermId | undefined])[] | undefined; // bindings that the let hides
}

/** Terms may nest without limit; sorts are read, printed and counted by recursion. */
const MAX_SORT_DEPTH = 100;

/** Against that of a token, with room to spare. */
const WORK_OF_A_TERM = 10;

const SILENT: OnAttribute = () => {};

export class TermReader {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols: SymbolTable;
  private readonly locals = new Map<SymbolId, TermId>(); // let-bound names and parameters
  private readonly frames: Frame[] = [];
  private readonly values: TermId[] = [];
  private onAttribute: OnAttribute = SILENT;

  constructor(terms: TermStore, sexprs: SExprs, symbols: SymbolTable) {
    this.terms = terms;
    this.sexprs = sexprs;
    this.symbols = symbols;
  }

  /** Reads a term in which the given names stand for the given terms, besides what the script declares. */
  term(
    node: Node,
    parameters: readonly (readonly [SymbolId, TermId])[] = [],
    onAttribute: OnAttribute = SILENT,
  ): TermId {
    this.frames.length = 0;
    this.values.length = 0;
    this.locals.clear();
    this.onAttribute = onAttribute;
    for (const [symbol, term] of parameters) this.locals.set(symbol, term);
    this.visit(node);
    const { frames } = this;
    while (frames.length > 0) {
      const frame = frames[frames.length - 1];
      if (frame.next < frame.end) {
        const part = frame.next;
        frame.next = this.sexprs.next(part);
        this.visit(frame.kind === 'let-bindings' ? this.sexprs.expectChild(part, 1, 'a term') : part);
      } else {
        frames.pop();
        this.finish(frame);
      }
    }
    return this.values[0];
  }

  /** Reads a term that must be of the given sort. */
  termOfSort(node: Node, sort: SortId, what: string, onAttribute: OnAttribute = SILENT): TermId {
    const term = this.term(node, [], onAttribute);
    if (this.terms.sort(term) !== sort) {
      const [want, got] = [sort, this.terms.sort(term)].map(s => this.terms.sorts.name(s));
      throw this.sexprs.error(node, `${what} must be of sort ${want}, not ${got}`);
    }
    return term;
  }

  sort(node: Node, depth = 0): SortId {
    const { sexprs, symbols } = this;
    if (depth > MAX_SORT_DEPTH) throw sexprs.error(node, `sorts nest at most ${MAX_SORT_DEPTH} deep`);
    const { sorts } = this.terms;
    if (!sexprs.isList(node)) {
      const name = sexprs.spelling(sexprs.expectSymbol(node, 'a sort'));
      if (name === 'Bool') return sorts.bool;
      const meaning = symbols.sort(name);
      if (meaning?.kind === 'sort') return meaning.id;
      if (meaning !== undefined && meaning.arity === 0) return meaning.body([]);
      throw sexprs.error(node, this.sortComplaint(name));
    }
    const parts = sexprs.children(node);
    if (parts.length === 0) throw sexprs.error(node, 'expected a sort');
    const name = sexprs.atom(parts[0]);
    if (name === '_') {
      const what = sexprs.atom(sexprs.expectChild(node, 1, 'an indexed sort such as BitVec'));
      if (what !== 'BitVec') throw sexprs.error(parts[1], this.sortComplaint(what));
      const width = sexprs.expectNumeral(sexprs.expectChild(node, 2, 'a width'), 'a width');
      if (parts.length > 3) throw sexprs.error(parts[3], "expected ')' after the width");
      return this.located(parts[2], () => sorts.bitVec(width));
    }
    const args = parts.slice(1);
    if (name === 'Array') {
      if (args.length !== 2) throw sexprs.error(node, 'Array takes an index sort and an element sort');
      return sorts.array(this.sort(args[0], depth + 1), this.sort(args[1], depth + 1));
    }
    const meaning = symbols.sort(name);
    if (meaning?.kind !== 'abbreviation') throw sexprs.error(parts[0], this.sortComplaint(name));
    if (meaning.arity !== args.length) {
      throw sexprs.error(node, `'${name}' takes ${plural(meaning.arity, 'sort')}, not ${args.length}`);
    }
    return meaning.body(args.map(a => this.sort(a, depth + 1)));
  }

  private sortComplaint(name: string): string {
    return (
      this.symbols.fragment.outside(name) ??
      `unknown sort '${name}': expected Bool, (_ BitVec n), (Array s t) or a declared sort`
    );
  }

  // ---- one expression ----

  /** Pushes the value of an atom, or a frame for a list. */
  private visit(node: Node): void {
    this.sexprs.checkpoint.pass(WORK_OF_A_TERM);
    if (!this.sexprs.isList(node)) {
      this.values.push(this.atom(node));
      return;
    }
    if (this.sexprs.isEmpty(node)) throw this.sexprs.error(node, 'expected a term, found an empty list');
    const head = (node + 1) as Node;
    if (this.sexprs.isSymbol(head) && this.special(node, head)) return;
    this.open('application', node, this.sexprs.next(head), this.sexprs.next(node), this.head(head));
  }

  private open(
    kind: Frame['kind'],
    node: Node,
    next: Node,
    end: Node,
    head?: Head,
    undo?: Frame['undo'],
  ): void {
    this.frames.push({ kind, node, next, end, base: this.values.length, head, undo });
  }

  /** Takes the values of a frame's parts off the stack. */
  private take(frame: Frame): TermId[] {
    const parts = this.values.slice(frame.base);
    this.values.length = frame.base;
    return parts;
  }

  /** The forms that are no applications. */
  private special(node: Node, head: Node): boolean {
    const { sexprs } = this;
    switch (sexprs.atom(head)) {
      case 'let': {
        const bindings = sexprs.expectChild(node, 1, 'the bindings of let');
        if (sexprs.expectList(bindings, 'the bindings of let').length === 0) {
          throw sexprs.error(bindings, 'expected at least one binding (name term)');
        }
        const body = sexprs.expectChild(node, 2, 'the body of let');
        if (sexprs.next(body) !== sexprs.next(node)) {
          throw sexprs.error(sexprs.next(body), "expected ')' after the body of let");
        }
        this.open('let-bindings', node, (bindings + 1) as Node, sexprs.next(bindings));
        return true;
      }
      case '!': {
        const body = sexprs.expectChild(node, 1, 'a term after !');
        this.open('annotation', node, body, sexprs.next(body));
        return true;
      }
      case '_':
      case 'as':
        this.values.push(this.finishHead(node, this.head(node), []));
        return true;
      default:
        return false;
    }
  }

  private finish(frame: Frame): void {
    const { values } = this;
    switch (frame.kind) {
      case 'application': {
        const args = this.take(frame);
        values.push(this.finishHead(frame.node, frame.head as Head, args));
        return;
      }
      case 'let-bindings':
        this.bind(frame);
        return;
      case 'let-body':
        for (const [symbol, hidden] of frame.undo ?? []) {
          if (hidden === undefined) this.locals.delete(symbol);
          else this.locals.set(symbol, hidden);
        }
        return;
      case 'annotation':
        this.attributes(frame);
    }
  }

  /** All values of a let are known: now its names mean them, while its body is read. */
  private bind(frame: Frame): void {
    const { sexprs, locals } = this;
    const bound = this.take(frame);
    const bindings = sexprs.children((frame.node + 2) as Node);
    const names = new Set<SymbolId>();
    const undo = bindings.map((binding, i) => {
      const parts = sexprs.expectList(binding, 'a binding (name term)');
      const symbol = sexprs.expectSymbol(parts[0], 'the name of a binding');
      if (parts.length > 2) throw sexprs.error(parts[2], "expected ')' after the term of the binding");
      if (names.has(symbol)) throw sexprs.error(parts[0], `'${sexprs.spelling(symbol)}' is bound twice here`);
      names.add(symbol);
      const hidden = [symbol, locals.get(symbol)] as const;
      locals.set(symbol, bound[i]);
      return hidden;
    });
    const body = frame.end;
    this.open('let-body', frame.node, body, sexprs.next(body), undefined, undo);
  }

  private attributes(frame: Frame): void {
    const { sexprs } = this;
    const term = this.values[this.values.length - 1];
    const end = sexprs.next(frame.node);
    if (frame.end === end)
      throw sexprs.error(frame.node, 'expected an attribute such as :named after the term');
    for (let node = frame.end; node < end; ) {
      if (sexprs.kind(node) !== Token.KEYWORD)
        throw sexprs.error(node, 'expected an attribute such as :named');
      const after = sexprs.next(node);
      const hasValue = after < end && sexprs.kind(after) !== Token.KEYWORD;
      this.onAttribute(term, node, hasValue ? after : undefined);
      node = hasValue ? sexprs.next(after) : after;
    }
  }

  // ---- identifiers and constants ----

  private atom(node: Node): TermId {
    const { sexprs, terms } = this;
    switch (sexprs.kind(node)) {
      case Token.SYMBOL: {
        const local = this.locals.get(sexprs.symbol(node));
        return local ?? this.finishHead(node, this.head(node), []);
      }
      case Token.BINARY: {
        const width = sexprs.atom(node).length - 2;
        return this.located(node, () => terms.bv(width, BigInt(`0${sexprs.atom(node).slice(1)}`)));
      }
      case Token.HEXADECIMAL: {
        const width = 4 * (sexprs.atom(node).length - 2);
        return this.located(node, () => terms.bv(width, BigInt(`0${sexprs.atom(node).slice(1)}`)));
      }
      case Token.NUMERAL:
      case Token.DECIMAL:
        throw sexprs.error(
          node,
          this.symbols.fragment.refusal(`the number ${sexprs.atom(node)} (integer and real arithmetic)`),
        );
      default:
        throw sexprs.error(node, 'expected a term');
    }
  }

  /** Resolves what stands in head position: a symbol, `(_ name i …)` or `(as name sort)`. */
  private head(node: Node): Head {
    const { sexprs } = this;
    if (sexprs.isSymbol(node)) return this.named(node);
    if (!sexprs.isList(node)) throw sexprs.error(node, 'expected a function name');
    const parts = sexprs.children(node);
    const keyword = parts.length > 0 ? sexprs.atom(parts[0]) : '';
    if (keyword === 'as') {
      const name = sexprs.expectChild(node, 1, 'a name after as');
      const sortNode = sexprs.expectChild(node, 2, 'a sort');
      const sort = this.sort(sortNode);
      if (sexprs.atom(name) === 'const') {
        if (this.terms.sorts.isArray(sort)) return { kind: 'const-array', sort };
        throw sexprs.error(sortNode, 'a constant array needs an array sort');
      }
      return { kind: 'qualified', head: this.named(name), sort };
    }
    if (keyword !== '_')
      throw sexprs.error(node, 'expected a function name, (_ name index) or (as name sort)');
    const name = sexprs.expectSymbol(sexprs.expectChild(node, 1, 'a name after _'), 'a name after _');
    const indices = parts.slice(2).map(p => sexprs.expectNumeral(p, 'an index'));
    return this.indexed(node, sexprs.spelling(name), indices);
  }

  private indexed(node: Node, name: string, indices: readonly number[]): Head {
    const { sexprs } = this;
    if (/^bv[0-9]+$/.test(name)) {
      if (indices.length !== 1) throw sexprs.error(node, `'${name}' takes one index, its width`);
      const width = indices[0];
      const value = BigInt(name.slice(2));
      const body = this.located(node, () => this.terms.bv(width, value));
      return { kind: 'macro', name, parameters: [], body };
    }
    const operator = this.symbols.operator(name);
    if (operator === undefined) {
      throw sexprs.error(node, this.symbols.fragment.outside(name) ?? `unknown indexed function '${name}'`);
    }
    if (operator.indexCount !== indices.length) {
      throw sexprs.error(node, `'${name}' takes ${operator.indexCount} indices, not ${indices.length}`);
    }
    return { kind: 'operator', operator, indices };
  }

  private named(node: Node): Head {
    const { sexprs } = this;
    const name = sexprs.spelling(sexprs.expectSymbol(node, 'a function name'));
    const meaning = this.symbols.function(name);
    if (meaning !== undefined) return meaning;
    const operator = this.symbols.operator(name);
    if (operator === undefined) {
      throw sexprs.error(
        node,
        this.symbols.fragment.outside(name) ?? `unknown symbol '${name}': it is not declared`,
      );
    }
    if (operator.indexCount > 0) {
      const example = `(_ ${name}${operator.indexCount === 2 ? ' 7 0' : ' 4'})`;
      throw sexprs.error(node, `'${name}' needs an index, as in ${example}`);
    }
    return { kind: 'operator', operator, indices: [] };
  }

  /** Applies a head to its arguments. */
  private finishHead(node: Node, head: Head, args: readonly TermId[]): TermId {
    const { terms } = this;
    return this.located(node, () => {
      switch (head.kind) {
        case 'qualified': {
          const term = this.finishHead(node, head.head, args);
          if (terms.sort(term) === head.sort) return term;
          throw new SortError(`this term is of sort ${terms.sorts.name(terms.sort(term))}`);
        }
        case 'operator':
          return applyRead(terms, head.operator, args, head.indices);
        case 'function':
          return terms.apply(head.id, args);
        case 'const-array':
          if (args.length !== 1) throw new SortError(`a constant array takes 1 argument, not ${args.length}`);
          return terms.constArray(head.sort, args[0]);
        case 'macro':
          return this.instantiate(head, args);
      }
    });
  }

  private instantiate({ name, parameters, body }: Macro, args: readonly TermId[]): TermId {
    const { terms } = this;
    if (args.length !== parameters.length) {
      throw new SortError(`'${name}' takes ${plural(parameters.length, 'argument')}, not ${args.length}`);
    }
    if (args.length === 0) return body;
    const replacements = new Map<TermId, TermId>();
    parameters.forEach((p, i) => {
      if (terms.sort(p) !== terms.sort(args[i])) {
        const [want, got] = [p, args[i]].map(t => terms.sorts.name(terms.sort(t)));
        throw new SortError(`argument ${i + 1} of '${name}' must be ${want}, not ${got}`);
      }
      replacements.set(p, args[i]);
    });
    return substitute(terms, body, replacements);
  }

  /** Gives an error of the term layer its place in the text. */
  private located<T>(node: Node, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (error instanceof SortError || error instanceof RangeError) {
        throw this.sexprs.error(node, error.message);
      }
      throw error;
    }
  }
}

/** An operator as it is written, with more arguments than its node has if its reading allows that. */
export function applyRead(
  terms: TermStore,
  operator: Operator,
  args: readonly TermId[],
  indices: readonly number[] = [],
): TermId {
  const { op, reading } = operator;
  if (op === Op.TRUE || op === Op.FALSE) {
    if (args.length > 0) throw new SortError(`'${operator.name}' takes no arguments`);
    return terms.bool(op === Op.TRUE);
  }
  if (args.length <= OPERATORS[op].arity || reading === 'nary' || reading === 'fixed') {
    return terms.app(op, args, indices);
  }
  switch (reading) {
    case 'left':
      return args.reduce((a, b) => terms.app(op, [a, b], indices));
    case 'right':
      return args.reduceRight((b, a) => terms.app(op, [a, b], indices));
    case 'chain':
      return terms.and(args.slice(1).map((b, i) => terms.app(op, [args[i], b], indices)));
  }
}
