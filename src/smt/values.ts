/**
 * Elements of an abstract model as SMT-LIB text. An element of an uninterpreted sort is written as an
 * abstract value `(as @S!0 S)`, numbered in the order in which elements of that sort are first shown.
 */
import type { Element, EufModel } from '../euf/model.ts';
import { printTerm } from '../term/printer.ts';
import { quoteSymbol, type SortId } from '../term/sort.ts';
import type { FunctionId, TermStore } from '../term/store.ts';

export class ModelPrinter {
  private readonly terms: TermStore;
  private readonly model: EufModel;
  private readonly names = new Map<Element, string>();
  private readonly counts = new Map<SortId, number>();

  constructor(terms: TermStore, model: EufModel) {
    this.terms = terms;
    this.model = model;
  }

  value(element: Element, sort: SortId): string {
    const { terms, model } = this;
    const constant = model.constantOf(element);
    if (constant !== undefined) return printTerm(terms, constant);
    let name = this.names.get(element);
    if (name === undefined) {
      const number = this.counts.get(sort) ?? 0;
      this.counts.set(sort, number + 1);
      const sortName = terms.sorts.name(sort);
      const symbol = quoteSymbol(`@${sortName.replace(/^\|(.*)\|$/, '$1')}!${number}`);
      name = `(as ${symbol} ${sortName})`;
      this.names.set(element, name);
    }
    return name;
  }

  /** A function as a `define-fun`: a case for every application that the model fixes, and a default. */
  definition(f: FunctionId): string {
    const { terms, model } = this;
    const { name, parameters, result } = terms.symbol(f);
    const head = (formals: string) =>
      `(define-fun ${quoteSymbol(name)} (${formals}) ${terms.sorts.name(result)}`;
    if (parameters.length === 0) {
      return `${head('')} ${this.value(model.value(terms.apply(f, [])), result)})`;
    }
    const formals = parameters.map((p, i) => `(x!${i} ${terms.sorts.name(p)})`).join(' ');
    const fallback = model.defaultOf(f);
    const cases = model
      .entries(f)
      .filter(entry => entry.result !== fallback)
      .map(({ args, result: element }) => {
        const tests = args.map((a, i) => `(= x!${i} ${this.value(a, parameters[i])})`);
        const condition = tests.length === 1 ? tests[0] : `(and ${tests.join(' ')})`;
        return `(ite ${condition} ${this.value(element, result)} `;
      });
    return `${head(formals)} ${cases.join('')}${this.value(fallback, result)}${')'.repeat(cases.length)})`;
  }
}
