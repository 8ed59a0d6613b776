/**
 * A formula without what is said around it: a part of a conjunction counts only where the others are true, and a part of a disjunction only
 * where the others are false, so an atom that stands outside of a part is no news inside of it. Connectives change and atoms stay,
 * so whatever follows from the formula while operators mean nothing still does.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { negated } from './literals.ts';

/** Formulas of more nodes, each counted as often as it is written, stay as they are. */
const MOST_NODES = 600;

export function inContext(terms: TermStore, formula: TermId): TermId {
  return isSmall(terms, formula) ? new Simplification(terms).of(formula, new Map()) : formula;
}

function isSmall(terms: TermStore, root: TermId): boolean {
  const sizes = new Map<TermId, number>();
  for (const t of terms.postorder([root])) {
    const size = terms.args(t).reduce((sum, a) => sum + (sizes.get(a) as number), 1);
    if (size > MOST_NODES) return false;
    sizes.set(t, size);
  }
  return true;
}

type Truths = ReadonlyMap<TermId, boolean>;

class Simplification {
  private readonly terms: TermStore;

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** `known`: what is true or false around the formula. */
  of(formula: TermId, known: Truths): TermId {
    const { terms } = this;
    const truth = known.get(formula);
    if (truth !== undefined) return terms.bool(truth);
    switch (terms.op(formula)) {
      case Op.NOT: {
        const inner = this.of(terms.arg(formula, 0), known);
        return terms.isConstant(inner) ? terms.bool(inner === terms.false) : negated(terms, inner);
      }
      case Op.AND:
        return this.junction(terms.args(formula), true, known);
      case Op.OR:
        return this.junction(terms.args(formula), false, known);
      default:
        return formula;
    }
  }

  private junction(args: readonly TermId[], isAnd: boolean, known: Truths): TermId {
    const { terms } = this;
    const [unit, zero] = [terms.bool(isAnd), terms.bool(!isAnd)];
    const op = isAnd ? Op.AND : Op.OR;
    const parts = [...new Set(args.flatMap(a => (terms.op(a) === op ? terms.args(a) : [a])))];
    // One after the other: what a part rests on must not be left out because of the part.
    for (let i = 0; i < parts.length; ) {
      const context = new Map(known);
      for (const [j, other] of parts.entries()) if (j !== i) this.assume(context, other, isAnd);
      const part = this.of(parts[i], context);
      if (part === zero) return zero;
      if (part === unit) parts.splice(i, 1);
      else parts[i++] = part;
    }
    return isAnd ? terms.and(parts) : terms.or(parts);
  }

  private assume(context: Map<TermId, boolean>, formula: TermId, isTrue: boolean): void {
    const { terms } = this;
    context.set(formula, isTrue);
    const op = terms.op(formula);
    if (op === Op.NOT) this.assume(context, terms.arg(formula, 0), !isTrue);
    else if (op === (isTrue ? Op.AND : Op.OR))
      for (const a of terms.args(formula)) this.assume(context, a, isTrue);
  }
}
