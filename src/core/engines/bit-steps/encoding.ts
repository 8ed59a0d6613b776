/**
 * A SAT solver with the literals of formulas about the state before a step and after it. What a formula says of the state after a step
 * it says of the values of the edge that is taken; that is rewritten before it becomes bits, and often enough nothing is left of
 * the arithmetic: the difference of two counters is what it was before both went on. A question may have a clause of its own,
 * which is dead afterwards.
 */
import { type Edge as AigEdge, complement } from '../../../bv/aig.ts';
import { Cnf } from '../../../bv/cnf.ts';
import { OwnEngine } from '../../../bv/own-engine.ts';
import { type Lit, negate } from '../../../sat/literals.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { type Profile, QUESTIONS } from '../../env/profile.ts';
import type { Edge } from '../../problem/problem.ts';
import type { Effort } from '../effort.ts';
import type { Circuit, PlaceBit } from './circuit.ts';

/** What solvers share. */
export interface Shared {
  readonly circuit: Circuit;
  readonly effort: Effort;
  readonly profile: Profile;
  readonly seed: number;
  readonly counts: { questions: number; solvers: number };
}

/** Every question leaves a unit clause behind, so the SAT solver's own idea of when to sweep is far too eager. */
const UNITS_BETWEEN_SWEEPS = 200;

/** An edge, and what is true where it is taken; nothing if it always is. */
export interface Taken {
  readonly edge: Edge;
  readonly when: Lit | undefined;
}

export class Encoding {
  /** Clauses of questions that were answered. */
  dead = 0;
  readonly cnf: Cnf;
  private readonly common: Shared;
  private readonly sat: OwnEngine;
  private readonly bitsAfter = new Map<TermId, Lit[]>(); // by place
  private edges: readonly Taken[] = [];
  private released: Lit | undefined; // of the last question's own clause

  constructor(shared: Shared) {
    const { circuit, seed, effort } = shared;
    this.common = shared;
    shared.counts.solvers++;
    // Trying false first makes for small numbers, of which more is true.
    this.sat = new OwnEngine({ seed, simplifyInterval: UNITS_BETWEEN_SWEEPS, initialPhase: false });
    this.cnf = new Cnf(circuit.aig, this.sat, () => effort.checkpoint());
  }

  /** Which edges there are to take; to be told once, before anything is said of the state after them. */
  takes(edges: readonly Taken[]): void {
    this.edges = edges;
  }

  newLiteral(): Lit {
    return (this.sat.newVar() << 1) as Lit;
  }

  /** From now on a clause holds. */
  require(clause: readonly Lit[]): void {
    this.sat.addClause(clause);
  }

  /** The literal of a formula over places, about the state before a step, or after it. */
  literal(formula: TermId): Lit {
    return this.bothWays(this.common.circuit.edge(formula));
  }

  literalAfter(formula: TermId): Lit {
    return this.after(edge => this.common.circuit.edgeAfter(edge, formula));
  }

  /** The literal of a bit of a place, before a step or after it. */
  bit({ place, bit, isSet }: PlaceBit): Lit {
    const lit = this.bothWays(this.common.circuit.bits(place)[bit]);
    return isSet ? lit : negate(lit);
  }

  bitAfter({ place, bit, isSet }: PlaceBit): Lit {
    const { circuit } = this.common;
    const known = this.bitsAfter.get(place) ?? [];
    this.bitsAfter.set(place, known);
    const lit = (known[bit] ??= this.after(edge => circuit.valueAfter(edge, place)[bit]));
    return isSet ? lit : negate(lit);
  }

  /** To be called before a question. */
  begin(): void {
    if (this.released !== undefined) this.sat.addClause([negate(this.released)]);
    this.released = undefined;
  }

  /** A clause for one question, which counts while the literal is assumed. */
  reserve(clause: readonly Lit[]): Lit {
    const guard = this.newLiteral();
    this.sat.addClause([negate(guard), ...clause]);
    this.released = guard;
    this.dead++;
    return guard;
  }

  *solve(assumptions: readonly Lit[]): Work<boolean> {
    return (yield* this.attempt(assumptions, Number.POSITIVE_INFINITY)) as boolean;
  }

  /** The same with so many propagations at most; undefined if they do not suffice. */
  *attempt(assumptions: readonly Lit[], limit: number): Work<boolean | undefined> {
    const { effort, counts, profile } = this.common;
    const { sat } = this;
    counts.questions++;
    const start = sat.propagations;
    for (;;) {
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
      const before = sat.propagations;
      const { allowance } = effort;
      const propagations = Math.min(allowance.propagations, limit - (before - start));
      const answer = profile.measure(QUESTIONS, () => sat.solve(assumptions, { ...allowance, propagations }));
      effort.spend(sat.propagations - before + 1);
      if (answer !== 'unknown') return answer === 'sat';
      if (sat.unknownReason !== 'propagations') throw new Unknown(sat.unknownReason ?? 'incomplete');
      if (sat.propagations - start >= limit) return undefined;
      effort.left = 0;
    }
  }

  /** After yes. */
  isTrue(lit: Lit): boolean {
    return this.sat.value(lit);
  }

  /** After no: is the assumption to blame? */
  isUsed(assumption: Lit): boolean {
    return this.sat.isFailed(assumption);
  }

  /** A literal for what is true of the state after a step, given what that is for each edge. */
  private after(meaning: (edge: Edge) => AigEdge): Lit {
    const { edges } = this;
    if (edges.length === 1 && edges[0].when === undefined) return this.bothWays(meaning(edges[0].edge));
    const lit = this.newLiteral();
    for (const { edge, when } of edges) {
      const own = this.bothWays(meaning(edge));
      const unless = when === undefined ? [] : [negate(when)];
      this.sat.addClause([...unless, negate(lit), own]);
      this.sat.addClause([...unless, lit, negate(own)]);
    }
    return lit;
  }

  /** A literal that is true just where the edge is. */
  private bothWays(e: AigEdge): Lit {
    this.cnf.literal(complement(e));
    return this.cnf.literal(e);
  }
}
