/** Formulas about now as formulas about the next state, and back: variables are replaced, results remembered. */
import type { TermId, TermStore } from '../../term/store.ts';
import { TermMap } from '../../term/term-map.ts';
import type { StateVariable } from './system.ts';

/** Replaces variables by variables of the same sort. */
export class Renaming {
  private readonly terms: TermStore;
  private readonly images = new TermMap();

  constructor(terms: TermStore, pairs: Iterable<readonly [from: TermId, to: TermId]>) {
    this.terms = terms;
    for (const [from, to] of pairs) this.images.set(from, to);
  }

  apply(term: TermId): TermId {
    const { terms, images } = this;
    if (images.has(term)) return images.get(term);
    for (const t of terms.postorder([term], images)) {
      const args = terms.args(t);
      let isChanged = false;
      for (let i = 0; i < args.length; i++) {
        const image = images.get(args[i]);
        if (image !== args[i]) isChanged = true;
        args[i] = image;
      }
      images.set(t, isChanged ? terms.withArgs(t, args) : t);
    }
    return images.get(term);
  }
}

/** From current to next state variables. */
export function priming(terms: TermStore, states: readonly StateVariable[]): Renaming {
  return new Renaming(
    terms,
    states.map(s => [s.current, s.next] as const),
  );
}

/** From next to current state variables. */
export function unpriming(terms: TermStore, states: readonly StateVariable[]): Renaming {
  return new Renaming(
    terms,
    states.map(s => [s.next, s.current] as const),
  );
}
