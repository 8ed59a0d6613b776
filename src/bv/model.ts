/**
 * A model of the formulas that the concrete solver holds: a value for every term, by evaluating it over the values
 * of variables, arrays and functions. It is valid until the solver is used again.
 */
import { Evaluator } from '../term/evaluator.ts';
import type { FunctionId, TermId, TermStore } from '../term/store.ts';
import type { Value } from '../term/value.ts';
import { type Edge, isComplemented, nodeOf } from './aig.ts';
import type { Blaster } from './blaster.ts';
import type { Lemmas, Reading } from './lemmas/lemmas.ts';
import type { Definition } from './preprocess/preprocessor.ts';

export class ConcreteModel {
  private readonly terms: TermStore;
  private readonly reading: Reading;
  private readonly lemmas: Lemmas;
  private readonly evaluator: Evaluator;
  private readonly eliminated = new Map<FunctionId, Value>();

  constructor(terms: TermStore, reading: Reading, lemmas: Lemmas, definitions: readonly Definition[]) {
    this.terms = terms;
    this.reading = reading;
    this.lemmas = lemmas;
    this.evaluator = new Evaluator(terms, (f, args) => this.interpretation(f, args));
    for (const { variable, body } of definitions) {
      this.eliminated.set(terms.functionOf(variable), this.evaluator.value(body));
    }
  }

  /** The value of any term; what nothing constrains is zero. */
  value(term: TermId): Value {
    return this.evaluator.value(term);
  }

  isTrue(formula: TermId): boolean {
    return this.value(formula) === true;
  }

  /** The value of a declared function. */
  apply(f: FunctionId, args: readonly Value[]): Value {
    return this.interpretation(f, args);
  }

  /** What the model fixes of a function: its value at the arguments that occur. */
  entries(f: FunctionId): { args: Value[]; result: Value }[] {
    return this.lemmas.entries(f);
  }

  /** What a function gives for all other arguments. */
  defaultOf(f: FunctionId): Value {
    return this.lemmas.defaultOf(f);
  }

  private interpretation(f: FunctionId, args: readonly Value[]): Value {
    const { terms } = this;
    if (args.length > 0) return this.lemmas.apply(f, args);
    const eliminated = this.eliminated.get(f);
    if (eliminated !== undefined) return eliminated;
    const variable = terms.apply(f, []);
    if (!terms.sorts.isArray(terms.sort(variable))) return this.reading(variable);
    return this.lemmas.arrayValue(variable);
  }
}

/** Reads values of terms off the values of the and-inverter graph's nodes. A term without bits is zero. */
export function readingOf(terms: TermStore, blaster: Blaster, nodes: Uint8Array): Reading {
  const isSet = (e: Edge) => (nodes[nodeOf(e)] === 1) !== isComplemented(e);
  return t => {
    const bits = blaster.known(t) ?? [];
    if (terms.sort(t) === terms.sorts.bool) return bits.length > 0 && isSet(bits[0]);
    if (terms.sorts.width(terms.sort(t)) <= 32) {
      let value = 0;
      for (let i = 0; i < bits.length; i++) if (isSet(bits[i])) value += 2 ** i;
      return value;
    }
    let text = '';
    for (let i = bits.length - 1; i >= 0; i--) text += isSet(bits[i]) ? '1' : '0';
    return BigInt(`0b0${text}`);
  };
}
