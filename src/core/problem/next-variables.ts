/**
 * What a place is called after a step: each place has one variable for that, made when it is first asked for. Lemmas about
 * an edge speak of the places of its source, of its inputs, and of the next variables of its head's places.
 */
import type { TermId, TermStore } from '../../term/store.ts';

export class NextVariables {
  private readonly terms: TermStore;
  private readonly nextOf: Map<TermId, TermId>;

  /** Some places may have theirs already. */
  constructor(terms: TermStore, known: Iterable<readonly [place: TermId, next: TermId]> = []) {
    this.terms = terms;
    this.nextOf = new Map(known);
  }

  of(place: TermId): TermId {
    const { terms, nextOf } = this;
    let next = nextOf.get(place);
    if (next === undefined) {
      next = terms.variable(`${terms.nameOf(place)}.next`, terms.sort(place));
      nextOf.set(place, next);
    }
    return next;
  }

  /** What a renaming of places means for a lemma: each place and its next variable. */
  renamed(pairs: Iterable<readonly [from: TermId, to: TermId]>): Map<TermId, TermId> {
    const images = new Map<TermId, TermId>();
    for (const [from, to] of pairs) {
      images.set(from, to);
      images.set(this.of(from), this.of(to));
    }
    return images;
  }
}
