/**
 * What of an invariant suffices: what excludes the violations is needed, and whatever the steps into something needed must not come from.
 * Engines find far more than that, and nobody wants to read it (compare Ivrii, Gurfinkel and Belov, "Small inductive safe
 * invariants", FMCAD 2014; here cores of unsatisfiable questions are enough).
 */
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import type { Location } from '../../problem/problem.ts';
import type { Conjuncts, InwardSteps } from './inward.ts';

/** Propagations for a question. */
export interface Bounds {
  /** About a single formula. */
  readonly single: number;
  /** About violations, which is worth more, and about a formula of which it is known that it holds. */
  readonly all: number;
}

/**
 * Of formulas that are inductive together, some that are inductive together and exclude all violations; nothing if they exclude them not all,
 * or not within the bounds. Where the bounds do not suffice to find out which formulas another one rests on, it is all of them.
 */
export function* sufficient(
  steps: InwardSteps,
  held: ReadonlyMap<Location, Iterable<TermId>>,
  { single, all }: Bounds,
): Work<Conjuncts | undefined> {
  const needed = new Map<Location, Set<TermId>>([...held.keys()].map(l => [l, new Set()]));
  const waiting: { readonly location: Location; readonly formula: TermId }[] = [];
  const need = (uses: Conjuncts) => {
    for (const [location, formulas] of uses) {
      const own = needed.get(location) as Set<TermId>;
      for (const formula of formulas) {
        if (own.has(formula)) continue;
        own.add(formula);
        waiting.push({ location, formula });
      }
    }
  };
  const excluding = yield* steps.into(undefined).impossible(held, undefined, all);
  if (excluding === undefined) return undefined;
  need(excluding);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { location, formula } = next;
    const inward = steps.into(location);
    // What is needed already is preferred to what would be needed for this one alone.
    const uses =
      (yield* inward.impossible(needed, formula, single)) ?? (yield* inward.impossible(held, formula, all));
    if (uses === undefined) return new Map([...held].map(([l, own]) => [l, [...own]]));
    need(uses);
  }
  return new Map([...needed].map(([l, own]) => [l, [...own]]));
}
