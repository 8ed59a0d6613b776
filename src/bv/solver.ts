/**
 * The concrete solver: the bit-precise reading of terms over Booleans, bit-vectors, arrays, uninterpreted sorts
 * and functions. Formulas are simplified at word level (preprocess/), turned into an and-inverter graph
 * (blaster.ts, aig.ts) and clauses (cnf.ts), and handed to a SAT back end. What the clauses do not say about
 * arrays, functions (lemmas/) and expensive operators (abstraction.ts) is added whenever a model breaks it.
 *
 * Surface: `assert` for good or under a guard, `solve` under assumptions, then `core` or `model`; `push` and
 * `pop` for scripts. Terms may be new at any time. Same calls, same answers: only a deadline or a signal can
 * change what happens.
 */
import { type Budget, exceededLimit } from '../sat/budget.ts';
import { type Lit, negate } from '../sat/literals.ts';
import type { Result } from '../sat/solver.ts';
import { Unknown, type UnknownReason } from '../sat/unknown.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { Abstraction } from './abstraction.ts';
import { Aig } from './aig.ts';
import type { BackEndFactory, SatBackEnd } from './back-end.ts';
import { Blaster } from './blaster.ts';
import { Cnf } from './cnf.ts';
import { distinctElements } from './distinct-elements.ts';
import { Lemmas, type Reading } from './lemmas/lemmas.ts';
import { ConcreteModel, readingOf } from './model.ts';
import { OwnEngine } from './own-engine.ts';
import { Preprocessor } from './preprocess/preprocessor.ts';
import { Relevance } from './relevance.ts';

export interface ConcreteOptions {
  /** Makes the SAT back end; the engine of this project unless told otherwise. */
  readonly backEnd: BackEndFactory;
  /** Products and quotients of at least this width are abstracted. */
  readonly abstractionWidth: number;
  /** Simplify at word level before blasting. */
  readonly preprocess: boolean;
  /** Hears every lemma: a valid formula, given the witnesses of array disequalities. */
  readonly onLemma: ((lemma: TermId) => void) | undefined;
}

/** What was asserted between a push and its pop holds while the guard is assumed. */
interface Scope {
  readonly guard: Lit | undefined;
  readonly pending: TermId[]; // asserted, as the user said it
  readonly simplified: TermId[]; // to be encoded
}

const DEFAULT_OPTIONS: ConcreteOptions = {
  backEnd: () => new OwnEngine(),
  abstractionWidth: 33,
  preprocess: true,
  onLemma: undefined,
};

export class ConcreteSolver {
  private readonly terms: TermStore;
  private readonly options: ConcreteOptions;
  private readonly sat: SatBackEnd;
  private readonly aig = new Aig(() => this.checkBudget());
  private readonly cnf: Cnf;
  private readonly blaster: Blaster;
  private readonly preprocessor: Preprocessor;
  private readonly lemmas: Lemmas;
  private readonly abstraction: Abstraction;
  private readonly relevance: Relevance;
  private readonly scopes: Scope[] = [{ guard: undefined, pending: [], simplified: [] }];
  private readonly witnesses: TermId[] = []; // witness formulas that are needed
  private readonly definedWitnesses = new Set<TermId>(); // those that are clauses already
  private budget: Budget | undefined; // of the running question
  private result: Result | undefined;
  private reason: UnknownReason | undefined;
  private assumed: readonly TermId[] = [];
  private assumedLiterals: Lit[] = [];
  private lastModel: ConcreteModel | undefined;
  private readonly counts = { questions: 0, rounds: 0 };

  constructor(terms: TermStore, options: Partial<ConcreteOptions> = {}) {
    this.terms = terms;
    this.options = { ...DEFAULT_OPTIONS, ...options };
    this.sat = this.options.backEnd();
    this.cnf = new Cnf(this.aig, this.sat, () => this.checkBudget());
    this.lemmas = new Lemmas(terms);
    this.abstraction = new Abstraction(terms, this.options.abstractionWidth);
    const isAbstract = (t: TermId) => this.abstraction.isAbstract(t);
    this.blaster = new Blaster(terms, this.aig, isAbstract, () => this.checkBudget());
    this.relevance = new Relevance(terms, isAbstract, equality => this.lemmas.witness(equality));
    this.preprocessor = new Preprocessor(terms, v => !this.relevance.has(v));
  }

