/**
 * What engines have proved for good and another one may go on from: clauses of F∞, and conjectures that are left. Each of them is inductive
 * together with those that the same engine has offered before it, so all of them hold in everything derivable, and belong to a
 * model that some of them were used for.
 */
import type { TermId } from '../../term/store.ts';
import type { Location, Problem } from '../problem/problem.ts';

export interface ProvedClause {
  readonly location: Location;
  /** Nothing derivable there satisfies all of these. */
  readonly cube: readonly TermId[];
  /** Others rest on it, but there are too many like it to go on from. */
  readonly isSupport?: boolean;
}

/** All clauses so far but for the first ones, as many as `from`; none of them is ever taken back. */
type Offer = (from: number) => readonly ProvedClause[];

export class Proved {
  private readonly offers = new Map<Problem, Offer[]>();

  /** About the locations of this very problem. */
  offer(problem: Problem, clauses: Offer): void {
    const own = this.offers.get(problem);
    if (own === undefined) this.offers.set(problem, [clauses]);
    else own.push(clauses);
  }

  /** Somebody who wants to be told of a problem. */
  listener(problem: Problem): Listener {
    return new Listener(() => this.offers.get(problem) ?? []);
  }
}

export class Listener {
  /** All that has been told so far. */
  readonly heard: ProvedClause[] = [];
  private readonly offers: () => readonly Offer[];
  private readonly counts = new Map<Offer, number>(); // of clauses that have been told

  constructor(offers: () => readonly Offer[]) {
    this.offers = offers;
  }

  /** What is new since the last time. */
  news(): readonly ProvedClause[] {
    const news = this.offers().flatMap(offer => {
      const from = this.counts.get(offer) ?? 0;
      const own = offer(from);
      this.counts.set(offer, from + own.length);
      return own;
    });
    this.heard.push(...news);
    return news;
  }
}
