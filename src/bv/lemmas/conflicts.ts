/**
 * The lemmas that one round of checking found, without repetitions, and counts of all that were ever found.
 * A round that has found a great deal stops: lemmas along long chains of stores are long themselves, and
 * the next model may need few of them.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { Clause } from './clause.ts';

/** How many lemmas of each kind there were. */
export interface LemmaCounts {
  /** Two reads of equal arrays at equal indices differ. */
  congruence: number;
  /** A read differs from what a store put there, or two stores differ. */
  readOverWrite: number;
  /** An access to a constant array differs from its element. */
  constantArray: number;
  /** Two constant arrays that are equal almost everywhere differ. */
  constantPair: number;
  functionCongruence: number;
  /** Unequal arrays had no witness yet. */
  extensionality: number;
}

export type LemmaKind = keyof LemmaCounts;

/** A round ends once its lemmas have this many literals together. */
const LITERALS_A_ROUND = 1 << 17;

export class Conflicts {
  readonly counts: LemmaCounts = {
    congruence: 0,
    readOverWrite: 0,
    constantArray: 0,
    constantPair: 0,
    functionCongruence: 0,
    extensionality: 0,
  };
  private readonly terms: TermStore;
  private found = new Set<TermId>();
  private literals = 0;

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  startRound(): void {
    this.found = new Set();
    this.literals = 0;
  }

  get isEmpty(): boolean {
    return this.found.size === 0;
  }

  /** Has this round enough? */
  get isFull(): boolean {
    return this.literals >= LITERALS_A_ROUND;
  }

  /** Adds the lemma that `fill` writes, unless this round has enough. */
  add(kind: LemmaKind, fill: (clause: Clause) => void): void {
    if (this.isFull) return;
    const clause = new Clause(this.terms);
    fill(clause);
    this.literals += clause.size;
    this.addFormula(kind, clause.toTerm());
  }

  addFormula(kind: LemmaKind, lemma: TermId): void {
    if (this.found.has(lemma)) return;
    this.found.add(lemma);
    this.counts[kind]++;
  }

  lemmas(): TermId[] {
    return [...this.found];
  }
}