  /** From now on (in the current scope) the formula holds, or it holds whenever the guard does. */
  assert(formula: TermId, guard?: TermId): void {
    const { terms } = this;
    this.forget();
    this.top.pending.push(guard === undefined ? formula : terms.or([terms.not(guard), formula]));
  }

  push(): void {
    this.forget();
    this.simplifyPending();
    this.preprocessor.push();
    this.relevance.push();
    this.scopes.push({ guard: (this.sat.newVar() << 1) as Lit, pending: [], simplified: [] });
  }

  pop(): void {
    if (this.scopes.length === 1) throw new Error('there is no scope to pop');
    this.forget();
    const { guard } = this.scopes.pop() as Scope;
    if (guard !== undefined) this.sat.addClause([negate(guard)]);
    this.preprocessor.pop();
    this.relevance.pop();
  }

  solve(assumptions: readonly TermId[] = [], budget?: Budget): Result {
    this.forget();
    this.counts.questions++;
    this.budget = budget;
    this.reason = undefined;
    this.assumed = assumptions;
    this.simplifyPending();
    const depth = this.relevance.depth;
    try {
      this.result = this.search();
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      this.reason = error.reason;
      this.result = 'unknown';
    } finally {
      while (this.relevance.depth > depth) this.relevance.pop();
    }
    return this.result;
  }

  /** After `unsat`: those of the assumptions that cannot hold together with what is asserted. */
  core(): TermId[] {
    if (this.result !== 'unsat') throw new Error('there is a core only after the answer unsat');
    return this.assumed.filter((_, i) => this.sat.isFailed(this.assumedLiterals[i]));
  }

  /**
   * After `unsat`: a core none of whose members can be left out. Each attempt to leave one out may use the given
   * budget; what could not be decided stays in.
   */
  minimalCore(budget?: Budget): TermId[] {
    let core = this.core();
    for (let i = 0; i < core.length; ) {
      const rest = core.filter((_, j) => j !== i);
      if (this.solve(rest, budget) !== 'unsat') {
        i++;
        continue;
      }
      // What was shown to be needed is needed in a smaller core, too.
      const smaller = new Set(this.core());
      core = rest.filter((t, j) => j < i || smaller.has(t));
    }
    this.forget(); // the last answer was to some other question
    return core;
  }

  /** After `sat`. */
  model(): ConcreteModel {
    if (this.lastModel === undefined) throw new Error('there is a model only after the answer sat');
    return this.lastModel;
  }

  /** Why the last question was left open. */
  get unknownReason(): UnknownReason | undefined {
    return this.reason;
  }

  get stats(): Readonly<Record<string, number>> {
    return {
      ...this.counts,
      gates: this.aig.count,
      clauses: this.cnf.clauseCount,
      eliminated: this.preprocessor.definitions().length,
      ...this.lemmas.stats,
      ...this.abstraction.stats,
    };
  }

  /** Of what is asserted so far. */
  get clauseCount(): number {
    return this.cnf.clauseCount;
  }

  /** How often the back end has been asked. */
  get roundCount(): number {
    return this.counts.rounds;
  }

  /** Frees what garbage collection does not see; the solver cannot be used afterwards. */
  dispose(): void {
    this.sat.dispose();
  }

  private get top(): Scope {
    return this.scopes[this.scopes.length - 1];
  }

  /** An answer speaks of what was asserted then. */
  private forget(): void {
    this.result = undefined;
    this.lastModel = undefined;
  }

