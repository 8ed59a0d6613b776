/**
 * A rewrite rule: for an application whose arguments are in normal form already, an equal term in normal
 * form that is simpler, or nothing. Rules build their result through `Normalizer`, so what they build is
 * rewritten in turn; each step makes the term smaller or moves it along a fixed order, so this ends.
 */
import type { Op } from '../operators.ts';
import type { SortId } from '../sort.ts';
import type { TermId, TermStore } from '../store.ts';

/** An application that is about to be made. */
export interface Application {
  readonly op: Op;
  readonly args: readonly TermId[];
  readonly indices: readonly number[];
  readonly sort: SortId;
}

export interface Normalizer {
  readonly terms: TermStore;
  /** The normal form of an application to arguments in normal form. */
  mk(op: Op, args: readonly TermId[], indices?: readonly number[]): TermId;
  not(a: TermId): TermId;
}

export interface Rule {
  readonly name: string;
  readonly ops: readonly Op[];
  readonly rewrite: (r: Normalizer, t: Application) => TermId | undefined;
}
