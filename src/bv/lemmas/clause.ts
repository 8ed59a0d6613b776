/**
 * A lemma in the making: premises → conclusion, as one disjunction. Premises that hold whatever the model
 * says (equal terms, different constants) are left out, repeated ones too. Equalities are written as the
 * rewriter would (constants first, then by id), so that each is one atom however often it is needed.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

export class Clause {
  private readonly terms: TermStore;
  private readonly literals = new Set<TermId>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  get size(): number {
    return this.literals.size;
  }

  /** Adds the premise that a Boolean term is true, or that it is false. */
  given(condition: TermId, isTrue: boolean): void {
    this.add(isTrue ? negation(this.terms, condition) : condition);
  }

  givenEqual(a: TermId, b: TermId): void {
    this.add(negation(this.terms, equality(this.terms, a, b)));
  }

  givenDifferent(a: TermId, b: TermId): void {
    this.add(equality(this.terms, a, b));
  }

  concludeEqual(a: TermId, b: TermId): void {
    this.add(equality(this.terms, a, b));
  }

  toTerm(): TermId {
    return this.terms.or([...this.literals]);
  }

  private add(literal: TermId): void {
    if (literal !== this.terms.false) this.literals.add(literal);
  }
}

/** The formula a = b, or the constant or literal that it amounts to. */
export function equality(terms: TermStore, a: TermId, b: TermId): TermId {
  if (a === b) return terms.true;
  const [first, second] = inOrder(terms, a, b) ? [a, b] : [b, a];
  if (!terms.isConstant(first)) return terms.eq(first, second);
  if (terms.isConstant(second)) return terms.false;
  if (first === terms.true) return second;
  return first === terms.false ? negation(terms, second) : terms.eq(first, second);
}

function inOrder(terms: TermStore, a: TermId, b: TermId): boolean {
  const [isFirst, isSecond] = [terms.isConstant(a), terms.isConstant(b)];
  return isFirst === isSecond ? a < b : isFirst;
}

function negation(terms: TermStore, t: TermId): TermId {
  if (t === terms.true) return terms.false;
  if (t === terms.false) return terms.true;
  return terms.op(t) === Op.NOT ? terms.arg(t, 0) : terms.not(t);
}
