/**
 * What one engine has proved for good and another one may go on from: clauses of F∞. Each of them is inductive together with those
 * before it, so all that were offered hold in everything derivable, and belong to a model that some of them were used for.
 */
import type { TermId } from '../../term/store.ts';
import type { Location, Problem } from '../problem/problem.ts';

export interface ProvedClause {
  readonly location: Location;
  /** Nothing derivable there satisfies all of these. */
  readonly cube: readonly TermId[];
}

/** All clauses so far but for the first ones, as many as `from`; none of them is ever taken back. */
type Offer = (from: number) => readonly ProvedClause[];

export class Proved {
  private readonly offers = new Map<Problem, Offer>();

  offer(problem: Problem, clauses: Offer): void {
    this.offers.set(problem, clauses);
  }

  /** About the locations of this very problem. */
  of(problem: Problem, from: number): readonly ProvedClause[] {
    return this.offers.get(problem)?.(from) ?? [];
  }
}
