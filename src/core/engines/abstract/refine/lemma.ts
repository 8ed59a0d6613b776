/**
 * Refinement lemmas: a set of literals that no bits satisfy, negated (dissertation Definition 3.9, Algorithm 8). Inputs
 * are replaced by terms that the literals say they equal, where there are such; a lemma about one state is learnt for
 * the current and for the next state.
 */
import { Op } from '../../../../term/operators.ts';
import { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute, substituteAll } from '../../../../term/substitute.ts';
import { isReflexive } from '../../../problem/literals.ts';
import type { Edge, Problem } from '../../../problem/problem.ts';
import type { Signature } from '../signature.ts';

export class LemmaMaker {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly signature: Signature;

  private readonly calls: readonly Edge[]; // with several sources

  constructor(signature: Signature, { edges }: Pick<Problem, 'edges'>) {
    this.terms = signature.terms;
    this.rewriter = new Rewriter(signature.terms);
    this.signature = signature;
    this.calls = edges.filter(e => e.sources.length > 1);
  }

  /**
   * The lemma that says that these formulas cannot hold together. It may be p ∨ ¬p, where an interpolant is handed on from
   * one step to the next: that excludes nothing, but cubes speak of p from then on.
   */
  lemma(impossible: readonly TermId[]): TermId {
    return this.terms.or(this.withoutInputs(impossible).map(l => this.rewriter.not(l)));
  }

  /** A lemma, and if it is about one state only, the same about all others: now, after a step, and beside other states. */
  ofAllStates(lemma: TermId): TermId[] {
    const { terms, signature } = this;
    const { inputs, current, after, copies, prime, unprime } = signature;
    const variables = terms.postorder([lemma]).filter(t => terms.isVariable(t));
    const mentions = (set: ReadonlySet<TermId>) => variables.some(v => set.has(v));
    const kinds = [current, after, copies].filter(mentions);
    if (mentions(inputs) || kinds.length !== 1) return [lemma];
    const [kind] = kinds;
    const now =
      kind === after ? unprime.apply(lemma) : kind === copies ? this.ofPlaces(lemma, variables) : lemma;
    if (now === undefined) return [lemma];
    return [...new Set([lemma, now, prime.apply(now), ...this.inCalls(now)])];
  }

  /** What is said of a source beside others, said of the places of its location; undefined if it is about several. */
  private ofPlaces(lemma: TermId, variables: readonly TermId[]): TermId | undefined {
    for (const { sources } of this.calls) {
      for (const { location, places } of sources) {
        const images = new Map(places.map((p, i) => [p, location.places[i]]));
        if (variables.every(v => images.has(v))) return substitute(this.terms, lemma, images);
      }
    }
    return undefined;
  }

  /** What is said of a state, said of every source beside others that may be this state. */
  private inCalls(lemma: TermId): TermId[] {
    const { terms, calls } = this;
    const variables = terms.postorder([lemma]).filter(t => terms.isVariable(t));
    return calls.flatMap(({ sources }) =>
      sources.flatMap(({ location, places }) => {
        const images = new Map(location.places.map((p, i) => [p, places[i]]));
        return variables.every(v => images.has(v)) ? [substitute(terms, lemma, images)] : [];
      }),
    );
  }

  /** Replaces inputs by what the literals say they are, one after another. */
  private withoutInputs(impossible: readonly TermId[]): TermId[] {
    const { terms } = this;
    let literals = [...impossible];
    for (;;) {
      const found = this.definedInput(literals);
      if (found === undefined) return literals;
      const images = substituteAll(terms, literals, new Map([[found.input, found.body]]));
      literals = [...new Set(images)].filter(l => !isReflexive(terms, l));
    }
  }

  private definedInput(literals: readonly TermId[]): { input: TermId; body: TermId } | undefined {
    const { terms, signature } = this;
    for (const l of literals) {
      if (terms.op(l) !== Op.EQ) continue;
      const [a, b] = terms.args(l);
      for (const [input, body] of [
        [a, b],
        [b, a],
      ]) {
        if (signature.inputs.has(input) && !terms.postorder([body]).includes(input)) return { input, body };
      }
    }
    return undefined;
  }
}
