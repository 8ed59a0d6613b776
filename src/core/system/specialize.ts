/**
 * Formulas with some of their Boolean variables fixed. Only connectives and choices are simplified and no operator on
 * words is touched, so what the result says follows by propositional reasoning and equality alone: the abstraction
 * and the checker of its proofs see that it does.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { TermColumn } from '../../term/term-column.ts';
import { FreeOf, negated } from './literals.ts';

export class Specializer {
  private readonly terms: TermStore;
  private readonly free: FreeOf; // what mentions none of the variables
  private readonly images = new TermColumn<TermId>();

  /** `variables` are those that ever get a value. */
  constructor(terms: TermStore, variables: Iterable<TermId>) {
    this.terms = terms;
    this.free = new FreeOf(terms, new Set(variables));
  }

  apply(formulas: readonly TermId[], values: ReadonlyMap<TermId, boolean>): TermId[] {
    const { terms, free, images } = this;
    images.clear();
    const done = { has: (t: TermId) => images.has(t) || free.has(t) };
    for (const t of terms.postorder(formulas, done)) {
      const value = terms.arity(t) === 0 ? values.get(t) : undefined;
      images.set(t, value === undefined ? this.simplified(t) : terms.bool(value));
    }
    return formulas.map(f => this.image(f));
  }

  private image(t: TermId): TermId {
    return this.images.has(t) ? this.images.get(t) : t;
  }

  private simplified(t: TermId): TermId {
    const { terms } = this;
    const op = terms.op(t);
    const args = terms.args(t);
    const images = args.map(a => this.image(a));
    const [a, b] = images;
    switch (op) {
      case Op.AND:
      case Op.OR:
        return junction(terms, op, images);
      case Op.NOT:
        return inverse(terms, a);
      case Op.ITE:
        if (a === terms.true || b === images[2]) return b;
        if (a === terms.false) return images[2];
        break;
      case Op.EQ:
        if (a === b) return terms.true;
        if (terms.sort(a) !== terms.sorts.bool) break;
        if (terms.isConstant(a)) return a === terms.true ? b : inverse(terms, b);
        if (terms.isConstant(b)) return b === terms.true ? a : inverse(terms, a);
        break;
    }
    return images.some((image, i) => image !== args[i]) ? terms.withArgs(t, images) : t;
  }
}

function inverse(terms: TermStore, t: TermId): TermId {
  return terms.isConstant(t) ? terms.bool(t === terms.false) : negated(terms, t);
}

function junction(terms: TermStore, op: Op, images: readonly TermId[]): TermId {
  const [unit, zero] = op === Op.AND ? [terms.true, terms.false] : [terms.false, terms.true];
  if (images.includes(zero)) return zero;
  const rest = [...new Set(images)].filter(a => a !== unit);
  return op === Op.AND ? terms.and(rest) : terms.or(rest);
}
