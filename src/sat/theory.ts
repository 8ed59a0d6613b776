/**
 * The theory port: how a decision procedure takes part in the search, in the shape of IPASIR-UP (Fazekas et al.,
 * "IPASIR-UP: User Propagators for CDCL", SAT 2023). The theory hears of assignments to the variables it observes,
 * in the order of the trail, and answers with implied literals and clauses.
 *
 * What the theory may rely on:
 *   - Each time unit propagation is done, it gets `assigned` for every new observed literal, then one `propagate`.
 *   - `newLevel` and `backtrack` keep it at the decision level of the solver. All literals of a level have been
 *     reported before the next level opens. Literals it implied itself are reported as well.
 *   - A variable that is already assigned when it gets observed is reported at the next occasion, and again after
 *     each backtrack that undid the report but not the assignment.
 * What it must keep to:
 *   - `imply` in `propagate` only. The reason is asked for by `explain` if a conflict needs it, never otherwise; it
 *     must consist of literals that were false before the implied one became true.
 *   - Clauses may be added in `propagate` and `checkModel`, at any level, also over new variables; they take effect
 *     when the callback returns. A callback may be cut short whenever `imply` or `addClause` returns false.
 *   - `explain` only pushes literals. It adds neither variables nor clauses.
 */
import { GLUE_SHIFT, HEADER, REDUNDANT, UNWATCHED, USED_SHIFT } from './arena.ts';
import { addClause } from './clauses.ts';
import { IntStack } from './int-stack.ts';
import type { Lit, Var } from './literals.ts';
import { AXIOM } from './proof.ts';
import { fixedCount } from './reduce.ts';
import { LAZY, type State } from './state.ts';
import { assign } from './trail.ts';

export interface Theory {
  /** An observed literal became true. */
  assigned(lit: Lit): void;
  /** A decision level was opened. */
  newLevel(): void;
  /** All levels above `level` were undone. */
  backtrack(level: number): void;
  /** Unit propagation is done: imply literals, add clauses. */
  propagate(port: TheoryPort): void;
  /** Why is `lit`, which this theory implied, true? Pushes the other literals of the reason clause, all false. */
  explain(lit: Lit, reason: ReasonClause): void;
  /** Every decision variable is assigned: true accepts the model, false comes with new clauses or variables. */
  checkModel(port: TheoryPort): boolean;
  /** A decision of the theory's choice, an unassigned literal, or NO_LIT. */
  decide?(): Lit;
}

/** Where `explain` pushes the literals of a reason. */
export interface ReasonClause {
  push(lit: Lit): void;
}

/** Callbacks whose side effects are restricted. */
const OUTSIDE = 0;
const IN_PROPAGATE = 1;
const IN_CHECK = 2;
const IN_EXPLAIN = 3;

export class TheoryPort {
  private readonly state: State;
  private readonly theory: Theory;
  private observed = new Uint8Array(64); // by variable
  private reported = 0; // trail literals that the theory knows of
  private readonly late = new IntStack(); // pairs (literal, level at which it was reported too late)
  private readonly unreported = new IntStack(); // literals assigned before they were observed
  private readonly pending = new IntStack(); // clauses to be added: (flags, size, literals)
  private pendingStart = 0; // where the first pending clause begins
  private readonly reasonBuffer = new IntStack(); // the reason that is being explained
  private activity = OUTSIDE; // the running callback
  private hasConflict = false; // the running callback has raised a conflict

  constructor(state: State, theory: Theory) {
    this.state = state;
    this.theory = theory;
  }

  // For the theory

  /** Makes a variable, in any callback but `explain`. */
  newVar(): Var {
    if (this.activity === IN_EXPLAIN) throw new Error('a theory must not add variables in explain');
    return this.state.newVar() as Var;
  }

  /** Asks for the assignments of a variable to be reported. */
  observe(v: Var): void {
    if (v >= this.observed.length) {
      const bigger = new Uint8Array(Math.max(this.state.level.length, v + 1));
      bigger.set(this.observed);
      this.observed = bigger;
    }
    if (this.observed[v] !== 0) return;
    this.observed[v] = 1;
    const { values, trail } = this.state;
    if (values[v << 1] === 0) return;
    const lit = (v << 1) | (values[v << 1] > 0 ? 0 : 1);
    // If the report of the trail has not come that far, it will be made in its turn.
    for (let i = this.reported; i < this.state.trailSize; i++) if (trail[i] === lit) return;
    this.unreported.push(lit);
  }

