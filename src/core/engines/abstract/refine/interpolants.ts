/**
 * Interpolants of a derivation without an interpolating solver (McMillan and Rybalchenko, "Solving Constrained Horn Clauses using
 * Interpolation", 2013). A derivation is infeasible; of each use of an edge, from below to above, p is to follow from what is
 * said of the use and of the uses below it, and to contradict the rest: all that is said outside of the part of the derivation that is done. On a
 * run F_0 ∧ F_1 ∧ … ∧ F_n these are inductive sequences: p_k follows from p_(k-1) ∧ F_(k-1) and contradicts F_k ∧ … ∧ F_n
 * (dissertation Definition 4.4). Two ways, in turn:
 *
 * forwards: of what can be said about the terms that the use above speaks of (ranges of values, equalities, the truth of
 * atoms, what the equations of the uses so far leave to say of what is derived), that which the uses so far imply, found by
 * striking out or weakening what a model falsifies until none does; of it, a minimal core that the rest contradicts;
 *
 * backwards: states from which the rest goes on, one by one; what the uses so far cannot reach of such a state, by a
 * minimal core over its literals and with its bounds moved (`../../interpolation/bounds.ts`), is excluded by a clause of p.
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
import { atSource, type Node, type Saying } from './copies.ts';
import type { Orders } from './orders.ts';
import { Range } from './ranges.ts';
import { Vocabulary } from './vocabulary.ts';

/** States of the rest of the path that are looked at for one interpolant. */
const MAX_STATES = 24;

export interface ImpossibleSets {
  readonly sets: readonly (readonly TermId[])[];
  /** Do the sets exclude the derivation? */
  readonly isPathImpossible: boolean;
}

export interface InterpolationContext {
  readonly signature: Signature;
  readonly orders: Orders | undefined;
  readonly solver: EquationSolver;
  readonly concrete: ConcreteQueries;
}

/** Where a derivation is cut: below there is a use with all that it rests on, above there is the rest. */
interface Cut {
  readonly node: Node;
  /** What is said below, over the variables of the use's edge and the next variables of its head. */
  readonly body: readonly TermId[];
  /** What is said above, in copies. */
  readonly rest: readonly TermId[];
}

export class Interpolation {
  private readonly context: InterpolationContext;
  private readonly terms: TermStore;
  private readonly prime: Renaming;
  private readonly nodes: readonly Node[];
  private readonly said: Saying;
  private readonly vocabulary: Vocabulary;
  private readonly comparesSigned: boolean;
  private readonly impossible: TermId[][] = [];

  /** `nodes`: each after all below it. */
  constructor(context: InterpolationContext, nodes: readonly Node[], said: Saying) {
    this.context = context;
    this.nodes = nodes;
    this.said = said;
    const { terms, prime } = context.signature;
    this.terms = terms;
    this.prime = prime;
    this.vocabulary = new Vocabulary(context.solver, context.signature, context.orders, nodes, said);
    const all = nodes.flatMap(n => said.get(n) as readonly TermId[]);
    this.comparesSigned = terms.postorder(all).some(t => terms.op(t) === Op.BVSLT);
  }

  /**
   * Sets of formulas over a use that cannot hold together: enough to make the derivation impossible, or, where no interpolant
   * is found, those that were found on the way.
   */
  *impossibleSets(): Work<ImpossibleSets> {
    const { nodes, impossible } = this;
    const interpolants = new Map<Node, readonly TermId[]>(); // of what is done, over the places of the head
    for (const [i, node] of nodes.entries()) {
      const body = this.body(node, interpolants);
      // What is above may contradict a use already, without the rest.
      const early = yield* this.coreOf(body);
      if (early !== undefined) return { sets: [...impossible, early], isPathImpossible: true };
      if (i === nodes.length - 1) break;
      for (const below of node.premises) if (below !== undefined) interpolants.delete(below);
      const cut = { node, body, rest: this.rest(i, interpolants) };
      const formulas = (yield* this.forwards(cut)) ?? (yield* this.backwards(cut));
      // What was found so far does not exclude this derivation, but parts of it.
      if (formulas === undefined) break;
      interpolants.set(node, formulas);
    }
    return { sets: impossible, isPathImpossible: false };
  }

  /** What is said of a use, and what is known of the uses below it. */
  private body(node: Node, interpolants: Saying): TermId[] {
    const { sources } = node.fact.edge;
    const below = node.premises.flatMap((n, j) => {
      const formulas = (n && interpolants.get(n)) ?? [];
      return formulas.map(f => atSource(this.terms, sources[j], f));
    });
    return [...below, ...(this.said.get(node) as readonly TermId[])];
  }

  /** What is said of all uses after this one, and what is known of those that are done. */
  private rest(done: number, interpolants: Saying): TermId[] {
    const known = [...interpolants].flatMap(([n, formulas]) => formulas.map(f => n.here.apply(f)));
    const later = this.nodes
      .slice(done + 1)
      .flatMap(n => (this.said.get(n) as readonly TermId[]).map(l => n.copied.apply(l)));
    return [...known, ...later];
  }

  // ---- forwards ----

  /** An interpolant as a set of literals that the uses so far imply. */
  private *forwards(cut: Cut): Work<TermId[] | undefined> {
    const { body, node, rest } = cut;
    const implied = yield* this.implied(cut);
    if (implied === undefined) return undefined;
    const here = implied.map(l => node.here.apply(l));
    const core = yield* this.context.concrete.core(here, rest);
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

  /** Literals over the places of the use's head that the body implies about what is derived. */
  private *implied(cut: Cut): Work<TermId[] | undefined> {
    const { body } = cut;
    const { terms, prime } = this;
    const { concrete } = this.context;
    if ((yield* concrete.check(body)) === 'unsat') return undefined;
    const followed = this.followed(body);
    let { literals, ranges } = this.candidates(concrete.model(), cut);
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

  /** What can be said of the terms that are spoken of above a use, as a model has them in what the use derives. */
  private candidates(model: ConcreteModel, { node, rest }: Cut): { literals: TermId[]; ranges: Range[] } {
    const { terms, prime } = this;
    const literals = new Set<TermId>();
    const ranges: Range[] = [];
    const byValue = new Map<string, TermId>(); // the first term with a value
    for (const t of this.vocabulary.above(node, rest)) {
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

  /** An interpolant as a set of clauses. */
  private *backwards(cut: Cut): Work<TermId[] | undefined> {
    const { node, body, rest } = cut;
    const { terms, prime } = this;
    const { concrete } = this.context;
    const { here } = node;
    const clauses: TermId[] = [];
    for (let states = 0; states < MAX_STATES; states++) {
      if (yield* this.isImpossible([...rest, ...clauses.map(c => here.apply(c))])) return clauses;
      const { literals: state, bounds } = this.stateOf(concrete.model(), cut);
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
            this.isImpossible([...rest, ...[...clauses, ...others, ...literals].map(c => here.apply(c))]),
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

  /** What holds of what a use derives in a model of the rest; what makes the better core comes first. */
  private stateOf(
    model: ConcreteModel,
    { node, rest }: Cut,
  ): { literals: TermId[]; bounds: ReadonlyMap<TermId, Bound> } {
    const { terms } = this;
    const values: TermId[] = [];
    const bounds = new Map<TermId, Bound>();
    const atoms: TermId[] = [];
    for (const t of this.vocabulary.above(node, rest)) {
      const value = model.value(node.here.apply(t));
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

  private coreOf(formulas: readonly TermId[]): Work<TermId[] | undefined> {
    return this.context.concrete.core(formulas);
  }
}
