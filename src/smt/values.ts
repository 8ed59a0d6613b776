/**
 * Models as SMT-LIB text. An element of an uninterpreted sort is written as an abstract value `(as @S!0 S)`,
 * numbered in the order in which elements of that sort are first shown.
 */
import type { ConcreteModel } from '../bv/model.ts';
import type { Element, EufModel } from '../euf/model.ts';
import { termOfValue } from '../term/evaluator.ts';
import { printTerm } from '../term/printer.ts';
import { quoteSymbol, type SortId, SortKind } from '../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../term/store.ts';
import { ArrayValue, sameValue, type Value } from '../term/value.ts';
import type { ScriptModel } from './engine.ts';

/** Names for the elements of uninterpreted sorts. */
class ElementNames {
  private readonly terms: TermStore;
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<SortId, number>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  name(element: number, sort: SortId): string {
    const key = `${sort} ${element}`;
    let name = this.names.get(key);
    if (name === undefined) {
      const number = this.counts.get(sort) ?? 0;
      this.counts.set(sort, number + 1);
      const sortName = this.terms.sorts.name(sort);
      const symbol = quoteSymbol(`@${sortName.replace(/^\|(.*)\|$/, '$1')}!${number}`);
      name = `(as ${symbol} ${sortName})`;
      this.names.set(key, name);
    }
    return name;
  }
}

/** What the two kinds of models say about a function: a table and a value for all other arguments. */
interface Table<V> {
  readonly entries: readonly { readonly args: readonly V[]; readonly result: V }[];
  readonly fallback: V;
  isSame(a: V, b: V): boolean;
  show(value: V, sort: SortId): string;
}

/** A function as a `define-fun`: a case for every entry that differs from the default. */
function definition<V>(terms: TermStore, f: FunctionId, table: Table<V>): string {
  const { name, parameters, result } = terms.symbol(f);
  const formals = parameters.map((p, i) => `(x!${i} ${terms.sorts.name(p)})`).join(' ');
  const cases = table.entries
    .filter(entry => !table.isSame(entry.result, table.fallback))
    .map(entry => {
      const tests = entry.args.map((a, i) => `(= x!${i} ${table.show(a, parameters[i])})`);
      const condition = tests.length === 1 ? tests[0] : `(and ${tests.join(' ')})`;
      return `(ite ${condition} ${table.show(entry.result, result)} `;
    });
  const body = `${cases.join('')}${table.show(table.fallback, result)}${')'.repeat(cases.length)}`;
  return `(define-fun ${quoteSymbol(name)} (${formals}) ${terms.sorts.name(result)} ${body})`;
}

/** An abstract model: values are classes of terms. */
export class ElementPrinter implements ScriptModel {
  private readonly terms: TermStore;
  private readonly model: EufModel;
  private readonly names: ElementNames;

  constructor(terms: TermStore, model: EufModel) {
    this.terms = terms;
    this.model = model;
    this.names = new ElementNames(terms);
  }

  isTrue(formula: TermId): boolean {
    return this.model.isTrue(formula);
  }

  show(term: TermId): string {
    return this.showElement(this.model.value(term), this.terms.sort(term));
  }

  definition(f: FunctionId): string {
    const { terms, model } = this;
    const isVariable = terms.symbol(f).parameters.length === 0;
    return definition<Element>(terms, f, {
      entries: isVariable ? [] : model.entries(f),
      fallback: isVariable ? model.value(terms.apply(f, [])) : model.defaultOf(f),
      isSame: (a, b) => a === b,
      show: (element, sort) => this.showElement(element, sort),
    });
  }

  private showElement(element: Element, sort: SortId): string {
    const constant = this.model.constantOf(element);
    return constant === undefined ? this.names.name(element, sort) : printTerm(this.terms, constant);
  }
}

/** A concrete model: values are values. */
export class ValuePrinter implements ScriptModel {
  private readonly terms: TermStore;
  private readonly model: ConcreteModel;
  private readonly names: ElementNames;

  constructor(terms: TermStore, model: ConcreteModel) {
    this.terms = terms;
    this.model = model;
    this.names = new ElementNames(terms);
  }

  isTrue(formula: TermId): boolean {
    return this.model.isTrue(formula);
  }

  show(term: TermId): string {
    return this.showValue(this.model.value(term), this.terms.sort(term));
  }

  definition(f: FunctionId): string {
    const { terms, model } = this;
    const isVariable = terms.symbol(f).parameters.length === 0;
    return definition<Value>(terms, f, {
      entries: isVariable ? [] : model.entries(f),
      fallback: isVariable ? model.value(terms.apply(f, [])) : model.defaultOf(f),
      isSame: sameValue,
      show: (value, sort) => this.showValue(value, sort),
    });
  }

  private showValue(value: Value, sort: SortId): string {
    const { terms, names } = this;
    const { sorts } = terms;
    if (value instanceof ArrayValue) {
      const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
      let text = `((as const ${sorts.name(sort)}) ${this.showValue(value.defaultElement, element)})`;
      for (const [i, e] of value.sortedEntries()) {
        text = `(store ${text} ${this.showValue(i, index)} ${this.showValue(e, element)})`;
      }
      return text;
    }
    if (sorts.kind(sort) === SortKind.UNINTERPRETED) return names.name(Number(value), sort);
    return printTerm(terms, termOfValue(terms, sort, value));
  }
}
