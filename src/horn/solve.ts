/**
 * Solves equations for variables: from formulas that hold together, definitions of as many of the given variables as
 * possible, and what is left to say. The inverses and the search for cycles are those of the concrete solver's
 * preprocessor; unlike there, formulas are not used to simplify one another, so that an update keeps the form in
 * which the user wrote it.
 */
import { conjunctsOf } from '../bv/preprocess/conjuncts.ts';
import { Elimination, type Failures } from '../bv/preprocess/elimination.ts';
import { type Definition, Substitution } from '../bv/preprocess/substitution.ts';
import type { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId } from '../term/store.ts';

const MAX_ROUNDS = 50;

export interface Solved {
  /** Over the remaining variables; `[false]` if they contradict each other. */
  readonly formulas: readonly TermId[];
  /** What the others are: each body mentions remaining variables and such as are defined before. */
  readonly definitions: readonly Definition[];
  /** A term over the remaining variables, in normal form. */
  readonly image: (term: TermId) => TermId;
}

export function solveFor(
  rewriter: Rewriter,
  formulas: readonly TermId[],
  isWanted: (variable: TermId) => boolean,
): Solved {
  const { terms } = rewriter;
  const substitution = new Substitution(rewriter);
  const elimination = new Elimination(rewriter, v => isWanted(v) && !substitution.isDefined(v));
  const failures: Failures = new Map();
  let left = conjunctsOf(
    rewriter,
    formulas.map(f => rewriter.rewrite(f)),
  );
  for (let i = 0; i < MAX_ROUNDS && left[0] !== terms.false; i++) {
    const round = elimination.round(left, failures);
    if (round.definitions.length === 0 && !round.retry) break;
    substitution.define(round.definitions);
    left = conjunctsOf(
      rewriter,
      round.formulas.map(f => substitution.image(f)),
    );
  }
  return {
    formulas: left,
    definitions: substitution.definitions(),
    image: t => substitution.image(t),
  };
}