  private search(): Result {
    const { sat, scopes } = this;
    this.cnf.flush();
    this.defineWitnesses();
    scopes.forEach((scope, depth) => {
      this.encodeScope(scope, depth);
    });
    this.relevance.push(); // what assumptions and lemmas mention matters to this question only
    this.assumedLiterals = this.assumed.map(a => this.encodeAssumption(a));
    const guards = scopes.flatMap(s => (s.guard === undefined ? [] : [s.guard]));
    const literals = [...guards, ...this.assumedLiterals];
    for (;;) {
      this.counts.rounds++;
      const result = sat.solve(literals, this.budget);
      if (result === 'unknown') this.reason = sat.unknownReason;
      if (result !== 'sat') return result;
      const reading = readingOf(this.terms, this.blaster, this.cnf.evaluate());
      if (!this.refine(reading)) {
        const definitions = this.preprocessor.definitions();
        this.lastModel = new ConcreteModel(this.terms, reading, this.lemmas, definitions);
        return 'sat';
      }
      this.checkBudget();
    }
  }

  /** Adds what the reading breaks about the unknowns of the question; false if it breaks nothing. */
  private refine(reading: Reading): boolean {
    const unknowns = this.relevance.unknowns();
    const { lemmas, expanded } = this.abstraction.check(unknowns, reading);
    for (const t of expanded) this.equate(t);
    if (lemmas.length === 0 && expanded.length === 0) lemmas.push(...this.lemmas.check(unknowns, reading));
    for (const lemma of lemmas) {
      this.options.onLemma?.(lemma);
      this.mention(lemma, this.scopes.length);
      this.cnf.assert(this.blaster.edge(lemma));
    }
    return lemmas.length > 0 || expanded.length > 0;
  }

  /** Says that the unknown of an abstracted term is what its circuit computes. */
  private equate(t: TermId): void {
    const { aig, cnf, blaster } = this;
    const unknown = blaster.blast(t);
    blaster.meaning(t).forEach((bit, i) => {
      cnf.assert(aig.iff(unknown[i], bit));
    });
    this.abstraction.markExpanded(t);
  }

  // ---- encoding ----

  private simplifyPending(): void {
    const { preprocessor, options } = this;
    const { pending, simplified } = this.top;
    if (pending.length === 0) return;
    for (const f of options.preprocess ? preprocessor.simplify(pending) : pending) simplified.push(f);
    pending.length = 0;
  }

  private encodeScope(scope: Scope, depth: number): void {
    const { simplified, guard } = scope;
    if (depth === 0) {
      for (const [sort, variables] of distinctElements(this.terms, simplified))
        this.blaster.number(sort, variables);
    }
    for (let f = simplified.at(-1); f !== undefined; f = simplified.at(-1)) {
      this.mention(f, depth);
      this.cnf.assert(this.blaster.edge(f), guard);
      simplified.pop(); // only now: the encoding may have been interrupted
    }
  }

  private encodeAssumption(assumption: TermId): Lit {
    const { preprocessor, options } = this;
    const formula = options.preprocess ? preprocessor.rewrite(assumption) : assumption;
    this.mention(formula, this.scopes.length);
    return this.cnf.literal(this.blaster.edge(formula));
  }

  /** Makes a formula relevant, and the witnesses of its equalities of arrays what they have to be. */
  private mention(formula: TermId, depth: number): void {
    this.witnesses.push(...this.relevance.mention(formula, depth));
    this.defineWitnesses();
  }

  /** The encoding may be interrupted anywhere, so a witness leaves the list only when its clauses are there. */
  private defineWitnesses(): void {
    const { witnesses, definedWitnesses } = this;
    for (let w = witnesses.at(-1); w !== undefined; w = witnesses.at(-1)) {
      if (!definedWitnesses.has(w)) this.cnf.assert(this.blaster.edge(w));
      definedWitnesses.add(w);
      witnesses.pop();
    }
  }

  private checkBudget(): void {
    const reason = this.budget === undefined ? undefined : exceededLimit(this.budget);
    if (reason !== undefined) throw new Unknown(reason);
  }
}
