/**
 * The axioms of arrays, instantiated on demand over abstract models: for the ablation that the dissertation calls
 * EUFORIA_NAA, in which arrays are not abstracted (4.6). A write is read where it was made; a read elsewhere goes through
 * to what lies below, where some read in the formulas asks for it, from above or from below; a constant array has one
 * value. All instances are valid formulas. Extensionality is left to refinement: its witness would be a new symbol, of
 * which lemmas must not speak.
 */
import { Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';
import type { Element, EufModel } from './model.ts';

export class ArrayAxioms {
  private readonly terms: TermStore;
  private readonly seen = new Set<TermId>();
  private readonly reads: TermId[] = [];
  private readonly writes: TermId[] = [];
  private readonly constants: TermId[] = [];
  private readonly known = new Set<TermId>(); // instances

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** Takes the terms of a formula in. */
  note(formula: TermId): void {
    const { terms, seen } = this;
    for (const t of terms.postorder([formula], seen)) {
      seen.add(t);
      if (terms.op(t) === Op.SELECT) this.reads.push(t);
      if (terms.op(t) === Op.STORE) this.writes.push(t);
      if (terms.op(t) === Op.CONST_ARRAY) this.constants.push(t);
    }
  }

  /** Instances that the model violates, or says nothing about: new ones only. */
  violated(model: EufModel): TermId[] {
    const { terms, known } = this;
    const readsOf = this.readsByArray(model);
    const instances: TermId[] = [];
    const learn = (formula: TermId) => {
      if (known.has(formula) || model.isTrue(formula)) return;
      known.add(formula);
      instances.push(formula);
    };
    for (const write of this.writes) {
      const [array, place, value] = terms.args(write);
      learn(terms.eq(terms.app(Op.SELECT, [write, place]), value));
      const reads = [...(readsOf.get(model.value(write)) ?? []), ...(readsOf.get(model.value(array)) ?? [])];
      for (const read of reads) {
        const index = terms.arg(read, 1);
        const through = terms.eq(terms.app(Op.SELECT, [write, index]), terms.app(Op.SELECT, [array, index]));
        if (index !== place) learn(terms.or([terms.eq(place, index), through]));
      }
    }
    for (const constant of this.constants) {
      for (const read of readsOf.get(model.value(constant)) ?? []) {
        const index = terms.arg(read, 1);
        learn(terms.eq(terms.app(Op.SELECT, [constant, index]), terms.arg(constant, 0)));
      }
    }
    return instances;
  }

  private readsByArray(model: EufModel): Map<Element, TermId[]> {
    const byArray = new Map<Element, TermId[]>();
    for (const read of this.reads) {
      const array = model.value(this.terms.arg(read, 0));
      const same = byArray.get(array);
      if (same === undefined) byArray.set(array, [read]);
      else same.push(read);
    }
    return byArray;
  }
}
