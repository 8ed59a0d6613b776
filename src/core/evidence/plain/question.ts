/**
 * A question to the SAT solvers, whose answers need no trust, or little. Clauses go to the engine of `src/sat`, and what it
 * derives is written down beside them. Its `unsat` counts only if the record, replayed by the proof checker, arrives at
 * the empty clause; the checker sees the clauses as they were given here, not as the engine says they were.
 *
 * A question that takes the engine too long moves to CaDiCaL, the other back end, whose `unsat` is taken: it shares no
 * line with our engine. The record then serves once more, as the list of clauses.
 */
import type { SatBackEnd } from '../../../bv/back-end.ts';
import type { HeavyBackEnd } from '../../../bv/tiered.ts';
import type { Budget } from '../../../sat/budget.ts';
import { ProofChecker, ProofError } from '../../../sat/checker.ts';
import type { Lit } from '../../../sat/literals.ts';
import { DELETED, DERIVED, INPUT, MemoryProof, type ProofLog, type StepKind } from '../../../sat/proof.ts';
import { Solver } from '../../../sat/solver.ts';
import { isPause, Unknown, type UnknownReason } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { ClauseSink } from './gates.ts';
import type { Pace } from './pace.ts';

/**
 * What our engine may spend on a round before CaDiCaL takes over. Rounds count one by one, since it is fast at going on from
 * where the last one ended, and CaDiCaL is not.
 */
const OWN_CONFLICTS = 2000;
const OWN_PROPAGATIONS = 3_000_000;

/** The value that is tried first is drawn for each variable: then words that nothing determines seldom agree by chance. */
const OWN_OPTIONS = { seed: 1 };

/** A portion of the search, some tens of milliseconds. */
const PORTION_CONFLICTS = 300;
const PORTION_PROPAGATIONS = 20_000;

/** A literal for the other back end, in literals for our own. */
const OTHER_COST = 8;

/** Steps of the record between two looks at how much work they were. */
const STEPS_AT_ONCE = 16;

/** Literals of clauses beyond which a problem is too large. */
const MAX_LITERALS = 2 ** 28;

export class Question implements ClauseSink {
  private readonly heavy: HeavyBackEnd;
  private readonly pace: Pace;
  private own = new Solver(OWN_OPTIONS);
  private record = new MemoryProof(); // the clauses and what our engine derives from them
  private other: SatBackEnd | undefined; // in its place, once the question has moved on
  private isAlone = false; // there is no other back end to be had
  private conflicts = 0; // of the other back end and what went before
  private literals = 0;
  private readonly scratch = Array.from({ length: 8 }, (_, size) => new Array<Lit>(size)); // by the size of a clause

  constructor(heavy: HeavyBackEnd, pace: Pace) {
    this.heavy = heavy;
    this.pace = pace;
    this.own.setProof(new Derivations(this.record));
  }

  newVar(): number {
    this.pace.spend(2);
    return (this.other ?? this.own).newVar();
  }

  /** Of the values of a variable, our engine tries first the one that makes this literal true. */
  prefer(literal: number): void {
    if (this.other === undefined) this.own.setPhase(literal as Lit);
  }

  addClause(source: Int32Array, size: number): void {
    this.literals += size;
    if (this.literals > MAX_LITERALS) throw new Unknown('size');
    const clause = size < this.scratch.length ? this.scratch[size] : new Array<Lit>(size);
    for (let i = 0; i < size; i++) clause[i] = source[i] as Lit;
    if (this.other !== undefined) {
      this.pace.spend(OTHER_COST * size);
      this.other.addClause(clause);
      return;
    }
    this.pace.spend(size);
    this.record.step(INPUT, source, 0, size);
    this.own.addClause(clause);
  }

  /** Is there a solution? Throws an Unknown if that cannot be said within the limits. */
  *isSatisfiable(): Work<boolean> {
    this.pace.look();
    for (;;) {
      const answer = this.other === undefined ? yield* this.askOwn() : yield* this.askOther(this.other);
      if (answer !== undefined) return answer;
      yield* this.moveOn();
    }
  }

  /** The value of a literal in the solution. */
  value(literal: number): boolean {
    if (this.other !== undefined) return this.other.value(literal as Lit);
    return this.own.value(literal as Lit) === true;
  }

  dispose(): void {
    this.other?.dispose();
  }

