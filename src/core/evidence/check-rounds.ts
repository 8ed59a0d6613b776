/**
 * Are the rounds that a derivation leaves out such as it says? In round k every value is a polynomial in k (`repetition.ts`);
 * so for every k up to the number of rounds, each step of the round must be one: its conditions hold, and what it derives is what
 * the next step of the round has, or the first step of round k + 1. These are formulas over one variable, k, and decided bit
 * by bit. The first rounds and the last one are listed and have been evaluated (`check-derivation.ts`).
 *
 * k (k - 1) / 2 is any number q at first, of which the next one is q + k: so sums need no multiplier. Only where that does
 * not do it is q multiplied out.
 */
import { ready, type Work } from '../../sat/work.ts';
import { termOfValue } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import { sameValue, type Value } from '../../term/value.ts';
import type { Derivation, Step } from '../problem/derivation.ts';
import { conditionsOf, type Edge, headOf, inputsOf, type Problem, placesOf } from '../problem/problem.ts';
import { growthOf, LISTED_ROUNDS, listedRounds } from '../problem/repetition.ts';
import type { PlainOptions } from './plain/refute.ts';
import { type Attempt, refuteSomehow } from './refute.ts';

/** What is wrong with the rounds that are left out of a derivation that has passed its check; undefined if nothing is. */
export function* checkRounds(
  { terms }: Problem,
  { steps }: Derivation,
  options: PlainOptions,
): Work<string | undefined> {
  for (const [i, step] of steps.entries()) {
    const starts = listedRounds(steps, i);
    if (starts === undefined) continue;
    const rounds = starts.map((start, n) => steps.slice(start, starts[n + 1] ?? i));
    const count = LISTED_ROUNDS + (step.skipped ?? 0n);
    const attempts = (['any', 'multiplied out'] as const).map((pairs): Attempt => {
      return { reading: 'bits', formulas: () => ready(new Rounds(terms, rounds, count, pairs).exception()) };
    });
    const answer = yield* refuteSomehow(terms, attempts, options);
    if (answer.kind === 'unknown') return `step ${i}: whether the rounds before it are rounds is not known`;
    if (answer.kind === 'sat') return `step ${i}: the rounds before it are not like those that are listed`;
  }
  return undefined;
}

/** Do the listed rounds have the same edges, and no rounds left out in them? Then the first three are looked at side by side. */
export function complaintAboutRounds(steps: readonly Step[], i: number): string | undefined {
  const starts = listedRounds(steps, i) ?? [];
  if (BigInt(starts.length) !== LISTED_ROUNDS)
    return 'the rounds before those that are left out are not listed';
  const rounds = starts.map((start, n) => steps.slice(start, starts[n + 1] ?? i));
  const [first] = rounds;
  const isAlike = rounds.every(
    round =>
      round.length === first.length &&
      round[0].skipped === 0n &&
      round.every((s, j) => s.edge === first[j].edge && (j === 0 || s.skipped === undefined)),
  );
  const isRun =
    starts[0] > 0 &&
    steps.slice(starts[0], i + 1).every((s, j) => s.premises.join() === `${starts[0] + j - 1}`);
  if (!isAlike || !isRun || steps[i].edge !== first[0].edge)
    return 'the rounds before those that are left out differ';
  return undefined;
}

class Rounds {
  private readonly terms: TermStore;
  private readonly rounds: readonly (readonly Step[])[];
  private readonly count: bigint;
  private readonly pairs: 'any' | 'multiplied out';
  private readonly number: TermId; // of the round, k
  private readonly open = new Map<number, TermId>(); // by width, a variable for k (k - 1) / 2

  constructor(
    terms: TermStore,
    rounds: readonly (readonly Step[])[],
    count: bigint,
    pairs: 'any' | 'multiplied out',
  ) {
    this.terms = terms;
    this.rounds = rounds;
    this.count = count;
    this.pairs = pairs;
    // Wide enough for one more round.
    this.number = terms.variable('round', terms.sorts.bitVec(count.toString(2).length + 1));
  }

  /** What a round would satisfy that is none. */
  exception(): TermId[] {
    const { terms, number, count } = this;
    const [first] = this.rounds;
    const steps = first.flatMap(({ edge }, j) => this.stepConditions(edge, j, (j + 1) % first.length));
    const isRound = terms.app(Op.BVULT, [number, terms.bv(terms.width(number), count)]);
    return [isRound, terms.not(terms.and(steps))];
  }

  /** That step j of any round is one, and derives what step `next` has: of the next round if that is the first. */
  private stepConditions(edge: Edge, j: number, next: number): TermId[] {
    const { terms } = this;
    const variables = [...placesOf(edge), ...inputsOf(terms, edge)];
    const now = new Map(variables.map(v => [v, this.valueOf(v, j, false)]));
    const conditions = substituteAll(terms, conditionsOf(edge), now);
    const values = edge.values.map(v => substitute(terms, v, now));
    const { sources } = this.rounds[0][next].edge;
    const after = (headOf(edge)?.places ?? []).map((_, n) =>
      this.valueOf(sources[0].places[n], next, next === 0),
    );
    return [...conditions, ...values.map((v, n) => terms.eq(v, after[n]))];
  }

  /** The value of a variable of step j, as a term over the number of the round, or over that of the next one. */
  private valueOf(variable: TermId, j: number, isNext: boolean): TermId {
    const { terms } = this;
    const listed = this.rounds.map(round => round[j].values.get(variable) as Value);
    const width = terms.width(variable);
    const constant = termOfValue(terms, terms.sort(variable), listed[0]);
    if (width === 0) {
      if (listed.every(v => sameValue(v, listed[0]))) return constant;
      return terms.variable('changing', terms.sort(variable)); // whatever it is: no formula will hold of it
    }
    const { by, more } = growthOf(width, listed);
    if (by === 0n && more === 0n) return constant;
    const k = this.resized(this.number, width);
    const rounds = isNext ? terms.app(Op.BVADD, [k, terms.bv(width, 1)]) : k;
    const linear = terms.app(Op.BVADD, [constant, terms.app(Op.BVMUL, [terms.bv(width, by), rounds])]);
    if (more === 0n) return linear;
    const pairs = this.pairsOf(width);
    const sum = isNext ? terms.app(Op.BVADD, [pairs, k]) : pairs;
    return terms.app(Op.BVADD, [linear, terms.app(Op.BVMUL, [terms.bv(width, more), sum])]);
  }

  /** k (k - 1) / 2 */
  private pairsOf(width: number): TermId {
    const { terms } = this;
    if (this.pairs === 'multiplied out') {
      const k = this.resized(this.number, width + 1);
      const before = terms.app(Op.BVSUB, [k, terms.bv(width + 1, 1)]);
      return terms.app(Op.EXTRACT, [terms.app(Op.BVMUL, [k, before])], [width, 1]);
    }
    let variable = this.open.get(width);
    if (variable === undefined) {
      variable = terms.variable('pairs', terms.sorts.bitVec(width));
      this.open.set(width, variable);
    }
    return variable;
  }

  private resized(t: TermId, width: number): TermId {
    const { terms } = this;
    const own = terms.width(t);
    if (own === width) return t;
    return own > width
      ? terms.app(Op.EXTRACT, [t], [width - 1, 0])
      : terms.app(Op.ZERO_EXTEND, [t], [width - own]);
  }
}