  /** Current value of a literal. */
  value(lit: Lit): boolean | undefined {
    const value = this.state.values[lit];
    return value === 0 ? undefined : value > 0;
  }

  get decisionLevel(): number {
    return this.state.decisionLevel;
  }

  /**
   * Makes a literal true, for a reason that `explain` can give later. False means that the literal is false: then
   * there is a conflict, and the callback should return.
   */
  imply(lit: Lit): boolean {
    const s = this.state;
    if (this.activity !== IN_PROPAGATE) throw new Error('a theory may imply literals in propagate only');
    if (this.hasConflict) return false;
    const value = s.values[lit];
    if (value > 0) return true;
    if (value < 0 || (s.decisionLevel === 0 && s.proof !== undefined)) {
      const reason = this.askReason(lit);
      this.push(reason.data, 0, reason.size, true);
      this.hasConflict = value < 0;
      return value === 0;
    }
    s.stats.theoryPropagations++;
    assign(s, lit, LAZY);
    return true;
  }

  /**
   * Adds a clause that is valid in the theory, when the callback returns. A forgettable one may be thrown away like
   * a learnt clause. False means that the clause is false now, and that the callback should return.
   */
  addClause(lits: ArrayLike<Lit>, isForgettable = false): boolean {
    if (this.activity === IN_EXPLAIN) throw new Error('a theory must not add clauses in explain');
    this.push(lits, 0, lits.length, isForgettable);
    const { values } = this.state;
    for (let i = 0; i < lits.length; i++) if (values[lits[i]] >= 0) return true;
    this.hasConflict = true;
    return false;
  }

  private push(lits: ArrayLike<number>, from: number, to: number, isForgettable: boolean): void {
    const { pending } = this;
    const glue = Math.min(to - from, 1 << 16);
    pending.push(isForgettable ? REDUNDANT | (2 << USED_SHIFT) | (glue << GLUE_SHIFT) : 0);
    pending.push(to - from);
    for (let i = from; i < to; i++) pending.push(lits[i]);
  }

  // For the solver

  /** A decision level was opened. */
  newLevel(): void {
    this.theory.newLevel();
  }

  /** The levels above `level` were undone. */
  backtrack(level: number): void {
    const s = this.state;
    if (this.reported > s.trailSize) this.reported = s.trailSize;
    this.theory.backtrack(level);
    const { late } = this;
    let kept = 0;
    for (let i = 0; i < late.size; i += 2) {
      const lit = late.data[i];
      if (s.values[lit] <= 0) continue;
      if (late.data[i + 1] > level) {
        this.unreported.push(lit);
        continue;
      }
      late.data[kept++] = lit;
      late.data[kept++] = late.data[i + 1];
    }
    late.size = kept;
    this.dropUnassigned();
  }

  /** Once a variable has lost its value, the trail will report the next one. */
  private dropUnassigned(): void {
    const { unreported } = this;
    let kept = 0;
    for (let i = 0; i < unreported.size; i++) {
      const lit = unreported.data[i];
      if (this.state.values[lit] > 0) unreported.data[kept++] = lit;
    }
    unreported.size = kept;
  }

  /**
   * After unit propagation: reports new assignments, lets the theory propagate, adds its clauses. Returns a
   * conflict, coded as in state.ts. The caller goes on with unit propagation if the trail has grown.
   */
  propagate(): number {
    const s = this.state;
    if (this.pending.size > 0) {
      const conflict = this.addPending();
      if (conflict !== 0 || !s.isOk || s.propagated < s.trailSize) return conflict;
    }
    this.report();
    this.activity = IN_PROPAGATE;
    this.theory.propagate(this);
    this.activity = OUTSIDE;
    this.hasConflict = false;
    return this.pending.size > 0 && s.isOk ? this.addPending() : 0;
  }