  /** Undefined if the question is for the other back end. */
  private *askOwn(): Work<boolean | undefined> {
    const { own, pace } = this;
    const { stats } = own;
    const before = { ...stats };
    for (;;) {
      const result = own.solve([], this.portion(stats.conflicts, stats.propagations));
      if (result === 'sat') return true;
      if (result === 'unsat') {
        if (yield* isRefuted(this.record, pace)) return false;
        throw new Unknown('incomplete', 'the proof of the SAT solver does not check');
      }
      this.expectPause(own.unknownReason, stats.conflicts, stats.propagations);
      const isHard =
        stats.conflicts - before.conflicts >= OWN_CONFLICTS ||
        stats.propagations - before.propagations >= OWN_PROPAGATIONS;
      if (isHard && !this.isAlone) return undefined;
      yield* pace.pause();
    }
  }

  private *askOther(other: SatBackEnd): Work<boolean> {
    for (;;) {
      const portion = this.portion(this.conflicts, 0);
      const result = other.solve([], portion);
      if (result !== 'unknown') return result === 'sat';
      this.conflicts += portion.conflicts ?? 0;
      this.expectPause(other.unknownReason, this.conflicts, 0);
      yield* this.pace.pause();
    }
  }

  /** What the next call of a solver may spend, if so much is spent already. */
  private portion(conflicts: number, propagations: number): Budget {
    const { budget } = this.pace;
    return {
      ...budget,
      conflicts: Math.min(PORTION_CONFLICTS, (budget.conflicts ?? Number.POSITIVE_INFINITY) - conflicts),
      propagations: Math.min(
        PORTION_PROPAGATIONS,
        (budget.propagations ?? Number.POSITIVE_INFINITY) - propagations,
      ),
    };
  }

  /** Throws an Unknown unless the solver stopped because a portion was over. */
  private expectPause(reason: UnknownReason | undefined, conflicts: number, propagations: number): void {
    const { budget } = this.pace;
    if (!isPause(reason)) throw new Unknown(reason ?? 'incomplete');
    if (budget.conflicts !== undefined && conflicts >= budget.conflicts) throw new Unknown('conflicts');
    if (budget.propagations !== undefined && propagations >= budget.propagations)
      throw new Unknown('propagations');
  }

  private *moveOn(): Work<void> {
    let other = this.heavy.make();
    if (other === 'load') {
      yield 'load';
      other = this.heavy.make();
    }
    if (other === 'load') throw new Unknown('load');
    if (other === undefined) {
      this.isAlone = true;
      return;
    }
    const { own, record } = this;
    this.other = other;
    this.conflicts = own.stats.conflicts;
    this.own = new Solver(OWN_OPTIONS); // the old one and its record hold memory that is better used now
    this.record = new MemoryProof();
    for (let v = 0; v < own.varCount; v++) other.newVar();
    const given = new GivenClauses(other);
    for (let at = 0; at < record.size; ) {
      const before = at;
      at = record.replay(given, at, STEPS_AT_ONCE);
      if (this.pace.spend(OTHER_COST * (at - before))) yield* this.pace.pause();
    }
  }
}

/** Takes down what the engine derives and deletes. What it says of clauses that were given is not heard. */
class Derivations implements ProofLog {
  private readonly record: MemoryProof;

  constructor(record: MemoryProof) {
    this.record = record;
  }

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    if (kind === DERIVED || kind === DELETED) this.record.step(kind, source, from, to);
  }
}

/** Hands the clauses that were given to another solver. */
class GivenClauses implements ProofLog {
  private readonly to: SatBackEnd;
  private readonly clause: Lit[] = [];

  constructor(to: SatBackEnd) {
    this.to = to;
  }

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    if (kind !== INPUT) return;
    this.clause.length = 0;
    for (let i = from; i < to; i++) this.clause.push(source[i] as Lit);
    this.to.addClause(this.clause);
  }
}

/** Does the record derive the empty clause, each step by unit propagation? */
export function* isRefuted(record: MemoryProof, pace: Pace): Work<boolean> {
  const checker = new ProofChecker();
  let work = 0;
  try {
    for (let at = 0; at < record.size; ) {
      const before = at;
      at = record.replay(checker, at, STEPS_AT_ONCE);
      if (checker.isRefuted) return true;
      if (pace.spend(2 * (at - before) + checker.visits - work)) yield* pace.pause();
      work = checker.visits;
    }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
  }
  return false;
}
