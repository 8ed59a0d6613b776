/** What terms are where a condition holds: of a choice by one of its conjuncts, one side is left. */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import { truthsOf } from '../problem/literals.ts';

/** What is nothing but a variable stays one, so that others see that it is handed on. */
export function under(rewriter: Rewriter, condition: TermId, roots: readonly TermId[]): TermId[] {
  const { terms } = rewriter;
  const isOpen = (t: TermId) => !terms.isVariable(t);
  const truths = truthsOf(terms, conjunctsOf(rewriter, [condition]));
  const images = substituteAll(terms, roots.filter(isOpen), truths).values();
  return roots.map(t => (isOpen(t) ? rewriter.rewrite(images.next().value as TermId) : t));
}
