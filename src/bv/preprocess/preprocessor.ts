/**
 * The word-level preprocessor that runs before bit-blasting: normal forms, conjunctions taken apart,
 * asserted formulas and values used in one another, and variables eliminated through equations that can be
 * solved for them. What a variable was replaced by is kept as a definition, so that models can be carried
 * back.
 *
 * Contract. Let M be a model of all formulas returned in the scopes in force. Extended by the values of
 * `definitions()`, one after another, it is a model of all assertions given in these scopes, and gives
 * `rewrite(t)` and `t` the same value. If the assertions have a model, so have the formulas returned.
 * Eliminated variables occur neither in formulas returned later nor in results of `rewrite`.
 *
 * A round solves as many equations as it can at once and substitutes once, so chains of definitions take
 * time in proportion to their length.
 */
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { conjunctsOf } from './conjuncts.ts';
import { Elimination, type Failures } from './elimination.ts';
import { InUse } from './in-use.ts';
import { Polynomials } from './polynomials.ts';
import { type Definition, Substitution } from './substitution.ts';

export type { Definition } from './substitution.ts';

/** Each round walks all formulas; what so many rounds do not solve is left to the solver. */
const MAX_ROUNDS = 20;
/** From this round on, a round in a large system must eliminate a variable per so many formulas to be worth it. */
const LATE_ROUND = 5;
const WORTHWHILE = 100;

/** Equations that polynomials make simpler may allow to eliminate variables, and that to simplify more. */
const MAX_POLYNOMIAL_ROUNDS = 4;

export class Preprocessor {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly elimination: Elimination;
  private readonly substitution: Substitution;
  private readonly polynomials: Polynomials;
  private readonly inUse: InUse;

  /**
   * `isFree(v)`: no formula from elsewhere that is in force mentions variable v, so it may be eliminated. It
   * is asked at the time of elimination. Variables of formulas returned by `simplify` are never eliminated
   * while these are in force, so for them it does not matter when they are encoded.
   */
  constructor(terms: TermStore, isFree: (variable: TermId) => boolean) {
    this.terms = terms;
    this.rewriter = new Rewriter(terms);
    this.inUse = new InUse(terms);
    this.elimination = new Elimination(this.rewriter, v => !this.inUse.has(v) && isFree(v));
    this.substitution = new Substitution(this.rewriter);
    this.polynomials = new Polynomials(this.rewriter);
  }

  /** Opens a scope; what is learnt in it is forgotten when it is popped. */
  push(): void {
    this.substitution.push();
    this.inUse.push();
  }

  pop(): void {
    this.substitution.pop();
    this.inUse.pop();
  }

  /**
   * Takes assertions of the innermost scope and returns formulas over the remaining variables to be solved
   * in their place: none if they hold in any case, `[false]` if they contradict each other.
   */
  simplify(assertions: readonly TermId[]): TermId[] {
    const { substitution, polynomials } = this;
    let formulas = this.eliminate(this.conjuncts(assertions.map(a => substitution.image(a))));
    for (let i = 0; i < MAX_POLYNOMIAL_ROUNDS; i++) {
      const simpler = polynomials.simplifyAll(formulas);
      if (simpler === undefined) break;
      formulas = this.eliminate(this.conjuncts(simpler));
    }
    if (!this.isContradiction(formulas)) substitution.learn(formulas);
    this.inUse.add(formulas);
    return formulas;
  }

  /** Eliminates variables round by round until that gains nothing more. */
  private eliminate(conjuncts: TermId[]): TermId[] {
    const { substitution, elimination } = this;
    const failures: Failures = new Map();
    let formulas = conjuncts;
    for (let i = 0; i < MAX_ROUNDS && !this.isContradiction(formulas); i++) {
      const round = elimination.round(formulas, failures);
      if (round.definitions.length > 0) substitution.define(round.definitions);
      const images = substitution.simplifyTogether(round.formulas);
      const next = images === undefined ? [this.terms.false] : this.conjuncts(images);
      const { length } = round.definitions;
      const isSame = length === 0 && !round.retry && sameSet(formulas, next);
      formulas = next;
      if (isSame || (i >= LATE_ROUND && WORTHWHILE * length < formulas.length)) break;
    }
    return formulas;
  }

  /** The term over surviving variables, with all that is known applied, in normal form. */
  rewrite(term: TermId): TermId {
    return this.substitution.image(term);
  }

  /** What eliminated variables stand for: each body mentions only survivors and variables defined before. */
  definitions(): readonly Definition[] {
    return this.substitution.definitions();
  }

  private conjuncts(formulas: readonly TermId[]): TermId[] {
    return conjunctsOf(this.rewriter, formulas);
  }

  private isContradiction(formulas: readonly TermId[]): boolean {
    return formulas[0] === this.terms.false;
  }
}

/** Do two lists without repetitions have the same members? */
function sameSet(a: readonly TermId[], b: readonly TermId[]): boolean {
  if (a.length !== b.length) return false;
  const members = new Set(a);
  return b.every(f => members.has(f));
}
