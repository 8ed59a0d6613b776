/**
 * The SAT engine: an incremental CDCL solver with assumptions, a theory port and a proof log, in the tradition of
 * MiniSat and CaDiCaL. This file is its front door; each technique has a file of its own, and all of them work on
 * the table in state.ts.
 *
 *   clauses.ts    adding clauses at any level      propagate.ts  unit propagation
 *   search.ts     the loop                         analyze.ts    learning, minimisation, cores
 *   decide.ts     variable and value               restart.ts    restarts, modes, phases
 *   reduce.ts     forgetting, garbage              theory.ts     the theory port
 *   proof.ts      the proof log                    checker.ts    its independent check
 *
 * The solver is deterministic: the same calls give the same answers and the same statistics. Only a deadline or an
 * abort signal can end a call at a different place. It runs wherever JavaScript does and needs nothing from outside.
 */
import type { Budget } from './budget.ts';
import { addInputClause } from './clauses.ts';
import { endCandidates, startCandidates } from './decide.ts';
import type { Lit, Var } from './literals.ts';
import { DEFAULT_OPTIONS, type Options } from './options.ts';
import type { ProofLog } from './proof.ts';
import { search } from './search.ts';
import { State, type Stats } from './state.ts';
import { type Theory, TheoryPort } from './theory.ts';
import { backtrack } from './trail.ts';
import type { UnknownReason } from './unknown.ts';

export type Result = 'sat' | 'unsat' | 'unknown';

export class Solver {
  private readonly state: State;
  private result: Result | undefined; // of the last call, until the problem changes
  private reason: UnknownReason | undefined; // why the last call gave up

  constructor(options: Partial<Options> = {}) {
    this.state = new State({ ...DEFAULT_OPTIONS, ...options });
  }

  get varCount(): number {
    return this.state.varCount;
  }

  get stats(): Readonly<Stats> {
    return this.state.stats;
  }

  /** Why the last call answered `unknown`. */
  get unknownReason(): UnknownReason | undefined {
    return this.reason;
  }

  newVar(): Var {
    return this.state.newVar() as Var;
  }

  /**
   * Adds a clause, between calls. False if the clauses are now known to be unsatisfiable. The model of the last
   * call is gone afterwards.
   */
  addClause(lits: ArrayLike<Lit>): boolean {
    const s = this.state;
    this.result = undefined;
    for (let i = 0; i < lits.length; i++) this.require(lits[i]);
    addInputClause(s, lits);
    return s.isOk;
  }

  /** Solves under assumptions, which hold for this call only. */
  solve(assumptions: ArrayLike<Lit> = [], budget?: Budget): Result {
    const s = this.state;
    s.stats.solves++;
    this.reason = undefined;
    s.core.clear();
    if (!s.isOk) return (this.result = 'unsat');
    const count = assumptions.length;
    if (count > s.assumptions.length) s.assumptions = new Int32Array(count * 2);
    for (let i = 0; i < count; i++) {
      this.require(assumptions[i]);
      s.assumptions[i] = assumptions[i];
    }
    s.assumptionCount = count;
    s.meter.start(budget, s.stats.conflicts, s.stats.propagations, s.ticks);
    const answer = search(s);
    if (s.needed !== undefined) endCandidates(s);
    if (answer === 'sat' || answer === 'unsat') return (this.result = answer);
    this.reason = answer;
    return (this.result = 'unknown');
  }

  /**
   * Value of a literal in the model, after `sat` and before the next change. Undefined if the variable is no
   * decision variable and nothing implied it: then either value will do.
   */
  value(lit: Lit): boolean | undefined {
    if (this.result !== 'sat') throw new Error('there is a model only after the answer sat');
    const value = this.state.values[lit];
    return value === 0 ? undefined : value > 0;
  }

  /** After `unsat`: assumptions that cannot hold together. Empty if there is no solution even without any. */
  core(): Lit[] {
    if (this.result !== 'unsat') throw new Error('there is a core only after the answer unsat');
    const { core } = this.state;
    return Array.from(core.data.subarray(0, core.size)) as Lit[];
  }

  /** After `unsat`: is this assumption in the core? */
  isFailed(lit: Lit): boolean {
    if (this.result !== 'unsat') throw new Error('there is a core only after the answer unsat');
    const { core } = this.state;
    for (let i = 0; i < core.size; i++) if (core.data[i] === lit) return true;
    return false;
  }

  /** Value of a literal in every solution, as far as is known. */
  fixedValue(lit: Lit): boolean | undefined {
    const s = this.state;
    const value = s.values[lit];
    return value === 0 || s.level[lit >> 1] !== 0 ? undefined : value > 0;
  }

  /**
   * Whether a variable may be decided. A search that has assigned all decision variables without a conflict answers
   * `sat`; whoever excludes variables must know that the clauses can then be satisfied by the rest.
   */
  setDecision(v: Var, isDecision: boolean): void {
    const s = this.state;
    if ((s.isDecision[v] !== 0) === isDecision) return;
    s.isDecision[v] = isDecision ? 1 : 0;
    if (!isDecision) {
      s.queue.remove(v);
      return;
    }
    s.queue.append(v);
    if (s.values[v << 1] !== 0) return;
    s.queue.unassigned(v);
    s.heap.insert(v);
  }

  /**
   * For the next call: only the given variables have to be decided, which are those v with needed[v] >= question. The answer `sat` then means that these are assigned without a conflict; whoever
   * restricts decisions must know that the rest can follow.
   */
  restrictDecisions(
    candidates: Int32Array<ArrayBuffer>,
    count: number,
    needed: Int32Array,
    question: number,
  ): void {
    const s = this.state;
    s.candidates = candidates;
    s.candidateCount = count;
    s.needed = needed;
    s.question = question;
    startCandidates(s);
  }

  /** The value to try first for the variable of a literal: the one that makes the literal true. */
  setPhase(lit: Lit): void {
    this.state.saved[lit >> 1] = (lit & 1) !== 0 ? -1 : 1;
  }

  /** Logs all steps from now on; to be called before the first clause. */
  setProof(log: ProofLog): void {
    this.state.proof = log;
  }

  /** Connects the one theory of this solver; observe its variables through the port that comes back. */
  connectTheory(theory: Theory): TheoryPort {
    const s = this.state;
    if (s.port !== undefined) throw new Error('a theory is connected already');
    backtrack(s, 0);
    s.port = new TheoryPort(s, theory);
    return s.port;
  }

  private require(lit: number): void {
    if (!(lit >= 0 && lit >> 1 < this.state.varCount)) throw new RangeError(`literal ${lit} has no variable`);
  }
}