  /** Is the theory done at this point of the search? */
  isQuiet(): boolean {
    return this.pending.size === 0 && this.unreported.size === 0 && this.reported === this.state.trailSize;
  }

  /** All decision variables are assigned. True if the theory accepts; otherwise the search has to go on. */
  checkModel(): boolean {
    const s = this.state;
    const vars = s.varCount;
    this.activity = IN_CHECK;
    const isAccepted = this.theory.checkModel(this);
    this.activity = OUTSIDE;
    this.hasConflict = false;
    if (this.pending.size > 0 || s.varCount > vars) return false;
    if (!isAccepted) throw new Error('the theory refused a model without giving a clause or a variable');
    return true;
  }

  /** The theory's own decision, or -1. */
  decide(): number {
    return this.theory.decide === undefined ? -1 : this.theory.decide();
  }

  /** The lazy reason of a literal, the literal itself first; valid until the next one is asked for. */
  reasonOf(lit: number): IntStack {
    const s = this.state;
    s.stats.theoryExplanations++;
    const reason = this.askReason(lit);
    if (s.proof !== undefined) s.proof.step(AXIOM, reason.data, 0, reason.size);
    return reason;
  }

  /** Turns a lazy reason into a clause in the arena, and returns its cref. */
  explain(lit: number): number {
    const s = this.state;
    const reason = this.reasonOf(lit);
    const cref = s.arena.allocate(reason.size, UNWATCHED);
    const clauses = s.arena.data;
    for (let i = 0; i < reason.size; i++) clauses[cref + HEADER + i] = reason.data[i];
    // Dead as soon as its literal is unassigned; the next collection keeps it only if it is still a reason.
    s.arena.wasted += HEADER + reason.size;
    s.reason[lit >> 1] = cref;
    return cref;
  }

  private askReason(lit: number): IntStack {
    const { reasonBuffer, activity } = this;
    reasonBuffer.clear();
    reasonBuffer.push(lit);
    this.activity = IN_EXPLAIN;
    this.theory.explain(lit as Lit, reasonBuffer as ReasonClause);
    this.activity = activity;
    if (this.state.options.checkTheory) checkReason(this.state, reasonBuffer);
    return reasonBuffer;
  }

  private report(): void {
    const s = this.state;
    const { theory } = this;
    if (this.unreported.size > 0) this.reportLate();
    while (this.reported < s.trailSize) {
      const lit = s.trail[this.reported++];
      const v = lit >> 1;
      if (v < this.observed.length && this.observed[v] !== 0) theory.assigned(lit as Lit);
    }
  }

  private reportLate(): void {
    const s = this.state;
    const { unreported, late, theory } = this;
    for (let i = 0; i < unreported.size; i++) {
      const lit = unreported.data[i];
      theory.assigned(lit as Lit);
      if (s.level[lit >> 1] < s.decisionLevel) {
        late.push(lit);
        late.push(s.decisionLevel);
      }
    }
    unreported.clear();
  }

  private addPending(): number {
    const s = this.state;
    const { pending } = this;
    while (this.pendingStart < pending.size) {
      const at = this.pendingStart;
      const flags = pending.data[at];
      const from = at + 2;
      const to = from + pending.data[at + 1];
      this.pendingStart = to;
      s.stats.theoryClauses++;
      const conflict = addClause(s, pending.data, from, to, AXIOM, flags);
      if (conflict !== 0 || !s.isOk) return conflict;
    }
    pending.clear();
    this.pendingStart = 0;
    return 0;
  }
}

/** Tests that a lazy reason is a clause of literals that were false before its first one became true. */
function checkReason(s: State, reason: IntStack): void {
  const lit = reason.data[0];
  const { trail, values } = s;
  let end = 0;
  while (end < s.trailSize && trail[end] !== lit) end++;
  for (let i = 1; i < reason.size; i++) {
    const other = reason.data[i];
    let at = values[other] < 0 ? fixedCount(s) : end;
    if (values[other] < 0 && s.level[other >> 1] === 0) continue;
    while (at < end && trail[at] !== (other ^ 1)) at++;
    if (at >= end)
      throw new Error(`the reason of literal ${lit} holds ${other}, which was not false before it`);
  }
}
