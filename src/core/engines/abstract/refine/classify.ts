/**
 * What kind of lemma is it? A constraint lemma speaks of terms of the system or of earlier lemmas only, an expansion
 * lemma brings in new ones (dissertation, Definition 3.10); the content is what kinds of operators it constrains (array
 * paper, Figure 9).
 */
import { Op } from '../../../../term/operators.ts';
import { SortKind } from '../../../../term/sort.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { conditionsOf, type Problem } from '../../../problem/problem.ts';
import type { Signature } from '../signature.ts';

export type LemmaKind = 'constraint' | 'expansion';
export type LemmaContent = 'array' | 'data' | 'mixed';

export class Classifier {
  private readonly terms: TermStore;
  private readonly signature: Signature;
  private readonly known = new Set<TermId>(); // terms of the abstraction, over current variables where possible

  constructor(signature: Signature, { edges }: Problem) {
    this.terms = signature.terms;
    this.signature = signature;
    for (const v of signature.current) this.add(v);
    for (const edge of edges) for (const t of [...conditionsOf(edge), ...edge.values]) this.add(t);
  }

  /** The kind of a lemma; from now on its terms belong to the abstraction. */
  kind(lemma: TermId): LemmaKind {
    return this.add(lemma) ? 'expansion' : 'constraint';
  }

  content(lemma: TermId): LemmaContent {
    const { terms } = this;
    let [hasArrays, hasData] = [false, false];
    for (const t of terms.postorder([lemma])) {
      const op = terms.op(t);
      if (op === Op.SELECT || op === Op.STORE || op === Op.CONST_ARRAY) hasArrays = true;
      else if (op === Op.EQ && this.isArray(terms.arg(t, 0))) hasArrays = true;
      else if (op >= Op.CONCAT) hasData = true;
    }
    if (hasArrays) return hasData ? 'mixed' : 'array';
    return 'data';
  }

  /** Takes the terms of a formula in; were there new ones? What joins Booleans is no term of its own. */
  private add(formula: TermId): boolean {
    const { terms, known } = this;
    const seen = new Set<TermId>();
    let isNew = false;
    for (const t of terms.postorder([this.signature.unprime.apply(formula)], seen)) {
      if (known.has(t)) continue;
      known.add(t);
      if (!this.isConnective(t)) isNew = true;
    }
    return isNew;
  }

  /** Equality is the abstraction's own: an equation between known terms is nothing new. */
  private isConnective(t: TermId): boolean {
    const op = this.terms.op(t);
    return op === Op.NOT || op === Op.AND || op === Op.OR || op === Op.EQ;
  }

  private isArray(t: TermId): boolean {
    return this.terms.sorts.kind(this.terms.sort(t)) === SortKind.ARRAY;
  }
}
