/** Replaces terms by terms throughout a graph, all at once, visiting every shared subterm once. */
import type { TermId, TermStore } from './store.ts';

export function substitute(
  terms: TermStore,
  root: TermId,
  replacements: ReadonlyMap<TermId, TermId>,
): TermId {
  return substituteAll(terms, [root], replacements)[0];
}

/** `onTerm` hears of every term that is visited; it may throw to end the work. */
export function substituteAll(
  terms: TermStore,
  roots: readonly TermId[],
  replacements: ReadonlyMap<TermId, TermId>,
  onTerm?: () => void,
): TermId[] {
  const images = new Map(replacements);
  for (const t of terms.postorder(roots, images)) {
    onTerm?.();
    const args = terms.args(t);
    let changed = false;
    for (let i = 0; i < args.length; i++) {
      const image = images.get(args[i]) as TermId;
      if (image !== args[i]) changed = true;
      args[i] = image;
    }
    images.set(t, changed ? terms.withArgs(t, args) : t);
  }
  return roots.map(root => images.get(root) as TermId);
}
