/**
 * The abstract solver: equality with uninterpreted functions over CDCL. Every operator of a term is read as
 * a function symbol, but for the Boolean connectives, equality and ite; constants are pairwise different,
 * and an operator on constants has its value (which can be switched off).
 *
 * Surface: `assert` for good or under a guard, `solve` under assumptions, then `core` or `model`; `push` and
 * `pop` for scripts. Terms may be new at any time. A question whose assumptions begin like those of the last
 * one goes on from where that ended.
 */
import type { Budget } from '../sat/budget.ts';
import { type Lit, negate, positive } from '../sat/literals.ts';
import { AXIOM, type ProofLog } from '../sat/proof.ts';
import { type Result, Solver } from '../sat/solver.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { Encoder } from './encoder.ts';
import { EufModel } from './model.ts';

export interface EufOptions {
  /** Merge operators on constants with their value. */
  readonly evaluateConstants: boolean;
  /** Hears every clause that the theory contributes: a valid formula of EUF, as its literals. */
  readonly onLemma: ((clause: readonly TermId[]) => void) | undefined;
}

export class EufSolver {
  private readonly sat = new Solver();
  private readonly encoder: Encoder;
  private readonly options: EufOptions;
  private readonly scopes: Lit[] = []; // the guard of each open scope
  private assumed: readonly TermId[] = [];
  private assumedLiterals: Lit[] = [];

  constructor(terms: TermStore, options: Partial<EufOptions> = {}) {
    this.options = { evaluateConstants: true, onLemma: undefined, ...options };
    if (this.options.onLemma !== undefined) this.sat.setProof(this.lemmaLog(this.options.onLemma));
    this.encoder = new Encoder(terms, this.sat, this.options.evaluateConstants);
  }

  /** From now on (in the current scope) the formula holds, or it holds whenever the guard does. */
  assert(formula: TermId, guard?: TermId): void {
    const scope = this.scopes.at(-1);
    if (guard === undefined) {
      this.encoder.assert(formula, scope);
      return;
    }
    const { terms } = this.encoder;
    this.encoder.assert(terms.or([terms.not(guard), formula]), scope);
  }

  solve(assumptions: readonly TermId[] = [], budget?: Budget): Result {
    this.assumed = assumptions;
    this.assumedLiterals = assumptions.map(a => this.encoder.assumption(a));
    return this.sat.solve([...this.scopes, ...this.assumedLiterals], budget);
  }

  /** After `unsat`: those of the assumptions that cannot hold together with what is asserted. */
  core(): TermId[] {
    const failed = new Set(this.sat.core());
    return this.assumed.filter((_, i) => failed.has(this.assumedLiterals[i]));
  }

  /** After `sat`. */
  model(): EufModel {
    const truth = (lit: number) => this.sat.value(lit as Lit) ?? false;
    return new EufModel(this.encoder, truth, this.options.evaluateConstants);
  }

  /** Why the last question was left open. */
  get interruptReason(): string | undefined {
    return this.sat.interruptReason;
  }

  push(): void {
    this.scopes.push(positive(this.encoder.newVar()));
  }

  pop(): void {
    const guard = this.scopes.pop();
    if (guard === undefined) throw new Error('there is no scope to pop');
    this.sat.addClause([negate(guard)]);
  }

  /** A proof log that listens for the theory's clauses only. */
  private lemmaLog(onLemma: (clause: readonly TermId[]) => void): ProofLog {
    return {
      step: (kind, literals, from, to) => {
        if (kind !== AXIOM) return;
        const clause: TermId[] = [];
        for (let i = from; i < to; i++) {
          const formula = this.encoder.formulaOf(literals[i] as Lit);
          if (formula !== undefined) clause.push(formula);
        }
        onLemma(clause);
      },
    };
  }

  get stats(): Readonly<Record<string, number>> {
    const { theory } = this.encoder;
    return {
      ...this.sat.stats,
      nodes: theory.graph.count,
      merges: theory.graph.merges,
      theoryConflicts: theory.conflicts,
      theoryConflictLiterals: theory.conflictLiterals,
    };
  }
}
