/**
 * Inductive interpolant sequences without an interpolating solver. A path F_0 ∧ F_1 ∧ … ∧ F_n is infeasible; p_k is to
 * follow from p_(k-1) ∧ F_(k-1) and to contradict F_k ∧ … ∧ F_n (dissertation Definition 4.4). Two ways, in turn:
 *
 * forwards: of what can be said about the terms that step k speaks of (ranges of values, equalities, the truth of atoms,
 * what the equations of the steps so far leave to say of the next state), that which the steps so far imply, found by
 * striking out or weakening what a model falsifies until none does; of it, a minimal core that the rest of the path
 * contradicts;
 *
 * backwards: states from which the rest of the path goes on, one by one; what the steps so far cannot reach of such
 * a state, by a minimal core over its literals and with its bounds moved (`../../interpolation/bounds.ts`), is excluded by a clause of p_k.
 *
 * Each implication on the way is a set of formulas that cannot hold together, which is the lemma of equation (13) of
 * the array paper:  ¬ (p_(k-1) ∧ body ∧ ¬ p_k').
 */
import type { ConcreteModel } from '../../../../bv/model.ts';
import type { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import type { Work } from '../../../../sat/work.ts';
import { termOfValue } from '../../../../term/evaluator.ts';
import { Op } from '../../../../term/operators.ts';
import { SortKind } from '../../../../term/sort.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { valueKey } from '../../../../term/value.ts';
import { equality, negated } from '../../../problem/literals.ts';
import type { Renaming } from '../../../problem/renaming.ts';
import { Bound } from '../../interpolation/bounds.ts';
import type { Signature } from '../signature.ts';
import type { ConcreteQueries } from './concrete-queries.ts';
import type { Copies } from './copies.ts';
import type { Orders } from './orders.ts';
import { Range } from './ranges.ts';
import { Vocabulary } from './vocabulary.ts';

/** States of the rest of the path that are looked at for one interpolant. */
const MAX_STATES = 24;

export interface PathStep {
  /** Over current variables, inputs and next variables. */
  readonly literals: readonly TermId[];
}

export interface ImpossibleSets {
  readonly sets: readonly (readonly TermId[])[];
  /** Do the sets exclude the path? */
  readonly isPathImpossible: boolean;
}

export interface InterpolationContext {
  readonly signature: Signature;
  readonly orders: Orders | undefined;
  readonly solver: EquationSolver;
  readonly concrete: ConcreteQueries;
  readonly copies: Copies;
}

export class Interpolation {
  private readonly context: InterpolationContext;
  private readonly terms: TermStore;
  private readonly prime: Renaming;
  private readonly steps: readonly PathStep[];
  private readonly vocabulary: Vocabulary;
  private readonly comparesSigned: boolean;
  private readonly impossible: TermId[][] = [];

  constructor(context: InterpolationContext, steps: readonly PathStep[]) {
    this.context = context;
    this.steps = steps;
    const { terms, prime } = context.signature;
    this.terms = terms;
    this.prime = prime;
    this.vocabulary = new Vocabulary(
      context.solver,
      context.signature,
      context.orders,
      steps.map(s => s.literals),
    );
    this.comparesSigned = terms.postorder(steps.flatMap(s => s.literals)).some(t => terms.op(t) === Op.BVSLT);
  }

  /**
   * Sets of formulas over a step that cannot hold together: enough to make the path impossible, or, where no interpolant
   * is found, those that were found on the way.
   */
  *impossibleSets(): Work<ImpossibleSets> {
    const { steps } = this;
    let before: readonly TermId[] = []; // p_(k-1), over current variables
    for (let k = 1; k < steps.length; k++) {
      // What follows may contradict a step already, without the rest of the path.
      const early = yield* this.coreOf([...before, ...steps[k - 1].literals]);
      if (early !== undefined) return { sets: [...this.impossible, early], isPathImpossible: true };
      const formulas = (yield* this.forwards(before, k)) ?? (yield* this.backwards(before, k));
      // What was found so far does not exclude this path, but parts of it.
      if (formulas === undefined) return { sets: this.impossible, isPathImpossible: false };
      before = formulas;
    }
    const last = yield* this.coreOf([...before, ...steps[steps.length - 1].literals]);
    if (last !== undefined) this.impossible.push(last);
    return { sets: this.impossible, isPathImpossible: last !== undefined };
  }

  /**
   * What holds between the first step and the second, if the path has two: p_1, and the sets that show that it follows. The
   * first step may be impossible by itself: then nothing need hold.
   */
  *between(): Work<
    { readonly formulas: readonly TermId[]; readonly sets: readonly (readonly TermId[])[] } | undefined
  > {
    const early = yield* this.coreOf(this.steps[0].literals);
    if (early !== undefined) return { formulas: [this.terms.false], sets: [early] };
    const formulas = (yield* this.forwards([], 1)) ?? (yield* this.backwards([], 1));
    return formulas && { formulas, sets: this.impossible };
  }

  // ---- forwards ----

  /** p_k as a set of literals that the steps so far imply. */
  private *forwards(before: readonly TermId[], k: number): Work<TermId[] | undefined> {
    const body = [...before, ...this.steps[k - 1].literals];
    const implied = yield* this.implied(body, k);
    if (implied === undefined) return undefined;
    const { copies, concrete } = this.context;
    const here = implied.map(l => copies.at(l, k));
    const core = yield* concrete.core(here, this.rest(k));
    if (core === undefined) return undefined;
    const used = new Set(core);
    const interpolant = implied.filter((_, i) => used.has(here[i]));
    for (const literal of interpolant) {
      const set = yield* this.coreOf([...body, negated(this.terms, this.prime.apply(literal))]);
      if (set === undefined) return undefined;
      this.impossible.push(set);
    }
    return interpolant;
  }

  /** Literals over the state at step k that the body implies about the next state. */
  private *implied(body: readonly TermId[], k: number): Work<TermId[] | undefined> {
    const { terms, prime } = this;
    const { concrete } = this.context;
    if ((yield* concrete.check(body)) === 'unsat') return undefined;
    const followed = this.followed(body);
    let { literals, ranges } = this.candidates(concrete.model(), k);
    literals = [...new Set([...literals, ...followed])];
    for (;;) {
      const all = [...literals, ...ranges.flatMap(r => r.literals())];
      const someFails = terms.or(all.map(l => negated(terms, prime.apply(l))));
      if ((yield* concrete.check([...body, someFails])) === 'unsat') return all;
      const model = concrete.model();
      literals = literals.filter(l => model.isTrue(prime.apply(l)));
      ranges = ranges.filter(r => r.extend(model.value(prime.apply(r.term))));
    }
  }

  /** What can be said of the terms of step k, as a model has them in the next state. */
  private candidates(model: ConcreteModel, k: number): { literals: TermId[]; ranges: Range[] } {
    const { terms, prime } = this;
    const literals = new Set<TermId>();
    const ranges: Range[] = [];
    const byValue = new Map<string, TermId>(); // the first term with a value
    for (const t of this.vocabulary.at[k]) {
      const value = model.value(prime.apply(t));
      if (terms.sort(t) === terms.sorts.bool) {
        literals.add(value === true ? t : negated(terms, t));
        continue;
      }
      if (terms.width(t) > 0) ranges.push(new Range(terms, t, value));
      const key = `${terms.sort(t)} ${valueKey(value)}`;
      const equal = byValue.get(key);
      if (equal === undefined) byValue.set(key, t);
      else literals.add(equality(terms, equal, t));
    }
    return { literals: [...literals], ranges };
  }

  /** What the body's equations, solved for all other variables, leave to say about the next state. */
  private followed(body: readonly TermId[]): TermId[] {
    const { terms } = this;
    const { solver, signature } = this.context;
    const { after, unprime } = signature;
    const { formulas } = solver.solve(body, v => !after.has(v), []);
    const isOfNext = (f: TermId) => terms.postorder([f]).every(t => !terms.isVariable(t) || after.has(t));
    return formulas.filter(f => f !== terms.true && isOfNext(f)).map(f => unprime.apply(f));
  }

  // ---- backwards ----

  /** p_k as a set of clauses. */
  private *backwards(before: readonly TermId[], k: number): Work<TermId[] | undefined> {
    const { terms, prime } = this;
    const { concrete, copies } = this.context;
    const body = [...before, ...this.steps[k - 1].literals];
    const rest = this.rest(k);
    const clauses: TermId[] = [];
    for (let states = 0; states < MAX_STATES; states++) {
      if (yield* this.isImpossible([...rest, ...clauses.map(c => copies.at(c, k))])) return clauses;
      const { literals: state, bounds } = this.stateOf(concrete.model(), k);
      const primed = state.map(c => prime.apply(c));
      const core = yield* concrete.core(primed, body);
      if (core === undefined) return undefined;
      const needed = new Set(core);
      const used = state.filter((_, i) => needed.has(primed[i]));
      for (const [i, l] of used.entries()) {
        const bound = bounds.get(l);
        if (bound === undefined) continue;
        const others = used.filter(other => other !== l);
        used[i] = yield* bound.moved(
          literal => this.isImpossible([...body, ...[...others, literal].map(c => prime.apply(c))]),
          literals =>
            this.isImpossible([...rest, ...[...clauses, ...others, ...literals].map(c => copies.at(c, k))]),
        );
      }
      const impossible = yield* this.coreOf([...body, ...used.map(c => prime.apply(c))]);
      if (impossible === undefined) return undefined;
      this.impossible.push(impossible);
      clauses.push(terms.or(used.map(l => negated(terms, l))));
    }
    return undefined;
  }

  private *isImpossible(formulas: readonly TermId[]): Work<boolean> {
    return (yield* this.context.concrete.check(formulas)) === 'unsat';
  }

  /** What holds in the state at step k of a model; what makes the better core comes first. */
  private stateOf(
    model: ConcreteModel,
    k: number,
  ): { literals: TermId[]; bounds: ReadonlyMap<TermId, Bound> } {
    const { terms } = this;
    const { copies } = this.context;
    const values: TermId[] = [];
    const bounds = new Map<TermId, Bound>();
    const atoms: TermId[] = [];
    for (const t of this.vocabulary.at[k]) {
      const value = model.value(copies.at(t, k));
      if (terms.sort(t) === terms.sorts.bool) {
        atoms.push(value === true ? t : negated(terms, t));
        continue;
      }
      if (terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED) continue;
      const constant = termOfValue(terms, terms.sort(t), value);
      values.push(terms.eq(constant, t));
      if (terms.width(t) <= 1) continue; // arrays have none
      for (const b of Bound.ofValue(terms, t, value, this.comparesSigned)) bounds.set(b.literal, b);
    }
    return { literals: [...atoms, ...bounds.keys(), ...values], bounds };
  }

  // ---- both ----

  /** The path from step k on, over copies of the variables. */
  private rest(k: number): TermId[] {
    const { copies } = this.context;
    return this.steps.slice(k).flatMap((s, i) => s.literals.map(l => copies.at(l, k + i)));
  }

  private coreOf(formulas: readonly TermId[]): Work<TermId[] | undefined> {
    return this.context.concrete.core(formulas);
  }
}
