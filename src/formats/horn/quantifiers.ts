/**
 * Formulas with quantifiers whose variables all mean "for every value" of the clause as a whole: `forall` where the
 * formula is asserted, `exists` under an odd number of negations. Quantifiers are taken off and their variables become
 * new ones; everything else is read by the reader of terms. `let` may name formulas with quantifiers, as z3 prints them.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { CLAUSES } from '../smtlib/fragment.ts';
import type { Node, SExprs, SymbolId } from '../smtlib/sexpr.ts';
import type { TermReader } from '../smtlib/term-reader.ts';

/** What a bound name stands for: a term, or a formula with quantifiers that is read where it is used. */
type Binding = TermId | { readonly node: Node; readonly scope: Scope };
type Scope = ReadonlyMap<SymbolId, Binding>;

/** Formulas with quantifiers are read by recursion; all others may nest without limit. */
const MAX_DEPTH = 1000;
/** And names of such formulas are replaced by what they stand for, which may double with every name. */
const MAX_VISITS = 300_000;

export class QuantifierReader {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly reader: TermReader;
  private readonly quantifiers: ReadonlySet<SymbolId>;
  private deferred = new Set<SymbolId>(); // names that some let gives to a formula with quantifiers
  private depth = 0;
  private visits = 0; // of formulas: a name stands for its formula anew wherever it is used

  constructor(terms: TermStore, sexprs: SExprs, reader: TermReader) {
    this.terms = terms;
    this.sexprs = sexprs;
    this.reader = reader;
    this.quantifiers = new Set(['forall', 'exists'].map(q => sexprs.intern(q)));
  }

  /** The formula without its quantifiers; `isPositive`: it is asserted as it stands, not negated. */
  read(node: Node, isPositive = true): TermId {
    this.deferred = new Set();
    this.depth = 0;
    this.visits = 0;
    return this.formula(node, new Map(), isPositive);
  }

  private formula(node: Node, scope: Scope, isPositive: boolean): TermId {
    if (++this.visits > MAX_VISITS) {
      throw this.sexprs.error(
        node,
        'the formula is too large when its names are replaced by what they stand for',
      );
    }
    if (++this.depth > MAX_DEPTH) {
      throw this.sexprs.error(node, `formulas with quantifiers nest at most ${MAX_DEPTH} deep`);
    }
    const term = this.isPlain(node) ? this.plain(node, scope) : this.quantified(node, scope, isPositive);
    this.depth--;
    const { sorts } = this.terms;
    if (this.terms.sort(term) === sorts.bool) return term;
    throw this.sexprs.error(
      node,
      `expected a formula, not a term of sort ${sorts.name(this.terms.sort(term))}`,
    );
  }

  /** Has the expression no quantifiers, not even behind a name? */
  private isPlain(node: Node): boolean {
    const { sexprs, quantifiers, deferred } = this;
    const end = sexprs.next(node);
    for (let i = node; i < end; i++) {
      sexprs.checkpoint.pass();
      const symbol = sexprs.symbol(i);
      if (quantifiers.has(symbol) || deferred.has(symbol)) return false;
    }
    return true;
  }

  private plain(node: Node, scope: Scope): TermId {
    const parameters: (readonly [SymbolId, TermId])[] = [];
    for (const [symbol, binding] of scope) {
      if (typeof binding === 'number') parameters.push([symbol, binding]);
    }
    return this.reader.term(node, parameters);
  }

