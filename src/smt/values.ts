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

/** The two kinds of models as they are printed: what is a value differs, and how it is written. */
interface Printable<V> {
  readonly model: {
    isTrue(formula: TermId): boolean;
    value(term: TermId): V;
    /** A function's table, and its value for all other arguments. */
    entries(f: FunctionId): readonly { readonly args: readonly V[]; readonly result: V }[];
    defaultOf(f: FunctionId): V;
  };
  isSame(a: V, b: V): boolean;
  text(value: V, sort: SortId): string;
}

class ModelPrinter<V> implements ScriptModel {
  private readonly terms: TermStore;
  private readonly source: Printable<V>;

  constructor(terms: TermStore, source: Printable<V>) {
    this.terms = terms;
    this.source = source;
  }

  isTrue(formula: TermId): boolean {
    return this.source.model.isTrue(formula);
  }

  show(term: TermId): string {
    return this.source.text(this.source.model.value(term), this.terms.sort(term));
  }

  /** A function as a `define-fun`: a case for every entry that differs from the default. */
  definition(f: FunctionId): string {
    const { terms, source } = this;
    const { model } = source;
    const { name, parameters, result } = terms.symbol(f);
    const isVariable = parameters.length === 0;
    const fallback = isVariable ? model.value(terms.apply(f, [])) : model.defaultOf(f);
    const formals = parameters.map((p, i) => `(x!${i} ${terms.sorts.name(p)})`).join(' ');
    const cases = (isVariable ? [] : model.entries(f))
      .filter(entry => !source.isSame(entry.result, fallback))
      .map(entry => {
        const tests = entry.args.map((a, i) => `(= x!${i} ${source.text(a, parameters[i])})`);
        const condition = tests.length === 1 ? tests[0] : `(and ${tests.join(' ')})`;
        return `(ite ${condition} ${source.text(entry.result, result)} `;
      });
    const body = `${cases.join('')}${source.text(fallback, result)}${')'.repeat(cases.length)}`;
    return `(define-fun ${quoteSymbol(name)} (${formals}) ${terms.sorts.name(result)} ${body})`;
  }
}

/** An abstract model: values are classes of terms. */
export function abstractModel(terms: TermStore, model: EufModel): ScriptModel {
  const names = new ElementNames(terms);
  return new ModelPrinter<Element>(terms, {
    model,
    isSame: (a, b) => a === b,
    text: (element, sort) => {
      const constant = model.constantOf(element);
      return constant === undefined ? names.name(element, sort) : printTerm(terms, constant);
    },
  });
}

/** A concrete model: values are values. */
export function concreteModel(terms: TermStore, model: ConcreteModel): ScriptModel {
  const names = new ElementNames(terms);
  const { sorts } = terms;
  const text = (value: Value, sort: SortId): string => {
    if (value instanceof ArrayValue) {
      const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
      let array = `((as const ${sorts.name(sort)}) ${text(value.defaultElement, element)})`;
      for (const [i, e] of value.sortedEntries())
        array = `(store ${array} ${text(i, index)} ${text(e, element)})`;
      return array;
    }
    if (sorts.kind(sort) === SortKind.UNINTERPRETED) return names.name(Number(value), sort);
    return printTerm(terms, termOfValue(terms, sort, value));
  };
  return new ModelPrinter<Value>(terms, { model, isSame: sameValue, text });
}
