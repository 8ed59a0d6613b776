/**
 * Loops of which a derivation does not list all rounds. It lists the first three, then says how many are left out, then lists
 * the last one and goes on. Every round is made of the same edges, and every value in it is the same polynomial in the number of
 * the round: what the first three say of it,
 *
 *   v(k) = v0 + k · (v1 - v0) + k (k - 1) / 2 · (v2 - 2 v1 + v0)        modulo 2^w
 *
 * and for what is no vector, always the same. That the rounds are so is checked before anybody is told
 * (evidence/check-rounds.ts). Only runs are shortened: every step rests on the one before it.
 */
import { bigMask, SMALL_WIDTH } from '../../term/bitvector.ts';
import type { SortId, SortStore } from '../../term/sort.ts';
import { sameValue, type Value } from '../../term/value.ts';
import type { Step } from './derivation.ts';

/** As many rounds are listed at first: what it takes to tell a polynomial of degree two. */
export const LISTED_ROUNDS = 3n;

/** The numbers of the steps with which the listed rounds begin that a step goes on after; undefined if it skips nothing. */
export function listedRounds(steps: readonly Step[], i: number): number[] | undefined {
  if ((steps[i].skipped ?? 0n) === 0n) return undefined;
  const starts: number[] = [];
  for (let j = i - 1; j >= 0 && starts.length < LISTED_ROUNDS; j--)
    if (steps[j].skipped !== undefined) starts.unshift(j);
  return starts;
}

/** Does a derivation leave out rounds? */
export function isShortened(steps: readonly Step[]): boolean {
  return steps.some(s => (s.skipped ?? 0n) > 0n);
}

/** Before which steps rounds are left out, and how many. */
export function skippedBefore(steps: readonly Step[]): Map<number, bigint> {
  return new Map(steps.flatMap(({ skipped = 0n }, i) => (skipped > 0n ? [[i, skipped] as const] : [])));
}

/** The numbers of the steps of rounds that stand for those that are left out. */
export function stepsOfRounds(steps: readonly Step[]): Set<number> {
  const found = new Set<number>();
  steps.forEach((_, i) => {
    const [first = i] = listedRounds(steps, i) ?? [];
    for (let j = first; j < i; j++) found.add(j);
  });
  return found;
}

/** How people are told of rounds that are left out. */
export function skippedText(rounds: bigint): string {
  return `× ${rounds} more rounds like these`;
}

/** Differences of the first three values: how much is added in the first round, and how much more in each after it. */
export interface Growth {
  readonly first: bigint;
  readonly by: bigint;
  readonly more: bigint;
}

/** The polynomial through three values of a vector. */
export function growthOf(width: number, values: readonly Value[]): Growth {
  const [a, b, c] = values.map(v => BigInt(v as number | bigint));
  const modulo = (n: bigint) => n & bigMask(width);
  return { first: a, by: modulo(b - a), more: modulo(c - 2n * b + a) };
}

/** What comes after so many rounds, if the values of the first three tell it. */
export function extrapolated(
  sorts: SortStore,
  sort: SortId,
  values: readonly Value[],
  rounds: bigint,
): Value | undefined {
  const width = sorts.width(sort);
  if (width === 0) return values.every(v => sameValue(v, values[0])) ? values[0] : undefined;
  const { first, by, more } = growthOf(width, values);
  const value = (first + rounds * by + ((rounds * (rounds - 1n)) / 2n) * more) & bigMask(width);
  return width > SMALL_WIDTH ? value : Number(value);
}
