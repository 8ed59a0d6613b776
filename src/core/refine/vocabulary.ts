/**
 * What an interpolant may speak of at each step of a path: the terms and atoms of that step, and those of later steps
 * pulled back through the equations of the steps between. Inputs and next state variables are replaced by terms over
 * current state variables that the step says they equal; what cannot be replaced is left out.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import type { Renaming } from '../system/renaming.ts';

/** Longer vocabularies would make the search for interpolants slow. */
const MAX_TERMS = 400;

export class Vocabulary {
  /** For each step, terms over current state variables: Booleans that are no connectives, and others. */
  readonly at: readonly (readonly TermId[])[];
  private readonly terms: TermStore;
  private readonly prime: Renaming;
  private readonly isOfNow: (t: TermId) => boolean;

  constructor(
    terms: TermStore,
    prime: Renaming,
    isOfNow: (t: TermId) => boolean,
    steps: readonly (readonly TermId[])[],
  ) {
    this.terms = terms;
    this.prime = prime;
    this.isOfNow = isOfNow;
    const at: TermId[][] = [];
    let later: readonly TermId[] = [];
    for (let k = steps.length - 1; k >= 0; k--) {
      later = this.step(steps[k], later);
      at.unshift([...later]);
    }
    this.at = at;
  }

  private step(literals: readonly TermId[], later: readonly TermId[]): TermId[] {
    const { terms, prime } = this;
    const equals = this.solved(literals);
    const found = new Set<TermId>();
    const add = (t: TermId) => {
      const image = substitute(terms, t, equals);
      if (!this.isOfNow(image)) return;
      for (const u of terms.postorder([image]))
        if (found.size < MAX_TERMS && !this.isConnective(u)) found.add(u);
    };
    for (const l of literals) add(l);
    for (const t of later) add(prime.apply(t));
    return [...found].filter(t => !terms.isConstant(t));
  }

  /** Inputs and next state variables with terms over current state variables that equal them. */
  private solved(literals: readonly TermId[]): Map<TermId, TermId> {
    const { terms } = this;
    const equals = new Map<TermId, TermId>();
    const equations = literals.filter(l => terms.op(l) === Op.EQ);
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const l of equations) {
        const [a, b] = terms.args(l);
        for (const [variable, body] of [
          [a, b],
          [b, a],
        ]) {
          if (!terms.isVariable(variable) || this.isOfNow(variable) || equals.has(variable)) continue;
          const image = substitute(terms, body, equals);
          if (!this.isOfNow(image)) continue;
          equals.set(variable, image);
          isChanged = true;
        }
      }
    }
    return equals;
  }

  private isConnective(t: TermId): boolean {
    const { terms } = this;
    const op = terms.op(t);
    return op === Op.NOT || op === Op.AND || op === Op.OR;
  }
}
