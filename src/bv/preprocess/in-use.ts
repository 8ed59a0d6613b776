/**
 * The terms that formulas handed out so far consist of, scope by scope. A variable among them must not be
 * eliminated, even if the formula waits to be encoded: it will be encoded as it is.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { TermMap } from '../../term/term-map.ts';

export class InUse {
  private readonly terms: TermStore;
  private readonly isUsed = new TermMap(); // a term and itself, or `false` once it is no longer in use
  private readonly used: TermId[] = []; // in the order in which they came
  private readonly scopes: number[] = [];

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  push(): void {
    this.scopes.push(this.used.length);
  }

  pop(): void {
    for (const t of this.used.splice(this.scopes.pop() as number)) this.isUsed.set(t, this.terms.false);
  }

  has(t: TermId): boolean {
    return this.isUsed.has(t) && this.isUsed.get(t) === t;
  }

  add(formulas: readonly TermId[]): void {
    for (const t of this.terms.postorder(formulas, this)) {
      this.isUsed.set(t, t);
      this.used.push(t);
    }
  }
}
