/** Literals: formulas under at most one negation, and what they mention. */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** The negation of a literal, without a double negation. */
export function negated(terms: TermStore, literal: TermId): TermId {
  return terms.op(literal) === Op.NOT ? terms.arg(literal, 0) : terms.not(literal);
}

/** What literals say of their atoms. */
export function truthsOf(terms: TermStore, literals: readonly TermId[]): Map<TermId, TermId> {
  return new Map(
    literals.map(l => {
      const isNegated = terms.op(l) === Op.NOT;
      return [isNegated ? terms.arg(l, 0) : l, terms.bool(!isNegated)];
    }),
  );
}

/** Does a literal say that a term is equal to itself? */
export function isReflexive(terms: TermStore, literal: TermId): boolean {
  return terms.op(literal) === Op.EQ && terms.arg(literal, 0) === terms.arg(literal, 1);
}

/** Tells which terms mention none of some variables, and remembers it for every subterm. */
export class FreeOf {
  private readonly terms: TermStore;
  private readonly variables: Pick<ReadonlySet<TermId>, 'has'>;
  private readonly known = new Map<TermId, boolean>();

  constructor(terms: TermStore, variables: Pick<ReadonlySet<TermId>, 'has'>) {
    this.terms = terms;
    this.variables = variables;
  }

  has(term: TermId): boolean {
    const { terms, variables, known } = this;
    const answer = known.get(term);
    if (answer !== undefined) return answer;
    for (const t of terms.postorder([term], known)) {
      known.set(t, !variables.has(t) && terms.args(t).every(a => known.get(a)));
    }
    return known.get(term) as boolean;
  }
}

/** Tells which terms mention no variables but these. */
export function onlyOver(terms: TermStore, variables: ReadonlySet<TermId>): FreeOf {
  return new FreeOf(terms, { has: t => terms.isVariable(t) && !variables.has(t) });
}

/** An equality in the normal form of the rewriter, as far as order goes, so that equal ones are the same term. */
export function equality(terms: TermStore, a: TermId, b: TermId): TermId {
  return terms.isConstant(b) || (!terms.isConstant(a) && b < a) ? terms.eq(b, a) : terms.eq(a, b);
}
