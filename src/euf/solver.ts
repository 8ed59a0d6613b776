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
import type { Options as SearchOptions } from '../sat/options.ts';
import { AXIOM, type ProofLog } from '../sat/proof.ts';
import { type Result, Solver } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';
import { Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { TermColumn } from '../term/term-column.ts';
import { Cone } from './cone.ts';
import { Encoder } from './encoder.ts';
import { type Element, EufModel } from './model.ts';

export interface EufOptions {
  /** Merge operators on constants with their value. */
  readonly evaluateConstants: boolean;
  /** Options of the SAT engine underneath. */
  readonly search: Partial<SearchOptions>;
  /** Hears every clause that the theory contributes: a valid formula of EUF, as its literals. */
  readonly onLemma: ((clause: readonly TermId[]) => void) | undefined;
}

/** What was asserted between a push and its pop holds while the guard is assumed. */
interface Scope {
  readonly guard: Lit;
  readonly formulas: TermId[];
}

export class EufSolver {
  private readonly sat: Solver;
  private readonly terms: TermStore;
  private readonly encoder: Encoder;
  private readonly cone: Cone;
  private readonly options: EufOptions;
  private readonly elements = new TermColumn<Element>(); // of the last model
  private readonly scopes: Scope[] = []; // the open scopes, innermost last
  private hasPopped = false; // there are formulas that hold no more
  private assumed: readonly TermId[] = [];
  private assumedLiterals: Lit[] = [];

  constructor(terms: TermStore, options: Partial<EufOptions> = {}) {
    this.options = { evaluateConstants: true, search: {}, onLemma: undefined, ...options };
    this.sat = new Solver(this.options.search);
    if (this.options.onLemma !== undefined) this.sat.setProof(this.lemmaLog(this.options.onLemma));
    this.terms = terms;
    this.cone = new Cone(terms, (t, use) => this.encoder.variablesOf(t, use));
    this.encoder = new Encoder(terms, this.sat, this.options.evaluateConstants, v => this.cone.need(v));
  }

  /** From now on (in the current scope) the formula holds, or it holds whenever the guard does. */
  assert(formula: TermId, guard?: TermId): void {
    const { terms, cone, encoder } = this;
    const scope = this.scopes.at(-1);
    if (guard !== undefined) {
      this.assertPlain(terms.or([terms.not(guard), formula]), scope);
      return;
    }
    const conjuncts = [formula];
    for (let f = conjuncts.pop(); f !== undefined; f = conjuncts.pop()) {
      if (terms.op(f) === Op.AND) {
        for (let i = terms.arity(f) - 1; i >= 0; i--) conjuncts.push(terms.arg(f, i));
        continue;
      }
      const defined = scope === undefined ? this.definedBy(f) : undefined;
      if (defined === undefined) {
        this.assertPlain(f, scope);
      } else {
        cone.define(defined.variable, defined.body);
        encoder.assert(f);
      }
    }
  }

  private assertPlain(formula: TermId, scope: Scope | undefined): void {
    this.encoder.assert(formula, scope?.guard);
    if (scope === undefined) this.cone.always(formula);
    else scope.formulas.push(formula);
  }

  /** Is the formula v = t for a variable that nothing has mentioned yet, t included? */
  private definedBy(formula: TermId): { variable: TermId; body: TermId } | undefined {
    const { terms, encoder } = this;
    if (terms.op(formula) !== Op.EQ) return undefined;
    const [a, b] = terms.args(formula);
    for (const [variable, body] of [
      [a, b],
      [b, a],
    ]) {
      if (!terms.isVariable(variable) || !encoder.isNew(variable)) continue;
      // Whatever is known already cannot contain a new variable.
      const known = { has: (t: TermId) => !encoder.isNew(t) };
      if (!terms.postorder([body], known).includes(variable)) return { variable, body };
    }
    return undefined;
  }

  solve(assumptions: readonly TermId[] = [], budget?: Budget): Result {
    const { cone, encoder } = this;
    this.assumed = assumptions;
    this.assumedLiterals = assumptions.map(a => encoder.assumption(a));
    if (cone.hasDefinitions || this.hasPopped) {
      cone.ask([...assumptions, ...this.scopes.flatMap(s => s.formulas)]);
      const { candidates } = cone;
      this.sat.restrictDecisions(candidates.data, candidates.size, cone.needed, cone.question);
    }
    return this.sat.solve([...this.scopes.map(s => s.guard), ...this.assumedLiterals], budget);
  }

  /** After `unsat`: those of the assumptions that cannot hold together with what is asserted. */
  core(): TermId[] {
    const failed = new Set(this.sat.core());
    return this.assumed.filter((_, i) => failed.has(this.assumedLiterals[i]));
  }

  /** After `sat`. */
  model(): EufModel {
    const truth = (lit: number) => this.sat.value(lit as Lit) ?? false;
    return new EufModel(this.encoder, this.cone, this.elements, truth, this.options.evaluateConstants);
  }

  /** Why the last question was left open. */
  get unknownReason(): UnknownReason | undefined {
    return this.sat.unknownReason;
  }

  push(): void {
    this.scopes.push({ guard: positive(this.encoder.newVar()), formulas: [] });
  }

  pop(): void {
    const scope = this.scopes.pop();
    if (scope === undefined) throw new Error('there is no scope to pop');
    this.sat.addClause([negate(scope.guard)]);
    this.hasPopped = true;
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
