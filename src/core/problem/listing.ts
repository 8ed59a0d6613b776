/**
 * Which steps of an execution are shown: all of them, up to a hundred thousand. Of more, rounds that repeat the same edges, with inputs
 * that stay the same or grow by the same amount each time, are listed up to the third, and then the last of them, with the
 * number of those between (repetition.ts). So whoever wants to can go on with what is listed, and repeat the whole.
 */
import { Unknown } from '../../sat/unknown.ts';
import type { TermStore } from '../../term/store.ts';
import { sameValue, type Value } from '../../term/value.ts';
import type { Execution } from './execution.ts';
import { type Edge, inputsOf } from './problem.ts';
import { LISTED_ROUNDS } from './repetition.ts';

/** So many steps are listed, at most. */
const MOST_LISTED = 100_000;

/** A round is made of so many steps, at most; and it takes so many of them to leave some out. */
const LONGEST_ROUND = 12;
const FEWEST_ROUNDS = 8;

export class Listing {
  private readonly terms: TermStore;
  private readonly widths = new Map<Edge, readonly number[]>(); // of its inputs
  private readonly rounds = new Map<number, bigint>(); // where listed rounds begin: so many are left out before
  private readonly left: readonly (readonly [from: number, to: number])[]; // steps that are not listed
  private at = 0;

  constructor(terms: TermStore, execution: Execution) {
    this.terms = terms;
    this.left = execution.edges.length <= MOST_LISTED ? [] : this.leftOut(execution);
    const listed = this.left.reduce((rest, [from, to]) => rest - (to - from), execution.edges.length);
    if (listed > MOST_LISTED)
      throw new Unknown('size', 'there is a violation, but its run is too long to list');
  }

  /** To be asked of all steps, in their order. */
  isListed(i: number): boolean {
    while (this.at < this.left.length && this.left[this.at][1] <= i) this.at++;
    return this.at === this.left.length || this.left[this.at][0] > i;
  }

  /** How many rounds are left out before a step; undefined if it begins no round of which some are. */
  skipped(i: number): bigint | undefined {
    return this.rounds.get(i);
  }

  /** All but the first three and the last of rounds that are alike. */
  private leftOut(execution: Execution): (readonly [number, number])[] {
    const { edges } = execution;
    const found: (readonly [number, number])[] = [];
    for (let i = 0; i < edges.length; ) {
      let next = i + 1;
      for (let length = 1; length <= LONGEST_ROUND; length++) {
        let end = i + length;
        while (end < edges.length && this.goesOn(execution, end, length, i)) end++;
        const rounds = Math.floor((end - i) / length);
        if (rounds < FEWEST_ROUNDS) continue;
        const listed = Number(LISTED_ROUNDS);
        const from = i + listed * length;
        const to = i + (rounds - 1) * length;
        for (let r = 0; r < listed; r++) this.rounds.set(i + r * length, 0n);
        this.rounds.set(to, BigInt(rounds - 1 - listed));
        found.push([from, to]);
        next = to + length;
        break;
      }
      i = next;
    }
    return found;
  }

  /** Does a step go on as rounds of this length have begun, the first of them with this step? */
  private goesOn({ edges, inputs }: Execution, i: number, length: number, first: number): boolean {
    const before = i - length;
    if (edges[i] !== edges[before]) return false;
    const [now, then] = [inputs[i], inputs[before]];
    if (before - length < first) return true;
    const earlier = inputs[before - length];
    if (now === then && then === earlier) return true;
    const widths = this.widthsOf(edges[i]);
    return now.every((v, k) =>
      widths[k] === 0
        ? sameValue(v, then[k]) && sameValue(v, earlier[k])
        : BigInt.asUintN(widths[k], difference(v, then[k]) - difference(then[k], earlier[k])) === 0n,
    );
  }

  private widthsOf(edge: Edge): readonly number[] {
    let known = this.widths.get(edge);
    if (known === undefined) {
      known = inputsOf(this.terms, edge).map(v => this.terms.width(v));
      this.widths.set(edge, known);
    }
    return known;
  }
}

function difference(a: Value, b: Value): bigint {
  return BigInt(a as number | bigint) - BigInt(b as number | bigint);
}