  private quantified(node: Node, scope: Scope, isPositive: boolean): TermId {
    const { sexprs, terms } = this;
    if (!sexprs.isList(node)) {
      const binding = scope.get(sexprs.symbol(node));
      if (binding === undefined || typeof binding === 'number') return this.plain(node, scope);
      return this.formula(binding.node, binding.scope, isPositive);
    }
    const [head, ...parts] = sexprs.children(node);
    const name = head !== undefined && sexprs.isSymbol(head) ? sexprs.atom(head) : '';
    const all = (nodes: readonly Node[], sign: boolean) => nodes.map(n => this.formula(n, scope, sign));
    switch (name) {
      case 'forall':
      case 'exists':
        return this.quantifier(node, name, scope, isPositive);
      case 'let':
        return this.let(node, scope, isPositive);
      case '!':
        return this.formula(sexprs.expectChild(node, 1, 'a term after !'), scope, isPositive);
      case 'not':
        if (parts.length !== 1) throw sexprs.error(node, `'not' takes 1 argument, not ${parts.length}`);
        return terms.not(this.formula(parts[0], scope, !isPositive));
      case 'and':
        return terms.and(all(parts, isPositive));
      case 'or':
        return terms.or(all(parts, isPositive));
      case '=>': {
        if (parts.length < 2)
          throw sexprs.error(node, `'=>' takes at least 2 arguments, not ${parts.length}`);
        const conclusion = this.formula(parts[parts.length - 1], scope, isPositive);
        return all(parts.slice(0, -1), !isPositive).reduceRight(
          (to, from) => terms.app(Op.IMPLIES, [from, to]),
          conclusion,
        );
      }
      default:
        // The reader of terms refuses what it does not know by name; what it does know may hold no quantifier.
        return this.isSimple(node, scope) ?? this.refuse(node, name);
    }
  }

  /** A deferred name may be hidden by a term here: then the expression is a plain one after all. */
  private isSimple(node: Node, scope: Scope): TermId | undefined {
    const { sexprs, quantifiers } = this;
    const end = sexprs.next(node);
    for (let i = node; i < end; i++) {
      const symbol = sexprs.symbol(i);
      if (quantifiers.has(symbol) || typeof (scope.get(symbol) ?? 0) !== 'number') return undefined;
    }
    return this.plain(node, scope);
  }

  private refuse(node: Node, name: string): never {
    throw this.sexprs.error(node, CLAUSES.refusal(`a quantifier inside '${name}'`));
  }

  private quantifier(node: Node, name: 'forall' | 'exists', scope: Scope, isPositive: boolean): TermId {
    const { sexprs, terms, reader } = this;
    if ((name === 'forall') !== isPositive) {
      const place = isPositive ? 'a head' : 'a body';
      throw sexprs.error(node, CLAUSES.refusal(`'${name}' in ${place} (quantifiers that alternate)`));
    }
    const list = sexprs.expectChild(node, 1, 'the variables');
    const body = sexprs.expectChild(node, 2, 'a formula');
    if (sexprs.next(body) !== sexprs.next(node)) throw sexprs.error(sexprs.next(body), "expected ')' here");
    const inner = new Map(scope);
    for (const variable of sexprs.expectList(list, 'the variables')) {
      const parts = sexprs.expectList(variable, 'a variable (name sort)');
      if (parts.length !== 2) throw sexprs.error(variable, 'expected a variable (name sort)');
      const symbol = sexprs.expectSymbol(parts[0], 'the name of a variable');
      // Of two variables with one name the later hides the earlier.
      inner.set(symbol, terms.variable(sexprs.spelling(symbol), reader.sort(parts[1])));
    }
    return this.formula(body, inner, isPositive);
  }

  private let(node: Node, scope: Scope, isPositive: boolean): TermId {
    const { sexprs } = this;
    const list = sexprs.expectChild(node, 1, 'the bindings of let');
    const body = sexprs.expectChild(node, 2, 'the body of let');
    if (sexprs.next(body) !== sexprs.next(node)) {
      throw sexprs.error(sexprs.next(body), "expected ')' after the body of let");
    }
    const bound = new Map<SymbolId, Binding>();
    for (const binding of sexprs.expectList(list, 'the bindings of let')) {
      const parts = sexprs.expectList(binding, 'a binding (name term)');
      if (parts.length !== 2) throw sexprs.error(binding, 'expected a binding (name term)');
      const symbol = sexprs.expectSymbol(parts[0], 'the name of a binding');
      if (bound.has(symbol)) throw sexprs.error(parts[0], `'${sexprs.spelling(symbol)}' is bound twice here`);
      const isPlain = this.isPlain(parts[1]);
      bound.set(symbol, isPlain ? this.plain(parts[1], scope) : { node: parts[1], scope });
    }
    for (const [symbol, binding] of bound) if (typeof binding !== 'number') this.deferred.add(symbol);
    return this.formula(body, new Map([...scope, ...bound]), isPositive);
  }
}
