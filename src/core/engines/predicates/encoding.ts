/**
 * A SAT solver with the literals of formulas about the state before a step and after it. Predicates have labels, b ↔ p(X) and
 * b' ↔ p(X'), which hold in both ways: a label may be assumed, denied and read off a model. What a formula says of the state
 * after a step it says of the values of the edge that is taken; that is rewritten before it becomes bits, and often
 * enough nothing is left of the arithmetic: the difference of two counters is what it was before both went on. A question
 * may have a clause of its own, which is dead afterwards.
 */
import { type Edge as AigEdge, complement } from '../../../bv/aig.ts';
import { Cnf } from '../../../bv/cnf.ts';
import { OwnEngine } from '../../../bv/own-engine.ts';
import { type Lit, negate } from '../../../sat/literals.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import type { Edge } from '../../problem/problem.ts';
import type { Effort } from '../effort.ts';
import type { Circuit, PlaceBit } from './circuit.ts';
import type { Domain } from './domain.ts';

/** Some of a location's states: literals of its predicates, and bits of its places. */
export interface Region {
  readonly labels: readonly number[];
  readonly bits: readonly PlaceBit[];
}

/** What solvers share. */
export interface Shared {
  readonly circuit: Circuit;
  readonly domain: Domain;
  readonly effort: Effort;
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
  private readonly shared: Shared;
  private readonly sat: OwnEngine;
  private readonly labels = new Map<number, Lit>(); // by predicate: it holds before the step
  private readonly labelsAfter = new Map<number, Lit>();
  private readonly bitsAfter = new Map<TermId, Lit[]>(); // by place
  private edges: readonly Taken[] = [];
  private released: Lit | undefined; // of the last question's own clause

  constructor(shared: Shared) {
    const { circuit, seed, effort } = shared;
    this.shared = shared;
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
    return this.bothWays(this.shared.circuit.edge(formula));
  }

  literalAfter(formula: TermId): Lit {
    return this.after(edge => this.shared.circuit.edgeAfter(edge, formula));
  }

  label(literal: number): Lit {
    return this.labelIn(this.labels, literal, f => this.literal(f));
  }

  labelAfter(literal: number): Lit {
    return this.labelIn(this.labelsAfter, literal, f => this.literalAfter(f));
  }

  /** The literals that say that the state before a step, or after it, is in a region. */
  of({ labels, bits }: Region): Lit[] {
    const { circuit } = this.shared;
    const own = bits.map(b => this.bothWays(signed(circuit.bits(b.place)[b.bit], b.isSet)));
    return [...labels.map(l => this.label(l)), ...own];
  }

  into({ labels, bits }: Region): Lit[] {
    const own = bits.map(({ place, bit, isSet }) => {
      const lit = this.bitAfter(place, bit);
      return isSet ? lit : negate(lit);
    });
    return [...labels.map(l => this.labelAfter(l)), ...own];
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
    const { effort, counts } = this.shared;
    const { sat } = this;
    counts.questions++;
    for (;;) {
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
      const before = sat.propagations;
      const answer = sat.solve(assumptions, effort.allowance);
      effort.spend(sat.propagations - before + 1);
      if (answer !== 'unknown') return answer === 'sat';
      if (sat.unknownReason !== 'propagations') throw new Unknown(sat.unknownReason ?? 'incomplete');
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

  private labelIn(table: Map<number, Lit>, literal: number, make: (formula: TermId) => Lit): Lit {
    const { domain } = this.shared;
    const k = domain.predicateOf(literal);
    let lit = table.get(k);
    if (lit === undefined) {
      lit = make(domain.predicates[k].formula);
      table.set(k, lit);
    }
    return (literal & 1) === 0 ? lit : negate(lit);
  }

  private bitAfter(place: TermId, bit: number): Lit {
    const { circuit } = this.shared;
    const known = this.bitsAfter.get(place) ?? [];
    this.bitsAfter.set(place, known);
    return (known[bit] ??= this.after(edge => circuit.valueAfter(edge, place)[bit]));
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

function signed(e: AigEdge, isSet: boolean): AigEdge {
  return isSet ? e : complement(e);
}
